// SPDX-License-Identifier: Apache-2.0
#include "assembly/primitives.h"
#include "scenes/random.h"

#include <tumble/error.h>
#include <tumble/robot.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <vector>

namespace tumble::test {
namespace {

using Matrix = std::array<std::array<double, 4>, 4>;

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t k = 0; k < 4; ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}

Matrix matrix_of(const Pose& pose) {
  const std::array<double, 12> r = pose.rows();
  return {{{r[0], r[1], r[2], r[3]}, {r[4], r[5], r[6], r[7]}, {r[8], r[9], r[10], r[11]}, {0, 0, 0, 1}}};
}

/// The exponential of a motion by its series: a second way to turn and slide, without sines.
Matrix motion(const Joint& joint, double value) {
  const Vec3 a = joint.axis / length(joint.axis);
  Matrix generator{};
  if (joint.type == JointType::prismatic)
    for (int i = 0; i < 3; ++i) generator[static_cast<std::size_t>(i)][3] = a[i] * value;
  else if (joint.type != JointType::fixed)
    generator = {
        {{0, -a.z * value, a.y * value, 0}, {a.z * value, 0, -a.x * value, 0}, {-a.y * value, a.x * value, 0, 0}}};
  Matrix sum{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}}, term = sum;
  for (int n = 1; n < 40; ++n) {
    term = product(term, generator);
    for (auto& row : term)
      for (double& x : row) x /= n;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) sum[i][j] += term[i][j];
  }
  return sum;
}

void expect_near(const Matrix& a, const Matrix& b, double tolerance, const std::string& what) {
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(a[i][j], b[i][j], tolerance) << what << " " << i << "," << j;
}

std::vector<Link> links(const std::vector<std::string>& names) {
  std::vector<Link> all;
  for (const std::string& name : names) all.push_back({name});
  return all;
}

Joint joint(std::string name, JointType type, std::string parent, std::string child) {
  return {.name = std::move(name),
          .type = type,
          .parent = std::move(parent),
          .child = std::move(child),
          .lower = -3,
          .upper = 3};
}

std::string refusal(const std::function<void()>& what) {
  try {
    what();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument) << error.what();
    return error.message();
  }
  ADD_FAILURE() << "was accepted";
  return "";
}

std::string refusal_of(const std::vector<std::string>& names, const std::vector<Joint>& joints) {
  return refusal([&] { Robot("r", links(names), joints); });
}

TEST(Robot, StandsWhereHandMadeMatricesSay) {
  // An arm of two parts: a base that turns about z one above the ground, an elbow two further that turns about y, and a
  // tool that slides along x.
  Joint base = joint("base", JointType::continuous, "ground", "upper");
  base.origin = Pose::from_translation({0, 0, 1});
  base.axis = {0, 0, 2};  // any length
  Joint elbow = joint("elbow", JointType::revolute, "upper", "lower");
  elbow.origin = Pose::from_translation({2, 0, 0});
  elbow.axis = {0, 1, 0};
  Joint slide = joint("slide", JointType::prismatic, "lower", "tool");
  Joint flange = joint("flange", JointType::fixed, "tool", "flange");
  flange.origin = Pose::from_quaternion(std::sqrt(0.5), 0, 0, std::sqrt(0.5), {0, 0, 5});
  const Robot robot("arm", links({"flange", "tool", "lower", "upper", "ground"}), {flange, slide, elbow, base});

  EXPECT_EQ(robot.root(), 4u);
  EXPECT_EQ(robot.free_joints(), (std::vector<std::size_t>{1, 2, 3}));  // in the order of joints(): slide, elbow, base
  const double quarter = std::numbers::pi / 2;
  const std::vector<Pose> poses = robot.poses(std::array{0.5, quarter, quarter});
  const double tiny = 1e-15;
  // The base turns x to y.
  expect_near(matrix_of(poses[3]), {{{0, -1, 0, 0}, {1, 0, 0, 0}, {0, 0, 1, 1}, {0, 0, 0, 1}}}, tiny, "upper");
  // About y, x goes to -z and z to x, which the base has turned to y.
  expect_near(matrix_of(poses[2]), {{{0, -1, 0, 0}, {0, 0, 1, 2}, {-1, 0, 0, 1}, {0, 0, 0, 1}}}, tiny, "lower");
  expect_near(matrix_of(poses[1]), {{{0, -1, 0, 0}, {0, 0, 1, 2}, {-1, 0, 0, 0.5}, {0, 0, 0, 1}}}, tiny, "tool");
  expect_near(matrix_of(poses[0]), {{{-1, 0, 0, 0}, {0, 0, 1, 7}, {0, 1, 0, 0.5}, {0, 0, 0, 1}}}, tiny, "flange");
  EXPECT_TRUE(robot.poses(std::array{0.0, 0.0, 0.0})[4].is_identity());
}

