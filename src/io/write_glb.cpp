// SPDX-License-Identifier: Apache-2.0
// GLB: one node per instance, meshes shared between instances, positions in single precision.
#include "core/out_file.h"
#include "io/writers.h"

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
    constexpr int float_type = 5126, uint_type = 5125, vertex_target = 34962, index_target = 34963;
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
    Json positions = accessor(begin, vertex_target, mesh.vertices.size(), float_type, "VEC3");
    positions["min"] = lower, positions["max"] = upper;
    begin = binary_.size();
    for (const Triangle& t : mesh.triangles)
      for (const std::uint32_t index : t) append(index);
    Json indices = accessor(begin, index_target, 3 * mesh.triangles.size(), uint_type, "SCALAR");
    const std::size_t first = json_["accessors"].size();
    json_["accessors"].push_back(std::move(positions));
    json_["accessors"].push_back(std::move(indices));
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

  /// Describes everything from `begin` to the end of the binary chunk.
  Json accessor(std::size_t begin, int target, std::size_t count, int component_type, const char* type) {
    json_["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", begin}, {"byteLength", binary_.size() - begin}, {"target", target}});
    return {{"bufferView", json_["bufferViews"].size() - 1},
            {"componentType", component_type},
            {"count", count},
            {"type", type}};
  }

  const std::filesystem::path& file_;
  Json json_;
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

void write_glb(const Assembly& assembly, const std::filesystem::path& file) {
  GlbBuilder builder(file);
  for (const Mesh& mesh : assembly.meshes) builder.add_mesh(mesh);
  for (const Instance& instance : assembly.instances) {
    if (instance.mesh >= assembly.meshes.size())
      throw Error(ErrorCode::invalid_argument, "instance '" + instance.name + "' uses a mesh that does not exist",
                  {.file = file.string()});
    builder.add_instance(instance);
  }
  builder.write();
}

}  // namespace tumble::io
