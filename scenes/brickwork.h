// SPDX-License-Identifier: Apache-2.0
// Brickwork: an assembly of any size whose clashes are known. Bricks in running bond have eight close neighbours each:
// two beside, two before and behind, two above and two below. They are a joint apart; a boss on one of two neighbours
// reaches nearly to the other, exactly to it or into it. Some bricks are there twice.
#pragma once

#include <tumble/mesh.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tumble::scenes {

enum class Fit : std::uint8_t { close, flush, piercing, duplicate };

struct Brickwork {
  static constexpr double gap = 1.0 / 64;    // of close bricks; other neighbours are farther apart
  static constexpr double depth = 1.0 / 16;  // of piercing ones: how far the boss goes in

  Assembly assembly;  // coordinates are exact, so that flush is flush
  struct Link {
    std::size_t a, b;  // a < b
    Fit fit;
  };
  std::vector<Link> links;  // sorted; all other pairs are at least 1/32 apart
};

/// About 430 triangles a brick, in few meshes that many bricks share. Of a hundred links, twenty are flush, five
/// piercing and one a duplicate: one brick in 25 stands twice, half of these the second time with smaller triangles.
Brickwork brickwork(std::size_t bricks, std::uint64_t seed = 1);

}  // namespace tumble::scenes
