// SPDX-License-Identifier: Apache-2.0
// Oriented boxes: certain extents, overlap and distance bound, in double precision.
#include "bounds/obb.h"

#include "core/assert.h"
#include "math/rounding.h"
#include "math/sum_norm.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tumble {
namespace {

Vec3 vector(const std::array<float, 3>& v) { return {v[0], v[1], v[2]}; }

/// Explained at finish().
double projection_error(double size, double center_size) {
  return 8 * unit_roundoff * (size + center_size) + (size > 0 ? std::numeric_limits<double>::min() : 0);
}

/// Half extents must grow by this for the vertex form to hold points whose slab coordinates y have Σ|y| <= `sum`. With
/// A the rows of axes and AAᵀ = I + E, the vertex coordinates are z = (AAᵀ)⁻¹ y = y − Ey + E²y − …, and |E_ij| <=
/// 2√3·2^-25 + 1e-14 gives |z_i − y_i| <= 1.0001·1.04e-7·Σ|y_j| < obb_departure·Σ|y_j|, with a margin of more than a
/// tenth for roundings.
double vertex_form_margin(double sum) { return obb_departure * sum; }

/// Sorts axes, longest first; keeps the frame right-handed.
void sort_axes(Obb& box) {
  const auto order = [&](std::size_t first, std::size_t second) {
    if (!(box.half[first] < box.half[second])) return;
    std::swap(box.half[first], box.half[second]);
    std::swap(box.axes[first], box.axes[second]);
    for (float& coordinate : box.axes[second]) coordinate = -coordinate;
  };
  order(0, 1), order(1, 2), order(0, 1);
}

}  // namespace

ObbExtents::ObbExtents(const Mat3& frame) {
  TUMBLE_ASSERT(departure_from_orthogonality(transpose(frame)) <= 1e-14);
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3& row = frame.rows[i];
    axes_[i] = {static_cast<float>(row.x), static_cast<float>(row.y), static_cast<float>(row.z)};
  }
  lower_.fill(std::numeric_limits<double>::infinity());
  upper_.fill(-std::numeric_limits<double>::infinity());
}

// Let u be the unit roundoff and S the largest |x| + |y| + |z| of a point. A computed a·p is within 4.01u·S of the
// exact one of the exact point (one rounding of the coordinates, one of each product, two of the sums; |a_k| <= 1); a·c
// is, with |c| for S, within 3.01u. Their difference is then a slab coordinate y within 8u·(S + |c|), which is added,
// together with what underflow may have taken from a point other than 0.
Obb ObbExtents::finish() const {
  if (!(lower_[0] <= upper_[0])) return Obb::empty();
  Obb box;
  Vec3 middle;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3& a = axes_[i];
    box.axes[i] = {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
    middle += a * (0.5 * (lower_[i] + upper_[i]));
  }
  box.center = {static_cast<float>(middle.x), static_cast<float>(middle.y), static_cast<float>(middle.z)};
  const Vec3 center = vector(box.center);
  const double error = projection_error(size_, sum_norm(center));
  std::array<double, 3> half;
  for (std::size_t i = 0; i < 3; ++i) {
    const double at_center = dot(axes_[i], center);
    half[i] = std::max(upper_[i] - at_center, at_center - lower_[i]) + error;
  }
  const double margin = vertex_form_margin((half[0] + half[1]) + half[2]);
  for (std::size_t i = 0; i < 3; ++i) box.half[i] = float_above(half[i] + margin);
  sort_axes(box);
  return box;
}

// The same sums as in finish(), where extremes and errors were at least as large. Rounding is monotone, so fitted
// points pass.
bool contains(const Obb& box, Vec3 p) {
  const Vec3 center = vector(box.center);
  const double error = projection_error(sum_norm(p), sum_norm(center));
  std::array<double, 3> reach;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 axis = vector(box.axes[i]);
    reach[i] = std::abs(dot(axis, p) - dot(axis, center)) + error;
  }
  const double margin = vertex_form_margin((reach[0] + reach[1]) + reach[2]);
  for (std::size_t i = 0; i < 3; ++i)
    if (!(reach[i] + margin <= box.half[i])) return false;
  return true;
}

double area(const Obb& box) {
  if (box.is_empty()) return 0;
  const Vec3 h = vector(box.half);
  return 8 * (h.x * h.y + h.y * h.z + h.z * h.x);
}

double volume(const Obb& box) {
  if (box.is_empty()) return 0;
  const Vec3 h = vector(box.half);
  return 8 * h.x * h.y * h.z;
}

namespace {

/// The gap of two vertex forms along `axis`, in units of its length, certainly not too large; negative if they overlap.
/// The projections are on this very vector, so only the dot products and sums err: fewer than 12 roundings of terms
/// that together are at most |axis|·(|offset| + Σ 1.01(h_a + h_b)).
class Projection {
 public:
  Projection(const Obb& a, const Obb& b) : offset_(vector(b.center) - vector(a.center)) {
    for (std::size_t i = 0; i < 3; ++i) {
      a_edges_[i] = vector(a.axes[i]) * static_cast<double>(a.half[i]);
      b_edges_[i] = vector(b.axes[i]) * static_cast<double>(b.half[i]);
      size_ += sum_norm(a_edges_[i]) + sum_norm(b_edges_[i]);
    }
    size_ += sum_norm(offset_);
  }

  double gap(Vec3 axis) const {
    double reach = 0;
    for (std::size_t i = 0; i < 3; ++i) reach += std::abs(dot(axis, a_edges_[i])) + std::abs(dot(axis, b_edges_[i]));
    return std::abs(dot(axis, offset_)) - reach - 16 * unit_roundoff * sum_norm(axis) * size_;
  }

 private:
  Vec3 offset_;
  std::array<Vec3, 3> a_edges_, b_edges_;
  double size_ = 0;
};

}  // namespace

bool overlap(const Obb& a, const Obb& b) {
  if (a.is_empty() || b.is_empty()) return false;
  const Projection projection(a, b);
  for (const Obb* box : {&a, &b})
    for (const auto& axis : box->axes)
      if (projection.gap(vector(axis)) > 0) return false;
  for (const auto& a_axis : a.axes)
    for (const auto& b_axis : b.axes)
      if (projection.gap(cross(vector(a_axis), vector(b_axis))) > 0) return false;
  return true;
}

// With the rows of A as axes, |A(p − q)| <= ‖A‖·|p − q| and ‖A‖² <= 1 + 3·obb_departure. So the norm of the three gaps,
// divided by ‖A‖ < 1 + 2^-22, bounds the distance; the factor leaves room for the roundings of the last steps.
double gap(const Obb& a, const Obb& b) {
  if (a.is_empty() || b.is_empty()) return std::numeric_limits<double>::infinity();
  constexpr double rounded_down = 1 - 0x1p-50;
  const Projection projection(a, b);
  double largest = 0;
  for (const Obb* box : {&a, &b}) {
    double sum = 0;
    for (const auto& axis : box->axes) {
      const double along = std::max(0.0, projection.gap(vector(axis)));
      sum += along * along;
    }
    largest = std::max(largest, std::sqrt(sum) * (1 - 0x1p-21));
  }
  for (const auto& a_axis : a.axes)
    for (const auto& b_axis : b.axes) {
      const Vec3 axis = cross(vector(a_axis), vector(b_axis));
      const double along = projection.gap(axis);
      if (along > 0) largest = std::max(largest, along / length(axis) * rounded_down);
    }
  return largest;
}

}  // namespace tumble
