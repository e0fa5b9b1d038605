// SPDX-License-Identifier: Apache-2.0
// Presets: each paper's published configuration, to reproduce and to compare.
#pragma once

#include <tumble/pair_options.h>
#include <tumble/tree_options.h>

#include <optional>
#include <span>
#include <string_view>

namespace tumble {

/// Trees of the environment and of the moving object, and how they are compared.
struct Preset {
  const char* name;
  TreeOptions environment, object;
  PairOptions pair;
};

namespace presets {

/// Binary 18-DOPs split along the axis of largest variance at the mean, one triangle per leaf of the environment and up
/// to 39 of the object's, hill climbing at the root and B-rep vertices below, environment first.
extern const Preset klosowski1998;
/// Binary 6-DOPs built from far pairs, one triangle per leaf, affine realignment, both trees descended together.
extern const Preset zachmann1998;
/// Binary 14-DOPs split at the middle of the longest of all directions, occupancy tables, nothing remembered.
extern const Preset fuenzig2003;
/// Binary OBBs by the covariance of the triangles' corners, split at the mean of the longest axis, sets that no axis
/// divides as leaves, all fifteen separating axes, larger box first.
extern const Preset rapid1996;

}  // namespace presets

std::span<const Preset* const> all_presets();
/// Throws Error(invalid_argument) naming those that exist.
const Preset& preset(std::string_view name);

}  // namespace tumble
