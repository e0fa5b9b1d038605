// SPDX-License-Identifier: Apache-2.0
#include "brute_force.h"
#include "lab/rivals/contest.h"
#include "lab/rivals/distance_contest.h"
#include "lab/rivals/our_world.h"
#include "lab/rivals/ours.h"
#include "lab/rivals/roster.h"
#include "scenes/meshes.h"
#include "scenes/shapes.h"

#include <tumble/query.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <thread>

namespace tumble::lab {
namespace {

/// Two tori of 400 triangles, in general position: apart, linked, crossing, and deep in each other.
struct SmallScene {
  Mesh environment = scenes::wrinkled_torus(400, 1), object = scenes::wrinkled_torus(400, 2);
  std::vector<Pose> flight;
  std::vector<std::vector<PairOfTriangles>> expected;
  std::vector<double> distance;

  SmallScene() {
    for (int i = 0; i < 24; ++i)
      flight.push_back(Pose::from_quaternion(1, 0.13 * i, 0.41, -0.07 * i, {1.9 - 0.081 * i, 0.013 * i, 0.0217 * i}));
    for (const Pose& pose : flight) {
      expected.emplace_back();
      for (const Contact& c : brute_force_contacts(environment, {}, object, pose))
        expected.back().emplace_back(c.triangle_a, c.triangle_b);
      distance.push_back(tumble::distance(Model(environment), {}, Model(object), pose).distance);
      EXPECT_EQ(distance.back() == 0, !expected.back().empty());
    }
  }
};

/// What a library is known to get wrong, in its own way; see its settings().
struct Leniency {
  bool may_miss = false, may_invent = false;
};
const std::map<std::string, Leniency> lenient{{"ode", {true, true}}, {"bullet", {false, true}}};

void expect_right(Rival& rival, const SmallScene& scene) {
  const auto found = lenient.find(rival.id());
  const Leniency leniency = found == lenient.end() ? Leniency{} : found->second;
  rival.build(scene.environment, scene.object);
  rival.begin();
  std::vector<PairOfTriangles> pairs;
  for (std::size_t i = 0; i < scene.flight.size(); ++i) {
    const auto& expected = scene.expected[i];
    const bool hit = rival.any(scene.flight[i]);
    EXPECT_TRUE(hit == !expected.empty() || (hit && leniency.may_invent)) << rival.name() << ", pose " << i;
    rival.all(scene.flight[i], pairs);
    std::ranges::sort(pairs);
    pairs.erase(std::ranges::unique(pairs).begin(), pairs.end());
    EXPECT_TRUE(leniency.may_miss || std::ranges::includes(pairs, expected)) << rival.name() << ", pose " << i;
    EXPECT_TRUE(leniency.may_invent || std::ranges::includes(expected, pairs)) << rival.name() << ", pose " << i;
    EXPECT_EQ(hit, !pairs.empty()) << rival.name() << ", pose " << i;
    if (!rival.has_distance()) continue;
    const double distance = rival.distance(scene.flight[i]);
    EXPECT_NEAR(std::max(distance, 0.0), scene.distance[i], 1e-6) << rival.name() << ", pose " << i;
  }
  rival.end();
  rival.clear();
}

TEST(Rivals, TheSmallSceneHasPosesOfBothKinds) {
  const SmallScene scene;
  const auto free = std::ranges::count_if(scene.expected, [](const auto& pairs) { return pairs.empty(); });
  EXPECT_GE(free, 4);
  EXPECT_LE(free, 20);
}

TEST(Rivals, OursAgreeWithBruteForce) {
  const SmallScene scene;
  const Rivals all = ours();
  EXPECT_GE(all.size(), 4u);
  for (const auto& rival : all)
    if (rival->builds()) rival->build(scene.environment, scene.object);
  for (const auto& rival : all)
    if (!rival->builds()) expect_right(*rival, scene);
  for (const auto& rival : all)
    if (rival->builds()) expect_right(*rival, scene);
}

TEST(Rivals, ThoseInstalledAgreeWithBruteForce) {
  const SmallScene scene;
  const Roster roster = load_rivals(rivals_folder());
  for (const auto& rival : roster.rivals) {
    EXPECT_FALSE(rival->settings().empty());
    expect_right(*rival, scene);
    expect_right(*rival, scene);  // build() after clear()
  }
  for (const Absence& a : roster.absent) std::cout << a.library << ": " << a.reason << '\n';
}

TEST(Rivals, WhoIsMissingIsNamedWithThePackageItNeeds) {
  for (const char* folder : {"", "/nonexistent"}) {
    const Roster roster = load_rivals(folder);
    EXPECT_TRUE(roster.rivals.empty());
    EXPECT_EQ(roster.absent.size(), 6u);
    for (const Absence& a : roster.absent) {
      EXPECT_TRUE(a.reason.starts_with("not installed: needs lib")) << a.reason;
      EXPECT_FALSE(a.library.empty());
    }
  }
}

TEST(Rivals, AModuleThatDoesNotLoadIsNotFatal) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "tumble_broken_rivals";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "rival_ode.so") << "no library\n";
  const Roster roster = load_rivals(folder);
  EXPECT_TRUE(roster.rivals.empty());
  EXPECT_EQ(std::ranges::count_if(roster.absent, [](const Absence& a) { return a.reason.starts_with("not run: "); }),
            1);
  std::filesystem::remove_all(folder);
}

