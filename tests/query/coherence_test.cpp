// SPDX-License-Identifier: Apache-2.0
// Starting from where the last query ended changes nothing but the work.
#include "scenes/flight.h"
#include "scenes/meshes.h"
#include "scenes/random.h"

#include <tumble/query.h>

#include <gtest/gtest.h>

namespace tumble {
namespace {

struct Motion {
  const char* name;
  double step;  // of the object's radius
  double jump_every;
};

/// A random walk with steps of one length, a turn in proportion, and a jump now and then.
std::vector<Pose> random_walk(std::uint64_t seed, const Motion& motion, std::size_t count) {
  scenes::Random random(seed);
  std::vector<Pose> poses;
  Vec3 at{1.6, 0, 0}, heading = random.direction();
  double q[4] = {1, 0, 0, 0};
  for (std::size_t i = 0; i < count; ++i) {
    if (random.unit() < motion.jump_every) at = random.in_box({-2, -2, -1}, {2, 2, 1});
    if (random.unit() < 0.1) heading = random.direction() - at * 0.3;  // stays near the other body
    at += heading * motion.step;
    for (double& component : q) component += motion.step * random.between(-0.3, 0.3);
    poses.push_back(Pose::from_quaternion(q[0], q[1], q[2], q[3], at));
  }
  return poses;
}

void expect_equal_answers(Bound bound, const Motion& motion, std::uint64_t seed) {
  TreeOptions tree;
  tree.bound = bound;
  const Model a(scenes::wrinkled_torus(1'000), tree), b(scenes::zachmann_torus(800), tree);
  Pair fresh(a, b, {.coherent = Coherent::off});
  Pair any(a, b, {.coherent = Coherent::on}), all(a, b, {.coherent = Coherent::on});
  Pair mixed(a, b, {.coherent = Coherent::automatic});
  std::size_t hits = 0, step = 0;
  Contacts expected, found;
  for (const Pose& pose : random_walk(seed, motion, 300)) {
    SCOPED_TRACE(std::string(motion.name) + " " + name(bound) + " seed " + std::to_string(seed) + " step " +
                 std::to_string(step));
    expected = fresh.contacts({}, pose, {.geometry = false});
    hits += !expected.empty();
    ASSERT_EQ(any.collide({}, pose), !expected.empty());
    found = all.contacts({}, pose, {.geometry = false});
    const auto same = [](const Contact& x, const Contact& y) {
      return x.triangle_a == y.triangle_a && x.triangle_b == y.triangle_b && x.kind == y.kind;
    };
    ASSERT_TRUE(std::ranges::equal(expected, found, same));
    if (++step % 3 == 0) {
      found = mixed.contacts({}, pose, {.at_most = 2, .geometry = false});
      ASSERT_EQ(found.size(), std::min<std::size_t>(2, expected.size()));
    } else if (step % 5 == 0) {
      ASSERT_EQ(mixed.is_within({}, pose, {.distance = 0}), !expected.empty());
    } else {
      ASSERT_EQ(mixed.collide({}, pose), !expected.empty());
    }
  }
  EXPECT_GT(hits, 10u) << motion.name << " seed " << seed;
  EXPECT_LT(hits, 290u) << motion.name << " seed " << seed;
}

/// Fresh walks for all contacts open two pairs of volumes side by side, those that leave a front one after the other.
TEST(Coherence, TheFirstWalkOfAFrontOpensWhatAFreshOneDoes) {
  const Mesh a = scenes::wrinkled_torus(3'600), b = scenes::zachmann_torus(2'592);
  for (const Bound bound : {Bound::obb, Bound::dop})
    for (const Descend descend : {Descend::larger_first, Descend::environment_first, Descend::both})
      for (const bool remember : {true, false}) {
        TreeOptions tree;
        tree.bound = bound;
        PairOptions options;
        options.descend = descend;
        options.paper.remember = remember;
        options.coherent = Coherent::off;
        Pair fresh{Model(a, tree), Model(b, tree), options};
        options.coherent = Coherent::on;
        Pair coherent{Model(a, tree), Model(b, tree), options};
        fresh.collide({}, {});  // the first question tests the roots, too
        fresh.count(true);
        coherent.count(true);
        for (const Pose& pose : scenes::full_turn(1.1, 5)) {
          coherent.forget();
          const std::size_t found = fresh.contacts({}, pose).size();
          EXPECT_EQ(coherent.contacts({}, pose).size(), found);
        }
        const Counters &one = coherent.stats(), &two = fresh.stats();
        EXPECT_GT(two.contacts, 0u);
        EXPECT_EQ(two.nv, one.nv) << name(bound) << " " << name(descend);
        EXPECT_EQ(two.nodes, one.nodes) << name(bound) << " " << name(descend);
        EXPECT_EQ(two.np, one.np) << name(bound) << " " << name(descend);
        EXPECT_EQ(two.mixed, one.mixed) << name(bound) << " " << name(descend);
        if (remember) {
          EXPECT_EQ(two.nu, one.nu) << name(bound) << " " << name(descend);
        }
      }
}

TEST(Coherence, AnswersAreThoseOfFreshQueries) {
  for (const std::uint64_t seed : {1u, 2u, 3u})
    for (const Bound bound : {Bound::dop, Bound::obb})
      for (const Motion& motion : {Motion{"small steps", 0.004, 0.02}, Motion{"large steps", 0.05, 0.0}})
        expect_equal_answers(bound, motion, seed);
}

/// Counted: nothing is opened where the roots tell the bodies apart. Later questions do not test them by themselves.
TEST(Coherence, ThePairsFirstQuestionTestsTheRoots) {
  for (const Bound bound : {Bound::dop, Bound::obb}) {
    const Model a(scenes::zachmann_torus(3'200), {.bound = bound});
    Pair pair(a, a, {.coherent = Coherent::off});
    const Pose above = Pose::from_translation({0, 0, 1.5});
    pair.count(true);
    EXPECT_FALSE(pair.collide({}, above));
    EXPECT_EQ(pair.stats().nv, 1u) << name(bound);
    EXPECT_EQ(pair.stats().nodes, 0u) << name(bound);
    EXPECT_EQ(pair.contacts({}, above).size(), 0u);
    EXPECT_GT(pair.stats().nodes, 0u) << name(bound);
    pair.forget();
    pair.reset_stats();
    EXPECT_EQ(pair.contacts({}, above).size(), 0u);
    EXPECT_EQ(pair.stats().nodes, 0u) << name(bound);
  }
}

TEST(Coherence, SmallStepsCostLittle) {
  for (const Bound bound : {Bound::dop, Bound::obb}) {
    TreeOptions tree;
    tree.bound = bound;
    const Model a(scenes::wrinkled_torus(4'000), tree), b(scenes::zachmann_torus(3'200), tree);
    Pair fresh(a, b, {.coherent = Coherent::off}), coherent(a, b);
    fresh.count(true);
    coherent.count(true);
    for (int i = 0; i < 100; ++i) {
      const Pose pose = Pose::from_translation({2.02, 0.0005 * i, 0.02});
      EXPECT_EQ(fresh.collide({}, pose), coherent.collide({}, pose));
    }
    EXPECT_LT(2 * coherent.stats().nv, fresh.stats().nv) << name(bound);
  }
}

TEST(Coherence, AThrowingCallbackLeavesNothingBehind) {
  const Model a(scenes::wrinkled_torus(1'000)), b(scenes::zachmann_torus(800));
  Pair pair(a, b, {.coherent = Coherent::on}), fresh(a, b, {.coherent = Coherent::off});
  for (int i = 0; i < 20; ++i) {
    const Pose pose = Pose::from_translation({1.2, 0.001 * i, 0.1});
    EXPECT_THROW(pair.start({}, pose, ContactRequest{}).run({}, [](const Contact&) -> bool { throw 1; }), int);
    EXPECT_EQ(pair.contacts({}, pose).size(), fresh.contacts({}, pose).size());
  }
}

}  // namespace
}  // namespace tumble