TEST(Robot, AgreesWithASecondComputationOnRandomTrees) {
  const std::uint64_t seed = 20240611;
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  const auto number = [&](double lower, double upper) { return random.between(lower, upper); };
  for (int round = 0; round < 40; ++round) {
    const std::size_t count = 1 + random.index(12);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) names.push_back("link " + std::to_string(i));
    std::vector<Joint> joints;
    for (std::size_t i = 1; i < count; ++i) {
      const std::size_t parent = random.index(i);
      Joint j = joint("joint " + std::to_string(i), static_cast<JointType>(random.index(4)), names[parent], names[i]);
      j.origin = Pose::from_quaternion(number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1),
                                       {number(-2, 2), number(-2, 2), number(-2, 2)});
      j.axis = {number(-1, 1), number(-1, 1), number(0.1, 1)};
      joints.push_back(j);
    }
    std::size_t mimicked = joints.size();
    for (std::size_t i = 0; i < joints.size(); ++i) {
      if (joints[i].type == JointType::fixed) continue;
      if (mimicked == joints.size())
        mimicked = i;
      else if (number(0, 1) < 0.3)
        joints[i].mimic = Mimic{joints[mimicked].name, number(-1, 1), number(-0.5, 0.5)};
    }
    for (std::size_t i = joints.size(); i > 1; --i)  // joints may come in any order
      std::swap(joints[i - 1], joints[random.index(i)]);
    const Robot robot("random", links(names), joints);

    std::map<std::string, double> values;
    std::vector<double> configuration;
    for (const std::size_t i : robot.free_joints()) {
      configuration.push_back(number(-2, 2));
      values[robot.joints()[i].name] = configuration.back();
    }
    std::map<std::string, const Joint*> above;
    for (const Joint& j : robot.joints()) {
      above[j.child] = &j;
      if (j.mimic && j.type != JointType::fixed)
        values[j.name] = j.mimic->multiplier * values.at(j.mimic->joint) + j.mimic->offset;
    }
    const std::vector<Pose> poses = robot.poses(configuration, {.beyond_limits = true});
    for (std::size_t i = 0; i < count; ++i) {
      Matrix expected{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
      for (std::string at = names[i]; above.contains(at); at = above.at(at)->parent) {
        const Joint& j = *above.at(at);
        expected = product(product(matrix_of(j.origin), motion(j, values[j.name])), expected);
      }
      expect_near(matrix_of(poses[i]), expected, 1e-12, names[i]);
    }
  }
}

TEST(Robot, RefusesValuesBeyondLimits) {
  Joint elbow = joint("elbow", JointType::revolute, "a", "b");
  elbow.lower = -1.5;
  elbow.upper = 0.1;
  Joint wheel = joint("wheel", JointType::continuous, "b", "c");
  const Robot robot("r", links({"a", "b", "c"}), {elbow, wheel});
  EXPECT_NO_THROW(robot.poses(std::array{-1.5, 1e6}));
  EXPECT_NO_THROW(robot.poses(std::array{0.1, 0.0}));
  EXPECT_EQ(refusal([&] {
              robot.poses(std::array{std::nextafter(0.1, 1), 0.0});
            }),
            "joint 'elbow' has the value 0.10000000000000002, beyond its limits -1.5 and 0.1; beyond_limits "
            "(--beyond-limits) accepts that");
  EXPECT_NO_THROW(robot.poses(std::array{2.0, 0.0}, {.beyond_limits = true}));
  EXPECT_EQ(refusal([&] {
              robot.poses(std::array{0.0, HUGE_VAL});
            }),
            "joint 'wheel' has the value inf, which is not finite");
  for (const double bad : {HUGE_VAL, std::nan("")})
    for (const bool beyond_limits : {false, true})
      EXPECT_EQ(
          refusal([&] {
            robot.poses(std::array{bad, 0.0}, {.beyond_limits = beyond_limits});
          }),
          std::string("joint 'elbow' has the value ") + (std::isnan(bad) ? "nan" : "inf") + ", which is not finite");
  EXPECT_EQ(refusal([&] { robot.poses(std::array{0.0}); }), "a configuration of this robot has 2 values, not 1");
}