#ifdef TUMBLE_CANNOT_START  // built with all tests, not with the benchmarks alone
TEST(Rivals, WhoCannotStartIsAbsentAndSaysWhy) {
  const Roster roster = load_rivals(TUMBLE_CANNOT_START);
  EXPECT_TRUE(roster.rivals.empty());
  EXPECT_EQ(std::ranges::count(roster.absent, "not run: no device", &Absence::reason), 1);
}
#endif

/// Answers as told, in a time of its own.
class Puppet : public Rival {
 public:
  std::string id() const override { return "puppet"; }
  std::string name() const override { return "puppet"; }
  std::string settings() const override { return "none"; }
  void build(const Mesh&, const Mesh&) override { memory_.resize(1'000'000); }
  void clear() override { std::vector<char>().swap(memory_); }
  bool any(const Pose& pose) override {
    std::this_thread::sleep_for(std::chrono::microseconds(slow_us));
    return pose.translation().x > 0;
  }
  void all(const Pose&, std::vector<PairOfTriangles>& into) override { into = pairs; }
  bool has_distance() const override { return answer.has_value(); }
  double distance(const Pose&) override { return *answer; }

  int slow_us = 0;
  std::vector<PairOfTriangles> pairs{};
  std::optional<double> answer{};

 private:
  std::vector<char> memory_;
};

TEST(Contest, CountsWhatIsMissedAndInvented) {
  Rivals entrants;
  auto first = std::make_unique<Puppet>(), second = std::make_unique<Puppet>();
  first->pairs = {{1, 1}, {2, 2}, {3, 3}};
  second->pairs = {{3, 3}, {4, 4}, {3, 3}};  // one more than once
  entrants.push_back(std::move(first));
  entrants.push_back(std::move(second));
  std::vector<Pose> flight;
  for (int i = 0; i < 10; ++i) flight.push_back(Pose::from_translation({i - 4.5, 0, 0}));
  const Mesh mesh = scenes::box({1, 1, 1});
  const std::vector<Score> scores = contest(mesh, mesh, flight, entrants, {.passes = 2, .seconds = 1});
  EXPECT_EQ(scores[0].missed + scores[0].invented, 0u);
  EXPECT_EQ(scores[1].missed, 20u);
  EXPECT_EQ(scores[1].invented, 10u);
  EXPECT_EQ(scores[1].contacts, 20u);
  EXPECT_EQ(scores[1].hits, 5u);
  EXPECT_EQ(scores[1].wrong_any, 5u);  // says free where the first one has pairs
  EXPECT_EQ(scores[1].any.poses, 10u);
  EXPECT_EQ(scores[0].any.ratio, 1);
#ifndef __SANITIZE_ADDRESS__  // whose allocator tells malloc's accountant nothing
  EXPECT_NEAR(scores[1].bytes_per_triangle, 1e6 / 24, 1e3);
#endif
}

