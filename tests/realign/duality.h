// SPDX-License-Identifier: Apache-2.0
// The exact support of a k-DOP by linear programming duality, by trying every triple of its planes: written to be
// obvious, and without corners or cones.
#pragma once

#include "bounds/directions.h"
#include "bounds/rows.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace tumble {

class EveryTriple {
 public:
  explicit EveryTriple(int k) : k_(k) {
    for (const Vec3& n : directions(k)) {
      normals_.push_back(n);
      normals_.push_back(-n);
    }
    const std::size_t count = normals_.size();
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = a + 1; b < count; ++b)
        for (std::size_t c = b + 1; c < count; ++c) {
          const double volume = dot(normals_[a], cross(normals_[b], normals_[c]));
          if (std::abs(volume) < 1e-9) continue;
          triples_.push_back({{a, b, c},
                              {cross(normals_[b], normals_[c]) / volume, cross(normals_[c], normals_[a]) / volume,
                               cross(normals_[a], normals_[b]) / volume}});
        }
  }

  /// max u·x over the DOP in one lane of the rows: the smallest Σ w·d over all ways to write u = Σ w·n with w >= 0.
  /// Weights a little below zero count as zero: `u` on the border of a cone belongs to it.
  double support(Vec3 u, const float* rows, std::size_t lane) const {
    std::vector<double> offsets;
    for (std::size_t i = 0; i < static_cast<std::size_t>(k_) / 2; ++i) {
      offsets.push_back(rows[DopRows::upper(i) + lane]);
      offsets.push_back(-static_cast<double>(rows[DopRows::lower(i) + lane]));
    }
    double least = std::numeric_limits<double>::infinity();
    for (const Triple& triple : triples_) {
      double sum = 0;
      bool inside = true;
      for (std::size_t i = 0; i < 3; ++i) {
        const double weight = dot(triple.weigh[i], u);
        inside &= weight >= -1e-13;
        sum += std::max(weight, 0.0) * offsets[triple.planes[i]];
      }
      if (inside) least = std::min(least, sum);
    }
    return least;
  }

 private:
  struct Triple {
    std::array<std::size_t, 3> planes;
    std::array<Vec3, 3> weigh;
  };

  int k_;
  std::vector<Vec3> normals_;
  std::vector<Triple> triples_;
};

}  // namespace tumble
