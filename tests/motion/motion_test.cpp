// SPDX-License-Identifier: Apache-2.0
#include "math/turn.h"
#include "scenes/meshes.h"
#include "scenes/random.h"

#include <tumble/error.h>
#include <tumble/model.h>
#include <tumble/motion.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tumble {
namespace {

using scenes::Random;

Pose random_pose(Random& random) {
  const Vec3 axis = random.direction();
  const double w = random.between(-1, 1);
  return Pose::from_quaternion(w, axis.x, axis.y, axis.z, random.in_box({-5, -5, -5}, {5, 5, 5}));
}

void expect_near(const Vec3& p, const Vec3& q, double tolerance, const char* what) {
  EXPECT_LE(length(p - q), tolerance) << what << ": " << p.x << ' ' << p.y << ' ' << p.z << " is not " << q.x << ' '
                                      << q.y << ' ' << q.z;
}

TEST(Turn, SinesAndCosinesAreThoseOfTheSystem) {
  Random random(1);
  for (int i = 0; i < 20'000; ++i) {
    const double size = i % 2 ? 10 : 1e6;
    const double angle = random.between(-size, size);
    const SinCos at = sin_cos(angle);
    const double allowed = 0x1p-51 + 0x1p-53 * std::abs(angle);
    ASSERT_NEAR(at.sin, std::sin(angle), allowed) << angle;
    ASSERT_NEAR(at.cos, std::cos(angle), allowed) << angle;
  }
  EXPECT_EQ(sin_cos(0).sin, 0);
  EXPECT_EQ(sin_cos(0).cos, 1);
}

TEST(Turn, AnglesOfUnitVectors) {
  for (int i = 0; i <= 1000; ++i) {
    const double angle = std::acos(-1.0) / 2 * i / 1000;
    EXPECT_NEAR(angle_of(std::cos(angle), std::sin(angle)), angle, 0x1p-50);
  }
}

TEST(Motion, StandsAtItsPose) {
  Random random(2);
  const Pose pose = random_pose(random);
  const Motion motion(pose);
  EXPECT_EQ(motion.end(), 0);
  EXPECT_EQ(motion.at(0), pose);
  EXPECT_EQ(motion.at(7.5), pose);
}

TEST(Motion, LineGoesAsInterpolateDoes) {
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    const Pose from = random_pose(random), to = i % 10 == 0 ? from : random_pose(random);
    const Motion motion = Motion::line(from, to);
    EXPECT_EQ(motion.end(), 1);
    EXPECT_EQ(motion.at(0), from);
    EXPECT_EQ(motion.at(1), to);
    EXPECT_EQ(motion.at(3), to);
    for (const double time : {1e-9, 0.1, 0.5, 0.77, 1 - 1e-9}) {
      const Vec3 p = random.direction();
      expect_near(motion.at(time) * p, interpolate(from, to, time) * p, 1e-13, "line");
    }
  }
}

/// Rodrigues' formula, with the system's sine.
Vec3 turned(const Vec3& p, const Vec3& axis, double angle) {
  return p * std::cos(angle) + cross(axis, p) * std::sin(angle) + axis * (dot(axis, p) * (1 - std::cos(angle)));
}

TEST(Motion, SteadyTurnsAboutItsCenter) {
  Random random(4);
  for (int i = 0; i < 300; ++i) {
    const Pose from = random_pose(random);
    const Vec3 velocity = random.direction() * 3, axis = random.direction(), center = random.direction();
    const double angle = random.between(-100, 100), time = random.unit();
    const Motion motion = Motion::steady(from, velocity, axis * angle, center);
    EXPECT_EQ(motion.at(0), from);
    const Vec3 p = random.direction();
    const Vec3 expected = from * center + velocity * time + turned(from * p - from * center, axis, angle * time);
    expect_near(motion.at(time) * p, expected, 1e-12, "steady");
  }
}

