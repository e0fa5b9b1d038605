// SPDX-License-Identifier: Apache-2.0
// The class of one pair of parts.
#pragma once

#include <tumble/clash.h>
#include <tumble/mesh.h>
#include <tumble/model.h>
#include <tumble/pose.h>

#include <atomic>
#include <optional>

namespace tumble {

/// A part, and what is worth knowing of it once for all pairs.
struct ClashPart {
  Model model;
  Pose pose;
  Box box;  // of its world coordinates; exact
  bool is_closed;
};

/// How near each surface must be to the other for two parts to be duplicates.
double duplicate_distance(const ClashPart& a, const ClashPart& b, double tolerance);

/// All but which parts they are. Nothing if `stop` was set meanwhile.
std::optional<Clash> classify(const ClashPart& a, const ClashPart& b, const ClashOptions& options,
                              const std::atomic<bool>& stop);

}  // namespace tumble
