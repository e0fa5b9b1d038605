// SPDX-License-Identifier: Apache-2.0
// One entry per scene: what it is, and how to make it.
#include "scenes/catalog.h"

#include "scenes/hash.h"
#include "scenes/meshes.h"
#include "scenes/shapes.h"

#include <tumble/error.h>

#include <utility>

namespace tumble::scenes {
namespace {

constexpr std::uint64_t flight_seed = 1000;  // added to the seed, so that meshes and flights draw different numbers

/// An even number near `part` of the whole.
std::size_t even_share(std::size_t whole, std::size_t part, std::size_t of) { return whole * part / of / 2 * 2; }

// Steps and turns were chosen so that the number of contacts over the published number of steps comes near the
// published one; docs/results/table2.md has both. stand_ins.cpp says what else was chosen.
using Maker = void (*)(Scene& scene, const SceneOptions& options);  // fills in meshes and motion

struct Entry {
  SceneInfo info;
  Maker make;
};

/// The generated mesh, or its replacement.
Mesh in_place_of(Mesh generated, const std::shared_ptr<const Replacement>& other) {
  if (other) return fitted_into(other->mesh, bounding_box(generated));
  return generated;
}

/// A copy 15 times smaller flies through.
void make_flight_through(Scene& scene, const SceneOptions& o, Mesh generated) {
  scene.env = in_place_of(std::move(generated), o.env);
  scene.object = in_place_of(scaled(scene.env, 1.0 / 15), o.object);
  scene.rules = Billiard{{{-0.9, -0.9, -0.9}, {0.9, 0.9, 0.9}}, 0.006, 0.002, scene.info.steps, o.seed + flight_seed};
}

void make_pipes(Scene& scene, const SceneOptions& o) {
  make_flight_through(scene, o, pipes(scene.info.env_triangles, o.seed));
}

void make_fine_pipes(Scene& scene, const SceneOptions& o) {
  make_flight_through(scene, o, fine_pipes(scene.info.env_triangles, o.seed));
}

void make_torus(Scene& scene, const SceneOptions& o) {
  scene.env = in_place_of(landscape(scene.info.env_triangles, o.seed), o.env);
  scene.object = in_place_of(wrinkled_torus(even_share(scene.info.env_triangles, 20'000, 98'114), o.seed), o.object);
  scene.rules = Billiard{{{-4.8, -4.8, 0.5}, {4.8, 4.8, 3.5}}, 0.06, 0.004, scene.info.steps, o.seed + flight_seed};
}

void make_airplane(Scene& scene, const SceneOptions& o) {
  scene.env = in_place_of(tetrahedron_field(scene.info.env_triangles / 4, 20, o.seed), o.env);
  scene.object = in_place_of(airplane(), o.object);
  scene.rules = Billiard{{{-9.5, -9.5, -9.5}, {9.5, 9.5, 9.5}}, 0.02, 0.002, scene.info.steps, o.seed + flight_seed};
}

void make_swept(Scene& scene, const SceneOptions& o) {
  scene.object = in_place_of(axis_object(), o.object);
  scene.path = swept_path(scene.info.steps, o.seed + flight_seed);
  scene.env = in_place_of(swept_obstacles(scene.path, scene.info.env_triangles / 4, o.seed), o.env);
}

void make_interior(Scene& scene, const SceneOptions& o) {
  scene.env = in_place_of(cabin(o.seed), o.env);
  scene.object = in_place_of(hand(), o.object);
  scene.path = hand_path(scene.env, scene.info.steps, o.seed + flight_seed);
}

void check_alpha(double alpha) {
  if (!(alpha > 0 && alpha < 1)) throw Error(ErrorCode::invalid_argument, "alpha must be between 0 and 1");
}

void make_nested(Scene& scene, const SceneOptions& o) {
  check_alpha(o.alpha);
  scene.env = in_place_of(sphere(scene.info.env_triangles, o.tessellation, o.seed), o.env);
  scene.object = in_place_of(scaled(scene.env, 1 - o.alpha), o.object);
  scene.path.assign(scene.info.steps, Pose{});
}

/// An object beside a copy of it.
void put_twice(Scene& scene, const SceneOptions& o, Mesh generated) {
  scene.env = in_place_of(std::move(generated), o.env);
  scene.object = in_place_of(scene.env, o.object);
}

void make_zachmann_torus(Scene& scene, const SceneOptions& o) {
  put_twice(scene, o, zachmann_torus(scene.info.env_triangles));
  scene.path = full_turn(o.distance, scene.info.steps);
}

void make_zachmann_sphere(Scene& scene, const SceneOptions& o) {
  put_twice(scene, o, zachmann_sphere(scene.info.env_triangles));
  scene.path = full_turn(o.distance, scene.info.steps);
}

void make_zachmann_cylinder(Scene& scene, const SceneOptions& o) {
  put_twice(scene, o, zachmann_cylinder(scene.info.env_triangles));
  scene.path = full_turn(o.distance, scene.info.steps);
}

void make_animals(Scene& scene, const SceneOptions& o) {
  scene.env = in_place_of(fitted_to_cube(dinosaur(scene.info.env_triangles), 2), o.env);
  scene.object = in_place_of(fitted_to_cube(horse(scene.info.env_triangles), 2), o.object);
  scene.path = full_turn(o.distance, scene.info.steps);
}

void make_parallel_close(Scene& scene, const SceneOptions& o) {
  check_alpha(o.alpha);
  scene.env = in_place_of(sphere(scene.info.env_triangles), o.env);
  // A quarter of alpha per coordinate leaves more than half of the gap.
  scene.object = in_place_of(perturbed(scaled(scene.env, 1 - o.alpha), o.alpha / 4, o.seed), o.object);
  scene.path = full_turn(0, scene.info.steps);
}

void make_point_close(Scene& scene, const SceneOptions& o) {
  put_twice(scene, o, sphere(scene.info.env_triangles));
  scene.path = approach(2.05, 1.85, scene.info.steps);
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{
      {{"pipes", "pipelines, flown through by a copy 15 times smaller", "Klosowski 1998", 143'690, 143'690, 2'000,
        2'657, true},
       make_pipes},
      {{"torus", "a wrinkled, twisted torus over a dimpled landscape with stalagmites", "Klosowski 1998", 98'114,
        20'000, 2'000, 1'472, true},
       make_torus},
      {{"airplane", "a jumbo jet among 25,000 disjoint tetrahedra", "Klosowski 1998", 100'000, 14'646, 10'000, 7'906,
        true},
       make_airplane},
      {{"swept", "an axis-shaped object in its swept volume, 10,000 tetrahedra close around it", "Klosowski 1998",
        40'000, 36, 1'000, 0, true},
       make_swept},
      {{"interior", "a hand reaching about in a cluttered cabin", "Klosowski 1998", 169'944, 404, 2'528, 84'931, false},
       make_interior},
      {{"nested", "concentric spheres of radius 1 and 1 - alpha", "Klosowski 1998", 2'000, 2'000, 1, 0, true, true,
        false, true},
       make_nested},
      {{"zachmann_torus", "two tori at a distance, one turning about z", "Zachmann 1998", 53'824, 53'824, 2'000, 0,
        true, false, true},
       make_zachmann_torus},
      {{"zachmann_sphere", "two spheres at a distance, one turning about z", "Zachmann 1998", 22'952, 22'952, 2'000, 0,
        true, false, true},
       make_zachmann_sphere},
      {{"zachmann_cylinder", "two cylinders at a distance, one turning about z", "Zachmann 1998", 20'000, 20'000, 2'000,
        0, true, false, true},
       make_zachmann_cylinder},
      {{"animals", "a horse turning about z beside a dinosaur", "Fuenzig 2003", 20'000, 20'000, 2'000, 0, true, false,
        true},
       make_animals},
      {{"parallel_close", "a sphere around a slightly smaller, perturbed one that turns", "Fuenzig 2003", 5'140, 5'140,
        2'000, 0, true, true},
       make_parallel_close},
      {{"point_close", "two spheres approaching until they cross", "Fuenzig 2003", 5'140, 5'140, 2'000, 0, true},
       make_point_close},
      {{"fine_pipes", "few pipelines, the same at every size and ever finer, flown through by a copy 15 times smaller",
        "ours", 143'690, 143'690, 2'000, 0, true},
       make_fine_pipes},
  };
  return all;
}

}  // namespace

std::shared_ptr<const Replacement> replacement(std::string name, Mesh mesh) {
  check(mesh);
  if (const Box box = bounding_box(mesh); mesh.triangles.empty() || box.lower == box.upper)
    throw Error(ErrorCode::invalid_mesh, "has no extent: it cannot be scaled to take the place of another mesh",
                {.file = std::move(name)});
  const std::uint64_t bits = hash(mesh);
  return std::make_shared<const Replacement>(Replacement{std::move(name), std::move(mesh), bits});
}

std::vector<SceneInfo> list() {
  std::vector<SceneInfo> infos;
  for (const Entry& entry : entries()) infos.push_back(entry.info);
  return infos;
}

Scene make(std::string_view name, const SceneOptions& options) {
  for (const Entry& entry : entries()) {
    if (entry.info.name != name) continue;
    Scene scene;
    scene.info = entry.info;
    if (options.triangles != 0) {
      if (!entry.info.scalable)
        throw Error(ErrorCode::invalid_argument, "the scene '" + entry.info.name + "' has one size only: " +
                                                     std::to_string(entry.info.env_triangles) + " triangles");
      scene.info.env_triangles = options.triangles;
    }
    if (options.steps != 0) scene.info.steps = options.steps;
    entry.make(scene, options);
    scene.info.env_triangles = scene.env.triangles.size();
    scene.info.object_triangles = scene.object.triangles.size();
    if (options.env || options.object) {
      scene.info.contacts = 0;  // no published count holds for a replacement
      for (const auto& [role, other] : {std::pair{"environment", &options.env}, {"object", &options.object}})
        if (*other) scene.info.title += std::string("; ") + role + " replaced by " + (*other)->name;
    }
    return scene;
  }
  std::string known;
  for (const Entry& entry : entries()) known += (known.empty() ? "" : ", ") + entry.info.name;
  throw Error(ErrorCode::invalid_argument, "no scene is named '" + std::string(name) + "'; there are " + known);
}

Flight fly(const Scene& scene, const Collides& collides) {
  return scene.rules ? billiard(*scene.rules, collides) : scene.path;
}

}  // namespace tumble::scenes
