// SPDX-License-Identifier: Apache-2.0
#include "query/near_scenes.h"
#include "query/separation.h"

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
using testing::separating_translation;

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
        const ClosestPairsRequest band{.rel_error = 1e-4, .abs_error = 0.01};
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
          // Asks with random budgets until it is answered, and judges every step of the way.
          const auto ask = [&](const Request& request, const auto& judge_step) {
            Query query = pair.start(env, pose, request);
            Certainty c = query.run(any_budget());
            for (judge_step(query, c); !c.finished; judge_step(query, c), ++resumed) c = query.run(next_budget());
            return c;
          };
          const auto verdict_only = [&](Query&, const Certainty& c) { judge(c, {}); };
          Certainty c = ask(CollideRequest{}, verdict_only);
          EXPECT_EQ(c.verdict == Verdict::colliding, truth.distances.least == 0);

          const double wide = truth.distances.least * 2;
          for (const DistanceRequest& request : {DistanceRequest{.last_bit = true}, DistanceRequest{.rel_error = 0.1},
                                                 DistanceRequest{.upper_bound = wide, .last_bit = true}}) {
            c = ask(request, verdict_only);
            if (request.rel_error == 0) {
              EXPECT_EQ(c.closest.distance, truth.distances.least);
              EXPECT_EQ(c.lower, truth.distances.least);
            }
          }

          std::set<std::size_t> met;
          const auto number_of = [&](const Contact& contact) {
            return contact.triangle_a * truth.distances.columns + contact.triangle_b;
          };
          ask(ContactRequest{.geometry = false}, [&](Query& query, const Certainty& now) {
            met.clear();
            for (const Contact& contact : query.contacts()) met.insert(number_of(contact));
            EXPECT_EQ(met.size(), query.contacts().size());
            judge(now, met);
          });
          EXPECT_TRUE(std::ranges::equal(met, truth.contacts));

          const auto judge_pairs = [&](Query& query, const Certainty& now) {
            met.clear();
            for (const NearPair& p : query.pairs()) met.insert(truth.distances.number(p));
            EXPECT_EQ(met.size(), query.pairs().size());
            judge(now, met);
          };
          c = ask(WithinRequest{.distance = d}, judge_pairs);
          EXPECT_TRUE(std::ranges::equal(met, in_reach));
          EXPECT_EQ(c.near, !met.empty());

          for (const double at : {truth.distances.least, truth.distances.least * 0.99, d, d + wide + 0.5}) {
            const bool is_near = truth.distances.least_sq <= at * at;
            ask(WithinRequest{.distance = at, .at_most = 1}, [&](Query&, const Certainty& now) {
              truth.expect_true(now, {}, false);
              ++queries;
              if (now.near || now.finished) {
                EXPECT_EQ(now.near, is_near);
              }
            });
          }

          c = ask(ClosestPairsRequest{band.rel_error, band.abs_error}, judge_pairs);
          EXPECT_TRUE(std::ranges::equal(met, close));
          EXPECT_EQ(c.lower, truth.distances.least);

          // As they come; and lists of what was told.
          const auto tell = [&](const Request& request, const auto& each, const auto& judge_step) {
            Query query = pair.start(env, pose, request);
            c = query.run(any_budget(), each);
            for (judge_step(); !c.finished; judge_step(), ++resumed) c = query.run(next_budget(), each);
            return query;
          };
          met.clear();
          double least = std::numeric_limits<double>::infinity();
          const auto meet = [&](const NearPair& p) {
            EXPECT_LE(p.distance, least * (1 + band.rel_error) + band.abs_error);
            EXPECT_TRUE(met.insert(truth.distances.number(p)).second);
            least = std::min(least, p.distance);
            return true;
          };
          tell(ClosingPairsRequest{band.rel_error, band.abs_error}, meet, [&] { judge(c, met); });
          EXPECT_EQ(least, truth.distances.least);
          EXPECT_TRUE(std::ranges::includes(met, close));

          // A function that has seen enough: what it did not see is not certain.
          const auto stop = [&](const NearPair& p) { return p.distance > 0 && random.between(0, 1) < 0.8; };
          tell(ClosingPairsRequest{.abs_error = 1}, stop, [&] { truth.expect_true(c, {}, false); });

          met.clear();
          const auto meet_contact = [&](const Contact& contact) { return met.insert(number_of(contact)).second; };
          Query told = tell(ContactRequest{.geometry = false}, meet_contact, [&] { judge(c, met); });
          EXPECT_TRUE(std::ranges::equal(met, truth.contacts));
          EXPECT_EQ(told.contacts().size(), truth.contacts.size());
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
  Query query = pair.start(scene.environment_pose, scene.poses[1], DistanceRequest{});
  Certainty c = query.run({.node_pairs = 0});
  EXPECT_EQ(c.node_pairs, 0u);
  EXPECT_FALSE(c.finished);
  for (std::uint64_t n = 1; !c.finished; ++n) {
    EXPECT_GE(c.lower, before);
    before = c.lower;
    c = query.run({.node_pairs = 1});
    EXPECT_LE(c.node_pairs, n);
  }
  EXPECT_EQ(c.lower, c.closest.distance);
  EXPECT_EQ(query.run().closest.distance, c.closest.distance);  // nothing left, the same answer
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
        Query listed = pair.start(env, pose, ContactRequest{.at_most = n, .geometry = false});
        Certainty c = listed.run(next());
        while (!c.finished) c = listed.run(next());
        EXPECT_EQ(listed.contacts().size(), expected);
        EXPECT_TRUE(std::ranges::all_of(listed.contacts(), is_contact));
        EXPECT_EQ(c.verdict == Verdict::colliding, expected > 0);

        std::size_t told = 0;
        const auto until_n = [&](const Contact& contact) {
          EXPECT_TRUE(is_contact(contact));
          return ++told < n;
        };
        node_pairs = n % 5;
        Query query = pair.start(env, pose, ContactRequest{.geometry = false});
        do c = query.run(next(), until_n);
        while (!c.finished);
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
  for (const Budget& budget : {Budget{}, Budget{.node_pairs = 100}}) {
    EXPECT_EQ(pair.start({}, {}, CollideRequest{}).run(budget).verdict, Verdict::colliding);
    EXPECT_EQ(pair.start({}, {}, CollideRequest{.ignore_touch = true}).run(budget).verdict, Verdict::free);
    Query ignoring = pair.start({}, {}, ContactRequest{.ignore_touch = true});
    EXPECT_EQ(ignoring.run(budget).verdict, Verdict::free);
    EXPECT_TRUE(ignoring.contacts().empty());
    Query for_none = pair.start({}, {}, ContactRequest{.at_most = 0});
    EXPECT_EQ(for_none.run(budget).verdict, Verdict::colliding);
    EXPECT_TRUE(for_none.contacts().empty());
  }
  EXPECT_EQ(pair.start({}, {}, CollideRequest{.ignore_touch = true}).run({.node_pairs = 100}).closest.distance, 0);
}

