// SPDX-License-Identifier: Apache-2.0
// The public functions of the room; they choose the reader or writer by format.
#include <tumble/io.h>

#include "io/readers.h"
#include "io/writers.h"

namespace tumble {
namespace io {

void require_triangles(const Source& source, std::size_t vertices, std::size_t triangles) {
  constexpr std::size_t most = std::size_t{1} << 31;
  if (vertices > most || triangles > most) source.fail("more than 2^31 vertices or triangles; split the mesh");
  if (triangles > 0) return;
  source.fail(vertices > 0 ? "it has vertices but no faces, and tumble needs triangles" : "it has no triangles");
}

namespace {

/// What is no mesh in any format.
void refuse_empty(const Source& source) {
  if (source.bytes.empty()) source.fail("the file is empty");
  if (source.bytes.starts_with("version https://git-lfs.github.com/spec/"))
    source.fail("it is a Git LFS pointer, not the file it stands for; 'git lfs pull' fetches that");
}

Mesh read_one(const Source& source, MeshFormat format) {
  refuse_empty(source);
  Mesh mesh;
  switch (format) {
    case MeshFormat::stl: mesh = read_stl(source); break;
    case MeshFormat::obj: mesh = read_obj(source); break;
    case MeshFormat::ply: mesh = read_ply(source); break;
    case MeshFormat::off: mesh = read_off(source); break;
    case MeshFormat::gltf:
    case MeshFormat::glb: return read_gltf_flat(source);
  }
  require_triangles(source, mesh.vertices.size(), mesh.triangles.size());
  return mesh;
}

bool is_assembly(MeshFormat format) { return format == MeshFormat::gltf || format == MeshFormat::glb; }

Assembly read_gltf_parts(const Source& source) {
  refuse_empty(source);
  return read_gltf(source);
}

Assembly alone(Mesh mesh, const std::filesystem::path& file) {
  Assembly assembly;
  assembly.meshes.push_back(std::move(mesh));
  assembly.instances.push_back({file.stem().string(), 0, Pose{}});
  return assembly;
}

Source from_memory(std::span<const std::byte> bytes, std::string_view name) {
  return {std::string(name), {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, {}};
}

Source from_file(const std::filesystem::path& file, const FileBytes& contents) {
  return {file.string(), contents.bytes(), file.has_parent_path() ? file.parent_path() : "."};
}

}  // namespace
}  // namespace io

Mesh load_mesh(const std::filesystem::path& file) {
  const MeshFormat format = format_of(file);
  if (format == MeshFormat::stl)
    if (std::optional<Mesh> mesh = io::stream_binary_stl(file)) {
      io::require_triangles({file.string(), {}, {}}, mesh->vertices.size(), mesh->triangles.size());
      return std::move(*mesh);
    }
  const io::FileBytes contents(file);
  return io::read_one(io::from_file(file, contents), format);
}

Assembly load_assembly(const std::filesystem::path& file) {
  const MeshFormat format = format_of(file);
  if (!io::is_assembly(format)) return io::alone(load_mesh(file), file);
  const io::FileBytes contents(file);
  return io::read_gltf_parts(io::from_file(file, contents));
}

Mesh read_mesh(std::span<const std::byte> bytes, MeshFormat format, std::string_view name) {
  return io::read_one(io::from_memory(bytes, name), format);
}

Assembly read_assembly(std::span<const std::byte> bytes, MeshFormat format, std::string_view name) {
  const io::Source source = io::from_memory(bytes, name);
  return io::is_assembly(format) ? io::read_gltf_parts(source) : io::alone(io::read_one(source, format), source.name);
}

void save_mesh(const Mesh& mesh, const std::filesystem::path& file) {
  const MeshFormat format = format_of(file);
  io::check_writable(mesh);
  switch (format) {
    case MeshFormat::stl: return io::write_stl(mesh, file);
    case MeshFormat::obj: return io::write_obj(mesh, file);
    case MeshFormat::ply: return io::write_ply(mesh, file);
    case MeshFormat::glb: return io::write_glb(io::split_into_parts(mesh, file.stem().string()), file);
    case MeshFormat::off:
    case MeshFormat::gltf: break;
  }
  throw Error(ErrorCode::unsupported, "tumble writes .obj, .ply, .stl and .glb", {.file = file.string()});
}

namespace {

void check_writable(const Assembly& assembly, const std::filesystem::path& file) {
  if (format_of(file) != MeshFormat::glb)
    throw Error(ErrorCode::unsupported, "an assembly is written as .glb; flatten() it for other formats",
                {.file = file.string()});
  for (const Mesh& mesh : assembly.meshes) io::check_writable(mesh);
}

}  // namespace

void save_assembly(const Assembly& assembly, const std::filesystem::path& file) {
  check_writable(assembly, file);
  io::write_glb(assembly, file);
}

void save_animation(const Assembly& assembly, std::span<const std::vector<Pose>> steps, double seconds,
                    const std::filesystem::path& file) {
  const auto require = [&](bool good, const std::string& what) {
    if (!good) throw Error(ErrorCode::invalid_argument, what, {.file = file.string()});
  };
  check_writable(assembly, file);
  require(!steps.empty(), "an animation needs a step");
  require(seconds > 0 && seconds <= 1e10, "the steps of an animation must be more than 0 seconds apart");
  for (std::size_t i = 0; i < steps.size(); ++i)
    require(steps[i].size() == assembly.instances.size(), "step " + std::to_string(i) + " of the animation has " +
                                                              std::to_string(steps[i].size()) + " poses for " +
                                                              std::to_string(assembly.instances.size()) + " instances");
  io::write_glb(assembly, file, steps, seconds);
}

}  // namespace tumble
