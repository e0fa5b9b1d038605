// SPDX-License-Identifier: Apache-2.0
#include <tumble/error.h>
#include <tumble/pose.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

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

}  // namespace
}  // namespace tumble
