// SPDX-License-Identifier: Apache-2.0
// Reading and writing meshes. Link tumble::io.
#pragma once

#include <tumble/mesh.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace tumble {

enum class MeshFormat { stl, obj, ply, off, gltf, glb };

/// The format named by the extension, upper or lower case. Throws Error(unsupported) for any other.
MeshFormat format_of(const std::filesystem::path& file);

/// Reads STL, OBJ, PLY, OFF, glTF or GLB; an assembly is flattened into world coordinates with named parts.
/// The mesh has passed check() and has at least one triangle: a file without any (a point cloud, say) is refused.
/// Throws Error naming the file and the line, byte or glTF item. Memory stays in proportion to the file's size.
///
/// Polygons, concave ones included, are triangulated in their own plane into n − 2 triangles. A polygon that crosses
/// itself has no right answer; one of more than some ten thousand concave corners may get a rough one. Points and lines
/// are left out; normals, colours and materials are ignored. STL keeps three vertices per triangle, as stored.
/// Parts are the solids of an STL, the objects and groups of an OBJ and the nodes of a glTF.
Mesh load_mesh(const std::filesystem::path& file);

/// The same, keeping the instances of a glTF or GLB; any other format gives one instance named by the file. An
/// instance is named by its node, else its mesh, else the node's index. Its pose is the rotation and translation of
/// the node; scale, shear and mirroring are baked into the mesh, which instances of equal scale share.
Assembly load_assembly(const std::filesystem::path& file);

/// Reads a mesh from memory; `name` stands for the file in errors. External glTF buffers are refused; load_mesh reads
/// those inside the file's own folder.
Mesh read_mesh(std::span<const std::byte> bytes, MeshFormat format, std::string_view name = "memory");
Assembly read_assembly(std::span<const std::byte> bytes, MeshFormat format, std::string_view name = "memory");

/// Writes OBJ (reads back the same), PLY (binary little-endian, double; no parts), STL (binary, single precision; no
/// parts) or GLB (single precision, one node per part) by extension. The file appears whole or not at all. Throws
/// Error for a mesh that fails check() or has no triangle, and for coordinates that single precision cannot hold.
void save_mesh(const Mesh& mesh, const std::filesystem::path& file);
/// Writes a GLB that shares meshes between instances.
void save_assembly(const Assembly& assembly, const std::filesystem::path& file);
/// Writes a GLB in which instances move, for any viewer that plays animations: `steps` has a pose for every instance in
/// each step, and each step is `seconds` after the one before. Their own poses do not count. An instance that moves has
/// channels for translation and rotation, in single precision; one that does not has none. Throws
/// Error(invalid_argument) if there is no step, a step has too few or too many poses, or seconds are not positive.
void save_animation(const Assembly& assembly, std::span<const std::vector<Pose>> steps, double seconds,
                    const std::filesystem::path& file);

}  // namespace tumble
