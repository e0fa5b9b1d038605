// SPDX-License-Identifier: Apache-2.0
// Searches for a tight frame: starts from the principal axes of surface and normals, then descends by small turns.
#include "build/orientation.h"

#include "bounds/dop.h"
#include "bounds/dop_measure.h"
#include "math/symmetric_eigen.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace tumble {
namespace {

using Corners = std::array<Vec3, 3>;

constexpr std::size_t sample_size = 256;
constexpr int largest_k = 26;  // more directions rank orientations no better, and cost the square of their number

/// The surface of the sample's own k-DOP plus the mean surface of its triangles', each relative to the unturned one.
class Tightness {
 public:
  Tightness(std::vector<Corners> sample, int k) : sample_(std::move(sample)), k_(k), unturned_(surfaces(Mat3{})) {}

  double operator()(const Mat3& rotation) const {
    const Surfaces here = surfaces(rotation);
    const auto ratio = [](double a, double b) { return b > 0 ? a / b : 1; };
    return ratio(here.whole, unturned_.whole) + ratio(here.triangles, unturned_.triangles);
  }

 private:
  struct Surfaces {
    double whole = 0, triangles = 0;
  };

  Surfaces surfaces(const Mat3& rotation) const {
    const auto slabs = static_cast<std::size_t>(k_) / 2;
    std::array<float, max_k / 2> lower, upper;
    const std::span<float> lowers(lower.data(), slabs), uppers(upper.data(), slabs);
    std::vector<Vec3> all;
    Surfaces sum;
    for (const Corners& triangle : sample_) {
      const Corners turned{rotation * triangle[0], rotation * triangle[1], rotation * triangle[2]};
      all.insert(all.end(), turned.begin(), turned.end());
      fit(turned, lowers, uppers, k_);
      sum.triangles += area(lowers, uppers, k_);
    }
    fit(all, lowers, uppers, k_);
    sum.whole = area(lowers, uppers, k_);
    return sum;
  }

  std::vector<Corners> sample_;
  int k_;
  Surfaces unturned_;
};

Mat3 about_axis(std::size_t axis, double sine) {
  const double cosine = std::sqrt(1 - sine * sine);
  const std::size_t i = (axis + 1) % 3, j = (axis + 2) % 3;
  Mat3 turn;
  turn.rows[i][static_cast<int>(i)] = turn.rows[j][static_cast<int>(j)] = cosine;
  turn.rows[i][static_cast<int>(j)] = -sine;
  turn.rows[j][static_cast<int>(i)] = sine;
  return turn;
}

/// Gram–Schmidt: products of rotations drift from orthogonality by rounding.
Mat3 orthonormalised(const Mat3& m) {
  const Vec3 x = m.rows[0] / length(m.rows[0]);
  const Vec3 along_y = m.rows[1] - x * dot(x, m.rows[1]);
  const Vec3 y = along_y / length(along_y);
  return {{x, y, cross(x, y)}};
}

void add_outer(Mat3& sum, Vec3 v, double weight) {
  for (std::size_t i = 0; i < 3; ++i) sum.rows[i] += v * (v[static_cast<int>(i)] * weight);
}

}  // namespace

Mat3 tight_orientation(std::span<const Vec3> vertices, std::span<const Triangle> triangles, const Frame& frame, int k) {
  std::vector<Corners> sample;
  const std::size_t step = (triangles.size() + sample_size - 1) / sample_size;
  for (std::size_t t = 0; t < triangles.size(); t += step) {
    const Triangle& v = triangles[t];
    sample.push_back({frame.to_tree(vertices[v[0]]), frame.to_tree(vertices[v[1]]), frame.to_tree(vertices[v[2]])});
  }

  Vec3 mean{};
  for (const Corners& c : sample) mean += ((c[0] + c[1]) + c[2]) / (3 * static_cast<double>(sample.size()));
  Mat3 spread{{Vec3{}, Vec3{}, Vec3{}}}, normals = spread;
  for (const Corners& c : sample) {
    const Vec3 n = cross(c[1] - c[0], c[2] - c[0]);
    if (const double twice_area = length(n); twice_area > 0) add_outer(normals, n, 1 / twice_area);
    for (const Vec3& corner : c) add_outer(spread, corner - mean, 1);
  }

  const Tightness tightness(sample, std::min(k, largest_k));
  Mat3 best;
  double least = tightness(best);
  const auto keep_if_tighter = [&](const Mat3& rotation) {
    const double here = tightness(rotation);
    if (!(here < least - 1e-9)) return false;
    best = rotation;
    least = here;
    return true;
  };
  keep_if_tighter(eigenvectors(spread));
  keep_if_tighter(eigenvectors(normals));
  for (double sine = 0.4; sine > 0.01;) {
    bool improved = false;
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const double signed_sine : {sine, -sine})
        improved |= keep_if_tighter(orthonormalised(about_axis(axis, signed_sine) * best));
    if (!improved) sine /= 2;
  }
  return best;
}

}  // namespace tumble
