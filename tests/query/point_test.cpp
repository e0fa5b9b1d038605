// SPDX-License-Identifier: Apache-2.0
// Points and rays against brute force over all triangles, with every kind of tree, pose and instruction set.
#include <tumble/point.h>

#include "geometry/distance.h"
#include "geometry/ray_hit.h"
#include "math/transform.h"
#include "mesh/shapes.h"
#include "pairwise.h"
#include "scenes/meshes.h"
#include "scenes/random.h"
#include "scenes/shapes.h"
#include "simd/dispatch.h"
#include "slice.h"
#include "tree/tree_choices.h"

#include <tumble/error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace tumble {
namespace {

using scenes::Random;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// All triangles in the world.
std::vector<Corners> surface_of(const Mesh& mesh, const Pose& pose) {
  std::vector<Corners> surface;
  for (const Triangle& t : mesh.triangles) {
    Corners corners{mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]};
    if (!pose.is_identity())
      for (Vec3& p : corners) p = to_world(pose, p);
    surface.push_back(corners);
  }
  return surface;
}

using Answers = std::vector<std::pair<double, std::uint32_t>>;  // t and triangle, sorted

Answers brute_hits(const std::vector<Corners>& surface, const RayPart& ray) {
  Answers hits;
  for (std::uint32_t t = 0; t < surface.size(); ++t)
    if (const auto at = meets_at(ray, surface[t])) hits.emplace_back(*at, t);
  std::ranges::sort(hits);
  return hits;
}

std::pair<double, std::uint32_t> brute_nearest(const std::vector<Corners>& surface, const Vec3& p) {
  std::pair<double, std::uint32_t> best{infinity, 0};
  for (std::uint32_t t = 0; t < surface.size(); ++t)
    best = std::min(best, {exact_point_distance(p, surface[t]).distance_sq, t});
  return best;
}

Answers answers(const std::vector<Hit>& hits) {
  Answers all;
  for (const Hit& hit : hits) all.emplace_back(hit.t, hit.triangle);
  return all;
}

/// One mesh with a bit of everything: a closed body, loose and degenerate triangles, the same triangle twice, a flat
/// grid, and slivers.
Mesh mixture(Random& random) {
  Mesh mesh = test::together({scenes::torus(1, 0.3, 20, 8), test::cube()});
  const auto add = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), {a, b, c});
    mesh.triangles.push_back({first, first + 1, first + 2});
  };
  const auto anywhere = [&] { return random.in_box({-2, -2, -2}, {2, 2, 2}); };
  for (int i = 0; i < 40; ++i) {
    const Vec3 a = anywhere(), b = anywhere();
    add(a, b, anywhere());
    add(a, b, b);
    add(a, a, a);
    add(a, b, a + (b - a) * 0.5);
    add(a, b, a + (b - a) * 0.5 + random.direction() * 1e-9);
    add(a, b, anywhere());
    mesh.triangles.push_back({mesh.triangles.back()[2], mesh.triangles.back()[0], mesh.triangles.back()[1]});
  }
  for (int x = 0; x < 6; ++x)
    for (int y = 0; y < 6; ++y) {
      const Vec3 p{x - 3.0, y - 3.0, -1};
      add(p, p + Vec3{1, 0, 0}, p + Vec3{1, 1, 0});
      add(p, p + Vec3{1, 1, 0}, p + Vec3{0, 1, 0});
    }
  return mesh;
}

Vec3 any_point(Random& random, const std::vector<Corners>& surface) {
  const auto corner = [&] { return surface[random.index(surface.size())][random.index(3)]; };
  const Corners& t = surface[random.index(surface.size())];
  switch (random.index(7)) {
    case 0: return corner();
    case 1: return (t[0] + t[1]) * 0.5;
    case 2: return centroid(t) + random.direction() * std::pow(10.0, -random.between(1, 17));
    case 3: return {corner().x, corner().y, corner().z};
    case 4: return corner() + random.direction() * std::pow(10.0, random.between(0, 12));
    default: return corner() + random.in_box({-2, -2, -2}, {2, 2, 2});
  }
}

