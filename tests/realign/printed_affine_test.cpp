// SPDX-License-Identifier: Apache-2.0
// Zachmann 1998, section 4.1, as it is printed: each new offset from three planes that meet at a corner of the unit
// DOP. Where a fourth plane meets there, as at every corner of an 8-DOP, three of them taken once for all lose points,
// which is why realign/affine.cpp takes the cone around each direction. realign_test.cpp shows that it loses none.
#include "bounds/directions.h"
#include "bounds/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace tumble {
namespace {

/// A corner of the DOP whose offsets are all 1, and the planes that meet there.
struct Corner {
  Vec3 at;
  std::vector<std::size_t> planes;
};

/// Where three planes meet, given their offsets; false if they have no one point in common.
bool meet(const std::array<Vec3, 3>& n, const std::array<double, 3>& d, Vec3& at) {
  const double volume = dot(n[0], cross(n[1], n[2]));
  if (std::abs(volume) < 1e-9) return false;
  at = (cross(n[1], n[2]) * d[0] + cross(n[2], n[0]) * d[1] + cross(n[0], n[1]) * d[2]) / volume;
  return true;
}

/// Calls use(a, b, c) for any three of the planes.
template <class Use>
void for_every_three(const std::vector<std::size_t>& planes, const Use& use) {
  for (std::size_t a = 0; a < planes.size(); ++a)
    for (std::size_t b = a + 1; b < planes.size(); ++b)
      for (std::size_t c = b + 1; c < planes.size(); ++c) use(planes[a], planes[b], planes[c]);
}

class UnitDop {
 public:
  explicit UnitDop(int k) {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < directions(k).size(); ++i)
      for (const double sign : {1.0, -1.0}) {
        all.push_back(normals.size());
        normals.push_back(directions(k)[i] * (sign / direction_lengths(k)[i]));
      }
    for_every_three(all, [&](std::size_t a, std::size_t b, std::size_t c) {
      Corner corner;
      if (!meet({normals[a], normals[b], normals[c]}, {1, 1, 1}, corner.at)) return;
      for (const std::size_t plane : all) {
        const double beyond = dot(normals[plane], corner.at) - 1;
        if (beyond > 1e-9) return;
        if (beyond > -1e-9) corner.planes.push_back(plane);
      }
      corners.push_back(corner);  // once for every three planes that make it
    });
  }

  const Corner& farthest(Vec3 u) const {
    return *std::ranges::max_element(corners, {}, [&](const Corner& corner) { return dot(u, corner.at); });
  }

  std::vector<Vec3> normals;
  std::vector<Corner> corners;
};

/// Of all bounds of random directions over random clouds, how many lie below the cloud.
struct Lost {
  int asked = 0, too_small = 0;
};

/// `choice`: which three of a corner's planes are taken; modulo as many as there are.
Lost lost(int k, std::size_t choice, std::uint64_t seed) {
  Random random(seed);
  const UnitDop unit(k);
  Lost out;
  for (int cloud = 0; cloud < 200; ++cloud) {
    std::vector<Vec3> points(40);
    for (Vec3& p : points) p = random.vector(1);
    const auto reach = [&](Vec3 u) {
      double most = -std::numeric_limits<double>::infinity();
      for (const Vec3& p : points) most = std::max(most, dot(u, p));
      return most;
    };
    for (int round = 0; round < 50; ++round) {
      const Vec3 u = random.vector(1);
      if (length(u) < 0.1) continue;
      std::vector<Vec3> crossings;
      for_every_three(unit.farthest(u).planes, [&](std::size_t a, std::size_t b, std::size_t c) {
        const std::array<Vec3, 3> n{unit.normals[a], unit.normals[b], unit.normals[c]};
        Vec3 at;
        if (meet(n, {reach(n[0]), reach(n[1]), reach(n[2])}, at)) crossings.push_back(at);
      });
      ++out.asked;
      out.too_small += dot(u, crossings[choice % crossings.size()]) < reach(u) - 1e-9;
    }
  }
  return out;
}

TEST(PrintedAffine, LosesPointsWhereFourPlanesMeet) {
  constexpr std::uint64_t seed = 19981;
  for (const Corner& corner : UnitDop(8).corners) EXPECT_EQ(corner.planes.size(), 4u);
  for (std::size_t choice = 0; choice < 4; ++choice) {
    const auto [asked, too_small] = lost(8, choice, seed);
    EXPECT_GT(too_small, asked / 100) << "choice " << choice << " of " << asked << ", seed " << seed;
    RecordProperty("percent_lost_" + std::to_string(choice), std::to_string(100.0 * too_small / asked));
  }
}

TEST(PrintedAffine, LosesNoneWhereThreeMeet) {
  constexpr std::uint64_t seed = 19982;
  for (const int k : {6, 14}) {
    for (const Corner& corner : UnitDop(k).corners) EXPECT_EQ(corner.planes.size(), 3u) << k;
    EXPECT_EQ(lost(k, 0, seed).too_small, 0) << k << ", seed " << seed;
  }
}

}  // namespace
}  // namespace tumble
