// SPDX-License-Identifier: Apache-2.0
// Fitting: directions first, from single-precision fits or a triangle's edges; then, where many points lie in a plane
// across a direction, that plane's own normal; then extents in double precision.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tree/fine_box.cpp"
#include "simd/foreach_target.h"

#include "tree/fine_box.h"

#include "bounds/lanes.h"
#include "bounds/obb_fit.h"
#include "bounds/reach.h"
#include "math/mat3.h"
#include "math/rounding.h"
#include "math/sum_norm.h"
#include "simd/lanes-inl.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#ifndef TUMBLE_TREE_FINE_BOX_EXTENTS_
#define TUMBLE_TREE_FINE_BOX_EXTENTS_
namespace tumble {

/// Of points along three directions, and a fourth that is none.
struct Extents {
  std::array<double, 4> low, high;
};

}  // namespace tumble
#endif

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

/// Of (x − origin)·scale for every point x.
Extents extents_here(std::span<const Vec3> points, const Vec3& origin, double scale, const Mat3& directions) {
  using Double4 = Lanes<double, 4>;
  const auto by_coordinate = [&](int i) HWY_ATTR {
    const std::array<double, 4> of_three{directions.rows[0][i], directions.rows[1][i], directions.rows[2][i], 0};
    return Double4::load(of_three.data());
  };
  const Double4 x = by_coordinate(0), y = by_coordinate(1), z = by_coordinate(2);
  Double4 low = Double4::broadcast(std::numeric_limits<double>::infinity());
  Double4 high = Double4::broadcast(-std::numeric_limits<double>::infinity());
  for (const Vec3& point : points) {
    const Vec3 p = (point - origin) * scale;
    const Double4 along = (x * Double4::broadcast(p.x) + y * Double4::broadcast(p.y)) + z * Double4::broadcast(p.z);
    low = min(low, along), high = max(high, along);
  }
  Extents extents{};
  low.store(extents.low.data());
  high.store(extents.high.data());
  return extents;
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {

HWY_EXPORT(extents_here);

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Extents extents(std::span<const Vec3> points, const Vec3& origin, double scale, const Mat3& directions) {
  return HWY_DYNAMIC_DISPATCH(extents_here)(points, origin, scale, directions);
}

/// The body's coordinates about its tree's centre, scaled to about 1, so that products neither overflow nor underflow.
struct Scaled {
  const Frame& frame;

  double scale() const { return power_of_two(-frame.exponent); }
  Vec3 operator()(const Vec3& x) const { return (x - frame.center) * scale(); }
  Vec3 back(const Vec3& y) const { return y * power_of_two(frame.exponent) + frame.center; }
};

void add_vertices(const Tree& tree, LeafView leaf, std::span<const Triangle> triangles,
                  std::vector<std::uint32_t>& to) {
  std::size_t next = to.size();
  to.resize(next + 3 * std::size_t{leaf.last - leaf.first});
  for (std::uint32_t slot = leaf.first; slot < leaf.last; ++slot)
    for (const std::uint32_t v : triangles[tree.triangle_ids[slot]]) to[next++] = v;
}

/// The three vertices of every triangle below.
std::vector<std::uint32_t> vertices_below(const Tree& tree, std::uint32_t node, std::span<const Triangle> triangles) {
  std::vector<std::uint32_t> all;
  std::vector<std::uint32_t> pending{node};
  while (!pending.empty()) {
    const NodeView next = tree.node(pending.back());
    pending.pop_back();
    for (int lane = 0; lane < next.used_lanes(); ++lane) {
      const Child child = next.children[lane];
      if (!child.is_leaf()) {
        pending.push_back(child.index());
        continue;
      }
      add_vertices(tree, tree.leaf(child.index()), triangles, all);
    }
  }
  return all;
}

/// Each number once, in rising order. Numbers that lie far apart are left as they are: a bit for each of those between
/// would cost more than it saves.
void leave_out_repeats(std::vector<std::uint32_t>& numbers) {
  std::uint32_t least = numbers[0], greatest = least;
  for (const std::uint32_t v : numbers) least = std::min(least, v), greatest = std::max(greatest, v);
  const std::size_t words = (greatest - least) / 64 + 1;
  if (words > numbers.size()) return;
  std::vector<std::uint64_t> bits(words);
  for (const std::uint32_t v : numbers) bits[(v - least) / 64] |= std::uint64_t{1} << ((v - least) % 64);
  numbers.clear();
  for (std::size_t word = 0; word < words; ++word)
    for (std::uint64_t rest = bits[word]; rest != 0; rest &= rest - 1)
      numbers.push_back(least + static_cast<std::uint32_t>(64 * word) +
                        static_cast<std::uint32_t>(std::countr_zero(rest)));
}

std::vector<Vec3> points_of(std::span<const std::uint32_t> numbers, std::span<const Vec3> vertices) {
  std::vector<Vec3> points;
  points.reserve(numbers.size());
  for (const std::uint32_t v : numbers) points.push_back(vertices[v]);
  return points;
}

/// The frame that a box of single precision would have, where the tree has no such box.
Mat3 fitted_frame(std::span<const std::uint32_t> numbers, std::span<const Vec3> vertices, const Scaled& scaled) {
  ObbMoments moments;
  ExtremePoints extremes;
  for (std::size_t i = 0; i < numbers.size(); i += 3) {
    const Vec3 p = scaled(vertices[numbers[i]]), q = scaled(vertices[numbers[i + 1]]),
               r = scaled(vertices[numbers[i + 2]]);
    moments.add(p, q, r);
    extremes.add(p, numbers[i]), extremes.add(q, numbers[i + 1]), extremes.add(r, numbers[i + 2]);
  }
  std::array<std::uint32_t, ExtremePoints::count> storage;
  std::array<Vec3, ExtremePoints::count> points;
  const std::span<const std::uint32_t> farthest = extremes.numbers(storage);
  for (std::size_t i = 0; i < farthest.size(); ++i) points[i] = scaled(vertices[farthest[i]]);
  return smallest_frame(moments, std::span<const Vec3>(points).first(farthest.size()));
}

/// The points of one face of a box, as far as they tell its plane: the outermost along the two other directions.
struct Face {
  std::array<Vec3, 4> points{};
  std::array<double, 4> reach{-infinity, -infinity, -infinity, -infinity};

  void add(const Vec3& p, double u, double v) {
    const double along[] = {u, -u, v, -v};
    for (std::size_t i = 0; i < 4; ++i)
      if (along[i] > reach[i]) reach[i] = along[i], points[i] = p;
  }
  /// Of the largest triangle among these points; its length is twice the area.
  Vec3 normal() const {
    Vec3 largest{};
    for (std::size_t left_out = 0; left_out < 4; ++left_out) {
      const Vec3 &p = points[(left_out + 1) % 4], &q = points[(left_out + 2) % 4], &r = points[(left_out + 3) % 4];
      const Vec3 n = cross(q - p, r - p);
      if (length_sq(n) > length_sq(largest)) largest = n;
    }
    return largest;
  }
};

/// Turns each direction to the normal of the larger of the two faces that it is nearly upright on.
Mat3 refined(const Mat3& frame, std::span<const Vec3> points, const Scaled& scaled) {
  constexpr double nearly = 1e-5, widest_turn = 1e-4, least_width = 1e-4;
  const auto [low, high] = extents(points, scaled.frame.center, scaled.scale(), frame);
  const double size = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  std::array<std::array<Face, 2>, 3> faces;
  for (const Vec3& point : points) {
    const Vec3 p = scaled(point), along = frame * p;
    for (std::size_t i = 0; i < 3; ++i) {
      const double here = along[static_cast<int>(i)];
      const bool is_below = here - low[i] <= nearly * size, is_above = high[i] - here <= nearly * size;
      if (!is_below && !is_above) continue;
      const double u = along[static_cast<int>((i + 1) % 3)], v = along[static_cast<int>((i + 2) % 3)];
      if (is_below) faces[i][0].add(p, u, v);
      if (is_above) faces[i][1].add(p, u, v);
    }
  }
  Mat3 directions = frame;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 below = faces[i][0].normal(), above = faces[i][1].normal();
    const Vec3 normal = length_sq(below) > length_sq(above) ? below : above;
    const double area = length(normal);
    if (!(area > least_width * size * size)) continue;
    const Vec3 unit = normal * ((dot(normal, frame.rows[i]) > 0 ? 1 : -1) / area);
    if (length(unit - frame.rows[i]) <= widest_turn) directions.rows[i] = unit;
  }
  return directions;
}

/// The box along three directions; none if they span no space.
FineBox around(const Mat3& directions, std::span<const Vec3> points, const Scaled& scaled) {
  const Mat3 inverted = inverse(directions);
  const std::array<Vec3, 3> edges{inverted.column(0), inverted.column(1), inverted.column(2)};
  for (const Vec3& edge : edges)
    if (!(length_sq(edge) < 1.1)) return {};  // also for NaN
  const auto [low, high] = extents(points, scaled.frame.center, scaled.scale(), directions);
  Vec3 middle{};
  for (std::size_t i = 0; i < 3; ++i) middle += edges[i] * (low[i] * 0.5 + high[i] * 0.5);
  const Vec3 center = scaled.back(middle);
  const Extents from_center = extents(points, center, 1, directions);
  std::array<double, 3> halves{};
  for (std::size_t i = 0; i < 3; ++i) halves[i] = std::max(-from_center.low[i], from_center.high[i]);
  std::array<std::size_t, 3> order{0, 1, 2};
  std::ranges::sort(order, {}, [&](std::size_t i) { return halves[i]; });
  FineBox box{};
  box.center = center;
  box.reach = sum_norm(center);
  for (std::size_t i = 0; i < 3; ++i) {
    box.normals[i] = directions.rows[order[i]];
    box.half_edges[i] = edges[order[i]] * halves[order[i]];
    box.reach += sum_norm(box.half_edges[i]);
  }
  return box;
}

/// A direction of the tree's coordinates in those of the body.
Vec3 turned_back(const Tree& tree, const std::array<float, 3>& v) {
  return transpose(tree.frame.rotation) * Vec3{v[0], v[1], v[2]};
}

/// The axes of a box of the tree.
Mat3 frame_in_tree(const Tree& tree, VolumeId volume) {
  const Obb box = lane_obb(tree.node(volume.node()).rows, volume.lane());
  Mat3 frame;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 axis = turned_back(tree, box.axes[i]);
    frame.rows[i] = axis / length(axis);
  }
  return frame;
}