/// Random ones, and all that a triangle's corners, edges and plane make hard.
LineSegment any_segment(Random& random, const std::vector<Corners>& surface) {
  const Corners& t = surface[random.index(surface.size())];
  LineSegment s{any_point(random, surface), any_point(random, surface)};
  switch (random.index(8)) {
    case 0: s.to = t[random.index(3)]; break;                            // through a corner
    case 1: s.to = (t[0] + t[1]) * 0.5; break;                           // through an edge
    case 2: s = {t[0] * 2 - t[1], t[1]}; break;                          // along an edge
    case 3: s = {t[0] + (t[1] - t[2]) * 2, centroid(t)}; break;          // in a plane
    case 4: s.to = s.from + Vec3{random.between(-1, 1), 0, 0}; break;    // parallel to an axis
    case 5: s = {centroid(t), centroid(t) + random.direction()}; break;  // from on the surface
    case 6: s = {s.from, s.from + random.direction() * 1e-7}; break;     // short
    default: break;
  }
  if (s.from == s.to) s.to.z += 1;
  return s;
}

std::vector<Pose> poses(Random& random) {
  const Vec3 axis = random.direction(), shift = random.in_box({-3, -3, -3}, {3, 3, 3});
  return {{},
          Pose::from_quaternion(random.unit(), axis.x, axis.y, axis.z, shift),
          Pose::from_quaternion(random.unit(), axis.x, axis.y, axis.z, shift * 1e7)};
}

void expect_like_brute_force(const Mesh& mesh, const TreeOptions& options, Random& random, int rounds) {
  const Model model(mesh, options);
  for (const Pose& pose : poses(random)) {
    const std::vector<Corners> surface = surface_of(mesh, pose);
    for (int round = 0; round < rounds; ++round) {
      const LineSegment s = any_segment(random, surface);
      const Answers on_segment = brute_hits(surface, {s.from, s.to - s.from, s.to});
      ASSERT_EQ(answers(all_hits(model, pose, s)), on_segment);
      const std::optional<Hit> first = first_hit(model, pose, s);
      ASSERT_EQ(first.has_value(), !on_segment.empty());
      ASSERT_TRUE(!first || std::pair(first->t, first->triangle) == on_segment[0]);

      const Ray ray{s.from, s.to - s.from};
      const Answers on_ray = brute_hits(surface, {ray.origin, ray.direction, {}});
      ASSERT_EQ(answers(all_hits(model, pose, ray)), on_ray);
      const std::optional<Hit> first_of_ray = first_hit(model, pose, ray);
      ASSERT_EQ(first_of_ray.has_value(), !on_ray.empty());
      ASSERT_TRUE(!first_of_ray || std::pair(first_of_ray->t, first_of_ray->triangle) == on_ray[0]);

      const Vec3 p = any_point(random, surface);
      const auto [distance_sq, triangle] = brute_nearest(surface, p);
      const std::optional<ClosestPoint> closest = closest_point(model, pose, p);
      ASSERT_TRUE(closest);
      ASSERT_EQ(std::pair(closest->distance, closest->triangle), std::pair(std::sqrt(distance_sq), triangle));
      ASSERT_EQ(closest->point, exact_point_distance(p, surface[triangle]).nearest);
    }
  }
}

TEST(Points, LikeBruteForceWithEveryTree) {
  const std::uint64_t seed = 101;
  RecordProperty("seed", seed);
  Random random(seed);
  const Mesh mesh = mixture(random);
  for (const auto& row : testing::pairwise(testing::tree_choice_sizes())) {
    const TreeOptions options = testing::tree_options(row);
    SCOPED_TRACE(testing::describe(options));
    expect_like_brute_force(mesh, options, random, testing::slice(4));
  }
}

TEST(Points, LikeBruteForceOnEveryInstructionSet) {
  Random random(103);
  const Mesh mesh = mixture(random);
  for (const InstructionSet set : available()) {
    SCOPED_TRACE(name(set));
    limit_to(set);
    for (const TreeOptions& options : {TreeOptions{}, TreeOptions{.bound = Bound::dop, .k = 18}})
      expect_like_brute_force(mesh, options, random, 25);
  }
  unlimit();
}

