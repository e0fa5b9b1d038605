// SPDX-License-Identifier: Apache-2.0
// Morton's curve (Morton 1966) through the translations.
#include "query/pose_order.h"

#include "core/parallel.h"

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

/// So many poses to a task, and to a partial sum: sums in fixed pieces are the same on any number of threads.
constexpr std::size_t piece = 1024;

double length_of_way(std::span<const Pose> poses, std::span<const std::uint32_t> order) {
  std::vector<double> ways((order.size() + piece - 1) / piece);
  parallel_for(ways.size(), 1, [&](std::size_t p) {
    for (std::size_t i = std::max(p * piece, std::size_t{1}); i < std::min((p + 1) * piece, order.size()); ++i)
      ways[p] += length(poses[order[i]].translation() - poses[order[i - 1]].translation());
  });
  return std::accumulate(ways.begin(), ways.end(), 0.0);
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

  std::vector<std::pair<std::uint64_t, std::uint32_t>> keys(poses.size());
  parallel_for(poses.size(), piece, [&](std::size_t i) {
    const auto cell = [&](int axis) {
      return spread(static_cast<std::uint64_t>((poses[i].translation()[axis] - lower[axis]) / size * 0x1fffff));
    };
    keys[i] = {cell(0) | cell(1) << 1 | cell(2) << 2, as_given[i]};
  });
  parallel_sort(keys);
  std::vector<std::uint32_t> along_curve;
  along_curve.reserve(keys.size());
  for (const auto& [key, i] : keys) along_curve.push_back(i);
  return length_of_way(poses, as_given) <= length_of_way(poses, along_curve) ? as_given : along_curve;
}

}  // namespace tumble
