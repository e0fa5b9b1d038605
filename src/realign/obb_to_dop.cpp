// SPDX-License-Identifier: Apache-2.0
// The k-DOP around a moved oriented box: its exact support along each direction, up to roundings.
#include "bounds/directions.h"
#include "bounds/rows.h"
#include "math/rounding.h"
#include "realign/clamp_pose.h"
#include "realign/strategies.h"

#include <array>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "realign/obb_to_dop.cpp"
#include "simd/foreach_target.h"
#include "simd/lanes-inl.h"

#ifndef TUMBLE_REALIGN_OBB_TO_DOP_ONCE
#define TUMBLE_REALIGN_OBB_TO_DOP_ONCE
namespace tumble {

/// One target slab: its normal taken back to the source, u = Lᵀn; the translation along it; what to widen by.
struct ObbToSlab {
  double direction[3], shift;
  float rounded_direction[3], of_sum, fixed;  // reach = Σ half·|u·a| + of_sum·Σhalf + 2^-22·|middle| + fixed
};

}  // namespace tumble
#endif

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

void obb_to_dop(const ObbToSlab* slabs, int count, const float* source, float* target) {
  using Doubles = Lanes<double, node_lanes>;
  using Floats = Lanes<float, node_lanes>;
  const auto center = [&](int component) { return Doubles::load_floats(source + ObbRows::center(component)); };
  const auto half = [&](int axis) { return Floats::load(source + ObbRows::half(axis)); };
  const Doubles x = center(0), y = center(1), z = center(2);
  const Floats halves = (half(0) + half(1)) + half(2);
  for (int i = 0; i < count; ++i) {
    const ObbToSlab& slab = slabs[i];
    const Doubles along = Doubles::broadcast(slab.direction[0]) * x +
                          (Doubles::broadcast(slab.direction[1]) * y +
                           (Doubles::broadcast(slab.direction[2]) * z + Doubles::broadcast(slab.shift)));
    alignas(64) float rounded[node_lanes];
    along.store_floats(rounded);
    const Floats middle = Floats::load(rounded);
    const Floats ux = Floats::broadcast(slab.rounded_direction[0]), uy = Floats::broadcast(slab.rounded_direction[1]),
                 uz = Floats::broadcast(slab.rounded_direction[2]);
    Floats reach = halves * Floats::broadcast(slab.of_sum) +
                   (abs(middle) * Floats::broadcast(0x1p-22f) + Floats::broadcast(slab.fixed));
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = [&](int component) { return Floats::load(source + ObbRows::axis(axis, component)); };
      const Floats cosine = ux * a(0) + (uy * a(1) + uz * a(2));
      reach = abs(cosine) * half(axis) + reach;
    }
    (middle - reach).store(target + DopRows::lower(i));
    (middle + reach).store(target + DopRows::upper(i));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {
namespace {

HWY_EXPORT(obb_to_dop);

// The vertex form's support along n is n·(Lc + t) + Σ h_i |u·a_i| with u = Lᵀn. The first term is computed in double
// and rounded once. The second is off by at most (2^-24 for u, 3·2^-24 for the dot products, 5·2^-24 for the
// sums)·|u|·Σh. The last sum rounds by 2^-24 of either, and the margin by as much. 2^-22 of the middle, 12·2^-24·|u|·Σh
// and 2^-20 of the margin cover all of these.
class ObbToDop final : public Realigner {
 public:
  explicit ObbToDop(int target_k) : normals_(directions(target_k)), lengths_(direction_lengths(target_k)) {}

  void set_pose(const RelativePose& given) override {
    const RelativePose pose = clamp_pose(given);
    const Mat3 back = transpose(pose.linear);
    for (std::size_t i = 0; i < normals_.size(); ++i) {
      const Vec3 n = normals_[i], u = back * n, t = pose.translation;
      ObbToSlab& slab = slabs_[i];
      for (int axis = 0; axis < 3; ++axis) {
        slab.direction[axis] = u[axis];
        slab.rounded_direction[axis] = static_cast<float>(u[axis]);
      }
      slab.shift = dot(n, t);
      const double terms = std::abs(n.x * t.x) + std::abs(n.y * t.y) + std::abs(n.z * t.z);
      const double size = length(u);
      slab.of_sum = float_above(12 * 0x1p-24 * size);
      slab.fixed = float_above(lengths_[i] * pose.margin * (1 + 0x1p-20) + 0x1p-49 * (terms + 4 * size) +
                               static_cast<double>(std::numeric_limits<float>::min()));
    }
    kernel_ = &HWY_DYNAMIC_DISPATCH(obb_to_dop);
  }

  void realign(std::uint32_t, const float* source_rows, float* target_rows) override {
    kernel_(slabs_.data(), static_cast<int>(normals_.size()), source_rows, target_rows);
  }

  std::size_t bytes() const override { return sizeof(*this); }

 private:
  std::span<const Vec3> normals_;
  std::span<const double> lengths_;
  std::array<ObbToSlab, max_k / 2> slabs_;
  void (*kernel_)(const ObbToSlab*, int, const float*, float*) = nullptr;
};

}  // namespace

std::unique_ptr<Realigner> make_obb_to_dop(int target_k) { return std::make_unique<ObbToDop>(target_k); }

}  // namespace tumble
#endif