TEST_F(BudgetTest, SolidsAreAnsweredWhenFinished) {
  const Mesh outer = scenes::wrinkled_torus(200);
  const Mesh inner = testing::moved(scenes::wrinkled_torus(200), 1e-3, Vec3{1, 0, 0});  // in the middle of the tube
  Pair pair{Model(outer), Model(inner)};
  const Pose outside = Pose::from_translation({0, 0, 9});
  for (const bool is_inside : {true, false}) {
    const Pose pose = is_inside ? Pose{} : outside;
    ASSERT_EQ(pair.collide({}, pose, {.solid = true}), is_inside);
    Query any = pair.start({}, pose, CollideRequest{.solid = true});
    Certainty c = any.run({.node_pairs = 1});
    EXPECT_EQ(c.finished, !is_inside);  // where volumes do not even meet there is nothing to do
    if (!c.finished) {
      EXPECT_EQ(c.verdict, Verdict::unknown);
    }
    while (!c.finished) c = any.run({.node_pairs = 1});
    EXPECT_EQ(c.verdict, is_inside ? Verdict::colliding : Verdict::free);
    Query all = pair.start({}, pose, ContactRequest{.solid = true});
    c = all.run({.node_pairs = 1});
    EXPECT_TRUE(all.contacts().empty());
    while (!c.finished) c = all.run({.node_pairs = 1});
    EXPECT_EQ(c.verdict, is_inside ? Verdict::colliding : Verdict::free);
    const std::size_t found = all.contacts().size();
    EXPECT_EQ(found, pair.contacts({}, pose, {.solid = true}).size());
    Query for_none = pair.start({}, pose, ContactRequest{.at_most = 0, .solid = true});
    EXPECT_EQ(for_none.run().verdict, is_inside ? Verdict::colliding : Verdict::free);
    EXPECT_TRUE(for_none.contacts().empty());
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
  Query query = pair.start({}, there, DistanceRequest{});
  Certainty c = query.run({.node_pairs = 2});
  EXPECT_FALSE(c.finished);
  EXPECT_EQ(c.verdict, Verdict::unknown);
  EXPECT_GT(c.separation, 3);
  while (!c.finished) c = query.run({.node_pairs = 3});
  EXPECT_EQ(c.closest.distance, least);
  EXPECT_EQ(c.lower, least);

  const Budget little{.time = std::chrono::nanoseconds(1)};
  Query hurried = pair.start({}, there, DistanceRequest{});
  c = hurried.run(little);
  for (int calls = 1; !c.finished && calls < 1000; ++calls) c = hurried.run(little);
  EXPECT_TRUE(c.finished);
  EXPECT_EQ(c.closest.distance, least);
}

TEST_F(BudgetTest, AnotherQuestionMakesAQueryStale) {
  const NearScene& scene = testing::near_scenes()[0];
  const Pose &env = scene.environment_pose, &pose = scene.poses[0];
  Pair pair{Model(scene.environment), Model(scene.object)};
  Query distance = pair.start(env, pose, DistanceRequest{});
  distance.run({.node_pairs = 1});
  EXPECT_THROW(distance.contacts(), Error);
  EXPECT_THROW(distance.pairs(), Error);
  EXPECT_THROW(distance.penetration(), Error);
  EXPECT_THROW(distance.run({}, [](const Contact&) { return true; }), Error);
  EXPECT_THROW(distance.run({}, [](const NearPair&) { return true; }), Error);
  pair.collide(env, pose);
  EXPECT_THROW(distance.run(), Error);
  Query contacts = pair.start(env, pose, ContactRequest{});
  contacts.run({.node_pairs = 1});
  EXPECT_THROW(distance.run(), Error);
  EXPECT_THROW(contacts.pairs(), Error);
  EXPECT_TRUE(contacts.run().finished);
  EXPECT_FALSE(contacts.contacts().empty());
  Query within = pair.start(env, pose, WithinRequest{.distance = 0.1});
  EXPECT_THROW(contacts.contacts(), Error);
  EXPECT_TRUE(within.run().finished);
  pair.forget();
  EXPECT_THROW(within.pairs(), Error);
}

TEST_F(BudgetTest, AQueryOutlivesItsPair) {
  const NearScene& scene = testing::near_scenes()[0];
  const auto start = [&] {
    Pair pair{Model(scene.environment), Model(scene.object)};
    return pair.start(scene.environment_pose, scene.poses[0], DistanceRequest{});
  };
  Query query = start();
  EXPECT_EQ(query.run().closest.distance, scene.expected[0].least);
  Query moved = std::move(query);
  EXPECT_TRUE(moved.run().finished);
  EXPECT_THROW(query.run(), Error);  // NOLINT(bugprone-use-after-move)
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
    const DistanceRequest request{.upper_bound = bound};
    const Certainty hurried = pair.start({}, moved(5), request).run({.node_pairs = 1'000'000});
    ASSERT_TRUE(hurried.finished);
    EXPECT_EQ(hurried.closest.farther, plain.farther) << bound;
    EXPECT_EQ(hurried.closest.distance, plain.distance) << bound;
    Query query = pair.start({}, moved(5), request);
    query.run({.node_pairs = 0});
    EXPECT_EQ(query.run().closest.distance, plain.distance) << bound;
  }
}

