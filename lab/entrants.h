// SPDX-License-Identifier: Apache-2.0
// The table of who takes part in a contest, how, and who does not; and what those who count have done.
#pragma once

#include "lab/rivals/counted.h"
#include "lab/rivals/roster.h"
#include "lab/table.h"

#include <optional>
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

/// By the names under which a page's counters keep it: see lab/kept_counters.cpp. Nothing for who does not count.
inline Row to_row(const std::optional<Work>& work) {
  if (!work) return Row::object();
  Row row{{"nv", work->trees.nv}, {"nu", work->trees.nu}, {"np", work->trees.np}};
  if (work->looks > 0) row["looks"] = work->looks;
  return row;
}

}  // namespace tumble::lab
