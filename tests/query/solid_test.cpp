// SPDX-License-Identifier: Apache-2.0
// Insides against answers known beforehand: boxes on a grid, and the solid angle a surface takes up.
#include "geometry/ray_crossing.h"
#include "mesh/shapes.h"
#include "scenes/meshes.h"
#include "scenes/random.h"
#include "scenes/shapes.h"
#include "traverse/placed_tree.h"

#include <tumble/error.h>
#include <tumble/query.h>
#include <tumble/solid.h>

#include <gtest/gtest.h>
#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <random>
#include <string>

namespace tumble {
namespace {

/// One of each kind of bound, and a deep narrow tree.
std::vector<TreeOptions> bounds() {
  std::vector<TreeOptions> all(1);
  for (const int k : {6, 8, 12, 18, 26}) {
    TreeOptions dop;
    dop.bound = Bound::dop;
    dop.k = k;
    all.push_back(dop);
  }
  TreeOptions boxes;
  boxes.bound = Bound::obb;
  boxes.arity = 2;
  boxes.leaf_size = 1;
  all.push_back(boxes);
  return all;
}

Mesh inside_out(Mesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

/// A box with whole-numbered corners, wound outward or inward.
struct GridBox {
  Vec3 lower, upper;
  int winding = 1;

  bool holds(const Vec3& p) const {
    bool in = true;
    for (int axis = 0; axis < 3; ++axis) in &= lower[axis] <= p[axis] && p[axis] <= upper[axis];
    return in;
  }
  bool holds_strictly(const Vec3& p) const {
    bool in = true;
    for (int axis = 0; axis < 3; ++axis) in &= lower[axis] < p[axis] && p[axis] < upper[axis];
    return in;
  }
};

struct GridSolid {
  std::vector<GridBox> boxes;

  Mesh mesh() const {
    Mesh all;
    for (const GridBox& box : boxes) {
      const Mesh one = test::box(box.lower, box.upper);
      all = test::together({all, box.winding > 0 ? one : inside_out(one)});
    }
    return all;
  }
  Side at(const Vec3& p) const {
    int winding = 0;
    for (const GridBox& box : boxes) {
      if (box.holds(p) && !box.holds_strictly(p)) return Side::on_surface;
      if (box.holds_strictly(p)) winding += box.winding;
    }
    return winding == 0 ? Side::outside : Side::inside;
  }
};

constexpr std::size_t grid_size = 6;

/// Up to four boxes, or one around everything and up to three.
GridSolid random_solid(scenes::Random& random, std::size_t longest = grid_size) {
  GridSolid solid;
  if (random.index(2) == 0) solid.boxes.push_back({{0, 0, 0}, {grid_size, grid_size, grid_size}, 1});
  for (std::size_t n = 1 + random.index(4) - solid.boxes.size(); n > 0; --n) {
    GridBox box;
    for (int axis = 0; axis < 3; ++axis) {
      const std::size_t from = random.index(grid_size);
      const std::size_t length = 1 + random.index(std::min(longest, grid_size - from));
      box.lower[axis] = static_cast<double>(from);
      box.upper[axis] = static_cast<double>(from + length);
    }
    box.winding = random.index(3) == 0 ? -1 : 1;
    solid.boxes.push_back(box);
  }
  return solid;
}

/// In every corner, edge, face and cell of the grid there is one of these.
std::vector<Vec3> grid_points() {
  std::vector<Vec3> points;
  constexpr int last = 2 * int{grid_size} + 1;
  for (int x = -1; x <= last; ++x)
    for (int y = -1; y <= last; ++y)
      for (int z = -1; z <= last; ++z) points.push_back({x * 0.5, y * 0.5, z * 0.5});
  return points;
}

/// Takes the grid to itself, exactly.
Pose quarter_turn(scenes::Random& random) {
  static constexpr std::array<std::array<double, 12>, 4> turns{{
      {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},
      {0, -1, 0, grid_size, 1, 0, 0, 0, 0, 0, 1, 0},
      {0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0},
      {-1, 0, 0, grid_size, 0, 1, 0, 0, 0, 0, -1, grid_size},
  }};
  return Pose::from_rows(turns[random.index(turns.size())]);
}

GridSolid moved(const GridSolid& solid, const Pose& pose) {
  GridSolid there = solid;
  for (GridBox& box : there.boxes) {
    const Vec3 p = pose * box.lower, q = pose * box.upper;
    for (int axis = 0; axis < 3; ++axis) {
      box.lower[axis] = std::min(p[axis], q[axis]);
      box.upper[axis] = std::max(p[axis], q[axis]);
    }
  }
  return there;
}

std::uint64_t new_seed() { return std::random_device{}(); }

TEST(Inside, BoxesOnAGrid) {
  const std::uint64_t seed = new_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  const std::vector<Vec3> points = grid_points();
  const std::vector<TreeOptions> options = bounds();
  std::array<std::size_t, 3> met{};
  for (std::size_t round = 0; round < 28; ++round) {
    const GridSolid solid = random_solid(random);
    const Model model(solid.mesh(), options[round % options.size()]);
    const Pose pose = quarter_turn(random);
    const GridSolid there = moved(solid, pose);
    for (const Vec3& p : points) {
      const Side side = there.at(p);
      ASSERT_EQ(locate(model, pose, p), side) << p.x << " " << p.y << " " << p.z;
      ++met[static_cast<std::size_t>(side)];
    }
  }
  for (const std::size_t n : met) EXPECT_GT(n, 1000u);
}

/// The part of the sphere around p that the mesh hides, by triangles (van Oosterom & Strackee 1983), over 4π.
double turns_around(const Mesh& mesh, const Pose& pose, const Vec3& p) {
  double angle = 0;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = pose * mesh.vertices[t[0]] - p, b = pose * mesh.vertices[t[1]] - p,
               c = pose * mesh.vertices[t[2]] - p;
    const double la = length(a), lb = length(b), lc = length(c);
    angle += 2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return angle / (4 * std::numbers::pi);
}

Pose random_pose(scenes::Random& random, double spread) {
  const double w = random.between(-1, 1), x = random.between(-1, 1), y = random.between(-1, 1);
  const double z = random.between(0.1, 1);
  return Pose::from_quaternion(w, x, y, z, random.in_box({-spread, -spread, -spread}, {spread, spread, spread}));
}

TEST(Inside, AgreesWithTheSolidAngle) {
  const std::uint64_t seed = new_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  const std::vector<TreeOptions> options = bounds();
  std::size_t outside = 0, within = 0, several = 0;
  for (const Mesh& mesh : {scenes::wrinkled_torus(400), scenes::hand(), scenes::pipes(2'000), scenes::axis_object()}) {
    const Box box = bounding_box(mesh);
    for (const TreeOptions& option : options) {
      const Model model(mesh, option);
      const Pose pose = random_pose(random, 3);
      const Body body{data_of(model), pose};
      for (int i = 0; i < 60; ++i) {
        const Vec3 p = pose * random.in_box(box.lower, box.upper);
        const double turns = turns_around(mesh, pose, p);
        if (std::abs(turns - std::round(turns)) > 1e-6) continue;  // all but on the surface
        const int winding = static_cast<int>(std::round(turns));
        ASSERT_EQ(PlacedTree(body).locate(p).winding, winding);
        ASSERT_EQ(locate(model, pose, p), winding == 0 ? Side::outside : Side::inside);
        outside += winding == 0;
        within += winding != 0;
        several += winding > 1;
      }
    }
  }
  EXPECT_GT(outside, 100u);
  EXPECT_GT(within, 100u);
  EXPECT_GT(several, 0u);  // the hand's shells overlap
}

/// Rays through vertices and along edges: every direction must give the same, and none may be thrown off.
TEST(Inside, EveryRayCountsTheSame) {
  const std::uint64_t seed = new_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  std::size_t within = 0;
  for (const Mesh& mesh : {scenes::wrinkled_torus(200), scenes::hand(), scenes::zachmann_torus(288)}) {
    for (int round = 0; round < 60; ++round) {
      const Pose pose = round % 2 == 0 ? Pose{} : random_pose(random, 1);
      // Each coordinate from a vertex, so that rays run into vertices and edges; or a vertex itself.
      const auto coordinate = [&](int axis) {
        return (pose * mesh.vertices[random.index(mesh.vertices.size())])[axis];
      };
      Vec3 p = pose * mesh.vertices[random.index(mesh.vertices.size())];
      const std::size_t kept = random.index(8);
      for (int axis = 0; axis < 3; ++axis)
        if ((kept >> axis & 1) == 0) p[axis] = coordinate(axis);
      std::vector<Location> seen;
      for (int axis = 0; axis < 3; ++axis)
        for (const bool forward : {false, true}) {
          Location location;
          for (const Triangle& t : mesh.triangles) {
            const auto winds = crossing({p, axis, forward}, {pose * mesh.vertices[t[0]], pose * mesh.vertices[t[1]],
                                                             pose * mesh.vertices[t[2]]});
            location.on_surface |= !winds;
            location.winding += winds.value_or(0);
          }
          if (location.on_surface) location.winding = 0;
          seen.push_back(location);
        }
      for (const Location& location : seen) {
        EXPECT_EQ(location.on_surface, seen[0].on_surface);
        EXPECT_EQ(location.winding, seen[0].winding);
      }
      within += seen[0].winding != 0;
    }
  }
  EXPECT_GT(within, 5u);
}

TEST(Inside, VerticesEdgesAndFacesAreTheSurface) {
  const Model cube(test::cube());
  EXPECT_EQ(locate(cube, {}, {0, 0, 0}), Side::on_surface);
  EXPECT_EQ(locate(cube, {}, {0.5, 0, 1}), Side::on_surface);
  EXPECT_EQ(locate(cube, {}, {0.25, 0.5, 1}), Side::on_surface);
  EXPECT_EQ(locate(cube, {}, {0.25, 0.5, std::nextafter(1.0, 0.0)}), Side::inside);
  EXPECT_EQ(locate(cube, {}, {0.25, 0.5, std::nextafter(1.0, 2.0)}), Side::outside);
  EXPECT_EQ(locate(cube, {}, {0.5, 0.5, 1e100}), Side::outside);
  EXPECT_EQ(locate(cube, Pose::from_translation({10, 0, 0}), {10.5, 0.5, 0.5}), Side::inside);
}

TEST(Inside, AnySizeAndPlace) {
  for (const double size : {1e-300, 1e-150, 1e-9, 1.0, 1e60, 1e98})
    for (const Vec3& place : {Vec3{}, Vec3{1, 2, 3} * (8 * size)})
      for (const TreeOptions& option : bounds()) {
        const Model cube(test::box(place, place + Vec3{size, size, size}), option);
        const auto at = [&](double x, double y, double z) { return locate(cube, {}, place + Vec3{x, y, z} * size); };
        EXPECT_EQ(at(0.5, 0.25, 0.5), Side::inside) << size;
        EXPECT_EQ(at(0.5, 0.25, 0), Side::on_surface) << size;
        EXPECT_EQ(at(0.5, 0.25, -0.5), Side::outside) << size;
        EXPECT_EQ(at(0.5, 0.25, 1.5), Side::outside) << size;
      }
  // So small beside its place that the world's coordinates collapse: the flat cube has a surface and no inside.
  const Model small(test::box({-1e-30, -1e-30, -1e-30}, {1e-30, 1e-30, 1e-30}));
  EXPECT_EQ(locate(small, Pose::from_translation({1, 0, 0}), {1, 0, 0}), Side::on_surface);
  EXPECT_EQ(locate(small, Pose::from_translation({1, 0, 0}), {1, 1e-30, 1e-30}), Side::on_surface);
  EXPECT_EQ(locate(small, Pose::from_translation({1, 0, 0}), {1, 2e-30, 0}), Side::outside);
}

TEST(Inside, RefusesPointsThatAreNone) {
  const Model cube(test::cube());
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), 2e100}) try {
      locate(cube, {}, {0, bad, 0});
      ADD_FAILURE() << "accepted " << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    }
}

std::string refusal_of(const Mesh& mesh) {
  try {
    locate(Model(mesh), {}, {0, 0, 0});
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_closed);
    return error.what();
  }
  return "none";
}

TEST(Inside, RefusesOpenMeshesAndNamesTheirEdges) {
  Mesh open = test::soup(test::cube());
  open.triangles.pop_back();
  EXPECT_EQ(
      refusal_of(open),
      "the mesh is not closed and so has no inside: it has 3 open edges, (1, 0, 0) to (1, 0, 1) of triangle 4, "
      "(1, 0, 0) to (1, 1, 1) of triangle 10, (1, 0, 1) to (1, 1, 1) of triangle 2; close it, or ask of surfaces");
  Mesh wide = test::together({open, test::cube()});
  wide.triangles.resize(wide.triangles.size() - 3);
  EXPECT_NE(refusal_of(wide).find("open edges, among them ("), std::string::npos);
  Mesh flat;
  flat.vertices = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
  flat.triangles = {{0, 1, 2}};
  EXPECT_EQ(refusal_of(flat), "the mesh has no inside: none of its triangles has area");
  // A pair says whose it is, in either role, and takes no other offence.
  const Model good(test::cube()), bad(open);
  for (const bool first : {true, false}) {
    Pair pair(first ? bad : good, first ? good : bad);
    EXPECT_NO_THROW(pair.collide({}, {}));
    for (int ask = 0; ask < 3; ++ask) try {
        ask == 0   ? void(pair.collide({}, {}, {.solid = true}))
        : ask == 1 ? void(pair.contacts({}, {}, {.solid = true}))
                   : void(pair.start({}, {}, ContactRequest{.solid = true}));
        ADD_FAILURE();
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::not_closed);
        EXPECT_EQ(std::string(error.what()).find(first ? "body a: " : "body b: "), 0u);
      }
  }
}

