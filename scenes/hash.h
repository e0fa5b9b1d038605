// SPDX-License-Identifier: Apache-2.0
// One number for the exact bits of a mesh or a flight, to detect any change on any machine.
#pragma once

#include <tumble/mesh.h>
#include <tumble/pose.h>

#include <cstdint>
#include <span>

namespace tumble::scenes {

/// FNV-1a, 64 bits, over the little-endian bytes of the counts, coordinates and indices (names of parts left out).
std::uint64_t hash(const Mesh& mesh);
std::uint64_t hash(std::span<const Pose> flight);

}  // namespace tumble::scenes
