// SPDX-License-Identifier: Apache-2.0
#include "scenes/flight.h"

#include "geometry/triangle_pair.h"
#include "math/mat3.h"
#include "scenes/hash.h"
#include "scenes/meshes.h"

#include <tumble/error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace tumble::scenes {
namespace {

void expect_rigid(const Flight& flight) {
  for (const Pose& pose : flight)
    ASSERT_LE(departure_from_orthogonality(Mat3{{pose.row(0), pose.row(1), pose.row(2)}}), 2e-15);
}

/// The largest distance a point of the unit ball moves between neighbouring poses, bounded by coordinates.
double largest_step(const Flight& flight) {
  double largest = 0;
  for (std::size_t i = 1; i < flight.size(); ++i) {
    largest = std::max(largest, length(flight[i].translation() - flight[i - 1].translation()));
    for (int row = 0; row < 3; ++row) largest = std::max(largest, length(flight[i].row(row) - flight[i - 1].row(row)));
  }
  return largest;
}

const Billiard rules{{{-1, -1, -1}, {1, 1, 1}}, 0.05, 0.01, 3'000, 5};
const Collides ball_in_the_middle = [](const Pose& pose) { return length(pose.translation()) < 0.5; };

TEST(Billiards, KeepToTheRoomAndGoBackAfterACollision) {
  const Flight flight = billiard(rules, ball_in_the_middle);
  ASSERT_EQ(flight.size(), 3'000u);
  expect_rigid(flight);
  std::size_t hits = 0;
  for (std::size_t i = 0; i < flight.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) ASSERT_LE(std::abs(flight[i].translation()[axis]), 1);
    if (!ball_in_the_middle(flight[i])) continue;
    ++hits;
    EXPECT_GT(length(flight[i].translation()), 0.5 - rules.step);  // never deeper than a step
  }
  EXPECT_GT(hits, 10u);
  EXPECT_LT(hits, 1'500u);
}

TEST(Billiards, DependOnTheSeedAlone) {
  Billiard other = rules;
  other.seed = 6;
  EXPECT_EQ(hash(billiard(rules, ball_in_the_middle)), hash(billiard(rules, ball_in_the_middle)));
  EXPECT_NE(hash(billiard(rules, ball_in_the_middle)), hash(billiard(other, ball_in_the_middle)));
  EXPECT_EQ(hash(billiard(rules, ball_in_the_middle)), 0xa075f6510363273u);
}

TEST(Billiards, NeedAFreePoseAndASoundRoom) {
  EXPECT_THROW(billiard(rules, [](const Pose&) { return true; }), Error);
  Billiard flat = rules;
  flat.room.upper.z = -1;
  EXPECT_THROW(billiard(flat, ball_in_the_middle), Error);
  Billiard still = rules;
  still.step = 0;
  EXPECT_THROW(billiard(still, ball_in_the_middle), Error);
}

TEST(SweptPath, IsSmoothAndRigid) {
  const Flight path = swept_path();
  ASSERT_EQ(path.size(), 1'000u);
  expect_rigid(path);
  EXPECT_LT(largest_step(path), 0.15);
  EXPECT_EQ(hash(path), 0x3a9fb46e655d16cau);
  EXPECT_NE(hash(swept_path(1'000, 2)), hash(path));
}

struct Boxed {
  Corners corners;
  Vec3 low, high;
};

Boxed boxed(const Corners& t) {
  Boxed b{t, t[0], t[0]};
  for (const Vec3& p : t)
    for (int axis = 0; axis < 3; ++axis) {
      b.low[axis] = std::min(b.low[axis], p[axis]);
      b.high[axis] = std::max(b.high[axis], p[axis]);
    }
  return b;
}

bool boxes_meet(const Boxed& a, const Boxed& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
         a.low.z <= b.high.z && b.low.z <= a.high.z;
}

std::vector<Boxed> world_triangles(const Mesh& mesh, const Pose& pose) {
  std::vector<Boxed> all;
  for (const Triangle& t : mesh.triangles)
    all.push_back(boxed({pose * mesh.vertices[t[0]], pose * mesh.vertices[t[1]], pose * mesh.vertices[t[2]]}));
  return all;
}

TEST(SweptObstacles, AreCloseToThePathAndNeverTouchIt) {
  const Flight path = swept_path();
  const Mesh obstacles = swept_obstacles(path), object = axis_object();
  EXPECT_EQ(obstacles.triangles.size(), 40'000u);
  EXPECT_EQ(hash(obstacles), 0x6bd200b6c1b0e08u);
  std::vector<Boxed> env = world_triangles(obstacles, Pose{});
  std::sort(env.begin(), env.end(), [](const Boxed& a, const Boxed& b) { return a.low.x < b.low.x; });
  double widest = 0;
  for (const Boxed& t : env) widest = std::max(widest, t.high.x - t.low.x);
  std::size_t near = 0;
  for (const Pose& pose : path)
    for (const Boxed& t : world_triangles(object, pose)) {
      auto e = std::lower_bound(env.begin(), env.end(), t.low.x - widest,
                                [](const Boxed& a, double x) { return a.low.x < x; });
      for (; e != env.end() && e->low.x <= t.high.x; ++e) {
        if (!boxes_meet(*e, t)) continue;
        ++near;
        ASSERT_FALSE(intersects(e->corners, t.corners));
      }
    }
  EXPECT_GT(near, 100'000u);  // thousands of them are close at every step
}

TEST(SweptObstacles, CanKeepClearOfTheHull) {
  const Flight path = swept_path(50);
  constexpr double nearest = 0.2, farthest = 0.6;
  const Mesh obstacles = obstacles_around_swept_hull(path, nearest, farthest, 200);
  ASSERT_EQ(obstacles.triangles.size(), 800u);
  const Mesh object = axis_object();
  for (std::size_t t = 0; t < 200; ++t) {
    double least = 1e300;
    for (const Pose& pose : path) {
      // Apart from the hull of the object's corners: some face's plane has all of the tetrahedron beyond it.
      double beyond = -1e300;
      for (int x = -1; x <= 1; ++x)
        for (int y = -1; y <= 1; ++y)
          for (int z = -1; z <= 1; ++z) {
            const Vec3 n{double(x), double(y), double(z)};
            if (n == Vec3{}) continue;
            double hull = -1e300, tetrahedron = 1e300;
            for (const Vec3& v : object.vertices) hull = std::max(hull, dot(n, v));
            for (std::size_t c = 0; c < 4; ++c) {
              const Vec3 d = obstacles.vertices[4 * t + c] - pose.translation();
              tetrahedron = std::min(tetrahedron, dot(n, pose.row(0) * d.x + pose.row(1) * d.y + pose.row(2) * d.z));
            }
            beyond = std::max(beyond, (tetrahedron - hull) / length(n));
          }
      least = std::min(least, beyond);
    }
    EXPECT_GT(least, 0.1) << t;
    EXPECT_LT(least, farthest) << t;
  }
  EXPECT_THROW(obstacles_around_swept_hull({}, nearest, farthest), Error);
  EXPECT_THROW(obstacles_around_swept_hull(path, farthest, nearest), Error);
  EXPECT_THROW(obstacles_around_swept_hull(path, 0, farthest), Error);
}

TEST(HandPath, IsSmoothAndRigid) {
  const Mesh room = cabin();
  const Flight path = hand_path(room);
  ASSERT_EQ(path.size(), 2'528u);
  expect_rigid(path);
  EXPECT_LT(largest_step(path), 0.25);
  EXPECT_EQ(hash(path), 0xcba085b4b489caf0u);
  EXPECT_THROW(hand_path(Mesh{}), Error);
}

TEST(FullTurn, GoesOnceAround) {
  const Flight flight = full_turn(1.5);
  ASSERT_EQ(flight.size(), 2'000u);
  expect_rigid(flight);
  for (const Pose& pose : flight) ASSERT_EQ(pose.translation(), (Vec3{1.5, 0, 0}));
  EXPECT_EQ(flight[500].row(0), (Vec3{0, -1, 0}));  // a quarter, exactly
  EXPECT_EQ(flight[1000].row(0), (Vec3{-1, 0, 0}));
}

}  // namespace
}  // namespace tumble::scenes
