// SPDX-License-Identifier: Apache-2.0
// The order in which a batch of poses is visited: neighbours one after the other find in the caches what they need.
#pragma once

#include <tumble/pose.h>

#include <cstdint>
#include <span>
#include <vector>

namespace tumble {

/// The caller's own order if its steps are as short, as those of a flight are; otherwise along a curve through space.
std::vector<std::uint32_t> visiting_order(std::span<const Pose> poses);

}  // namespace tumble