TEST(DistanceContest, CountsWhoDiffersFromTheFirst) {
  Rivals entrants;
  for (const double answer : {0.25, 0.25, 0.75}) {
    auto puppet = std::make_unique<Puppet>();
    puppet->answer = answer;
    entrants.push_back(std::move(puppet));
  }
  entrants.push_back(std::make_unique<Puppet>());  // who cannot tell
  const std::vector<Pose> poses(7);
  const Mesh mesh = scenes::box({1, 1, 1});
  const auto scores = distance_contest(mesh, mesh, poses, entrants, 2, 1, false, [](double) {});
  ASSERT_EQ(scores.size(), 3u);
  EXPECT_EQ(scores[0].wrong + scores[1].wrong, 0u);
  EXPECT_EQ(scores[2].wrong, 7u);
  EXPECT_EQ(scores[0].ratio, 1);
}

/// No time decides it, nor what was asked before: page after page keeps it.
TEST(Work, OfAPairIsWhatItCountsByItself) {
  const SmallScene scene;
  const Rivals entrants = ours();
  const auto fly = [&](int passes, bool count) {
    return contest(scene.environment, scene.object, scene.flight, entrants,
                   {.passes = passes, .seconds = 0.01, .count = count});
  };
  EXPECT_FALSE(fly(1, false)[0].all_work);
  const std::vector<Score> once = fly(1, true), often = fly(3, true);
  Pair pair{Model(scene.environment, {.threads = 1}), Model(scene.object, {.threads = 1}),
            PairOptions{.coherent = Coherent::off}};
  pair.count(true);
  for (const Pose& pose : scene.flight) pair.contacts({}, pose, {.geometry = false});
  ASSERT_TRUE(once[0].all_work);
  EXPECT_EQ(once[0].all_work->trees, pair.stats());
  for (std::size_t e = 0; e < entrants.size(); ++e) {
    EXPECT_EQ(once[e].any_work->trees, often[e].any_work->trees) << entrants[e]->name();
    EXPECT_EQ(once[e].all_work->trees, often[e].all_work->trees) << entrants[e]->name();
    EXPECT_GT(once[e].any_work->trees.nv, 0u);
  }
}

TEST(Work, OfAWorldDoesNotDependOnWhatWasAskedBefore) {
  const std::vector<Mesh> meshes{scenes::wrinkled_torus(400, 1)};
  const std::vector<std::uint32_t> mesh_of(60);  // as many as need a search for neighbours
  std::vector<std::vector<Pose>> steps(5);
  for (std::size_t step = 0; step < steps.size(); ++step)
    for (int i = 0; i < 60; ++i) {
      const double shift = 0.05 * static_cast<double>(step);
      steps[step].push_back(Pose::from_quaternion(1, 0.1 * i, 0.2, shift, {1.7 * (i % 8) + shift, 1.7 * (i / 8), 0}));
    }
  for (const auto& world : our_worlds()) {
    if (world->id() == "tumble-2") continue;
    world->start({meshes, mesh_of}, steps.front());
    const auto ask = [&](WorldRival& rival) {
      for (const auto& poses : steps) rival.pairs(poses);
    };
    ask(*world);
    const std::optional<Work> first = work_of(*world, ask), second = work_of(*world, ask);
    ASSERT_TRUE(first && second);
    EXPECT_GT(first->trees.nv, 0u);
    EXPECT_GT(first->looks, 0u);
    EXPECT_EQ(first->trees, second->trees) << world->name();
    EXPECT_EQ(first->looks, second->looks) << world->name();
  }
  Puppet other;
  EXPECT_FALSE(work_of(other, [](Rival&) {}));
}

TEST(Contest, WhoIsSlowFliesFewerPosesAndIsComparedOnThose) {
  Rivals entrants;
  entrants.push_back(std::make_unique<Puppet>());
  auto slow = std::make_unique<Puppet>();
  slow->slow_us = 2000;
  entrants.push_back(std::move(slow));
  const std::vector<Pose> flight(100);
  const Mesh mesh = scenes::box({1, 1, 1});
  const std::vector<Score> scores = contest(mesh, mesh, flight, entrants, {.passes = 1, .seconds = 0.02});
  EXPECT_EQ(scores[0].any.poses, 100u);
  EXPECT_LE(scores[1].any.poses, 10u);
  EXPECT_GE(scores[1].any.poses, 5u);
  EXPECT_GE(scores[1].any.mean, 2000);
  EXPECT_LE(scores[1].any.median, scores[1].any.p99);
  EXPECT_LE(scores[1].any.p99, scores[1].any.max);
}

}  // namespace
}  // namespace tumble::lab
