// SPDX-License-Identifier: Apache-2.0
// Translations that separate closed meshes of any shape: known ones, and random ones against a sweep of directions.
#include "scenes/random.h"
#include "scenes/shapes.h"
#include "scenes/spheres.h"
#include "slice.h"

#include <tumble/convex.h>
#include <tumble/error.h>
#include <tumble/query.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace tumble {
namespace {

Pose at(double x, double y = 0, double z = 0) { return Pose::from_translation({x, y, z}); }

Mesh turned_over(Mesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}
/// Several shells in one mesh.
Mesh together(const std::vector<Mesh>& shells) {
  Mesh all;
  for (const Mesh& shell : shells) {
    const auto first = static_cast<std::uint32_t>(all.vertices.size());
    all.vertices.insert(all.vertices.end(), shell.vertices.begin(), shell.vertices.end());
    for (const auto& [i, j, k] : shell.triangles) all.triangles.push_back({first + i, first + j, first + k});
  }
  return all;
}
Mesh box_at(Vec3 half, Vec3 middle) {
  Mesh mesh = scenes::box(half);
  for (Vec3& v : mesh.vertices) v += middle;
  return mesh;
}

/// An L of thickness 1 from (0, 0) to (2, 2), 2 high; the notch is beyond (1, 1).
Mesh ell() {
  Mesh mesh;
  const std::array<Vec3, 6> outline{
      {{0, 0, -1}, {2, 0, -1}, {2, 1, -1}, {1, 1, -1}, {1, 2, -1}, {0, 2, -1}}};  // (1, 1) sees all others
  for (const double z : {-1.0, 1.0})
    for (const Vec3& p : outline) mesh.vertices.push_back({p.x, p.y, z});
  for (std::uint32_t i = 4; i < 8; ++i) {
    const std::uint32_t u = i % 6, v = (i + 1) % 6;
    mesh.triangles.push_back({3, v, u});
    mesh.triangles.push_back({9, 6 + u, 6 + v});
  }
  for (std::uint32_t i = 0; i < 6; ++i) {
    const std::uint32_t next = (i + 1) % 6;
    mesh.triangles.push_back({i, next, 6 + next});
    mesh.triangles.push_back({i, 6 + next, 6 + i});
  }
  return mesh;
}
/// Four bars around a square hole of half-width 0.7. Their shells overlap at the corners.
Mesh ring() {
  return together({box_at({1, 0.15, 0.2}, {0, 0.85, 0}), box_at({1, 0.15, 0.2}, {0, -0.85, 0}),
                   box_at({0.15, 1, 0.2}, {0.85, 0, 0}), box_at({0.15, 1, 0.2}, {-0.85, 0, 0})});
}
/// A box with a hollow of half-width 1.
Mesh hollow() { return together({scenes::box({2, 2, 2}), turned_over(scenes::box({1, 1, 1}))}); }

SeparatingTranslation checked(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                              const SeparatingTranslationRequest& request = {}) {
  const SeparatingTranslation s = separating_translation(a, pose_a, b, pose_b, request);
  EXPECT_EQ(s.in_contact, collide(a, pose_a, b, pose_b, {.solid = true}));
  EXPECT_FALSE(
      collide(a, pose_a, b, Pose::from_translation(s.translation) * pose_b, {.ignore_touch = true, .solid = true}));
  EXPECT_LE(0, s.lower);
  EXPECT_LE(s.lower, s.upper);
  EXPECT_LE(length(s.translation), s.upper);
  EXPECT_GE(length(s.translation), s.upper * (1 - 1e-14));
  return s;
}
void expect_least(const SeparatingTranslation& s, double least, double excess, const char* what) {
  EXPECT_TRUE(s.in_contact) << what;
  EXPECT_LE(s.lower, least * (1 + 1e-12)) << what;
  EXPECT_GE(s.upper, least * (1 - 1e-12)) << what;
  EXPECT_LE(s.upper, least + excess) << what;
}

TEST(SeparatingTranslation, OfConvexMeshesIsTheLeast) {
  const Model cube(scenes::box({1, 1, 1})), plate(scenes::box({3, 3, 0.1}));
  for (const Vec3 by : {Vec3{1.5, 0.2, 0.1}, Vec3{0, 0, 0}, Vec3{0.1, -1.9, 1.7}}) {
    const SeparatingTranslation s = checked(cube, {}, cube, Pose::from_translation(by));
    const double least = 2 - std::max({std::abs(by.x), std::abs(by.y), std::abs(by.z)});
    expect_least(s, least, 2e-9, "cubes");
    EXPECT_GE(s.lower, least - 1e-9);
  }
  expect_least(checked(cube, {}, plate, at(0, 0, 0.5)), 0.6, 2e-9, "a plate in a cube");
}

TEST(SeparatingTranslation, OfOtherMeshesIsShort) {
  const Model corner(ell()), block(scenes::box({0.3, 0.3, 0.3})), peg(scenes::box({0.6, 0.6, 3})), around(ring()),
      shell(hollow()), ball(scenes::scaled(scenes::sphere(400), 0.5));
  const SeparatingTranslationRequest fine{.precision = 1e-6};
  SeparatingTranslation s = checked(corner, {}, block, at(1.2, 1.7), fine);
  expect_least(s, 0.1, 1e-6, "a block in the notch of an L");
  EXPECT_GT(s.lower, 0.0999) << "a ball of this diameter is inside both";
  EXPECT_GT(s.translation.x, 0.0999);
  s = checked(corner, {}, corner, at(1.2, 1.3), fine);
  EXPECT_FALSE(s.in_contact) << "two of them fit together";
  s = checked(corner, {}, corner, Pose::from_quaternion(0, 0, 0, 1, {2.9, 2.9, 0}), fine);
  expect_least(s, 0.1, 1e-6, "two of them, the one turned over, almost fit");

  expect_least(checked(around, {}, peg, at(0.15, 0.02), fine), 0.05, 1e-6, "a ring on a peg");
  expect_least(checked(peg, {}, around, at(0.15, 0.02), fine), 0.05, 1e-6, "the same, swapped");
  expect_least(checked(shell, {}, block, at(0.8, 0.1), fine), 0.1, 1e-6, "back into the hollow");
  s = checked(shell, {}, ball, at(0.1, 0.6), fine);
  EXPECT_GT(s.lower, 0.09);
  EXPECT_LT(s.upper, 0.102);
  // Deep in the wall of a thicker shell the shorter way is out.
  expect_least(checked(shell, {}, block, at(1.8, 0), fine), 0.5, 1e-6, "out of the wall");
}

TEST(SeparatingTranslation, IsTheSameAtEverySize) {
  for (const double unit : {1e-60, 1e-25, 1e25, 1e90}) {
    const Model corner(scenes::scaled(ell(), unit)), block(scenes::scaled(scenes::box({0.3, 0.3, 0.3}), unit));
    const SeparatingTranslation s = checked(corner, {}, block, at(1.2 * unit, 1.7 * unit));
    expect_least(s, 0.1 * unit, 1e-3 * unit, "a block in the notch of an L");
    EXPECT_GT(s.lower, 0.098 * unit);
  }
}

/// Below 1e-81 the squares of areas are 0, below 1e-108 volumes: an L must not pass for a convex mesh.
TEST(ConvexModel, IsCheckedAtEverySize) {
  for (const double unit : {1e-300, 1e-200, 1e-120, 1e-90, 1e-60, 1.0, 1e90}) {
    SCOPED_TRACE(unit);
    const Mesh cube = scenes::scaled(scenes::box({1, 1, 1}), unit);
    EXPECT_THROW(ConvexModel(scenes::scaled(ell(), unit)), Error);
    EXPECT_NO_THROW(ConvexModel{cube});
    EXPECT_NO_THROW(ConvexModel{turned_over(cube)});
  }
}

/// The squares of such lengths are 0 or lose digits: the interval is wide, and holds the least none the less.
TEST(SeparatingTranslation, OfTinyBodiesIsCertain) {
  const auto expect_certain = [](const Mesh& a, const Mesh& b, Vec3 by, double least, double unit) {
    SCOPED_TRACE(unit);
    const Model one(scenes::scaled(a, unit)), other(scenes::scaled(b, unit));
    const Pose place = Pose::from_translation(by * unit);
    const SeparatingTranslation s = separating_translation(one, {}, other, place);
    EXPECT_TRUE(s.in_contact);
    EXPECT_LE(s.lower, least * unit * (1 + 1e-12));
    EXPECT_GE(s.upper, least * unit * (1 - 1e-12));
    EXPECT_LE(s.upper, std::max(2.5 * unit, 4e-150));
    EXPECT_LE(std::hypot(s.translation.x, s.translation.y, s.translation.z), s.upper);
    const Pose moved = Pose::from_translation(s.translation) * place;
    EXPECT_FALSE(collide(one, {}, other, moved, {.ignore_touch = true, .solid = true}));
  };
  for (const double unit : {1e-148, 1e-151, 1e-155, 1e-160, 1e-165, 1e-200, 1e-300}) {
    expect_certain(ell(), scenes::box({0.3, 0.3, 0.3}), {1.2, 1.7, 0}, 0.1, unit);
    expect_certain(scenes::box({1, 1, 1}), scenes::box({1, 1, 1}), {1.5, 0.2, 0.1}, 0.5, unit);
  }
}

TEST(SeparatingTranslation, NothingToSeparateIsZero) {
  const Model corner(ell()), cube(scenes::box({1, 1, 1}));
  EXPECT_FALSE(checked(corner, {}, cube, at(9)).in_contact);
  const SeparatingTranslation touching = checked(corner, {}, cube, at(3, 0));
  EXPECT_TRUE(touching.in_contact);
  EXPECT_EQ(touching.upper, 0);
  EXPECT_EQ(touching.lower, 0);
}

TEST(SeparatingTranslation, RefusesWhatHasNoInside) {
  Mesh open = ell();
  open.triangles.pop_back();
  const Model cube(scenes::box({1, 1, 1})), opened(open);
  const auto code_of = [](const auto& ask) {
    try {
      ask();
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::unsupported;
  };
  EXPECT_EQ(code_of([&] { separating_translation(cube, {}, opened, {}); }), ErrorCode::not_closed);
  EXPECT_EQ(code_of([&] { separating_translation(opened, {}, cube, at(9)); }), ErrorCode::not_closed);
  for (const double wrong : {-1.0, std::nan(""), HUGE_VAL})
    EXPECT_EQ(code_of([&] { separating_translation(cube, {}, cube, {}, {.precision = wrong}); }),
              ErrorCode::invalid_argument);
}

TEST(SeparatingTranslation, WithFewQuestionsIsStillOne) {
  const Model corner(ell()), around(ring());
  const Pose pose = Pose::from_quaternion(3, 1, 2, 1, {0.7, 0.9, 0.1});
  double last = HUGE_VAL;
  for (const std::size_t few : {0u, 1u, 10u, 100u, 1000u}) {
    const SeparatingTranslation s = checked(corner, {}, around, pose, {.at_most = few});
    EXPECT_LE(s.upper, last);
    last = s.upper;
  }
}

// No translation shorter than `lower` separates, whatever its direction, and none that a dense sweep of directions
// finds is much shorter than `upper`. Swapped bodies have an interval that holds the same least.
TEST(SeparatingTranslation, OfRandomBodiesHoldsTheLeast) {
  constexpr std::uint64_t seed = 7;
  scenes::Random random(seed);
  const std::vector<Model> models{Model(ell()), Model(ring()), Model(hollow()), Model(scenes::torus(1, 0.35, 14, 9)),
                                  Model(scenes::sphere(60))};
  const int rounds = static_cast<int>(testing::slice(24));
  int overlapping = 0;
  double longer = 0, wider = 0;
  for (int i = 0; i < rounds; ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", round " + std::to_string(i));
    const Model &a = models[random.index(models.size())], &b = models[random.index(models.size())];
    const double scale = random.index(4) == 0 ? 100 : 0;
    const auto any = [&] {
      const Vec3 axis = random.direction();
      return Pose::from_quaternion(random.between(-1, 1), axis.x, axis.y, axis.z,
                                   Vec3{scale, 0, -scale} + random.in_box({-1, -1, -1}, {1, 1, 1}));
    };
    const Pose pose_a = any(), pose_b = any();
    const SeparatingTranslation s = checked(a, pose_a, b, pose_b), swapped = checked(b, pose_b, a, pose_a);
    if (s.upper == 0) continue;
    ++overlapping;
    EXPECT_LE(s.lower, swapped.upper * (1 + 1e-12));
    EXPECT_LE(swapped.lower, s.upper * (1 + 1e-12));
    Pair pair(a, b);
    double shortest = s.upper;
    for (int k = 0; k < 150; ++k) {
      const Vec3 n = random.direction();
      for (const double part : {0.3, 0.6, 0.8, 0.9, 0.97}) {
        const double far = part * s.upper;
        if (far >= shortest) break;
        const bool is_free =
            !pair.collide(pose_a, Pose::from_translation(n * far) * pose_b, {.ignore_touch = true, .solid = true});
        if (!is_free) continue;
        EXPECT_LE(s.lower, far);
        shortest = far;
      }
    }
    longer = std::max(longer, s.upper / shortest);
    wider = std::max(wider, s.upper / std::max(s.lower, 1e-300));
  }
  EXPECT_GT(overlapping, rounds / 3);
  EXPECT_LE(longer, 1.3) << "far longer than one found by chance";
  std::printf("upper at most %.3f times what was found by chance, at most %.2f times lower\n", longer, wider);
}

}  // namespace
}  // namespace tumble
