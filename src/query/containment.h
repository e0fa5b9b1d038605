// SPDX-License-Identifier: Apache-2.0
// Containment: does one solid minus another have volume? Decided exactly, also where surfaces are flush or coincide.
#pragma once

#include "traverse/placed_pair.h"

#include <span>

namespace tumble {

/// Whether a minus b has no volume. The bodies are closed; `met` are all pairs of their triangles in contact, each
/// once.
bool is_contained(const PlacedPair& bodies, std::span<const TrianglePair> met);

}  // namespace tumble