TEST(Robot, RefusesAMimicBeyondItsOwnLimits) {
  Joint leader = joint("leader", JointType::prismatic, "a", "b"),
        follower = joint("follower", JointType::prismatic, "a", "c");
  follower.mimic = Mimic{"leader", -2, 1};
  const Robot robot("r", links({"a", "b", "c"}), {follower, leader});
  EXPECT_EQ(robot.free_joints(), (std::vector<std::size_t>{1}));
  EXPECT_EQ(robot.poses(std::array{0.5})[2].translation().x, 0);
  EXPECT_EQ(
      refusal([&] { robot.poses(std::array{2.5}); }),
      "joint 'follower' has the value -4, beyond its limits -3 and 3; beyond_limits (--beyond-limits) accepts that");
}

TEST(Robot, LongChainsOfMimicsTakeTimeInProportion) {
  // Looked up again for every joint, these would take minutes.
  constexpr std::size_t count = 100'000;
  std::vector<Link> links{{"root"}};
  std::vector<Joint> joints;
  for (std::size_t i = 0; i < count; ++i) {
    links.push_back({"l" + std::to_string(i)});
    Joint& joint = joints.emplace_back();
    joint.name = "j" + std::to_string(i);
    joint.type = JointType::prismatic;
    joint.parent = "root";
    joint.child = links.back().name;
    joint.axis = {1, 0, 0};
    joint.lower = -1e9, joint.upper = 1e9;
    if (i + 1 < count) joint.mimic = Mimic{"j" + std::to_string(i + 1), i % 2 == 0 ? -1.0 : 1.0, 1};
  }
  const Robot robot("r", links, joints);
  ASSERT_EQ(robot.free_joints(), (std::vector<std::size_t>{count - 1}));
  const std::vector<Pose> poses = robot.poses(std::array{5.0});
  double value = 5;
  for (std::size_t i = count; i-- > 0;) {
    if (i + 1 < count) value = (i % 2 == 0 ? -value : value) + 1;
    ASSERT_EQ(poses[robot.link("l" + std::to_string(i))].translation().x, value) << i;
  }
}

