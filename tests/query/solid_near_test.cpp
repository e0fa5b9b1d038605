// SPDX-License-Identifier: Apache-2.0
// Near pairs of solids against brute force: the distances of all pairs of triangles, and every shell located by itself.
#include "mesh/shapes.h"
#include "query/near_scenes.h"
#include "scenes/random.h"
#include "scenes/shapes.h"

#include <tumble/error.h>
#include <tumble/query.h>
#include <tumble/solid.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tumble {
namespace {

using testing::AllDistances;
using testing::corners_of;

/// Closed shells one after the other: boxes and tetrahedra, some wound the other way, some nested.
struct Shells {
  std::vector<Mesh> shells;
  std::vector<std::uint32_t> first;  // triangle of each
  Mesh mesh;

  void add(Mesh shell, bool turned) {
    if (turned)
      for (Triangle& t : shell.triangles) std::swap(t[1], t[2]);
    first.push_back(static_cast<std::uint32_t>(mesh.triangles.size()));
    mesh = test::together({mesh, shell});
    shells.push_back(std::move(shell));
  }
  /// The shell that a triangle belongs to.
  std::size_t shell_of(std::uint32_t triangle) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(first, triangle) - first.begin()) - 1;
  }
};

Shells random_shells(scenes::Random& random, double size) {
  Shells made;
  const std::size_t count = 1 + random.index(4);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 at = random.in_box({-size, -size, -size}, {size, size, size});
    const double half = size * random.between(0.1, i == 0 ? 1.5 : 0.6);
    const Vec3 corner = at - Vec3{half, half * random.between(0.3, 1), half * random.between(0.3, 1)};
    Mesh shell = random.index(3) == 0 ? scenes::tetrahedron(at, at + Vec3{half, 0, 0}, at + Vec3{0, half, 0},
                                                            at + Vec3{0.1 * half, 0.2 * half, half})
                                      : test::box(corner, at * 2 - corner);
    made.add(std::move(shell), random.index(3) == 0);
  }
  return made;
}

using Entry = std::tuple<std::uint32_t, std::uint32_t, bool>;

/// A shell of one body in the other: which body, and which of its shells.
using Contained = std::pair<bool, std::size_t>;

struct Expected {
  AllDistances distances;
  std::vector<Contained> contained;
  std::vector<Vec3> points;  // of each, the vertex it is located by

  Expected(const Shells& a, const Pose& pose_a, const Shells& b, const Pose& pose_b)
      : distances(a.mesh, pose_a, b.mesh, pose_b) {
    const std::size_t columns = b.mesh.triangles.size();
    const Model model_a(a.mesh), model_b(b.mesh);
    const auto look = [&](bool of_a, const Shells& inner, const Pose& inner_pose, const Model& outer,
                          const Pose& outer_pose) {
      std::vector<bool> touches(inner.shells.size());
      for (std::size_t i = 0; i < distances.squares.size(); ++i)
        if (distances.squares[i] == 0)
          touches[inner.shell_of(static_cast<std::uint32_t>(of_a ? i / columns : i % columns))] = true;
      for (std::size_t s = 0; s < inner.shells.size(); ++s) {
        const Vec3 point = corners_of(inner.mesh, inner_pose, inner.first[s])[0];
        if (touches[s] || locate(outer, outer_pose, point) != Side::inside) continue;
        contained.emplace_back(of_a, s);
        points.push_back(point);
      }
    };
    look(true, a, pose_a, model_b, pose_b);
    look(false, b, pose_b, model_a, pose_a);
  }

  /// Surface pairs no farther apart than `most`, and all that is contained.
  void expect_equal(const NearPairs& found, double most_sq, const Shells& a, const Shells& b) const {
    std::vector<std::size_t> pairs;
    std::vector<Contained> inside;
    for (const NearPair& p : found) {
      if (!p.inside) {
        pairs.push_back(distances.number(p));
        continue;
      }
      EXPECT_EQ(p.distance, 0);
      EXPECT_EQ(p.point_a, p.point_b);
      inside.push_back(shell_at(p, a, b));
    }
    EXPECT_EQ(pairs, distances.where([&](double sq) { return sq <= most_sq; }));
    std::ranges::sort(inside, std::greater<>{});
    std::vector<Contained> wanted = contained;
    std::ranges::sort(wanted, std::greater<>{});
    EXPECT_EQ(inside, wanted);
    EXPECT_TRUE(std::ranges::is_sorted(found, {}, [](const NearPair& p) {
      return Entry{p.triangle_a, p.triangle_b, !p.inside};
    }));
  }

