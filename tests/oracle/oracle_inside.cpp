// SPDX-License-Identifier: Apache-2.0
// locate() against CGAL on real closed meshes, posed: oracle_inside --points N --seed S. Points in the box, close to
// the surface, on it, and on rays through vertices. Exit status 1 on any difference.
#include "oracle/cgal_inside.h"
#include "real_meshes.h"
#include "scenes/random.h"

#include <tumble/error.h>
#include <tumble/io.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

using namespace tumble;

namespace {

constexpr std::array further_files{"cad-trimesh/1002_tray_bottom.STL",
                                   "cad-trimesh/ADIS16480.STL",
                                   "cad-trimesh/plate_holes.STL",
                                   "cad-trimesh/origin_inside.STL",
                                   "cad-trimesh/torus.STL",
                                   "cad-trimesh/round.stl",
                                   "cad-trimesh/ballA.off",
                                   "cad-trimesh/quadknot.obj",
                                   "cad-trimesh/tube.obj",
                                   "cad-trimesh/large_block.STL",
                                   "classic-cgal/blobby.off",
                                   "classic-cgal/bull.off",
                                   "classic-cgal/couplingdown.off",
                                   "classic-cgal/elephant.off",
                                   "classic-cgal/elk.off",
                                   "classic-cgal/hand.off",
                                   "classic-cgal/knot1.off",
                                   "classic-cgal/knot2.off",
                                   "classic-cgal/rotor_small.off",
                                   "classic-cgal/turbine.off",
                                   "classic-cgal/triceratops.off",
                                   "classic-cgal/anchor_dense.off",
                                   "classic-cgal/diplodocus.off",
                                   "spot/spot.obj"};

Vec3 any_point(scenes::Random& random, const Mesh& world, const Box& box) {
  const auto corner = [&] { return world.vertices[random.index(world.vertices.size())]; };
  const Triangle& t = world.triangles[random.index(world.triangles.size())];
  const Vec3 &a = world.vertices[t[0]], &b = world.vertices[t[1]], &c = world.vertices[t[2]];
  switch (random.index(5)) {
    case 0: return corner();
    case 1: return {corner().x, corner().y, corner().z};
    case 2: return (a + b) * 0.5;  // on an edge, but for rounding
    case 3: {
      const double u = random.unit(), v = random.unit() * (1 - u);
      const Vec3 p = a + (b - a) * u + (c - a) * v;
      const double step = length(box.upper - box.lower) * std::pow(10.0, -random.between(1, 17));
      return p + random.direction() * step;
    }
    default: return random.in_box(box.lower, box.upper);
  }
}

}  // namespace

int main(int count, char** words) {
  std::size_t points = 100;
  std::uint64_t seed = 1;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--points" && i + 1 < count)
      points = std::strtoull(words[++i], nullptr, 10);
    else if (word == "--seed" && i + 1 < count)
      seed = std::strtoull(words[++i], nullptr, 10);
    else
      return std::fprintf(stderr, "usage: %s [--points N] [--seed S]\n", words[0]), 2;
  }
  if (points == 0) points = 1;
  std::vector<std::filesystem::path> files{testing::part_file(), testing::nut_file()};
  if (const auto folder = testing::further_meshes())
    for (const char* file : further_files) files.push_back(*folder / file);
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  scenes::Random random(seed);
  std::size_t meshes = 0, differences = 0;
  std::array<std::size_t, 3> sides{};
  for (const std::filesystem::path& path : files) {
    const std::string name_of_file = path.filename().string();
    const char* const file = name_of_file.c_str();
    Mesh world = load_mesh(path);
    const Model model(world);
    const Pose pose = meshes % 2 == 0 ? Pose{} : Pose::from_quaternion(1, 0.2, -0.5, 0.3, {1, 2, 3});
    for (Vec3& v : world.vertices) v = pose * v;
    const auto solid = testing::CgalSolid::of(world);
    if (!solid) {
      std::printf("%s: not for CGAL\n", file);
      continue;
    }
    ++meshes;
    const Box box = bounding_box(world);
    std::vector<Vec3> asked(points);
    for (Vec3& p : asked) p = any_point(random, world, box);
    const auto answers_of = [&](const char* who, const auto& ask) {
      ask(asked[0]);  // what is made once for each mesh
      std::vector<Side> answers;
      const std::clock_t start = std::clock();
      for (const Vec3& p : asked) answers.push_back(ask(p));
      const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      std::printf(", %s %.2f", who, 1e6 * seconds / static_cast<double>(points));
      return answers;
    };
    std::printf("%s: %zu triangles; µs a point", file, world.triangles.size());
    const std::vector<Side> ours = answers_of("tumble", [&](const Vec3& p) { return locate(model, pose, p); });
    const std::vector<Side> theirs = answers_of("CGAL", [&](const Vec3& p) { return solid->at(p); });
    std::printf("\n");
    for (std::size_t i = 0; i < points; ++i) {
      ++sides[static_cast<std::size_t>(theirs[i])];
      if (ours[i] == theirs[i]) continue;
      const Vec3& p = asked[i];
      std::printf("%s: (%.17g, %.17g, %.17g) is %s, CGAL says %s\n", file, p.x, p.y, p.z, name(ours[i]),
                  name(theirs[i]));
      ++differences;
    }
  }
  std::printf("%zu meshes; %zu points outside, %zu on the surface, %zu inside; %zu differences\n", meshes, sides[0],
              sides[1], sides[2], differences);
  return differences > 0 || meshes < (files.size() > 2 ? 10 : 2) ? 1 : 0;
}
