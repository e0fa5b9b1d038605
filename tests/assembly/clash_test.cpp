// SPDX-License-Identifier: Apache-2.0
// Clash classes: a table of made-up pairs whose class is known, what is refused, and what long work needs.
#include "mesh/shapes.h"
#include "scenes/brickwork.h"
#include "scenes/shapes.h"
#include "scenes/spheres.h"
#include "slice.h"

#include <tumble/clash.h>
#include <tumble/error.h>
#include <tumble/query.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tumble::test {
namespace {

using testing::slice;

Mesh inside_out(Mesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

Parts parts_of(const std::vector<std::pair<Mesh, Pose>>& placed) {
  Parts parts;
  for (const auto& [mesh, pose] : placed)
    parts.parts.push_back({"part " + std::to_string(parts.parts.size()), Model(mesh), pose});
  return parts;
}

Clash clash_of(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b, const ClashOptions& options = {}) {
  const Clashes found = find_clashes(parts_of({{a, pose_a}, {b, pose_b}}), options);
  EXPECT_TRUE(found.finished);
  EXPECT_EQ(found.pairs.size() + found.clear, 1);
  return found.pairs.empty() ? Clash{.b = 1} : found.pairs[0];
}

/// The same answer for both orders, at odd poses that turn both bodies alike, and for one thread and two.
Clash clash_of(const Mesh& a, const Mesh& b, const ClashOptions& options = {}) {
  const Clash clash = clash_of(a, {}, b, {}, options);
  EXPECT_EQ(clash.a, 0);
  EXPECT_EQ(clash.b, 1);
  ClashOptions alone = options;
  alone.threads = 1;
  const Clash swapped = clash_of(b, {}, a, {}, alone);
  EXPECT_EQ(name(clash.kind), name(swapped.kind));
  EXPECT_EQ(clash.contacts, swapped.contacts);
  EXPECT_EQ(clash.gap.has_value(), swapped.gap.has_value());
  EXPECT_EQ(clash.depth.has_value(), swapped.depth.has_value());
  EXPECT_TRUE(!clash.gap || clash.contacts == 0);
  EXPECT_TRUE(!clash.depth || clash.depth->lower <= clash.depth->upper);
  return clash;
}

std::string kind_of(const Mesh& a, const Mesh& b, ClashOptions options = {}) {
  options.depth_budget.node_pairs = std::min<std::uint64_t>(options.depth_budget.node_pairs, 2000);
  return name(clash_of(a, b, options).kind);
}

const Mesh unit = box({0, 0, 0}, {1, 1, 1});

Mesh moved(Mesh mesh, Vec3 by) {
  for (Vec3& v : mesh.vertices) v += by;
  return mesh;
}

TEST(ClashTable, BoxesSideBySide) {
  const Clash flush = clash_of(unit, moved(unit, {1, 0, 0}));
  EXPECT_STREQ(name(flush.kind), "touching");
  EXPECT_GT(flush.contacts, 0);
  EXPECT_FALSE(flush.gap);
  EXPECT_FALSE(flush.depth);
  EXPECT_EQ(flush.point.x, 1);
  EXPECT_EQ(kind_of(unit, moved(unit, {1, 1, 0})), "touching");  // along an edge
  EXPECT_EQ(kind_of(unit, moved(unit, {1, 1, 1})), "touching");  // at a corner
  EXPECT_EQ(kind_of(unit, moved(unit, {1.5, 0, 0})), "clear");
  EXPECT_EQ(kind_of(unit, moved(unit, {1.5, 0, 0}), {.clearance = 0.25}), "clear");
  const Clash near = clash_of(unit, moved(unit, {1.5, 0, 0}), {.clearance = 0.5});
  EXPECT_STREQ(name(near.kind), "too close");
  EXPECT_EQ(near.gap, 0.5);
  EXPECT_EQ(near.point.x, 1.25);
}

TEST(ClashTable, BoxesThroughEachOther) {
  const Clash half = clash_of(unit, moved(unit, {0.5, 0, 0}));  // all contacts but those at the ends are flush
  EXPECT_STREQ(name(half.kind), "piercing");
  ASSERT_TRUE(half.depth);
  EXPECT_LE(half.depth->lower, 0.5);
  EXPECT_GE(half.depth->upper, 0.5);
  EXPECT_LE(half.depth->upper - half.depth->lower, 2e-3);
  EXPECT_EQ(locate(Model(unit), {}, half.point), Side::inside);
  EXPECT_EQ(locate(Model(moved(unit, {0.5, 0, 0})), {}, half.point), Side::inside);
  EXPECT_EQ(kind_of(unit, box({0.25, 0.25, -1}, {0.75, 0.75, 2})), "piercing");
  EXPECT_EQ(kind_of(unit, box({0, 0, -1}, {1, 1, 2})), "contained");  // the long one holds the cube
  EXPECT_EQ(kind_of(unit, box({0, 0, 0}, {1, 1, 0.5})), "contained");
}

TEST(ClashTable, BoxesInEachOther) {
  const Mesh large = box({-1, -1, -1}, {2, 2, 2});
  const Clash inside = clash_of(unit, large);
  EXPECT_STREQ(name(inside.kind), "contained");
  EXPECT_EQ(inside.contacts, 0);
  EXPECT_FALSE(inside.gap);
  ASSERT_TRUE(inside.depth);
  EXPECT_NEAR(inside.depth->lower, 1, 2e-3);
  EXPECT_EQ(kind_of(unit, box({0, 0, 0}, {2, 2, 2})), "contained");    // flush in a corner
  EXPECT_EQ(kind_of(unit, box({0, -1, -1}, {2, 2, 2})), "contained");  // flush at a face
  EXPECT_EQ(kind_of(unit, box({0, 0, -1}, {1, 1, 2})), "contained");
}

TEST(ClashTable, CavitiesHoldNothing) {
  const Mesh hollow = together({box({-2, -2, -2}, {3, 3, 3}), inside_out(box({-1, -1, -1}, {2, 2, 2}))});
  EXPECT_EQ(kind_of(unit, hollow), "clear");
  EXPECT_EQ(kind_of(unit, hollow, {.clearance = 1}), "too close");
  EXPECT_EQ(kind_of(box({-1, 0, 0}, {1, 1, 1}), hollow), "touching");     // one wall
  EXPECT_EQ(kind_of(box({-1, -1, -1}, {2, 2, 2}), hollow), "touching");   // fills the cavity
  EXPECT_EQ(kind_of(box({-1.5, 0, 0}, {1, 1, 1}), hollow), "piercing");   // into the wall
  EXPECT_EQ(kind_of(box({-2, 0, 0}, {-1, 1, 1}), hollow), "contained");   // in the wall, flush with both sides
  EXPECT_EQ(kind_of(box({-3, -3, -3}, {4, 4, 4}), hollow), "contained");  // around all of it
  // Around it, with the cavity filled; and with a cavity where the other one has a wall.
  EXPECT_EQ(kind_of(box({-2, -2, -2}, {3, 3, 3}), hollow), "contained");
  const Mesh other = together({box({-2, -2, -2}, {3, 3, 3}), inside_out(box({2.25, 0, 0}, {2.5, 1, 1}))});
  EXPECT_EQ(kind_of(other, hollow), "piercing");
  // The cavity of the large one is in the wall of the other: nothing of the other is contained.
  const Mesh shell = together({box({-3, -3, -3}, {4, 4, 4}), inside_out(box({2.25, 0, 0}, {2.5, 1, 1}))});
  EXPECT_EQ(kind_of(shell, hollow), "piercing");
}

TEST(ClashTable, ShellsOfOnePart) {
  const Mesh two = together({unit, moved(unit, {5, 0, 0})});
  EXPECT_EQ(kind_of(two, box({-1, -1, -1}, {2, 2, 2})), "piercing");  // one of its two shells is outside
  EXPECT_EQ(kind_of(two, box({-1, -1, -1}, {7, 2, 2})), "contained");
  EXPECT_EQ(kind_of(two, box({0.25, 0.25, 0.25}, {0.75, 0.75, 0.75})), "contained");
  // A sheet, two opposite faces in one place, has no volume.
  Mesh sheet = unit;
  const auto first = static_cast<std::uint32_t>(sheet.vertices.size());
  sheet.vertices.insert(sheet.vertices.end(), {{3, 3, 3}, {4, 3, 3}, {3, 4, 3}});
  sheet.triangles.push_back({first, first + 1, first + 2});
  sheet.triangles.push_back({first, first + 2, first + 1});
  EXPECT_EQ(kind_of(sheet, box({-1, -1, -1}, {2, 2, 2})), "contained");
  // Four boxes that cancel each other but for a bar along one edge: most of their faces bound nothing.
  const Mesh bar = together({box({10, 0, 0}, {14, 4, 1}), inside_out(box({10, 0, 0}, {13, 4, 1})),
                             inside_out(box({10, 0, 0}, {14, 3, 1})), box({10, 0, 0}, {13, 3, 1})});
  EXPECT_EQ(kind_of(together({unit, bar}), box({-1, -1, -1}, {2, 2, 2})), "piercing");
  EXPECT_EQ(kind_of(together({unit, bar}), box({-1, -1, -1}, {10, 5, 5})), "piercing");
  EXPECT_EQ(kind_of(bar, box({13, 3, 0}, {14, 4, 1})), "contained");
  EXPECT_EQ(kind_of(bar, box({10, 0, 0}, {13, 3, 1})), "touching");
  // Shells that overlap are one solid.
  const Mesh both = together({box({0, 0, 0}, {2, 1, 1}), box({1, 0, 0}, {3, 1, 1})});
  EXPECT_EQ(kind_of(both, box({0.5, 0, 0}, {2.5, 1, 1})), "contained");
  EXPECT_EQ(kind_of(both, box({0, 0, 0}, {3, 1, 1})), "contained");
}

TEST(ClashTable, Duplicates) {
  const Mesh ball = scenes::sphere(400);
  const Clash same = clash_of(ball, ball);
  EXPECT_STREQ(name(same.kind), "duplicate");
  EXPECT_GE(same.contacts, 400);
  ASSERT_TRUE(same.depth);
  EXPECT_GT(same.depth->lower, 1.8);
  EXPECT_EQ(kind_of(unit, scenes::quartered(scenes::quartered(unit))), "duplicate");
  EXPECT_EQ(kind_of(ball, scenes::quartered(ball)), "duplicate");
  EXPECT_EQ(kind_of(unit, inside_out(unit)), "duplicate");
  EXPECT_EQ(kind_of(ball, scenes::sphere(800)), "piercing");  // the same sphere to a coarser tolerance
  EXPECT_EQ(kind_of(ball, scenes::sphere(800), {.tolerance = 0.1}), "duplicate");
  EXPECT_EQ(kind_of(unit, moved(unit, {1e-10, 0, 0})), "duplicate");
  EXPECT_EQ(kind_of(unit, moved(unit, {1e-8, 0, 0})), "piercing");
  EXPECT_EQ(kind_of(unit, moved(unit, {1e-8, 0, 0}), {.tolerance = 1e-6}), "duplicate");
  EXPECT_EQ(kind_of(unit, box({1e-10, 1e-10, 1e-10}, {1 - 1e-10, 1 - 1e-10, 1 - 1e-10})), "duplicate");  // no contact
  EXPECT_EQ(kind_of(unit, box({1e-8, 1e-8, 1e-8}, {1 - 1e-8, 1 - 1e-8, 1 - 1e-8})), "contained");
  // One is the other and more: near from one side only.
  EXPECT_EQ(kind_of(unit, together({unit, box({0.25, 0.25, 0.25}, {0.5, 0.5, 0.5})})), "contained");
}

TEST(ClashTable, DuplicatesAtOddPosesWithOtherTriangles) {
  // The same box of thin slices, cut along other lines and turned: every coordinate is rounded.
  const Pose odd = Pose::from_quaternion(0.3, -0.5, 0.7, 0.2, {1000, -2000, 500});
  const Mesh fine = scenes::placed(scenes::quartered(scenes::quartered(unit)), {});
  EXPECT_STREQ(name(clash_of(unit, odd, fine, odd).kind), "duplicate");
  const Mesh disc = scenes::cylinder(1, 0.25, 48), other = scenes::cylinder(1, 0.25, 48, 7);
  EXPECT_STREQ(name(clash_of(disc, odd, other, odd).kind), "duplicate");
}

TEST(ClashTable, SpheresAndFits) {
  const Mesh ball = scenes::uv_sphere(8, 7);  // a vertex at (1, 0, 0) or at a pole
  double top = 0;
  for (const Vec3& v : ball.vertices) top = std::max(top, v.z);
  EXPECT_EQ(kind_of(ball, moved(ball, {0, 0, 2 * top})), "touching");
  EXPECT_EQ(kind_of(ball, moved(ball, {0, 0, 2 * top - 0.1})), "piercing");
  EXPECT_EQ(kind_of(ball, moved(ball, {0, 0, 2 * top + 0.1}), {.clearance = 0.2}), "too close");

  // A square shaft in a square hole: loose, tight by as much as is allowed, and tighter.
  const auto plate = [](double hole) {
    const auto ring = [](double half, double z) {
      return scenes::Ring{{-half, -half, z}, {half, -half, z}, {half, half, z}, {-half, half, z}};
    };
    return scenes::weave_around({ring(2, 0), ring(2, 1), ring(hole / 2, 1), ring(hole / 2, 0)});
  };
  const Mesh shaft = box({-0.5, -0.5, -1}, {0.5, 0.5, 2});
  EXPECT_EQ(kind_of(shaft, plate(1.25)), "clear");
  EXPECT_EQ(kind_of(shaft, plate(1.25), {.clearance = 0.25}), "too close");
  EXPECT_EQ(kind_of(shaft, plate(1)), "touching");
  EXPECT_EQ(kind_of(shaft, plate(0.98)), "piercing");
  const Clash press = clash_of(shaft, plate(0.98), {.tolerance = 0.02});  // 0.01 on each side
  EXPECT_STREQ(name(press.kind), "touching");
  ASSERT_TRUE(press.depth);
  EXPECT_GE(press.depth->upper, 0.01);
  EXPECT_EQ(kind_of(shaft, plate(0.9), {.tolerance = 0.02}), "piercing");  // 0.05
}

/// A round shaft of 48 facets in a round hole of 64, corners of both on circles: sixteen corners of each lie at one
/// angle, and every other corner of the shaft is pi / 192 from the middle of a side of the hole.
TEST(ClashTable, RoundShaftInRoundHole) {
  using std::numbers::pi;
  const auto ring = [](double hole) {
    const auto circle = [](double radius, double z) {
      scenes::Ring corners;
      for (int i = 0; i < 64; ++i)
        corners.push_back({radius * std::cos(2 * pi * i / 64), radius * std::sin(2 * pi * i / 64), z});
      return corners;
    };
    constexpr double height = 1.0 / 16;  // far more than the depth, and soon searched
    return scenes::weave_around({circle(2, 0), circle(2, height), circle(hole, height), circle(hole, 0)});
  };
  const Mesh shaft = moved(scenes::cylinder(1, 3, 48), {0, 0, -1});
  const double of_side = std::cos(pi / 64), of_corner = std::cos(pi / 192);

  // Loose: a corner of the shaft is nearest to a side of the hole.
  const double gap = 1.01 * of_side - of_corner;
  EXPECT_EQ(kind_of(shaft, ring(1.01)), "clear");
  EXPECT_EQ(kind_of(shaft, ring(1.01), {.clearance = 0.999 * gap}), "clear");
  const Clash loose = clash_of(shaft, ring(1.01), {.clearance = 0.01});
  EXPECT_STREQ(name(loose.kind), "too close");
  EXPECT_NEAR(loose.gap.value_or(0), gap, 1e-12);
  // The hole's facets around the circle that the shaft's are in: no overlap, whatever their numbers.
  EXPECT_EQ(kind_of(shaft, ring(1 / of_side)), "clear");
  EXPECT_EQ(kind_of(shaft, ring(1 / of_side), {.clearance = 1e-3}), "too close");

  // Nominal: both on one circle. Corners of the shaft go through sides of the hole, and what is beyond is a triangle
  // whose angles at the side are 3.75 degrees, half the turn between facets, more and less pi / 192.
  const double beyond = of_corner - of_side;
  const double left = pi / 48 + pi / 192, right = pi / 48 - pi / 192;
  const double base = 1 / std::tan(left) + 1 / std::tan(right), others = 1 / std::sin(left) + 1 / std::sin(right);
  const double depth = 2 * beyond * base / (base + others);  // twice the radius of its inner circle
  EXPECT_NEAR(depth, 1.07e-3, 1e-6);
  const Clash nominal = clash_of(shaft, ring(1), {.depth_precision = 1e-4});
  EXPECT_STREQ(name(nominal.kind), "piercing");
  ASSERT_TRUE(nominal.depth);
  EXPECT_LE(nominal.depth->lower, depth * (1 + 1e-9));
  EXPECT_GE(nominal.depth->upper, depth * (1 - 1e-9));
  EXPECT_LE(nominal.depth->upper - nominal.depth->lower, 1e-4);

  EXPECT_STREQ(name(clash_of(shaft, ring(1), {.tolerance = 1.2e-3}).kind), "touching");
  EXPECT_STREQ(name(clash_of(shaft, ring(1), {.tolerance = 1e-3}).kind), "piercing");
  EXPECT_STREQ(name(clash_of(shaft, ring(0.99), {.tolerance = 1.2e-3}).kind), "piercing");
}

TEST(ClashTable, PartsThatAreNotClosed) {
  Mesh open = unit;
  open.triangles.pop_back();
  const Clash inside = clash_of(box({0.25, 0.25, 0.25}, {0.75, 0.75, 0.75}), open);
  EXPECT_STREQ(name(inside.kind), "clear");
  const Clash near = clash_of(box({0.25, 0.25, 0.25}, {0.75, 0.75, 0.75}), open, {.clearance = 0.25});
  EXPECT_STREQ(name(near.kind), "too close");
  EXPECT_TRUE(near.not_closed);
  EXPECT_EQ(near.gap, 0.25);
  const Clash crossing = clash_of(box({0.25, 0.25, 0.25}, {0.75, 0.75, 7}), open);
  EXPECT_STREQ(name(crossing.kind), "piercing");
  EXPECT_TRUE(crossing.not_closed);
  EXPECT_FALSE(crossing.depth);
  EXPECT_EQ(kind_of(moved(unit, {1, 0, 0}), open), "touching");
  EXPECT_EQ(kind_of(open, open), "duplicate");
  EXPECT_EQ(kind_of(open, unit), "touching");  // the missing triangle is far from the other surface
  // A single triangle, just above another.
  const Mesh one{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, {}};
  const Clash above = clash_of(one, moved(one, {0, 0, 1e-10}));
  EXPECT_STREQ(name(above.kind), "duplicate");
  EXPECT_EQ(above.gap, 1e-10);
}

/// How far one surface is from the other decides, at corners and within triangles whose corners are near.
TEST(ClashTable, DuplicatesByTheFarthestPoint) {
  const Mesh square{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}, {}};
  Mesh less = square;  // without a corner: 0.25 of each edge there
  less.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 0.75, 0}, {0.75, 1, 0}, {0, 1, 0}};
  less.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}};
  const double off = 0.25 / std::sqrt(2);
  EXPECT_EQ(kind_of(square, less, {.tolerance = off * 0.999}), "touching");
  EXPECT_EQ(kind_of(square, less, {.tolerance = off * 1.001}), "duplicate");
  Mesh ring;  // with a hole of side 0.5 in the middle
  for (const double half : {0.5, 0.25})
    for (const auto& [x, y] : {std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1), std::pair(-1, 1)})
      ring.vertices.push_back({0.5 + half * x, 0.5 + half * y, 0});
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t j = (i + 1) % 4;
    ring.triangles.push_back({i, j, 4 + j});
    ring.triangles.push_back({i, 4 + j, 4 + i});
  }
  EXPECT_EQ(kind_of(square, ring), "touching");
  EXPECT_EQ(kind_of(square, ring, {.tolerance = 0.2495}), "touching");
  EXPECT_EQ(kind_of(square, ring, {.tolerance = 0.2505}), "duplicate");
  EXPECT_EQ(kind_of(moved(square, {0, 0, 0.125}), ring, {.tolerance = 0.1}), "clear");
  EXPECT_EQ(kind_of(moved(square, {0, 0, 0.125}), square, {.tolerance = 0.125}), "duplicate");
  EXPECT_EQ(kind_of(moved(square, {0, 0, 0.125}), square, {.tolerance = 0.1249}), "clear");
}