FineBox of_node(const Tree& tree, VolumeId volume, std::uint32_t node, std::span<const Vec3> vertices,
                std::span<const Triangle> triangles) {
  const Scaled scaled{tree.frame};
  std::vector<std::uint32_t> numbers = vertices_below(tree, node, triangles);
  const Mat3 frame = tree.bound == Bound::obb ? frame_in_tree(tree, volume) : fitted_frame(numbers, vertices, scaled);
  leave_out_repeats(numbers);
  const std::vector<Vec3> points = points_of(numbers, vertices);
  return around(refined(frame, points, scaled), points, scaled);
}

/// Along the largest triangle.
FineBox of_leaf(const Tree& tree, LeafView leaf, std::span<const Vec3> vertices, std::span<const Triangle> triangles) {
  const Scaled scaled{tree.frame};
  std::vector<std::uint32_t> numbers;
  add_vertices(tree, leaf, triangles, numbers);
  Vec3 normal{}, edge{};
  for (std::uint32_t slot = leaf.first; slot < leaf.last; ++slot) {
    const Triangle& t = triangles[tree.triangle_ids[slot]];
    const Vec3 p = scaled(vertices[t[0]]), e = scaled(vertices[t[1]]) - p, f = scaled(vertices[t[2]]) - p;
    if (const Vec3 n = cross(e, f); length_sq(n) > length_sq(normal)) normal = n, edge = e;
  }
  const Vec3 upright = normal / length(normal), along = edge / length(edge);
  return around(Mat3{{upright, along, cross(upright, along)}}, points_of(numbers, vertices), scaled);
}

