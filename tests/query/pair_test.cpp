// SPDX-License-Identifier: Apache-2.0
#include "brute_force.h"
#include "geometry/distance.h"
#include "pairwise.h"
#include "query/pair_choices.h"
#include "query/pose_order.h"
#include "real_meshes.h"
#include "scenes/flight.h"
#include "scenes/meshes.h"
#include "scenes/placings.h"
#include "scenes/random.h"
#include "scenes/shapes.h"
#include "simd/dispatch.h"
#include "slice.h"
#include "traverse/placed_pair.h"

#include <tumble/error.h>
#include <tumble/io.h>
#include <tumble/presets.h>
#include <tumble/query.h>

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numeric>
#include <span>

namespace tumble {
namespace {

using testing::describe;

Mesh moved(Mesh mesh, double scale, Vec3 by = {}) {
  for (Vec3& v : mesh.vertices) v = v * scale + by;
  return mesh;
}

Pose random_pose(scenes::Random& random, double spread) {
  const Vec3 t = random.in_box({-spread, -spread, -spread}, {spread, spread, spread});
  return Pose::from_quaternion(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1),
                               random.between(-1, 1), t);
}

/// A flight of small steps after some jumps: what coherence sees.
std::vector<Pose> flight(std::uint64_t seed, double spread, std::size_t count) {
  scenes::Random random(seed);
  std::vector<Pose> poses;
  while (poses.size() < count) {
    const Pose start = random_pose(random, spread);
    poses.push_back(start);
    const Vec3 step = random.direction() * (0.02 * spread);
    for (int i = 1; i < 4 && poses.size() < count; ++i) {
      auto rows = start.rows();
      rows[3] += step.x * i, rows[7] += step.y * i, rows[11] += step.z * i;
      poses.push_back(Pose::from_rows(rows));
    }
  }
  return poses;
}

void expect_same(const Contacts& expected, const Contacts& found) {
  ASSERT_EQ(expected.size(), found.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(expected[i].triangle_a, found[i].triangle_a);
    EXPECT_EQ(expected[i].triangle_b, found[i].triangle_b);
    EXPECT_EQ(expected[i].kind, found[i].kind);
    EXPECT_EQ(expected[i].vertex_count, found[i].vertex_count);
    EXPECT_EQ(expected[i].point, found[i].point);
    EXPECT_EQ(std::isnan(expected[i].depth), std::isnan(found[i].depth));  // with a degenerate triangle
    if (std::isnan(expected[i].depth)) continue;
    EXPECT_EQ(expected[i].normal, found[i].normal);
    EXPECT_EQ(expected[i].depth, found[i].depth);
  }
}

struct SmallScene {
  const char* name;
  Mesh environment, object;
  Pose environment_pose;
  std::vector<Pose> poses;
  std::vector<Contacts> expected;

