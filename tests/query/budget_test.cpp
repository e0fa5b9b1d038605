// SPDX-License-Identifier: Apache-2.0
#include "query/near_scenes.h"

#include <tumble/error.h>
#include <tumble/query.h>

#include <gtest/gtest.h>

#include <algorithm>
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
  void expect_true(const Certainty& c, const std::set<std::size_t>& found, bool decides_contact = true) const {
    EXPECT_LE(c.lower, distances.least);
    EXPECT_GE(c.closest.distance, distances.least);
    EXPECT_EQ(c.closest.lower, c.lower);
    EXPECT_EQ(c.closest.distance,
              std::sqrt(distances.squares[c.closest.triangle_a * distances.columns + c.closest.triangle_b]));
    if (c.verdict == Verdict::free) {
      EXPECT_GT(distances.least, 0);
    } else if (c.verdict == Verdict::colliding) {
      EXPECT_EQ(distances.least, 0);
    } else if (decides_contact) {
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
    last_budget_ = budget;
    return budget;
  }
  /// For going on: another one, or, as often, twice the last, so that long questions come to an end.
  Budget next_budget() {
    if (random.between(0, 1) < 0.3) return any_budget();
    if (last_budget_.node_pairs < 1'000'000) last_budget_.node_pairs = 2 * last_budget_.node_pairs + 1;
    if (last_budget_.time < std::chrono::seconds(1)) last_budget_.time *= 2;
    return last_budget_;
  }

 private:
  Budget last_budget_;
};

