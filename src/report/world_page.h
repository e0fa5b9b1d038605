// SPDX-License-Identifier: Apache-2.0
// The page of a world: its bodies, what touches, and its configurations as a motion.
#pragma once

#include "report/page.h"

#include <tumble/world.h>

#include <optional>
#include <string>
#include <vector>

namespace tumble {

/// Every body as a part with a name of its own, members of groups by themselves.
std::vector<PagePart> page_parts(const World& world);

/// What a page shows of one configuration.
struct WorldSight {
  std::vector<Pose> poses;         // of all bodies
  std::vector<PageClash> clashes;  // first those in contact, then those that are near
  bool cut_off = false;            // outlines have no more segments than allowed
};

struct SightRequest {
  bool solid = false;
  std::optional<DistanceRequest> near{};  // also pairs that are not in contact
  std::size_t most_segments = tumble::most_segments;
};
WorldSight look(World& world, const SightRequest& request);

/// One configuration, or several as a motion with one number of microseconds for each.
Page world_page(const World& world, std::vector<WorldSight> sights, const std::vector<double>& microseconds);

}  // namespace tumble
