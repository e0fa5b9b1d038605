// SPDX-License-Identifier: Apache-2.0
// MovingBoxes: boxes that fly straight on in a cube and turn back at its walls.
#pragma once

#include <tumble/mesh.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tumble::lab {

class MovingBoxes {
 public:
  /// The cube has room for `count` boxes with sides of 3/4 to 5/4, so that one overlaps about three others. They move
  /// by `motion` in each step. All coordinates are multiples of 2^-12, so that single precision is exact, too.
  MovingBoxes(std::size_t count, double motion, std::uint64_t seed);

  const std::vector<Box>& boxes() const { return boxes_; }
  void step();

 private:
  std::vector<Box> boxes_;
  std::vector<Vec3> motions_;
  double half_side_;  // of the cube around the origin
};

}  // namespace tumble::lab
