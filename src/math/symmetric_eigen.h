// SPDX-License-Identifier: Apache-2.0
// Eigenvectors of a symmetric 3x3 matrix by Jacobi's rotations.
#pragma once

#include "math/mat3.h"

#include <utility>

namespace tumble {

inline Mat3 symmetric(double xx, double yy, double zz, double xy, double yz, double zx) {
  return {{Vec3{xx, xy, zx}, Vec3{xy, yy, yz}, Vec3{zx, yz, zz}}};
}

/// Rows: unit eigenvectors of the symmetric matrix `m`, right-handed, by descending eigenvalue. Orthonormal up to
/// rounding for any finite `m` (Golub and Van Loan, 8.5).
inline Mat3 eigenvectors(Mat3 m) {
  Mat3 v;
  const double total = std::abs(m.rows[0].x) + std::abs(m.rows[1].y) + std::abs(m.rows[2].z);
  for (int sweep = 0; sweep < 12; ++sweep) {
    const double off = std::abs(m.rows[0].y) + std::abs(m.rows[1].z) + std::abs(m.rows[2].x);
    if (off <= 1e-15 * total) break;
    for (const auto& [p, q] : {std::pair{0, 1}, std::pair{1, 2}, std::pair{0, 2}}) {
      const auto rp = static_cast<std::size_t>(p), rq = static_cast<std::size_t>(q);
      const double off_diagonal = m.rows[rp][q];
      if (off_diagonal == 0) continue;
      const double theta = (m.rows[rq][q] - m.rows[rp][p]) / (2 * off_diagonal);
      const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::sqrt(theta * theta + 1));
      const double c = 1 / std::sqrt(t * t + 1), s = t * c;
      for (std::size_t i = 0; i < 3; ++i) {  // m · J
        const double a = m.rows[i][p], b = m.rows[i][q];
        m.rows[i][p] = c * a - s * b;
        m.rows[i][q] = s * a + c * b;
      }
      const auto turn_rows = [c, s](Vec3& a, Vec3& b) {  // Jᵀ · m
        const Vec3 old = a;
        a = old * c - b * s;
        b = old * s + b * c;
      };
      turn_rows(m.rows[rp], m.rows[rq]);
      turn_rows(v.rows[rp], v.rows[rq]);
    }
  }
  std::array<double, 3> values{m.rows[0].x, m.rows[1].y, m.rows[2].z};
  const auto order = [&](std::size_t a, std::size_t b) {
    if (values[a] >= values[b]) return;
    std::swap(values[a], values[b]);
    std::swap(v.rows[a], v.rows[b]);
  };
  order(0, 1);
  order(1, 2);
  order(0, 1);
  v.rows[2] = cross(v.rows[0], v.rows[1]);
  return v;
}

}  // namespace tumble