  /// Which shell an inside entry stands for.
  Contained shell_at(const NearPair& p, const Shells& a, const Shells& b) const {
    const auto found = std::ranges::find(points, p.point_a);
    if (found == points.end()) return {false, b.shells.size()};
    const auto [of_a, shell] = contained[static_cast<std::size_t>(found - points.begin())];
    EXPECT_EQ(of_a ? p.triangle_a : p.triangle_b, (of_a ? a : b).first[shell]);
    return {of_a, shell};
  }
};

struct Scene {
  Shells a, b;
  Pose pose_a, pose_b;
  Expected expected;
  Model model_a, model_b;
};

Scene random_scene(scenes::Random& random) {
  Shells a = random_shells(random, 1), b = random_shells(random, random.index(3) == 0 ? 1 : 0.2);
  const Pose pose_a = random.index(2) == 0 ? Pose{} : testing::random_pose(random, {}, 0.2);
  const Pose pose_b = testing::random_pose(random, {}, 0.4);
  Expected expected(a, pose_a, b, pose_b);
  TreeOptions dop;
  dop.bound = Bound::dop;
  dop.k = 8;
  Model model_a(a.mesh, random.index(2) == 0 ? TreeOptions{} : dop), model_b(b.mesh);
  return {std::move(a), std::move(b), pose_a, pose_b, std::move(expected), std::move(model_a), std::move(model_b)};
}

Budget small_budget(scenes::Random& random) {
  if (random.index(5) == 0) return {.time = std::chrono::nanoseconds(0)};
  return {.node_pairs = random.index(30)};
}

std::vector<Entry> entries(const NearPairs& pairs) {
  std::vector<Entry> list;
  for (const NearPair& p : pairs) list.emplace_back(p.triangle_a, p.triangle_b, p.inside);
  std::ranges::sort(list);
  return list;
}

