// SPDX-License-Identifier: Apache-2.0
// World::run with a budget, against what Pair says of each two bodies: it spends no more than it was given, gets on
// however little that is, and is never wrong (docs/semantics.md, promise 5).
#include "query/near_scenes.h"
#include "query/separation.h"
#include "scenes/shapes.h"

#include <tumble/query.h>
#include <tumble/world.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace tumble {
namespace {

/// Of two bodies, asked without a budget.
struct Truth {
  double distance = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> separations;  // of each contact
};

/// Tori in a row: neighbours are in contact, in each other's holes, or apart by little.
struct Row {
  Mesh torus = scenes::torus(0.5, 0.2, 12, 8);
  World world{{.threads = 1}};
  std::map<BodyPair, Truth> truths;

  explicit Row(int count) {
    const Model model(torus);
    for (int i = 0; i < count; ++i)
      world.add(model, Pose::from_quaternion(1, 0.3 * i, 0.2, 0.1 * i, {0.55 * i + 0.1 * (i % 3), 0.05 * i, 0}));
    for (const BodyId a : world.bodies())
      for (const BodyId b : world.bodies()) {
        if (!(a < b)) continue;
        Truth& truth = truths[{a, b}];
        const Pose &at_a = world.pose(a), &at_b = world.pose(b);
        truth.distance = distance(model, at_a, model, at_b, {.last_bit = true}).distance;
        for (const Contact& contact : contacts(model, at_a, model, at_b))
          truth.separations[{contact.triangle_a, contact.triangle_b}] =
              testing::separating_translation(testing::corners_of(torus, at_a, contact.triangle_a),
                                              testing::corners_of(torus, at_b, contact.triangle_b));
      }
  }

  const Truth& of(const PairOutcome& pair) const { return truths.at({pair.a, pair.b}); }

  void expect_true(const PairOutcome& pair) const {
    const Truth& truth = of(pair);
    const Certainty& c = pair.outcome.certainty;
    EXPECT_LE(c.lower, truth.distance);
    if (c.node_pairs > 0 && !c.closest.farther) {
      EXPECT_GE(c.closest.distance, truth.distance);
    }
    if (c.verdict != Verdict::unknown) {
      EXPECT_EQ(c.verdict == Verdict::colliding, truth.distance == 0);
    }
    if (c.finished) return;
    std::set<std::pair<std::uint32_t, std::uint32_t>> found;
    for (const Contact& contact : pair.outcome.contacts) found.insert({contact.triangle_a, contact.triangle_b});
    if (c.verdict == Verdict::colliding && found.empty()) return;  // the contact that was found is not listed
    for (const auto& [triangles, separation] : truth.separations)
      if (!found.contains(triangles)) {
        EXPECT_LE(separation, c.separation);
      }
  }
};

std::uint64_t spent(const WorldOutcome& outcome) {
  std::uint64_t sum = 0;
  for (const PairOutcome& pair : outcome.pairs) sum += pair.outcome.certainty.node_pairs;
  return sum;
}

/// Whether anything is known; what an earlier question found may answer at once.
bool has_progressed(const WorldOutcome& outcome) {
  return spent(outcome) > 0 || outcome.finished ||
         std::ranges::any_of(outcome.pairs, [](const PairOutcome& pair) { return pair.outcome.certainty.finished; });
}

const std::uint64_t budgets[] = {0, 1, 2, 3, 5, 10, 17, 40, 64, 65, 150, 500, 2'000, 10'000, 50'000};

TEST(WorldBudget, IsNotOverspentAndSomethingIsDoneInAnyCase) {
  Row row(30);
  const Request requests[] = {CollideRequest{}, ContactRequest{}, DistanceRequest{},
                              DistanceRequest{.upper_bound = 0.3}, WithinRequest{.distance = 0.2}};
  for (const Request& request : requests)
    for (const std::uint64_t budget : budgets) {
      const WorldOutcome outcome = row.world.run(request, {.budget = {.node_pairs = budget}, .each = {}});
      EXPECT_LE(spent(outcome), std::max<std::uint64_t>(budget, 1)) << request.index() << ", " << budget;
      EXPECT_TRUE(has_progressed(outcome)) << request.index() << ", " << budget;
    }
}

TEST(WorldBudget, OfSolidsIsOverspentByAtMostALookAtEachPairAsked) {
  Row row(30);
  for (const std::uint64_t budget : budgets) {
    const WorldOutcome outcome =
        row.world.run(CollideRequest{.solid = true}, {.budget = {.node_pairs = budget}, .each = {}});
    EXPECT_LE(spent(outcome), 2 * std::max<std::uint64_t>(budget, 1)) << budget;
    EXPECT_TRUE(has_progressed(outcome)) << budget;
  }
}

TEST(WorldBudget, OfNoTimeDoesSomething) {
  Row row(30);
  for (const Request& request : {Request{ContactRequest{}}, Request{DistanceRequest{}}})
    for (const int nanoseconds : {0, -1}) {
      const WorldOutcome outcome =
          row.world.run(request, {.budget = {.time = std::chrono::nanoseconds(nanoseconds)}, .each = {}});
      EXPECT_TRUE(has_progressed(outcome));
      EXPECT_FALSE(outcome.finished);
      for (const PairOutcome& pair : outcome.pairs) row.expect_true(pair);
    }
}

TEST(WorldBudget, ContactsAreNeverWrong) {
  Row row(12);
  std::size_t open = 0, colliding = 0;
  for (const Request& request : {Request{CollideRequest{}}, Request{ContactRequest{}}})
    for (const std::uint64_t budget : budgets) {
      const WorldOutcome outcome = row.world.run(request, {.budget = {.node_pairs = budget}, .each = {}});
      for (const PairOutcome& pair : outcome.pairs) {
        row.expect_true(pair);
        open += !pair.outcome.certainty.finished;
        colliding += pair.outcome.certainty.verdict == Verdict::colliding;
        for (const Contact& contact : pair.outcome.contacts)
          EXPECT_TRUE(row.of(pair).separations.contains(std::pair(contact.triangle_a, contact.triangle_b)));
      }
      const bool is_free = std::ranges::all_of(row.truths, [](const auto& entry) { return entry.second.distance > 0; });
      EXPECT_TRUE(outcome.verdict == Verdict::unknown ||
                  outcome.verdict == (is_free ? Verdict::free : Verdict::colliding));
    }
  EXPECT_GT(open, 100u);
  EXPECT_GT(colliding, 50u);
}

TEST(WorldBudget, IntervalsHoldTheDistances) {
  Row row(12);
  std::size_t narrowed = 0, exact = 0;
  for (const double bound : {std::numeric_limits<double>::infinity(), 0.4})
    for (const std::uint64_t budget : budgets) {
      const WorldOutcome outcome =
          row.world.run(DistanceRequest{.upper_bound = bound}, {.budget = {.node_pairs = budget}, .each = {}});
      std::set<BodyPair> told;
      for (const PairOutcome& pair : outcome.pairs) {
        row.expect_true(pair);
        told.insert({pair.a, pair.b});
        const Certainty& c = pair.outcome.certainty;
        narrowed += !c.finished && c.lower > 0;
        exact += c.finished;
        if (c.finished) {
          EXPECT_NEAR(c.closest.distance, row.of(pair).distance, 1e-11);
        }
      }
      for (const auto& [pair, truth] : row.truths)
        if (!told.contains(pair)) {
          EXPECT_GT(truth.distance, bound) << "only what is farther is left out";
        }
    }
  EXPECT_GT(narrowed, 50u);
  EXPECT_GT(exact, 50u);
}

}  // namespace
}  // namespace tumble