TEST(ClashTable, InsideOutAndSelfIntersecting) {
  EXPECT_EQ(kind_of(inside_out(unit), moved(unit, {0.5, 0.1, 0.1})), "piercing");
  EXPECT_EQ(kind_of(inside_out(unit), box({-1, -1, -1}, {2, 2, 2})), "contained");
  const Mesh crossed = together({box({0, 0, 0}, {3, 1, 1}), box({1, -1, 0}, {2, 2, 1})});  // a plus, of two bars
  EXPECT_EQ(kind_of(crossed, box({1, 0, 0}, {2, 1, 1})), "contained");                     // where winding is 2
  EXPECT_EQ(kind_of(crossed, box({0, 1, 0}, {1, 2, 1})), "touching");                      // in the corner of its arms
  EXPECT_EQ(kind_of(crossed, box({0, -1, 0}, {3, 2, 1})), "contained");
  EXPECT_EQ(kind_of(crossed, box({0, -1, 0.5}, {3, 2, 2})), "piercing");
  // Opposite windings cancel where the bars cross: a hole.
  const Mesh holed = together({box({0, 0, 0}, {3, 1, 1}), inside_out(box({1, 0, 0}, {2, 1, 1}))});
  EXPECT_EQ(kind_of(holed, box({1, 0, 0}, {2, 1, 1})), "touching");
  EXPECT_EQ(kind_of(holed, box({0.25, 0.25, 0.25}, {0.75, 0.75, 0.75})), "contained");
}

