// SPDX-License-Identifier: Apache-2.0
// Making support maps, and looking at two of them.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "world/support_map.cpp"
#include "simd/foreach_target.h"

#include "world/support_map.h"

#include "math/max_norm.h"
#include "math/sum_norm.h"
#include "simd/lanes-inl.h"

#include <algorithm>
#include <cmath>
#include <limits>

#ifndef TUMBLE_WORLD_SUPPORT_MAP_ONCE
#define TUMBLE_WORLD_SUPPORT_MAP_ONCE
namespace tumble {

/// Smaller numbers would lose digits to underflow, or their squares.
inline constexpr double least_support_size = 0x1p-400;

}  // namespace tumble
#endif

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

/// Raises heights to those of more points, which are given from the centre on and in units. `grid`: coordinates on a
/// face.
void raise_here(std::span<const Vec3> points, const Vec3& center, double per_unit, const float* grid, float* heights) {
  constexpr std::size_t side = SupportMap::side;
  using Row = Lanes<float, side>;
  const Row columns = Row::load(grid);
  for (const Vec3& point : points) {
    const Vec3 p = (point - center) * per_unit;
    float* at = heights;
    for (int axis = 0; axis < 3; ++axis) {
      const Row up = Row::broadcast(static_cast<float>(p[axis]));
      const Row across = Row::broadcast(static_cast<float>(p[(axis + 1) % 3])) * columns;
      const auto along_rows = static_cast<float>(p[(axis + 2) % 3]);
      const Row above = across + up, below = across - up;
      float* const opposite = at + side * side;
      for (std::size_t row = 0; row < side * side; row += side) {
        const Row along = Row::broadcast(along_rows * grid[row / side]);
        max(Row::load(at + row), above + along).store(at + row);
        max(Row::load(opposite + row), below + along).store(opposite + row);
      }
      at = opposite + side * side;
    }
  }
}

/// By the transpose.
HWY_INLINE Vec3 into_body(const Pose& pose, const Vec3& v) {
  const Vec3 &p = pose.row(0), &q = pose.row(1), &r = pose.row(2);
  return {(p.x * v.x + q.x * v.y) + r.x * v.z, (p.y * v.x + q.y * v.y) + r.y * v.z,
          (p.z * v.x + q.z * v.y) + r.z * v.z};
}
HWY_INLINE Vec3 turned(const Pose& pose, const Vec3& v) {
  return {dot(pose.row(0), v), dot(pose.row(1), v), dot(pose.row(2), v)};
}

/// What a map says along a direction that is not 0, in the body's own coordinates.
class Support {
 public:
  HWY_INLINE Support(const SupportMap& map, const Vec3& direction) : unit_(map.unit) {
    const double d[] = {direction.x, direction.y, direction.z, direction.x, direction.y};
    const double x = std::abs(d[0]), y = std::abs(d[1]), z = std::abs(d[2]);
    // Without branches: which axis is the longest is anybody's guess.
    const std::size_t longer = y > x ? 1 : 0, is_last = z > std::max(x, y) ? 1 : 0;
    axis_ = longer + is_last * (2 - longer);
    size_ = std::max(std::max(x, y), z);
    const double per_size = 1 / size_;
    u_ = d[axis_ + 1] * per_size;
    v_ = d[axis_ + 2] * per_size;
    is_below_ = d[axis_] < 0 ? 1 : 0;
    const double across = (u_ + 1) * half, along_rows = (v_ + 1) * half;
    const int column = std::min(static_cast<int>(across), SupportMap::side - 2),
              row = std::min(static_cast<int>(along_rows), SupportMap::side - 2);
    const auto face = static_cast<int>(2 * axis_ + is_below_);
    const float* const at = map.heights.data() + ((face * SupportMap::side + row) * SupportMap::side + column);
    const double here = at[0], above = at[SupportMap::side];
    by_u_ = at[1] - here;
    by_uv_ = (at[SupportMap::side + 1] - above) - by_u_;
    by_v_ = above - here;
    s_ = across - column, t_ = along_rows - row;
    height_ = (here + by_u_ * s_) + (by_v_ + by_uv_ * s_) * t_;
  }

