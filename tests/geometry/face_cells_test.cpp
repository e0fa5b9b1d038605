// SPDX-License-Identifier: Apache-2.0
// Numbers with error bounds against exact ones, and cells of faces against points all over the face.
#include "geometry/face_cells.h"

#include "geometry/bounded.h"
#include "scenes/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace tumble {
namespace {

std::uint64_t new_seed() { return std::random_device{}(); }

/// The same random sums and products of both kinds; `near` must never be certain of a wrong sign.
TEST(Bounded, IsNeverCertainOfAWrongSign) {
  const std::uint64_t seed = new_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  std::size_t certain = 0, zeros = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::vector<Bounded> near;
    std::vector<Dyadic> exact;
    const int most = round % 5 == 0 ? 300 : 3;
    for (int i = 0; i < 4; ++i) {
      double x = static_cast<double>(random.index(5)) - 2;
      if (random.index(3) == 0) x = random.between(-1, 1);
      x = std::ldexp(x, static_cast<int>(random.index(static_cast<std::size_t>(2 * most))) - most);
      near.emplace_back(x);
      exact.emplace_back(x);
    }
    for (int i = 0; i < 8; ++i) {
      const std::size_t a = random.index(near.size()), b = random.index(near.size());
      switch (random.index(3)) {
        case 0:
          near.push_back(near[a] + near[b]);
          exact.push_back(exact[a] + exact[b]);
          break;
        case 1:
          near.push_back(near[a] - near[b]);
          exact.push_back(exact[a] - exact[b]);
          break;
        default: near.push_back(near[a] * near[b]); exact.push_back(exact[a] * exact[b]);
      }
      if (!near.back().is_certain()) continue;
      ++certain;
      zeros += exact.back().sign() == 0;
      ASSERT_EQ(near.back().sign(), exact.back().sign());
    }
  }
  EXPECT_GT(certain, 100'000u);
  EXPECT_GT(zeros, 1'000u);
}

TEST(Dyadic, QuotientsAreRounded) {
  scenes::Random random(1);
  EXPECT_EQ(quotient(Dyadic(0), Dyadic(3)), 0);
  EXPECT_EQ(quotient(Dyadic(-6), Dyadic(3)), -2);
  for (int i = 0; i < 1'000; ++i) {
    const double a = random.between(-1, 1) * std::pow(10, random.between(-90, 90)), b = random.between(0.1, 9);
    EXPECT_NEAR(quotient(Dyadic(a), Dyadic(b)), a / b, std::abs(a / b) * 0x1p-51);
  }
}

/// What a point sees: each cutter above, below or around it.
using View = std::vector<int>;
View view_of(const Face& face, const FaceSample& q, const std::vector<Corners>& cutters) {
  View view;
  for (const Corners& t : cutters) {
    const Over over = face.over(q, t);
    view.push_back(over.turn == 0 ? 9 : over.height);
  }
  return view;
}

FaceSample sample_at(const Face& face, const Vec2& at) {
  Vec3 p;
  p[(face.axis() + 1) % 3] = at.x;
  p[(face.axis() + 2) % 3] = at.y;
  return {face.point(p), at, 0};
}

/// Coplanar triangles on a grid, where many corners and edges coincide.
TEST(FaceCells, EveryViewIsThatOfACell) {
  const std::uint64_t seed = new_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  const auto number = [&](std::size_t most) { return static_cast<double>(random.index(most + 1)); };
  std::size_t views = 0, cells = 0;
  for (int round = 0; round < 60; ++round) {
    Corners t;
    do
      for (Vec3& corner : t) {
        const double x = number(4), y = number(4);
        corner = {x, y, 0};
      }
    while (dimension(t) < 2);
    std::vector<Corners> cutters;
    for (std::size_t n = random.index(5); n < 6; ++n) {
      Corners cutter;
      do
        for (Vec3& corner : cutter) {
          const double x = number(4), y = number(4);
          corner = {x, y, 0};
        }
      while (dimension(cutter) < 2);
      cutters.push_back(cutter);
    }
    FaceCells all(t);
    for (const Corners& cutter : cutters) all.cut(cutter);
    std::set<View> seen;
    while (const auto q = all.next()) {
      ++cells;
      const Over over = all.face().over(*q, t);
      ASSERT_NE(over.turn, 0);
      ASSERT_EQ(over.height, 0);
      seen.insert(view_of(all.face(), *q, cutters));
    }
    for (int i = 0; i < 300; ++i) {
      const double u = random.unit(), v = random.unit() * (1 - u);
      const Vec3 p = t[0] + (t[1] - t[0]) * u + (t[2] - t[0]) * v;
      const FaceSample q = sample_at(all.face(), project(p, all.face().axis()));
      if (all.face().over(q, t).turn == 0) continue;
      ASSERT_TRUE(seen.contains(view_of(all.face(), q, cutters)));
    }
    views += seen.size();
  }
  EXPECT_GT(views, 200u);
  EXPECT_GE(cells, views);
}

/// Steep triangles through the face: above on one side of their trace, below on the other.
TEST(FaceCells, TracesSeparateAboveFromBelow) {
  const std::uint64_t seed = new_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  std::size_t views = 0;
  for (int round = 0; round < 40; ++round) {
    Corners t;
    do
      for (Vec3& corner : t) corner = random.in_box({-1, -1, -1}, {1, 1, 1});
    while (dimension(t) < 2);
    FaceCells all(t);
    const Vec3 middle = centroid(t);
    std::vector<Corners> cutters;
    while (cutters.size() < 4) {  // those that the whole face is above or below of
      const Vec3 a = random.direction() * 1e3, b = random.direction() * 1e3;
      const Vec3 near = middle + random.in_box({-0.2, -0.2, -0.2}, {0.2, 0.2, 0.2});
      const Corners cutter{near + a, near + b, near - a - b};
      const auto covers = [&](const Vec3& p) {
        return all.face().over(sample_at(all.face(), project(p, all.face().axis())), cutter).turn != 0;
      };
      if (covers(t[0]) && covers(t[1]) && covers(t[2])) cutters.push_back(cutter);
    }
    for (const Corners& cutter : cutters) all.cut(cutter);
    std::set<View> seen;
    while (const auto q = all.next()) seen.insert(view_of(all.face(), *q, cutters));
    for (int i = 0; i < 300; ++i) {
      const double u = random.unit(), v = random.unit() * (1 - u);
      const Vec2 at = project(t[0] + (t[1] - t[0]) * u + (t[2] - t[0]) * v, all.face().axis());
      const FaceSample q = sample_at(all.face(), at);
      if (all.face().over(q, t).turn == 0) continue;
      ASSERT_TRUE(seen.contains(view_of(all.face(), q, cutters)));
    }
    views += seen.size();
  }
  EXPECT_GT(views, 80u);
}

/// So thin that no point with two doubles for coordinates is inside.
TEST(FaceCells, CellsThinnerThanRoundingHaveAPoint) {
  const double next = std::nextafter(1.0, 2.0);
  const Corners t{{{1, 0, 0}, {next, 0, 0}, {1, 1, 0}}};
  FaceCells cells(t);
  const auto q = cells.next();
  ASSERT_TRUE(q);
  EXPECT_GT(q->slack, 0);
  EXPECT_EQ(cells.face().over(*q, t).turn, cells.face().turn());
  EXPECT_EQ(cells.face().over(*q, {{{1, 0, -1}, {next, 0, 1}, {1, 1, 1}}}).turn, cells.face().turn());
  EXPECT_FALSE(cells.next());
}

}  // namespace
}  // namespace tumble
