// SPDX-License-Identifier: Apache-2.0
// Two boxes along six axes: the normals of their faces.
#include "traverse/fine_look.h"

#include "math/sum_norm.h"

#include <algorithm>
#include <cmath>

namespace tumble {

FineLook::FineLook(const PlacedPair& bodies) : target_(bodies.target()), source_(bodies.source()) {}

FineLook::Side::Side(const Body& of)
    : body(of), boxes(of.model.all_fine_boxes()), offset(sum_norm(of.pose.translation())) {}

void FineLook::Side::take(VolumeId volume) {
  if (volume == last) return;
  const Child child = body.model.tree.node(volume.node()).children[volume.lane()];
  box = &boxes.get(child, own, [&] { return body.model.fine_box(child); });
  last = volume;
}

Vec3 FineLook::Side::turned(const Vec3& v) const {
  if (body.stands) return v;
  return {dot(body.pose.row(0), v), dot(body.pose.row(1), v), dot(body.pose.row(2), v)};
}

Vec3 FineLook::Side::turned_back(const Vec3& v) const {
  if (body.stands) return v;
  return (body.pose.row(0) * v.x + body.pose.row(1) * v.y) + body.pose.row(2) * v.z;
}

// With u = 2^-53, along a vector w no longer than 1, but for poses that stretch, for a body whose vertices reach M =
// |x|₁ and whose pose moves by t:
// - a vertex of the world is off by 4u·(M + |t|₁) in each coordinate, so by 7u·(M + |t|₁) along w;
// - w turned back is off by 6u, the box's edges by 17u (of the inverse, of the halves and of their product), products
//   and sums add 4u: together 27u of the sum of the edges' lengths, which M bounds;
// - the centre, projected, is off by 10u·(|c|₁ + |t|₁).
// Together less than 46u·(M + |t|₁). 64u = 2^-47 leaves room for poses that stretch by 1e-4.
double FineLook::gap(VolumeId target, VolumeId source, double enough) {
  target_.take(target);
  source_.take(source);
  const FineBox &a = *target_.box, &b = *source_.box;
  if (a.reach == 0 || b.reach == 0) return 0;
  const double rounding = 0x1p-47 * ((a.reach + target_.offset) + (b.reach + source_.offset));
  const Vec3 moved = source_.body.pose.translation() - target_.body.pose.translation();
  double best = 0;
  const std::size_t axes = a.is_of_leaf && b.is_of_leaf ? 1 : 3;  // a leaf is flat, or its triangles tell more
  for (std::size_t i = 0; i < axes; ++i)
    for (const bool of_target : {true, false}) {
      const Vec3 axis = of_target ? target_.turned(a.normals[i]) : source_.turned(b.normals[i]);
      const Vec3 in_a = target_.turned_back(axis), in_b = source_.turned_back(axis);
      const double radius = (std::abs(dot(in_a, a.half_edges[0])) + std::abs(dot(in_b, b.half_edges[0]))) +
                            ((std::abs(dot(in_a, a.half_edges[1])) + std::abs(dot(in_b, b.half_edges[1]))) +
                             (std::abs(dot(in_a, a.half_edges[2])) + std::abs(dot(in_b, b.half_edges[2]))));
      const double offset = std::abs((dot(in_b, b.center) - dot(in_a, a.center)) + dot(axis, moved));
      const double apart = (offset - radius) - rounding;
      if (!(apart > 0)) continue;
      best = std::max(best, apart / length(axis) * (1 - 0x1p-48));
      if (best > enough) return best;
    }
  return best;
}

}  // namespace tumble
