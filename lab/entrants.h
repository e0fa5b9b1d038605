// SPDX-License-Identifier: Apache-2.0
// The table of who takes part in a contest, how, and who does not.
#pragma once

#include "lab/rivals/roster.h"
#include "lab/table.h"

#include <string>
#include <utility>
#include <vector>

namespace tumble::lab {

template <class RivalList>
Table entrants_table(const RivalList& entrants, const std::vector<Absence>& absent, std::string heading) {
  Table who{"entrants", "Who takes part and how", {{"rival", std::move(heading)}, {"settings", "settings"}}};
  for (const auto& entrant : entrants)
    who.rows.push_back({{"rival", entrant->name()}, {"settings", entrant->settings()}});
  for (const Absence& absence : absent) who.rows.push_back({{"rival", absence.library}, {"settings", absence.reason}});
  return who;
}

}  // namespace tumble::lab
