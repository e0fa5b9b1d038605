// SPDX-License-Identifier: Apache-2.0
// Drawing boxes of a given density, and moving them.
#include "lab/moving_boxes.h"

#include "scenes/random.h"

#include <cmath>

namespace tumble::lab {
namespace {

constexpr double per_volume = 0.375;  // boxes; one with sides of 1 reaches the middles of those in a volume of 8

Vec3 on_grid(const Vec3& v) {
  const auto round = [](double x) { return std::nearbyint(x * 4096) / 4096; };
  return {round(v.x), round(v.y), round(v.z)};
}

}  // namespace

MovingBoxes::MovingBoxes(std::size_t count, double motion, std::uint64_t seed)
    : half_side_(std::ceil(std::cbrt(static_cast<double>(count) / per_volume)) / 2) {
  scenes::Random random(seed);
  const Vec3 corner{half_side_, half_side_, half_side_};
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 sides = on_grid(random.in_box({0.75, 0.75, 0.75}, {1.25, 1.25, 1.25}));
    const Vec3 lower = on_grid(random.in_box(-corner, corner - sides));
    boxes_.push_back({lower, lower + sides});
    motions_.push_back(on_grid(random.direction() * motion));
  }
}

void MovingBoxes::step() {
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    Box& box = boxes_[i];
    for (int axis = 0; axis < 3; ++axis) {
      double& by = motions_[i][axis];
      if (by < 0 ? box.lower[axis] + by < -half_side_ : box.upper[axis] + by > half_side_) by = -by;
    }
    box = {box.lower + motions_[i], box.upper + motions_[i]};
  }
}

}  // namespace tumble::lab
