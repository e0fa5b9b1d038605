// SPDX-License-Identifier: Apache-2.0
#include "scenes/random.h"
#include "scenes/trigonometry.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tumble::scenes {
namespace {

TEST(Random, IsSplitmix64) {
  Random random(1234567);  // the sequence published with the reference implementation
  for (const std::uint64_t expected :
       {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u, 16408922859458223821u})
    EXPECT_EQ(random.bits(), expected);
}

TEST(Random, StaysInRange) {
  Random random(7);
  double mean = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double u = random.unit();
    ASSERT_TRUE(u >= 0 && u < 1);
    mean += u / 100'000;
    ASSERT_LT(random.index(7), 7u);
    ASSERT_NEAR(length(random.direction()), 1, 1e-15);
  }
  EXPECT_NEAR(mean, 0.5, 0.005);
}

TEST(Trigonometry, IsAsAccurateAsItClaims) {
  Random random(11);
  for (int i = 0; i < 200'000; ++i) {
    const double turns = random.between(-3, 3);
    const auto [s, c] = sin_cos(turns);
    constexpr long double circle = 6.283185307179586476925286766559L;
    ASSERT_NEAR(s, static_cast<double>(std::sin(static_cast<long double>(turns) * circle)), 3e-16) << turns;
    ASSERT_NEAR(c, static_cast<double>(std::cos(static_cast<long double>(turns) * circle)), 3e-16) << turns;
  }
}

TEST(Trigonometry, QuarterTurnsAreExact) {
  for (const double whole : {-5.0, 0.0, 1.0, 1048576.0}) {
    EXPECT_EQ(sine(whole), 0);
    EXPECT_EQ(cosine(whole), 1);
    EXPECT_EQ(sine(whole + 0.25), 1);
    EXPECT_EQ(cosine(whole + 0.25), 0);
    EXPECT_EQ(sine(whole + 0.5), 0);
    EXPECT_EQ(cosine(whole + 0.5), -1);
    EXPECT_EQ(sine(whole + 0.75), -1);
    EXPECT_EQ(cosine(whole + 0.75), 0);
  }
}

TEST(Trigonometry, HasFixedBits) {
  EXPECT_EQ(sine(0.1), 0x1.2cf2304755a5ep-1);
  EXPECT_EQ(cosine(0.1), 0x1.9e3779b97f4a8p-1);
}

}  // namespace
}  // namespace tumble::scenes
