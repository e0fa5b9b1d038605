// SPDX-License-Identifier: Apache-2.0
#include <tumble/error.h>
#include <tumble/pose.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace tumble {
namespace {

using Rows = std::array<double, 12>;
constexpr Rows identity_rows{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

void expect_refused(const Rows& rows) {
  try {
    Pose::from_rows(rows);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_pose);
  }
}

TEST(Pose, IdentityLeavesPointsUntouched) {
  const Vec3 p{1e-300, -3.5, 1e100};
  EXPECT_EQ(Pose{} * p, p);
  EXPECT_TRUE(Pose::from_rows(identity_rows).is_identity());
}

TEST(Pose, TakesBodyToWorldInTheDocumentedOrder) {
  const Pose pose = Pose::from_rows(Rows{0, -1, 0, 10, 1, 0, 0, 20, 0, 0, 1, 30});
  EXPECT_EQ(pose * (Vec3{1, 2, 3}), (Vec3{8, 21, 33}));
  // Chosen so that contraction or another order of sums would round differently.
  const double c = std::cos(0.3), s = std::sin(0.3);
  const Pose turn = Pose::from_rows(Rows{c, -s, 0, 0.1, s, c, 0, 0.2, 0, 0, 1, 0.3});
  const Vec3 p{0.7, 1.9, -0.4};
  volatile double cx = c * p.x, sy = -s * p.y, zz = 0 * p.z;
  volatile double sum = cx + sy;
  sum = sum + zz;
  sum = sum + 0.1;
  EXPECT_EQ((turn * p).x, sum);
}

TEST(Pose, RowsRoundTrip) {
  const Rows rows{0, -1, 0, 10, 1, 0, 0, 20, 0, 0, 1, 30};
  EXPECT_EQ(Pose::from_rows(rows).rows(), rows);
}

TEST(Pose, MatrixNeedsItsLastRow) {
  std::array<double, 16> m{1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7, 0, 0, 0, 1};
  EXPECT_EQ(Pose::from_matrix(m).translation(), (Vec3{5, 6, 7}));
  m = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1};
  EXPECT_THROW(Pose::from_matrix(m), Error);
}

TEST(Pose, MatrixThatIsNotFiniteIsToldSo) {
  for (const std::size_t wrong : {0u, 3u, 12u, 15u}) {
    std::array<double, 16> m{1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7, 0, 0, 0, 1};
    m[wrong] = std::numeric_limits<double>::quiet_NaN();
    try {
      Pose::from_matrix(m);
      ADD_FAILURE() << wrong;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("not finite"), std::string::npos) << error.what();
    }
  }
}

TEST(Pose, QuaternionsOfAnyLength) {
  for (const double scale : {1.0, 1e-200, 1e200}) {
    const Pose pose = Pose::from_quaternion(scale, 0, 0, scale, {1, 0, 0});  // a quarter turn about z
    const Vec3 p = pose * Vec3{1, 0, 0};
    EXPECT_NEAR(p.x, 1, 1e-15);
    EXPECT_NEAR(p.y, 1, 1e-15);
  }
  EXPECT_THROW(Pose::from_quaternion(0, 0, 0, 0, {}), Error);
  EXPECT_THROW(Pose::from_quaternion(nan, 0, 0, 1, {}), Error);
  EXPECT_THROW(Pose::from_quaternion(inf, 0, 0, 1, {}), Error);
}

TEST(Pose, RefusesWhatIsNotRigid) {
  for (const std::size_t i : {0u, 1u, 3u, 11u})
    for (const double bad : {nan, inf, -inf}) {
      Rows rows = identity_rows;
      rows[i] = bad;
      expect_refused(rows);
    }
  Rows rows = identity_rows;
  rows[3] = 1.0001e100;
  expect_refused(rows);
  rows = identity_rows;
  rows[10] = -1;  // mirrors
  expect_refused(rows);
  expect_refused(Rows{});
  rows = identity_rows;
  rows[0] = 1.001;  // stretches
  expect_refused(rows);
  rows[0] = 1e200;  // overflows when squared
  expect_refused(rows);
}

TEST(Pose, AcceptsSlightDepartureAndUsesItAsGiven) {
  Rows rows = identity_rows;
  rows[0] = 1 + 4.9e-5;
  EXPECT_EQ((Pose::from_rows(rows) * Vec3{1, 0, 0}).x, 1 + 4.9e-5);
}

Pose random_pose(std::mt19937_64& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  const auto next = [&] { return number(random); };
  return Pose::from_quaternion(next(), next(), next(), next(), {5 * next(), 5 * next(), 5 * next()});
}

TEST(Pose, CompositionAndInverseAreWhatTheyDoToPoints) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const Vec3 p{0.3, -2, 7};
  for (int i = 0; i < 1000; ++i) {
    const Pose a = random_pose(random), b = random_pose(random);
    EXPECT_LT(length((a * b) * p - a * (b * p)), 1e-13);
    EXPECT_LT(length(a.inverse() * (a * p) - p), 1e-13);
    EXPECT_LT(length((a * b).inverse() * p - b.inverse() * (a.inverse() * p)), 1e-13);
    EXPECT_EQ(a * Pose{}, a);
    EXPECT_EQ(Pose{} * a, a);
  }
  EXPECT_EQ(Pose{}.inverse(), Pose{});
}

TEST(Pose, TheInverseIsThatOfTheMatrixAsGiven) {
  Rows rows = identity_rows;
  rows[0] = 1 + 2e-5;
  rows[3] = 7;
  const Pose pose = Pose::from_rows(rows);
  EXPECT_EQ(pose.inverse().row(0).x, 1 / (1 + 2e-5));
  rows[0] = 1 + 4.9e-5;
  const Pose far_off = Pose::from_rows(rows);
  EXPECT_THROW(far_off * far_off, Error);  // what a pose may depart is not doubled
}

TEST(Pose, InterpolationTurnsEvenlyTheShorterWay) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const auto angle = [](const Pose& turn) {  // of its rotation; accurate for small and large ones alike
    const double cosine = (turn.row(0).x + turn.row(1).y + turn.row(2).z - 1) / 2;
    const Vec3 axis{turn.row(2).y - turn.row(1).z, turn.row(0).z - turn.row(2).x, turn.row(1).x - turn.row(0).y};
    return std::atan2(length(axis) / 2, cosine);
  };
  std::uniform_real_distribution<double> share(0, 1);
  for (int i = 0; i < 1000; ++i) {
    const Pose from = random_pose(random), to = random_pose(random);
    EXPECT_EQ(interpolate(from, to, 0), from);
    EXPECT_EQ(interpolate(from, to, 1), to);
    const double at = i % 10 == 0 ? 0.5 : share(random);
    const Pose there = interpolate(from, to, at);
    EXPECT_LT(length(there.translation() - (from.translation() * (1 - at) + to.translation() * at)), 1e-13);
    const double whole = angle(from.inverse() * to);
    EXPECT_NEAR(angle(from.inverse() * there), at * whole, 1e-12);
    EXPECT_NEAR(angle(there.inverse() * to), (1 - at) * whole, 1e-12);
  }
  const Pose half_turn = Pose::from_quaternion(0, 0, 0, 1, {});  // either way round is as short
  EXPECT_NEAR(angle(interpolate({}, half_turn, 0.25)), std::atan(1.0), 1e-14);
  for (const double bad : {-0.1, 1.1, nan}) EXPECT_THROW(interpolate({}, half_turn, bad), Error);
}

}  // namespace
}  // namespace tumble
