// SPDX-License-Identifier: Apache-2.0
#include "query/near_scenes.h"

#include <tumble/error.h>
#include <tumble/query.h>

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <set>

namespace tumble {
namespace {

using testing::AllDistances;
using testing::corners_of;
using testing::NearScene;

/// The least translation along a normal or a cross product of edges that separates two triangles: an upper bound of
/// what separates them, and exact where neither is degenerate.
double separating_translation(const Corners& a, const Corners& b) {
  double least = std::numeric_limits<double>::infinity();
  const auto try_axis = [&](const Vec3& axis) {
    const double size = length(axis);
    if (size < 1e-12) return;
    double a_low = 1e300, a_high = -1e300, b_low = 1e300, b_high = -1e300;
    for (std::size_t i = 0; i < 3; ++i) {
      const double pa = dot(axis, a[i] - a[0]) / size, pb = dot(axis, b[i] - a[0]) / size;
      a_low = std::min(a_low, pa), a_high = std::max(a_high, pa);
      b_low = std::min(b_low, pb), b_high = std::max(b_high, pb);
    }
    least = std::min({least, std::max(a_high - b_low, 0.0), std::max(b_high - a_low, 0.0)});
  };
  try_axis(cross(a[1] - a[0], a[2] - a[0]));
  try_axis(cross(b[1] - b[0], b[2] - b[0]));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) try_axis(cross(a[next_corner(i)] - a[i], b[next_corner(j)] - b[j]));
  return least;
}

/// One pose of a scene, and everything that may be said about it.
struct Truth {
  const NearScene& scene;
  const Pose& pose;
  const AllDistances& distances;
  std::vector<std::size_t> contacts;
  std::vector<double> separations;  // of each contact

  Truth(const NearScene& s, std::size_t i)
      : scene(s),
        pose(s.poses[i]),
        distances(s.expected[i]),
        contacts(distances.where([](double sq) { return sq == 0; })) {
    for (const std::size_t n : contacts)
      separations.push_back(
          separating_translation(corners_of(scene.environment, scene.environment_pose, n / distances.columns),
                                 corners_of(scene.object, pose, n % distances.columns)));
  }

  /// `found`: contacts that are no longer unresolved.
  void expect_true(const Certainty& c, const std::set<std::size_t>& found) const {
    EXPECT_LE(c.lower, distances.least);
    EXPECT_GE(c.closest.distance, distances.least);
    EXPECT_EQ(c.closest.lower, c.lower);
    EXPECT_EQ(c.closest.distance,
              std::sqrt(distances.squares[c.closest.triangle_a * distances.columns + c.closest.triangle_b]));
    if (c.verdict == Verdict::free) {
      EXPECT_GT(distances.least, 0);
    } else if (c.verdict == Verdict::colliding) {
      EXPECT_EQ(distances.least, 0);
    } else {
      EXPECT_FALSE(c.finished);
    }
    if (c.finished) return;
    for (std::size_t k = 0; k < contacts.size(); ++k)
      if (!found.contains(contacts[k])) {
        EXPECT_LE(separations[k], c.separation);
      }
  }
};

class BudgetTest : public ::testing::Test {
 protected:
  static constexpr std::uint64_t seed = 20031;
  scenes::Random random{seed};
  void SetUp() override { RecordProperty("seed", std::to_string(seed)); }

