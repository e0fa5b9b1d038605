// SPDX-License-Identifier: Apache-2.0
// Overlap of solids against a sweep in rational numbers: oracle_overlap --pairs N --seed S. Small solids on a small
// grid, so that corners, edges and faces often touch, coincide and cross; at rest, and at poses that round their
// coordinates. Each pair is asked both ways, plainly and in steps. Exit status 1 on any difference.
#include "oracle/exact_overlap.h"
#include "scenes/random.h"

#include <tumble/query.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

using namespace tumble;

namespace {

constexpr int grid = 4;

Vec3 grid_point(scenes::Random& random) {
  const auto number = [&] { return static_cast<double>(random.index(grid + 1)); };
  const double x = number(), y = number(), z = number();
  return {x, y, z};
}

void add_face(Mesh& mesh, const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), {a, b, c});
  mesh.triangles.push_back({first, first + 1, first + 2});
}

/// Four corners in a ring, cut along one diagonal or the other.
void add_quad(scenes::Random& random, Mesh& mesh, const std::array<Vec3, 4>& p) {
  const std::size_t i = random.index(2);
  add_face(mesh, p[i], p[i + 1], p[(i + 2) % 4]);
  add_face(mesh, p[i], p[(i + 2) % 4], p[(i + 3) % 4]);
}

/// A polygon, and the same one moved, with walls between.
void add_prism(scenes::Random& random, Mesh& mesh, const std::vector<Vec3>& base, const Vec3& way) {
  const std::size_t n = base.size();
  for (std::size_t i = 1; i + 1 < n; ++i) {
    add_face(mesh, base[0], base[i + 1], base[i]);
    add_face(mesh, base[0] + way, base[i] + way, base[i + 1] + way);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 &p = base[i], &q = base[(i + 1) % n];
    add_quad(random, mesh, {p, q, q + way, p + way});
  }
}

void add_box(scenes::Random& random, Mesh& mesh, const Vec3& low, const Vec3& high) {
  add_prism(random, mesh, {low, {high.x, low.y, low.z}, {high.x, high.y, low.z}, {low.x, high.y, low.z}},
            {0, 0, high.z - low.z});
}

void add_any_box(scenes::Random& random, Mesh& mesh) {
  Vec3 low, high;
  for (int axis = 0; axis < 3; ++axis) {
    low[axis] = static_cast<double>(random.index(grid));
    high[axis] = low[axis] + 1 + static_cast<double>(random.index(static_cast<std::size_t>(grid - low[axis])));
  }
  add_box(random, mesh, low, high);
}

void add_octahedron(scenes::Random& random, Mesh& mesh) {
  const double radius = 1 + static_cast<double>(random.index(2));
  const Vec3 centre = grid_point(random);
  const auto corner = [&](int axis, int way) {
    Vec3 p = centre;
    p[axis] += radius * way;
    return p;
  };
  for (const int x : {-1, 1})
    for (const int y : {-1, 1})
      for (const int z : {-1, 1}) {
        const Vec3 p = corner(0, x), q = corner(1, y), r = corner(2, z);
        x* y* z > 0 ? add_face(mesh, p, q, r) : add_face(mesh, p, r, q);
      }
}

void add_tetrahedron(scenes::Random& random, Mesh& mesh) {
  std::array<Vec3, 4> p;
  do
    for (Vec3& corner : p) corner = grid_point(random);
  while (dot(cross(p[1] - p[0], p[2] - p[0]), p[3] - p[0]) == 0);
  add_face(mesh, p[0], p[2], p[1]);
  add_face(mesh, p[0], p[1], p[3]);
  add_face(mesh, p[1], p[2], p[3]);
  add_face(mesh, p[2], p[0], p[3]);
}

std::array<Vec3, 3> any_triangle(scenes::Random& random) {
  for (;;) {
    const Vec3 a = grid_point(random), b = grid_point(random), c = grid_point(random);
    if (length_sq(cross(b - a, c - a)) > 0) return {a, b, c};
  }
}

void add_triangular_prism(scenes::Random& random, Mesh& mesh) {
  for (;;) {
    const auto [a, b, c] = any_triangle(random);
    Vec3 way;
    way[static_cast<int>(random.index(3))] = random.index(2) == 0 ? 1 : -2;
    if (dot(cross(b - a, c - a), way) == 0) continue;
    add_prism(random, mesh, {a, b, c}, way);
    return;
  }
}

/// Two opposite faces in one place; or from a corner of what is there to somewhere far outside.
void add_sheet(scenes::Random& random, Mesh& mesh) {
  auto [a, b, c] = any_triangle(random);
  if (!mesh.vertices.empty() && random.index(2) == 0) {
    a = mesh.vertices[random.index(mesh.vertices.size())];
    b = a + Vec3{7, 0, 1};
    c = a + Vec3{7, 1, 0};
  }
  add_face(mesh, a, b, c);
  add_face(mesh, a, c, b);
}

void turn_inside_out(Mesh& mesh, std::size_t from) {
  for (std::size_t t = from; t < mesh.triangles.size(); ++t) std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
}

/// Four boxes that cancel each other but for a bar along one edge: large faces, most of which bound nothing.
void add_left_over(scenes::Random& random, Mesh& mesh) {
  const int along = static_cast<int>(random.index(3));
  const double from = static_cast<double>(random.index(grid)), to = from + 1;
  for (int i = 0; i < 4; ++i) {
    Vec3 low, high;
    low[along] = from;
    high[along] = to;
    high[(along + 1) % 3] = i % 2 == 0 ? grid : grid - 1;
    high[(along + 2) % 3] = i / 2 == 0 ? grid : grid - 1;
    const std::size_t first = mesh.triangles.size();
    add_box(random, mesh, low, high);
    if (i == 1 || i == 2) turn_inside_out(mesh, first);
  }
}

