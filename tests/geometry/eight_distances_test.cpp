// SPDX-License-Identifier: Apache-2.0
// Eight distances at a time are the one distance, bit for bit and on every instruction set, and brackets hold it.
#include "geometry/eight_distances.h"

#include "geometry/pair_generators.h"
#include "math/transform.h"
#include "simd/dispatch.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace tumble {
namespace {

using namespace testing;

constexpr std::uint64_t seed = 72;

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
bool same_bits(const Vec3& a, const Vec3& b) {
  return same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z);
}

struct EightMade {
  EightPairs pairs;
  EightCorners a, b;
};

EightMade make_eight(const Generator& generator, Random& random, int round) {
  EightMade made;
  const double scale = std::ldexp(1.0, round % 5 == 4 ? -60 : 0);
  for (std::size_t lane = 0; lane < EightPairs::lanes; ++lane) {
    const auto pair = generator.make(random);
    made.a[lane] = pair.a, made.b[lane] = pair.b;
    const Vec3 apart{random.real(0, 3), random.real(0, 3), round % 2 == 0 ? 0 : random.real()};
    for (std::size_t i = 0; i < 3; ++i) made.a[lane][i] *= scale, made.b[lane][i] = (made.b[lane][i] + apart) * scale;
    const Corners &a = made.a[lane], &b = made.b[lane];
    made.pairs.set(lane, a[0], a[1], a[2], b[0], b[1], b[2]);
  }
  return made;
}

TEST(EightDistances, AreTheOneDistance) {
  for (const InstructionSet set : available()) {
    limit_to(set);
    std::size_t compared = 0;
    for (const Generator& generator : generators()) {
      Random random(seed);
      for (int round = 0; round < 200; ++round) {
        const EightMade made = make_eight(generator, random, round);
        const auto eight = distances_apart(made.a, made.b);
        for (std::size_t lane = 0; lane < EightPairs::lanes; ++lane) {
          const TriangleDistance one = distance(made.a[lane], made.b[lane]);
          if (one.distance_sq == 0) continue;
          ++compared;
          ASSERT_TRUE(same_bits(one.distance_sq, eight[lane].distance_sq) && same_bits(one.on_a, eight[lane].on_a) &&
                      same_bits(one.on_b, eight[lane].on_b))
              << generator.name << ", round " << round << ", lane " << lane << ", seed " << seed << ", " << name(set)
              << ": " << one.distance_sq << " and " << eight[lane].distance_sq;
        }
      }
    }
    EXPECT_GT(compared, 1000u);
  }
  unlimit();
}

TEST(EightDistances, LieWithinTheirBrackets) {
  for (const InstructionSet set : available()) {
    limit_to(set);
    std::size_t tight = 0, pairs = 0;
    for (const Generator& generator : generators()) {
      Random random(seed);
      for (int round = 0; round < 200; ++round) {
        const EightMade made = make_eight(generator, random, round);
        const EightBrackets brackets = bracket_distances(made.pairs, {}, {});
        for (std::size_t lane = 0; lane < EightPairs::lanes; ++lane) {
          const double d = std::sqrt(distance(made.a[lane], made.b[lane]).distance_sq);
          // Not the other way round: NaN says nothing.
          ASSERT_FALSE(d < brackets.low[lane] || d > brackets.high[lane])
              << generator.name << ", round " << round << ", lane " << lane << ", seed " << seed << ", " << name(set)
              << ": " << d << " in [" << brackets.low[lane] << ", " << brackets.high[lane] << "]";
          ++pairs;
          tight += brackets.high[lane] - brackets.low[lane] < 1e-6 * d;
        }
      }
    }
    EXPECT_GT(tight, pairs / 10) << name(set);
  }
  unlimit();
}

}  // namespace
}  // namespace tumble
