// SPDX-License-Identifier: Apache-2.0
// Overlap depth against depths known beforehand, and against solids of boxes on a grid and dense sampling.
#include "geometry/distance.h"
#include "mesh/shapes.h"
#include "query/depth_in_solid.h"
#include "scenes/meshes.h"
#include "scenes/random.h"
#include "scenes/shapes.h"
#include "scenes/spheres.h"

#include <tumble/error.h>
#include <tumble/query.h>
#include <tumble/solid.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tumble {
namespace {

Mesh inside_out(Mesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

Mesh cube(double centre, double half) {
  return test::box({centre - half, centre - half, centre - half}, {centre + half, centre + half, centre + half});
}

std::vector<Pose> some_poses() {
  return {{}, Pose::from_quaternion(1, 0.2, 0.3, 0.4, {0.1, 0.2, 0.03}), Pose::from_quaternion(1, 0, 0, 1, {5, -6, 7})};
}

TreeOptions dops() {
  TreeOptions options;
  options.bound = Bound::dop;
  options.k = 8;  // without the coordinate axes
  return options;
}

/// The distance of a point from the surface, found by looking at all of it; negative outside.
double depth_in(const Mesh& mesh, const Model& model, const Pose& pose, const Vec3& p) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Triangle& t : mesh.triangles)
    nearest = std::min(
        nearest, point_distance(p, {pose * mesh.vertices[t[0]], pose * mesh.vertices[t[1]], pose * mesh.vertices[t[2]]})
                     .distance_sq);
  return std::sqrt(nearest) * (locate(model, pose, p) == Side::inside ? 1 : -1);
}

struct Known {
  const char* name;
  Mesh a, b;
  double depth;
};

std::vector<Known> known_depths() {
  const Mesh unit = test::box({0, 0, 0}, {1, 1, 1}), plate = test::box({-5, -5, 0}, {5, 5, 0.1});
  const Mesh bar = test::box({-5, -0.5, -0.5}, {5, 0.5, 0.5});
  const Mesh walled = test::together({cube(0, 2), cube(0.5, 1)});  // winding 2 in the middle
  const Mesh hollow = test::together({cube(0, 2), inside_out(cube(0.5, 1))});
  return {
      {"the same", unit, unit, 1},
      {"a corner in a corner", test::box({0, 0, 0}, {2, 2, 2}), test::box({1.5, 1.25, 1.75}, {4, 4, 4}), 0.25},
      {"a face in a face", test::box({0, 0, 0}, {4, 4, 4}), test::box({1, 1, 3}, {3, 3, 5}), 1},
      {"one inside the other", test::box({0, 0, 0}, {8, 8, 8}), test::box({2, 3, 4}, {5, 5, 5}), 1},
      {"crossing bars", bar, test::box({-1, -1, -5}, {1, 1, 5}), 1},
      {"face on face", unit, test::box({0.25, 0.25, 1}, {2, 2, 2}), 0},
      {"corner on corner", unit, test::box({1, 1, 1}, {2, 2, 2}), 0},
      {"hardly overlapping", unit, test::box({0.25, 0.25, 1 - 1e-5}, {2, 2, 2}), 1e-5},
      {"plates", plate, plate, 0.1},
      {"plates, shifted", plate, test::box({-4.7, -4.8, 0.05}, {5.3, 5.2, 0.15}), 0.05},
      {"plate and bar", plate, bar, 0.1},
      {"walls are no obstacle", walled, cube(0, 2), 4},
      {"walls in both", walled, test::together({cube(0, 1.5), cube(0, 0.25), cube(-1, 0.125)}), 3},
      {"wound the other way", inside_out(walled), cube(0, 2), 4},
      {"a cavity is one", hollow, test::box({-2, -2, -2}, {2, 2, -0.5}), 1.5},
      {"in a cavity, touching", hollow, cube(0.5, 1), 0},
      {"two shells in two", test::together({cube(0, 1), cube(10, 1)}), test::together({cube(1.5, 1), cube(10.5, 1)}),
       1.5},
  };
}

