// SPDX-License-Identifier: Apache-2.0
// Farthest vertices and the simplex between them. Nothing here is believed without a certificate (convex_pair.cpp), so
// plain arithmetic will do.
#include "convex/first_steps.h"

#include <algorithm>
#include <limits>

namespace tumble {
namespace {

/// Ends when the distance is known to this share: the walk over Voronoi cells does the rest.
constexpr double close_enough = 1e-2;
constexpr int most_steps = 64;

/// A subset of a simplex and the weights of its point nearest to the origin.
struct Subset {
  int count = 0;
  std::array<int, 3> corners{};
  std::array<double, 3> weights{};
  double distance_sq = std::numeric_limits<double>::infinity();
  Vec3 nearest{};
};

class Reduction {
 public:
  explicit Reduction(const Simplex& simplex) : p_(simplex.points) {}

  void vertex(int i) { take(1, {i, i, i}, {1, 0, 0}, at(i)); }

  void segment(int i, int j) {
    const Vec3 u = at(j) - at(i);
    const double t = -dot(at(i), u), uu = length_sq(u);
    if (t <= 0 || !(uu > 0)) return vertex(i);
    if (t >= uu) return vertex(j);
    take(2, {i, j, j}, {1 - t / uu, t / uu, 0}, at(i) + u * (t / uu));
  }

  void triangle(int i, int j, int k) {
    const Vec3 &a = at(i), u = at(j) - a, v = at(k) - a, normal = cross(u, v);
    const double square = length_sq(normal);
    const double s = dot(cross(v, a), normal), t = dot(cross(a, u), normal);  // times `square`
    if (square > 0 && s > 0 && t > 0 && s + t < square)
      return take(3, {i, j, k}, {1 - (s + t) / square, s / square, t / square}, normal * (dot(a, normal) / square));
    if (!(square > 0) || s + t >= square) segment(j, k);
    if (!(square > 0) || s <= 0) segment(i, k);
    if (!(square > 0) || t <= 0) segment(i, j);
  }

  const Subset& best() const { return best_; }

 private:
  const Vec3& at(int i) const { return p_[static_cast<std::size_t>(i)]; }
  void take(int count, std::array<int, 3> corners, std::array<double, 3> weights, Vec3 nearest) {
    if (const double sq = length_sq(nearest); sq < best_.distance_sq) best_ = {count, corners, weights, sq, nearest};
  }

  const std::array<Vec3, 4>& p_;
  Subset best_;
};

constexpr std::array<std::array<int, 4>, 4> faces{{{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}}};

}  // namespace

void Simplex::add(const PlacedHull& hull_a, std::uint32_t va, const PlacedHull& hull_b, std::uint32_t vb) {
  const auto i = static_cast<std::size_t>(count++);
  a[i] = va;
  b[i] = vb;
  points[i] = hull_b.vertex(vb) - hull_a.vertex(va);
}

bool Simplex::has(std::uint32_t va, std::uint32_t vb) const {
  for (int i = 0; i < count; ++i)
    if (a[static_cast<std::size_t>(i)] == va && b[static_cast<std::size_t>(i)] == vb) return true;
  return false;
}

void Simplex::reduce() {
  Reduction reduction(*this);
  if (count == 1) reduction.vertex(0);
  if (count == 2) reduction.segment(0, 1);
  if (count == 3) reduction.triangle(0, 1, 2);
  if (count == 4) {
    const auto at = [this](int i) -> const Vec3& { return points[static_cast<std::size_t>(i)]; };
    bool outside = false;
    double total = 0;
    for (const auto& [i, j, k, apex] : faces) {
      const Vec3 normal = cross(at(j) - at(i), at(k) - at(i));
      const double of_apex = dot(at(apex) - at(i), normal), of_origin = -dot(at(i), normal);
      weights[static_cast<std::size_t>(apex)] = std::abs(of_origin);
      total += std::abs(of_origin);
      if (of_apex > 0 ? of_origin > 0 : of_apex < 0 && of_origin < 0) continue;
      outside = true;
      reduction.triangle(i, j, k);
    }
    if (!outside) {
      for (double& weight : weights) weight /= total;
      nearest = {};
      return;
    }
  }
  const Subset& best = reduction.best();
  Simplex reduced;
  reduced.count = best.count;
  for (std::size_t i = 0; i < static_cast<std::size_t>(best.count); ++i) {
    const auto from = static_cast<std::size_t>(best.corners[i]);
    reduced.a[i] = a[from];
    reduced.b[i] = b[from];
    reduced.points[i] = points[from];
    reduced.weights[i] = best.weights[i];
  }
  reduced.nearest = best.nearest;
  *this = reduced;
}

double Simplex::depth() const {
  double least = std::numeric_limits<double>::infinity();
  const auto at = [this](int i) -> const Vec3& { return points[static_cast<std::size_t>(i)]; };
  for (const auto& [i, j, k, apex] : faces) {
    const Vec3 normal = cross(at(j) - at(i), at(k) - at(i));
    const double of_apex = dot(at(apex) - at(i), normal), of_origin = -dot(at(i), normal);
    const double rounding =
        0x1p-49 * length(at(j) - at(i)) * length(at(k) - at(i)) * std::max(length(at(apex) - at(i)), length(at(i)));
    if (!(std::abs(of_apex) > rounding)) return 0;
    least = std::min(least, ((of_apex < 0 ? -of_origin : of_origin) - rounding) / length(normal));
  }
  return least;
}

int Simplex::heaviest() const {
  return static_cast<int>(std::max_element(weights.begin(), weights.begin() + count) - weights.begin());
}

FirstSteps first_steps(const PlacedHull& a, const PlacedHull& b, Vec3 toward, Simplex& simplex) {
  if (simplex.count == 0) {
    simplex.add(a, a.farthest(toward), b, b.farthest(-toward));
    simplex.weights[0] = 1;
    simplex.nearest = simplex.points[0];
  }
  double last_sq = std::numeric_limits<double>::infinity();
  for (int step = 0; step < most_steps; ++step) {
    const Vec3 v = simplex.nearest;
    const double sq = length_sq(v);
    if (!(sq < last_sq) || !(sq > 0)) return FirstSteps::unsure;
    last_sq = sq;
    const std::uint32_t va = a.farthest(v), vb = b.farthest(-v);
    const double along = dot(v, b.vertex(vb) - a.vertex(va));
    if (along >= (1 - close_enough) * sq || (along > 0 && simplex.has(va, vb))) return FirstSteps::apart;
    if (simplex.has(va, vb)) return FirstSteps::unsure;
    simplex.add(a, va, b, vb);
    simplex.reduce();
    if (simplex.holds_origin()) return FirstSteps::overlap;
  }
  return FirstSteps::unsure;
}

}  // namespace tumble