/// Bodies of any size, anywhere: bounds serve badly or not at all.
TEST(Points, LikeBruteForceAtEverySizeAndPlace) {
  Random random(107);
  const Mesh plain = mixture(random);
  for (const double size : {1e-300, 1e-150, 1e-12, 1e12, 1e90})
    for (const double away : {0.0, 1.0, 1e20}) {
      SCOPED_TRACE(std::to_string(size) + " at " + std::to_string(away));
      Mesh mesh = scenes::scaled(plain, size);
      for (Vec3& v : mesh.vertices) v += Vec3{size, -size, size} * (away == 1e20 && size == 1e90 ? 1e8 : away);
      const Model model(mesh);
      const std::vector<Corners> surface = surface_of(mesh, {});
      for (int round = 0; round < 8; ++round) {
        const auto corner = [&] { return surface[random.index(surface.size())][random.index(3)]; };
        LineSegment s{corner() + random.direction() * size, corner()};
        if (s.from == s.to) continue;
        ASSERT_EQ(answers(all_hits(model, {}, s)), brute_hits(surface, {s.from, s.to - s.from, s.to}));
        const Vec3 p = s.from;
        const auto [distance_sq, triangle] = brute_nearest(surface, p);
        const std::optional<ClosestPoint> closest = closest_point(model, {}, p);
        ASSERT_TRUE(closest);
        ASSERT_EQ(std::pair(closest->distance, closest->triangle), std::pair(std::sqrt(distance_sq), triangle));
        const Ray ray{s.from, random.direction() * std::pow(10.0, random.between(-100, 99))};
        const Answers hits = brute_hits(surface, {ray.origin, ray.direction, {}});
        const std::optional<Hit> first = first_hit(model, {}, ray);
        ASSERT_EQ(first.has_value(), !hits.empty());
        ASSERT_TRUE(!first || std::pair(first->t, first->triangle) == hits[0]);
      }
    }
}

/// Products with such slopes are denormal, or nothing at all.
TEST(Points, RaysAllButParallelToAnAxis) {
  Random random(108);
  const Mesh mesh = mixture(random);
  const std::vector<Corners> surface = surface_of(mesh, {});
  for (const TreeOptions& options : {TreeOptions{}, TreeOptions{.bound = Bound::dop, .k = 6}}) {
    const Model model(mesh, options);
    for (int round = 0; round < 200; ++round) {
      const Corners& t = surface[random.index(surface.size())];
      Ray ray{round % 2 == 0 ? t[random.index(3)] : centroid(t), {}};
      const auto along = static_cast<int>(random.index(3));
      for (int axis = 0; axis < 3; ++axis)
        ray.direction[axis] = axis == along ? 1 : random.between(-1, 1) * std::pow(10.0, -random.between(17, 48));
      ray.origin[along] -= 3;
      ASSERT_EQ(answers(all_hits(model, {}, ray)), brute_hits(surface, {ray.origin, ray.direction, {}}));
    }
  }
}