TEST(ClashTable, InstancesThatOverlapByALittle) {
  const Model cube(unit);
  Parts parts;
  for (const double x : {0.0, 1 - 1e-9, 2 + 1e-9})
    parts.parts.push_back({"cube " + std::to_string(parts.parts.size()), cube, Pose::from_translation({x, 0, 0})});
  const Clashes exact = find_clashes(parts);
  ASSERT_EQ(exact.pairs.size(), 1);
  EXPECT_STREQ(name(exact.pairs[0].kind), "piercing");
  EXPECT_EQ(exact.clear, 2);
  const Clashes tolerant = find_clashes(parts, {.clearance = 1e-6, .tolerance = 1e-6});
  ASSERT_EQ(tolerant.pairs.size(), 2);
  EXPECT_STREQ(name(tolerant.pairs[0].kind), "touching");
  EXPECT_STREQ(name(tolerant.pairs[1].kind), "too close");
}

TEST(ClashTable, MillimetresAmongMetres) {
  EXPECT_EQ(kind_of(unit, box({0, 0, 0}, {1000, 1000, 1000})), "contained");
  EXPECT_EQ(kind_of(moved(unit, {2000, 0, 0}), box({0, 0, 0}, {1000, 1000, 1000})), "clear");
  EXPECT_EQ(kind_of(box({999.5, 0, 0}, {1000.5, 1, 1}), box({0, 0, 0}, {1000, 1000, 1000})), "piercing");
}