TEST(OverlapDepth, KnownDepths) {
  for (const Known& known : known_depths())
    for (const Pose& pose : some_poses())
      for (const double precision : {0.01, 1e-4}) {
        SCOPED_TRACE(std::string(known.name) + ", precision " + std::to_string(precision));
        const Model a(known.a), b(known.b, dops());
        Pair pair(a, b);
        Query query = pair.start(pose, pose, OverlapDepthRequest{.precision = precision});
        EXPECT_GE(query.overlap_depth().upper, known.depth);
        const Certainty certain = query.run();
        const OverlapDepth found = query.overlap_depth();
        EXPECT_TRUE(certain.finished);
        EXPECT_TRUE(found.in_contact);
        EXPECT_TRUE(found.precise);
        EXPECT_LE(found.lower, known.depth + 1e-14);  // turning the boxes rounds them
        EXPECT_GE(found.upper, known.depth - 1e-14);
        EXPECT_LE(found.upper - found.lower, precision + 1e-9);
        if (!collide(a, pose, b, pose, {.ignore_touch = true, .solid = true})) {
          EXPECT_EQ(found.upper, 0);
        }
        EXPECT_LT(certain.node_pairs, 200'000u);
        if (known.depth > precision) {
          EXPECT_EQ(locate(a, pose, found.center), Side::inside);
          EXPECT_EQ(locate(b, pose, found.center), Side::inside);
        }
        const OverlapDepth swapped = overlap_depth(b, pose, a, pose, {.precision = precision});
        EXPECT_LE(swapped.lower, known.depth + 1e-14);
        EXPECT_GE(swapped.upper, known.depth - 1e-14);
      }
}

/// Lenses: a ball as wide as the lens is thick fits into the spheres, not into the polyhedra in them.
TEST(OverlapDepth, OfSpheresIsTheLensBetweenThem) {
  const Mesh sphere = scenes::uv_sphere(48, 24);
  const Model model(sphere);
  double inradius = 1;
  for (const Triangle& t : sphere.triangles)
    inradius = std::min(
        inradius,
        std::sqrt(
            point_distance({}, {sphere.vertices[t[0]], sphere.vertices[t[1]], sphere.vertices[t[2]]}).distance_sq));
  ASSERT_GT(inradius, 0.98);
  for (const double apart : {0.0, 0.3, 1.0, 1.9}) {
    const Pose pose = Pose::from_quaternion(1, 0.3, 0.2, 0.1, {apart * 0.6, apart * 0.8, 0});
    const OverlapDepth found = overlap_depth(model, {}, model, pose, {.precision = 1e-3});
    EXPECT_TRUE(found.precise);
    EXPECT_LE(found.lower, 2 - apart) << apart;
    EXPECT_GE(found.upper, 2 * inradius - apart) << apart;
    EXPECT_LE(found.upper - found.lower, 1e-3 + 1e-9);
  }
}

TEST(OverlapDepth, OfBodiesApartIsNone) {
  const Model one(cube(0, 1)), hollow(test::together({cube(0, 4), inside_out(cube(0, 3))}));
  for (const OverlapDepth& found : {overlap_depth(one, {}, one, Pose::from_translation({2.5, 0, 0})),
                                    overlap_depth(one, {}, hollow, {}), overlap_depth(hollow, {}, one, {})}) {
    EXPECT_FALSE(found.in_contact);
    EXPECT_TRUE(found.precise);
    EXPECT_EQ(found.lower, 0);
    EXPECT_EQ(found.upper, 0);
  }
}

TEST(OverlapDepth, Refuses) {
  const Model good(test::cube());
  Mesh open = test::cube();
  open.triangles.pop_back();
  try {
    overlap_depth(good, {}, Model(open), {});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_closed);
  }
  for (const double bad : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(overlap_depth(good, {}, good, {}, {.precision = bad}), Error);
  Pair pair(good, good);
  Query query = pair.start({}, {}, OverlapDepthRequest{});
  EXPECT_THROW(query.contacts(), Error);
  EXPECT_THROW(query.penetration(), Error);
  Query other = pair.start({}, {}, PenetrationRequest{});
  EXPECT_THROW(other.overlap_depth(), Error);
  EXPECT_THROW(query.overlap_depth(), Error);  // stale
}

TEST(OverlapDepth, AnySizeAndPlace) {
  for (const double size : {1e-300, 1e-160, 1e-60, 1.0, 1e60, 1e98})
    for (const double place : {0.0, 3.0}) {
      const Vec3 at = Vec3{1, 2, 3} * (place * size);
      const Model a(test::box(at, at + Vec3{size, size, size}));
      const OverlapDepth found = overlap_depth(a, {}, a, Pose::from_translation({0.5 * size, 0, 0}));
      EXPECT_TRUE(found.in_contact);
      EXPECT_LE(found.lower, 0.5 * size) << size;
      EXPECT_GE(found.upper, 0.5 * size) << size;
      if (size > 1e-100) {
        EXPECT_LE(found.upper - found.lower, 0.01 * size) << size;
      }
    }
  // Coordinates an eighth apart.
  const Model sphere(scenes::uv_sphere(8, 4));
  const Pose a = Pose::from_translation({1e15, 0, 0}), b = Pose::from_translation({1e15 + 1.1, 0.25, 0});
  for (const double precision : {0.0, 1e-30}) {
    const OverlapDepth found = overlap_depth(sphere, a, sphere, b, {.precision = precision});
    EXPECT_TRUE(found.in_contact);
    EXPECT_LE(found.lower, 1);
    EXPECT_GE(found.upper, 0);
  }
  const Model unit(test::cube());
  const OverlapDepth fine =
      overlap_depth(unit, {}, unit, Pose::from_translation({0.3, 0.1, 0.05}), {.precision = 1e-300});
  EXPECT_LT(fine.upper - fine.lower, 1e-8);
}

// Solids of boxes on a grid, whose shells cross, touch, coincide and cancel. What is inside is known cell by cell.

constexpr int grid = 5;

struct GridSolid {
  std::array<int, grid * grid * grid> winding{};
  Mesh mesh;

  void add(scenes::Random& random) {
    std::array<int, 3> low, high;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = static_cast<int>(random.index(grid - 1));
      high[axis] = low[axis] + 1 + static_cast<int>(random.index(static_cast<std::size_t>(grid - low[axis])));
      high[axis] = std::min(high[axis], grid);
    }
    const int turn = random.index(4) == 0 ? -1 : 1;
    const auto point = [](const std::array<int, 3>& p) { return Vec3{double(p[0]), double(p[1]), double(p[2])}; };
    const Mesh shell = test::box(point(low), point(high));
    mesh = test::together({mesh, turn > 0 ? shell : inside_out(shell)});
    for (int x = low[0]; x < high[0]; ++x)
      for (int y = low[1]; y < high[1]; ++y)
        for (int z = low[2]; z < high[2]; ++z) winding[index(x, y, z)] += turn;
  }
  static std::size_t index(int x, int y, int z) { return static_cast<std::size_t>((x * grid + y) * grid + z); }
  bool is_solid(int x, int y, int z) const {
    const auto in = [](int i) { return i >= 0 && i < grid; };
    return in(x) && in(y) && in(z) && winding[index(x, y, z)] != 0;
  }
  /// The distance from all cells that are not solid.
  double depth(const Vec3& p) const {
    double nearest = std::numeric_limits<double>::infinity();
    for (int x = -1; x <= grid; ++x)
      for (int y = -1; y <= grid; ++y)
        for (int z = -1; z <= grid; ++z) {
          if (is_solid(x, y, z)) continue;
          const auto gap = [](double at, int cell) { return std::max({0.0, cell - at, at - (cell + 1)}); };
          const double dx = gap(p.x, x), dy = gap(p.y, y), dz = gap(p.z, z);
          nearest = std::min(nearest, dx * dx + dy * dy + dz * dz);
        }
    return std::sqrt(nearest);
  }
};