  Budget any_budget() {
    Budget budget;
    const double kind = random.between(0, 1);
    if (kind < 0.8) budget.node_pairs = static_cast<std::uint64_t>(std::exp(random.between(0, 6))) - 1;
    if (kind > 0.7) budget.time = std::chrono::nanoseconds(static_cast<std::int64_t>(random.between(0, 2e4)));
    return budget;
  }
};

TEST_F(BudgetTest, IsNeverWrongAndEndsExactly) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::size_t queries = 0, verdicts[3] = {}, resumed = 0, separable = 0;
  for (const NearScene& scene : testing::near_scenes())
    for (const Bound bound : {Bound::obb, Bound::dop}) {
      TreeOptions tree;
      tree.bound = bound;
      tree.k = 14;
      Pair pair{Model(scene.environment, tree), Model(scene.object, tree)};
      for (std::size_t i = 0; i < scene.poses.size(); ++i) {
        const Truth truth(scene, i);
        const Pose &env = scene.environment_pose, &pose = scene.poses[i];
        for (int round = 0; round < 24; ++round) {
          SCOPED_TRACE(scene.name + " " + name(bound) + " pose " + std::to_string(i));
          const auto judge = [&](const Certainty& c, const std::set<std::size_t>& found) {
            truth.expect_true(c, found);
            ++queries;
            ++verdicts[static_cast<std::size_t>(c.verdict)];
            separable += !c.finished && c.verdict == Verdict::unknown;
          };
          if (round % 2 == 0) pair.forget();
          Certainty c = pair.collide(env, pose, {}, any_budget());
          for (judge(c, {}); !c.finished; judge(c, {}), ++resumed) c = pair.resume(any_budget());
          EXPECT_EQ(c.verdict == Verdict::colliding, truth.distances.least == 0);

          const double wide = truth.distances.least * 2;
          for (const DistanceRequest& request :
               {DistanceRequest{}, DistanceRequest{.rel_error = 0.1}, DistanceRequest{.upper_bound = wide}}) {
            c = pair.distance(env, pose, request, any_budget());
            for (judge(c, {}); !c.finished; judge(c, {}), ++resumed) c = pair.resume(any_budget());
            if (request.rel_error == 0) {
              EXPECT_EQ(c.closest.distance, truth.distances.least);
              EXPECT_EQ(c.lower, truth.distances.least);
            }
          }

          Contacts contacts;
          const auto contact_numbers = [&] {
            std::set<std::size_t> found;
            for (const Contact& contact : contacts)
              found.insert(contact.triangle_a * truth.distances.columns + contact.triangle_b);
            EXPECT_EQ(found.size(), contacts.size());
            return found;
          };
          c = pair.contacts(env, pose, {.geometry = false}, any_budget(), contacts);
          for (judge(c, contact_numbers()); !c.finished; judge(c, contact_numbers()), ++resumed)
            c = pair.resume(any_budget(), contacts);
          EXPECT_TRUE(std::ranges::equal(contact_numbers(), truth.contacts));

          NearPairs near;
          const double d = truth.distances.least * 1.02 + 0.004;
          c = pair.within(env, pose, d, any_budget(), near);
          for (judge(c, {truth.contacts.begin(), truth.contacts.end()}); !c.finished; ++resumed)
            c = pair.resume(any_budget(), near);
          std::vector<std::size_t> found;
          for (const NearPair& p : near) found.push_back(truth.distances.number(p));
          EXPECT_EQ(found, truth.distances.where([&](double sq) { return sq <= d * d; }));
        }
        if (HasFailure()) return;
      }
    }
  EXPECT_GT(queries, 4'000u);
  EXPECT_GT(resumed, 2'000u);
  EXPECT_GT(separable, 150u);
  for (const std::size_t n : verdicts) EXPECT_GT(n, 150u);
}

TEST_F(BudgetTest, LowersTightenWithTheBudget) {
  const NearScene& scene = testing::near_scenes()[0];
  Pair pair{Model(scene.environment), Model(scene.object)};
  double before = 0;
  Certainty c = pair.distance(scene.environment_pose, scene.poses[1], {}, {.node_pairs = 0});
  EXPECT_EQ(c.node_pairs, 0u);
  EXPECT_FALSE(c.finished);
  for (std::uint64_t n = 1; !c.finished; ++n) {
    EXPECT_GE(c.lower, before);
    before = c.lower;
    c = pair.resume({.node_pairs = 1});
    EXPECT_LE(c.node_pairs, n);
  }
  EXPECT_EQ(c.lower, c.closest.distance);
  EXPECT_EQ(pair.resume({}).closest.distance, c.closest.distance);  // nothing left, the same answer
}

TEST_F(BudgetTest, TouchingIsIgnoredWhereAsked) {
  const Mesh lower{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, {}};
  const Mesh upper{{{0.2, 0.2, 0}, {0.2, 0.2, 1}, {0.4, 0.2, 1}}, {{0, 1, 2}}, {}};
  Pair pair{Model(lower), Model(upper)};
  EXPECT_EQ(pair.collide({}, {}, {}, {}).verdict, Verdict::colliding);
  const Certainty c = pair.collide({}, {}, {.ignore_touch = true}, {});
  EXPECT_EQ(c.verdict, Verdict::free);
  EXPECT_EQ(c.closest.distance, 0);
  Contacts contacts;
  EXPECT_EQ(pair.contacts({}, {}, {.ignore_touch = true}, {}, contacts).verdict, Verdict::free);
  EXPECT_TRUE(contacts.empty());
  EXPECT_EQ(pair.contacts({}, {}, {.at_most = 0}, {}, contacts).verdict, Verdict::colliding);
  EXPECT_TRUE(contacts.empty());
}

TEST_F(BudgetTest, SolidsAreAnsweredWhenFinished) {
  const Mesh outer = scenes::wrinkled_torus(200);
  const Mesh inner = testing::moved(scenes::wrinkled_torus(200), 1e-3, Vec3{1, 0, 0});  // in the middle of the tube
  Pair pair{Model(outer), Model(inner)};
  const Pose outside = Pose::from_translation({0, 0, 9});
  for (const bool is_inside : {true, false}) {
    const Pose pose = is_inside ? Pose{} : outside;
    ASSERT_EQ(pair.collide({}, pose, {.solid = true}), is_inside);
    Certainty c = pair.collide({}, pose, {.solid = true}, {.node_pairs = 1});
    EXPECT_EQ(c.finished, !is_inside);  // where volumes do not even meet there is nothing to do
    if (!c.finished) {
      EXPECT_EQ(c.verdict, Verdict::unknown);
    }
    while (!c.finished) c = pair.resume({.node_pairs = 1});
    EXPECT_EQ(c.verdict, is_inside ? Verdict::colliding : Verdict::free);
    Contacts contacts;
    c = pair.contacts({}, pose, {.solid = true}, {.node_pairs = 1}, contacts);
    EXPECT_TRUE(contacts.empty());
    while (!c.finished) c = pair.resume({.node_pairs = 1}, contacts);
    EXPECT_EQ(c.verdict, is_inside ? Verdict::colliding : Verdict::free);
    EXPECT_EQ(contacts.size(), pair.contacts({}, pose, {.solid = true}).size());
    EXPECT_EQ(pair.contacts({}, pose, {.at_most = 0, .solid = true}, {}, contacts).verdict,
              is_inside ? Verdict::colliding : Verdict::free);
    EXPECT_TRUE(contacts.empty());
  }
}

TEST_F(BudgetTest, WorksWhereBoundsDoNot) {
  const Mesh unit{{{-1, -1, -1}, {1, 1, -1}, {0, 0, 2}}, {{0, 1, 2}}, {}};
  Mesh many;
  for (int i = 0; i < 40; ++i) {
    const auto first = static_cast<std::uint32_t>(many.vertices.size());
    for (const Vec3& v : unit.vertices) many.vertices.push_back(v * 1e-40 + Vec3{i * 1e-40, 0, 0});
    many.triangles.push_back({first, first + 1, first + 2});
  }
  TreeOptions dop, obb;
  dop.bound = Bound::dop;
  obb.bound = Bound::obb;
  Pair pair{Model(unit, obb), Model(many, dop)};
  const Pose there = Pose::from_translation({0.1, 0.2, 3});
  const double least = AllDistances(unit, {}, many, there).least;
  Certainty c = pair.distance({}, there, {}, {.node_pairs = 2});
  EXPECT_FALSE(c.finished);
  EXPECT_EQ(c.verdict, Verdict::unknown);
  EXPECT_GT(c.separation, 3);
  while (!c.finished) c = pair.resume({.node_pairs = 3});
  EXPECT_EQ(c.closest.distance, least);
  EXPECT_EQ(c.lower, least);
}

TEST_F(BudgetTest, OnlyWhatIsUnfinishedCanBeGoneOnWith) {
  const NearScene& scene = testing::near_scenes()[0];
  Pair pair{Model(scene.environment), Model(scene.object)};
  Contacts contacts;
  NearPairs near;
  EXPECT_THROW(pair.resume({}), Error);
  pair.distance(scene.environment_pose, scene.poses[0], {}, {.node_pairs = 1});
  EXPECT_THROW(pair.resume({}, contacts), Error);
  EXPECT_THROW(pair.resume({}, near), Error);
  pair.collide(scene.environment_pose, scene.poses[0]);
  EXPECT_THROW(pair.resume({}), Error);
  pair.contacts(scene.environment_pose, scene.poses[0], {}, {.node_pairs = 1}, contacts);
  EXPECT_THROW(pair.resume({}), Error);
  EXPECT_TRUE(pair.resume({}, contacts).finished);
  pair.within(scene.environment_pose, scene.poses[0], 0.1, {.node_pairs = 1}, near);
  EXPECT_TRUE(pair.resume({}, near).finished);
  pair.forget();
  EXPECT_THROW(pair.resume({}, near), Error);
}

/// Two boxes of twelve triangles, one of them 4 away along x.
Mesh box() {
  Mesh mesh;
  for (int corner = 0; corner < 8; ++corner)
    mesh.vertices.push_back(
        {static_cast<double>(corner & 1), static_cast<double>(corner >> 1 & 1), static_cast<double>(corner >> 2 & 1)});
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}
Pose moved(double x) { return Pose::from_rows(std::array<double, 12>{1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0}); }

TEST(Budget, AFinishedDistanceBeyondTheBoundIsFarther) {
  const Model model(box());
  Pair pair(model, model);
  for (const double bound : {1.0, 3.999, 4.0, 9.0}) {
    const Distance plain = pair.distance({}, moved(5), {.upper_bound = bound});
    const Certainty hurried = pair.distance({}, moved(5), {.upper_bound = bound}, Budget{.node_pairs = 1'000'000});
    ASSERT_TRUE(hurried.finished);
    EXPECT_EQ(hurried.closest.farther, plain.farther) << bound;
    EXPECT_EQ(hurried.closest.distance, plain.distance) << bound;
    pair.distance({}, moved(5), {.upper_bound = bound}, Budget{.node_pairs = 0});
    EXPECT_EQ(pair.resume(Budget{}).closest.distance, plain.distance) << bound;
  }
}

TEST(Budget, EvenAQuestionForNoContactsEndsTheLastOne) {
  const Model model(box());
  Pair pair(model, model);
  Contacts found;
  pair.contacts({}, moved(0.5), {}, Budget{.node_pairs = 1}, found);
  pair.contacts({}, moved(0.5), {.at_most = 0});
  EXPECT_THROW(pair.resume(Budget{}, found), Error);
}

TEST(Budget, ListsOfPairsKnowNoSolids) {
  const Model model(box());
  Pair pair(model, model);
  EXPECT_THROW(pair.closest_pairs({}, moved(5), {.solid = true}), Error);
  EXPECT_THROW(pair.closing_pairs({}, moved(5), {.solid = true}, [](const NearPair&) { return true; }), Error);
}

}  // namespace
}  // namespace tumble