TEST(Clashes, RefusesOptionsOutOfRange) {
  const Parts parts = parts_of({{unit, {}}, {unit, {}}});
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  for (const double bad : {-1.0, nan, infinite, 2e100}) {
    EXPECT_THROW(find_clashes(parts, {.clearance = bad}), Error) << bad;
    EXPECT_THROW(find_clashes(parts, {.tolerance = bad}), Error) << bad;
    EXPECT_THROW(find_clashes(parts, {.depth_precision = bad}), Error) << bad;
  }
  EXPECT_THROW(find_clashes(parts, {.threads = -1}), Error);
  EXPECT_THROW(find_clashes(parts, {.between = {{"part*", "nut*"}}}), Error);
  Parts ignoring = parts;
  ignoring.ignore = {{"part 0", "bolt"}};
  EXPECT_THROW(find_clashes(ignoring), Error);
  EXPECT_THROW(find_clashes(parts, {.ignore = {{{{0}, {2}}}}}), Error);
}

TEST(Clashes, NoPartsAndOne) {
  EXPECT_TRUE(find_clashes({}).pairs.empty());
  EXPECT_EQ(find_clashes({}).clear, 0);
  const Clashes one = find_clashes(parts_of({{unit, {}}}));
  EXPECT_TRUE(one.finished && one.pairs.empty() && one.clear == 0);
}

