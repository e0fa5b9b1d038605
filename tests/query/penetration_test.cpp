// SPDX-License-Identifier: Apache-2.0
// Penetration against depths known beforehand, and against sampling every triangle densely.
#include "geometry/distance.h"
#include "mesh/shapes.h"
#include "scenes/meshes.h"
#include "scenes/placings.h"
#include "scenes/random.h"
#include "scenes/shapes.h"
#include "scenes/spheres.h"

#include <tumble/error.h>
#include <tumble/query.h>
#include <tumble/solid.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>

namespace tumble {
namespace {

std::vector<TreeOptions> bounds() {
  std::vector<TreeOptions> all(2);
  all[1].bound = Bound::dop;
  all[1].k = 8;  // without the coordinate axes
  return all;
}

void expect_between(const Deepest& found, double depth, double tolerance) {
  EXPECT_LE(found.lower, depth);
  EXPECT_GE(found.upper, depth);
  EXPECT_LE(found.upper - found.lower, tolerance + 1e-9);
}

/// The witness is as deep as it says, on the surfaces it names.
void expect_witness(const Deepest& found, const Model& inner, const Pose& inner_pose, const Model& outer,
                    const Pose& outer_pose) {
  if (found.lower == 0) return;
  const auto corners = [](const Model& model, const Pose& pose, std::uint32_t triangle) {
    const Triangle& t = model.triangles()[triangle];
    return Corners{pose * model.vertices()[t[0]], pose * model.vertices()[t[1]], pose * model.vertices()[t[2]]};
  };
  EXPECT_NE(locate(outer, outer_pose, found.point), Side::outside);
  EXPECT_LT(distance_sq({found.point, found.point, found.point}, corners(inner, inner_pose, found.triangle)), 1e-24);
  EXPECT_LT(
      distance_sq({found.nearest, found.nearest, found.nearest}, corners(outer, outer_pose, found.other_triangle)),
      1e-24);
  const double depth = length(found.point - found.nearest);
  EXPECT_GE(depth, found.lower);
  EXPECT_LE(depth, found.upper);
}

struct Known {
  const char* name;
  Mesh a, b;
  double a_in_b, b_in_a;
};

std::vector<Known> known_depths() {
  const Mesh thin = test::box({-5, -0.5, -0.5}, {5, 0.5, 0.5}), thick = test::box({-1, -1, -5}, {1, 1, 5});
  const Mesh shifted = test::box({-5, -0.25, -0.5}, {5, 0.75, 0.5});
  return {
      {"crossing bars", thin, thick, 1, 0.5},  // no vertex of either is inside
      {"crossing bars off the middle", shifted, thick, 1, 0.5},
      {"a corner in a corner", test::box({0, 0, 0}, {2, 2, 2}), test::box({1.5, 1.25, 1.75}, {4, 4, 4}), 0.25, 0.25},
      {"a face in a face", test::box({0, 0, 0}, {4, 4, 4}), test::box({1, 1, 3}, {3, 3, 5}), 1, 1},
      {"one inside the other", test::box({0, 0, 0}, {8, 8, 8}), test::box({2, 3, 4}, {5, 5, 5}), 0, 4},
      {"face on face", test::box({0, 0, 0}, {1, 1, 1}), test::box({0.25, 0.25, 1}, {2, 2, 2}), 0, 0},
      {"corner on corner", test::box({0, 0, 0}, {1, 1, 1}), test::box({1, 1, 1}, {2, 2, 2}), 0, 0},
      {"the same", test::box({0, 0, 0}, {1, 1, 1}), test::box({0, 0, 0}, {1, 1, 1}), 0, 0},
  };
}

TEST(Penetration, KnownDepths) {
  for (const Known& known : known_depths())
    for (const TreeOptions& options : bounds())
      for (const double tolerance : {0.1, 0.01, 0.001}) {
        SCOPED_TRACE(std::string(known.name) + ", tolerance " + std::to_string(tolerance));
        const Model a(known.a, options), b(known.b, options);
        Pair pair(a, b);
        Query query = pair.start({}, {}, PenetrationRequest{.precision = tolerance});
        const Certainty certain = query.run();
        const Penetration found = query.penetration();
        EXPECT_TRUE(certain.finished);
        EXPECT_EQ(certain.verdict, Verdict::colliding);
        EXPECT_TRUE(found.in_contact);
        expect_between(found.a_in_b, known.a_in_b, tolerance);
        expect_between(found.b_in_a, known.b_in_a, tolerance);
        expect_witness(found.a_in_b, a, {}, b, {});
        expect_witness(found.b_in_a, b, {}, a, {});
        EXPECT_LT(certain.node_pairs, 100'000u);
        const Penetration swapped = penetration(b, {}, a, {}, {.precision = tolerance});
        EXPECT_EQ(swapped.a_in_b.lower, found.b_in_a.lower);
        EXPECT_EQ(swapped.a_in_b.upper, found.b_in_a.upper);
        EXPECT_EQ(swapped.b_in_a.lower, found.a_in_b.lower);
        EXPECT_EQ(swapped.b_in_a.point, found.a_in_b.point);
      }
}

/// The squares of such lengths are 0 or lose digits; the interval must hold the truth none the less.
TEST(Penetration, HoldsTheDepthOfTinyBodies) {
  for (const double size : {1e-150, 1e-155, 1e-160, 1e-165, 1e-200, 1e-305})
    for (const Known& known : known_depths())
      for (const TreeOptions& options : bounds()) {
        SCOPED_TRACE(std::string(known.name) + ", size " + std::to_string(std::log10(size)));
        const auto small = [&](Mesh mesh) {
          for (Vec3& v : mesh.vertices) v = v * size;
          return Model(mesh, options);
        };
        const Penetration found = penetration(small(known.a), {}, small(known.b), {});
        EXPECT_TRUE(found.in_contact);
        expect_between(found.a_in_b, known.a_in_b * size, 1);
        expect_between(found.b_in_a, known.b_in_a * size, 1);
      }
}

/// Scaled by powers of two bodies are the same to the last bit, and so is the search.
TEST(Penetration, TakesAsLongAtEverySize) {
  const Pose turned = Pose::from_quaternion(1, 0.1, 0.2, 0.3, {0.25, 0.125, 0.0625});
  std::uint64_t usual = 0;
  for (const int power : {0, -150, -190, -220, -255, -400, 100, 180, 300}) {
    SCOPED_TRACE(power);
    const double unit = std::ldexp(1.0, power);
    const Model a(scenes::box({unit, unit, unit})), b(scenes::box({unit, unit, unit / 2}));
    std::array<double, 12> rows = turned.rows();
    for (const std::size_t i : {3u, 7u, 11u}) rows[i] *= unit;
    Pair pair(a, b);
    Query query = pair.start({}, Pose::from_rows(rows), PenetrationRequest{.precision = unit * 1e-3});
    const Certainty certain = query.run({.node_pairs = 20'000});
    EXPECT_TRUE(certain.finished);
    if (power == 0) usual = certain.node_pairs;
    EXPECT_EQ(certain.node_pairs, usual);
  }
}

TEST(Penetration, OfATouchIsNone) {
  const Mesh low = test::box({0, 0, 0}, {1, 1, 1}), high = test::box({0, 0, 1}, {1, 1, 2});
  for (const TreeOptions& options : bounds())
    for (const Budget& step : {Budget{}, Budget{.node_pairs = 10}}) {
      const Model a(low, options), b(high, options);
      Pair pair(a, b);
      pair.count(true);
      Query query = pair.start({}, {}, PenetrationRequest{});
      while (!query.run(step).finished) {
      }
      const Penetration found = query.penetration();
      EXPECT_TRUE(found.in_contact);
      EXPECT_EQ(found.a_in_b.upper, 0);
      EXPECT_EQ(found.b_in_a.upper, 0);
      EXPECT_EQ(pair.stats().contacts, 0u);
    }
}

/// Sheets and needles have no volume, so that the solids do not overlap; but they are surface.
TEST(Penetration, WithoutVolumeIsDepth) {
  const auto two_sided = [](const Vec3& p, const Vec3& q, const Vec3& r) {
    return Mesh{{p, q, r}, {{0, 1, 2}, {0, 2, 1}}, {}};
  };
  const Mesh low = test::box({0, 0, 0}, {1, 1, 1}), high = test::box({0, 0, 1}, {1, 1, 2});
  const Model b(low);
  for (const Mesh& extra :
       {two_sided({0.25, 0.5, 1.5}, {0.75, 0.5, 1.5}, {0.5, 0.5, 0.98}),        // a sheet
        two_sided({0.5, 0.5, 1.5}, {0.5, 0.5, 1.25}, {0.5, 0.5, 0.98}),         // a needle
        two_sided({-0.5, 0.5, 0.98}, {-0.25, 0.5, 0.98}, {1.5, 0.5, 0.98}),     // one right through
        two_sided({0.25, 0.5, 0.98}, {0.5, 0.5, 0.98}, {0.75, 0.5, 0.98}),      // one all inside
        two_sided({0.25, 0.5, 0.98}, {0.75, 0.5, 0.98}, {0.5, 0.25, 0.98})}) {  // a sheet all inside
    const Model a(test::together({high, extra}));
    ASSERT_FALSE(collide(a, {}, b, {}, {.ignore_touch = true, .solid = true}));
    for (const double precision : {0.1, 0.001}) {
      const Penetration found = penetration(a, {}, b, {}, {.precision = precision});
      EXPECT_TRUE(found.in_contact);
      EXPECT_LE(found.a_in_b.lower, 0.02 + 1e-12);
      EXPECT_GE(found.a_in_b.upper, 0.02 - 1e-12);
      EXPECT_EQ(found.b_in_a.upper, 0) << "nothing of b is without volume";
      EXPECT_EQ(overlap_depth(a, {}, b, {}, {.precision = precision}).upper, 0);
    }
  }
}

TEST(Penetration, KeepsToBudgetsWhereSolidsTouch) {
  const scenes::Placing flush = scenes::mated_faces(0.3, 6);
  const Model a(flush.env), b(flush.object);
  constexpr std::uint64_t budget = 200, least_progress = 64;
  const auto check = [&](const Request& request) {
    Pair pair(a, b);
    Query query = pair.start({}, flush.pose, request);
    std::uint64_t spent = 0;
    for (bool finished = false; !finished;) {
      const Certainty now = query.run({.node_pairs = budget});
      EXPECT_GE(now.node_pairs, spent);
      EXPECT_LE(now.node_pairs, spent + budget + least_progress);
      spent = now.node_pairs;
      finished = now.finished;
    }
    EXPECT_GT(spent, 2 * budget);
    return spent;
  };
  EXPECT_GT(check(PenetrationRequest{.precision = 0.01}), check(PenetrationRequest{.precision = 0.1}));
  check(OverlapDepthRequest{.precision = 0.1});
}

TEST(Penetration, OfBodiesApartIsNone) {
  const Model cube(test::cube()), hollow(test::together({test::box({-4, -4, -4}, {4, 4, 4}), [] {
                                                           Mesh cavity = test::box({-3, -3, -3}, {3, 3, 3});
                                                           for (Triangle& t : cavity.triangles) std::swap(t[1], t[2]);
                                                           return cavity;
                                                         }()}));
  for (const Penetration& found : {penetration(cube, {}, cube, Pose::from_translation({1.5, 0, 0})),
                                   penetration(cube, {}, hollow, {}), penetration(hollow, {}, cube, {})}) {
    EXPECT_FALSE(found.in_contact);
    EXPECT_EQ(found.a_in_b.upper, 0);
    EXPECT_EQ(found.b_in_a.upper, 0);
  }
}

TEST(Penetration, Refuses) {
  const Model cube(test::cube());
  Mesh open = test::cube();
  open.triangles.pop_back();
  EXPECT_THROW(penetration(cube, {}, Model(open), {}), Error);
  for (const double bad : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(penetration(cube, {}, cube, {}, {.precision = bad}), Error);
}

TEST(Penetration, BudgetsNarrowTheIntervalToTheExactAnswer) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  const Model a(scenes::wrinkled_torus(800)), b(scenes::wrinkled_torus(800));
  Pair pair(a, b);
  std::size_t unfinished = 0;
  for (int round = 0; round < 60; ++round) {
    const Vec3 t = random.in_box({-1.5, -1.5, -0.5}, {1.5, 1.5, 0.5});
    const Pose pose = Pose::from_quaternion(1, random.between(-0.3, 0.3), random.between(-0.3, 0.3), 0.1, t);
    const PenetrationRequest request{.precision = 0.01};
    const Penetration best = penetration(a, {}, b, pose, request);
    const auto any_budget = [&]() -> Budget {
      if (random.between(0, 1) < 0.2)
        return {.time = std::chrono::nanoseconds(static_cast<std::int64_t>(random.between(0, 1e6)))};
      return {.node_pairs = static_cast<std::uint64_t>(std::exp(random.between(0, 9)))};
    };
    Penetration last, now;
    last.a_in_b.upper = last.b_in_a.upper = std::numeric_limits<double>::infinity();
    Query query = pair.start({}, pose, request);
    for (;;) {
      const Certainty c = query.run(any_budget());
      now = query.penetration();
      if (c.verdict != Verdict::unknown) {
        EXPECT_EQ(c.verdict == Verdict::colliding, best.in_contact);
        EXPECT_EQ(now.in_contact, best.in_contact);
      }
      for (const auto depth : {&Penetration::a_in_b, &Penetration::b_in_a}) {
        EXPECT_LE((now.*depth).lower, (best.*depth).upper);
        EXPECT_GE((now.*depth).upper, (best.*depth).lower);
        EXPECT_LE((now.*depth).upper, (last.*depth).upper);
        EXPECT_GE((now.*depth).lower, (last.*depth).lower);
      }
      last = now;
      if (c.finished) break;
      ++unfinished;
    }
    EXPECT_EQ(now.a_in_b.lower, best.a_in_b.lower);
    EXPECT_EQ(now.a_in_b.upper, best.a_in_b.upper);
    EXPECT_EQ(now.b_in_a.lower, best.b_in_a.lower);
    EXPECT_EQ(now.b_in_a.upper, best.b_in_a.upper);
    if (HasFailure()) return;
  }
  EXPECT_GT(unfinished, 50u);
}

/// Every piece of either surface is about as deep as the deepest.
TEST(Penetration, SurfacesThatNearlyCoincideConverge) {
  const Mesh sphere = scenes::uv_sphere(40, 20);
  const Model a(sphere), b(sphere);
  Pair pair(a, b);
  const Pose pose = Pose::from_quaternion(1, 0.2, 0.1, 0.15, {0.001, 0.002, 0});
  for (const double tolerance : {1e-2, 1e-3, 1e-4}) {
    Query query = pair.start({}, pose, PenetrationRequest{.precision = tolerance});
    const Certainty c = query.run();
    const Penetration found = query.penetration();
    EXPECT_TRUE(c.finished) << tolerance;
    EXPECT_LT(c.node_pairs, 80'000u) << tolerance;  // halving edges takes 110,000 to 340,000
    expect_witness(found.a_in_b, a, {}, b, pose);
    expect_witness(found.b_in_a, b, pose, a, {});
  }
}

/// Coordinates an eighth apart: no piece can be as small as the tolerance.
TEST(Penetration, EndsFarAwayWherePiecesCannotBeDivided) {
  const Model sphere(scenes::uv_sphere(8, 4));
  const Pose a = Pose::from_translation({1e15, 0, 0}), b = Pose::from_translation({1e15 + 1.1, 0.25, 0});
  for (const double tolerance : {0.0, 1e-30}) {
    const Penetration depth = penetration(sphere, a, sphere, b, {.precision = tolerance});
    EXPECT_TRUE(depth.in_contact);
    EXPECT_GE(depth.a_in_b.upper, depth.a_in_b.lower);
    EXPECT_LT(depth.a_in_b.upper, 1e3);
  }
  const Model cube(test::cube());
  const Penetration fine = penetration(cube, {}, cube, Pose::from_translation({0.3, 0.1, 0.05}), {.precision = 1e-300});
  EXPECT_LT(fine.a_in_b.upper - fine.a_in_b.lower, 1e-9);
}

TEST(Penetration, AQueryHasDepthsAndNoLists) {
  const Model cube(test::cube());
  Pair pair(cube, cube);
  const Pose pose = Pose::from_translation({0.3, 0.1, 0.05});
  Query query = pair.start({}, pose, PenetrationRequest{});
  EXPECT_GE(query.penetration().a_in_b.upper, 0.5);  // before anything was done
  EXPECT_FALSE(query.run({.node_pairs = 0}).finished);
  EXPECT_GE(query.penetration().a_in_b.upper, 0.5);
  EXPECT_THROW(query.contacts(), Error);
  EXPECT_THROW(query.pairs(), Error);
  EXPECT_TRUE(query.run().finished);
  pair.collide({}, pose);
  EXPECT_THROW(query.run(), Error);
  EXPECT_THROW(query.penetration(), Error);
}

/// The deepest of many points of every triangle of `inner`, each compared with every triangle of `outer`; the true
/// depth is at most `spacing` more.
double sampled_depth(const Mesh& inner, const Pose& inner_pose, const Mesh& outer, const Pose& outer_pose,
                     const Model& outer_model, double spacing) {
  const auto corners = [](const Mesh& mesh, const Pose& pose, const Triangle& t) {
    return Corners{pose * mesh.vertices[t[0]], pose * mesh.vertices[t[1]], pose * mesh.vertices[t[2]]};
  };
  std::vector<Corners> surface;
  for (const Triangle& t : outer.triangles) surface.push_back(corners(outer, outer_pose, t));
  double deepest = 0;
  for (const Triangle& t : inner.triangles) {
    const Corners c = corners(inner, inner_pose, t);
    const double longest = std::max({length(c[1] - c[0]), length(c[2] - c[1]), length(c[0] - c[2])});
    const int n = std::max(1, static_cast<int>(std::ceil(longest / spacing)));
    for (int i = 0; i <= n; ++i)
      for (int j = 0; i + j <= n; ++j) {
        const double u = double(i) / n, v = double(j) / n;
        const Vec3 p = c[0] * (1 - u - v) + c[1] * u + c[2] * v;
        if (locate(outer_model, outer_pose, p) != Side::inside) continue;
        double nearest = std::numeric_limits<double>::infinity();
        for (const Corners& s : surface) nearest = std::min(nearest, point_distance(p, s).distance_sq);
        deepest = std::max(deepest, std::sqrt(nearest));
      }
  }
  return deepest;
}

TEST(Penetration, AgreesWithDenseSampling) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  const std::vector<TreeOptions> options = bounds();
  const Mesh torus = scenes::wrinkled_torus(240), box = scenes::rounded_box({0.5, 0.3, 0.4}, 0.1, 8, 6);
  const Mesh bar = test::box({-2, -0.11, -0.12}, {2, 0.13, 0.14});
  const Mesh axes = scenes::axis_object();  // overlapping shells
  const std::array pairs{std::pair(&torus, &box), std::pair(&bar, &torus), std::pair(&torus, &torus),
                         std::pair(&bar, &axes), std::pair(&box, &axes)};
  std::size_t deep = 0;
  for (std::size_t round = 0; round < 20; ++round) {
    const auto [mesh_a, mesh_b] = pairs[round % pairs.size()];
    const Vec3 t = random.in_box({-0.7, -0.7, -0.3}, {0.7, 0.7, 0.3});
    const double w = random.between(-1, 1), x = random.between(-1, 1), y = random.between(-1, 1);
    const Pose pose_a = Pose::from_quaternion(w, x, y, random.between(0.1, 1), t), pose_b;
    const Model a(*mesh_a, options[round % 2]), b(*mesh_b, options[round / 2 % 2]);
    constexpr double tolerance = 0.002, spacing = 0.03;
    const Penetration found = penetration(a, pose_a, b, pose_b, {.precision = tolerance});
    const double a_in_b = sampled_depth(*mesh_a, pose_a, *mesh_b, pose_b, b, spacing);
    const double b_in_a = sampled_depth(*mesh_b, pose_b, *mesh_a, pose_a, a, spacing);
    for (const auto& [sampled, bounds] : {std::pair(a_in_b, found.a_in_b), std::pair(b_in_a, found.b_in_a)}) {
      EXPECT_LE(sampled, bounds.upper + 1e-12);
      EXPECT_LE(bounds.lower, sampled + spacing);
      EXPECT_LE(bounds.upper - bounds.lower, tolerance + 1e-9);
      deep += sampled > 0.05;
    }
    expect_witness(found.a_in_b, a, pose_a, b, pose_b);
    expect_witness(found.b_in_a, b, pose_b, a, pose_a);
  }
  EXPECT_GT(deep, 5u);
}

/// Flush faces are divided for as long as memory lasts; the search ends before, and its interval holds.
TEST(Penetration, EndsWhereRoundingsAreLargerThanThePrecision) {
  const Model cube(test::box({0, 0, 0}, {1, 1, 1}));
  const Penetration flush = penetration(cube, {}, cube, Pose::from_translation({1, 0, 0}), {.precision = 1e-30});
  EXPECT_TRUE(flush.in_contact);
  for (const Deepest& depth : {flush.a_in_b, flush.b_in_a}) {
    EXPECT_EQ(depth.lower, 0);
    EXPECT_LT(depth.upper, 0.01);
  }
}

}  // namespace
}  // namespace tumble
