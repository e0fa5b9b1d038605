// SPDX-License-Identifier: Apache-2.0
// The writers, one per format. Each expects a mesh that passed check_writable().
#pragma once

#include <tumble/mesh.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace tumble::io {

void write_obj(const Mesh& mesh, const std::filesystem::path& file);
void write_ply(const Mesh& mesh, const std::filesystem::path& file);
void write_stl(const Mesh& mesh, const std::filesystem::path& file);
/// If there are steps, each has a pose for every instance, `seconds` after those of the step before.
void write_glb(const Assembly& assembly, const std::filesystem::path& file,
               std::span<const std::vector<Pose>> steps = {}, double seconds = 0);

/// check(), and requires a triangle: a file without any could not be read back.
void check_writable(const Mesh& mesh);

/// A mesh and an instance for each part, in order. Triangles outside of parts get unnamed ones, or ones named `whole`
/// if there are no parts.
Assembly split_into_parts(const Mesh& mesh, const std::string& whole);

/// Single precision, as STL and glTF store it. Throws Error(invalid_mesh) for a coordinate it cannot hold.
float narrowed(double coordinate, const std::filesystem::path& file);

}  // namespace tumble::io