TEST(Points, TheCubeByHand) {
  const Model cube(test::cube());
  const std::optional<ClosestPoint> closest = closest_point(cube, {}, {3, 0.25, 0.5});
  ASSERT_TRUE(closest);
  EXPECT_EQ(closest->distance, 2);
  EXPECT_EQ(closest->point, (Vec3{1, 0.25, 0.5}));
  EXPECT_EQ(closest_point(cube, {}, {3, 0.25, 0.5}, {.upper_bound = 1.99}), std::nullopt);
  EXPECT_TRUE(closest_point(cube, {}, {3, 0.25, 0.5}, {.upper_bound = 2}));
  EXPECT_TRUE(closest_point(cube, {}, {1, 0.25, 0.5}, {.upper_bound = 0}));

  EXPECT_EQ(signed_distance(cube, {}, {3, 0.25, 0.5}).distance, 2);
  EXPECT_EQ(signed_distance(cube, {}, {0.9375, 0.25, 0.5}).distance, -0.0625);
  EXPECT_EQ(signed_distance(cube, {}, {0.9375, 0.25, 0.5}).side, Side::inside);
  EXPECT_EQ(signed_distance(cube, {}, {1, 0.25, 0.5}).distance, 0);
  EXPECT_EQ(signed_distance(cube, {}, {1, 0.25, 0.5}).side, Side::on_surface);
  const double off = std::nextafter(1.0, 2);
  EXPECT_EQ(signed_distance(cube, {}, {off, 0.25, 0.5}).side, Side::outside);
  EXPECT_EQ(signed_distance(cube, {}, {off, 0.25, 0.5}).distance, off - 1);

  const std::optional<Hit> hit = first_hit(cube, {}, Ray{{-2, 0.25, 0.5}, {4, 0, 0}});
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->t, 0.5);
  EXPECT_EQ(hit->point, (Vec3{0, 0.25, 0.5}));
  EXPECT_EQ(first_hit(cube, {}, Ray{{-2, 0.25, 0.5}, {-1, 0, 0}}), std::nullopt);
  EXPECT_EQ(first_hit(cube, {}, LineSegment{{-2, 0.25, 0.5}, {-0.001, 0.25, 0.5}}), std::nullopt);
  EXPECT_EQ(first_hit(cube, {}, LineSegment{{-2, 0.25, 0.5}, {0, 0.25, 0.5}})->point, (Vec3{0, 0.25, 0.5}));
  EXPECT_EQ(all_hits(cube, {}, Ray{{-2, 0.25, 0.5}, {1, 0, 0}}).size(), 2u);
  EXPECT_EQ(all_hits(cube, {}, Ray{{-2, 0.5, 0.5}, {1, 0, 0}}).size(), 4u);  // through both diagonals
  EXPECT_EQ(all_hits(cube, {}, Ray{{-1, -1, -1}, {1, 1, 1}}).size(), 12u);   // two corners of six triangles
}

TEST(Points, SignsAreThoseOfLocate) {
  Random random(109);
  const Mesh mesh = scenes::horse(2000);
  const Model model(mesh);
  const Pose pose = Pose::from_quaternion(1, 0.2, -0.5, 0.3, {1, 2, 3});
  const std::vector<Corners> surface = surface_of(mesh, pose);
  int inside = 0;
  for (int i = 0; i < 200; ++i) {
    const Vec3 p = centroid(surface[random.index(surface.size())]) + random.direction() * 0.02;
    const SignedDistance d = signed_distance(model, pose, p);
    ASSERT_EQ(d.side, locate(model, pose, p));
    ASSERT_EQ(std::abs(d.distance), closest_point(model, pose, p)->distance);
    ASSERT_EQ(d.side == Side::inside, d.distance < 0);
    inside += d.side == Side::inside;
  }
  EXPECT_GT(inside, 20);
}