TEST(OverlapDepth, BoxesOnAGrid) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  std::size_t precise = 0, deep = 0;
  for (int round = 0; round < 25; ++round) {
    GridSolid a, b;
    for (std::size_t n = 1 + random.index(3); n > 0; --n) a.add(random);
    for (std::size_t n = 1 + random.index(3); n > 0; --n) b.add(random);
    constexpr double spacing = 0.25, slack = spacing * 0.8661;  // half the diagonal of a cube
    double radius = 0;
    for (double x = 0; x <= grid; x += spacing)
      for (double y = 0; y <= grid; y += spacing)
        for (double z = 0; z <= grid; z += spacing)
          if (const double depth = a.depth({x, y, z}); depth > radius)
            radius = std::max(radius, std::min(depth, b.depth({x, y, z})));
    const Pose pose = some_poses()[static_cast<std::size_t>(round) % 3];
    const Model model_a(a.mesh), model_b(b.mesh, dops());
    const bool turned = !pose.is_identity();
    const OverlapDepth found = overlap_depth(model_a, pose, model_b, pose, {.precision = 0.05});
    // Shells that touch may come apart when they are turned: only in place is every wall exactly where it was.
    if (!turned) {
      EXPECT_GE(found.upper, 2 * radius);
      EXPECT_LE(std::min(a.depth(found.center), b.depth(found.center)) * -2, -found.lower * (1 - 1e-12));
    }
    EXPECT_LE(found.lower, 2 * (radius + slack) + 1e-9);
    if (found.precise) {
      EXPECT_LE(found.upper - found.lower, 0.05 + 1e-9);
    }
    precise += found.precise;
    deep += radius > 0;
    if (HasFailure()) return;
  }
  EXPECT_GT(precise, 0u);
  EXPECT_GT(deep, 0u);
}