TEST(Budget, EvenAQuestionForNoContactsEndsTheLastOne) {
  const Model model(box());
  Pair pair(model, model);
  Query query = pair.start({}, moved(0.5), ContactRequest{});
  query.run({.node_pairs = 1});
  pair.contacts({}, moved(0.5), {.at_most = 0});
  EXPECT_THROW(query.run(), Error);
}

TEST(Budget, FunctionsEndAQuestion) {
  const Model model(box());
  Pair pair(model, model);
  int told = 0;
  const auto once = [&](const auto&) { return ++told < 1; };
  const std::function<bool(const Contact&)> contact = once;
  const std::function<bool(const NearPair&)> near = once;
  for (const Budget& budget : {Budget{}, Budget{.node_pairs = 1'000'000}}) {
    told = 0;
    Query contacts = pair.start({}, moved(0.5), ContactRequest{});
    Certainty c = contacts.run(budget, contact);
    EXPECT_TRUE(c.finished);
    EXPECT_EQ(c.verdict, Verdict::colliding);
    EXPECT_TRUE(contacts.run({}, contact).finished);
    EXPECT_EQ(told, 1);
    told = 0;
    Query closing = pair.start({}, moved(3), ClosingPairsRequest{.abs_error = 1});
    c = closing.run(budget, near);
    EXPECT_TRUE(c.finished);
    EXPECT_NE(c.verdict, Verdict::colliding);
    EXPECT_LE(c.lower, 2);
    EXPECT_TRUE(closing.run({}, near).finished);
    EXPECT_EQ(told, 1);
    told = 0;
    pair.start({}, moved(0.5), ContactRequest{.at_most = 0}).run(budget, contact);
    EXPECT_EQ(told, 0);
  }
}

