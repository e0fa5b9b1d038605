// SPDX-License-Identifier: Apache-2.0
// The bars we set ourselves against the rivals, and whether the rows of `peers` clear them.
#pragma once

#include "lab/table.h"

#include <string>
#include <vector>

namespace tumble::lab {

/// Rows of `peers` (scene, id, any_ratio, all_ratio, build_ms, ...) and of its small steps. A bar whose rivals or
/// scenes are missing is "not measured"; at reduced sizes nothing is judged.
Table judge_bars(const std::vector<Row>& rows, const std::vector<Row>& small_steps, bool judged);

/// Appends the bars of distances, given rows of scene, id, ratio and poses.
void judge_distance_bars(const std::vector<Row>& rows, bool judged, Table& bars);

/// What the rows (those of any and all, of small steps and of distances) and the bars say in a few sentences, the
/// losses included.
std::vector<std::string> peers_findings(const std::vector<Row>& rows, const std::vector<Row>& small_steps,
                                        const std::vector<Row>& distances, const Table& bars);

}  // namespace tumble::lab