/// Of numbers that products and roundings leave alone: none for others.
FineBox if_numbers_serve(const Tree& tree, const FineBox& box) {
  constexpr int least_exponent = -400;  // below this, products of coordinates lose digits to underflow
  // Below the normal numbers roundings are no share of what they round, as margins (fine_look.cpp) take them to be.
  constexpr double least_reach = 0x1p-1000;
  return tree.frame.exponent >= least_exponent && box.reach >= least_reach ? box : FineBox{};
}

/// A volume as a box in tree coordinates that holds every point as the sum of a centre and half edges.
std::optional<Obb> obb_of(const Tree& tree, VolumeId volume) {
  const float* const rows = tree.node(volume.node()).rows;
  if (tree.bound == Bound::obb) return lane_obb(rows, volume.lane());
  if (!has_axes(tree.k)) return std::nullopt;
  const LaneSlabs slabs = lane_slabs(rows, tree.k, volume.lane());
  Obb box = Obb::empty();
  for (std::size_t i = 0; i < 3; ++i) {
    const double low = slabs.lower[i], high = slabs.upper[i];
    box.center[i] = static_cast<float>((low + high) / 2);
    box.half[i] = float_above(std::max(high - box.center[i], box.center[i] - low));
  }
  return box;
}

}  // namespace

FineBox fine_box(const Tree& tree, VolumeId volume, std::span<const Vec3> vertices,
                 std::span<const Triangle> triangles) {
  const Child child = tree.child(volume);
  FineBox box = child.is_leaf() ? of_leaf(tree, tree.leaf(child.index()), vertices, triangles)
                                : of_node(tree, volume, child.index(), vertices, triangles);
  box.is_of_leaf = child.is_leaf();
  return if_numbers_serve(tree, box);
}

FineBox volume_box(const Tree& tree, VolumeId volume) {
  const std::optional<Obb> obb = obb_of(tree, volume);
  if (!obb) return {};
  const Scaled scaled{tree.frame};
  FineBox box{};
  box.center = scaled.back(turned_back(tree, obb->center));
  box.reach = sum_norm(box.center);
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 axis = turned_back(tree, obb->axes[i]);
    box.normals[i] = axis / length(axis);
    // Wider for roundings, those of the frame's rotation (Frame::rotation_error) among them.
    box.half_edges[i] = axis * ((obb->half[i] + 0x1p-40 * tree_reach) * power_of_two(tree.frame.exponent));
    box.reach += sum_norm(box.half_edges[i]);
  }
  return if_numbers_serve(tree, box);
}

}  // namespace tumble
#endif