/// The order of contacts may change when they are listed; what was told may not.
TEST(Budget, ListsInBetweenDoNotChangeWhatIsTold) {
  const Model model(box());
  Pair pair(model, model);
  const std::size_t all = pair.contacts({}, moved(0.5)).size();
  for (const std::uint64_t first : {1, 2, 4, 6, 8}) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> told;
    const auto each = [&](const Contact& c) { return told.emplace(c.triangle_a, c.triangle_b).second; };
    Query query = pair.start({}, moved(0.5), ContactRequest{});
    query.run({.node_pairs = first}, each);
    query.run();
    EXPECT_EQ(query.contacts().size(), all);
    query.run({}, each);
    EXPECT_EQ(told.size(), all) << first;
  }
}

TEST(Budget, ClosingPairsAreListedAsTheyWereTold) {
  const NearScene& scene = testing::near_scenes()[0];
  Pair pair{Model(scene.environment), Model(scene.object)};
  for (const Pose& pose : scene.poses) {
    std::size_t told = 0;
    Query query = pair.start(scene.environment_pose, pose, ClosingPairsRequest{.abs_error = 0.05});
    query.run({}, [&](const NearPair&) { return ++told, true; });
    EXPECT_EQ(query.pairs().size(), told);
  }
}

TEST(Budget, NoPairsAreToldOrListedWhereNoneIsAskedFor) {
  const Model model(box());
  Pair pair(model, model);
  const WithinRequest none{.distance = 5, .at_most = 0};
  EXPECT_TRUE(pair.within({}, {}, none).empty());
  std::size_t told = 0;
  Query query = pair.start({}, {}, none);
  EXPECT_TRUE(query.run({}, [&](const NearPair&) { return ++told, true; }).near);
  EXPECT_EQ(told, 0u);
  EXPECT_TRUE(query.pairs().empty());
}

