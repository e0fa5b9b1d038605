// SPDX-License-Identifier: Apache-2.0
// Two boxes along six axes, all at once: the normals of their faces.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "traverse/fine_look.cpp"
#include "simd/foreach_target.h"

#include "traverse/fine_look.h"

#include "math/sum_norm.h"
#include "simd/lanes-inl.h"
#include "simd/vec3s-inl.h"

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

using Double8 = Lanes<double, 2 * FineLook::axes_of_side>;

HWY_INLINE Vec3s<Double8> each(const Vec3& v) {
  return {Double8::broadcast(v.x), Double8::broadcast(v.y), Double8::broadcast(v.z)};
}

/// From the world to a body.
HWY_INLINE Vec3s<Double8> turned_back(const Pose& pose, const Vec3s<Double8>& axes) {
  return (each(pose.row(0)) * axes.x + each(pose.row(1)) * axes.y) + each(pose.row(2)) * axes.z;
}

/// How far each axis leads from the one box to the other; not above 0 where they overlap along it.
void gaps_here(const FineLook::Side& target, const FineLook::Side& source, const FineLook::Axes& along, double* gaps) {
  const FineBox &a = *target.box, &b = *source.box;
  const Vec3s<Double8> axes{Double8::load(along[0].data()), Double8::load(along[1].data()),
                            Double8::load(along[2].data())};
  const Vec3s<Double8> in_a = turned_back(target.body.pose, axes), in_b = turned_back(source.body.pose, axes);
  const auto reach = [&](std::size_t i) HWY_ATTR {
    return abs(dot(in_a, each(a.half_edges[i]))) + abs(dot(in_b, each(b.half_edges[i])));
  };
  const Double8 radius = reach(0) + (reach(1) + reach(2));
  const Vec3 moved = source.body.pose.translation() - target.body.pose.translation();
  const Double8 offset = abs((dot(in_b, each(b.center)) - dot(in_a, each(a.center))) + dot(axes, each(moved)));
  const double rounding = 0x1p-47 * ((a.reach + target.offset) + (b.reach + source.offset));
  ((offset - radius) - Double8::broadcast(rounding)).store(gaps);
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {

HWY_EXPORT(gaps_here);

FineLook::FineLook(const PlacedPair& bodies) : target_(bodies.target()), source_(bodies.source()) {}

FineLook::Side::Side(const Body& of)
    : body(of), boxes(of.model.all_fine_boxes()), offset(sum_norm(of.pose.translation())) {}

Vec3 FineLook::Side::turned(const Vec3& v) const {
  if (body.stands) return v;
  return {dot(body.pose.row(0), v), dot(body.pose.row(1), v), dot(body.pose.row(2), v)};
}

void FineLook::take(Side& side, VolumeId volume, std::size_t first_axis) {
  if (volume == side.last) return;
  const ModelData& model = side.body.model;
  side.box = &side.boxes.get(model.tree.child(volume), side.own, [&] { return model.fine_box(volume); });
  side.last = volume;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 axis = side.turned(side.box->normals[i]);
    axes_[0][first_axis + i] = axis.x, axes_[1][first_axis + i] = axis.y, axes_[2][first_axis + i] = axis.z;
  }
}

// With u = 2^-53, along a vector w no longer than 1, but for poses that stretch, for a body whose vertices reach M =
// |x|₁ and whose pose moves by t:
// - a vertex of the world is off by 4u·(M + |t|₁) in each coordinate, so by 7u·(M + |t|₁) along w;
// - w turned back is off by 6u, the box's edges by 17u (of the inverse, of the halves and of their product), products
//   and sums add 4u: together 27u of the sum of the edges' lengths, which M bounds;
// - the centre, projected, is off by 10u·(|c|₁ + |t|₁).
// Together less than 46u·(M + |t|₁). 64u = 2^-47 leaves room for poses that stretch by 1e-4.
double FineLook::gap(VolumeId target, VolumeId source, double enough) {
  take(target_, target, 0);
  take(source_, source, axes_of_side);
  const FineBox &a = *target_.box, &b = *source_.box;
  if (a.reach == 0 || b.reach == 0) return 0;
  std::array<double, 2 * axes_of_side> gaps;
  HWY_DYNAMIC_DISPATCH(gaps_here)(target_, source_, axes_, gaps.data());
  double best = 0;
  const std::size_t axes = a.is_of_leaf && b.is_of_leaf ? 1 : 3;  // a leaf is flat, or its triangles tell more
  for (std::size_t i = 0; i < axes; ++i)
    for (const std::size_t axis : {i, axes_of_side + i}) {
      if (!(gaps[axis] > 0)) continue;
      const double length_of_axis = length(Vec3{axes_[0][axis], axes_[1][axis], axes_[2][axis]});
      best = std::max(best, gaps[axis] / length_of_axis * (1 - 0x1p-48));
      if (best > enough) return best;
    }
  return best;
}

}  // namespace tumble
#endif
