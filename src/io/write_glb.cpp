// SPDX-License-Identifier: Apache-2.0
// GLB: one node per instance, meshes shared between instances, positions in single precision; nodes that move have
// animation channels.
#include "core/out_file.h"
#include "io/writers.h"
#include "math/quaternion.h"

#include <tumble/error.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tumble::io {
namespace {

using Json = nlohmann::json;

/// The binary chunk and the JSON that describes it, mesh by mesh.
class GlbBuilder {
 public:
  explicit GlbBuilder(const std::filesystem::path& file) : file_(file) {
    json_ = {{"asset", {{"version", "2.0"}, {"generator", "tumble"}}}, {"scene", 0}};
    for (const char* list : {"nodes", "meshes", "accessors", "bufferViews"}) json_[list] = Json::array();
  }

  void add_mesh(const Mesh& mesh) {
    constexpr int uint_type = 5125, vertex_target = 34962, index_target = 34963;
    std::array<float, 3> lower, upper;
    lower.fill(std::numeric_limits<float>::max()), upper.fill(-std::numeric_limits<float>::max());
    std::size_t begin = binary_.size();
    for (const Vec3& v : mesh.vertices)
      for (int axis = 0; axis < 3; ++axis) {
        const float value = narrowed(v[axis], file_);
        const auto i = static_cast<std::size_t>(axis);
        lower[i] = std::min(lower[i], value), upper[i] = std::max(upper[i], value);
        append(value);
      }
    Json positions = accessor(begin, mesh.vertices.size(), float_type, "VEC3", vertex_target);
    positions["min"] = lower, positions["max"] = upper;
    begin = binary_.size();
    for (const Triangle& t : mesh.triangles)
      for (const std::uint32_t index : t) append(index);
    Json indices = accessor(begin, 3 * mesh.triangles.size(), uint_type, "SCALAR", index_target);
    const std::size_t first = add_accessor(std::move(positions));
    add_accessor(std::move(indices));
    json_["meshes"].push_back({{"primitives", {{{"attributes", {{"POSITION", first}}}, {"indices", first + 1}}}}});
  }

  void add_instance(const Instance& instance) {
    Json node = {{"mesh", instance.mesh}};
    if (!instance.name.empty()) node["name"] = instance.name;
    if (!instance.pose.is_identity()) {
      const std::array<double, 12> r = instance.pose.rows();
      node["matrix"] = {r[0], r[4], r[8], 0, r[1], r[5], r[9], 0, r[2], r[6], r[10], 0, r[3], r[7], r[11], 1};
    }
    roots_.push_back(json_["nodes"].size());
    json_["nodes"].push_back(std::move(node));
  }

  /// The next node, at the first pose of its own; it follows the others if any differs.
  void add_moving(const Instance& instance, std::span<const Pose> path) {
    Instance first = instance;
    first.pose = path.front();
    add_instance(first);
    if (std::ranges::all_of(path, [&](const Pose& pose) { return pose == path.front(); })) return;
    Json& node = json_["nodes"].back();
    node.erase("matrix");  // what is animated must not have one
    std::size_t begin = binary_.size();
    for (const Pose& pose : path)
      for (int axis = 0; axis < 3; ++axis) append(narrowed(pose.translation()[axis], file_));
    const std::size_t places = add_accessor(accessor(begin, path.size(), float_type, "VEC3"));
    begin = binary_.size();
    Quaternion last = quaternion_of(path.front());
    for (const Pose& pose : path) {
      Quaternion turn = quaternion_of(pose);
      if (dot(turn, last) < 0)
        for (double& component : turn) component = -component;  // viewers then turn the shorter way
      for (const std::size_t i : {1u, 2u, 3u, 0u}) append(static_cast<float>(turn[i]));
      last = turn;
    }
    const std::size_t turns = add_accessor(accessor(begin, path.size(), float_type, "VEC4"));
    const Vec3& place = path.front().translation();
    const Quaternion turn = quaternion_of(path.front());
    node["translation"] = {place.x, place.y, place.z};
    node["rotation"] = {turn[1], turn[2], turn[3], turn[0]};
    add_channel("translation", places);
    add_channel("rotation", turns);
  }

  /// When the poses of the nodes that move are reached.
  void add_times(std::size_t count, double seconds) {
    const std::size_t begin = binary_.size();
    for (std::size_t i = 0; i < count; ++i) append(narrowed(static_cast<double>(i) * seconds, file_));
    Json times = accessor(begin, count, float_type, "SCALAR");
    times["min"] = {0}, times["max"] = {narrowed(static_cast<double>(count - 1) * seconds, file_)};
    times_ = add_accessor(std::move(times));
  }

