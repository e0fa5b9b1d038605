// SPDX-License-Identifier: Apache-2.0
// Turns the steps of a flight into a motion.
#include "report/flight_page.h"

#include <algorithm>
#include <utility>

namespace tumble {

Page flight_page(const FlightBodies& bodies, std::span<const FlightStep> steps, const std::string& value,
                 const std::function<Contacts(const FlightStep&)>& contacts) {
  constexpr std::size_t environment = 0, object = 1;
  Page page{.command = "fly", .parts = {bodies.environment, bodies.object}};
  page.motion =
      PageMotion{bodies.environment_moves ? std::vector{environment, object} : std::vector{object}, value, {}};
  std::size_t segments_left = most_segments, without = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const FlightStep& step = steps[i];
    PageStep shown{{step.object}, step.value, step.microseconds, step.colliding, {}};
    if (bodies.environment_moves) shown.poses.insert(shown.poses.begin(), step.environment);
    if (step.colliding) {
      PageClash row = contact_row(environment, object, contacts(step));
      if (!keep_outline(row.outline, segments_left)) ++without;
      shown.outline = std::exchange(row.outline, {});
      if (i > 0 && steps[i - 1].colliding) {
        PageClash& begun = page.clashes.back();
        begun.steps->back() = i;
        begun.contacts = std::max(*begun.contacts, *row.contacts);
      } else {
        row.steps = {i, i};
        page.clashes.push_back(std::move(row));
      }
    }
    page.motion->steps.push_back(std::move(shown));
  }
  if (!steps.empty()) page.parts[environment].pose = steps[0].environment, page.parts[object].pose = steps[0].object;
  if (without > 0)
    page.notes.push_back(std::to_string(without) + " of the steps in contact have no outlines: there are too many.");
  return page;
}

}  // namespace tumble
