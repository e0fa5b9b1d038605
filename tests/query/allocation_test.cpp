// SPDX-License-Identifier: Apache-2.0
// A warm query allocates nothing, and nothing takes memory for pairs that are not of interest. In an executable of its
// own, as it counts every allocation of the process.
#include "scenes/flight.h"
#include "scenes/meshes.h"
#include "scenes/random.h"
#include "slice.h"
#include "world/neighbours.h"

#include <tumble/assembly.h>
#include <tumble/clash.h>
#include <tumble/error.h>
#include <tumble/motion.h>
#include <tumble/point.h>
#include <tumble/query.h>
#include <tumble/world.h>

#include <gtest/gtest.h>

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace {
std::atomic<std::size_t> allocations{0}, bytes_in_use{0}, most_bytes_in_use{0};
std::atomic<std::size_t> fails_from{static_cast<std::size_t>(-1)};  // this allocation and all after it

void count_allocation() {
  if (++allocations >= fails_from) throw std::bad_alloc();
}
void* noted(void* p) {
  if (!p) throw std::bad_alloc();
  const std::size_t now = bytes_in_use += malloc_usable_size(p);
  for (std::size_t most = most_bytes_in_use; most < now && !most_bytes_in_use.compare_exchange_weak(most, now);) {
  }
  return p;
}
void give_back(void* p) {
  if (p) bytes_in_use -= malloc_usable_size(p);
  std::free(p);
}
}  // namespace

