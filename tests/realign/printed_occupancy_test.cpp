// SPDX-License-Identifier: Apache-2.0
// Fünzig 2003, equations 4 to 8 as they are printed: bounds that lose points, which is why realign/occupancy.cpp
// departs from them. Where the print leaves a choice, the one that makes bounds larger is taken. realign_test.cpp shows
// that ours lose none.
#include "realign/occupancy_cones.h"
#include "realign/scenario.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tumble {
namespace {

constexpr int n = 32;

/// One direction's table, for points relative to their centre of mass.
class PrintedTable {
 public:
  PrintedTable(Vec3 direction, double a, const std::vector<Vec3>& points) : a_(a) {
    for (const Vec3& v : points) extent_ = std::max(extent_, dot(direction, v));
    const double sine = std::sqrt(1 - a * a);
    for (const Vec3& v : points) {
      const double size = length(v);
      if (!(size > extent_)) continue;  // G_j holds what is farther out than d
      const double along = dot(direction, v), cosine = along / size;
      if (cosine >= a) {
        occupied_ |= std::uint64_t{1} << ring(cosine);
      } else {
        occupied_ |= std::uint64_t{1} << n;
        const double on_shell = a * along + sine * length(cross(direction, v));
        if (on_shell > 0) least_ratio_ = std::min(least_ratio_, extent_ / on_shell);  // equation 4
      }
    }
  }

  /// The printed bound of D'·v over the points, for a D' whose cosine with the direction is at least a.
  double bound(double cosine) const {
    const int m = ring(cosine);
    double factor = std::max(a_, is_occupied(n) ? cosine_of(n - 2 - m) / least_ratio_ : 0);  // equation 5
    for (int h = 0; h <= m; ++h)                                                             // equation 6
      if (is_occupied(m - h)) factor = std::max(factor, cosine_of(h - 1) / cosine_of(m - h));
    for (int h = 1; h <= n - 2 - m; ++h)  // equation 7
      if (is_occupied(m + h)) factor = std::max(factor, cosine_of(h - 1) / cosine_of(m + h));
    return factor * extent_;  // equation 8
  }

 private:
  double cosine_of(int ring) const { return 1 - ring * (1 - a_) / (n - 1); }
  int ring(double cosine) const {
    for (int j = 1; j < n - 1; ++j)
      if (cosine >= cosine_of(j)) return j;
    return n - 1;
  }
  bool is_occupied(int ring) const { return (occupied_ >> ring & 1) != 0; }

  double a_, extent_ = 0, least_ratio_ = 1e300;
  std::uint64_t occupied_ = 0;
};

TEST(PrintedOccupancy, LosesPoints) {
  constexpr std::uint64_t seed = 20031;
  Random random(seed);
  for (const int k : {6, 12, 14, 18, 26}) {
    SCOPED_TRACE("k = " + std::to_string(k) + ", seed " + std::to_string(seed));
    std::vector<Vec3> units;
    for (std::size_t i = 0; i < directions(k).size(); ++i) {
      units.push_back(directions(k)[i] / direction_lengths(k)[i]);
      units.push_back(-units.back());
    }
    int asked = 0, too_small = 0;
    double worst = 0;  // by how much, as a share of what it must be
    for (int cloud = 0; cloud < 200; ++cloud) {
      std::vector<Vec3> points(40);
      Vec3 mass;
      for (Vec3& p : points) mass += (p = random.vector(1));
      for (Vec3& p : points) p -= mass / 40;
      std::vector<PrintedTable> tables;
      for (const Vec3& unit : units) tables.emplace_back(unit, covering_cosine(k), points);
      for (int round = 0; round < 50; ++round) {
        Vec3 u = random.vector(1);
        if (length(u) < 0.1) continue;
        u = u / length(u);
        const auto nearest = std::ranges::max_element(units, {}, [&](Vec3 d) { return dot(d, u); });
        double reach = 0;
        for (const Vec3& v : points) reach = std::max(reach, dot(u, v));
        const double bound = tables[static_cast<std::size_t>(nearest - units.begin())].bound(dot(*nearest, u));
        ++asked;
        too_small += bound < reach - 1e-9;
        worst = std::max(worst, 1 - bound / reach);
      }
    }
    EXPECT_GT(too_small, asked / 100) << "of " << asked;
    EXPECT_GT(worst, 0.01);
    RecordProperty("percent_lost_k" + std::to_string(k), std::to_string(100.0 * too_small / asked));
  }
}

}  // namespace
}  // namespace tumble