/// Faces without area: part of the surface, inside or outside of it.
TEST(Inside, FacesWithoutAreaAreSurface) {
  Mesh mesh = test::cube();
  mesh.vertices.insert(mesh.vertices.end(), {{0.25, 0.25, 0.25}, {0.5, 0.5, 0.5}, {3, 3, 3}});
  mesh.triangles.insert(mesh.triangles.end(), {{8, 9, 10}, {10, 9, 8}});
  for (const TreeOptions& option : bounds()) {
    const Model spiked(mesh, option);
    EXPECT_EQ(locate(spiked, {}, {0.375, 0.375, 0.375}), Side::on_surface);
    EXPECT_EQ(locate(spiked, {}, {2, 2, 2}), Side::on_surface);
    EXPECT_EQ(locate(spiked, {}, {0.125, 0.125, 0.125}), Side::inside);
    EXPECT_EQ(locate(spiked, {}, {2, 2, 2.125}), Side::outside);
    // Turned, the spike is two slivers with some area, which wind around nothing.
    scenes::Random random(3);
    for (int i = 0; i < 50; ++i) {
      const Pose pose = random_pose(random, 1);
      for (const double along : {0.3, 0.7, 1.5, 2.5}) {
        const Vec3 p = pose * Vec3{along, along, along};
        EXPECT_NE(locate(spiked, pose, p), along < 1 ? Side::outside : Side::inside);
        EXPECT_EQ(locate(spiked, pose, p + (pose * Vec3{0, 0.01, 0} - pose.translation())),
                  along < 0.95 ? Side::inside : Side::outside);
      }
    }
  }
}