TEST(Motion, ScrewTurnsAboutItsAxis) {
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Pose from = random_pose(random);
    const Vec3 point = random.direction() * 4, axis = random.direction();
    const double angle = random.between(-9, 9), advance = random.between(-3, 3), time = random.unit();
    const Motion motion = Motion::screw(from, point, axis * 2.5, angle, advance);
    const Vec3 p = random.direction();
    const Vec3 expected = point + turned(from * p - point, axis, angle * time) + axis * (advance * time);
    expect_near(motion.at(time) * p, expected, 1e-12, "screw");
  }
}

TEST(Motion, PathMeetsItsPoses) {
  Random random(6);
  std::vector<Pose> poses;
  for (int i = 0; i < 20; ++i) poses.push_back(random_pose(random));
  const Motion motion = Motion::path(poses);
  EXPECT_EQ(motion.end(), 19);
  for (std::size_t i = 0; i < poses.size(); ++i) EXPECT_EQ(motion.at(static_cast<double>(i)), poses[i]);
  const Vec3 p{0.3, 0.2, 0.1};
  expect_near(motion.at(4.25) * p, interpolate(poses[4], poses[5], 0.25) * p, 1e-13, "path");
}

/// Poses that are not quite rigid are met, and the way between them has no jump.
TEST(Motion, PosesNotQuiteRigidDrift) {
  const double wide[12] = {1 + 4e-5, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  const double tall[12] = {0, -1, 0, 1, 1, 0, 0, 0, 0, 0, 1 + 4e-5, 0};
  const Motion motion = Motion::line(Pose::from_rows(wide), Pose::from_rows(tall));
  EXPECT_EQ(motion.at(0), Pose::from_rows(wide));
  EXPECT_EQ(motion.at(1), Pose::from_rows(tall));
  const Vec3 p{1, 1, 1};
  expect_near(motion.at(1e-12) * p, motion.at(0) * p, 1e-11, "start");
  expect_near(motion.at(1 - 1e-12) * p, motion.at(1) * p, 1e-11, "end");
}

TEST(Motion, NothingIsFasterThanTheTopSpeed) {
  Random random(7);
  const Model model(scenes::zachmann_torus(200));
  for (int i = 0; i < 40; ++i) {
    const Pose from = random_pose(random);
    const Vec3 velocity = random.direction() * random.between(0, 3), axis = random.direction();
    const double angle = random.between(0, 10);
    const Motion motion = Motion::steady(from, velocity, axis * angle, random.direction());
    const double top = motion.top_speed(model);
    double fastest = 0;
    for (int j = 0; j < 20; ++j) {
      const double time = random.between(0, 1 - 1e-4);
      for (const Vec3& v : model.vertices())
        fastest = std::max(fastest, length(motion.at(time + 1e-4) * v - motion.at(time) * v) / 1e-4);
    }
    EXPECT_LE(fastest, top * (1 + 1e-9));
    EXPECT_LE(top, length(velocity) + angle * 6);  // no wild guess either
  }
}

TEST(Motion, RefusesWhatIsNoMotion) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(Motion::path({}), Error);
  EXPECT_THROW(Motion::steady({}, {nan, 0, 0}, {}), Error);
  EXPECT_THROW(Motion::steady({}, {}, {0, 0, 2e6}), Error);
  EXPECT_THROW(Motion::steady({}, {1e100, 0, 0}, {}, {1e101, 0, 0}), Error);
  EXPECT_THROW(Motion::screw({}, {}, {}, 1, 1), Error);
  EXPECT_THROW(Motion::screw({}, {}, {0, 0, 1}, nan, 1), Error);
  EXPECT_THROW(Motion().at(-1), Error);
  EXPECT_THROW(Motion().at(nan), Error);
  const double barely[12] = {1 + 4.99e-5, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  const Pose pose = Pose::from_rows(barely);
  EXPECT_THROW(Motion::line(pose, {}), Error);
  EXPECT_THROW(Motion::line({}, pose), Error);
  EXPECT_THROW(Motion::steady(pose, {1, 0, 0}, {}), Error);
  EXPECT_EQ(Motion(pose).at(0.5), pose);  // at rest
}

}  // namespace
}  // namespace tumble
