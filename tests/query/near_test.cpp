// SPDX-License-Identifier: Apache-2.0
#include "query/near_scenes.h"

#include "pairwise.h"
#include "query/pair_choices.h"
#include "real_meshes.h"
#include "scenes/placings.h"
#include "scenes/shapes.h"
#include "scenes/situation.h"
#include "simd/dispatch.h"

#include <tumble/error.h>
#include <tumble/io.h>
#include <tumble/query.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <optional>

namespace tumble {
namespace {

using testing::AllDistances;
using testing::corners_of;
using testing::NearScene;

std::vector<std::size_t> numbers(const AllDistances& of, const NearPairs& pairs) {
  std::vector<std::size_t> found;
  for (const NearPair& p : pairs) found.push_back(of.number(p));
  return found;
}

/// Witnesses lie on the triangles they name, as far apart as is said.
void expect_witnesses(const NearScene& scene, const Pose& pose, std::uint32_t a, std::uint32_t b, double d,
                      const Vec3& on_a, const Vec3& on_b) {
  const Corners ta = corners_of(scene.environment, scene.environment_pose, a), tb = corners_of(scene.object, pose, b);
  double size = 0;
  for (const Corners* t : {&ta, &tb})
    for (const Vec3& p : *t) size = std::max({size, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  const double tolerance = 1e-12 * d + 4e-15 * size;
  EXPECT_LE(std::sqrt(distance(on_a, ta).distance_sq), tolerance);
  EXPECT_LE(std::sqrt(distance(on_b, tb).distance_sq), tolerance);
  EXPECT_NEAR(length(on_a - on_b), d, tolerance);
  if (d == 0) {
    EXPECT_EQ(on_a, on_b);
  }
}

void expect_distance(const NearScene& scene, std::size_t i, const Distance& found) {
  const AllDistances& expected = scene.expected[i];
  EXPECT_EQ(found.distance, expected.least);
  EXPECT_EQ(found.lower, expected.least);
  EXPECT_FALSE(found.farther);
  EXPECT_EQ(std::sqrt(expected.squares[found.triangle_a * expected.columns + found.triangle_b]), expected.least);
  expect_witnesses(scene, scene.poses[i], found.triangle_a, found.triangle_b, found.distance, found.point_a,
                   found.point_b);
}

/// It may be above the least by as little as roundings.
void expect_plain_distance(const NearScene& scene, std::size_t i, const Distance& found) {
  const AllDistances& expected = scene.expected[i];
  EXPECT_GE(found.distance, expected.least);
  EXPECT_LE(found.distance, expected.least + scene.tie(i));
  EXPECT_EQ(found.distance == 0, expected.least == 0);
  EXPECT_LE(found.lower, expected.least);
  EXPECT_GE(found.lower, found.distance - scene.tie(i));
  EXPECT_EQ(std::sqrt(expected.squares[found.triangle_a * expected.columns + found.triangle_b]), found.distance);
}

void expect_brute_force(const NearScene& scene, Pair& pair) {
  for (std::size_t i = 0; i < scene.poses.size(); ++i) {
    SCOPED_TRACE("pose " + std::to_string(i));
    const AllDistances& expected = scene.expected[i];
    const Pose &env = scene.environment_pose, &pose = scene.poses[i];
    expect_distance(scene, i, pair.distance(env, pose, {.last_bit = true}));
    expect_plain_distance(scene, i, pair.distance(env, pose));
    EXPECT_EQ(pair.collide(env, pose), expected.least == 0);
    for (const double d : {expected.least, expected.least * 1.02 + 0.004}) {
      const NearPairs near = pair.within(env, pose, {.distance = d});
      EXPECT_EQ(numbers(expected, near), expected.where([&](double sq) { return sq <= d * d; }));
      EXPECT_EQ(pair.is_within(env, pose, {.distance = d}), expected.least_sq <= d * d);
      if (!near.empty()) {
        const NearPair& p = near[near.size() / 2];
        EXPECT_EQ(p.distance, std::sqrt(expected.squares[expected.number(p)]));
        expect_witnesses(scene, pose, p.triangle_a, p.triangle_b, p.distance, p.point_a, p.point_b);
      }
    }
    const ClosestPairsRequest band{.rel_error = 0.01, .abs_error = 0.002};
    const double widest = expected.least * (1 + band.rel_error) + band.abs_error;
    EXPECT_EQ(numbers(expected, pair.closest_pairs(env, pose, band)),
              expected.where([&](double sq) { return std::sqrt(sq) <= widest; }));
  }
}

/// The scene is one more choice: every option meets every scene, and every pair of options occurs with one.
TEST(Near, EveryPairOfOptionsAgreesWithBruteForce) {
  const std::vector<NearScene>& scenes = testing::near_scenes();
  std::vector<std::size_t> sizes = testing::pair_choice_sizes();
  sizes.push_back(scenes.size());
  for (const auto& row : testing::pairwise(sizes)) {
    const testing::PairChoice choice = testing::pair_choice(row);
    const NearScene& scene = scenes[row.back()];
    SCOPED_TRACE(scene.name + ": " + testing::describe(choice));
    Pair pair(Model(scene.environment, choice.environment), Model(scene.object, choice.object), choice.pair);
    expect_brute_force(scene, pair);
    if (HasFailure()) break;
  }
}

TEST(Near, InstructionSetsAgree) {
  for (const InstructionSet set : available()) {
    limit_to(set);
    for (const Bound bound : {Bound::dop, Bound::obb})
      for (const NearScene& scene : testing::near_scenes()) {
        SCOPED_TRACE(scene.name + " " + name(bound) + " " + name(set));
        TreeOptions options;
        options.bound = bound;
        Pair pair(Model(scene.environment, options), Model(scene.object, options));
        expect_brute_force(scene, pair);
      }
  }
  unlimit();
}

/// All pairs of two parallel faces tie, and so do the facets of a shaft in its bore. Which of them are measured depends
/// on the last bits of gaps.
TEST(Near, TiesAreTheSameOnEveryInstructionSet) {
  scenes::Random random(7);
  for (const scenes::Placing& scene : {scenes::facing_plates(0.1, 20), scenes::shaft_in_bore(1e-4, 16)})
    for (const Bound bound : {Bound::obb, Bound::dop}) {
      const Model a(scene.env, {.bound = bound}), b(scene.object, {.bound = bound});
      for (int round = 0; round < 10; ++round) {
        const Pose pose = round == 0 ? Pose{} : testing::random_pose(random, {0, 0, 0}, 1);
        unlimit();
        const Distance plain = distance(a, pose, b, pose * scene.pose);
        const double least = distance(a, pose, b, pose * scene.pose, {.last_bit = true}).distance;
        EXPECT_GE(plain.distance, least);
        EXPECT_LE(plain.distance, least + 1e-13);
        for (const InstructionSet set : available()) {
          SCOPED_TRACE(name(set));
          limit_to(set);
          EXPECT_EQ(distance(a, pose, b, pose * scene.pose, {.last_bit = true}).distance, least);
          const Distance here = distance(a, pose, b, pose * scene.pose);
          EXPECT_EQ(here.distance, plain.distance);
          EXPECT_EQ(here.triangle_a, plain.triangle_a);
          EXPECT_EQ(here.triangle_b, plain.triangle_b);
          EXPECT_EQ(here.lower, plain.lower);
        }
      }
    }
  unlimit();
}

/// A shaft in its bore: every edge of the one is as near to a facet of the other.
TEST(Near, TiesOfAFitAreLeftOutWithinTheTolerance) {
  for (const double clearance : {1e-2, 1e-4, 1e-7}) {
    const scenes::Placing shaft = scenes::shaft_in_bore(clearance, 24);
    const Model a(shaft.env), b(shaft.object);
    const double least = distance(a, {}, b, shaft.pose, {.last_bit = true}).distance;
    const Distance d = distance(a, {}, b, shaft.pose);
    EXPECT_NEAR(least, clearance, 1e-12);
    EXPECT_GE(d.distance, least);
    EXPECT_LE(d.distance, least * (1 + 1e-12) + 1e-13);
    EXPECT_LE(d.lower, least);
    EXPECT_GE(d.lower, d.distance * (1 - 1e-12) - 1e-13);
    EXPECT_FALSE(collide(a, {}, b, shaft.pose));
    const Pose aside = shaft.pose * Pose::from_translation({3 * clearance, 0, 0});
    EXPECT_TRUE(collide(a, {}, b, aside));
    EXPECT_EQ(distance(a, {}, b, aside).distance, 0);
  }
}

/// Far from the origin, roundings are more than the clearance: only a contact is nearer than what ties.
TEST(Near, WhereOnlyContactsMatterTheyAreFoundAsByCollide) {
  const Pose away = Pose::from_translation({6e5, 7e5, 4e5});
  const struct {
    Pose env;
    scenes::Placing placing;
  } cases[] = {{away, scenes::lid_in_groove(2e-8, 32)},
               {away, scenes::shaft_in_bore(1e-8, 24)},
               {away, scenes::facing_plates(1e-9, 20)},
               {away, scenes::coincident(2000)},
               {{}, scenes::place(scenes::situation_from("coincident-6-81-572-0-m6-3"))},
               {{}, scenes::place(scenes::situation_from("mated-8-60-274-10-7-4"))}};
  for (const auto& [env, placing] : cases) {
    const Model a(placing.env), b(placing.object);
    Pair pair(a, b, {.coherent = Coherent::off});
    pair.count(true);
    const Pose pose = env * placing.pose;
    const bool hit = pair.collide(env, pose);
    const std::uint64_t to_collide = pair.stats().nv + pair.stats().np;
    pair.reset_stats();
    const Distance d = pair.distance(env, pose);
    EXPECT_LE(pair.stats().nv + pair.stats().np, 2 * to_collide + 1000);

    EXPECT_EQ(d.distance == 0, hit);
    const Corners near_a = corners_of(placing.env, env, d.triangle_a),
                  near_b = corners_of(placing.object, pose, d.triangle_b);
    EXPECT_EQ(std::sqrt(distance(near_a, near_b).distance_sq), d.distance);
    const double least = pair.distance(env, pose, {.last_bit = true}).distance;
    EXPECT_GE(d.distance, least);
    EXPECT_LE(d.distance, least + 1e-13 * (std::abs(near_a[0].x) + std::abs(near_a[0].y) + std::abs(near_a[0].z)));
    EXPECT_GE(d.lower, 0);
    EXPECT_LE(d.lower, least);

    const Certainty certain = pair.start(env, pose, DistanceRequest{}).run({});
    EXPECT_TRUE(certain.finished);
    EXPECT_EQ(certain.verdict, hit ? Verdict::colliding : Verdict::free);
    EXPECT_EQ(certain.closest.distance, d.distance);
    EXPECT_LE(certain.lower, least);
  }
}

/// Bodies that are brought together until only roundings are between them, or hold them in each other. Faces nearly
/// parallel have pairs that single precision cannot tell from contact.
TEST(Near, AmongRoundingsTheDistanceIsZeroExactlyInContact) {
  constexpr std::uint64_t seed = 20;
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  const scenes::Placing tori = scenes::far_apart(3, 300), plates = scenes::facing_plates(0.1, 6);
  const Model torus(tori.env), plate(plates.env), other_plate(plates.object);
  int in_contact = 0, apart = 0;
  for (int round = 0; round < 8000; ++round) {
    const bool are_plates = random.index(4) > 0;
    const Model &a = are_plates ? plate : torus, &b = are_plates ? other_plate : torus;
    const Vec3 tilt = random.direction() * std::pow(10.0, random.between(-9, -1));
    const Pose apart_by = are_plates ? plates.pose * Pose::from_quaternion(1, tilt.x, tilt.y, tilt.z, {0, 0, 0})
                                     : testing::random_pose(random, {3, 0, 0}, 1);
    const Pose env = testing::random_pose(random, {0, 0, 0}, std::pow(10.0, random.between(0, 6)));
    Pose pose = env * apart_by;
    Pair pair(a, b, {.coherent = Coherent::off});
    for (int step = 0; step < 3; ++step) {
      const Distance d = pair.distance(env, pose);
      if (d.distance == 0) break;
      pose = Pose::from_translation(d.point_a - d.point_b) * pose;
    }
    const bool hit = pair.collide(env, pose);
    ++(hit ? in_contact : apart);
    ASSERT_EQ(pair.distance(env, pose).distance == 0, hit) << "round " << round;
  }
  EXPECT_GE(in_contact, 100);
  EXPECT_GE(apart, 100);
}

TEST(Near, SwappedBodiesMirror) {
  for (const NearScene& scene : testing::near_scenes()) {
    const Model a(scene.environment), b(scene.object);
    for (std::size_t i = 0; i < scene.poses.size(); ++i) {
      const Distance d = distance(b, scene.poses[i], a, scene.environment_pose);
      EXPECT_EQ(d.distance, scene.expected[i].least);
      const double at = d.distance * 1.02 + 0.004;
      NearPairs mirrored = within(b, scene.poses[i], a, scene.environment_pose, {.distance = at});
      const NearPairs straight = within(a, scene.environment_pose, b, scene.poses[i], {.distance = at});
      for (NearPair& p : mirrored) std::swap(p.triangle_a, p.triangle_b), std::swap(p.point_a, p.point_b);
      std::ranges::sort(mirrored, {}, [](const NearPair& p) { return std::pair(p.triangle_a, p.triangle_b); });
      ASSERT_EQ(mirrored.size(), straight.size());
      for (std::size_t k = 0; k < straight.size(); ++k) {
        EXPECT_EQ(mirrored[k].triangle_a, straight[k].triangle_a);
        EXPECT_EQ(mirrored[k].triangle_b, straight[k].triangle_b);
        EXPECT_EQ(mirrored[k].distance, straight[k].distance);
        EXPECT_EQ(mirrored[k].point_a, straight[k].point_a);
        EXPECT_EQ(mirrored[k].point_b, straight[k].point_b);
      }
    }
  }
}

void expect_brute_force_of_files(const std::filesystem::path& a, const std::filesystem::path& b,
                                 std::initializer_list<double> spreads) {
  scenes::Random random(5);
  std::vector<Pose> poses;
  for (const double spread : spreads) poses.push_back(testing::random_pose(random, {0, 0, 0}, spread));
  const NearScene scene(a.filename().c_str(), load_mesh(a), load_mesh(b), Pose{}, poses);
  for (const Bound bound : {Bound::dop, Bound::obb}) {
    TreeOptions options;
    options.bound = bound;
    Pair pair(Model(scene.environment, options), Model(scene.object, options));
    expect_brute_force(scene, pair);
  }
}

TEST(Near, RealMeshesAgreeWithBruteForce) {
  expect_brute_force_of_files(testing::nut_file(), testing::nut_file(), {0.004});
  if (const auto folder = testing::further_meshes())
    expect_brute_force_of_files(*folder / "cad-trimesh/plate_holes.STL", *folder / "cad-trimesh/angle_block.STL",
                                {1, 3, 10});
}

TEST(Near, ErrorsAreKeptAndBoundsCertified) {
  for (const NearScene& scene : testing::near_scenes()) {
    Pair pair{Model(scene.environment), Model(scene.object)};
    for (std::size_t i = 0; i < scene.poses.size(); ++i)
      for (const double rel : {0.0, 0.1, 1.0})
        for (const double abs : {0.0, 0.01, 0.3}) {
          const double least = scene.expected[i].least;
          const Distance d =
              pair.distance(scene.environment_pose, scene.poses[i], {.rel_error = rel, .abs_error = abs});
          EXPECT_GE(d.distance, least);
          EXPECT_LE(d.distance, (least * (1 + rel) + abs) * (1 + 1e-15));
          EXPECT_LE(d.lower, least);
          const double tie = rel == 0 && abs == 0 ? scene.tie(i) : 0;  // only a plain distance may leave out ties
          EXPECT_GE(d.lower * (1 + rel) + abs, d.distance * (1 - 1e-15) - tie);
        }
  }
}

TEST(Near, AnUpperBoundSaysFarther) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const NearScene& scene : testing::near_scenes()) {
    Pair pair{Model(scene.environment), Model(scene.object)};
    for (std::size_t i = 0; i < scene.poses.size(); ++i)
      for (const double factor : {0.5, 1.0 - 1e-12, 1.0, 1.5}) {
        const double least = scene.expected[i].least, bound = least * factor;
        const Distance d =
            pair.distance(scene.environment_pose, scene.poses[i], {.upper_bound = bound, .last_bit = true});
        const bool farther = least > bound;
        EXPECT_EQ(d.farther, farther);
        EXPECT_EQ(d.distance, farther ? inf : least);
        EXPECT_LE(d.lower, least);
        if (farther) {
          EXPECT_EQ(d.lower, bound);
        }
        EXPECT_EQ(pair.closest_pairs(scene.environment_pose, scene.poses[i], {.upper_bound = bound}).empty(), farther);
      }
  }
}

TEST(Near, AnErrorDoesNotMakeFartherWhatIsNot) {
  for (const NearScene& scene : testing::near_scenes()) {
    Pair pair{Model(scene.environment), Model(scene.object)};
    for (std::size_t i = 0; i < scene.poses.size(); ++i)
      for (const double factor : {1.02, 1.5})
        for (const double error : {0.05, 1.0})
          for (const bool relative : {false, true}) {
            const double least = scene.expected[i].least;
            const DistanceRequest request{.rel_error = relative ? error : 0,
                                          .abs_error = relative ? 0 : error * least,
                                          .upper_bound = least * factor};
            // Warm starts begin with another pose's pair, which may be beyond the bound.
            pair.distance(scene.environment_pose, scene.poses[(i + 1) % scene.poses.size()]);
            const Distance warm = pair.distance(scene.environment_pose, scene.poses[i], request);
            EXPECT_FALSE(warm.farther);
            EXPECT_LE(warm.lower, least);
            EXPECT_GE(warm.distance, least);
            const Certainty hurried = pair.start(scene.environment_pose, scene.poses[i], request).run();
            EXPECT_FALSE(hurried.closest.farther);
            EXPECT_LE(hurried.lower, least);
            pair.forget();
            const Distance cold = pair.distance(scene.environment_pose, scene.poses[i], request);
            EXPECT_FALSE(cold.farther);
            EXPECT_LE(cold.lower, least);
          }
  }
}

TEST(Near, ClosingPairsComeNearerWithinTheError) {
  for (const NearScene& scene : testing::near_scenes()) {
    Pair pair{Model(scene.environment), Model(scene.object)};
    for (std::size_t i = 0; i < scene.poses.size(); ++i) {
      double least = std::numeric_limits<double>::infinity();
      std::size_t met = 0;
      const ClosingPairsRequest closing{.abs_error = 0.05};
      pair.start(scene.environment_pose, scene.poses[i], closing).run({}, [&](const NearPair& p) {
        EXPECT_LE(p.distance, least + 0.05);
        EXPECT_EQ(p.distance, std::sqrt(scene.expected[i].squares[scene.expected[i].number(p)]));
        least = std::min(least, p.distance);
        ++met;
        return true;
      });
      EXPECT_EQ(least, scene.expected[i].least);
      EXPECT_GE(met, 1u);
      std::size_t asked = 0;
      pair.start(scene.environment_pose, scene.poses[i], closing).run({}, [&](const NearPair&) {
        EXPECT_THROW(pair.collide({}, {}), Error);
        EXPECT_THROW(pair.distance({}, {}), Error);
        return ++asked < 1;
      });
      EXPECT_EQ(asked, 1u);
    }
  }
}

TEST(Near, ABatchGivesTheSameDistancesOnAnyNumberOfThreads) {
  const NearScene& scene = testing::near_scenes()[0];
  const Model a(scene.environment), b(scene.object);
  std::vector<Pose> poses;
  for (int i = 0; i < 100; ++i) poses.insert(poses.end(), scene.poses.begin(), scene.poses.end());
  for (const int threads : {1, 2, 0}) {
    const std::vector<Distance> found =
        distance_many(a, b, poses, {}, {.threads = threads, .pose_a = scene.environment_pose});
    ASSERT_EQ(found.size(), poses.size());
    for (std::size_t i = 0; i < poses.size(); ++i)
      EXPECT_EQ(found[i].distance, scene.expected[i % scene.poses.size()].least);
  }
}

TEST(Near, RefusesWhatMakesNoSense) {
  const Mesh t{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, {}};
  Pair pair{Model(t), Model(t)};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {-1.0, nan, 1e101}) {
    EXPECT_THROW(pair.within({}, {}, {.distance = bad}), Error);
    EXPECT_THROW(pair.is_within({}, {}, {.distance = bad}), Error);
  }
  for (const double bad : {-1.0, nan}) {
    EXPECT_THROW(pair.distance({}, {}, {.rel_error = bad}), Error);
    EXPECT_THROW(pair.distance({}, {}, {.abs_error = bad}), Error);
    EXPECT_THROW(pair.distance({}, {}, {.upper_bound = bad}), Error);
    EXPECT_THROW(pair.closest_pairs({}, {}, {.rel_error = bad}), Error);
  }
  EXPECT_EQ(pair.distance({}, {}).distance, 0);
}

/// Squares of such distances are rounded to a few digits, or to one.
TEST(Near, PairsWithinSubnormalSquaresAreFound) {
  for (const double size : {1e-154, 1e-158, 1e-160, 3e-161, 1e-161, 3e-162}) {
    const Mesh ring = scenes::scaled(scenes::torus(1, 0.4, 8, 6), size);
    const Mesh box = scenes::scaled(scenes::box({0.3, 0.3, 0.3}), size);
    const Model a(ring), b(box);
    for (int step = 0; step < 20; ++step) {
      SCOPED_TRACE(std::to_string(std::log10(size)) + ", step " + std::to_string(step));
      const Pose pose = Pose::from_translation({size * (2 + 0.1 * step), 0, 0});
      const AllDistances all(ring, {}, box, pose);
      for (const double d : {all.least, 1.5 * all.least}) {
        EXPECT_EQ(numbers(all, within(a, {}, b, pose, {.distance = d})),
                  all.where([&](double sq) { return sq <= d * d; }));
        EXPECT_TRUE(is_within(a, {}, b, pose, {.distance = d}));
      }
    }
  }
}

TEST(Near, SizesAndPlacesBeyondMeasure) {
  const Mesh unit{{{-1, -1, -1}, {1, 1, -1}, {0, 0, 2}}, {{0, 1, 2}}, {}};
  Mesh oblique{{{1, -1, 0.5}, {-1, 0.75, 0.125}, {-0.25, 0.625, -1}, {0.1, 0.2, 0.3}}, {{0, 1, 2}, {1, 2, 3}}, {}};
  for (const Bound bound_a : {Bound::dop, Bound::obb})
    for (const Bound bound_b : {Bound::dop, Bound::obb})
      for (double ratio = 1e-60; ratio < 1e62; ratio *= 1e4)
        for (const double away : {0.0, 3.0, 1e9, 1e30}) {
          TreeOptions options_a, options_b;
          options_a.bound = bound_a;
          options_b.bound = bound_b;
          const Mesh other = testing::moved(oblique, ratio);
          const Pose there = Pose::from_translation(Vec3{1, 0.3, 0.2} * (away * (1 + ratio)));
          const double expected = AllDistances(unit, {}, other, there).least;
          Pair pair(Model(unit, options_a), Model(other, options_b));
          EXPECT_EQ(pair.distance({}, there).distance, expected) << ratio << " " << away;
          EXPECT_TRUE(pair.is_within({}, there, {.distance = expected * (1 + 1e-9)}));
          if (expected > 0) {
            EXPECT_FALSE(pair.is_within({}, there, {.distance = expected * (1 - 1e-9)}));
          }
        }
}

/// Bodies without any size are never near each other beside their size, unless they are in one place.
TEST(Near, PointsTogetherAndApart) {
  const Mesh point{{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {{0, 1, 2}}, {}};
  for (const Bound bound : {Bound::dop, Bound::obb})
    for (const double away : {0.0, 1e-300, 1e-30, 1e-9, 1.0, 1e9})
      for (const double from_origin : {0.0, 1.0, 1e6}) {
        TreeOptions options;
        options.bound = bound;
        Pair pair(Model(point, options), Model(point, options));
        const Pose here = Pose::from_translation({from_origin, 0, 0}),
                   there = Pose::from_translation({from_origin + away, 0, 0});
        const double expected = std::sqrt(distance_sq(corners_of(point, here, 0), corners_of(point, there, 0)));
        EXPECT_EQ(pair.distance(here, there).distance, expected) << away << " " << from_origin;
        const Certainty c = pair.start(here, there, ContactRequest{}).run({.node_pairs = 100});
        EXPECT_EQ(c.verdict, expected > 0 ? Verdict::free : Verdict::colliding) << away << " " << from_origin;
      }
}

/// Squares of gaps would overflow in single precision: the farther body is large, and its triangles are told apart.
TEST(Near, LargeBodiesFarAway) {
  const Mesh small = scenes::wrinkled_torus(200);
  for (const double ratio : {1.0, 1e9})
    for (double away = 1e2; away < 1e14; away *= 100) {
      const Mesh large = testing::moved(scenes::wrinkled_torus(200), ratio);
      const Pose there = Pose::from_translation(Vec3{1, 0.3, 0.2} * (away * ratio));
      const double expected = AllDistances(small, {}, large, there).least;
      for (const Bound bound : {Bound::dop, Bound::obb}) {
        TreeOptions options;
        options.bound = bound;
        Pair pair(Model(small, options), Model(large, options));
        EXPECT_EQ(pair.distance({}, there).distance, expected) << ratio << " " << away;
        EXPECT_EQ(Pair(Model(large, options), Model(small, options)).distance(there, {}).distance, expected)
            << ratio << " " << away;
        const Certainty c = pair.start({}, there, DistanceRequest{}).run({.node_pairs = 3});
        EXPECT_LE(c.lower, expected) << ratio << " " << away;
      }
    }
}

}  // namespace
}  // namespace tumble
