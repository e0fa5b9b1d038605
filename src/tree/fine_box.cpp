// SPDX-License-Identifier: Apache-2.0
// Fitting: directions first, from single-precision fits or a triangle's edges; then, where many points lie in a plane
// across a direction, that plane's own normal; then extents in double precision.
#include "tree/fine_box.h"

#include "bounds/lanes.h"
#include "bounds/obb_fit.h"
#include "bounds/reach.h"
#include "math/mat3.h"
#include "math/rounding.h"
#include "math/sum_norm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace tumble {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The body's coordinates about its tree's centre, scaled to about 1, so that products neither overflow nor underflow.
struct Scaled {
  const Frame& frame;

  Vec3 operator()(const Vec3& x) const { return (x - frame.center) * power_of_two(-frame.exponent); }
  Vec3 back(const Vec3& y) const { return y * power_of_two(frame.exponent) + frame.center; }
};

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
      const LeafView leaf = tree.leaf(child.index());
      for (std::uint32_t slot = leaf.first; slot < leaf.last; ++slot) {
        const Triangle& t = triangles[tree.triangle_ids[slot]];
        all.insert(all.end(), t.begin(), t.end());
      }
    }
  }
  return all;
}

/// The frame that a box of single precision would have.
Mat3 frame_of(std::span<const std::uint32_t> numbers, std::span<const Vec3> vertices, const Scaled& scaled) {
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
std::array<Vec3, 3> refined(const Mat3& frame, std::span<const std::uint32_t> numbers, std::span<const Vec3> vertices,
                            const Scaled& scaled) {
  constexpr double nearly = 1e-5, widest_turn = 1e-4, least_width = 1e-4;
  Vec3 low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};
  for (const std::uint32_t v : numbers) {
    const Vec3 along = frame * scaled(vertices[v]);
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], along[i]), high[i] = std::max(high[i], along[i]);
  }
  const double size = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
  std::array<std::array<Face, 2>, 3> faces;
  for (const std::uint32_t v : numbers) {
    const Vec3 p = scaled(vertices[v]), along = frame * p;
    for (int i = 0; i < 3; ++i) {
      const double u = along[(i + 1) % 3], w = along[(i + 2) % 3];
      if (along[i] - low[i] <= nearly * size) faces[static_cast<std::size_t>(i)][0].add(p, u, w);
      if (high[i] - along[i] <= nearly * size) faces[static_cast<std::size_t>(i)][1].add(p, u, w);
    }
  }
  std::array<Vec3, 3> directions = frame.rows;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 below = faces[i][0].normal(), above = faces[i][1].normal();
    const Vec3 normal = length_sq(below) > length_sq(above) ? below : above;
    const double area = length(normal);
    if (!(area > least_width * size * size)) continue;
    const Vec3 unit = normal * ((dot(normal, frame.rows[i]) > 0 ? 1 : -1) / area);
    if (length(unit - frame.rows[i]) <= widest_turn) directions[i] = unit;
  }
  return directions;
}

/// The box along three directions; none if they span no space.
FineBox around(const std::array<Vec3, 3>& directions, std::span<const std::uint32_t> numbers,
               std::span<const Vec3> vertices, const Scaled& scaled) {
  const Mat3 inverted = inverse(Mat3{directions});
  const std::array<Vec3, 3> edges{inverted.column(0), inverted.column(1), inverted.column(2)};
  for (const Vec3& edge : edges)
    if (!(length_sq(edge) < 1.1)) return {};  // also for NaN
  Vec3 low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};
  for (const std::uint32_t v : numbers) {
    const Vec3 y = scaled(vertices[v]);
    for (int i = 0; i < 3; ++i) {
      const double along = dot(directions[static_cast<std::size_t>(i)], y);
      low[i] = std::min(low[i], along), high[i] = std::max(high[i], along);
    }
  }
  Vec3 middle{};
  for (int i = 0; i < 3; ++i) middle += edges[static_cast<std::size_t>(i)] * (low[i] * 0.5 + high[i] * 0.5);
  const Vec3 center = scaled.back(middle);
  std::array<double, 3> halves{};
  for (const std::uint32_t v : numbers) {
    const Vec3 from_center = vertices[v] - center;
    for (std::size_t i = 0; i < 3; ++i) halves[i] = std::max(halves[i], std::abs(dot(directions[i], from_center)));
  }
  std::array<std::size_t, 3> order{0, 1, 2};
  std::ranges::sort(order, {}, [&](std::size_t i) { return halves[i]; });
  FineBox box{};
  box.center = center;
  box.reach = sum_norm(center);
  for (std::size_t i = 0; i < 3; ++i) {
    box.normals[i] = directions[order[i]];
    box.half_edges[i] = edges[order[i]] * halves[order[i]];
    box.reach += sum_norm(box.half_edges[i]);
  }
  return box;
}

FineBox of_node(const Tree& tree, std::uint32_t node, std::span<const Vec3> vertices,
                std::span<const Triangle> triangles) {
  const Scaled scaled{tree.frame};
  const std::vector<std::uint32_t> numbers = vertices_below(tree, node, triangles);
  return around(refined(frame_of(numbers, vertices, scaled), numbers, vertices, scaled), numbers, vertices, scaled);
}

/// Along the largest triangle.
FineBox of_leaf(const Tree& tree, LeafView leaf, std::span<const Vec3> vertices, std::span<const Triangle> triangles) {
  const Scaled scaled{tree.frame};
  std::vector<std::uint32_t> numbers;
  Vec3 normal{}, edge{};
  for (std::uint32_t slot = leaf.first; slot < leaf.last; ++slot) {
    const Triangle& t = triangles[tree.triangle_ids[slot]];
    numbers.insert(numbers.end(), t.begin(), t.end());
    const Vec3 p = scaled(vertices[t[0]]), e = scaled(vertices[t[1]]) - p, f = scaled(vertices[t[2]]) - p;
    if (const Vec3 n = cross(e, f); length_sq(n) > length_sq(normal)) normal = n, edge = e;
  }
  const Vec3 upright = normal / length(normal), along = edge / length(edge);
  return around({upright, along, cross(upright, along)}, numbers, vertices, scaled);
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

FineBox fine_box(const Tree& tree, Child child, std::span<const Vec3> vertices, std::span<const Triangle> triangles) {
  FineBox box = child.is_leaf() ? of_leaf(tree, tree.leaf(child.index()), vertices, triangles)
                                : of_node(tree, child.index(), vertices, triangles);
  box.is_of_leaf = child.is_leaf();
  return if_numbers_serve(tree, box);
}

FineBox volume_box(const Tree& tree, VolumeId volume) {
  const std::optional<Obb> obb = obb_of(tree, volume);
  if (!obb) return {};
  const Scaled scaled{tree.frame};
  const auto unturned = [&](const std::array<float, 3>& v) {
    return transpose(tree.frame.rotation) * Vec3{v[0], v[1], v[2]};
  };
  FineBox box{};
  box.center = scaled.back(unturned(obb->center));
  box.reach = sum_norm(box.center);
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 axis = unturned(obb->axes[i]);
    box.normals[i] = axis / length(axis);
    // Wider for roundings, those of the frame's rotation (Frame::rotation_error) among them.
    box.half_edges[i] = axis * ((obb->half[i] + 0x1p-40 * tree_reach) * power_of_two(tree.frame.exponent));
    box.reach += sum_norm(box.half_edges[i]);
  }
  return if_numbers_serve(tree, box);
}

}  // namespace tumble