/// The pair that is measured in any case counts as any other: what it says is not forgotten.
TEST(Budget, ACallWithoutABudgetWastesNothing) {
  const Model sphere(scenes::uv_sphere(24, 12));
  Pair pair(sphere, sphere, {.coherent = Coherent::off});
  for (const Request& request :
       {Request(DistanceRequest{}), Request(ClosestPairsRequest{}), Request(ClosingPairsRequest{})}) {
    Query straight = pair.start({}, {}, request);
    const std::uint64_t expected = straight.run({.node_pairs = 1'000'000}).node_pairs;
    Query hesitant = pair.start({}, {}, request);
    hesitant.run({.node_pairs = 0});
    EXPECT_LE(hesitant.run({.node_pairs = 1'000'000}).node_pairs, 2 * expected + 10);
  }
  EXPECT_TRUE(pair.start({}, {}, CollideRequest{}).run({.node_pairs = 0}).finished);
  EXPECT_TRUE(pair.start({}, {}, DistanceRequest{}).run({.node_pairs = 0}).finished);
}

TEST(Budget, AnEmptyFunctionIsRefused) {
  const Model model(box());
  Pair pair(model, model);
  Query contacts = pair.start({}, moved(0.5), ContactRequest{});
  EXPECT_THROW(contacts.run({}, std::function<bool(const Contact&)>{}), Error);
  EXPECT_TRUE(contacts.run().finished);
  Query pairs = pair.start({}, moved(0.5), WithinRequest{.distance = 1});
  EXPECT_THROW(pairs.run({}, std::function<bool(const NearPair&)>{}), Error);
}

/// On a pair that was used before, as many are told and counted as on a new one.
TEST(Budget, AsManyAreToldAsWereAskedFor) {
  const Model model(box());
  Pair used(model, model);
  used.count(true);
  for (int round = 0; round < 3; ++round)
    for (const std::size_t at_most : {1u, 5u, 1000u})
      for (const Budget& budget : {Budget{}, Budget{.node_pairs = 2}}) {
        const std::size_t expected = std::min(at_most, used.contacts({}, moved(0.5)).size());
        used.reset_stats();
        std::size_t told = 0;
        Query query = used.start({}, moved(0.5), ContactRequest{.at_most = at_most});
        while (!query.run(budget, [&](const Contact&) { return ++told, true; }).finished) continue;
        EXPECT_EQ(told, expected);
        EXPECT_EQ(query.contacts().size(), expected);
        EXPECT_EQ(used.stats().contacts, expected);
      }
}

TEST(Budget, FunctionsAreToldOfEverythingOnce) {
  const Model model(box());
  Pair pair(model, model);
  const std::size_t all = pair.contacts({}, moved(0.5)).size();
  const NearPairs closest = pair.closest_pairs({}, moved(3), {.abs_error = 0.1});
  for (const std::uint64_t silent : {0, 1, 3, 9, 1000}) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> told;
    Query contacts = pair.start({}, moved(0.5), ContactRequest{});
    contacts.run({.node_pairs = silent});  // nobody listens; the next call tells what it found
    contacts.run({}, [&](const Contact& c) { return told.emplace(c.triangle_a, c.triangle_b).second; });
    EXPECT_EQ(told.size(), all) << silent;
    told.clear();
    Query pairs = pair.start({}, moved(3), ClosestPairsRequest{.abs_error = 0.1});
    pairs.run({.node_pairs = silent});
    for (int again = 0; again < 2; ++again)
      pairs.run({}, [&](const NearPair& p) { return told.emplace(p.triangle_a, p.triangle_b).second; });
    EXPECT_EQ(told.size(), closest.size()) << silent;
  }
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
    Query query = pair.start({}, {}, ContactRequest{.solid = true});
    while (!query.run({.node_pairs = node_pairs}, once).finished) continue;
    EXPECT_EQ(told, 1) << node_pairs;
  }
}