/// Cubes in a row, each flush with the next.
Parts row(std::size_t count) {
  const Model cube(unit);
  Parts parts;
  for (std::size_t i = 0; i < count; ++i)
    parts.parts.push_back({"cube " + std::to_string(i), cube, Pose::from_translation({static_cast<double>(i), 0, 0})});
  return parts;
}

/// Each pair of bricks has the class it was made for, with one thread and with two.
TEST(Clashes, Brickwork) {
  using scenes::Brickwork, scenes::Fit;
  const Brickwork work = scenes::brickwork(slice(125));
  Parts parts;
  std::vector<Model> models(work.assembly.meshes.begin(), work.assembly.meshes.end());
  for (const Instance& instance : work.assembly.instances)
    parts.parts.push_back({instance.name, models[instance.mesh], instance.pose});
  const std::map<Fit, ClashClass> classes{{Fit::close, ClashClass::too_close},
                                          {Fit::flush, ClashClass::touching},
                                          {Fit::piercing, ClashClass::piercing},
                                          {Fit::duplicate, ClashClass::duplicate}};
  for (const int threads : {1, 2}) {
    const Clashes found =
        find_clashes(parts, {.clearance = Brickwork::gap, .depth_budget = {.node_pairs = 300}, .threads = threads});
    const std::size_t n = parts.parts.size();
    EXPECT_EQ(found.pairs.size() + found.clear, n * (n - 1) / 2);
    ASSERT_EQ(found.pairs.size(), work.links.size());
    for (std::size_t i = 0; i < work.links.size(); ++i) {
      const Clash& clash = found.pairs[i];
      EXPECT_EQ(clash.a, work.links[i].a);
      EXPECT_EQ(clash.b, work.links[i].b);
      EXPECT_STREQ(name(clash.kind), name(classes.at(work.links[i].fit))) << clash.a << " " << clash.b;
      EXPECT_EQ(clash.gap.value_or(Brickwork::gap), Brickwork::gap);
      EXPECT_EQ(clash.depth.has_value(), clash.kind <= ClashClass::piercing);
    }
  }
}