TEST_F(BudgetTest, IsNeverWrongAndEndsExactly) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::size_t queries = 0, verdicts[3] = {}, resumed = 0, separable = 0;
  for (const NearScene& scene : testing::near_scenes())
    for (const Bound bound : {Bound::obb, Bound::dop}) {
      TreeOptions tree;
      tree.bound = bound;
      tree.k = 14;
      tree.leaf_size = bound == Bound::dop ? 16 : 0;  // leaves of several groups of four, too
      Pair pair{Model(scene.environment, tree), Model(scene.object, tree)};
      for (std::size_t i = 0; i < scene.poses.size(); ++i) {
        const Truth truth(scene, i);
        const Pose &env = scene.environment_pose, &pose = scene.poses[i];
        const double d = truth.distances.least + std::min(0.02 * truth.distances.least, 0.05) + 0.004;
        const auto in_reach = truth.distances.where([&](double sq) { return sq <= d * d; });
        const DistanceRequest band{.rel_error = 1e-4, .abs_error = 0.01};
        const double widest = truth.distances.least * (1 + band.rel_error) + band.abs_error;
        const auto close = truth.distances.where([&](double sq) { return std::sqrt(sq) <= widest; });
        for (int round = 0; round < 16; ++round) {
          SCOPED_TRACE(scene.name + " " + name(bound) + " pose " + std::to_string(i));
          const auto judge = [&](const Certainty& c, const std::set<std::size_t>& found) {
            truth.expect_true(c, found);
            ++queries;
            ++verdicts[static_cast<std::size_t>(c.verdict)];
            separable += !c.finished && c.verdict == Verdict::unknown;
          };
          if (round % 2 == 0) pair.forget();
          Certainty c = pair.collide(env, pose, {}, any_budget());
          for (judge(c, {}); !c.finished; judge(c, {}), ++resumed) c = pair.resume(next_budget());
          EXPECT_EQ(c.verdict == Verdict::colliding, truth.distances.least == 0);

          const double wide = truth.distances.least * 2;
          for (const DistanceRequest& request :
               {DistanceRequest{}, DistanceRequest{.rel_error = 0.1}, DistanceRequest{.upper_bound = wide}}) {
            c = pair.distance(env, pose, request, any_budget());
            for (judge(c, {}); !c.finished; judge(c, {}), ++resumed) c = pair.resume(next_budget());
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
            c = pair.resume(next_budget(), contacts);
          EXPECT_TRUE(std::ranges::equal(contact_numbers(), truth.contacts));

          NearPairs near;
          c = pair.within(env, pose, d, any_budget(), near);
          const auto near_numbers = [&] {
            std::set<std::size_t> found;
            for (const NearPair& p : near) found.insert(truth.distances.number(p));
            EXPECT_EQ(found.size(), near.size());
            return found;
          };
          for (judge(c, near_numbers()); !c.finished; judge(c, near_numbers()), ++resumed)
            c = pair.resume(next_budget(), near);
          EXPECT_TRUE(std::ranges::equal(near_numbers(), in_reach));
          EXPECT_EQ(c.near, !near.empty());

          for (const double at : {truth.distances.least, truth.distances.least * 0.99, d, d + wide + 0.5}) {
            const bool is_near = truth.distances.least_sq <= at * at;
            const auto judge_near = [&] {
              truth.expect_true(c, {}, false);
              ++queries;
              if (c.near || c.finished) {
                EXPECT_EQ(c.near, is_near);
              }
            };
            c = pair.is_within(env, pose, at, any_budget());
            for (judge_near(); !c.finished; judge_near(), ++resumed) c = pair.resume(next_budget());
          }

          c = pair.closest_pairs(env, pose, band, any_budget(), near);
          for (judge(c, near_numbers()); !c.finished; judge(c, near_numbers()), ++resumed)
            c = pair.resume(next_budget(), near);
          EXPECT_TRUE(std::ranges::equal(near_numbers(), close));
          EXPECT_EQ(c.lower, truth.distances.least);

          std::set<std::size_t> met;
          double least = std::numeric_limits<double>::infinity();
          const auto meet = [&](const NearPair& p) {
            EXPECT_LE(p.distance, least * (1 + band.rel_error) + band.abs_error);
            EXPECT_TRUE(met.insert(truth.distances.number(p)).second);
            least = std::min(least, p.distance);
            return true;
          };
          c = pair.closing_pairs(env, pose, band, any_budget(), meet);
          for (judge(c, met); !c.finished; judge(c, met), ++resumed) c = pair.resume(next_budget(), meet);
          EXPECT_EQ(least, truth.distances.least);
          EXPECT_TRUE(std::ranges::includes(met, close));

          // A function that has seen enough: what it did not see is not certain.
          const auto stop = [&](const NearPair& p) { return p.distance > 0 && random.between(0, 1) < 0.8; };
          c = pair.closing_pairs(env, pose, {.abs_error = 1}, any_budget(), stop);
          for (truth.expect_true(c, {}, false); !c.finished; truth.expect_true(c, {}, false))
            c = pair.resume(next_budget(), stop);

          met.clear();
          const auto meet_contact = [&](const Contact& contact) {
            return met.insert(contact.triangle_a * truth.distances.columns + contact.triangle_b).second;
          };
          c = pair.contacts(env, pose, {.geometry = false}, any_budget(), meet_contact);
          for (judge(c, met); !c.finished; judge(c, met), ++resumed) c = pair.resume(next_budget(), meet_contact);
          EXPECT_TRUE(std::ranges::equal(met, truth.contacts));
        }
        if (HasFailure()) return;
      }
    }
  EXPECT_GT(queries, 10'000u);
  EXPECT_GT(resumed, 5'000u);
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

TEST_F(BudgetTest, AtMostSoManyContactsAreFoundInAnyNumberOfCalls) {
  std::size_t most = 0;
  for (const NearScene& scene : testing::near_scenes()) {
    Pair pair{Model(scene.environment), Model(scene.object)};
    for (std::size_t i = 0; i < scene.poses.size(); ++i) {
      const Truth truth(scene, i);
      const Pose &env = scene.environment_pose, &pose = scene.poses[i];
      most = std::max(most, truth.contacts.size());
      const auto is_contact = [&](const Contact& contact) {
        return std::ranges::binary_search(truth.contacts,
                                          contact.triangle_a * truth.distances.columns + contact.triangle_b);
      };
      for (std::size_t n = 1; n < 20; ++n) {
        SCOPED_TRACE(scene.name + " pose " + std::to_string(i) + " at most " + std::to_string(n));
        const std::size_t expected = std::min(n, truth.contacts.size());
        std::uint64_t node_pairs = n % 7;
        const auto next = [&] { return Budget{.node_pairs = node_pairs += 1 + node_pairs / 4}; };
        Contacts contacts;
        Certainty c = pair.contacts(env, pose, {.at_most = n, .geometry = false}, next(), contacts);
        while (!c.finished) c = pair.resume(next(), contacts);
        EXPECT_EQ(contacts.size(), expected);
        EXPECT_TRUE(std::ranges::all_of(contacts, is_contact));
        EXPECT_EQ(c.verdict == Verdict::colliding, expected > 0);

        std::size_t told = 0;
        const auto until_n = [&](const Contact& contact) {
          EXPECT_TRUE(is_contact(contact));
          return ++told < n;
        };
        node_pairs = n % 5;
        c = pair.contacts(env, pose, {.geometry = false}, next(), until_n);
        while (!c.finished) c = pair.resume(next(), until_n);
        EXPECT_EQ(told, expected);
      }
    }
  }
  EXPECT_GT(most, 20u);  // several times what is decided at once
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

  const Budget little{.time = std::chrono::nanoseconds(1)};
  c = pair.distance({}, there, {}, little);
  for (int calls = 1; !c.finished && calls < 1000; ++calls) c = pair.resume(little);
  EXPECT_TRUE(c.finished);
  EXPECT_EQ(c.closest.distance, least);
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

TEST(Budget, FunctionsEndAQuestion) {
  const Model model(box());
  Pair pair(model, model);
  int told = 0;
  const auto once = [&](const auto&) { return ++told < 1; };
  const std::function<bool(const Contact&)> contact = once;
  const std::function<bool(const NearPair&)> near = once;
  Certainty c = pair.contacts({}, moved(0.5), {}, {}, contact);
  EXPECT_TRUE(c.finished);
  EXPECT_EQ(c.verdict, Verdict::colliding);
  EXPECT_TRUE(pair.resume({}, contact).finished);
  EXPECT_THROW(pair.resume({}, near), Error);
  EXPECT_EQ(told, 1);
  told = 0;
  c = pair.closing_pairs({}, moved(3), {.abs_error = 1}, {}, near);
  EXPECT_TRUE(c.finished);
  EXPECT_NE(c.verdict, Verdict::colliding);
  EXPECT_LE(c.lower, 2);
  EXPECT_TRUE(pair.resume({}, near).finished);
  EXPECT_EQ(told, 1);
  told = 0;
  pair.contacts({}, moved(0.5), {.at_most = 0}, {}, contact);
  EXPECT_EQ(told, 0);
}

TEST(Budget, AFunctionThatEndedAQuestionIsNotToldWhatIsInside) {
  Mesh bodies = box();
  for (Vec3& v : bodies.vertices) v += {2.5, 0.1, 0.2};  // one is pierced, one is inside
  const auto first = static_cast<std::uint32_t>(bodies.vertices.size());
  for (const Vec3& v : box().vertices) bodies.vertices.push_back(v);
  for (const Triangle& t : box().triangles) bodies.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  Mesh wide = box();
  for (Vec3& v : wide.vertices) v = v * 5 - Vec3{2, 2, 2};
  Pair pair{Model(bodies), Model(wide)};
  const Contacts all = pair.contacts({}, {}, {.solid = true});
  ASSERT_GT(std::ranges::count(all, ContactKind::inside, &Contact::kind), 0);
  ASSERT_GT(std::ranges::count(all, ContactKind::cross, &Contact::kind), 0);
  for (const std::uint64_t node_pairs : {1, 3, 6, 1000}) {
    int told = 0;
    const std::function<bool(const Contact&)> once = [&](const Contact&) { return ++told < 1; };
    Certainty c = pair.contacts({}, {}, {.solid = true}, {.node_pairs = node_pairs}, once);
    while (!c.finished) c = pair.resume({.node_pairs = node_pairs}, once);
    EXPECT_EQ(told, 1) << node_pairs;
  }
}

TEST(Budget, AFunctionThatThrowsLeavesNothingToGoOnWith) {
  const Model model(box());
  Pair pair(model, model);
  const std::function<bool(const Contact&)> fails = [](const Contact&) -> bool { throw 1; };
  EXPECT_THROW(pair.contacts({}, moved(0.5), {}, {}, fails), int);
  EXPECT_THROW(pair.resume({}, fails), Error);
  EXPECT_TRUE(pair.collide({}, moved(0.5)));
}

TEST(Budget, AFunctionMustNotGoOnWithItsOwnQuestion) {
  const Model model(box());
  Pair pair(model, model);
  int refused = 0, told = 0;
  const std::function<bool(const Contact&)> contact = [&](const Contact&) {
    ++told;
    const std::function<bool(const Contact&)> inner = [](const Contact&) { return true; };
    try {
      pair.resume({}, inner);
    } catch (const Error&) {
      ++refused;
    }
    return true;
  };
  EXPECT_TRUE(pair.contacts({}, moved(0.5), {}, {}, contact).finished);
  EXPECT_GT(told, 1);
  EXPECT_EQ(refused, told);
  refused = told = 0;
  const std::function<bool(const NearPair&)> near = [&](const NearPair&) {
    ++told;
    const std::function<bool(const NearPair&)> inner = [](const NearPair&) { return true; };
    try {
      pair.resume({}, inner);
    } catch (const Error&) {
      ++refused;
    }
    return true;
  };
  EXPECT_TRUE(pair.closing_pairs({}, moved(3), {.abs_error = 1}, {}, near).finished);
  EXPECT_GT(told, 1);
  EXPECT_EQ(refused, told);
}

/// A walk that ends within leaves of many triangles has not seen the rest of them.
TEST(Budget, WhatAnEndedWalkDidNotSeeIsNotCertain) {
  constexpr std::uint64_t seed = 8;
  scenes::Random random(seed);
  const auto soup = [&] {
    Mesh mesh;
    for (std::uint32_t t = 0; t < 40; ++t) {
      const Vec3 at = random.in_box({-1, -1, -1}, {1, 1, 1});
      for (int corner = 0; corner < 3; ++corner)
        mesh.vertices.push_back(at + random.in_box({-0.2, -0.2, -0.2}, {0.2, 0.2, 0.2}));
      mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    }
    return mesh;
  };
  TreeOptions tree;
  tree.leaf_size = 16;
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", round " + std::to_string(round));
    Pair pair{Model(soup(), tree), Model(soup(), tree)};
    const Pose pose = Pose::from_translation({random.between(1, 2.5), 0, 0});
    const double least = pair.distance({}, pose).distance;
    pair.forget();
    const Certainty within = pair.is_within({}, pose, least + random.between(0, 1), Budget{});
    EXPECT_TRUE(within.near);
    EXPECT_LE(within.lower, least);
    EXPECT_FALSE(least == 0 && within.verdict == Verdict::free);
    pair.forget();
    const std::function<bool(const NearPair&)> enough = [&](const NearPair&) { return random.between(0, 1) < 0.7; };
    const Certainty closing = pair.closing_pairs({}, pose, {.abs_error = 1}, Budget{}, enough);
    EXPECT_LE(closing.lower, least);
    EXPECT_FALSE(least == 0 && closing.verdict == Verdict::free);
  }
}

/// Where everything ties, most of the work comes after the walk, and each call must get on with it.
TEST(Budget, TheSameShortTimeAgainAndAgainComesToAnEnd) {
  Mesh plate;
  const std::uint32_t n = 12;
  for (std::uint32_t i = 0; i <= n; ++i)
    for (std::uint32_t j = 0; j <= n; ++j) plate.vertices.push_back({double(i), double(j), 0});
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < n; ++j) {
      const std::uint32_t at = i * (n + 1) + j;
      plate.triangles.push_back({at, at + 1, at + n + 2});
      plate.triangles.push_back({at, at + n + 2, at + n + 1});
    }
  const Model model(plate);
  Pair pair(model, model);
  const Pose above = Pose::from_translation({0.25, 0.25, 1});
  for (const auto time : {std::chrono::nanoseconds(1), std::chrono::nanoseconds(2000)}) {
    Certainty c = pair.distance({}, above, {}, Budget{.time = time});
    int calls = 1;
    for (; !c.finished && calls < 20'000; ++calls) c = pair.resume(Budget{.time = time});
    EXPECT_TRUE(c.finished) << calls;
    EXPECT_EQ(c.closest.distance, 1);
  }
  const Model cube(box());
  Pair cubes(cube, cube);
  Penetration depth;
  const Budget little{.time = std::chrono::nanoseconds(1)};
  Certainty c = cubes.penetration({}, moved(0.5), {}, little, depth);
  for (int calls = 1; !c.finished && calls < 100'000; ++calls) c = cubes.resume(little, depth);
  EXPECT_TRUE(c.finished);
}

TEST(Budget, EveryOtherQuestionEndsTheLastOne) {
  const Model model(box());
  Pair pair(model, model);
  for (const bool solid : {false, true}) {
    ASSERT_TRUE(pair.collide({}, moved(0.5), {.solid = solid}));
    pair.distance({}, moved(5), {}, Budget{.node_pairs = 0});
    ASSERT_TRUE(pair.collide({}, moved(0.5), {.solid = solid}));  // known at once from the contact found before
    EXPECT_THROW(pair.resume(Budget{}), Error);
  }
}

TEST(Budget, CountersAreThoseOfTheQuestionWithout) {
  const NearScene& scene = testing::near_scenes()[0];
  const Pose &env = scene.environment_pose, &pose = scene.poses[0];
  Pair pair{Model(scene.environment), Model(scene.object)};
  Contacts contacts;
  NearPairs near;
  Certainty c;
  const auto counted = [&](const auto& ask) {
    pair.count(true);
    ask();
    return pair.stats().contacts;
  };
  const Budget few{.node_pairs = 9};
  const auto expect_equal = [&](const auto& plain, const auto& hurried, const auto&... so_far) {
    EXPECT_EQ(counted(plain), counted([&] {
                for (c = hurried(); !c.finished;) c = pair.resume(few, so_far...);
              }));
    EXPECT_GT(pair.stats().contacts, 0u);
  };
  expect_equal([&] { pair.collide(env, pose); }, [&] { return pair.collide(env, pose, {}, few); });
  expect_equal([&] { pair.distance(env, pose); }, [&] { return pair.distance(env, pose, {}, few); });
  expect_equal([&] { pair.is_within(env, pose, 1); }, [&] { return pair.is_within(env, pose, 1, few); });
  EXPECT_EQ(counted([&] { pair.contacts(env, pose); }), counted([&] {
              for (c = pair.contacts(env, pose, {}, few, contacts); !c.finished;) c = pair.resume(few, contacts);
            }));
  EXPECT_EQ(counted([&] { pair.within(env, pose, 0.1); }), counted([&] {
              for (c = pair.within(env, pose, 0.1, few, near); !c.finished;) c = pair.resume(few, near);
            }));
  EXPECT_EQ(counted([&] { pair.closest_pairs(env, pose); }), counted([&] {
              for (c = pair.closest_pairs(env, pose, {}, few, near); !c.finished;) c = pair.resume(few, near);
            }));
}

TEST(Budget, BatchesKeepToItAtEveryPose) {
  const NearScene& scene = testing::near_scenes()[0];
  const Model a(scene.environment), b(scene.object);
  const Pose& env = scene.environment_pose;
  std::vector<Pose> poses;
  for (int i = 0; i < 20; ++i) poses.insert(poses.end(), scene.poses.begin(), scene.poses.end());
  for (const std::uint64_t node_pairs : {std::uint64_t{3}, std::uint64_t{40}, Budget{}.node_pairs})
    for (const int threads : {1, 2}) {
      const Budget budget{.node_pairs = node_pairs};
      std::vector<Contacts> so_far;
      const auto any = collide_many(a, b, poses, env, {}, budget, {}, threads);
      const auto all = contacts_many(a, b, poses, env, {.geometry = false}, budget, so_far, {}, threads);
      const auto far = distance_many(a, b, poses, env, {}, budget, {}, threads);
      ASSERT_EQ(far.size(), poses.size());
      for (std::size_t i = 0; i < poses.size(); ++i) {
        const AllDistances& expected = scene.expected[i % scene.poses.size()];
        for (const Certainty& c : {any[i], all[i], far[i]}) {
          EXPECT_LE(c.node_pairs, node_pairs);
          EXPECT_LE(c.lower, expected.least);
          EXPECT_GE(c.closest.distance, expected.least);
          EXPECT_TRUE(c.verdict == Verdict::unknown || (c.verdict == Verdict::colliding) == (expected.least == 0));
        }
        if (all[i].finished) {
          EXPECT_EQ(so_far[i].size(), expected.where([](double sq) { return sq == 0; }).size());
        }
        if (node_pairs == Budget{}.node_pairs) {
          EXPECT_EQ(far[i].closest.distance, expected.least);
          EXPECT_TRUE(any[i].finished && all[i].finished && far[i].finished);
        }
      }
    }
}

/// Four hundred boxes in a large one, of which every second is inside, so that shells take most of the time.
TEST(Budget, BindsLookingAtShells) {
  Mesh many;
  for (int i = 0; i < 400; ++i)
    for (const Mesh& cube : {box()}) {
      const auto first = static_cast<std::uint32_t>(many.vertices.size());
      const Vec3 at{i % 20 * 2.0, i / 20 * 2.0, i % 2 == 0 ? 1.0 : 500.0};
      for (const Vec3& v : cube.vertices) many.vertices.push_back(v + at);
      for (const Triangle& t : cube.triangles) many.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    }
  Mesh wide = box();
  for (Vec3& v : wide.vertices) v = v * 100 - Vec3{20, 20, 20};
  Pair pair{Model(wide), Model(many)};
  const Pose away = Pose::from_translation({0, 0, -1000});
  const Contacts expected = pair.contacts({}, {}, {.solid = true});
  ASSERT_EQ(expected.size(), 200u);
  for (const Budget& budget : {Budget{.node_pairs = 20}, Budget{.time = std::chrono::nanoseconds(1)}}) {
    Contacts contacts;
    Certainty c = pair.contacts({}, {}, {.solid = true}, budget, contacts);
    int calls = 1;
    for (; !c.finished; ++calls) {
      EXPECT_TRUE(c.verdict == Verdict::unknown || c.verdict == Verdict::colliding);
      EXPECT_GE(c.separation, c.verdict == Verdict::unknown ? 80 : 0);
      c = pair.resume(budget, contacts);
    }
    EXPECT_GT(calls, 10);
    ASSERT_EQ(contacts.size(), expected.size());
    for (std::size_t i = 0; i < contacts.size(); ++i) EXPECT_EQ(contacts[i].triangle_b, expected[i].triangle_b);
    std::size_t told = 0;
    const std::function<bool(const Contact&)> tell = [&](const Contact&) { return ++told < 150; };
    for (c = pair.contacts({}, {}, {.solid = true}, budget, tell); !c.finished;) c = pair.resume(budget, tell);
    EXPECT_EQ(told, 150u);
    for (c = pair.collide({}, away, {.solid = true}, budget); !c.finished;) c = pair.resume(budget);
    EXPECT_EQ(c.verdict, Verdict::free);
    for (c = pair.distance({}, {}, {.solid = true}, budget); !c.finished;) c = pair.resume(budget);
    EXPECT_EQ(c.verdict, Verdict::colliding);
    EXPECT_TRUE(c.closest.inside);
  }
}

}  // namespace
}  // namespace tumble
