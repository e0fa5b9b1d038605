// SPDX-License-Identifier: Apache-2.0
// Boxes of turned bodies. Dynamic ones are those of the root's volumes, turned with the body (Lin 1996, section 3.1,
// climbs on the convex hull instead, which has to be computed first).
#include "world/body_shape.h"

#include "tree/model_data.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tumble {
namespace {

double norm(const Vec3& v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); }

/// No pose stretches a length by more: max|RᵀR − I| ≤ 1e-4, so the norm of R is at most the root of 1 + 3e-4.
constexpr double largest_stretch = 1.0002;

/// Per unit of the shape's reach and of the translation: 64 roundings. A world coordinate has 4, a vertex in its fine
/// box 17, and the sums below have 12.
constexpr double slack = 0x1p-47;

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
    shape.reach = std::max(shape.reach, norm(v));
  });
  shape.center = lower + (upper - lower) * 0.5;
  double farthest_sq = 0;
  each_corner([&](const Vec3& v) { farthest_sq = std::max(farthest_sq, length_sq(v - shape.center)); });
  shape.radius = std::sqrt(farthest_sq) * (1 + 1e-12) + 0x1p-500;  // smaller lengths have no square

  const ModelData& data = data_of(model);
  const NodeView root = data.tree.node(0);
  for (int lane = 0; lane < root.used_lanes(); ++lane) {
    shape.pieces.push_back(data.fine_box(root.children[lane]));
    if (shape.pieces.back().reach == 0) {
      shape.pieces.clear();
      break;
    }
    shape.reach = std::max(shape.reach, shape.pieces.back().reach);
  }
  return shape;
}

Box box_around(const BodyShape& shape, const Pose& pose, BodyBoxes kind, double margin) {
  const Vec3& t = pose.translation();
  Box box;
  const auto along = [&](int axis, double Vec3::*coordinate) {
    const Vec3& row = pose.row(axis);
    double lower, upper;
    if (kind == BodyBoxes::fixed || shape.pieces.empty()) {
      const double middle = dot(row, shape.center), extent = shape.radius * largest_stretch;
      lower = middle - extent;
      upper = middle + extent;
    } else {
      lower = std::numeric_limits<double>::infinity();
      upper = -lower;
      for (const FineBox& piece : shape.pieces) {
        const double middle = dot(row, piece.center);
        double extent = 0;
        for (const Vec3& half_edge : piece.half_edges) extent += std::abs(dot(row, half_edge));
        lower = std::min(lower, middle - extent);
        upper = std::max(upper, middle + extent);
      }
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
