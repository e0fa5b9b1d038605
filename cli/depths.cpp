// SPDX-License-Identifier: Apache-2.0
// Asks for overlap depth and penetration in turn.
#include "cli/depths.h"

#include "cli/budget_argument.h"

namespace tumble::cli {

Depths ask_depths(Pair& pair, const Pose& pose_a, const Pose& pose_b, double precision, const Budget& budget) {
  Purse purse(budget);
  Query overlap = pair.start(pose_a, pose_b, OverlapDepthRequest{.precision = precision});
  const Certainty first = purse.pay(overlap.run(purse.left()));
  Depths answer{overlap.overlap_depth(), {}, {}};
  Query depths = pair.start(pose_a, pose_b, PenetrationRequest{.precision = precision});
  answer.certainty = depths.run(purse.left());
  answer.penetration = depths.penetration();
  answer.certainty.node_pairs += first.node_pairs;
  answer.certainty.finished = answer.certainty.finished && first.finished;
  if (answer.certainty.verdict == Verdict::unknown) answer.certainty.verdict = first.verdict;
  return answer;
}

Json to_json(const Deepest& deepest) {
  const bool is_known = deepest.lower > 0;
  return {{"lower", deepest.lower},
          {"upper", deepest.upper},
          {"triangle", is_known ? Json(deepest.triangle) : Json()},
          {"other_triangle", is_known ? Json(deepest.other_triangle) : Json()},
          {"point", is_known ? json_point(deepest.point) : Json()},
          {"nearest", is_known ? json_point(deepest.nearest) : Json()}};
}

Json to_json(const OverlapDepth& overlap) {
  return {{"lower", overlap.lower},
          {"upper", overlap.upper},
          {"precise", overlap.precise},
          {"center", overlap.lower > 0 ? json_point(overlap.center) : Json()}};
}

}  // namespace tumble::cli