TEST(Points, BatchesAreTheSameForAnyNumberOfThreads) {
  Random random(113);
  const Mesh mesh = scenes::horse(2000);
  const Model model(mesh);
  const Pose pose = Pose::from_translation({1, 2, 3});
  const std::vector<Corners> surface = surface_of(mesh, pose);
  std::vector<Vec3> points;
  std::vector<Ray> rays;
  std::vector<LineSegment> segments;
  for (int i = 0; i < 300; ++i) {
    segments.push_back(any_segment(random, surface));
    points.push_back(segments.back().from);
    rays.push_back({segments.back().from, segments.back().to - segments.back().from});
  }
  const auto same_hit = [](const Hit& a, const Hit& b) {
    return a.triangle == b.triangle && a.t == b.t && a.point == b.point;
  };
  const auto same_first = [&](const std::optional<Hit>& a, const std::optional<Hit>& b) {
    return a.has_value() == b.has_value() && (!a || same_hit(*a, *b));
  };
  for (const int threads : {0, 1, 2, 5}) {
    const PointBatchOptions options{.threads = threads};
    const auto closest = closest_point_many(model, pose, points, {.upper_bound = 0.5}, options);
    const auto distances = signed_distance_many(model, pose, points, options);
    const auto sides = locate_many(model, pose, points, options);
    const auto first_of_rays = first_hit_many(model, pose, rays, options);
    const auto first_of_segments = first_hit_many(model, pose, segments, options);
    const auto all_of_rays = all_hits_many(model, pose, rays, options);
    const auto all_of_segments = all_hits_many(model, pose, segments, options);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto one = closest_point(model, pose, points[i], {.upper_bound = 0.5});
      ASSERT_EQ(closest[i].has_value(), one.has_value());
      ASSERT_TRUE(!one || (closest[i]->distance == one->distance && closest[i]->triangle == one->triangle));
      ASSERT_EQ(distances[i].distance, signed_distance(model, pose, points[i]).distance);
      ASSERT_EQ(sides[i], locate(model, pose, points[i]));
      ASSERT_TRUE(same_first(first_of_rays[i], first_hit(model, pose, rays[i])));
      ASSERT_TRUE(same_first(first_of_segments[i], first_hit(model, pose, segments[i])));
      ASSERT_TRUE(std::ranges::equal(all_of_rays[i], all_hits(model, pose, rays[i]), same_hit));
      ASSERT_TRUE(std::ranges::equal(all_of_segments[i], all_hits(model, pose, segments[i]), same_hit));
    }
  }
}

template <class Ask>
void expect_error(ErrorCode code, const std::string& words, const Ask& ask) {
  try {
    ask();
    ADD_FAILURE() << "no error: " << words;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(Points, BadInputIsRefused) {
  const Model cube(test::cube());
  Mesh open_mesh = test::cube();
  open_mesh.triangles.pop_back();
  const Model open_cube(open_mesh);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr ErrorCode invalid = ErrorCode::invalid_argument;
  for (const double bad : {nan, infinity, -infinity, 1.1e100}) {
    const Vec3 p{0, bad, 0};
    expect_error(invalid, "the point has a coordinate", [&] { closest_point(cube, {}, p); });
    expect_error(invalid, "the point has a coordinate", [&] { signed_distance(cube, {}, p); });
    expect_error(invalid, "the point has a coordinate", [&] { locate(cube, {}, p); });
    expect_error(invalid, "origin", [&] { first_hit(cube, {}, Ray{p, {1, 0, 0}}); });
    expect_error(invalid, "direction", [&] { all_hits(cube, {}, Ray{{}, p}); });
    expect_error(invalid, "start", [&] { all_hits(cube, {}, LineSegment{p, {}}); });
    expect_error(invalid, "end", [&] { first_hit(cube, {}, LineSegment{{}, p}); });
    const std::vector<Vec3> points{{}, p};
    expect_error(invalid, "number 1 of the batch", [&] { closest_point_many(cube, {}, points); });
  }
  expect_error(invalid, "direction is zero", [&] { first_hit(cube, {}, Ray{{1, 2, 3}, {0, -0.0, 0}}); });
  expect_error(invalid, "direction is zero", [&] { first_hit(cube, {}, Ray{{1, 2, 3}, {0, 1e-101, 0}}); });
  expect_error(invalid, "ends are equal", [&] { all_hits(cube, {}, LineSegment{{1, 2, 3}, {1, 2, 3}}); });
  for (const double bad : {nan, -1.0})
    expect_error(invalid, "upper_bound", [&] { closest_point(cube, {}, {}, {.upper_bound = bad}); });
  expect_error(invalid, "threads", [&] { locate_many(cube, {}, {}, {.threads = -1}); });
  expect_error(ErrorCode::not_closed, "not closed", [&] { signed_distance(open_cube, {}, {}); });
  expect_error(ErrorCode::not_closed, "not closed", [&] { signed_distance_many(open_cube, {}, {}); });
  expect_error(ErrorCode::not_closed, "not closed", [&] { locate_many(open_cube, {}, {}); });
  EXPECT_TRUE(closest_point(open_cube, {}, {}));
}

}  // namespace
}  // namespace tumble
