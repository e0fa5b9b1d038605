// SPDX-License-Identifier: Apache-2.0
// Hits of rays and segments, and closest points, against CGAL's exact kernel on real meshes, posed:
// oracle_rays --rays N --seed S. Rays of every awkward kind. Exit status 1 on any difference.
#include "oracle/cgal_rays.h"
#include "real_meshes.h"
#include "scenes/random.h"

#include <tumble/io.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

using namespace tumble;

namespace {

constexpr std::array further_files{
    "cad-trimesh/ADIS16480.STL",   "cad-trimesh/plate_holes.STL",   "cad-trimesh/torus.STL",
    "cad-trimesh/large_block.STL", "cad-trimesh/tube.obj",          "classic-cgal/bull.off",
    "classic-cgal/elephant.off",   "classic-cgal/hand.off",         "classic-cgal/rotor_small.off",
    "classic-cgal/turbine.off",    "classic-cgal/anchor_dense.off", "spot/spot.obj"};

class Asked {
 public:
  Asked(const Mesh& world, scenes::Random& random) : world_(world), random_(random), box_(bounding_box(world)) {}

  Vec3 point() {
    const std::array<Vec3, 3> t = triangle();
    switch (random_.index(5)) {
      case 0: return corner();
      case 1: return (t[0] + t[1]) * 0.5;
      case 2: return {corner().x, corner().y, corner().z};
      case 3: {
        const double u = random_.unit(), v = random_.unit() * (1 - u);
        const double step = length(box_.upper - box_.lower) * std::pow(10.0, -random_.between(0, 17));
        return t[0] + (t[1] - t[0]) * u + (t[2] - t[0]) * v + random_.direction() * step;
      }
      default: return random_.in_box(box_.lower, box_.upper);
    }
  }

  LineSegment segment() {
    const std::array<Vec3, 3> t = triangle();
    LineSegment s{point(), point()};
    switch (random_.index(7)) {
      case 0: s.to = corner(); break;
      case 1: s = {t[0] * 2 - t[1], t[1]}; break;      // along an edge, but for rounding
      case 2: s = {t[0], t[1]}; break;                 // an edge
      case 3: s = {t[0], (t[1] + t[2]) * 0.5}; break;  // in a plane
      case 4: s.to = s.from + axis(); break;
      case 5: s = {corner(), corner()}; break;
      default: break;
    }
    if (s.from == s.to) s.to = s.from + axis();
    return s;
  }

 private:
  Vec3 corner() { return triangle()[random_.index(3)]; }
  std::array<Vec3, 3> triangle() {
    const Triangle& t = world_.triangles[random_.index(world_.triangles.size())];
    return {world_.vertices[t[0]], world_.vertices[t[1]], world_.vertices[t[2]]};
  }
  Vec3 axis() {
    Vec3 along{};
    along[static_cast<int>(random_.index(3))] = random_.between(-1, 1);
    return along;
  }

  const Mesh& world_;
  scenes::Random& random_;
  Box box_;
};

/// Those CGAL answers for.
std::vector<std::uint32_t> triangles(const std::vector<Hit>& hits, const testing::CgalSurface& surface) {
  std::vector<std::uint32_t> all;
  for (const Hit& hit : hits)
    if (surface.has(hit.triangle)) all.push_back(hit.triangle);
  std::ranges::sort(all);
  return all;
}

bool is_near(double value, double exact, double slack) { return std::abs(value - exact) <= slack; }

}  // namespace

int main(int count, char** words) {
  std::size_t rays = 50;
  std::uint64_t seed = 1;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--rays" && i + 1 < count)
      rays = std::strtoull(words[++i], nullptr, 10);
    else if (word == "--seed" && i + 1 < count)
      seed = std::strtoull(words[++i], nullptr, 10);
  }
  std::vector<std::filesystem::path> files{testing::part_file(), testing::nut_file()};
  if (const auto folder = testing::further_meshes())
    for (const char* file : further_files) files.push_back(*folder / file);
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  scenes::Random random(seed);
  std::size_t differences = 0, hits = 0, parallel = 0, number = 0;
  for (const std::filesystem::path& file : files) {
    Mesh world = load_mesh(file);
    const Model boxes(world), dops(world, {.bound = Bound::dop});
    const Pose pose = number++ % 2 == 0 ? Pose{} : Pose::from_quaternion(1, 0.2, -0.5, 0.3, {1, 2, 3});
    for (Vec3& v : world.vertices) v = pose * v;
    const testing::CgalSurface surface(world);
    Asked asked(world, random);
    const auto differs = [&](const char* what, std::size_t ray) {
      std::printf("%s, number %zu: %s\n", file.c_str(), ray, what);
      ++differences;
    };
    for (std::size_t i = 0; i < rays; ++i) {
      const LineSegment segment = asked.segment();
      const Ray ray{segment.from, segment.to - segment.from};
      const Vec3 point = asked.point();
      const std::vector<std::uint32_t> of_segment = surface.hits(segment), of_ray = surface.hits(ray);
      const double distance = surface.distance(point);
      hits += of_ray.size();
      for (const Model& model : {boxes, dops}) {
        if (triangles(all_hits(model, pose, segment), surface) != of_segment) differs("other hits of a segment", i);
        const std::vector<Hit> all = all_hits(model, pose, ray);
        if (triangles(all, surface) != of_ray) differs("other hits of a ray", i);
        for (const Hit& hit : all) {
          const double exact = surface.has(hit.triangle) ? surface.t(ray, hit.triangle) : std::nan("");
          parallel += std::isnan(exact);
          if (!std::isnan(exact) && !is_near(hit.t, exact, 1e-12 * exact)) differs("another t", i);
        }
        const std::optional<Hit> first = first_hit(model, pose, ray);
        if (first.has_value() == all.empty() || (first && (first->t != all[0].t || first->triangle != all[0].triangle)))
          differs("first_hit is not the first of all_hits", i);
        const double got = closest_point(model, pose, point)->distance;
        if ((got == 0) != (distance == 0) || !is_near(got, distance, 1e-12 * distance + 1e-14 * (got + 1e3)))
          differs("another distance", i);
      }
    }
  }
  std::printf(
      "%zu meshes, %zu rays, segments and points on each; rays hit %zu triangles, %zu in their planes; %zu "
      "differences\n",
      files.size(), rays, hits, parallel / 2, differences);
  return differences > 0 || hits < rays ? 1 : 0;
}