/// A coordinate in units of 2^-100, of which it must be a multiple.
boost::multiprecision::int512_t exact(double x) {
  const double units = std::ldexp(x, 100);
  EXPECT_EQ(units, std::trunc(units));
  return boost::multiprecision::int512_t(units);
}

int exact_orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  std::array<std::array<boost::multiprecision::int512_t, 3>, 3> m;
  const std::array<const Vec3*, 3> points{&b, &c, &d};
  for (std::size_t i = 0; i < 3; ++i)
    for (int axis = 0; axis < 3; ++axis)
      m[i][static_cast<std::size_t>(axis)] = exact((*points[i])[axis]) - exact(a[axis]);
  const boost::multiprecision::int512_t det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                                              m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                                              m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  return det.sign();
}

/// How often the triangles cross the segment from p to q, by direction; nothing if p or q is in the plane of one, or if
/// the segment's line meets an edge's.
std::optional<int> exact_winding(const Mesh& world, const Vec3& p, const Vec3& q) {
  int winding = 0;
  for (const Triangle& t : world.triangles) {
    const Vec3 &a = world.vertices[t[0]], &b = world.vertices[t[1]], &c = world.vertices[t[2]];
    const int ab = exact_orientation(p, q, a, b), bc = exact_orientation(p, q, b, c),
              ca = exact_orientation(p, q, c, a);
    if (ab == 0 || bc == 0 || ca == 0) return {};
    if (ab != bc || bc != ca) continue;  // a triangle without area, too, as the line misses its line
    const int from = exact_orientation(a, b, c, p), to = exact_orientation(a, b, c, q);
    if (from == 0 || to == 0) return {};
    if (from != to) winding += to;
  }
  return winding;
}

/// In the world, rounding moves points off the sides they are on, so what is cut away on one side must be put back by
/// the seam.
Mesh with_seams(Mesh mesh, scenes::Random& random, std::size_t seams) {
  for (std::size_t i = 0; i < seams; ++i) {
    const std::size_t cut = random.index(mesh.triangles.size());
    mesh = test::with_seam(std::move(mesh), cut, random.index(3));
  }
  return mesh;
}

TEST(Inside, SeamsWithoutAreaAgainstExactArithmetic) {
  const std::uint64_t seed = new_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  const std::vector<TreeOptions> options = bounds();
  std::array<std::size_t, 3> met{};
  std::size_t undecided = 0;
  for (std::size_t round = 0; round < 60; ++round) {
    const Mesh mesh = with_seams(test::box({-1, -2, -3}, {1, 2, 3}), random, 1 + random.index(6));
    ASSERT_TRUE(summarize(mesh).closed);
    ASSERT_GT(summarize(mesh).degenerate_faces, 0u);
    const Model model(mesh, options[round % options.size()]);
    const Pose pose = random_pose(random, 1);
    Mesh world = mesh;
    for (Vec3& v : world.vertices) v = pose * v;
    const Box box = bounding_box(world);
    for (int i = 0; i < 60; ++i) {
      // Seen along an axis, most points are behind a seam.
      Vec3 p = random.in_box(box.lower, box.upper);
      const Triangle& t = world.triangles[random.index(world.triangles.size())];
      const double u = random.unit();
      const Vec3 near = i % 3 == 0 ? world.vertices[t[2]] : world.vertices[t[0]] * (1 - u) + world.vertices[t[2]] * u;
      const int along = static_cast<int>(random.index(4));
      for (int axis = 0; axis < 3; ++axis)
        if (axis != along) p[axis] = near[axis];
      std::optional<int> winding;
      for (int attempt = 0; attempt < 3 && !winding; ++attempt)
        winding = exact_winding(world, p, random.direction() * 100);
      const Side side = locate(model, pose, p);
      ++met[static_cast<std::size_t>(side)];
      if (!winding) {
        ++undecided;  // on the surface, or all but
        continue;
      }
      ASSERT_EQ(side, *winding == 0 ? Side::outside : Side::inside) << p.x << " " << p.y << " " << p.z;
    }
  }
  for (const std::size_t n : met) EXPECT_GT(n, 100u);
  EXPECT_LT(undecided, 1800u);
}

