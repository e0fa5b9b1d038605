// SPDX-License-Identifier: Apache-2.0
// Oriented boxes in the target's coordinates: the box moves with the body, so only rounding makes it larger.
#include "bounds/rows.h"
#include "realign/clamp_pose.h"
#include "realign/strategies.h"

#include "math/rounding.h"
#include "math/sum_norm.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "realign/obb_to_obb.cpp"
#include "simd/foreach_target.h"
#include "simd/lanes-inl.h"

#ifndef TUMBLE_REALIGN_OBB_TO_OBB_ONCE
#define TUMBLE_REALIGN_OBB_TO_OBB_ONCE
namespace tumble {

/// What the kernel needs of a pose.
struct ObbToObbPose {
  double linear[9], translation[3];
  float rotation[9];
  float scale, of_sum, fixed;  // half' = scale·half + of_sum·Σhalf + 2^-23·|centre'|₁ + fixed
};

}  // namespace tumble
#endif

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

void obb_to_obb(const ObbToObbPose& pose, const float* source, float* target) {
  using Doubles = Lanes<double, node_lanes>;
  using Floats = Lanes<float, node_lanes>;
  using Rows = ObbRows;
  const auto center = [&](int component) { return Doubles::load_floats(source + Rows::center(component)); };
  const Doubles x = center(0), y = center(1), z = center(2);
  for (int i = 0; i < 3; ++i) {
    const double* row = pose.linear + 3 * i;
    const Doubles moved =
        Doubles::broadcast(row[2]) * z +
        (Doubles::broadcast(row[1]) * y + (Doubles::broadcast(row[0]) * x + Doubles::broadcast(pose.translation[i])));
    moved.store_floats(target + Rows::center(i));
  }

  const auto half = [&](int axis) { return Floats::load(source + Rows::half(axis)); };
  const auto moved_size = [&](int component) { return abs(Floats::load(target + Rows::center(component))); };
  const Floats h0 = half(0), h1 = half(1), h2 = half(2);
  const Floats size = moved_size(0) + moved_size(1) + moved_size(2);
  const Floats widen = size * Floats::broadcast(0x1p-23f) +
                       (((h0 + h1) + h2) * Floats::broadcast(pose.of_sum) + Floats::broadcast(pose.fixed));
  const Floats scale = Floats::broadcast(pose.scale);
  (h0 * scale + widen).store(target + Rows::half(0));
  (h1 * scale + widen).store(target + Rows::half(1));
  (h2 * scale + widen).store(target + Rows::half(2));

  for (int axis = 0; axis < 3; ++axis) {
    const auto a = [&](int component) { return Floats::load(source + Rows::axis(axis, component)); };
    const Floats ax = a(0), ay = a(1), az = a(2);
    for (int i = 0; i < 3; ++i) {
      const float* row = pose.rotation + 3 * i;
      (Floats::broadcast(row[2]) * az + (Floats::broadcast(row[1]) * ay + Floats::broadcast(row[0]) * ax))
          .store(target + Rows::axis(axis, i));
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {
namespace {

HWY_EXPORT(obb_to_obb);

/// The rotation nearest to a matrix that is nearly one, within 2e-9 (Newton's iteration for the polar factor, without
/// inverses). A step turns a departure d, 3d as a norm e, into ¾e².
Mat3 nearest_rotation(Mat3 m, double departure) {
  const int steps = departure <= 1e-9 ? 0 : departure <= 1e-5 ? 1 : 2;
  for (int step = 0; step < steps; ++step) {
    Mat3 correction = transpose(m) * m;
    for (std::size_t i = 0; i < 3; ++i) {
      correction.rows[i] = correction.rows[i] * -0.5;
      correction.rows[i] += Vec3{i == 0 ? 1.5 : 0, i == 1 ? 1.5 : 0, i == 2 ? 1.5 : 0};
    }
    m = m * correction;
  }
  return m;
}

// Why the written box holds the moved set in both its forms (see bounds/obb.h), and why a float kernel may test it. Let
// L be the linear part, s the scale, d the departure, L/s = R(I + S) with R the nearest rotation, to 2e-9; (I + S)² =
// I + E with |E_ij| <= d gives |S| <= 1.6 d in the spectral norm.
// - Axes: a' = R a with the entries of R rounded to float, three products and two sums, is off by at most 4.01·2^-24
//   per component, by 4.2e-7 as a vector; the rows A' of axes then have max|A'A'ᵀ − I| < 2^-20.
// - Centre: computed in double, within 2^-50·(|t| + 4s), and rounded to float, within 2^-24·|c'|₁ (1 + 2^-20) as a
//   vector; half of the term 2^-23·|c'|₁ is for that.
// - Slab form: a point x = c + Σ z_i a_i with |z_i|, |a_i·(x − c)| <= h_i has |x − c| <= 1.001 Σh and
//   a'_i·(L(x − c)) <= s h_i + s·(1.6 d + 4.2e-7)·1.001·Σh; the margin e adds at most (1 + 2^-20)|e|.
// - Vertex form: as (A'A'ᵀ)⁻¹ differs from I by at most 1.001·2^-20 per entry, another 1e-6 of the sum of the above.
// - The kernel's own roundings: for boxes that meet, the offset of centres T is at most the sum of all halves Σh' + Σh
//   of both, and a face axis' computed inequality is off by less than 2^-24·(5|T| + 8Σh' + 4Σh), with Σh <=
//   3·tree_reach: less than 2^-20·Σh' + 2^-18. Along a cross product of edges, the same widening covers roundings that
//   shrink with its length. For those that do not, and for A'A'ᵀ differing from I, the kernel adds obb_edge_slack to
//   each |a_i·a'_j|.
class ObbToObb final : public Realigner {
 public:
  void set_pose(const RelativePose& given) override {
    const RelativePose pose = clamp_pose(given);
    Mat3 direction = pose.linear;
    for (Vec3& row : direction.rows) row = row * (1 / pose.scale);
    direction = nearest_rotation(direction, pose.departure);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        pose_.linear[3 * i + j] = pose.linear.rows[i][static_cast<int>(j)];
        pose_.rotation[3 * i + j] = static_cast<float>(direction.rows[i][static_cast<int>(j)]);
      }
    const Vec3 t = pose.translation;
    pose_.translation[0] = t.x, pose_.translation[1] = t.y, pose_.translation[2] = t.z;
    const double distance = sum_norm(t);
    pose_.scale = float_above(pose.scale);
    pose_.of_sum = float_above(pose.scale * (1.7 * pose.departure + 0x1p-18));
    pose_.fixed = float_above((1 + 0x1p-18) * pose.margin + 0x1p-49 * (distance + 4 * pose.scale) + 0x1p-18);
    kernel_ = &HWY_DYNAMIC_DISPATCH(obb_to_obb);
  }

  void realign(std::uint32_t, const float* source_rows, float* target_rows) override {
    kernel_(pose_, source_rows, target_rows);
  }

  std::size_t bytes() const override { return sizeof(*this); }

 private:
  ObbToObbPose pose_{};
  void (*kernel_)(const ObbToObbPose&, const float*, float*) = nullptr;
};

}  // namespace

std::unique_ptr<Realigner> make_obb_to_obb() { return std::make_unique<ObbToObb>(); }

}  // namespace tumble
#endif
