// SPDX-License-Identifier: Apache-2.0
// Answers in a program that flushes subnormal numbers to zero, takes them for zero or rounds another way.
#include "mesh/shapes.h"
#include "scenes/random.h"

#include <tumble/point.h>
#include <tumble/query.h>
#include <tumble/solid.h>

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#if defined(__SSE2__)

namespace tumble {
namespace {

class Mode {
 public:
  explicit Mode(unsigned bits) : found_(__builtin_ia32_stmxcsr()) { __builtin_ia32_ldmxcsr(found_ | bits); }
  ~Mode() { __builtin_ia32_ldmxcsr(found_); }
  Mode(const Mode&) = delete;
  Mode& operator=(const Mode&) = delete;

 private:
  unsigned found_;
};

/// All numbers that go into questions, made before the mode is set.
struct Inputs {
  Mesh mesh;
  double unit, tolerance;
  std::vector<Pose> poses;
  std::vector<Vec3> points;
};

/// Everything that can be asked, put into one list to compare.
std::vector<double> answers(const Inputs& inputs) {
  const auto& [mesh, unit, tolerance, poses, points] = inputs;
  const Pose pose_a;
  std::vector<double> all;
  const auto add = [&](auto... values) { (all.push_back(static_cast<double>(values)), ...); };
  const auto add_point = [&](const Vec3& p) { add(p.x, p.y, p.z); };
  const MeshSummary summary = summarize(mesh);
  add(summary.degenerate_faces, summary.open_edges, summary.closed);
  for (const Bound bound : {Bound::obb, Bound::dop}) {
    TreeOptions options;
    options.bound = bound;
    options.leaf_size = 1;
    const Model a(mesh, options), b(mesh, options);
    Pair pair(a, b);
    for (const Pose& pose : poses) {
      add(pair.collide(pose_a, pose), pair.collide(pose_a, pose, {.solid = true}));
      for (const Contact& c : pair.contacts(pose_a, pose)) {
        add(c.triangle_a, c.triangle_b, c.kind, c.depth);
        add_point(c.point);
        add_point(c.normal);
      }
      const Distance d = pair.distance(pose_a, pose);
      add(d.distance, d.lower);
      add_point(d.point_a);
      add(pair.is_within(pose_a, pose, {.distance = unit}), pair.within(pose_a, pose, {.distance = unit}).size());
      add(pair.closest_pairs(pose_a, pose, {.rel_error = 0.1}).size());
      const Penetration depth = pair.penetration(pose_a, pose, {.precision = tolerance});
      const OverlapDepth ball = pair.overlap_depth(pose_a, pose, {.precision = tolerance});
      add(ball.in_contact, ball.lower, ball.upper);
      add(depth.in_contact, depth.a_in_b.lower, depth.a_in_b.upper, depth.b_in_a.lower, depth.b_in_a.upper);
      Query query = pair.start(pose_a, pose, ContactRequest{});
      for (Certainty c; !c.finished;) {
        c = query.run({.node_pairs = 3});
        add(c.verdict, c.lower, c.closest.distance, c.separation);
      }
      for (const Contact& c : query.contacts()) add_point(c.point);
      for (const Vec3& p : points) {
        add(locate(a, pose, p), signed_distance(a, pose, p).distance);
        for (const Hit& hit : all_hits(a, pose, LineSegment{p, {unit, unit, 0}})) add(hit.triangle, hit.t);
        for (const auto& hit : first_hit_many(a, pose, std::vector{Ray{p, {-1, -0.5, 0.25}}})) add(hit ? hit->t : -1);
      }
    }
    for (const std::uint8_t hit : collide_many(a, b, poses, {}, {.threads = 2})) add(hit);
  }
  return all;
}

TEST(PlainArithmetic, AnswersDoNotDependOnTheModeOfTheProcessor) {
  constexpr unsigned flush_to_zero = 1u << 15, denormals_are_zero = 1u << 6, round_up = 2u << 13,
                     round_to_zero = 3u << 13;
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  for (const double unit : {0x1p-1060, 0x1p-1020, 1.0}) {
    SCOPED_TRACE(unit);
    scenes::Random random(seed);
    Inputs inputs{test::box({0, 0, 0}, {unit, unit, unit}), unit, unit / 16, {}, {}};
    inputs.poses.push_back(Pose::from_translation({unit, 0, 0}));
    for (int i = 0; i < 2; ++i) {
      inputs.points.push_back(random.in_box({}, {2 * unit, 2 * unit, 2 * unit}));
      inputs.poses.push_back(Pose::from_quaternion(1, random.between(-1, 1), random.between(-1, 1),
                                                   random.between(-1, 1),
                                                   random.in_box({}, {2 * unit, 2 * unit, 2 * unit})));
    }
    const std::vector<double> expected = answers(inputs);
    for (const unsigned bits :
         {flush_to_zero, denormals_are_zero, flush_to_zero | denormals_are_zero, round_up, round_to_zero}) {
      SCOPED_TRACE(bits);
      std::vector<double> got;
      unsigned after = 0;
      {
        const Mode mode(bits);
        got = answers(inputs);
        after = __builtin_ia32_stmxcsr();
      }
      EXPECT_EQ(after & bits, bits);  // and the program keeps its mode
      ASSERT_EQ(got.size(), expected.size());
      for (std::size_t i = 0; i < got.size(); ++i)
        ASSERT_TRUE(got[i] == expected[i] || (got[i] != got[i] && expected[i] != expected[i]))
            << i << ": " << got[i] << ", not " << expected[i];
    }
  }
}

}  // namespace
}  // namespace tumble

#endif
