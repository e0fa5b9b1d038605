// SPDX-License-Identifier: Apache-2.0
// The referee: contacts and the distance of two bodies by comparing triangles one by one. It knows boxes of single
// triangles and nothing of trees.
#pragma once

#include "lab/rivals/rival.h"

namespace tumble::lab {

/// Sorted; touching counts.
std::vector<PairOfTriangles> referee_contacts(const Mesh& environment, const Mesh& object, const Pose& object_pose);
/// The least of all pairs, each by the one distance of two triangles (docs/semantics.md, promise 7).
double referee_distance(const Mesh& environment, const Mesh& object, const Pose& object_pose);

}  // namespace tumble::lab
