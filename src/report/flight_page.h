// SPDX-License-Identifier: Apache-2.0
// The page of a flight: two bodies, one or both of which move, and where they touch on the way.
#pragma once

#include "report/page.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tumble {

/// One step as the query answered it.
struct FlightStep {
  Pose environment, object;
  bool colliding = false;
  double value = 0;
  double microseconds = 0;
};

struct FlightBodies {
  PagePart environment, object;
  bool environment_moves = false;
};

/// Asks for the contacts of the colliding steps to draw their outlines. Each stretch of them becomes a row.
Page flight_page(const FlightBodies& bodies, std::span<const FlightStep> steps, const std::string& value,
                 const std::function<Contacts(const FlightStep&)>& contacts);

}  // namespace tumble
