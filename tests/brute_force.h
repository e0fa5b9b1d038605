// SPDX-License-Identifier: Apache-2.0
// Contacts by comparing every triangle with every other. Written to be obvious, not fast: it is the oracle that
// every faster way is held against.
#pragma once

#include <tumble/contact.h>
#include <tumble/mesh.h>

namespace tumble {

/// All contacts of two checked meshes, sorted by triangle of a, then of b; touching counts.
Contacts brute_force_contacts(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b);

/// Whether there is any, stopping at the first.
bool brute_force_collide(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b);

}  // namespace tumble