/// Seen to fail: planes that coincide left a polytope with edges missing, and the answer was 0.05.
TEST(OverlapDepth, CutsTwiceInOnePlane) {
  const Model a(test::together(
      {test::box({0, 2, 2}, {1, 5, 3}), test::box({2, 1, 1}, {5, 5, 5}), test::box({1, 3, 1}, {5, 4, 2})}));
  const Model b(test::together({test::box({0, 0, 3}, {3, 2, 5}), inside_out(test::box({2, 3, 3}, {3, 4, 5}))}), dops());
  EXPECT_GE(overlap_depth(a, {}, b, {}, {.precision = 0.05}).upper, 1);
}

/// Corners on sides of other triangles, and corners on sides of those.
Mesh cube_with_seams() {
  Mesh mesh = cube(0, 1);
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t side = 0; side < 3; side += 2) mesh = test::with_seam(std::move(mesh), i, side);
  for (std::size_t i = 0, count = mesh.triangles.size(); i < count; ++i) mesh = test::with_seam(std::move(mesh), i, 1);
  return mesh;
}

/// A corner on the side of another triangle makes neither boundary in part, nor does one that is a rounding beyond.
TEST(OverlapDepth, SeamsLeaveTheBoundaryCertain) {
  const Mesh mesh = cube_with_seams();
  const Model model(mesh);
  for (const Pose& pose : {Pose{}, Pose::from_translation({0.3, 0.1, 0.2}), some_poses()[1]}) {
    DepthInSolid solid({data_of(model), pose});
    std::size_t seen = 0;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      const Corners c = solid.tree().body().corners(t);
      if (length(cross(c[1] - c[0], c[2] - c[0])) < 1e-6) continue;
      const Vec3 inside = centroid(c) * 0.99 + pose * Vec3{} * 0.01;
      std::optional<PointDepth> depth;
      while (!depth) depth = solid.at(inside, t);  // some seams are left out in each call
      EXPECT_TRUE(depth->at_boundary) << t;
      EXPECT_LE(depth->lower, depth->upper) << t;
      EXPECT_NEAR(depth->lower, 0.01, 1e-12) << t;
      EXPECT_NEAR(depth->upper, 0.01, pose.is_identity() ? 1e-12 : 1e-11) << t;
      ++seen;
    }
    EXPECT_EQ(seen, 72u);
  }
}

