// SPDX-License-Identifier: Apache-2.0
// Obb: an oriented bounding box in single precision that certainly contains what it was fitted to; its overlap test and
// distance bound. bounds/obb_fit.h chooses its frame.
#pragma once

#include "math/mat3.h"
#include "math/sum_norm.h"

#include <array>
#include <limits>

namespace tumble {

/// Two sets in one: the slab form {p : |a_i·(p − c)| <= h_i} and the vertex form {c + Σ s_i h_i a_i : |s_i| <= 1}. They
/// differ, because float axes are orthonormal only up to rounding (max|AAᵀ − I| <= obb_departure). A fitted box
/// contains its points in both forms, so each test may use the form in which it is exact. Axes of fitted boxes go from
/// the longest to the shortest.
struct Obb {
  std::array<std::array<float, 3>, 3> axes;  // by rows
  std::array<float, 3> center, half;

  /// Holds nothing, overlaps nothing.
  static constexpr Obb empty() {
    constexpr float inf = std::numeric_limits<float>::infinity();
    return {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0}, {-inf, -inf, -inf}};
  }
  constexpr bool is_empty() const { return half[0] < 0; }

  friend constexpr bool operator==(const Obb&, const Obb&) = default;
};

/// Rounding a component of a unit vector to float moves it by at most 2^-25, the vector by √3·2^-25 and an entry of
/// AAᵀ by at most 2√3·2^-25 + 3·2^-50. Frames in double may depart by 1e-14. Together less than 2^-23.
inline constexpr double obb_departure = 0x1p-23;

/// Gathers points, then gives the smallest Obb with the given axes that certainly contains them in both forms.
class ObbExtents {
 public:
  /// The rows of `frame` are orthonormal within 1e-14.
  explicit ObbExtents(const Mat3& frame);

  /// `p` in tree coordinates: exact, or each coordinate rounded once from an exact one, and 0 only where that is 0.
  [[gnu::always_inline]] void add(Vec3 p) {
    const double sum = sum_norm(p);
    size_ = sum > size_ ? sum : size_;
    for (std::size_t i = 0; i < 3; ++i) {
      const double along = dot(axes_[i], p);
      lower_[i] = along < lower_[i] ? along : lower_[i];
      upper_[i] = along > upper_[i] ? along : upper_[i];
    }
  }
  Obb finish() const;

 private:
  std::array<Vec3, 3> axes_;  // the floats of the box
  std::array<double, 3> lower_, upper_;
  double size_ = 0;  // the largest |x| + |y| + |z|
};

/// Whether `p` certainly lies inside in both forms: never true for an exact point outside, always true for a point the
/// box was fitted to.
bool contains(const Obb& box, Vec3 p);

double area(const Obb& box);
double volume(const Obb& box);

/// The separating-axis test of Gottschalk 1996 (Lin 1996, 4.2.2) on the 15 axes of two boxes in the same coordinates.
/// False only if the vertex forms are certainly apart: near-parallel edges make the cross products tiny, not wrong.
/// Boxes that touch overlap.
bool overlap(const Obb& a, const Obb& b);

/// A lower bound of the Euclidean distance of the vertex forms, 0 if they overlap: the largest of the norms of the gaps
/// along either box's three axes and the gaps along cross products of edges.
double gap(const Obb& a, const Obb& b);

}  // namespace tumble