// Not inline: g++ would see malloc and free, and warn that they do not belong together.
[[gnu::noinline]] void* operator new(std::size_t size) {
  count_allocation();
  return noted(std::malloc(size ? size : 1));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  count_allocation();
  const auto a = static_cast<std::size_t>(alignment);
  return noted(std::aligned_alloc(a, (size + a - 1) / a * a));
}
// std::stable_sort asks so. The sanitizer's own would not end here.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
[[gnu::noinline]] void operator delete(void* p) noexcept { give_back(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { give_back(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { give_back(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { give_back(p); }

namespace tumble {
namespace {

/// How many bytes more than before are in use at some time during this work.
std::size_t bytes_needed(const auto& work) {
  const std::size_t before = bytes_in_use;
  most_bytes_in_use = before;
  work();
  return most_bytes_in_use - before;
}

Pair torus_pair(const Model& torus) { return {torus, Model(scenes::zachmann_torus(1'152))}; }

TEST(Allocation, WarmQueriesAllocateNothing) {
  for (const Bound bound : {Bound::dop, Bound::obb})
    for (const Realign realign : {Realign::affine, Realign::brep_vertices, Realign::occupancy})
      for (const Coherent coherent : {Coherent::off, Coherent::on, Coherent::automatic}) {
        TreeOptions tree;
        tree.bound = bound;
        PairOptions options;
        options.realign = realign;
        options.coherent = coherent;
        Pair pair{Model(scenes::wrinkled_torus(2'000), tree), Model(scenes::zachmann_torus(1'152), tree), options};
        const scenes::Flight flight = scenes::full_turn(1.1, testing::slice(std::size_t{12}));
        std::size_t found = 0;
        // Through a Query, which keeps its lists; a part of the questions in two calls.
        const auto ask = [&](const Pose& pose, const Request& request, const Budget& budget) {
          Query query = pair.start({}, pose, request);
          if (!query.run(budget).finished) query.run();
          if (std::holds_alternative<ContactRequest>(request)) found += query.contacts().size();
          if (std::holds_alternative<WithinRequest>(request) || std::holds_alternative<ClosestPairsRequest>(request))
            query.pairs();
        };
        const auto fly = [&] {
          for (const Pose& pose : flight) {
            pair.collide({}, pose);
            pair.collide({}, pose, {.solid = true});
            pair.collide({}, pose, {.ignore_touch = true, .solid = true});
            pair.distance({}, pose);
            pair.distance({}, pose, {.solid = true});
            pair.is_within({}, pose, {.distance = 0.01});
            for (const Budget& budget : {Budget{}, Budget{.node_pairs = 5}}) {
              ask(pose, CollideRequest{.solid = true}, budget);
              ask(pose, CollideRequest{.ignore_touch = true, .solid = true}, budget);
              ask(pose, ContactRequest{}, budget);
              ask(pose, ContactRequest{.geometry = false, .solid = true}, budget);
              ask(pose, DistanceRequest{}, budget);
              ask(pose, WithinRequest{.distance = 0.01}, budget);
              ask(pose, WithinRequest{.distance = 0.01, .at_most = 1}, budget);
              ask(pose, ClosestPairsRequest{.rel_error = 0.01}, budget);
            }
          }
        };
        for (int i = 0; i < 2; ++i) {  // the second flight starts from the front the first one left
          pair.forget();
          fly();
        }
        pair.forget();
        const std::size_t before = allocations;
        fly();
        EXPECT_EQ(allocations - before, 0u) << name(bound) << " " << name(realign) << " " << name(coherent);
        EXPECT_GT(found, 100u);
      }
}

TEST(Allocation, TheFirstQuestionAboutBodiesFarApartAllocatesNothing) {
  const Model torus(scenes::wrinkled_torus(200), {.bound = Bound::dop, .k = 98});
  Pair pair(torus, torus);
  for (int i = 0; i < 30; ++i) {  // room for everything
    const Pose near = Pose::from_translation({0.02 * i, 0.05 * i, 1 + 0.1 * i});
    pair.within({}, near, {.distance = 100});
    pair.distance({}, near);
  }
  const std::size_t before = allocations;
  pair.distance({}, Pose::from_translation({1e5, 2e5, 3e5}));
  EXPECT_EQ(allocations - before, 0u);
}

TEST(Allocation, PointsAndFirstHitsAllocateNothing) {
  const Model boxes(scenes::wrinkled_torus(2'000)), dops(scenes::wrinkled_torus(2'000), {.bound = Bound::dop});
  check_closed(boxes);  // computed once for each model
  check_closed(dops);
  const std::size_t before = allocations;
  std::size_t hits = 0;
  for (const Model& model : {boxes, dops})
    for (int i = 0; i < 100; ++i) {
      const Vec3 point{0.02 * i - 1, 0.3, 0.01 * i};
      closest_point(model, {}, point);
      signed_distance(model, {}, point);
      hits += first_hit(model, {}, Ray{point, {0.1, -1, -0.2}}).has_value();
      hits += first_hit(model, {}, LineSegment{point, {0, 0, 0}}).has_value();
    }
  EXPECT_EQ(allocations - before, 0u);
  EXPECT_GT(hits, 50u);
}

/// Contacts are sorted by moving them between two buffers, which trade places: neither may come back too small for
/// queries with a budget, which do not sort.
TEST(Allocation, QueriesOfDifferentSizesTakeTurnsWithoutAllocating) {
  const Model torus(scenes::wrinkled_torus(4'000));
  std::vector<std::pair<std::size_t, Pose>> poses;
  for (int i = 0; i < 30; ++i) {
    const Pose pose = Pose::from_translation({0.1 * i, 0.013, 0.021});
    poses.emplace_back(torus_pair(torus).contacts({}, pose).size(), pose);
  }
  std::ranges::sort(poses, {}, &std::pair<std::size_t, Pose>::first);
  const auto& [many, with_many] = poses.back();
  std::size_t tried = 0;
  for (const auto& [few, with_few] : poses) {
    if (few < 32 || 2 * few > many) continue;
    ++tried;
    Pair pair = torus_pair(torus);
    const auto ask = [&](const Pose& pose, const Budget& budget) {
      Query query = pair.start({}, pose, ContactRequest{});
      while (!query.run(budget).finished) query.contacts();
      query.contacts();
    };
    const auto ask_in_haste = [&] { ask(with_many, {.node_pairs = 1'000}); };
    const auto ask_at_leisure = [&] { ask(with_few, {}); };
    for (int i = 0; i < 3; ++i) ask_in_haste();
    for (int i = 0; i < 4; ++i) ask_at_leisure();
    const std::size_t before = allocations;
    ask_at_leisure();
    ask_in_haste();
    EXPECT_EQ(allocations - before, 0u) << few << " and " << many;
  }
  EXPECT_GT(tried, 0u);
}

/// What was popped before memory ran out is lost: going on would leave it out and be wrong.
TEST(Allocation, WarmNeighboursAllocateNothing) {
  // Boxes that move a little, or half their size, and one far away now and then. Each turn is flown twice: the first
  // time, lists become as long as they have to.
  constexpr std::uint64_t seed = 4;
  for (const auto make : {make_box_tree, make_sweep_and_prune})
    for (const double motion : {0.01, 0.5}) {
      const std::unique_ptr<Neighbours> neighbours = make();
      std::vector<Vec3> at(2000), speed(2000);
      scenes::Random random(seed);
      for (Vec3& middle : at) middle = random.in_box({0, 0, 0}, {12, 12, 12});
      for (Vec3& way : speed) way = random.direction() * motion;
      const auto box = [&](Slot i, int step) {
        if (step == 25 && i == 5) return Box{{1e12, 0, 0}, {1e12, 1, 1}};
        const Vec3 middle = at[i] + speed[i] * step;
        return Box{middle, middle + Vec3{1, 1, 1}};
      };
      for (Slot i = 0; i < at.size(); ++i) neighbours->add(i, box(i, 0), i % 4 != 0);
      std::vector<Slot> around;
      const auto turn = [&] {
        for (int step = 0; step < 50; ++step) {
          for (Slot i = 0; i < at.size(); ++i) neighbours->move(i, box(i, step));
          EXPECT_GT(neighbours->find().size(), 0u);
          around.clear();
          neighbours->find({{0, 0, 0}, {3, 3, 3}}, around);
        }
      };
      turn();
      turn();
      const std::size_t before = allocations;
      turn();
      EXPECT_EQ(allocations - before, 0u) << motion << ", seed " << seed;
    }
}

TEST(Allocation, NeighboursThatRanOutOfMemoryAreFoundTheNextTime) {
  constexpr std::uint64_t seed = 8;
  std::size_t failed = 0;
  for (const auto make : {make_box_tree, make_sweep_and_prune})
    for (const std::size_t moved : {20U, 300U})  // of 300; at 20, changes are few
      for (std::size_t n = 1; n < 30; ++n) {
        scenes::Random random(seed);
        const std::unique_ptr<Neighbours> neighbours = make();
        std::vector<BoxEntry> boxes;
        const auto draw = [&] {
          const Vec3 lower = random.in_box({0, 0, 0}, {5, 5, 5});
          return Box{lower, lower + Vec3{1, 1, 1}};
        };
        for (Slot slot = 0; slot < 300; ++slot) boxes.push_back({draw(), slot, true});
        for (std::size_t i = 0; i < 150; ++i) neighbours->add(boxes[i].slot, boxes[i].box, true);
        neighbours->find();
        for (std::size_t i = 150; i < 300; ++i) neighbours->add(boxes[i].slot, boxes[i].box, true);
        if (n % 2 == 0) neighbours->find();
        for (std::size_t i = 0; i < moved; ++i) neighbours->move(boxes[i].slot, boxes[i].box = draw());
        std::vector<SlotPair> expected;
        box_pairs(boxes, 0, expected);
        std::ranges::sort(expected);
        fails_from = allocations + n / 2;
        try {
          neighbours->find();
        } catch (const std::bad_alloc&) {
          ++failed;
        }
        fails_from = static_cast<std::size_t>(-1);
        const std::span<const SlotPair> found = neighbours->find();
        std::vector<SlotPair> sorted(found.begin(), found.end());
        std::ranges::sort(sorted);
        EXPECT_EQ(sorted, expected) << n << ", " << moved << ", seed " << seed;
      }
  EXPECT_GT(failed, 20u);
}

TEST(Allocation, AQuestionThatRunsOutOfMemoryCannotBeGoneOnWith) {
  const Model model(scenes::wrinkled_torus(800));
  const Pose pose = Pose::from_translation({0.3, 0.1, 0.05});
  const PenetrationRequest request{.precision = 0.01};
  const Penetration expected = penetration(model, {}, model, pose, request);
  std::size_t failed = 0, resumed = 0;
  for (std::size_t n = 1; n < 60; ++n) {
    Pair pair(model, model);
    Query query = pair.start({}, pose, request);
    bool threw = false;
    fails_from = allocations + n;
    try {
      while (!query.run({.node_pairs = 50}).finished) continue;
    } catch (const std::bad_alloc&) {
      threw = true;
    }
    fails_from = static_cast<std::size_t>(-1);
    if (threw) {
      ++failed;
      EXPECT_THROW(query.run(), Error) << n;
    } else {
      ++resumed;
      EXPECT_EQ(query.penetration().a_in_b.upper, expected.a_in_b.upper) << n;
    }
    EXPECT_EQ(pair.penetration({}, pose, request).a_in_b.upper, expected.a_in_b.upper) << n;
  }
  EXPECT_GT(failed, 5u);
  EXPECT_GT(resumed, 5u);
}

TEST(Allocation, AFirstQuestionThatRunsOutOfMemoryCanBeAskedAgain) {
  const Model model(scenes::wrinkled_torus(800));
  const Pose pose = Pose::from_translation({0.3, 0.1, 0.05});
  const std::size_t expected = contacts(model, {}, model, pose).size();
  std::size_t failed = 0;
  for (std::size_t n = 1; n < 40; ++n) {
    Pair pair(model, model);
    fails_from = allocations + n;
    try {
      pair.contacts({}, pose);
    } catch (const std::bad_alloc&) {
      ++failed;
    }
    fails_from = static_cast<std::size_t>(-1);
    EXPECT_EQ(pair.contacts({}, pose).size(), expected) << n;
  }
  EXPECT_GT(failed, 5u);
}

TEST(Allocation, ABatchThatRunsOutOfMemoryLeavesNothingBehind) {
  const Model environment(scenes::wrinkled_torus(2'000)), object(scenes::zachmann_torus(1'152));
  const scenes::Flight flight = scenes::full_turn(1.1, 2'000);
  const auto fly = [&] { return collide_many(environment, object, flight); };
  const std::vector<std::uint8_t> expected = fly();
  std::size_t failed = 0;
  // At each allocation of a batch in turn, the first ones closely, the later ones now and then.
  for (std::size_t n = 1; n < 200; n += 1 + n / 20) {
    fails_from = allocations + n;
    try {
      const std::vector<std::uint8_t> hits = fly();
      fails_from = static_cast<std::size_t>(-1);
      EXPECT_EQ(hits, expected);
    } catch (const std::bad_alloc&) {
      fails_from = static_cast<std::size_t>(-1);
      ++failed;
    }
    EXPECT_EQ(fly(), expected) << n;
  }
  EXPECT_GT(failed, 5u);
}

/// Of bodies: in a world of at most 48, all pairs are looked at; in a larger one neighbours are found.
constexpr int row_sizes[] = {30, 60};

/// Bodies in a row that turn where they stand, so that each touches the next.
struct RowOfBodies {
  World world;
  std::vector<BodyId> ids;

  RowOfBodies(int size, NeighbourFinding neighbours, bool are_convex = false)
      : world({.threads = 1, .neighbours = neighbours}) {
    const Mesh torus = scenes::zachmann_torus(288);
    const BodyModel model = are_convex ? BodyModel(ConvexModel::hull_of(torus)) : BodyModel(Model(torus));
    for (int i = 0; i < size; ++i)
      ids.push_back(world.add(model, Pose::from_translation({1.2 * i, 0, 0}), {.margin = 0.1}));
  }
  const Step& step(int number) {
    for (std::size_t i = 0; i < ids.size(); ++i)
      world.move(ids[i], Pose::from_quaternion(10, number % 4, static_cast<double>(i % 3), 1,
                                               {1.2 * static_cast<double>(i), 0, 0}));
    return world.step({.contacts = true});
  }
};

TEST(Allocation, ASettledWorldAllocatesNothing) {
  for (const int size : row_sizes)
    for (const NeighbourFinding neighbours : {NeighbourFinding::box_tree, NeighbourFinding::sweep_and_prune})
      for (const bool are_convex : {false, true}) {
        RowOfBodies row(size, neighbours, are_convex);
        std::size_t found = 0;
        for (int i = 0; i < 24; ++i) found += row.step(i).contacts.size();
        EXPECT_GT(found, 100u);
        const std::size_t before = allocations;
        for (int i = 0; i < 24; ++i) EXPECT_TRUE(row.step(i).neighbours.began.empty()) << "it is settled";
        EXPECT_EQ(allocations - before, 0u) << size;
      }
}

/// Answers are lists of their own. Beside these there are few.
TEST(Allocation, QuestionsOfASettledWorldAllocateLittle) {
  for (const int size : row_sizes) {
    RowOfBodies row(size, NeighbourFinding::box_tree);
    World& world = row.world;
    std::size_t found = 0;
    const auto allocated_by = [&](const auto& ask) {
      for (int i = 0; i < 4; ++i) row.step(i), found += ask();
      std::size_t most = 0;
      for (int i = 0; i < 4; ++i) {
        row.step(i);
        const std::size_t before = allocations;
        ask();
        most = std::max(most, allocations - before);
      }
      return most;
    };
    EXPECT_EQ(allocated_by([&] { return world.collide() ? 1 : 0; }), 0u);
    EXPECT_LE(allocated_by([&] { return world.colliding().size(); }), 12u);
    // One list for each pair of bodies that has something to tell, and a few for the whole.
    const std::size_t pairs = world.neighbours().size();
    const auto of_pairs = [](std::size_t lists) { return 6 * lists + 20; };
    EXPECT_LE(allocated_by([&] { return world.contacts({.geometry = false}).size(); }), of_pairs(pairs));
    EXPECT_LE(allocated_by([&] { return world.within({.distance = 0.05}).size(); }), 12 * pairs + 20);
    EXPECT_LE(allocated_by([&] { return world.closest() ? 1 : 0; }),
              32u);  // to find pairs with, hardly more for more bodies
    EXPECT_GT(found, 100u);
  }
}

TEST(Allocation, AWorldThatRunsOutOfMemoryLosesNothing) {
  for (const int size : row_sizes)
    for (const NeighbourFinding neighbours : {NeighbourFinding::box_tree, NeighbourFinding::sweep_and_prune}) {
      RowOfBodies plain(size, neighbours);
      plain.step(0);
      const std::size_t expected = plain.step(1).contacts.size(), began = plain.world.began().size();
      std::size_t failed = 0;
      for (std::size_t n = 1; n < 400; n += 1 + n / 6) {
        RowOfBodies row(size, neighbours);
        const BodyId gone = row.world.add(row.world.model(row.ids[0]), {});
        row.world.remove(gone);
        row.step(0);
        fails_from = allocations + n;
        try {
          row.world.remove(row.world.add(row.world.model(row.ids[0]), {}));
          row.step(1);
        } catch (const std::bad_alloc&) {
          ++failed;
        }
        fails_from = static_cast<std::size_t>(-1);
        for (const BodyId id : row.world.bodies())
          if (id > row.ids.back()) row.world.remove(id);  // it was added, and the memory ran out later
        const bool has_stepped = row.world.last_step().contacts.size() == expected;
        const Step& step = row.step(1);
        EXPECT_EQ(step.contacts.size(), expected) << n;
        EXPECT_EQ(step.colliding.began.size(), has_stepped ? 0 : began) << n;
      }
      EXPECT_GT(failed, 5u);
    }
}

// The bodies stay where they are after the failure: what was half done must not pass for done.
TEST(Allocation, AWorldThatRanOutOfMemoryFindsTheSameNeighbours) {
  const Model torus(scenes::zachmann_torus(288));
  for (const NeighbourFinding neighbours : {NeighbourFinding::box_tree, NeighbourFinding::sweep_and_prune}) {
    const auto neighbours_if = [&](std::size_t fails_at, bool& failed) {
      World world({.threads = 1, .neighbours = neighbours});
      std::vector<BodyId> ids;
      const auto add = [&](double x) { ids.push_back(world.add(torus, Pose::from_translation({x, 0, 0}))); };
      for (int i = 0; i < 20; ++i) add(1.2 * i);
      world.neighbours();
      for (int i = 0; i < 40; ++i) add(0.7 * i);
      for (std::size_t i = 0; i < 10; ++i) world.move(ids[i], Pose::from_translation({50.0, 0.3 * double(i), 0}));
      for (std::size_t i = 10; i < 15; ++i) world.remove(ids[i]);
      fails_from = allocations + fails_at;
      try {
        world.neighbours(Visitor{torus});
        world.neighbours();
      } catch (const std::bad_alloc&) {
        failed = true;
      }
      fails_from = static_cast<std::size_t>(-1);
      return world.neighbours();
    };
    bool failed = false;
    const std::vector<BodyPair> expected = neighbours_if(1'000'000, failed);
    EXPECT_FALSE(failed);
    for (std::size_t n = 1; n == 1 || failed; ++n) {
      failed = false;
      EXPECT_EQ(neighbours_if(n, failed), expected) << n;
    }
  }
}

/// With what it keeps of nodes, whichever way bounds are realigned.
TEST(Allocation, PairsOfAWorldKeepNoMoreThanItsMemory) {
  const Mesh torus = scenes::wrinkled_torus(400);
  const Model dops(torus, {.bound = Bound::dop, .k = 18}), boxes(torus, {.bound = Bound::obb});
  const auto expect_bounded = [&](const Model& model, Realign realign) {
    const auto kept_with = [&](std::size_t memory) {
      const std::size_t before = bytes_in_use;
      World world({.threads = 1, .memory = memory, .pair = {.realign = realign}});
      std::vector<BodyId> ids;
      for (int i = 0; i < 8; ++i) ids.push_back(world.add(model));
      for (int step = 0; step < 3; ++step) {
        for (int i = 0; i < 8; ++i) world.move(ids[std::size_t(i)], Pose::from_translation({0.4 * i, 0.05 * step, 0}));
        world.step({.contacts = true});
      }
      return bytes_in_use - before;
    };
    kept_with(0);  // what the model finds out about itself
    const std::size_t without = kept_with(0), all = kept_with(std::size_t{1} << 40), memory = (all - without) / 2;
    EXPECT_GT(all, without + 10'000);
    // Beside what was asked for, an allocation takes some bytes, not always as many.
    EXPECT_LE(kept_with(memory), without + memory + memory / 20) << name(realign);
    EXPECT_GE(kept_with(all), all - memory / 20) << "and what fits is kept";
  };
  for (const Realign realign : {Realign::affine, Realign::affine_min, Realign::brep_vertices, Realign::hill_climbing,
                                Realign::occupancy, Realign::sat_lite})
    expect_bounded(dops, realign);
  expect_bounded(boxes, Realign::affine);
}

TEST(Allocation, RemovingFromACopyOfAWorldAllocatesNothing) {
  World world;
  std::vector<BodyId> ids;
  for (int i = 0; i < 9; ++i) ids.push_back(world.add(Model(scenes::zachmann_torus(288))));
  World copy = world;
  const std::size_t before = allocations;
  for (const BodyId id : ids) copy.remove(id);
  EXPECT_EQ(allocations - before, 0u);
}

// Of 3,000 bodies at one place there are 4.5 million pairs, and 36 MB to list them.
constexpr std::size_t bodies_at_one_place = 3'000, bytes_for_bodies = 8'000'000;

TEST(Allocation, PairsOfOneGroupTakeNoMemory) {
  const Model model(scenes::zachmann_torus(100));
  for (const NeighbourFinding neighbours : {NeighbourFinding::box_tree, NeighbourFinding::sweep_and_prune}) {
    WorldOptions options;
    options.neighbours = neighbours;
    World world(options);
    const BodyId group = world.add_group({}, {});
    for (std::size_t i = 0; i < bodies_at_one_place; ++i) world.add_member(group, model, {}, {});
    const BodyId other = world.add(model, Pose::from_translation({100, 0, 0}));
    EXPECT_LT(bytes_needed([&] {
                world.step();
                world.move(group, Pose::from_translation({1, 0, 0}));
                world.step();
              }),
              bytes_for_bodies);
    EXPECT_LT(bytes_needed([&] { EXPECT_TRUE(world.within({.distance = 1}).empty()); }), bytes_for_bodies);
    const Pose from = world.pose(other), to = Pose::from_translation({50, 0, 0});
    const BodyMotion flight{other, Motion::line(from, to)};
    EXPECT_LT(bytes_needed([&] { EXPECT_FALSE(first_contact(world, {&flight, 1}).contact.found); }), bytes_for_bodies);
  }
}

TEST(Allocation, PairsOfPartsThatAreNotComparedTakeNoMemory) {
  const Model model(scenes::zachmann_torus(100));
  Parts parts;
  for (std::size_t i = 0; i < bodies_at_one_place; ++i)
    parts.parts.push_back({"bolt " + std::to_string(i), model, {}, "bolts"});
  EXPECT_LT(bytes_needed([&] { EXPECT_TRUE(find_clashes(parts).pairs.empty()); }), bytes_for_bodies);
  for (PlacedPart& part : parts.parts) part.group.clear();
  parts.ignore = {{"bolt*", "*"}};
  EXPECT_LT(bytes_needed([&] { EXPECT_TRUE(find_clashes(parts).pairs.empty()); }), bytes_for_bodies);
}

}  // namespace
}  // namespace tumble
