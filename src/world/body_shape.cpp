// SPDX-License-Identifier: Apache-2.0
// Boxes of turned bodies. Dynamic ones are those of the volumes below the root, turned with the body (Lin 1996,
// section 3.1, climbs on the convex hull instead, which has to be computed first).
#include "world/body_shape.h"

#include "math/pose_stretch.h"
#include "math/sum_norm.h"
#include "tree/model_data.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tumble {

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
  // DOPs turn badly.
  const auto box_of = [&](VolumeId volume) {
    return data.tree.bound == Bound::obb ? volume_box(data.tree, volume) : data.fine_box(volume);
  };
  const FineBox whole = box_of(VolumeId::root());
  if (whole.reach == 0) return shape;
  shape.whole = WholeBox(whole);
  shape.reach = std::max(shape.reach, whole.reach);

  std::vector<FineBox> boxes;
  const Child below = data.tree.child(VolumeId::root());
  const int used = below.is_leaf() ? 0 : data.tree.node(below.index()).used_lanes();
  for (int lane = 0; lane < used; ++lane) {
    const FineBox box = box_of(VolumeId::of(below.index(), static_cast<std::uint32_t>(lane)));
    boxes.push_back(box.reach > 0 ? box : whole);
  }
  if (boxes.empty()) boxes.push_back(whole);
  BodyShape::Pieces& pieces = shape.pieces.emplace();
  for (std::size_t i = 0; i < BodyShape::Pieces::count; ++i) {
    const FineBox& box = boxes[i < boxes.size() ? i : 0];
    shape.reach = std::max(shape.reach, box.reach);
    for (int axis = 0; axis < 3; ++axis) {
      const auto row = static_cast<std::size_t>(axis);
      pieces.center[row][i] = box.center[axis];
      for (std::size_t edge = 0; edge < 3; ++edge) pieces.half_edges[edge][row][i] = box.half_edges[edge][axis];
    }
  }
  return shape;
}

Box box_around(const BodyShape& shape, const Pose& pose, BodyBoxes kind, double margin) {
  const Vec3& t = pose.translation();
  Box box;
  const auto along = [&](int axis, double Vec3::*coordinate) {
    const Vec3& row = pose.row(axis);
    double lower, upper;
    if (kind == BodyBoxes::fixed || !shape.pieces) {
      const double middle = dot(row, shape.center), extent = shape.radius * largest_pose_stretch;
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
    const double wider = margin + box_rounding * (shape.reach + shape.radius + margin + std::abs(t.*coordinate));
    box.lower.*coordinate = lower + t.*coordinate - wider;
    box.upper.*coordinate = upper + t.*coordinate + wider;
  };
  along(0, &Vec3::x);
  along(1, &Vec3::y);
  along(2, &Vec3::z);
  return box;
}

}  // namespace tumble
