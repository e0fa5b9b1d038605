// SPDX-License-Identifier: Apache-2.0
// How deep two solids are in each other, asked with one budget, and as JSON.
#pragma once

#include "cli/json.h"

#include <tumble/budget.h>
#include <tumble/query.h>

namespace tumble::cli {

struct Depths {
  OverlapDepth overlap;
  Penetration penetration;
  Certainty certainty;  // of both: about contact, and finished if both are
};

/// Precision 0: a thousandth of the smaller body.
Depths ask_depths(Pair& pair, const Pose& pose_a, const Pose& pose_b, double precision, const Budget& budget);

Json to_json(const Deepest& deepest);
Json to_json(const OverlapDepth& overlap);

}  // namespace tumble::cli