bool solids_meet(const GridSolid& a, const GridSolid& b) {
  for (const Vec3& p : grid_points())
    if (a.at(p) != Side::outside && b.at(p) != Side::outside) return true;
  return false;
}

TEST(SolidCollide, BoxesOnAGrid) {
  const std::uint64_t seed = new_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  const std::vector<TreeOptions> options = bounds();
  std::size_t meetings = 0, without_contact = 0;
  for (std::size_t round = 0; round < 300; ++round) {
    const GridSolid a = random_solid(random, 1 + random.index(3));
    GridSolid b = random_solid(random, 1 + random.index(3));
    if (round % 2 == 0) {  // a small one, of which there is often room inside
      b.boxes = {b.boxes.back()};
      for (int axis = 0; axis < 3; ++axis) b.boxes[0].upper[axis] = b.boxes[0].lower[axis] + 1;
    }
    const Pose pose_a = quarter_turn(random), pose_b = quarter_turn(random);
    const bool expected = solids_meet(moved(a, pose_a), moved(b, pose_b));
    const Model model_a(a.mesh(), options[round % options.size()]);
    const Model model_b(b.mesh(), options[round / options.size() % options.size()]);
    EXPECT_EQ(collide(model_a, pose_a, model_b, pose_b, {.solid = true}), expected);
    EXPECT_EQ(collide(model_b, pose_b, model_a, pose_a, {.solid = true}), expected);
    const Contacts contacts = tumble::contacts(model_a, pose_a, model_b, pose_b, {.solid = true});
    EXPECT_EQ(!contacts.empty(), expected);
    meetings += expected;
    without_contact += expected && !collide(model_a, pose_a, model_b, pose_b);
    if (HasFailure()) break;
  }
  EXPECT_GT(meetings, 100u);
  EXPECT_GT(without_contact, 0u);
}

/// What was found, without geometry: kinds and triangles of either side.
std::vector<std::array<std::uint32_t, 3>> listed(const Contacts& contacts, bool swapped = false) {
  std::vector<std::array<std::uint32_t, 3>> list;
  for (const Contact& c : contacts)
    list.push_back({swapped ? c.triangle_b : c.triangle_a, swapped ? c.triangle_a : c.triangle_b,
                    static_cast<std::uint32_t>(c.kind)});
  std::ranges::sort(list);
  return list;
}

struct Nested {
  const char* name;
  Mesh outer, inner;
  bool meet;           // as solids
  std::size_t inside;  // contacts of this kind
  bool surfaces_meet = false;
};

std::vector<Nested> nested_scenes() {
  const auto cube = [](double centre, double half) {
    return test::box({centre - half, centre - half, centre - half}, {centre + half, centre + half, centre + half});
  };
  const Mesh hollow = test::together({cube(0, 4), inside_out(cube(0, 3))});
  const Mesh two = test::together({cube(0, 1), cube(10, 1)});
  return {
      {"nested", cube(0, 4), cube(0.5, 1), true, 1},
      {"nested, wound the other way", cube(0, 4), inside_out(cube(0.5, 1)), true, 1},
      {"nested in one wound the other way", inside_out(cube(0, 4)), cube(0.5, 1), true, 1},
      {"apart", cube(0, 1), cube(5, 1), false, 0},
      {"touching from inside", cube(0, 4), cube(3, 1), true, 0, true},
      {"in a cavity", hollow, cube(0.5, 1), false, 0},
      {"in a cavity, touching", hollow, cube(0, 3), true, 0, true},
      {"in the wall of a hollow", hollow, cube(3.5, 0.25), true, 1},
      {"around a cavity", hollow, cube(0, 3.5), true, 2},  // it is in the wall; the cavity's surface is in it
      {"one shell in, one out", cube(0, 4), two, true, 1},
      {"one shell piercing, one in", cube(0, 4), test::together({cube(0, 1), cube(4, 1)}), true, 1, true},
      {"two in two", test::together({cube(0, 4), cube(20, 4)}), test::together({cube(0, 1), cube(20, 1)}), true, 2},
      {"each in the other", test::together({cube(0, 4), cube(20, 1)}), test::together({cube(0, 1), cube(20, 4)}), true,
       2},
      {"overlapping shells", test::together({cube(0, 4), cube(1, 4)}), cube(0.5, 1), true, 1},
      {"overlapping shells that cancel", test::together({cube(0, 4), inside_out(cube(1, 4))}), cube(0.5, 1), false, 0},
      {"between shells", test::together({cube(0, 4), cube(0, 2)}), cube(3, 0.5), true, 1},
  };
}

TEST(SolidCollide, Nested) {
  for (const Nested& scene : nested_scenes()) {
    SCOPED_TRACE(scene.name);
    for (const TreeOptions& outer_options : bounds())
      for (const TreeOptions& inner_options : bounds()) {
        Pair pair(Model(scene.outer, outer_options), Model(scene.inner, inner_options));
        Pair swapped(Model(scene.inner, inner_options), Model(scene.outer, outer_options));
        const Pose there = Pose::from_quaternion(1, 0, 0, 1, {5, 6, 7});
        for (const Pose& pose : {Pose{}, there, Pose{}})  // the last is asked with what the first left behind
          for (Pair* asked : {&pair, &swapped}) {
            EXPECT_EQ(asked->collide(pose, pose), scene.surfaces_meet);
            EXPECT_EQ(asked->collide(pose, pose, {.solid = true}), scene.meet);
          }
        const Contacts surfaces = pair.contacts({}, {}), solids = pair.contacts({}, {}, {.solid = true});
        EXPECT_EQ(std::size_t(std::ranges::count(solids, ContactKind::inside, &Contact::kind)), scene.inside);
        EXPECT_EQ(solids.size(), surfaces.size() + scene.inside);
        EXPECT_EQ(listed(solids), listed(swapped.contacts({}, {}, {.solid = true}), true));
        Contacts one_by_one;
        pair.start({}, {}, ContactRequest{.solid = true}).run({}, [&](const Contact& c) {
          one_by_one.push_back(c);
          return true;
        });
        EXPECT_EQ(listed(solids), listed(one_by_one));
        EXPECT_EQ(pair.contacts({}, {}, {.at_most = 1, .solid = true}).size(), scene.meet ? 1u : 0u);
      }
  }
}