TEST(Budget, AFunctionThatThrowsLeavesNothingToGoOnWith) {
  const Model model(box());
  Pair pair(model, model);
  const std::function<bool(const Contact&)> fails = [](const Contact&) -> bool { throw 1; };
  Query query = pair.start({}, moved(0.5), ContactRequest{});
  EXPECT_THROW(query.run({}, fails), int);
  EXPECT_THROW(query.run({}, fails), Error);
  EXPECT_THROW(query.contacts(), Error);
  EXPECT_TRUE(pair.collide({}, moved(0.5)));
}

TEST(Budget, AFunctionMustNotGoOnWithItsOwnQuestion) {
  const Model model(box());
  Pair pair(model, model);
  int refused = 0, told = 0;
  const auto ask = [&](const Request& request, const Pose& pose, const auto& kind) {
    refused = told = 0;
    Query query = pair.start({}, pose, request);
    const auto each = [&](decltype(kind)) {
      ++told;
      for (int what = 0; what < 3; ++what) try {
          what == 0 ? void(query.run()) : what == 1 ? void(pair.collide({}, {})) : pair.forget();
        } catch (const Error&) {
          ++refused;
        }
      return true;
    };
    EXPECT_TRUE(query.run({}, each).finished);
    EXPECT_GT(told, 1);
    EXPECT_EQ(refused, 3 * told);
  };
  ask(ContactRequest{}, moved(0.5), Contact{});
  ask(ClosingPairsRequest{.abs_error = 1}, moved(3), NearPair{});
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
    const WithinRequest any{.distance = least + random.between(0, 1), .at_most = 1};
    const Certainty within = pair.start({}, pose, any).run();
    EXPECT_TRUE(within.near);
    EXPECT_LE(within.lower, least);
    EXPECT_FALSE(least == 0 && within.verdict == Verdict::free);
    pair.forget();
    const std::function<bool(const NearPair&)> enough = [&](const NearPair&) { return random.between(0, 1) < 0.7; };
    const Certainty closing = pair.start({}, pose, ClosingPairsRequest{.abs_error = 1}).run({}, enough);
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
    Query query = pair.start({}, above, DistanceRequest{});
    Certainty c = query.run({.time = time});
    int calls = 1;
    for (; !c.finished && calls < 20'000; ++calls) c = query.run({.time = time});
    EXPECT_TRUE(c.finished) << calls;
    EXPECT_EQ(c.closest.distance, 1);
  }
  const Model cube(box());
  Pair cubes(cube, cube);
  const Budget little{.time = std::chrono::nanoseconds(1)};
  Query query = cubes.start({}, moved(0.5), PenetrationRequest{});
  Certainty c = query.run(little);
  for (int calls = 1; !c.finished && calls < 100'000; ++calls) c = query.run(little);
  EXPECT_TRUE(c.finished);
}

TEST(Budget, EveryOtherQuestionEndsTheLastOne) {
  const Model model(box());
  Pair pair(model, model);
  for (const bool solid : {false, true}) {
    ASSERT_TRUE(pair.collide({}, moved(0.5), {.solid = solid}));
    Query query = pair.start({}, moved(5), DistanceRequest{});
    query.run({.node_pairs = 0});
    ASSERT_TRUE(pair.collide({}, moved(0.5), {.solid = solid}));  // known at once from the contact found before
    EXPECT_THROW(query.run(), Error);
  }
}

TEST(Budget, CountersAreThoseOfTheQuestionWithout) {
  const NearScene& scene = testing::near_scenes()[0];
  const Pose &env = scene.environment_pose, &pose = scene.poses[0];
  Pair pair{Model(scene.environment), Model(scene.object)};
  const auto expect_equal = [&](const Request& request) {
    std::uint64_t counted[2];
    for (const bool hurried : {false, true}) {
      pair.count(true);
      Query query = pair.start(env, pose, request);
      while (!query.run(hurried ? Budget{.node_pairs = 9} : Budget{}).finished) continue;
      counted[hurried] = pair.stats().contacts;
    }
    EXPECT_EQ(counted[0], counted[1]);
    EXPECT_GT(counted[0], 0u);
  };
  expect_equal(CollideRequest{});
  expect_equal(ContactRequest{});
  expect_equal(ContactRequest{.at_most = 2});
  expect_equal(DistanceRequest{});
  expect_equal(WithinRequest{.distance = 1, .at_most = 1});
  expect_equal(WithinRequest{.distance = 0.1});
  expect_equal(ClosestPairsRequest{});
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
      const BatchOptions options{.threads = threads, .pose_a = env};
      const auto any = run_many(a, b, poses, CollideRequest{}, budget, options);
      const auto all = run_many(a, b, poses, ContactRequest{.geometry = false}, budget, options);
      const auto far = run_many(a, b, poses, DistanceRequest{}, budget, options);
      const auto near = run_many(a, b, poses, WithinRequest{.distance = 0.1}, budget, options);
      ASSERT_EQ(far.size(), poses.size());
      for (std::size_t i = 0; i < poses.size(); ++i) {
        const AllDistances& expected = scene.expected[i % scene.poses.size()];
        for (const Certainty& c : {any[i].certainty, all[i].certainty, far[i].certainty, near[i].certainty}) {
          EXPECT_LE(c.node_pairs, node_pairs);
          EXPECT_LE(c.lower, expected.least);
          EXPECT_GE(c.closest.distance, expected.least);
          EXPECT_TRUE(c.verdict == Verdict::unknown || (c.verdict == Verdict::colliding) == (expected.least == 0));
        }
        if (all[i].certainty.finished) {
          EXPECT_EQ(all[i].contacts.size(), expected.where([](double sq) { return sq == 0; }).size());
        }
        if (near[i].certainty.finished) {
          EXPECT_EQ(near[i].pairs.size(), expected.where([](double sq) { return sq <= 0.1 * 0.1; }).size());
        }
        if (node_pairs == Budget{}.node_pairs) {
          EXPECT_EQ(far[i].certainty.closest.distance, expected.least);
          EXPECT_TRUE(any[i].certainty.finished && all[i].certainty.finished && far[i].certainty.finished);
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
    const auto ask = [&](const Pose& pose, const Request& request) {
      Query query = pair.start({}, pose, request);
      Certainty c = query.run(budget);
      while (!c.finished) c = query.run(budget);
      return c;
    };
    Query query = pair.start({}, {}, ContactRequest{.solid = true});
    Certainty c = query.run(budget);
    int calls = 1;
    for (; !c.finished; ++calls) {
      EXPECT_TRUE(c.verdict == Verdict::unknown || c.verdict == Verdict::colliding);
      EXPECT_GE(c.separation, c.verdict == Verdict::unknown ? 80 : 0);
      c = query.run(budget);
    }
    EXPECT_GT(calls, 10);
    const Contacts& contacts = query.contacts();
    ASSERT_EQ(contacts.size(), expected.size());
    for (std::size_t i = 0; i < contacts.size(); ++i) EXPECT_EQ(contacts[i].triangle_b, expected[i].triangle_b);
    std::size_t told = 0;
    const std::function<bool(const Contact&)> tell = [&](const Contact&) { return ++told < 150; };
    Query telling = pair.start({}, {}, ContactRequest{.solid = true});
    while (!telling.run(budget, tell).finished) continue;
    EXPECT_EQ(told, 150u);
    EXPECT_EQ(ask(away, CollideRequest{.solid = true}).verdict, Verdict::free);
    c = ask({}, DistanceRequest{.solid = true});
    EXPECT_EQ(c.verdict, Verdict::colliding);
    EXPECT_TRUE(c.closest.inside);
  }
}

}  // namespace
}  // namespace tumble
