// SPDX-License-Identifier: Apache-2.0
// Batches of poses on all cores.
#include "core/parallel.h"

#include <tumble/error.h>
#include <tumble/query.h>

#include <string>

namespace tumble {

std::vector<std::uint8_t> collide_many(const Model& environment, const Model& object, std::span<const Pose> poses,
                                       const Pose& environment_pose, const PairOptions& options, int threads) {
  check(options);
  if (threads < 0)
    throw Error(ErrorCode::invalid_argument,
                "threads is " + std::to_string(threads) + "; it must be 0 (all cores) or more");
  std::vector<std::uint8_t> hits(poses.size());
  with_threads(threads, [&] {
    PerThread<Pair> pairs([&] { return Pair(environment, object, options); });
    // Neighbouring poses go to one thread, which is then likely to find its pair of trees as it left them.
    parallel_for(poses.size(), 64, [&](std::size_t i) { hits[i] = pairs.local().collide(environment_pose, poses[i]); });
  });
  return hits;
}

}  // namespace tumble