TEST(SolidDistance, IsZeroExactlyWhenSolidsMeet) {
  for (const Nested& scene : nested_scenes()) {
    SCOPED_TRACE(scene.name);
    for (const TreeOptions& options : bounds()) {
      const Model outer(scene.outer, options), inner(scene.inner, options);
      const Pose there = Pose::from_quaternion(1, 0, 0, 1, {5, 6, 7});
      for (const Pose& pose : {Pose{}, there}) {
        const Distance surfaces = distance(outer, pose, inner, pose);
        for (const double bound : {std::numeric_limits<double>::infinity(), 0.01}) {
          const Distance d = distance(outer, pose, inner, pose, {.upper_bound = bound, .solid = true});
          const Distance swapped = distance(inner, pose, outer, pose, {.upper_bound = bound, .solid = true});
          EXPECT_EQ(d.distance == 0, scene.meet);
          EXPECT_EQ(d.distance, swapped.distance);
          EXPECT_EQ(d.inside, scene.meet && !scene.surfaces_meet);
          EXPECT_EQ(d.farther, !scene.meet && surfaces.distance > bound);
          if (!scene.meet && !d.farther) {
            EXPECT_EQ(d.distance, surfaces.distance);
          }
          if (d.distance > 0) continue;
          EXPECT_EQ(d.point_a, d.point_b);
          EXPECT_NE(locate(outer, pose, d.point_a), Side::outside);
          EXPECT_NE(locate(inner, pose, d.point_a), Side::outside);
        }
      }
    }
  }
  const std::vector<Distance> many = distance_many(Model(test::box({0, 0, 0}, {10, 10, 10})), Model(test::cube()),
                                                   std::vector{Pose::from_translation({4, 4, 4})}, {.solid = true});
  EXPECT_EQ(many[0].distance, 0);
}