using Pairs = std::set<std::pair<std::size_t, std::size_t>>;
Pairs pairs_of(const Clashes& clashes) {
  Pairs pairs;
  for (const Clash& clash : clashes.pairs) pairs.emplace(clash.a, clash.b);
  return pairs;
}

TEST(Clashes, GroupsIgnoredPairsAndPatterns) {
  Parts parts = row(6);  // 15 pairs, 5 of them touch
  EXPECT_EQ(pairs_of(find_clashes(parts)), (Pairs{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}));
  EXPECT_EQ(find_clashes(parts).clear, 10);
  const auto some = find_clashes(parts, {.between = {{"cube 1", "cube ?"}}});
  EXPECT_EQ(pairs_of(some), (Pairs{{0, 1}, {1, 2}}));
  EXPECT_EQ(some.clear, 3);
  // By place: 0 with 1, which touch, and with 5, which are far apart; 2 and 3 with each other; 4 with itself, no pair.
  const auto by_place =
      find_clashes(parts, {.ignore = {{{{0}, {1, 5}}}, {{{2, 3}, {3, 2}}}, {{{4}, {4}}}, {{{1}, {}}}}});
  EXPECT_EQ(pairs_of(by_place), (Pairs{{1, 2}, {3, 4}, {4, 5}}));
  EXPECT_EQ(by_place.clear, 10 - 1);
  for (PlacedPart& part : parts.parts) part.moves = false;
  EXPECT_EQ(find_clashes(parts).pairs.size(), 5);
  parts.parts[0].group = parts.parts[1].group = "left";
  parts.ignore = {{"left", "cube 2"}, {"cube 4", "cube*"}};
  const auto rest = find_clashes(parts);
  EXPECT_EQ(pairs_of(rest), (Pairs{{2, 3}}));
  // 15 less one in the group, less two, less the five of cube 4.
  EXPECT_EQ(rest.pairs.size() + rest.clear, 15 - 1 - 2 - 5);
}

