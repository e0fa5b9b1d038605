// SPDX-License-Identifier: Apache-2.0
// Once every node was realigned, no further pose or realignment takes memory.
#include "realign/scenario.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

namespace {
std::size_t allocations = 0;
}

// Not inline: g++ would see malloc and free, and warn that they do not belong together.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace tumble {
namespace {

TEST(Allocation, WarmRealignersTakeNoMemory) {
  Random random(12);
  for (const auto& kinds : {std::pair{BoundKind{Bound::obb, 0}, BoundKind{Bound::obb, 0}},
                            {BoundKind{Bound::obb, 0}, BoundKind{Bound::dop, 26}},
                            {BoundKind{Bound::dop, 18}, BoundKind{Bound::dop, 26}}})
    for (const Realign strategy : {Realign::affine, Realign::affine_min, Realign::brep_vertices, Realign::hill_climbing,
                                   Realign::occupancy, Realign::sat_lite}) {
      const std::vector<Node> nodes{node_of(kinds.first, random), node_of(kinds.first, random)};
      PairOptions options;
      options.realign = strategy;
      const auto realigner = make_realigner(options, kinds.first, kinds.second, sets_of(nodes));
      std::array<float, 26 * node_lanes> rows;
      std::size_t before = allocations;
      for (const Motion motion : motions) {
        const RelativePose pose = pose_of(motion, random);
        realigner->set_pose(pose);
        for (std::uint32_t n = 0; n < nodes.size(); ++n) realigner->realign(n, nodes[n].rows.data(), rows.data());
        if (motion == motions.front()) before = allocations;
      }
      EXPECT_EQ(allocations, before) << name(strategy);
    }
}

}  // namespace
}  // namespace tumble