  /// How far the body reaches from its centre, times the direction's length.
  HWY_INLINE double along() const { return size_ * height_ * unit_; }
  /// About where it does, from its centre on.
  HWY_INLINE Vec3 point() const {
    const double by_u = (by_u_ + by_uv_ * t_) * half, by_v = (by_v_ + by_uv_ * s_) * half;
    const double up = height_ - (u_ * by_u + v_ * by_v);
    double p[] = {0, 0, 0, 0, 0};
    p[axis_] = is_below_ != 0 ? -up : up;
    p[axis_ + 1] = by_u;
    p[axis_ + 2] = by_v;
    return Vec3{p[0] + p[3], p[1] + p[4], p[2]} * unit_;
  }

 private:
  static constexpr double half = (SupportMap::side - 1) / 2.0;  // of a face, in cells

  std::size_t axis_, is_below_;
  double unit_, size_, u_, v_;  // the direction: where it leaves the cube
  double s_, t_;                // the same in the cell
  double by_u_, by_v_, by_uv_;  // heights over the cell
  double height_;
};

// A pose R, t takes dot(n, Rx + t) to dot(Rᵀn, x) + dot(n, t) whether it is rigid or not. Roundings, with u = 2^-53,
// along a direction of length 1, for a body of reach M: a vertex of the world is off by 7u·(M + |t|₁), as is the
// centre; directions in the body by 6u, which counts 6u·M; what the map says by 20u·M; the sums below by 10u·(M +
// |t|₁). That is less than 64u together; 2^-46 = 128u leaves room for poses that stretch by 1e-4.
bool are_apart_along_lines_here(const SupportMap& a, const Pose& pose_a, const SupportMap& b, const Pose& pose_b) {
  const Vec3 &t_a = pose_a.translation(), &t_b = pose_b.translation();
  const double rounding = 0x1p-46 * ((a.reach + sum_norm(t_a)) + (b.reach + sum_norm(t_b)));
  const Vec3 between = (turned(pose_b, b.center) + t_b) - (turned(pose_a, a.center) + t_a);
  const double size = max_norm(between);
  if (!(size > least_support_size)) return false;
  Vec3 direction = between * (1 / size);
  for (int look = 1;; ++look) {
    const Support of_a(a, into_body(pose_a, direction)), of_b(b, into_body(pose_b, -direction));
    const double gap = dot(direction, between) - (of_a.along() + of_b.along());
    if (gap > rounding * sum_norm(direction)) return true;
    if (look == 2) return false;
    const Vec3 from_a_to_b = (between + turned(pose_b, of_b.point())) - turned(pose_a, of_a.point());
    const double length = length_sq(from_a_to_b);
    if (!(length > least_support_size * least_support_size)) return false;
    direction = direction - from_a_to_b * (2 * dot(direction, from_a_to_b) / length);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {

HWY_EXPORT(raise_here);
HWY_EXPORT(are_apart_along_lines_here);

SupportMap::SupportMap(std::span<const Vec3> vertices) : reach(std::numeric_limits<double>::infinity()) {
  if (vertices.empty() || vertices.size() > most_vertices) return;
  Vec3 lower = vertices[0], upper = vertices[0];
  for (const Vec3& v : vertices)
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = std::min(lower[axis], v[axis]);
      upper[axis] = std::max(upper[axis], v[axis]);
    }
  center = lower + (upper - lower) * 0.5;
  double farthest_sq = 0;
  for (const Vec3& v : vertices) farthest_sq = std::max(farthest_sq, length_sq(v - center));
  unit = std::sqrt(farthest_sq) * (1 + 1e-12);
  if (!(unit > least_support_size)) {
    unit = 1;
    return;
  }
  std::array<float, side> grid;
  for (int i = 0; i < side; ++i) grid[static_cast<std::size_t>(i)] = 2 * static_cast<float>(i) / (side - 1) - 1;
  heights.fill(-2);
  HWY_DYNAMIC_DISPATCH(raise_here)(vertices, center, 1 / unit, grid.data(), heights.data());
  // With u = 2^-24, of points within 1 of the centre: each coordinate is off by u, the grid's by 3u, a product by u,
  // and sums, which are at most 3, by 5u. Together that is less than 16u = 2^-20; to add this much rounds once more.
  for (float& height : heights) height += 0x1p-19f;
  reach = sum_norm(center) + 2 * unit;
}

bool are_apart(const SupportMap& a, const Pose& pose_a, const SupportMap& b, const Pose& pose_b) {
  return HWY_DYNAMIC_DISPATCH(are_apart_along_lines_here)(a, pose_a, b, pose_b);
}

}  // namespace tumble
#endif
