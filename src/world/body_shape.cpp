// SPDX-License-Identifier: Apache-2.0
// Boxes of turned bodies. Dynamic ones are those of the root's volumes, turned with the body (Lin 1996, section 3.1,
// climbs on the convex hull instead, which has to be computed first).
#include "world/body_shape.h"

#include "math/sum_norm.h"
#include "tree/model_data.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tumble {
namespace {

BodyShape::WholeBox whole_box(const FineBox& box) {
  BodyShape::WholeBox whole{
      .center = box.center, .normals{}, .halves{}, .extents{}, .radius = 0, .skew = 0, .reach = 0};
  double lengths = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 &normal = box.normals[i], &edge = box.half_edges[i];
    for (int axis = 0; axis < 3; ++axis) whole.normals[static_cast<std::size_t>(axis)][i] = normal[axis];
    whole.halves[i] = length(edge);
    whole.skew += length(edge - normal * whole.halves[i]);
    lengths += whole.halves[i];
    for (const Vec3& other : box.half_edges) whole.extents[i] += std::abs(dot(normal, other));
  }
  // A pose that is not quite rigid changes a product of two vectors by at most 3e-4 of their lengths.
  constexpr double most_change = 4e-4;
  for (double& extent : whole.extents) extent += most_change * lengths;
  whole.skew = (whole.skew + 1e-15 * lengths) * largest_stretch * largest_stretch;
  // 1.001: for that, and for angles that are nearly right.
  whole.radius = 1.001 * length(Vec3{whole.halves[0], whole.halves[1], whole.halves[2]}) + whole.skew;
  whole.reach = box.reach;
  return whole;
}

}  // namespace

BodyShape shape_of(const Model& model) {
  const auto each_corner = [&](const auto& take) {
    for (const Triangle& t : model.triangles())
      for (const std::uint32_t v : t) take(model.vertices()[v]);
  };
  const Vec3& first = model.vertices()[model.triangles()[0][0]];
  Vec3 lower = first, upper = first;
  BodyShape shape;
  each_corner([&](const Vec3& v) {
    lower = {std::min(lower.x, v.x), std::min(lower.y, v.y), std::min(lower.z, v.z)};
    upper = {std::max(upper.x, v.x), std::max(upper.y, v.y), std::max(upper.z, v.z)};
    shape.reach = std::max(shape.reach, sum_norm(v));
  });
  shape.center = lower + (upper - lower) * 0.5;
  double farthest_sq = 0;
  each_corner([&](const Vec3& v) { farthest_sq = std::max(farthest_sq, length_sq(v - shape.center)); });
  shape.radius = std::sqrt(farthest_sq) * (1 + 1e-12) + 0x1p-500;  // smaller lengths have no square

  const ModelData& data = data_of(model);
  const NodeView root = data.tree.node(0);
  BodyShape::Pieces& pieces = shape.pieces.emplace();
  for (std::size_t i = 0; i < BodyShape::Pieces::count; ++i) {
    const auto lane = static_cast<int>(i) < root.used_lanes() ? i : 0;
    const FineBox box = data.fine_box(root.children[lane]);
    if (box.reach == 0) {
      shape.pieces.reset();
      break;
    }
    shape.reach = std::max(shape.reach, box.reach);
    for (int axis = 0; axis < 3; ++axis) {
      const auto row = static_cast<std::size_t>(axis);
      pieces.center[row][i] = box.center[axis];
      for (std::size_t edge = 0; edge < 3; ++edge) pieces.half_edges[edge][row][i] = box.half_edges[edge][axis];
    }
  }
  if (const FineBox whole = data.fine_box(Child::node(0)); whole.reach > 0) shape.whole = whole_box(whole);
  return shape;
}

Box box_around(const BodyShape& shape, const Pose& pose, BodyBoxes kind, double margin) {
  const Vec3& t = pose.translation();
  Box box;
  const auto along = [&](int axis, double Vec3::*coordinate) {
    const Vec3& row = pose.row(axis);
    double lower, upper;
    if (kind == BodyBoxes::fixed || !shape.pieces) {
      const double middle = dot(row, shape.center), extent = shape.radius * largest_stretch;
      lower = middle - extent;
      upper = middle + extent;
    } else {
      const auto along_row = [&](const std::array<BodyShape::Pieces::Eight, 3>& v, std::size_t i) {
        return (row.x * v[0][i] + row.y * v[1][i]) + row.z * v[2][i];
      };
      BodyShape::Pieces::Eight lowers, uppers;  // side by side, for the compiler to do several at once
      const auto& [centers, edges] = *shape.pieces;
      for (std::size_t i = 0; i < lowers.size(); ++i) {
        const double middle = along_row(centers, i);
        const double extent =
            std::abs(along_row(edges[0], i)) + std::abs(along_row(edges[1], i)) + std::abs(along_row(edges[2], i));
        lowers[i] = middle - extent;
        uppers[i] = middle + extent;
      }
      lower = *std::ranges::min_element(lowers);
      upper = *std::ranges::max_element(uppers);
    }
    const double wider = margin + slack * (shape.reach + shape.radius + margin + std::abs(t.*coordinate));
    box.lower.*coordinate = lower + t.*coordinate - wider;
    box.upper.*coordinate = upper + t.*coordinate + wider;
  };
  along(0, &Vec3::x);
  along(1, &Vec3::y);
  along(2, &Vec3::z);
  return box;
}

}  // namespace tumble