/// One to three parts, some wound the other way, some of them cavities.
Mesh any_solid(scenes::Random& random) {
  Mesh mesh;
  const std::size_t kind = random.index(6);
  if (kind == 0) {  // hollow
    add_box(random, mesh, {-1, -1, -1}, {grid + 1, grid + 1, grid + 1});
    const std::size_t from = mesh.triangles.size();
    random.index(3) == 0 ? add_tetrahedron(random, mesh) : add_any_box(random, mesh);
    turn_inside_out(mesh, from);
  }
  if (kind == 1 && random.index(3) == 0) add_left_over(random, mesh);
  const std::size_t parts = kind == 0 ? random.index(2) : kind < 4 ? mesh.triangles.empty() : 1 + random.index(3);
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t from = mesh.triangles.size();
    switch (random.index(6)) {
      case 0:
      case 1: add_any_box(random, mesh); break;
      case 2: add_octahedron(random, mesh); break;
      case 3: add_tetrahedron(random, mesh); break;
      case 4: add_triangular_prism(random, mesh); break;
      default: add_sheet(random, mesh); break;
    }
    if (random.index(4) == 0) turn_inside_out(mesh, from);
  }
  if (random.index(8) == 0) {  // two faces that are a segment, and its way back
    const Vec3 a = grid_point(random), b = grid_point(random), middle = a + (b - a) * 0.5;
    add_face(mesh, a, b, middle);
    add_face(mesh, a, middle, b);
  }
  return mesh;
}

Pose any_pose(scenes::Random& random) {
  switch (random.index(4)) {
    case 0: return {};
    case 1: {  // exact: a quarter turn
      const double shift = static_cast<double>(random.index(3)) - 1;
      return Pose::from_rows(std::array<double, 12>{0, -1, 0, grid, 1, 0, 0, shift, 0, 0, 1, 0});
    }
    default: {
      const double w = random.between(-1, 1), x = random.between(-1, 1), y = random.between(-1, 1);
      const Vec3 place = random.in_box({-1, -1, -1}, {1, 1, 1});
      return Pose::from_quaternion(w, x, y, random.between(0.1, 1), place);
    }
  }
}

/// In the world.
testing::Surface surface_of(const Mesh& mesh, const Pose& pose) {
  testing::Surface surface;
  for (const Triangle& t : mesh.triangles)
    surface.push_back({pose * mesh.vertices[t[0]], pose * mesh.vertices[t[1]], pose * mesh.vertices[t[2]]});
  return surface;
}

TreeOptions any_tree(scenes::Random& random) {
  TreeOptions options;
  options.bound = random.index(2) == 0 ? Bound::obb : Bound::dop;
  if (options.bound == Bound::dop) options.k = random.index(2) == 0 ? 6 : 18;
  options.leaf_size = 1 + static_cast<int>(random.index(4));
  return options;
}

}  // namespace

int main(int count, char** words) {
  std::size_t pairs = 100;
  std::uint64_t seed = 1;
  for (int i = 1; i + 1 < count; i += 2) {
    if (words[i] == std::string("--pairs")) pairs = std::strtoull(words[i + 1], nullptr, 10);
    if (words[i] == std::string("--seed")) seed = std::strtoull(words[i + 1], nullptr, 10);
  }
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  constexpr CollideRequest overlap{.ignore_touch = true, .solid = true};
  std::size_t overlaps = 0, contacts = 0, differences = 0;
  double seconds = 0, referee_seconds = 0;
  for (std::size_t n = 0; n < pairs; ++n) {
    scenes::Random random(seed + n * 0x9e3779b97f4a7c15u);
    const Mesh mesh_a = any_solid(random), mesh_b = any_solid(random);
    const Pose pose_a = any_pose(random), pose_b = random.index(3) == 0 ? any_pose(random) : pose_a;
    std::clock_t start = std::clock();
    const bool expected = testing::have_common_volume(surface_of(mesh_a, pose_a), surface_of(mesh_b, pose_b));
    referee_seconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    const Model a(mesh_a, any_tree(random)), b(mesh_b, any_tree(random));
    Pair pair(a, b), swapped(b, a);
    start = std::clock();
    const bool answer = pair.collide(pose_a, pose_b, overlap);
    seconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    bool is_right = answer == expected && pair.collide(pose_a, pose_b, overlap) == expected &&
                    swapped.collide(pose_b, pose_a, overlap) == expected;
    Query query = swapped.start(pose_b, pose_a, overlap);
    for (bool finished = false; !finished;) {
      const Certainty so_far = query.run({.node_pairs = 1 + random.index(5)});
      finished = so_far.finished;
      const Verdict verdict = expected ? Verdict::colliding : Verdict::free;
      is_right &= so_far.verdict == verdict || (!finished && so_far.verdict == Verdict::unknown);
      is_right &= !expected || so_far.lower == 0;
    }
    overlaps += expected;
    contacts += pair.collide(pose_a, pose_b);
    if (is_right) continue;
    ++differences;
    std::printf("pair %zu: %s, the referee says %s\n", n, answer ? "overlap" : "none", expected ? "overlap" : "none");
  }
  std::printf("%zu pairs, %zu with contact; %zu overlap; %zu differences; %.1f ms each, the referee %.1f ms\n", pairs,
              contacts, overlaps, differences, 1e3 * seconds / static_cast<double>(pairs),
              1e3 * referee_seconds / static_cast<double>(pairs));
  return differences > 0 ? 1 : 0;
}