/// Seen to take 128,263 searches in the first place and precision 0.001, and not to end with 0.0001: roundings make
/// triangles meet at the seams, and those were no limits to a whole region.
TEST(OverlapDepth, SeamsCostLittle) {
  const Model model(cube_with_seams());
  Pair pair(model, model);
  for (const auto& [place, depth] : {std::pair(Vec3{0.3, 0.1, 0.2}, 1.7), std::pair(Vec3{0.11, 0.13, 0.07}, 1.87)})
    for (const Pose& pose : some_poses())
      for (const double precision : {1e-3, 1e-4}) {
        Query query =
            pair.start(pose, pose * Pose::from_translation(place), OverlapDepthRequest{.precision = precision});
        const Certainty certain = query.run({.node_pairs = 10'000});
        const OverlapDepth found = query.overlap_depth();
        EXPECT_LT(certain.node_pairs, 5'000u) << place.x << ", " << precision;
        EXPECT_TRUE(found.precise);
        EXPECT_LE(found.lower, depth + 1e-14);
        EXPECT_GE(found.upper, depth - 1e-14);
      }
}

/// Two boxes of one body that share a face: whether the ball may pass it is not known, and the interval says so.
TEST(OverlapDepth, StaysCertainWhereShellsMeet) {
  const Mesh flush = test::together({test::box({0, 0, 0}, {1, 1, 1}), test::box({1, 0, 0}, {2, 1, 1})});
  const Mesh crossing =
      test::together({test::box({-2, -0.5, -0.5}, {2, 0.5, 0.5}), test::box({-0.5, -2, -0.5}, {0.5, 2, 0.5})});
  const Model slab(test::box({-9, -9, -0.25}, {9, 9, 0.25}));
  for (const auto& [mesh, depth] : {std::pair(&flush, 1.0), std::pair(&crossing, 0.5 * std::sqrt(2) / 0.5)}) {
    const Model model(*mesh);
    for (const Pose& pose : some_poses()) {
      Pair pair(model, model);
      Query query = pair.start(pose, pose, OverlapDepthRequest{});
      const Certainty certain = query.run({.node_pairs = 1'000'000});
      const OverlapDepth found = query.overlap_depth();
      EXPECT_TRUE(certain.finished);
      EXPECT_GE(found.upper, 1 - 1e-12);
      EXPECT_LE(found.lower, std::max(1.0, depth) + 1e-12);
      EXPECT_GT(found.lower, 0.5);
    }
  }
  // A thin common part, where the shells' crossing does not matter.
  const OverlapDepth found = overlap_depth(Model(crossing), {}, slab, {}, {.precision = 1e-3});
  EXPECT_LE(found.lower, 0.5);
  EXPECT_GE(found.upper, 0.5);
}

TEST(OverlapDepth, AgreesWithDenseSampling) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  const Mesh torus = scenes::wrinkled_torus(240), box = scenes::rounded_box({0.5, 0.3, 0.4}, 0.1, 8, 6);
  const Mesh bar = test::box({-2, -0.11, -0.12}, {2, 0.13, 0.14});
  const std::array pairs{std::pair(&torus, &box), std::pair(&bar, &torus), std::pair(&torus, &torus),
                         std::pair(&bar, &box)};
  std::size_t deep = 0;
  for (std::size_t round = 0; round < 8; ++round) {
    const auto [mesh_a, mesh_b] = pairs[round % pairs.size()];
    const Vec3 t = random.in_box({-0.7, -0.7, -0.2}, {0.7, 0.7, 0.2});
    const double w = random.between(-1, 1), x = random.between(-1, 1), y = random.between(-1, 1);
    const Pose pose_a = Pose::from_quaternion(w, x, y, random.between(0.1, 1), t), pose_b;
    const Model a(*mesh_a, round % 2 == 0 ? TreeOptions{} : dops()), b(*mesh_b);
    constexpr double precision = 0.004;
    const OverlapDepth found = overlap_depth(a, pose_a, b, pose_b, {.precision = precision});
    double radius = 0;
    constexpr int points = 1'500;
    for (int i = 0; i < points; ++i) {
      const Vec3 p = i % 2 == 0 && found.lower > 0 ? found.center + random.in_box({-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1})
                                                   : random.in_box({-1.5, -1.5, -0.5}, {1.5, 1.5, 0.5});
      const double in_a = depth_in(*mesh_a, a, pose_a, p);
      if (in_a > radius) radius = std::max(radius, std::min(in_a, depth_in(*mesh_b, b, pose_b, p)));
    }
    EXPECT_TRUE(found.precise);
    EXPECT_LE(2 * radius, found.upper + 1e-12);
    EXPECT_LE(found.upper - found.lower, precision + 1e-9);
    if (found.lower > 0) {
      const double there =
          std::min(depth_in(*mesh_a, a, pose_a, found.center), depth_in(*mesh_b, b, pose_b, found.center));
      EXPECT_LE(found.lower, 2 * there);
      EXPECT_GE(found.upper, 2 * there);
    }
    deep += found.lower > 0.05;
  }
  EXPECT_GT(deep, 1u);
}

struct HalfSpace {
  Vec3 normal;
  double at;
};
void add_half_spaces(const Mesh& convex, const Pose& pose, std::vector<HalfSpace>& all) {
  for (const Triangle& t : convex.triangles) {
    const Vec3 p = pose * convex.vertices[t[0]];
    const Vec3 normal = cross(pose * convex.vertices[t[1]] - p, pose * convex.vertices[t[2]] - p);
    all.push_back({normal / length(normal), dot(normal, p) / length(normal)});
  }
}
/// The diameter of the largest ball in all of them: it touches four planes at least, so that all fours are looked at.
double largest_ball(const std::vector<HalfSpace>& all) {
  double radius = 0;
  const auto try_four = [&](const HalfSpace& p, const HalfSpace& q, const HalfSpace& r, const HalfSpace& s) {
    // Its centre is as far behind each of them.
    const Vec3 a = q.normal - p.normal, b = r.normal - p.normal, c = s.normal - p.normal;
    const double det = dot(a, cross(b, c));
    if (std::abs(det) < 1e-9) return;
    const Vec3 center = (cross(b, c) * (q.at - p.at) + cross(c, a) * (r.at - p.at) + cross(a, b) * (s.at - p.at)) / det;
    const double here = p.at - dot(p.normal, center);
    if (here <= radius) return;
    for (const HalfSpace& other : all)
      if (other.at - dot(other.normal, center) < here - 1e-9) return;
    radius = here;
  };
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      for (std::size_t k = 0; k < j; ++k)
        for (std::size_t l = 0; l < k; ++l) try_four(all[i], all[j], all[k], all[l]);
  return 2 * radius;
}

TEST(OverlapDepth, OfAPyramidUprightInABox) {
  const Model pyramid(scenes::bipyramid(1, 0.7, 9)), box(scenes::box({1, 1, 1}));
  for (const double precision : {0.1, 0.02, 0.005}) {
    const OverlapDepth found =
        overlap_depth(pyramid, {}, box, Pose::from_translation({0, 0, 0.5}), {.precision = precision});
    EXPECT_GE(found.upper, 1.0681092);  // (0, 0, 0.0340546) is 0.5340546 from either surface
    EXPECT_TRUE(found.precise);
  }
}

/// At the tip of a pyramid many planes meet in a point, or nearly.
TEST(OverlapDepth, OfPyramidsIsThatOfTheirPlanes) {
  constexpr std::uint64_t seed = 75;
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  std::size_t deep = 0;
  for (std::size_t round = 0; round < 150; ++round) {
    const auto shape = [&]() -> Mesh {
      if (random.index(3) == 0) return test::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5});
      return scenes::bipyramid(1, 0.7, 3 + random.index(10));
    };
    const Mesh a = scenes::bipyramid(1, 0.7, 3 + random.index(10)), b = shape();
    // As they come, turned by next to nothing, or not at all.
    const double turn = std::array{1.0, std::pow(10, -random.between(1, 12)), 0.0}[random.index(3)];
    const Vec3 axis = random.in_box({-1, -1, -1}, {1, 1, 1}) * turn;
    const auto quarters = [&] { return 0.25 * static_cast<double>(random.index(5)) - 0.5; };
    const Pose pose = Pose::from_quaternion(1, axis.x, axis.y, axis.z,
                                            turn == 1 ? random.in_box({-0.8, -0.8, -0.8}, {0.8, 0.8, 0.8})
                                                      : Vec3{0.5 * quarters(), 0.5 * quarters(), quarters()});
    std::vector<HalfSpace> all;
    add_half_spaces(a, {}, all);
    add_half_spaces(b, pose, all);
    const double expected = largest_ball(all);
    Pair pair{Model(a), Model(b)};
    Query query = pair.start({}, pose, OverlapDepthRequest{.precision = 0.01});
    const Certainty certain = query.run({.node_pairs = 20'000});
    const OverlapDepth found = query.overlap_depth();
    EXPECT_TRUE(certain.finished) << "round " << round;
    EXPECT_LE(found.lower, expected + 1e-8) << "round " << round;
    EXPECT_GE(found.upper, expected - 1e-8) << "round " << round;
    EXPECT_LE(found.upper - found.lower, 0.01 + 1e-9) << "round " << round;
    deep += found.lower > 0.05;
  }
  EXPECT_GT(deep, 20u);
}

TEST(OverlapDepth, BudgetsNarrowTheIntervalToTheSameAnswer) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  const Mesh nested = test::together({cube(0, 1), cube(0.2, 0.5), cube(-0.7, 0.2)});  // walls
  const std::array models{Model(scenes::wrinkled_torus(240)), Model(nested), Model(scenes::axis_object())};
  std::size_t unfinished = 0;
  for (int round = 0; round < 30; ++round) {
    const Model &a = models[random.index(3)], &b = models[random.index(3)];
    Pair pair(a, b);
    const Vec3 t = random.in_box({-1, -1, -0.5}, {1, 1, 0.5});
    const Pose pose = Pose::from_quaternion(1, random.between(-0.3, 0.3), random.between(-0.3, 0.3), 0.1, t);
    const OverlapDepthRequest request{.precision = 0.05};
    const OverlapDepth best = overlap_depth(a, {}, b, pose, request);
    OverlapDepth last, now;
    last.upper = std::numeric_limits<double>::infinity();
    Query query = pair.start({}, pose, request);
    for (;;) {
      const auto node_pairs = static_cast<std::uint64_t>(std::exp(random.between(0, 8)));
      const bool by_time = random.index(5) == 0;
      const std::uint64_t before = query.run({.node_pairs = 0}).node_pairs;
      const Certainty c =
          query.run(by_time ? Budget{.time = std::chrono::microseconds(random.index(300))} : Budget{node_pairs});
      if (!by_time) {
        // A step looks at two points in two solids: 32 walls, found and examined, and 24 tries, found, examined on both
        // sides and looked beside.
        EXPECT_LE(c.node_pairs, before + node_pairs + 4 * (1 + 2 * 32 + 8 * (24 + 1)));
      }
      now = query.overlap_depth();
      if (c.verdict != Verdict::unknown) {
        EXPECT_EQ(c.verdict == Verdict::colliding, best.in_contact);
      }
      EXPECT_LE(now.lower, best.upper);
      EXPECT_GE(now.upper, best.lower);
      EXPECT_LE(now.upper, last.upper);
      EXPECT_GE(now.lower, last.lower);
      last = now;
      if (c.finished) break;
      ++unfinished;
    }
    EXPECT_EQ(now.lower, best.lower);
    EXPECT_EQ(now.upper, best.upper);
    EXPECT_EQ(now.precise, best.precise);
    if (HasFailure()) return;
  }
  EXPECT_GT(unfinished, 30u);
  const auto many = run_many(models[1], models[1], std::vector<Pose>(3), OverlapDepthRequest{.precision = 0.01}, {});
  for (const Outcome& outcome : many) {
    EXPECT_LE(outcome.overlap_depth.lower, 2);
    EXPECT_GE(outcome.overlap_depth.upper, 2);
    EXPECT_TRUE(outcome.overlap_depth.precise);
  }
}

}  // namespace
}  // namespace tumble
