// SPDX-License-Identifier: Apache-2.0
#include <tumble/error.h>
#include <tumble/rotation.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace tumble {
namespace {

template <class Make>
void expect_refused(Make make) {
  try {
    make();
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_pose);
  }
}

void expect_near(const Pose& a, const Pose& b, double tolerance) {
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(a.rows()[i], b.rows()[i], tolerance) << i;
}

TEST(Rotation, QuarterTurnsAreExact) {
  EXPECT_EQ(pose_from_axis_angle({0, 0, 3}, 90) * (Vec3{1, 2, 3}), (Vec3{-2, 1, 3}));
  EXPECT_EQ(pose_from_axis_angle({0, 0, -1}, 270, {5, 0, 0}) * (Vec3{1, 2, 3}), (Vec3{3, 1, 3}));
  EXPECT_EQ(pose_from_axis_angle({1, 0, 0}, -180) * (Vec3{1, 2, 3}), (Vec3{1, -2, -3}));
  EXPECT_EQ(pose_from_axis_angle({0, 1, 0}, 720 * 1000), Pose());
  EXPECT_EQ(pose_from_euler("xyz", {90, 0, 90}) * (Vec3{0, 1, 0}), (Vec3{0, 0, 1}));
}

TEST(Rotation, AxisAndAngleAreAQuaternion) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 axis{any(random), any(random), any(random)}, t{any(random), any(random), any(random)};
    const double degrees = 720 * any(random), half = degrees * std::numbers::pi / 360;
    const Vec3 v = axis * (std::sin(half) / length(axis));
    expect_near(pose_from_axis_angle(axis * std::pow(10.0, 300 * any(random)), degrees, t),
                Pose::from_quaternion(std::cos(half), v.x, v.y, v.z, t), 1e-13);
  }
}

TEST(Rotation, EulerAnglesTurnAboutTheAxesNamed) {
  const std::array<double, 3> angles{20, -35, 70};
  const Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  std::array<Pose, 3> turns;
  for (std::size_t i = 0; i < 3; ++i) turns[i] = pose_from_axis_angle(axes[i], angles[i]);
  // About fixed axes the first turn acts first; about the body's own the last one does.
  expect_near(pose_from_euler("xyz", angles), turns[2] * turns[1] * turns[0], 1e-15);
  expect_near(pose_from_euler("XYZ", angles), turns[0] * turns[1] * turns[2], 1e-15);
  expect_near(pose_from_euler("ZYX", {angles[2], angles[1], angles[0]}, {1, 2, 3}),
              Pose::from_translation({1, 2, 3}) * pose_from_euler("xyz", angles), 1e-15);
  expect_near(pose_from_euler("zxz", {20, 0, 30}), pose_from_axis_angle({0, 0, 1}, 50), 1e-15);
  for (const char* bad : {"", "xy", "xyzx", "xyw", "xYz", "rpy"}) expect_refused([&] { pose_from_euler(bad, angles); });
}

TEST(Rotation, RefusesWhatIsNoTurn) {
  const double nan = std::nan(""), inf = INFINITY;
  expect_refused([] { pose_from_axis_angle({}, 10); });
  expect_refused([&] { pose_from_axis_angle({1, nan, 0}, 10); });
  expect_refused([&] { pose_from_axis_angle({1, inf, 0}, 10); });
  expect_refused([&] { pose_from_axis_angle({1, 0, 0}, nan); });
  expect_refused([&] { pose_from_axis_angle({1, 0, 0}, inf); });
  expect_refused([&] { pose_from_axis_angle({1, 0, 0}, 1e7); });
  expect_refused([&] { pose_from_axis_angle({1, 0, 0}, 1, {nan, 0, 0}); });
}

TEST(Rotation, TheNearestPoseUndoesRounding) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> any(-1, 1);
  int refused = 0;
  for (int i = 0; i < 1000; ++i) {
    const Pose exact = pose_from_axis_angle({any(random), any(random), any(random)}, 360 * any(random), {0.125, 7, -8});
    std::array<double, 12> rows = exact.rows();
    for (double& value : rows) value = std::nearbyint(value * 1000) / 1000;
    const Pose nearest = nearest_pose(rows);
    expect_near(nearest, exact, 1e-3);
    EXPECT_EQ(nearest.translation(), (Vec3{0.125, 7, -8}));
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) EXPECT_NEAR(dot(nearest.row(a), nearest.row(b)), a == b, 1e-15);
    try {
      Pose::from_rows(rows);
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 900);  // or the test would show nothing
}

TEST(Rotation, ScaleIsNoRounding) {
  expect_refused([] { nearest_pose(std::array{1.01, 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0.}); });
  expect_refused([] { nearest_pose(std::array{-1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0.}); });
  expect_refused([] { nearest_pose(std::array{0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0.}); });
  expect_refused([] { nearest_pose(std::array{std::nan(""), 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0.}); });
}

}  // namespace
}  // namespace tumble
