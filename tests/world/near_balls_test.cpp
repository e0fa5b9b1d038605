// SPDX-License-Identifier: Apache-2.0
// Balls are apart or not as one pair at a time says, on every instruction set.
#include "world/near_balls.h"

#include "scenes/random.h"
#include "simd/dispatch.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

namespace tumble {
namespace {

TEST(NearBalls, AsOneByOneOnEveryInstructionSet) {
  constexpr std::uint64_t seed = 3;
  std::printf("seed %d\n", static_cast<int>(seed));
  scenes::Random random(seed);
  std::size_t near_pairs = 0, far_pairs = 0;
  for (int round = 0; round < 400; ++round) {
    const std::size_t count = static_cast<std::size_t>(random.between(0, most_balls + 0.999));
    const double size = round % 4 == 0 ? 1e100 : round % 4 == 1 ? 1e-100 : 1;
    std::vector<Ball> balls;
    std::vector<std::uint64_t> tested(count), expected(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3 center{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
      balls.push_back({center * size, random.between(0, 0.5) * size});
    }
    if (count > 1) balls[1] = {balls[0].center + Vec3{balls[0].radius, 0, 0}, 0};  // they touch
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = a + 1; b < count; ++b) {
        if (!(b == 1 || random.between(0, 1) < 0.5)) continue;
        tested[a] |= std::uint64_t{1} << b;
        const double reach = balls[a].radius + balls[b].radius;
        const bool apart = length_sq(balls[a].center - balls[b].center) > reach * reach * (1 + 1e-12);
        if (!apart) expected[a] |= std::uint64_t{1} << b;
        ++(apart ? far_pairs : near_pairs);
      }
    FewBalls few;
    for (std::size_t i = 0; i < count; ++i) few.put(i, balls[i]);
    for (const InstructionSet set : available()) {
      limit_to(set);
      std::vector<std::uint64_t> near(count, ~std::uint64_t{0});
      near_balls(few, tested, near);
      EXPECT_EQ(near, expected) << name(set);
    }
    unlimit();
  }
  EXPECT_GT(near_pairs, 1'000u);
  EXPECT_GT(far_pairs, 1'000u);
}

}  // namespace
}  // namespace tumble
