// SPDX-License-Identifier: Apache-2.0
// Morton's curve (Morton 1966) through the translations.
#include "query/pose_order.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace tumble {
namespace {

/// The low 21 bits, two zeros after each.
std::uint64_t spread(std::uint64_t x) {
  x &= 0x1fffff;
  x = (x | x << 32) & 0x001f00000000ffff;
  x = (x | x << 16) & 0x001f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  return (x | x << 2) & 0x1249249249249249;
}

double length_of_way(std::span<const Pose> poses, std::span<const std::uint32_t> order) {
  double way = 0;
  for (std::size_t i = 1; i < order.size(); ++i)
    way += length(poses[order[i]].translation() - poses[order[i - 1]].translation());
  return way;
}

}  // namespace

std::vector<std::uint32_t> visiting_order(std::span<const Pose> poses) {
  std::vector<std::uint32_t> as_given(poses.size());
  std::iota(as_given.begin(), as_given.end(), 0u);
  if (poses.size() < 3) return as_given;

  Vec3 lower = poses[0].translation(), upper = lower;
  for (const Pose& pose : poses)
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = std::min(lower[axis], pose.translation()[axis]);
      upper[axis] = std::max(upper[axis], pose.translation()[axis]);
    }
  const double size = std::max({upper.x - lower.x, upper.y - lower.y, upper.z - lower.z});
  if (!(size > 0 && std::isfinite(size))) return as_given;

  std::vector<std::pair<std::uint64_t, std::uint32_t>> keys;
  keys.reserve(poses.size());
  for (const std::uint32_t i : as_given) {
    const auto cell = [&](int axis) {
      return spread(static_cast<std::uint64_t>((poses[i].translation()[axis] - lower[axis]) / size * 0x1fffff));
    };
    keys.emplace_back(cell(0) | cell(1) << 1 | cell(2) << 2, i);
  }
  std::ranges::sort(keys);
  std::vector<std::uint32_t> along_curve;
  along_curve.reserve(keys.size());
  for (const auto& [key, i] : keys) along_curve.push_back(i);
  return length_of_way(poses, as_given) <= length_of_way(poses, along_curve) ? as_given : along_curve;
}

}  // namespace tumble