/// An error allowance ends the walk over the surfaces early; what is inside is found all the same.
TEST(SolidDistance, AnErrorAllowanceDoesNotHideWhatIsInside) {
  const Model outer(test::box({0, 0, 0}, {10, 10, 10})), inner(test::box({0.5, 4, 4}, {1.5, 5, 5}));
  const DistanceRequest request{.abs_error = 1, .solid = true};
  Pair pair(outer, inner);
  for (int again = 0; again < 3; ++again) {
    const Distance d = pair.distance({}, {}, request);
    EXPECT_EQ(d.distance, 0);
    EXPECT_TRUE(d.inside);
    EXPECT_EQ(pair.start({}, {}, request).run({.node_pairs = 1'000}).verdict, Verdict::colliding);
  }
  const std::vector<Pose> poses(130);
  for (const Distance& d : distance_many(outer, inner, poses, request, {.threads = 1})) EXPECT_EQ(d.distance, 0);
}

TEST(SolidDistance, IsNotFartherBeforeAllShellsWereSeen) {
  const Mesh three = test::together(
      {test::box({20, 0, 0}, {21, 1, 1}), test::box({30, 0, 0}, {31, 1, 1}), test::box({4, 4, 4}, {5, 5, 5})});
  Pair pair{Model(three), Model(test::box({0, 0, 0}, {10, 10, 10}))};
  for (const Budget& budget : {Budget{.node_pairs = 1}, Budget{.time = std::chrono::nanoseconds(0)}}) {
    Query query = pair.start({}, {}, DistanceRequest{.upper_bound = 0.1, .solid = true});
    Certainty c = query.run(budget);
    for (; !c.finished; c = query.run(budget)) EXPECT_FALSE(c.closest.farther);
    EXPECT_EQ(c.verdict, Verdict::colliding);
    EXPECT_EQ(c.closest.distance, 0);
  }
}

/// However little is allowed, what is said of solids is true, and in the end it is the answer.
TEST(SolidBudget, IsNeverWrong) {
  const std::uint64_t seed = new_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  const std::vector<TreeOptions> options = bounds();
  std::size_t unfinished = 0;
  for (const Nested& scene : nested_scenes())
    for (int round = 0; round < 30; ++round) {
      SCOPED_TRACE(scene.name);
      const Model outer(scene.outer, options[random.index(options.size())]);
      const Model inner(scene.inner, options[random.index(options.size())]);
      const bool swapped = random.index(2) == 0;
      Pair pair(swapped ? inner : outer, swapped ? outer : inner);
      const Pose pose = round % 2 == 0 ? Pose{} : Pose::from_quaternion(1, 0, 0, 1, {5, 6, 7});
      const Budget budget{.node_pairs = random.index(12)};
      const double exact = distance(outer, pose, inner, pose, {.solid = true}).distance;
      const auto expect_true = [&](const Certainty& c) {
        if (c.verdict != Verdict::unknown) {
          EXPECT_EQ(c.verdict == Verdict::colliding, scene.meet);
        }
        EXPECT_LE(c.lower, exact);
        EXPECT_GE(c.closest.distance, exact);
        unfinished += !c.finished;
      };
      const auto ask = [&](const Request& request) {
        Query query = pair.start(pose, pose, request);
        Certainty c = query.run(budget);
        for (expect_true(c); !c.finished; expect_true(c)) c = query.run({.node_pairs = 5});
        return std::pair(std::move(query), c);
      };
      EXPECT_NE(ask(CollideRequest{.solid = true}).second.verdict, Verdict::unknown);
      EXPECT_EQ(ask(DistanceRequest{.solid = true}).second.closest.distance, exact);
      auto [query, all] = ask(ContactRequest{.solid = true});
      const Contacts found = query.contacts();
      EXPECT_EQ(listed(found), listed(pair.contacts(pose, pose, {.solid = true})));
    }
  EXPECT_GT(unfinished, 100u);
}

/// More shells than fit a block: every one that is inside is found, whatever the pose.
TEST(SolidCollide, ManyShells) {
  const std::uint64_t seed = new_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  const Mesh field = scenes::tetrahedron_field(1'000, 2);
  std::size_t found = 0, missing = 0;
  for (const TreeOptions& option : bounds()) {
    const Model shells(field, option), box(test::box({-0.4, -0.3, -0.5}, {0.4, 0.3, 0.5}), option);
    Pair pair(shells, box);
    for (int round = 0; round < 6; ++round) {
      const Pose pose_shells = random_pose(random, 0.5), pose_box = random_pose(random, 1);
      std::size_t expected = 0;
      for (std::size_t t = 0; t < field.triangles.size(); t += 4) {  // a tetrahedron each
        bool all = true;
        for (std::size_t i = 0; i < 4; ++i)
          for (const std::uint32_t v : field.triangles[t + i])
            all &= locate(box, pose_box, pose_shells * field.vertices[v]) == Side::inside;
        expected += all;
      }
      const Contacts contacts = pair.contacts(pose_shells, pose_box, {.solid = true});
      EXPECT_EQ(std::size_t(std::ranges::count(contacts, ContactKind::inside, &Contact::kind)), expected);
      EXPECT_EQ(pair.collide(pose_shells, pose_box, {.solid = true}), !contacts.empty());
      found += expected;
      missing += contacts.empty();
    }
  }
  EXPECT_GT(found, 100u);
  EXPECT_LT(missing, 40u);
}

TEST(SolidCollide, AContactOfKindInsideShowsTheWayOut) {
  const Model outer(test::box({0, 0, 0}, {10, 10, 10})), inner(test::box({1, 2, 3}, {2, 3, 4}));
  for (const bool swapped : {false, true}) {
    const Contacts found =
        swapped ? contacts(inner, {}, outer, {}, {.solid = true}) : contacts(outer, {}, inner, {}, {.solid = true});
    ASSERT_EQ(found.size(), 1u);
    const Contact& c = found[0];
    EXPECT_EQ(c.kind, ContactKind::inside);
    EXPECT_STREQ(name(c.kind), "inside");
    EXPECT_EQ(c.point, (Vec3{1, 2, 3}));
    EXPECT_EQ(c.vertex_count, 1);
    EXPECT_EQ(c.depth, 1);
    EXPECT_EQ(c.normal, (Vec3{swapped ? -1.0 : 1.0, 0, 0}));  // a goes out: inner to −x, or outer to +x
    EXPECT_EQ(swapped ? c.triangle_a : c.triangle_b, 0u);
    EXPECT_GE(swapped ? c.triangle_b : c.triangle_a, 8u);  // of the face x = 0
    EXPECT_LE(swapped ? c.triangle_b : c.triangle_a, 9u);
  }
}

/// A small piece of a inside b and one of b inside a, each the other's nearest wall: two contacts name the same
/// triangles.
TEST(SolidCollide, ContactsOfKindInsideThatTieKeepTheirOrderWhenBodiesSwap) {
  Mesh inner = scenes::box({8, 8, 8}), outer = scenes::box({9, 9, 9});
  scenes::append(inner, scenes::tetrahedron({-0.1, 0, 0}, {-0.1, 1, 0}, {-0.1, 0, 1}, {-2, 0.3, 0.3}));
  scenes::append(outer, scenes::tetrahedron({0.1, 0.3, 0.3}, {0.1, -0.5, 0}, {0.1, 0, -0.5}, {2, 0, 0}));
  const Model a(inner), b(outer);
  const Contacts there = contacts(a, {}, b, {}, {.solid = true}), back = contacts(b, {}, a, {}, {.solid = true});
  ASSERT_EQ(there.size(), 3u);
  ASSERT_EQ(back.size(), 3u);
  EXPECT_EQ(there[1].triangle_a, there[2].triangle_a);
  EXPECT_EQ(there[1].triangle_b, there[2].triangle_b);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(there[i].point, back[i].point);
}

TEST(SolidCollide, TouchesThatDoNotCountDoNotHideWhatIsInside) {
  const Mesh outer = test::box({0, 0, 0}, {4, 4, 4});
  // Corners on the faces' insides, and one that only touches from outside.
  const Mesh reaching = scenes::tetrahedron({0, 2, 2}, {4, 1, 2}, {2, 4, 2}, {2, 2, 3});
  const Mesh beside = scenes::tetrahedron({4, 2, 2}, {6, 1, 2}, {6, 3, 2}, {6, 2, 3});
  for (const TreeOptions& option : bounds())
    for (const bool swapped : {false, true}) {
      const auto ask = [&](const Mesh& inner, bool solid) {
        const Model a(outer, option), b(inner, option);
        Pair pair(swapped ? b : a, swapped ? a : b);
        const bool hit = pair.collide({}, {}, {.ignore_touch = true, .solid = solid});
        EXPECT_EQ(!pair.contacts({}, {}, {.ignore_touch = true, .solid = solid}).empty(), hit);
        return hit;
      };
      EXPECT_FALSE(ask(reaching, false));
      EXPECT_TRUE(ask(reaching, true));
      EXPECT_FALSE(ask(beside, true));
    }
}

/// Two opposite faces in one place: a closed surface around nothing.
Mesh sheet(Vec3 a, Vec3 b, Vec3 c) { return {{a, b, c}, {{0, 1, 2}, {0, 2, 1}}, {}}; }

Mesh octahedron(const Vec3& centre, double radius) {
  Mesh mesh;
  for (int axis = 0; axis < 3; ++axis)
    for (const double way : {-radius, radius}) {
      mesh.vertices.push_back(centre);
      mesh.vertices.back()[axis] += way;
    }
  mesh.triangles = {{1, 3, 5}, {3, 0, 5}, {0, 2, 5}, {2, 1, 5}, {3, 1, 4}, {0, 3, 4}, {2, 0, 4}, {1, 2, 4}};
  return mesh;
}

/// A cube with the other diagonal in each face.
Mesh turned_cube(double size) {
  Mesh cube = test::box({0, 0, 0}, {size, size, size});
  for (Vec3& v : cube.vertices) v.x = size - v.x;
  return inside_out(cube);
}

/// Eight boxes that cancel each other but for [1, 2]³. No triangle has its middle where it bounds anything.
Mesh left_over() {
  Mesh all;
  for (int i = 0; i < 8; ++i) {
    const Mesh box = test::box({0, 0, 0}, {i & 1 ? 1.0 : 2.0, i & 2 ? 1.0 : 2.0, i & 4 ? 1.0 : 2.0});
    all = test::together({all, (i ^ i >> 1 ^ i >> 2) & 1 ? inside_out(box) : box});
  }
  return all;
}

struct Solids {
  const char* name;
  Mesh a, b;
  bool overlap;
};

/// Where contacts of triangles tell nothing, or the wrong thing, about the solids.
std::vector<Solids> touching_solids() {
  const auto box = [](Vec3 lower, Vec3 upper) { return test::box(lower, upper); };
  const Mesh cube = box({0, 0, 0}, {2, 2, 2});
  const Mesh hollow = test::together({box({-1, -1, -1}, {3, 3, 3}), inside_out(cube)});
  const Mesh inscribed = scenes::tetrahedron({0, 0, 0}, {2, 2, 0}, {2, 0, 2}, {0, 2, 2});
  Mesh spiked = box({3, 0, 0}, {5, 2, 2});
  spiked.vertices.insert(spiked.vertices.end(), {{1, 1, 1}, {2, 1, 1}, {4, 1, 1}});
  spiked.triangles.insert(spiked.triangles.end(), {{8, 9, 10}, {10, 9, 8}});  // without area, and closed
  // A solid inside, joined to a point outside by a sheet.
  Mesh flag = test::together({scenes::tetrahedron({0.5, 0.5, 0.5}, {1, 0.5, 0.5}, {0.5, 1, 0.5}, {0.5, 0.5, 1}),
                              sheet({0.5, 0.5, 1}, {4, 1, 1}, {4, 1, 2})});
  return {
      {"octahedron in a cube", cube, octahedron({1, 1, 1}, 1), true},
      {"tetrahedron in a cube", cube, inscribed, true},
      {"tetrahedron in a cube, across the diagonals", turned_cube(2), inscribed, true},
      {"flush from outside", cube, box({2, 0, 0}, {3, 2, 2}), false},
      {"flush from outside, shifted", cube, box({2, 1, 0.5}, {3, 3, 4}), false},
      {"flush from inside", cube, box({0, 0.5, 0.5}, {1, 1, 1}), true},
      {"flush from inside, wound the other way", cube, inside_out(box({0, 0.5, 0.5}, {1, 1, 1})), true},
      {"the same", cube, cube, true},
      {"the same, with other triangles", cube, turned_cube(2), true},
      {"the same, wound the other way", cube, inside_out(cube), true},
      {"filling a cavity", hollow, cube, false},
      {"filling a cavity, with other triangles", hollow, turned_cube(2), false},
      {"filling a part of a cavity", hollow, box({0, 0, 0}, {2, 1, 2}), false},
      {"more than a cavity", hollow, box({0, 0, 0}, {2, 2, 2.5}), true},
      {"half of it, cut along an edge", cube, scenes::tetrahedron({0, 0, 0}, {2, 2, 0}, {0, 0, 2}, {2, 0, 0}), true},
      {"around a common edge", scenes::tetrahedron({0, 0, 0}, {0, 0, 2}, {2, 0, 1}, {0, 2, 1}),
       scenes::tetrahedron({0, 0, 0}, {0, 0, 2}, {1, 1, 1}, {-2, 2, 1}), true},
      {"side by side at a common edge", scenes::tetrahedron({0, 0, 0}, {0, 0, 2}, {2, 0, 1}, {0, 2, 1}),
       scenes::tetrahedron({0, 0, 0}, {0, 0, 2}, {0, 2, 1}, {-2, 2, 1}), false},
      {"corner at corner", cube, box({2, 2, 2}, {3, 3, 3}), false},
      {"edge at edge", cube, box({2, 2, 0}, {3, 3, 2}), false},
      {"a sheet inside", cube, sheet({0.5, 0.5, 1}, {1.5, 0.5, 1}, {0.5, 1.5, 1}), false},
      {"a sheet through it", cube, sheet({-1, 1, 1}, {3, 1, 1}, {1, 3, 1.5}), false},
      {"a solid at the end of a sheet", cube, flag, true},
      {"a degenerate face inside", cube, spiked, false},
      {"beside an inner wall", test::together({cube, box({2, 0, 0}, {4, 2, 2})}), box({2, 0, 0}, {3, 2, 2}), true},
      {"what cancelling boxes leave over, inside", left_over(), box({-1, -1, -1}, {3, 3, 3}), true},
      {"what cancelling boxes leave over, flush from inside", left_over(), box({-1, -1, 1}, {3, 3, 3}), true},
      {"what cancelling boxes leave over, flush from outside", left_over(), box({-1, -1, -1}, {3, 3, 1}), false},
      {"what cancelling boxes leave over, the same", left_over(), box({1, 1, 1}, {2, 2, 2}), true},
      {"where boxes cancel", left_over(), box({0, 0, 0}, {1, 2, 2}), false},
      {"nothing but a wall left", test::together({cube, inside_out(cube)}), cube, false},
      {"a corner left of a cancelled part", test::together({cube, inside_out(box({0, 0, 0}, {2, 2, 1}))}),
       box({0, 0, 0.5}, {2, 2, 1}), false},
      {"beyond a cancelled part", test::together({cube, inside_out(box({0, 0, 0}, {2, 2, 1}))}),
       box({0, 0, 0}, {2, 2, 1.5}), true},
  };
}

constexpr CollideRequest overlap{.ignore_touch = true, .solid = true};

/// Four boxes that partly cancel: their own cuts matter, at any size.
TEST(Overlap, OfTinySolids) {
  for (const int exponent : {0, -540, -600, -900}) {
    SCOPED_TRACE(exponent);
    const auto box = [&](Vec3 lower, Vec3 upper) {
      return test::box(lower * std::ldexp(1, exponent), upper * std::ldexp(1, exponent));
    };
    const Model a(test::together({box({-20, -20, 0}, {4, 4, 1}), inside_out(box({0, -20, 0}, {3.25, 4, 1})),
                                  inside_out(box({-20, 0, 0}, {4, 3.25, 1})), box({0, 0, 0}, {3.25, 3.25, 1})}));
    const Model b(box({1, 1, -1}, {5, 5, 2}));
    EXPECT_TRUE(collide(a, {}, b, {}, {.ignore_touch = true, .solid = true}));
    EXPECT_TRUE(collide(b, {}, a, {}, {.ignore_touch = true, .solid = true}));
  }
}

TEST(Overlap, IsCommonVolumeWhateverTheContacts) {
  const std::vector<TreeOptions> options = bounds();
  std::size_t round = 0;
  for (const Solids& scene : touching_solids())
    for (const bool swapped : {false, true}) {
      const TreeOptions& option = options[round++ % options.size()];
      const Model a(swapped ? scene.b : scene.a, option), b(swapped ? scene.a : scene.b, option);
      Pair pair(a, b);
      for (int again = 0; again < 2; ++again)  // also from what the pair remembers
        EXPECT_EQ(pair.collide({}, {}, overlap), scene.overlap) << scene.name;
      const double apart = distance(a, {}, b, {}, {.solid = true}).distance;
      for (const std::uint64_t budget : {1, 2, 7}) {
        Query query = pair.start({}, {}, overlap);
        Certainty so_far;
        for (int call = 0; !so_far.finished; ++call) {
          ASSERT_LT(call, 10'000);
          so_far = query.run({.node_pairs = budget});
          EXPECT_NE(so_far.verdict, scene.overlap ? Verdict::free : Verdict::colliding) << scene.name;
          EXPECT_LE(so_far.lower, apart) << scene.name;
        }
        EXPECT_NE(so_far.verdict, Verdict::unknown) << scene.name;
      }
      // A list of contacts has its own verdict: whether it has an entry.
      Query listing = pair.start({}, {}, ContactRequest{.ignore_touch = true, .solid = true});
      const Verdict verdict = listing.run().verdict;
      const Contacts contacts = listing.contacts();
      EXPECT_EQ(verdict, contacts.empty() ? Verdict::free : Verdict::colliding) << scene.name;
      EXPECT_EQ(listed(pair.contacts({}, {}, {.ignore_touch = true, .solid = true})), listed(contacts)) << scene.name;
      EXPECT_EQ(std::ranges::count(contacts, ContactKind::touch, &Contact::kind), 0) << scene.name;
    }
}

TEST(Overlap, BoxesOnAGrid) {
  const std::uint64_t seed = new_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  const std::vector<TreeOptions> options = bounds();
  std::vector<Vec3> cells = grid_points();
  std::erase_if(
      cells, [](const Vec3& p) { return p.x == std::floor(p.x) || p.y == std::floor(p.y) || p.z == std::floor(p.z); });
  std::size_t overlaps = 0, others = 0;
  for (std::size_t round = 0; round < 300; ++round) {
    const GridSolid a = random_solid(random, 1 + random.index(3)), b = random_solid(random, 1 + random.index(3));
    const Pose pose_a = quarter_turn(random), pose_b = quarter_turn(random);
    const GridSolid there_a = moved(a, pose_a), there_b = moved(b, pose_b);
    const bool expected = std::ranges::any_of(
        cells, [&](const Vec3& p) { return there_a.at(p) == Side::inside && there_b.at(p) == Side::inside; });
    Pair pair(Model(a.mesh(), options[round % options.size()]),
              Model(b.mesh(), options[round / options.size() % options.size()]));
    ASSERT_EQ(pair.collide(pose_a, pose_b, overlap), expected);
    overlaps += expected;
    others += !expected && pair.collide(pose_a, pose_b);
  }
  EXPECT_GT(overlaps, 50u);
  EXPECT_GT(others, 8u);
}

/// Rounding of world coordinates makes flush faces cross a little; sizes and places near the ends of what is allowed.
TEST(Overlap, AnySizeAndPlace) {
  for (const double size : {1e-300, 1e-150, 1e-9, 1.0, 1e60, 1e98}) {
    const auto cube = [&](double x) { return Model(test::box({x * size, 0, 0}, Vec3{x + 1, 1, 1} * size)); };
    EXPECT_FALSE(collide(cube(0), {}, cube(1), {}, overlap)) << size;
    EXPECT_TRUE(collide(cube(0), {}, cube(0.5), {}, overlap)) << size;
    EXPECT_TRUE(collide(cube(0), {}, cube(1 - 0x1p-50), {}, overlap)) << size;
    EXPECT_TRUE(collide(cube(0), {}, Model(octahedron(Vec3{0.5, 0.5, 0.5} * size, 0.5 * size)), {}, overlap)) << size;
  }
  // In the world these cubes are flat.
  const Model small(test::box({-1e-30, -1e-30, -1e-30}, {1e-30, 1e-30, 1e-30}));
  const Pose there = Pose::from_translation({1, 0, 0});
  EXPECT_TRUE(collide(small, there, small, there, {.solid = true}));
  EXPECT_FALSE(collide(small, there, small, there, overlap));
}

/// What is found out once for each model may be asked for by all threads at the same time.
TEST(SolidCollide, ThreadsShareAModel) {
  for (int round = 0; round < 6; ++round) {
    const Model outer(scenes::wrinkled_torus(2'000)), inner(scenes::tetrahedron_field(100, 2));
    std::vector<int> right(4);
    std::vector<std::thread> threads;
    for (int& mine : right)
      threads.emplace_back([&] {
        mine = locate(outer, {}, {0, 0, 50}) == Side::outside &&
               !collide(outer, {}, inner, Pose::from_translation({9, 0, 0}), {.solid = true});
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(right, std::vector<int>(4, 1));
  }
}

TEST(SolidCollide, ManyPosesAtOnce) {
  const Model outer(test::box({0, 0, 0}, {10, 10, 10})), inner(test::box({0, 0, 0}, {1, 1, 1}));
  std::vector<Pose> poses;
  std::vector<std::uint8_t> expected;
  for (int i = -30; i < 130; ++i) {
    poses.push_back(Pose::from_translation({i * 0.125, 4, 4}));
    expected.push_back(i * 0.125 >= -1 && i * 0.125 <= 10);
  }
  EXPECT_EQ(collide_many(outer, inner, poses, {.solid = true}, {.threads = 2}), expected);
  EXPECT_EQ(collide_many(inner, outer, poses, {.solid = true}, {.threads = 2}).size(), poses.size());
  const std::vector<Contacts> all = contacts_many(outer, inner, poses, {.solid = true});
  for (std::size_t i = 0; i < poses.size(); ++i) EXPECT_EQ(!all[i].empty(), expected[i] != 0);
}

}  // namespace
}  // namespace tumble
