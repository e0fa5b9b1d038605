// SPDX-License-Identifier: Apache-2.0
// Reading and writing meshes. Link tumble::io.
#pragma once

#include <tumble/mesh.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace tumble {

enum class MeshFormat { stl, obj, ply, off, gltf, glb };

/// The format named by the extension, upper or lower case. Throws Error(unsupported) for any other.
MeshFormat format_of(const std::filesystem::path& file);

/// Reads STL, OBJ, PLY, OFF, glTF or GLB; an assembly is flattened into world coordinates with named parts.
/// The mesh has passed check(). Throws Error naming the file and the line or byte.
Mesh load_mesh(const std::filesystem::path& file);

/// The same, keeping the instances of a glTF or GLB; any other format gives one instance named by the file.
Assembly load_assembly(const std::filesystem::path& file);

/// Reads a mesh from memory; `name` stands for the file in errors. External glTF buffers are refused.
Mesh read_mesh(std::span<const std::byte> bytes, MeshFormat format, std::string_view name = "memory");
Assembly read_assembly(std::span<const std::byte> bytes, MeshFormat format, std::string_view name = "memory");

/// Writes OBJ, PLY (binary little-endian, double), STL (binary, single precision) or GLB (single precision) by
/// extension. The file appears whole or not at all.
void save_mesh(const Mesh& mesh, const std::filesystem::path& file);
/// Writes a GLB that shares meshes between instances.
void save_assembly(const Assembly& assembly, const std::filesystem::path& file);

}  // namespace tumble