TEST(Clashes, StopsTellsAndTakesUpWhereItStopped) {
  const Parts parts = row(40);
  const Clashes whole = find_clashes(parts);
  for (const int threads : {1, 2}) {
    std::set<std::pair<std::size_t, std::size_t>> known;
    std::vector<Clash> told;
    Clashes last;
    int calls = 0;
    std::size_t clear = 0;
    do {
      std::size_t most = 0;
      ClashOptions options{.clearance = 0.5, .threads = threads};
      options.progress = [&](std::size_t done, std::size_t of) {
        EXPECT_LE(done, of);
        EXPECT_GE(done, most);
        most = done;
        return done < 7;
      };
      options.each = [&](const Clash& clash) {
        EXPECT_TRUE(known.emplace(clash.a, clash.b).second);
        if (clash.kind != ClashClass::clear)
          told.push_back(clash);
        else
          ++clear;
      };
      options.is_known = [&](std::size_t a, std::size_t b) { return known.contains({a, b}); };
      last = find_clashes(parts, options);
      ASSERT_LT(++calls, 20);
    } while (!last.finished);
    EXPECT_GE(calls, 5);
    EXPECT_EQ(told.size(), whole.pairs.size());
    EXPECT_EQ(last.clear + clear, whole.clear);
  }
}

}  // namespace
}  // namespace tumble::test
