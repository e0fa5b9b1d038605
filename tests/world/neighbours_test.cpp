// SPDX-License-Identifier: Apache-2.0
// Both ways to find neighbours, and box_pairs(), against brute force: random worlds, and situations that make sorting
// and trees quadratic. Those are judged by counts, as clocks would not be the same twice.
#include "world/neighbours.h"

#include "scenes/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>

namespace tumble {
namespace {

using scenes::Random;

struct Way {
  const char* name;
  std::unique_ptr<Neighbours> (*make)();
  std::uint64_t most_work;  // for each box in a step, beside that for pairs
};

void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }

bool touch(const Box& a, const Box& b, double distance = 0) {
  for (int axis = 0; axis < 3; ++axis)
    if (a.lower[axis] - b.upper[axis] > distance || b.lower[axis] - a.upper[axis] > distance) return false;
  return true;
}

/// Boxes, and what must be found among them.
struct Boxes {
  std::map<Slot, BoxEntry> at;

  std::vector<SlotPair> pairs(double distance = 0) const {
    std::vector<SlotPair> all;
    for (auto a = at.begin(); a != at.end(); ++a)
      for (auto b = std::next(a); b != at.end(); ++b)
        if ((a->second.moves || b->second.moves) && touch(a->second.box, b->second.box, distance))
          all.push_back({a->first, b->first});
    return all;
  }
  std::vector<Slot> around(const Box& box) const {
    std::vector<Slot> all;
    for (const auto& [slot, entry] : at)
      if (touch(entry.box, box)) all.push_back(slot);
    return all;
  }
  std::vector<BoxEntry> entries() const {
    std::vector<BoxEntry> all;
    for (const auto& [slot, entry] : at) all.push_back(entry);
    return all;
  }
};

std::vector<SlotPair> sorted(std::span<const SlotPair> pairs) {
  std::vector<SlotPair> list(pairs.begin(), pairs.end());
  std::ranges::sort(list);
  return list;
}

std::vector<SlotPair> pairs_of(const std::vector<BoxEntry>& entries, double distance = 0) {
  std::vector<SlotPair> found{{7, 7}};  // must go
  box_pairs(entries, distance, found);
  return sorted(found);
}

/// A world in which boxes are drawn, and how far they move.
struct Kind {
  const char* name;
  std::function<Box(Random&)> draw;
  std::function<Vec3(Random&)> step;
};

Box around(const Vec3& middle, const Vec3& half) { return {middle - half, middle + half}; }

std::vector<Kind> kinds() {
  const auto small = [](Random& r) { return r.direction() * 0.02; };
  const auto grid = [](Random& r) {
    return Vec3{static_cast<double>(r.index(3)) - 1, static_cast<double>(r.index(3)) - 1,
                static_cast<double>(r.index(3)) - 1};
  };
  const auto powers = [](Random& r) { return std::ldexp(1.0, static_cast<int>(r.index(60)) - 30); };
  return {
      {"even",
       [](Random& r) {
         return around(r.in_box({0, 0, 0}, {4, 4, 4}), {0.5, 0.5, 0.5});
       },
       small},
      {"fast",
       [](Random& r) {
         return around(r.in_box({0, 0, 0}, {4, 4, 4}), {0.5, 0.5, 0.5});
       },
       [](Random& r) { return r.direction() * 0.7; }},
      {"ties",
       [grid](Random& r) {
         const Vec3 lower = grid(r) * 2 + grid(r);
         return Box{lower, lower + Vec3{static_cast<double>(r.index(3)), static_cast<double>(r.index(2)),
                                        static_cast<double>(r.index(3))}};
       },
       grid},
      {"points",
       [grid](Random& r) {
         const Vec3 p = grid(r);
         return Box{p, p};
       },
       grid},
      {"one place",
       [](Random&) {
         return Box{{1, 2, 3}, {1, 2, 3}};
       },
       [](Random& r) {
         return r.index(4) == 0 ? Vec3{1e-3, 0, 0} : Vec3{};
       }},
      {"far cluster",
       [](Random& r) {
         return around(Vec3{1e12, -1e12, 3e11} + r.in_box({0, 0, 0}, {3, 3, 3}), {0.5, 0.5, 0.5});
       },
       small},
      {"largest coordinates",
       [](Random& r) {
         return around(r.in_box({-9e99, -9e99, -9e99}, {9e99, 9e99, 9e99}), {2e99, 2e99, 2e99});
       },
       [](Random& r) { return r.direction() * 1e98; }},
      {"all sizes",
       [powers](Random& r) {
         const Vec3 middle = r.direction() * powers(r);
         return around(middle, {powers(r), powers(r), powers(r)});
       },
       [powers](Random& r) { return r.direction() * powers(r); }},
      {"flat",
       [](Random& r) {
         return around({r.between(0, 8), r.between(0, 8), 0}, {0.5, 0.5, 0});
       },
       [](Random& r) {
         return Vec3{r.between(-0.05, 0.05), r.between(-0.05, 0.05), 0};
       }},
      {"smallest numbers",
       [](Random& r) {
         return around(r.in_box({0, 0, 0}, {4, 4, 4}) * 1e-310, {5e-311, 5e-311, 5e-311});
       },
       [](Random& r) { return r.direction() * 1e-311; }},
  };
}

class BothWays : public testing::TestWithParam<Way> {};

TEST_P(BothWays, FindWhatBruteForceFinds) {
  constexpr std::uint64_t seed = 1;
  const std::vector<Kind> all = kinds();
  for (std::size_t k = 0; k < all.size(); ++k)
    for (int world = 0; world < 4; ++world) {
      SCOPED_TRACE(testing::Message() << all[k].name << ", world " << world << ", seed " << seed);
      Random random(seed + 100 * k + static_cast<std::uint64_t>(world));
      const auto neighbours = GetParam().make();
      Boxes boxes;
      const std::size_t size = 1 + random.index(80), moved = world % 2 == 0 ? 1 : 3;
      for (int step = 0; step < 120; ++step) {
        for (Slot slot = 0; slot < size; ++slot) {
          const auto here = boxes.at.find(slot);
          if (here == boxes.at.end()) {
            if (random.index(step == 0 ? 1 : 20) != 0) continue;
            const BoxEntry entry{all[k].draw(random), slot, random.index(4) != 0};
            boxes.at[slot] = entry;
            neighbours->add(slot, entry.box, entry.moves);
          } else if (random.index(150) == 0) {
            boxes.at.erase(here);
            neighbours->remove(slot);
          } else if (random.index(moved) == 0) {
            Box& box = here->second.box;
            const Vec3 by = all[k].step(random);
            box = random.index(60) == 0 ? all[k].draw(random) : Box{box.lower + by, box.upper + by};
            if (random.index(60) == 0) box.upper = box.lower;
            neighbours->move(slot, box);
          }
          if (random.index(500) == 0) {  // a question in the middle
            const Box box = all[k].draw(random);
            std::vector<Slot> found{12345};
            neighbours->find(box, found);
            ASSERT_EQ(found.front(), 12345U);
            found.erase(found.begin());
            std::ranges::sort(found);
            ASSERT_EQ(found, boxes.around(box));
          }
        }
        if (random.index(8) != 0) {  // else a step of two motions
          ASSERT_EQ(sorted(neighbours->find()), boxes.pairs()) << "step " << step;
          if (random.index(4) == 0) {
            ASSERT_EQ(sorted(neighbours->find()), boxes.pairs()) << "nothing has changed, step " << step;
          }
        }
      }
      ASSERT_EQ(pairs_of(boxes.entries()), boxes.pairs());
    }
}

TEST_P(BothWays, KnowNothingOfAnEmptyWorld) {
  const auto neighbours = GetParam().make();
  EXPECT_TRUE(neighbours->find().empty());
  neighbours->add(3, {{0, 0, 0}, {1, 1, 1}}, true);
  EXPECT_TRUE(neighbours->find().empty());
  neighbours->remove(3);
  EXPECT_TRUE(neighbours->find().empty());
  std::vector<Slot> found;
  neighbours->find({{0, 0, 0}, {1, 1, 1}}, found);
  EXPECT_TRUE(found.empty());
}

TEST_P(BothWays, TakeTouchingForOverlapAndHeedWhatMoves) {
  const auto neighbours = GetParam().make();
  neighbours->add(0, {{0, 0, 0}, {1, 1, 1}}, false);
  neighbours->add(1, {{1, 1, 1}, {2, 2, 2}}, false);
  EXPECT_TRUE(neighbours->find().empty());
  neighbours->remove(1);
  neighbours->add(1, {{1, 1, 1}, {2, 2, 2}}, true);
  EXPECT_EQ(sorted(neighbours->find()), (std::vector<SlotPair>{{0, 1}}));
  neighbours->move(1, {{std::nextafter(1.0, 2.0), 1, 1}, {2, 2, 2}});
  EXPECT_TRUE(neighbours->find().empty());
  neighbours->move(0, {{0.5, 0, 0}, {1.5, 1, 1}});
  EXPECT_EQ(sorted(neighbours->find()), (std::vector<SlotPair>{{0, 1}}));
  neighbours->remove(1);
  neighbours->add(1, {{1, 1, 1}, {2, 2, 2}}, false);
  EXPECT_TRUE(neighbours->find().empty());
}

TEST_P(BothWays, LeaveOutPairsOfOneGroup) {
  constexpr std::uint64_t seed = 11;
  for (std::uint64_t world = 0; world < 8; ++world) {
    SCOPED_TRACE(testing::Message() << "world " << world << ", seed " << seed);
    Random random(seed + world);
    const auto neighbours = GetParam().make();
    Boxes boxes;
    std::map<Slot, std::uint32_t> groups;
    const auto expected = [&] {
      std::vector<SlotPair> pairs = boxes.pairs();
      std::erase_if(
          pairs, [&](const SlotPair& pair) { return groups[pair.a] != no_group && groups[pair.a] == groups[pair.b]; });
      return pairs;
    };
    const auto put = [&](Slot slot) {
      if (boxes.at.contains(slot)) neighbours->remove(slot);
      const Vec3 middle = random.in_box({0, 0, 0}, {3, 3, 3});
      boxes.at[slot] = {around(middle, {0.5, 0.5, 0.5}), slot, random.index(4) != 0};
      groups[slot] = random.index(3) == 0 ? no_group : static_cast<std::uint32_t>(random.index(4));
      neighbours->add(slot, boxes.at[slot].box, boxes.at[slot].moves, groups[slot]);
    };
    for (Slot slot = 0; slot < 60; ++slot) put(slot);
    for (int step = 0; step < 60; ++step) {
      for (Slot slot = 0; slot < 60; ++slot) {
        if (random.index(30) == 0) put(slot);
        if (random.index(step % 3 == 0 ? 20 : 1) != 0) continue;
        Box& box = boxes.at[slot].box;
        const Vec3 by = random.direction() * 0.05;
        neighbours->move(slot, box = {box.lower + by, box.upper + by});
      }
      ASSERT_EQ(sorted(neighbours->find()), expected()) << "step " << step;
    }
  }
}

/// Situations in which sorting by swaps, or a tree, may look at every pair of boxes, although few of them overlap.
struct Situation {
  const char* name;
  std::function<void(std::vector<Box>& boxes, int step, Random& random)> at;  // step 0 draws them
};

std::vector<Situation> situations() {
  const auto cube = [](std::size_t n) { return std::cbrt(static_cast<double>(n)); };
  const auto even = [cube](std::vector<Box>& boxes, Random& r, const Vec3& origin, double scale) {
    const double side = cube(boxes.size());
    for (Box& box : boxes)
      box = around(origin + r.in_box({0, 0, 0}, {side, side, side}) * scale, Vec3{0.4, 0.4, 0.4} * scale);
  };
  return {
      {"one far away",
       [even](std::vector<Box>& boxes, int step, Random& r) {
         if (step == 0) even(boxes, r, {}, 1);
         boxes[7] = around({1e12 * step, 0, 0}, {1, 1, 1});
         boxes[8] = around({1 + step * 0.1, 0, -1e90}, {1, 1, 1});
       }},
      {"one to and fro",
       [even](std::vector<Box>& boxes, int step, Random& r) {
         if (step == 0) even(boxes, r, {}, 1);
         boxes[7] = around(step % 2 == 0 ? Vec3{-5, -5, -5} : Vec3{500, 500, 500}, {1, 1, 1});
       }},
      {"all drawn anew", [even](std::vector<Box>& boxes, int, Random& r) { even(boxes, r, {}, 1); }},
      {"all go far away at once",
       [even](std::vector<Box>& boxes, int step, Random& r) {
         if (step == 0) even(boxes, r, {}, 1);
         for (Box& box : boxes) box = {box.lower + Vec3{1e9, 0, 0}, box.upper + Vec3{1e9, 0, 0}};
       }},
      {"fall onto a plane",
       [even](std::vector<Box>& boxes, int step, Random& r) {
         if (step == 0) {
           even(boxes, r, {}, 1);
           for (Box& box : boxes) {
             const double x = 2 * static_cast<double>(&box - boxes.data());
             box.upper.x += x - box.lower.x, box.lower.x = x;
           }
         }
         for (Box& box : boxes) {
           const double by = step % 4 == 3 ? box.lower.z : r.between(-1, 1);
           box.lower.z -= by, box.upper.z -= by;
         }
       }},
      {"two scales, far apart",
       [even](std::vector<Box>& boxes, int step, Random& r) {
         if (step > 0) {
           for (Box& box : boxes) box = {box.lower + Vec3{0, 1e-9, 0}, box.upper + Vec3{0, 1e-9, 0}};
           return;
         }
         std::vector<Box> half(boxes.size() / 2);
         even(half, r, {1, 1, 1}, 1e-8);
         std::ranges::copy(half, boxes.begin());
         even(half, r, {1e8, 0, 0}, 1e4);
         std::ranges::copy(half, boxes.begin() + static_cast<std::ptrdiff_t>(half.size()));
       }},
      {"needles between layers",
       [](std::vector<Box>& boxes, int step, Random& r) {
         if (step > 0) {
           for (Box& box : boxes) box = {box.lower + Vec3{0.01, 0, 0}, box.upper + Vec3{0.01, 0, 0}};
           return;
         }
         const double side = std::sqrt(static_cast<double>(boxes.size()));
         for (std::size_t i = 0; i < boxes.size(); ++i) {
           const bool needle = i % 40 == 0;
           const double z = 2 * static_cast<double>(i / 40);
           boxes[i] = needle ? around({side / 2, side / 2, z + 1}, {side, side, 0.1})
                             : around({r.between(0, side), r.between(0, side), z}, {0.4, 0.4, 0.4});
         }
       }},
      {"close together, but not touching",
       [](std::vector<Box>& boxes, int step, Random& r) {
         if (step == 0)
           for (std::size_t i = 0; i < boxes.size(); ++i)
             boxes[i] = around({0, 0, static_cast<double>(i) * 1e-6}, {1, 1, 1e-7});
         for (Box& box : boxes) {
           const Vec3 by{r.between(-0.01, 0.01), r.between(-0.01, 0.01), 0};
           box = {box.lower + by, box.upper + by};
         }
       }},
      {"a crowd of large ones, fast, beside small ones",
       [](std::vector<Box>& boxes, int step, Random& r) {
         for (std::size_t i = 0; i < boxes.size(); ++i) {
           if (i < 60) {
             boxes[i] = around({step % 2 * -20.0, 0, 0}, {1000, 1000, 1000});
           } else if (step == 0) {
             boxes[i] = around({1000 + r.between(1, 30), r.between(-900, 900), 0}, {0.4, 0.4, 0.4});
           }
         }
       }},
  };
}

TEST_P(BothWays, DoNoQuadraticWork) {
  constexpr std::uint64_t seed = 5;
  constexpr std::size_t n = 3000;
  constexpr int steps = 12;
  for (const Situation& situation : situations()) {
    SCOPED_TRACE(testing::Message() << situation.name << ", seed " << seed);
    Random random(seed);
    std::vector<Box> boxes(n);
    const auto neighbours = GetParam().make();
    std::uint64_t pairs = 0;
    for (int step = 0; step < steps; ++step) {
      const std::vector<Box> before = boxes;
      situation.at(boxes, step, random);
      for (Slot slot = 0; slot < n; ++slot) {
        if (step == 0) {
          neighbours->add(slot, boxes[slot], true);
        } else if (boxes[slot].lower != before[slot].lower || boxes[slot].upper != before[slot].upper) {
          neighbours->move(slot, boxes[slot]);
        }
      }
      const auto found = neighbours->find();
      pairs += found.size();
      if (step % 4 == 3) {
        std::vector<BoxEntry> entries;
        for (Slot slot = 0; slot < n; ++slot) entries.push_back({boxes[slot], slot, true});
        ASSERT_EQ(sorted(found), pairs_of(entries));
      }
    }
    // One test of every pair in every step would be 1,500 a box.
    EXPECT_LT(neighbours->work(), steps * n * GetParam().most_work + 4 * pairs);
    RecordProperty(situation.name, std::to_string(neighbours->work() / steps));
  }
}

INSTANTIATE_TEST_SUITE_P(Neighbours, BothWays,
                         testing::Values(Way{"box tree", make_box_tree, 20},
                                         Way{"sweep and prune", make_sweep_and_prune, 100}),
                         [](const auto& way) { return way.index == 0 ? "BoxTree" : "SweepAndPrune"; });

TEST(BoxPairs, FindWhatBruteForceFindsAtAnyDistance) {
  constexpr std::uint64_t seed = 3;
  for (const Kind& kind : kinds())
    for (std::size_t size : {0U, 1U, 2U, 9U, 40U, 200U}) {
      SCOPED_TRACE(testing::Message() << kind.name << ", " << size << " boxes, seed " << seed);
      Random random(seed + size);
      Boxes boxes;
      for (Slot slot = 0; slot < size; ++slot)
        boxes.at[2 * slot + 1] = {kind.draw(random), 2 * slot + 1, random.index(3) != 0};
      for (const double distance : {0.0, 1e-12, 0.1, 1.0, 1e13, 1e300, HUGE_VAL})
        ASSERT_EQ(pairs_of(boxes.entries(), distance), boxes.pairs(distance)) << distance;
    }
}

TEST(BoxPairs, DoNoQuadraticWork) {
  constexpr std::uint64_t seed = 6;
  constexpr std::size_t n = 5000;
  for (const Situation& situation : situations()) {
    SCOPED_TRACE(testing::Message() << situation.name << ", seed " << seed);
    Random random(seed);
    std::vector<Box> boxes(n);
    for (int step = 0; step < 4; ++step) situation.at(boxes, step, random);
    std::vector<BoxEntry> entries;
    for (Slot slot = 0; slot < n; ++slot) entries.push_back({boxes[slot], slot, true});
    std::vector<SlotPair> found;
    const std::uint64_t work = box_pairs(entries, 0, found);
    EXPECT_LT(work, 20 * n + found.size());
    RecordProperty(situation.name, std::to_string(work));
  }
}

TEST(BoxPairs, LeavePairsThatDoNotMoveAlone) {
  std::vector<BoxEntry> entries;
  for (Slot slot = 0; slot < 4000; ++slot) entries.push_back({{{0, 0, 0}, {1, 1, 1}}, slot, slot == 17});
  std::vector<SlotPair> found;
  const std::uint64_t work = box_pairs(entries, 0, found);
  EXPECT_EQ(found.size(), 3999U);
  EXPECT_LT(work, 4 * entries.size());
}

TEST(BoxPairs, KeepOnlyWhatIsOfInterest) {
  constexpr std::uint64_t seed = 12;
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(testing::Message() << kind.name << ", seed " << seed);
    Random random(seed);
    Boxes boxes;
    for (Slot slot = 0; slot < 150; ++slot)
      boxes.at[2 * slot + 1] = {kind.draw(random), 2 * slot + 1, random.index(3) != 0};
    const auto of_interest = [](const SlotPair& pair) { return (pair.a / 2 + pair.b / 2) % 3 == 0; };
    for (const double distance : {0.0, 1.0}) {
      std::vector<SlotPair> found{{7, 7}}, expected = boxes.pairs(distance);
      box_pairs(boxes.entries(), distance, found, of_interest);
      std::erase_if(expected, std::not_fn(of_interest));
      EXPECT_EQ(sorted(found), expected) << distance;
    }
  }
}

}  // namespace
}  // namespace tumble
