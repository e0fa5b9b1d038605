// SPDX-License-Identifier: Apache-2.0
// Reading and placing them. The only file of the lab that is compiled for one checkout alone: it knows where that is.
#include "lab/real_parts.h"

#include "scenes/random.h"
#include "scenes/shapes.h"

#include <tumble/io.h>
#include <tumble/query.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>

namespace tumble::lab {
namespace {

constexpr const char* files[] = {"assembly-dynamixel2r/assets/first_segment_mix.stl",
                                 "assembly-dynamixel2r/assets/sw_mx64_segment.stl"};
constexpr const char* heaped[] = {
    "cad-trimesh/ADIS16480.STL",   "classic-cgal/couplingdown.off", "nasa/International Space Station Tools/wrench.stl",
    "cad-trimesh/featuretype.STL", "classic-cgal/bull.off",         "spot/spot.obj"};
constexpr const char* rig = "assembly-dynamixel2r/poses_dynamixel_2r.json";

}  // namespace

std::optional<std::filesystem::path> real_data(const std::filesystem::path& part) {
  const std::filesystem::path folder = std::filesystem::path(TUMBLE_SOURCE_DIR) / "../shared/data";
  return std::filesystem::exists(folder / part) ? std::optional(folder) : std::nullopt;
}

std::optional<RealParts> real_parts() {
  for (const char* file : files)
    if (!real_data(file)) return std::nullopt;
  const std::filesystem::path folder = *real_data(files[0]);
  return RealParts{files[0], files[1], scenes::fitted_to_cube(load_mesh(folder / files[0]), 1),
                   scenes::fitted_to_cube(load_mesh(folder / files[1]), 1)};
}

scenes::Placing pushed_together(const RealParts& parts, double gap) {
  const Model env(parts.env, {.threads = 1}), object(parts.object, {.threads = 1});
  const Vec3 direction = scenes::normalized({0.3, 0.5, 0.81});
  const auto at = [&](double way) { return Pose::from_quaternion(1, 0.1, 0.2, 0.15, direction * way); };
  double touching = 0, free = 3;  // at 3 they cannot touch; both lie about the origin
  for (int i = 0; i < 100; ++i) {
    const double middle = (touching + free) / 2;
    if (middle == touching || middle == free) break;
    (collide(env, {}, object, at(middle)) ? touching : free) = middle;
  }
  return {parts.env, parts.object, at(free + gap), at(free + gap + 1e-3)};
}

std::vector<std::string> real_heap_files() { return {std::begin(heaped), std::end(heaped)}; }

std::optional<scenes::MovingBodies> real_heap(std::size_t bodies, std::size_t steps) {
  std::vector<Mesh> kinds;
  for (const char* file : heaped) {
    const std::optional<std::filesystem::path> folder = real_data(file);
    if (!folder) return std::nullopt;
    kinds.push_back(scenes::fitted_to_cube(load_mesh(*folder / file), 1));
  }
  return scenes::falling_heap(std::move(kinds), bodies, steps);
}

Pose pose_of(const Json& matrix) {
  std::array<double, 12> rows;
  for (std::size_t i = 0; i < 12; ++i) rows[i] = matrix[i / 4][i % 4].get<double>();
  return Pose::from_rows(rows);
}

std::optional<scenes::MovingBodies> real_assembly(std::size_t steps) {
  const std::optional<std::filesystem::path> folder = real_data(rig);
  if (!folder) return std::nullopt;
  std::ifstream file(*folder / rig);
  const Json stored = Json::parse(file);
  scenes::MovingBodies assembly;
  std::map<std::string, std::uint32_t> meshes;
  std::vector<Pose> closed;
  std::vector<Vec3> middles;
  Vec3 middle{};
  scenes::Random random(1);
  for (const Json& instance : stored["instances"]) {
    const std::string mesh = instance["mesh"];
    const auto [at, is_new] = meshes.try_emplace(mesh, static_cast<std::uint32_t>(assembly.meshes.size()));
    if (is_new) assembly.meshes.push_back(load_mesh((*folder / rig).parent_path() / mesh));
    assembly.mesh_of.push_back(at->second);
    const Vec3 off = random.direction() * 2e-5, turn = random.direction() * 1e-4;  // metres, half of an angle
    closed.push_back(pose_of(instance["T_world"]) * Pose::from_quaternion(1, turn.x, turn.y, turn.z, off));
    const Box box = bounding_box(assembly.meshes[at->second]);
    middles.push_back(closed.back() * ((box.lower + box.upper) * 0.5));
    middle += middles.back();
  }
  middle = middle / static_cast<double>(closed.size());
  for (std::size_t step = 0; step < steps; ++step) {
    const double way = 0.01 * static_cast<double>(step + 1);  // of the distance from the middle
    std::vector<Pose> poses;
    for (std::size_t i = 0; i < closed.size(); ++i)
      poses.push_back(Pose::from_translation((middles[i] - middle) * way) * closed[i]);
    assembly.steps.push_back(std::move(poses));
  }
  return assembly;
}

}  // namespace tumble::lab