  SmallScene(const char* what, Mesh env, Mesh obj, Pose env_pose, std::vector<Pose> path)
      : name(what),
        environment(std::move(env)),
        object(std::move(obj)),
        environment_pose(env_pose),
        poses(std::move(path)) {
    for (const Pose& pose : poses)
      expected.push_back(brute_force_contacts(environment, environment_pose, object, pose));
  }
};

const std::vector<SmallScene>& small_scenes() {
  static const std::vector<SmallScene> all = [] {
    scenes::Random random(99);
    std::vector<SmallScene> made;
    made.emplace_back("torus in landscape", scenes::landscape(600), moved(scenes::wrinkled_torus(300), 0.8), Pose{},
                      flight(1, 4, 8));
    made.emplace_back("tori", scenes::wrinkled_torus(300), scenes::zachmann_torus(288), random_pose(random, 0.2),
                      flight(2, 1.5, 8));
    made.emplace_back("small in large", scenes::tetrahedron_field(80, 2), moved(scenes::wrinkled_torus(200), 1e-2),
                      Pose{}, flight(3, 0.6, 8));
    made.emplace_back("far from the origin", moved(scenes::wrinkled_torus(200), 1, {1e6, -2e6, 5e5}),
                      moved(scenes::wrinkled_torus(240), 1, {-3e6, 0, 1}), Pose{},
                      std::vector<Pose>{Pose::from_translation({4e6, -2e6, 5e5 - 1}),
                                        Pose::from_translation({4e6 + 0.5, -2e6, 5e5 - 1.2})});
    return made;
  }();
  return all;
}

/// Every pair of option values, each on all scenes; gives the number of contacts compared.
std::size_t compare_options_with_brute_force(std::span<const SmallScene> scenes) {
  std::size_t contacts = 0;
  for (const auto& row : testing::pairwise(testing::pair_choice_sizes())) {
    const testing::PairChoice choice = testing::pair_choice(row);
    for (const SmallScene& scene : scenes) {
      SCOPED_TRACE(std::string(scene.name) + ": " + describe(choice));
      Pair pair(Model(scene.environment, choice.environment), Model(scene.object, choice.object), choice.pair);
      for (std::size_t i = 0; i < testing::slice(scene.poses.size()); ++i) {
        expect_same(scene.expected[i], pair.contacts(scene.environment_pose, scene.poses[i]));
        EXPECT_EQ(!scene.expected[i].empty(), pair.collide(scene.environment_pose, scene.poses[i]));
        contacts += scene.expected[i].size();
      }
    }
    if (::testing::Test::HasFailure()) break;
  }
  return contacts;
}

TEST(Pair, EveryPairOfOptionsFindsTheContactsOfBruteForce) {
  EXPECT_GT(compare_options_with_brute_force(small_scenes()), testing::slice(10'000u));  // the scenes are worth asking
}

Mesh of_unit_size(const Mesh& mesh) {
  const Box box = bounding_box(mesh);
  const double size = length(box.upper - box.lower);
  return moved(mesh, 1 / size, (box.lower + box.upper) * (-0.5 / size));
}

TEST(Pair, EveryPairOfOptionsFindsTheContactsOfBruteForceOnRealMeshes) {
  std::vector<SmallScene> scenes;
  if (const auto folder = testing::further_meshes()) {
    scenes.emplace_back("plate and block", of_unit_size(load_mesh(*folder / "cad-trimesh/plate_holes.STL")),
                        of_unit_size(load_mesh(*folder / "cad-trimesh/angle_block.STL")), Pose{}, flight(11, 0.3, 4));
  } else {  // not both: each takes seconds
    const Mesh nut = of_unit_size(load_mesh(testing::nut_file()));
    scenes.emplace_back("two nuts", nut, nut, Pose{}, flight(11, 0.3, 1));
  }
  EXPECT_GT(compare_options_with_brute_force(scenes), testing::slice(5'000u));
}

TEST(Pair, InstructionSetsAgree) {
  for (const InstructionSet set : available()) {
    limit_to(set);
    for (const Bound bound : {Bound::dop, Bound::obb})
      for (const SmallScene& scene : small_scenes()) {
        SCOPED_TRACE(std::string(scene.name) + " " + name(bound) + " set " + std::to_string(static_cast<int>(set)));
        TreeOptions options;
        options.bound = bound;
        Pair pair(Model(scene.environment, options), Model(scene.object, options));
        for (std::size_t i = 0; i < scene.poses.size(); ++i)
          expect_same(scene.expected[i], pair.contacts(scene.environment_pose, scene.poses[i]));
      }
  }
  unlimit();
}

TEST(Pair, SwappedBodiesMirror) {
  for (const SmallScene& scene : small_scenes()) {
    const Model a(scene.environment), b(scene.object);
    for (std::size_t i = 0; i < scene.poses.size(); ++i) {
      Contacts mirrored = contacts(b, scene.poses[i], a, scene.environment_pose);
      for (Contact& c : mirrored) {
        std::swap(c.triangle_a, c.triangle_b);
        c.normal = -c.normal;
      }
      std::ranges::sort(mirrored, {}, [](const Contact& c) { return std::pair(c.triangle_a, c.triangle_b); });
      expect_same(scene.expected[i], mirrored);
    }
  }
}

Mesh cube(double size) {
  Mesh mesh;
  for (int i = 0; i < 8; ++i) mesh.vertices.push_back(Vec3{double(i & 1), double(i >> 1 & 1), double(i >> 2)} * size);
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

TEST(Pair, ExactlyTouchingPosesAreContactBothWays) {
  for (const double size : {1.0, 1e-9, 1e9})
    for (const double place : {0.0, 1e5}) {
      const Model a(cube(size)), b(cube(size));
      const Pose at = Pose::from_translation({place * size, 0, 0});
      for (const Vec3 step : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{1, 1, 0}, Vec3{1, 1, 1}}) {
        const Pose touching = Pose::from_translation(at.translation() + step * size);
        const Pose apart = Pose::from_translation(at.translation() + step * (size * (1 + 1e-9)));
        EXPECT_TRUE(collide(a, at, b, touching));
        EXPECT_TRUE(collide(b, touching, a, at));
        // Faces that lie on one another share an area; edges and corners merely touch.
        EXPECT_EQ(Pair(a, b).collide(at, touching, {.ignore_touch = true}), length_sq(step) == 1);
        EXPECT_FALSE(collide(a, at, b, apart));
        EXPECT_FALSE(collide(b, apart, a, at));
      }
    }
}

TEST(Pair, WithinIsTheDistancePredicate) {
  for (const SmallScene& scene : small_scenes()) {
    const Model a(scene.environment), b(scene.object);
    Pair pair(a, b);
    for (std::size_t p = 0; p < scene.poses.size(); p += 3) {
      const Pose& pose = scene.poses[p];
      const Body body_a{data_of(a), scene.environment_pose}, body_b{data_of(b), pose};
      double least = std::numeric_limits<double>::infinity();
      for (std::uint32_t i = 0; i < a.triangles().size(); ++i)
        for (std::uint32_t j = 0; j < b.triangles().size(); ++j)
          least = std::min(least, distance_sq(body_a.corners(i), body_b.corners(j)));
      const double d = std::sqrt(least);
      for (const double at : {0.0, d * 0.5, d * (1 - 1e-12), d, d * (1 + 1e-12), d * 2, d + 1})
        EXPECT_EQ(pair.is_within(scene.environment_pose, pose, {.distance = at}), least <= at * at)
            << scene.name << " " << at << " of " << d;
    }
  }
  Pair pair{Model(cube(1)), Model(cube(1))};
  EXPECT_THROW(pair.is_within({}, {}, {.distance = -1}), Error);
  EXPECT_THROW(pair.is_within({}, {}, {.distance = std::numeric_limits<double>::quiet_NaN()}), Error);
}

TEST(Pair, SizesThatDifferBeyondMeasure) {
  // Oblique, and through the origin, so that products of large numbers have to cancel.
  const Mesh unit{{{-1, -1, -1}, {1, 1, -1}, {0, 0, 2}}, {{0, 1, 2}}, {}};
  Mesh oblique{{{1, -1, 0.5}, {-1, 0.75, 0.125}, {-0.25, 0.625, -1}}, {{0, 1, 2}}, {}};
  const Vec3 inside = oblique.vertices[0] * 0.375 + oblique.vertices[1] * 0.375 + oblique.vertices[2] * 0.25;
  for (Vec3& v : oblique.vertices) v -= inside;
  std::vector<double> ratios{0x1p-900, 0x1p-130, 0x1p300};  // powers of two: contacts stay what they are
  for (int exponent = -70; exponent <= 70; exponent += 2) ratios.push_back(std::ldexp(1.0, exponent));
  for (const double ratio : ratios)
    for (const Bound bound_a : {Bound::dop, Bound::obb})
      for (const Bound bound_b : {Bound::dop, Bound::obb}) {
        TreeOptions options_a, options_b;
        options_a.bound = bound_a;
        options_b.bound = bound_b;
        const Mesh other = moved(oblique, ratio);
        Pair pair(Model(unit, options_a), Model(other, options_b));
        SCOPED_TRACE(ratio);
        const Contacts expected = brute_force_contacts(unit, {}, other, {});
        EXPECT_FALSE(expected.empty());
        expect_same(expected, pair.contacts({}, {}));
        EXPECT_TRUE(pair.collide({}, {}));
        const Pose far = Pose::from_translation({3 + 3 * ratio, 0, 0});
        EXPECT_FALSE(pair.collide({}, far)) << ratio;
      }
}

TEST(Pair, SmallBodiesAreToldApartBesideALargeOne) {
  const auto work = [](double ratio) {
    const scenes::Placing at = scenes::small_on_huge(ratio, 1000);
    Pair pair(Model(at.env), Model(at.object));
    pair.count(true);
    EXPECT_NEAR(pair.distance({}, at.pose).distance, distance(Model(at.object), at.pose, Model(at.env), {}).distance,
                1e-9)
        << ratio;
    return pair.stats();
  };
  const Counters alike = work(1);
  for (const double ratio : {1e2, 1e3, 1e4, 1e5, 1e6}) {
    const Counters here = work(ratio);
    EXPECT_LT(here.nv, 2 * alike.nv) << ratio;
    EXPECT_LT(here.np, 4 * alike.np) << ratio;
  }
}

TEST(Pair, ASmallBodyBesideALargeOneMayBeNamedFirst) {
  for (const Bound bound : {Bound::obb, Bound::dop})
    for (const int exponent : {6, 12, 18, 22, 26, 30, 34}) {
      const scenes::Placing at = scenes::small_on_huge(std::ldexp(1.0, exponent), 400);
      const TreeOptions options{.bound = bound};
      const Model large(at.env, options), small(at.object, options);
      const auto work = [&](const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b) {
        Pair pair(a, b);
        pair.count(true);
        EXPECT_GT(pair.distance(pose_a, pose_b).distance, 0);
        EXPECT_TRUE(pair.contacts(pose_a, pose_b).empty());
        return pair.stats();
      };
      const Counters first = work(large, {}, small, at.pose), last = work(small, at.pose, large, {});
      EXPECT_LT(last.np, 3 * first.np) << name(bound) << " 2^" << exponent;
      EXPECT_LT(last.nv, 3 * first.nv) << name(bound) << " 2^" << exponent;
    }
}

TEST(Pair, FrontsHoldWhenASmallBodyTurnsBesideALargeOne) {
  constexpr std::uint64_t seed = 11;
  scenes::Random random(seed);
  for (const double ratio : {1e3, 1e5}) {
    const scenes::Placing at = scenes::small_on_huge(ratio, 400);
    const Model env(at.env), object(at.object);
    Pair always(env, object, {.coherent = Coherent::on}), automatic(env, object);
    const Distance apart = distance(env, {}, object, at.pose);
    const Vec3 towards = (apart.point_a - apart.point_b) / apart.distance;
    int hits = 0;
    for (int step = 0; step < 400; ++step) {
      const double way = (0.1 + 0.1 * std::sin(0.05 * step)) * random.between(0.999, 1.001);
      const Pose turn = Pose::from_quaternion(1, 1e-4 * step, 5e-5 * step, 0, {});
      const auto row = [&](int i) {
        const Vec3& of = at.pose.row(i);
        return turn.row(0) * of.x + turn.row(1) * of.y + turn.row(2) * of.z;
      };
      const Vec3 x = row(0), y = row(1), z = row(2), t = at.pose.translation() + towards * way;
      const Pose pose =
          Pose::from_rows(std::array<double, 12>{x.x, x.y, x.z, t.x, y.x, y.y, y.z, t.y, z.x, z.y, z.z, t.z});
      const bool expected = collide(env, {}, object, pose);
      EXPECT_EQ(expected, always.collide({}, pose)) << "ratio " << ratio << ", step " << step;
      EXPECT_EQ(expected, automatic.collide({}, pose)) << "ratio " << ratio << ", step " << step;
      hits += expected;
    }
    EXPECT_GT(hits, 20);
    EXPECT_LT(hits, 380);
  }
}

TEST(Pair, DistancesAndPlacesBeyondTheBodiesSizes) {
  const Mesh strip = scenes::zachmann_torus(100);
  for (const Bound bound_a : {Bound::dop, Bound::obb})
    for (const Bound bound_b : {Bound::dop, Bound::obb}) {
      TreeOptions options_a, options_b;
      options_a.bound = bound_a;
      options_b.bound = bound_b;
      Pair pair(Model(strip, options_a), Model(strip, options_b));
      for (int exponent = 3; exponent < 90; exponent += 2 * 44 / testing::slice(44)) {
        const double size = std::pow(10.0, exponent);
        const Pose there = Pose::from_translation({0.6 * size, 0.6 * size, 0.6 * size});
        EXPECT_FALSE(pair.is_within({}, there, {.distance = size})) << size;  // 1.04 away
        EXPECT_TRUE(pair.is_within({}, there, {.distance = 1.1 * size})) << size;
        EXPECT_FALSE(pair.collide({}, there)) << size;
        SCOPED_TRACE(size);
        expect_same(brute_force_contacts(strip, there, strip, there), pair.contacts(there, there));
      }
    }
}

TEST(Pair, RefusesQuestionsFromItsOwnCallback) {
  const SmallScene& scene = small_scenes()[1];
  Pair pair{Model(scene.environment), Model(scene.object)};
  const auto pose = static_cast<std::size_t>(
      std::ranges::max_element(scene.expected, {}, [](const Contacts& c) { return c.size(); }) -
      scene.expected.begin());
  const auto ask = [&](const Contact&) { return pair.collide(scene.environment_pose, scene.poses[pose]); };
  try {
    pair.start(scene.environment_pose, scene.poses[pose], ContactRequest{}).run({}, ask);
    FAIL() << "contacts would have been lost";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  }
  expect_same(scene.expected[pose], pair.contacts(scene.environment_pose, scene.poses[pose]));
}

TEST(Pair, AtMostAndCallbacksStopEarly) {
  const SmallScene& scene = small_scenes()[1];
  Pair pair{Model(scene.environment), Model(scene.object)};
  for (std::size_t i = 0; i < scene.poses.size(); ++i) {
    const std::size_t all = scene.expected[i].size();
    for (const std::size_t limit : {std::size_t{0}, std::size_t{1}, std::size_t{5}, all}) {
      const Contacts some = pair.contacts(scene.environment_pose, scene.poses[i], {.at_most = limit});
      EXPECT_EQ(some.size(), std::min(limit, all));
    }
    std::size_t seen = 0;
    pair.start(scene.environment_pose, scene.poses[i], ContactRequest{}).run({}, [&](const Contact&) {
      return ++seen < 3;
    });
    EXPECT_EQ(seen, std::min<std::size_t>(3, all));
    const Contacts bare = pair.contacts(scene.environment_pose, scene.poses[i], {.geometry = false});
    EXPECT_EQ(bare.size(), all);
  }
}

TEST(Pair, ContactsWithoutAListAreThoseOfBruteForce) {
  for (const SmallScene& scene : small_scenes()) {
    const Model env(scene.environment), object(scene.object);
    for (std::size_t i = 0; i < scene.poses.size(); ++i) {
      SCOPED_TRACE(std::string(scene.name) + ", pose " + std::to_string(i));
      Contacts told;
      contacts(env, scene.environment_pose, object, scene.poses[i], {},
               [&](const Contact& contact) { return told.push_back(contact), true; });
      std::ranges::sort(told, {}, [](const Contact& c) { return std::pair(c.triangle_a, c.triangle_b); });
      expect_same(scene.expected[i], told);
    }
  }
  const Model cube(scenes::box({1, 1, 1}));
  const Pose beside = Pose::from_translation({0.5, 0.1, 0}), away = Pose::from_translation({0, 0, 9});
  int calls = 0;
  const std::function<bool(const Contact&)> once = [&](const Contact&) { return ++calls, false; };
  contacts(cube, {}, cube, away, {}, once);
  EXPECT_EQ(calls, 0);
  contacts(cube, {}, cube, beside, {}, once);
  EXPECT_EQ(calls, 1);
  contacts(cube, {}, Model(moved(scenes::box({1, 1, 1}), 0.1)), {}, {.solid = true}, once);  // inside: no faces meet
  EXPECT_EQ(calls, 2);
  EXPECT_THROW(contacts(cube, {}, cube, away, {}, {}), Error);
}

TEST(Pair, ManyPosesOnAnyNumberOfThreads) {
  const SmallScene& scene = small_scenes()[0];
  const Model environment(scene.environment), object(scene.object);
  const std::vector<Pose> poses = flight(7, 4, 500);
  std::vector<std::uint8_t> expected;
  for (const Pose& pose : poses)
    expected.push_back(brute_force_collide(scene.environment, {}, scene.object, pose) ? 1 : 0);
  EXPECT_GT(std::ranges::count(expected, 1), 20);
  EXPECT_GT(std::ranges::count(expected, 0), 20);
  for (const int threads : {1, 2, 0})
    EXPECT_EQ(collide_many(environment, object, poses, {}, {.threads = threads}), expected);
  EXPECT_THROW(collide_many(environment, object, poses, {}, {.threads = -5}), Error);
  EXPECT_TRUE(collide_many(environment, object, {}).empty());
}

TEST(Pair, NumbersOfThreadsBeyondAllReasonAreNoTrouble) {
  const SmallScene& scene = small_scenes()[0];
  const Model environment(scene.environment, {.threads = std::numeric_limits<int>::max()}), object(scene.object);
  const std::vector<Pose> poses = flight(7, 4, 100);
  EXPECT_EQ(collide_many(environment, object, poses, {}, {.threads = 100'000}),
            collide_many(environment, object, poses, {}, {.threads = 1}));
}

TEST(Pair, OneThatWasMovedFromIsRefused) {
  const Model model(small_scenes()[0].object);
  Pair pair(model, model);
  const Pair other = std::move(pair);
  EXPECT_THROW(pair.collide({}, {}), Error);  // NOLINT(bugprone-use-after-move)
  EXPECT_THROW(pair.start({}, {}, CollideRequest{}), Error);
  EXPECT_THROW(pair.forget(), Error);
  EXPECT_THROW(pair.stats(), Error);
  EXPECT_EQ(other.a().triangles().size(), model.triangles().size());
}

TEST(Pair, ContactsOfManyPosesOnAnyNumberOfThreads) {
  for (const SmallScene& scene : small_scenes()) {
    SCOPED_TRACE(scene.name);
    const Model environment(scene.environment), object(scene.object);
    std::vector<Pose> poses;  // the same again and again, so that there is work for several threads
    for (int i = 0; i < 30; ++i) poses.insert(poses.end(), scene.poses.begin(), scene.poses.end());
    for (const int threads : {1, 2, 0}) {
      const auto found =
          contacts_many(environment, object, poses, {}, {.threads = threads, .pose_a = scene.environment_pose});
      ASSERT_EQ(found.size(), poses.size());
      for (std::size_t i = 0; i < poses.size(); ++i) expect_same(scene.expected[i % scene.poses.size()], found[i]);
    }
  }
}

TEST(Pair, PosesAreVisitedAlongAShortWay) {
  scenes::Random random(5);
  std::vector<Pose> shuffled, path;
  for (int i = 0; i < 2000; ++i) {
    shuffled.push_back(Pose::from_translation(random.in_box({-1, -2, -3}, {1, 2, 3})));
    path.push_back(Pose::from_translation({0.01 * i, 0, 0}));
  }
  const auto way = [&shuffled](std::span<const std::uint32_t> order) {
    double length_so_far = 0;
    for (std::size_t i = 1; i < order.size(); ++i)
      length_so_far += length(shuffled[order[i]].translation() - shuffled[order[i - 1]].translation());
    return length_so_far;
  };
  std::vector<std::uint32_t> all(2000);
  std::iota(all.begin(), all.end(), 0u);
  EXPECT_EQ(visiting_order(path), all);
  std::vector<std::uint32_t> order = visiting_order(shuffled);
  EXPECT_LT(way(order), 0.2 * way(all));
  std::ranges::sort(order);
  EXPECT_EQ(order, all);
  const std::vector<Pose> same(5, Pose::from_translation({1e100, 0, 0}));
  EXPECT_EQ(visiting_order(same).size(), 5u);
  EXPECT_TRUE(visiting_order({}).empty());
}

TEST(Pair, CountersCountWhatPapersCount) {
  const SmallScene& scene = small_scenes()[1];
  TreeOptions options;
  options.bound = Bound::dop;
  Pair pair{Model(scene.environment, options), Model(scene.object, options)};
  pair.contacts(scene.environment_pose, scene.poses[0]);
  EXPECT_EQ(pair.stats().nv, 0u);
  pair.count(true);
  std::size_t contacts = 0;
  for (const Pose& pose : scene.poses) contacts += pair.contacts(scene.environment_pose, pose).size();
  EXPECT_GT(pair.stats().nv, 0u);
  EXPECT_GT(pair.stats().nu, 0u);
  EXPECT_GE(pair.stats().np, contacts);
  EXPECT_EQ(pair.stats().contacts, contacts);
  const Counters remembered = pair.stats();

  PairOptions forgetful;
  forgetful.paper.remember = false;
  Pair again(pair.a(), pair.b(), forgetful);
  again.contacts(scene.environment_pose, scene.poses[0]);  // the first question tests the roots, too
  again.count(true);
  for (const Pose& pose : scene.poses) again.contacts(scene.environment_pose, pose);
  EXPECT_EQ(again.stats().nv, remembered.nv);
  EXPECT_GT(again.stats().nu, remembered.nu);
}

/// Fünzig 2003, section 6: every test realigns what it tests, which remembering would halve.
TEST(Pair, ForgetfulPairsRealignInEveryTest) {
  const Mesh torus = scenes::wrinkled_torus(3'600);
  const std::vector<Pose> path = scenes::full_turn(1.1, 5);
  const auto counted = [&](const PairOptions& options) {
    Pair pair{Model(torus, presets::fuenzig2003.environment), Model(torus, presets::fuenzig2003.object), options};
    pair.collide({}, {});  // the first question tests the roots, too
    pair.count(true);
    for (const Pose& pose : path) pair.contacts({}, pose);
    return pair.stats();
  };
  PairOptions options = presets::fuenzig2003.pair;
  const Counters forgetful = counted(options);
  EXPECT_EQ(forgetful.nu, forgetful.nv + path.size());  // and the roots, which are realigned without a test
  options.paper.remember = true;
  EXPECT_EQ(counted(options).nv, forgetful.nv);
  EXPECT_LT(counted(options).nu, forgetful.nu / 2);
}

void expect_contacts_of_brute_force(const Mesh& a, const Mesh& b, const std::vector<Pose>& poses) {
  for (const Bound bound : {Bound::dop, Bound::obb}) {
    TreeOptions options;
    options.bound = bound;
    Pair pair(Model(a, options), Model(b, options));
    std::size_t contacts = 0;
    for (const Pose& pose : poses) {
      const Contacts expected = brute_force_contacts(a, {}, b, pose);
      expect_same(expected, pair.contacts({}, pose));
      EXPECT_EQ(pair.collide({}, pose), !expected.empty());
      contacts += expected.size();
    }
    EXPECT_GT(contacts, 100u);
  }
}

TEST(Pair, AFineBodyInAHollowOfLargeTrianglesIsNotTestedTriangleByTriangle) {
  const Model torus(scenes::torus(0.1, 0.03, 40, 20));
  for (const double height : {0.5, 1.0, 2.0}) {
    Pair pair(Model(scenes::box({1, 1, height})), torus);
    pair.count(true);
    EXPECT_FALSE(pair.collide({}, Pose::from_translation({0.2, 0.1, 0.05})));
    EXPECT_LT(pair.stats().np, 100u) << height;  // of 19,200
  }
}

TEST(Pair, FacesThatLieOnEachOtherTouchInTheFirstLeaves) {
  for (const Bound bound : {Bound::obb, Bound::dop})
    for (const double shear : {1e-9, 1e-3, 0.1, 0.3, 1.0}) {
      const scenes::Placing at = scenes::mated_faces(shear, 20);
      const TreeOptions options{.bound = bound};
      Pair pair(Model(at.env, options), Model(at.object, options));
      pair.count(true);
      EXPECT_TRUE(pair.collide({}, at.pose));
      EXPECT_LE(pair.stats().np, 16u) << "shear " << shear;  // four triangles with four
    }
}

TEST(Pair, OneContactIsFoundAfterManyGuesses) {
  constexpr double clearance = 1e-4;
  const scenes::Placing at = scenes::shaft_in_bore(clearance, 24);
  for (const Bound bound : {Bound::obb, Bound::dop}) {
    const TreeOptions trees{.bound = bound};
    const Model bore(at.env, trees), shaft(at.object, trees);
    for (const Descend descend : {Descend::larger_first, Descend::environment_first, Descend::restart, Descend::both})
      for (const Coherent coherent : {Coherent::off, Coherent::on}) {
        Pair pair(bore, shaft, {.descend = descend, .coherent = coherent});
        pair.count(true);
        scenes::Random random(1);
        std::size_t apart = 0, found_late = 0;
        for (int i = 0; i < 40; ++i) {
          const Pose pose = Pose::from_translation(random.direction() * (1.5 * clearance)) * at.pose;
          const bool is_in_contact = !pair.contacts({}, pose, {.geometry = false}).empty();
          pair.forget();
          pair.reset_stats();
          ASSERT_EQ(pair.collide({}, pose), is_in_contact);
          apart += !is_in_contact;
          found_late += is_in_contact && pair.stats().nodes > 200;
        }
        EXPECT_GT(apart, 5u);
        EXPECT_GT(found_late, 0u);
      }
  }
}

TEST(Pair, RealPairsFindTheContactsOfBruteForce) {
  const Mesh part = load_mesh(testing::part_file()), nut = load_mesh(testing::nut_file());
  expect_contacts_of_brute_force(of_unit_size(part), of_unit_size(nut), flight(5, 0.4, 8));
  if (const auto folder = testing::further_meshes())
    expect_contacts_of_brute_force(load_mesh(*folder / "classic-cgal/elephant.off"),
                                   moved(load_mesh(*folder / "cad-trimesh/featuretype.STL"), 0.1), flight(5, 0.4, 8));
}

}  // namespace
}  // namespace tumble