TEST(SolidNear, EqualsBruteForce) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  std::size_t contained = 0;
  for (int round = 0; round < 250; ++round) {
    const auto [a, b, pose_a, pose_b, expected, model_a, model_b] = random_scene(random);
    const double least = expected.contained.empty() ? expected.distances.least : 0;
    Pair pair(model_a, model_b);
    contained += expected.contained.size();
    for (const double d : {0.0, random.between(0, 0.5)}) {
      const WithinRequest within{.distance = d, .solid = true};
      expected.expect_equal(pair.within(pose_a, pose_b, within), d * d, a, b);
      EXPECT_EQ(pair.is_within(pose_a, pose_b, within), least <= d);
      EXPECT_EQ(is_within(model_a, pose_a, model_b, pose_b, within), least <= d);
      const auto many = run_many(model_a, model_b, std::vector{pose_b}, within, {}, {.pose_a = pose_a});
      expected.expect_equal(many[0].pairs, d * d, a, b);
      EXPECT_EQ(many[0].certainty.near, least <= d);
    }
    const double rel = random.between(0, 1), abs = random.index(2) == 0 ? 0 : random.between(0, 0.3);
    const ClosestPairsRequest closest{.rel_error = rel, .abs_error = abs, .solid = true};
    const double widest = least * (1 + rel) + abs;
    expected.expect_equal(pair.closest_pairs(pose_a, pose_b, closest), widest * widest, a, b);
    // An upper bound below the surfaces' distance hides them, not what is inside.
    const double bound = expected.distances.least / 2;
    const NearPairs bounded =
        pair.closest_pairs(pose_a, pose_b, {.abs_error = abs, .upper_bound = bound, .solid = true});
    if (!expected.contained.empty()) {
      expected.expect_equal(bounded, abs * abs, a, b);
    } else if (least > 0) {
      EXPECT_TRUE(bounded.empty());
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(contained, 5u);
}

TEST(SolidNear, BudgetsAndFunctionsEndWithTheSame) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  std::size_t unfinished = 0, inside = 0;
  for (int round = 0; round < 250; ++round) {
    const auto [a, b, pose_a, pose_b, expected, model_a, model_b] = random_scene(random);
    const double least = expected.contained.empty() ? expected.distances.least : 0;
    const double d = random.between(0, 0.4);
    Pair pair(model_a, model_b);
    const std::array<Request, 4> requests{WithinRequest{.distance = d, .solid = true},
                                          WithinRequest{.distance = d, .at_most = 1 + random.index(3), .solid = true},
                                          ClosestPairsRequest{.abs_error = d, .solid = true},
                                          ClosingPairsRequest{.abs_error = d, .solid = true}};
    for (const Request& request : requests) {
      NearPairs told;
      Query query = pair.start(pose_a, pose_b, request);
      Certainty c;
      do {
        c = random.index(2) == 0 ? query.run(small_budget(random))
                                 : query.run(small_budget(random), [&](const NearPair& p) {
                                     told.push_back(p);
                                     return true;
                                   });
        if (c.verdict != Verdict::unknown) {
          EXPECT_EQ(c.verdict == Verdict::colliding, least == 0);
        }
        EXPECT_LE(c.lower, least);
        EXPECT_GE(c.closest.distance, least);
        if (c.near) {
          EXPECT_LE(least, d);
        }
        unfinished += !c.finished;
      } while (!c.finished);
      query.run({}, [&](const NearPair& p) {
        told.push_back(p);
        return true;
      });
      const NearPairs listed = query.pairs();
      EXPECT_EQ(entries(told), entries(listed));
      inside += static_cast<std::size_t>(std::ranges::count(listed, true, &NearPair::inside));
      if (const auto* within = std::get_if<WithinRequest>(&request)) {
        EXPECT_EQ(c.near, least <= d);
        if (within->at_most > 3) {
          expected.expect_equal(listed, d * d, a, b);
        } else {
          const std::size_t all = pair.within(pose_a, pose_b, {.distance = d, .solid = true}).size();
          EXPECT_EQ(listed.size(), std::min(within->at_most, all));
        }
      } else if (std::holds_alternative<ClosestPairsRequest>(request)) {
        expected.expect_equal(listed, (least + d) * (least + d), a, b);
      } else {
        // The weak form holds at least the closest pairs.
        const NearPairs closest = pair.closest_pairs(pose_a, pose_b, {.abs_error = d, .solid = true});
        EXPECT_TRUE(std::ranges::includes(entries(listed), entries(closest)));
      }
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(unfinished, 100u);
  EXPECT_GT(inside, 5u);
}

TEST(SolidNear, AFunctionThatHasEnoughEndsTheSearch) {
  const Mesh field = test::together(
      {test::box({1, 1, 1}, {2, 2, 2}), test::box({4, 4, 4}, {5, 5, 5}), test::box({7, 7, 7}, {8, 8, 8})});
  Pair pair{Model(test::box({0, 0, 0}, {9, 9, 9})), Model(field)};
  Query query = pair.start({}, {}, WithinRequest{.distance = 0.5, .solid = true});
  int told = 0;
  const Certainty c = query.run({}, [&](const NearPair& p) {
    EXPECT_TRUE(p.inside);
    return ++told < 2;
  });
  EXPECT_TRUE(c.finished);
  EXPECT_TRUE(c.near);
  EXPECT_EQ(told, 2);
  EXPECT_EQ(pair.within({}, {}, {.distance = 0.5, .solid = true}).size(), 3u);
  EXPECT_EQ(pair.within({}, {}, {.distance = 0.5, .at_most = 0, .solid = true}).size(), 0u);
  EXPECT_TRUE(pair.is_within({}, {}, {.distance = 0.5, .at_most = 0, .solid = true}));
  EXPECT_FALSE(pair.is_within({}, {}, {.distance = 0.5}));
}

/// Shells are examined while surfaces are certainly apart; the walk over these may then find the last pair asked for.
TEST(SolidNear, EnoughPairsEndAnUnfinishedSearchForShells) {
  Mesh many = test::box({5, 5, 5}, {6, 6, 6});
  for (int i = 0; i < 40; ++i) many = test::together({many, test::box({20.0 + 2 * i, 0, 0}, {21.0 + 2 * i, 1, 1})});
  Pair pair{Model(test::box({0, 0, 0}, {100, 10, 10})), Model(many)};
  for (std::uint64_t budget = 1; budget < 60; ++budget)
    for (const std::size_t at_most : {2u, 3u, 7u}) {
      Query query = pair.start({}, Pose::from_translation({0.1, 1, 1}),
                               WithinRequest{.distance = 6, .at_most = at_most, .solid = true});
      int calls = 0;
      while (!query.run({.node_pairs = budget}).finished) ASSERT_LT(++calls, 10'000) << budget << " " << at_most;
      EXPECT_EQ(query.pairs().size(), at_most);
    }
}

TEST(SolidNear, RefusesMeshesThatAreNotClosed) {
  Mesh open = test::cube();
  open.triangles.pop_back();
  Pair pair{Model(test::cube()), Model(open)};
  const std::array<Request, 3> requests{WithinRequest{.solid = true}, ClosestPairsRequest{.solid = true},
                                        ClosingPairsRequest{.solid = true}};
  for (const Request& request : requests) try {
      pair.start({}, {}, request);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::not_closed);
    }
  EXPECT_THROW(pair.is_within({}, {}, {.distance = 1, .solid = true}), Error);
}

}  // namespace
}  // namespace tumble