TEST(Robot, IgnoresParentsAndChildren) {
  Robot robot("r", links({"a", "b", "c"}),
              {joint("bc", JointType::fixed, "b", "c"), joint("ca", JointType::revolute, "c", "a")});
  using Pairs = std::set<std::array<std::size_t, 2>>;
  EXPECT_EQ(robot.ignored(), (Pairs{{0, 2}, {1, 2}}));
  robot.ignore(1, 0);
  robot.ignore(0, 1);
  EXPECT_EQ(robot.ignored(), (Pairs{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_NE(refusal([&] { robot.ignore(1, 1); }), "");
  EXPECT_NE(refusal([&] { robot.ignore(0, 3); }), "");
  EXPECT_EQ(refusal([&] { robot.link("d"); }), "there is no link 'd'");
}

TEST(Robot, RefusesWhatIsNoTree) {
  const auto turning = [](std::string parent, std::string child) {
    const std::string name = parent + child;
    return joint(name, JointType::revolute, std::move(parent), std::move(child));
  };
  EXPECT_EQ(refusal_of({}, {}), "a robot needs a link");
  EXPECT_EQ(refusal_of({"a", "a"}, {}), "two links are named 'a'");
  EXPECT_EQ(refusal_of({""}, {}), "a link has no name");
  EXPECT_EQ(refusal_of({"a\n"}, {}), "the name of a link has a control character");
  EXPECT_EQ(refusal_of({"a", "b", "c"}, {turning("a", "b"), turning("a", "c"), turning("a", "b")}),
            "two joints are named 'ab'");
  EXPECT_EQ(refusal_of({"a", "b"}, {turning("a", "x")}), "joint 'ax': there is no link 'x'");
  EXPECT_EQ(refusal_of({"a", "b"}, {turning("x", "a")}), "joint 'xa': there is no link 'x'");
  EXPECT_EQ(refusal_of({"a"}, {turning("a", "a")}), "joint 'aa': it joins link 'a' to itself");
  EXPECT_EQ(refusal_of({"a", "b"}, {}), "links 'a' and 'b' both have no joint above them; a robot has one root");
  EXPECT_EQ(refusal_of({"a", "b", "c"}, {turning("a", "c"), turning("b", "c")}),
            "joint 'bc': link 'c' is already the child of joint 'ac'; links must form a tree");
  EXPECT_EQ(refusal_of({"a", "b"}, {turning("a", "b"), turning("b", "a")}),
            "joint 'ba': from link 'a' upwards, links form a cycle; they must form a tree");
  EXPECT_EQ(refusal_of({"root", "a", "b", "c"}, {turning("a", "b"), turning("b", "a"), turning("b", "c")}),
            "joint 'ba': from link 'a' upwards, links form a cycle; they must form a tree");
}

TEST(Robot, RefusesBadJoints) {
  const auto refusal_with = [](const std::function<void(Joint&)>& change) {
    Joint other = joint("other", JointType::revolute, "a", "b"), bad = joint("bad", JointType::revolute, "b", "c");
    change(bad);
    return refusal_of({"a", "b", "c"}, {other, bad});
  };
  EXPECT_EQ(refusal_with([](Joint& j) { j.axis = {}; }), "joint 'bad': its axis has no direction");
  EXPECT_EQ(refusal_with([](Joint& j) { j.axis.y = std::nan(""); }), "joint 'bad': its axis has no direction");
  EXPECT_EQ(refusal_with([](Joint& j) { j.axis.y = HUGE_VAL; }), "joint 'bad': its axis has no direction");
  EXPECT_EQ(refusal_with([](Joint& j) { j.upper = std::nan(""); }), "joint 'bad': its limits must be finite");
  EXPECT_EQ(refusal_with([](Joint& j) { j.upper = -3.5; }), "joint 'bad': its lower limit -3 is above the upper -3.5");
  EXPECT_EQ(refusal_with([](Joint& j) { j.mimic = Mimic{"x"}; }), "joint 'bad': it mimics 'x', which is no joint");
  EXPECT_EQ(refusal_with([](Joint& j) { j.mimic = Mimic{"bad"}; }),
            "joint 'bad': it mimics itself, by way of others or not");
  EXPECT_EQ(refusal_with([](Joint& j) {
              j.mimic = Mimic{"other", HUGE_VAL};
            }),
            "joint 'bad': what it mimics has a multiplier or offset that is not finite");
  Joint fixed = joint("fixed", JointType::fixed, "a", "b"), bad = joint("bad", JointType::revolute, "b", "c");
  bad.mimic = Mimic{"fixed"};
  EXPECT_EQ(refusal_of({"a", "b", "c"}, {fixed, bad}), "joint 'bad': it mimics 'fixed', which is fixed");
}

/// Six times the volume that the faces enclose, positive if they face outward.
double volume(const Mesh& mesh) {
  double sum = 0;
  for (const Triangle& t : mesh.triangles)
    sum += dot(mesh.vertices[t[0]], cross(mesh.vertices[t[1]], mesh.vertices[t[2]]));
  return sum / 6;
}

TEST(Primitives, AreClosedFaceOutwardAndKeepTheirTolerance) {
  const double radius = 0.3, height = 2, pi = std::numbers::pi;
  const Mesh box = box_mesh({1, 2, 3}), cylinder = cylinder_mesh(radius, height), sphere = sphere_mesh(radius);
  for (const Mesh* mesh : {&box, &cylinder, &sphere}) {
    const MeshSummary summary = summarize(*mesh);
    EXPECT_TRUE(summary.closed);
    EXPECT_EQ(summary.shells, 1u);
    EXPECT_EQ(summary.degenerate_faces, 0u);
    EXPECT_EQ(summary.non_manifold_edges, 0u);
    for (const Triangle& t : mesh->triangles) {  // all three are convex around the origin
      const Vec3 a = mesh->vertices[t[0]], b = mesh->vertices[t[1]], c = mesh->vertices[t[2]];
      EXPECT_GT(dot(cross(b - a, c - a), a), 0);
    }
  }
  EXPECT_DOUBLE_EQ(volume(box), 6);
  EXPECT_EQ(bounding_box(box).upper, (Vec3{0.5, 1, 1.5}));
  EXPECT_NEAR(volume(cylinder), pi * radius * radius * height, 0.01 * volume(cylinder));
  EXPECT_NEAR(volume(sphere), 4.0 / 3 * pi * radius * radius * radius, 0.01 * volume(sphere));
  EXPECT_EQ(bounding_box(cylinder).upper.z, height / 2);
  double least = 2;  // the distance of a face from the centre, or of a side from the axis, in radii
  for (const Triangle& t : sphere.triangles) {
    const Vec3 a = sphere.vertices[t[0]], b = sphere.vertices[t[1]], c = sphere.vertices[t[2]];
    const Vec3 normal = cross(b - a, c - a);
    least = std::min(least, dot(a, normal) / length(normal) / radius);
    EXPECT_NEAR(length(a), radius, 1e-15);
  }
  for (const Triangle& t : cylinder.triangles) {
    const Vec3 a = cylinder.vertices[t[0]], b = cylinder.vertices[t[1]], c = cylinder.vertices[t[2]];
    const Vec3 normal = cross(b - a, c - a);
    if (std::abs(normal.z) < 1e-9) least = std::min(least, dot(a, normal) / length(normal) / radius);
  }
  EXPECT_GT(least, 0.995);
  EXPECT_LT(least, 1);
}

}  // namespace
}  // namespace tumble::test