  void write() {
    json_["scenes"] = {{{"nodes", roots_}}};
    json_["buffers"] = {{{"byteLength", binary_.size()}}};
    std::string text = json_.dump(-1, ' ', false, Json::error_handler_t::replace);  // names may not be UTF-8
    text.resize((text.size() + 3) / 4 * 4, ' ');
    const std::size_t total = 12 + 8 + text.size() + 8 + binary_.size();
    if (total > std::numeric_limits<std::uint32_t>::max())
      throw Error(ErrorCode::invalid_mesh, "the mesh is too large for a GLB of 4 GiB; write .ply or split it",
                  {.file = file_.string()});
    OutFile out(file_);
    out.write("glTF");
    out.write_value(std::uint32_t{2});
    out.write_value(static_cast<std::uint32_t>(total));
    out.write_value(static_cast<std::uint32_t>(text.size()));
    out.write("JSON");
    out.write(text);
    out.write_value(static_cast<std::uint32_t>(binary_.size()));
    out.write({"BIN\0", 4});
    out.write(binary_);
    out.commit();
  }

 private:
  template <class T>
  void append(T value) {
    static_assert(sizeof(T) == 4, "every accessor stays aligned");
    binary_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }

  /// Describes everything from `begin` to the end of the binary chunk. Only what is drawn has a target.
  Json accessor(std::size_t begin, std::size_t count, int component_type, const char* type, int target = 0) {
    Json view = {{"buffer", 0}, {"byteOffset", begin}, {"byteLength", binary_.size() - begin}};
    if (target != 0) view["target"] = target;
    json_["bufferViews"].push_back(std::move(view));
    return {{"bufferView", json_["bufferViews"].size() - 1},
            {"componentType", component_type},
            {"count", count},
            {"type", type}};
  }

  /// Returns its index.
  std::size_t add_accessor(Json accessor) {
    json_["accessors"].push_back(std::move(accessor));
    return json_["accessors"].size() - 1;
  }

  /// Of the node added last.
  void add_channel(const char* path, std::size_t output) {
    Json& animations = json_["animations"];
    if (animations.empty()) animations.push_back({{"channels", Json::array()}, {"samplers", Json::array()}});
    Json& animation = animations[0];
    animation["channels"].push_back(
        {{"sampler", animation["samplers"].size()}, {"target", {{"node", json_["nodes"].size() - 1}, {"path", path}}}});
    animation["samplers"].push_back({{"input", times_}, {"interpolation", "LINEAR"}, {"output", output}});
  }

  static constexpr int float_type = 5126;

  const std::filesystem::path& file_;
  Json json_;
  std::size_t times_ = 0;
  std::string binary_;
  std::vector<std::size_t> roots_;
};

/// A range of a mesh's triangles with the vertices they use, in order of first use.
Mesh extract(const Mesh& mesh, std::size_t first, std::size_t count, std::vector<std::uint32_t>& new_ids) {
  constexpr std::uint32_t unused = std::numeric_limits<std::uint32_t>::max();
  Mesh part;
  const auto triangles = std::span(mesh.triangles).subspan(first, count);
  for (const Triangle& t : triangles) {
    Triangle renamed;
    for (std::size_t i = 0; i < 3; ++i) {
      std::uint32_t& id = new_ids[t[i]];
      if (id == unused) {
        id = static_cast<std::uint32_t>(part.vertices.size());
        part.vertices.push_back(mesh.vertices[t[i]]);
      }
      renamed[i] = id;
    }
    part.triangles.push_back(renamed);
  }
  for (const Triangle& t : triangles)
    for (const std::uint32_t index : t) new_ids[index] = unused;
  return part;
}

}  // namespace

Assembly split_into_parts(const Mesh& mesh, const std::string& whole) {
  Assembly assembly;
  std::vector<std::uint32_t> new_ids(mesh.vertices.size(), std::numeric_limits<std::uint32_t>::max());
  const auto add = [&](std::string name, std::size_t first, std::size_t end) {
    if (first == end) return;
    assembly.instances.push_back({std::move(name), static_cast<std::uint32_t>(assembly.meshes.size()), Pose{}});
    assembly.meshes.push_back(extract(mesh, first, end - first, new_ids));
  };
  std::size_t done = 0;
  for (const Part& part : mesh.parts) {
    add({}, done, part.first_triangle);
    done = std::size_t{part.first_triangle} + part.triangle_count;
    add(part.name, part.first_triangle, done);
  }
  add(mesh.parts.empty() ? whole : std::string(), done, mesh.triangles.size());
  return assembly;
}

void write_glb(const Assembly& assembly, const std::filesystem::path& file, std::span<const std::vector<Pose>> steps,
               double seconds) {
  GlbBuilder builder(file);
  for (const Mesh& mesh : assembly.meshes) builder.add_mesh(mesh);
  if (!steps.empty()) builder.add_times(steps.size(), seconds);
  std::vector<Pose> path(steps.size());
  for (std::size_t i = 0; i < assembly.instances.size(); ++i) {
    const Instance& instance = assembly.instances[i];
    if (instance.mesh >= assembly.meshes.size())
      throw Error(ErrorCode::invalid_argument, "instance '" + instance.name + "' uses a mesh that does not exist",
                  {.file = file.string()});
    for (std::size_t step = 0; step < steps.size(); ++step) path[step] = steps[step][i];
    if (steps.empty()) {
      builder.add_instance(instance);
    } else {
      builder.add_moving(instance, path);
    }
  }
  builder.write();
}

}  // namespace tumble::io
