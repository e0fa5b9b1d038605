// SPDX-License-Identifier: Apache-2.0
// Batches of poses on all cores.
#include "core/parallel.h"
#include "query/pose_order.h"

#include <tumble/error.h>
#include <tumble/query.h>

#include <algorithm>
#include <string>

namespace tumble {
namespace {

/// Calls use(pair, i) for every pose i, a pair of the models to each thread.
template <class Use>
void for_each_pose(const Model& environment, const Model& object, std::span<const Pose> poses,
                   const PairOptions& options, int threads, const Use& use) {
  check(options);
  if (threads < 0)
    throw Error(ErrorCode::invalid_argument,
                "threads is " + std::to_string(threads) + "; it must be 0 (all cores) or more");
  with_threads(threads, [&] {
    const std::vector<std::uint32_t> order = visiting_order(poses);
    PerThread<Pair> pairs([&] { return Pair(environment, object, options); });
    // Neighbours go to one thread, which is then likely to find its pair of trees as it left them.
    constexpr std::size_t stretch = 64;
    parallel_for((order.size() + stretch - 1) / stretch, 1, [&](std::size_t s) {
      Pair& pair = pairs.local();
      for (std::size_t i = s * stretch; i < std::min((s + 1) * stretch, order.size()); ++i) use(pair, order[i]);
    });
  });
}

}  // namespace

std::vector<std::uint8_t> collide_many(const Model& environment, const Model& object, std::span<const Pose> poses,
                                       const Pose& environment_pose, const PairOptions& options, int threads,
                                       const CollideRequest& request) {
  std::vector<std::uint8_t> hits(poses.size());
  for_each_pose(environment, object, poses, options, threads, [&](Pair& pair, std::size_t i) {
    hits[i] = pair.collide(environment_pose, poses[i], request) ? 1 : 0;
  });
  return hits;
}

std::vector<Contacts> contacts_many(const Model& environment, const Model& object, std::span<const Pose> poses,
                                    const Pose& environment_pose, const ContactRequest& request,
                                    const PairOptions& options, int threads) {
  std::vector<Contacts> found(poses.size());
  for_each_pose(environment, object, poses, options, threads,
                [&](Pair& pair, std::size_t i) { pair.contacts(environment_pose, poses[i], request, found[i]); });
  return found;
}

std::vector<Distance> distance_many(const Model& environment, const Model& object, std::span<const Pose> poses,
                                    const Pose& environment_pose, const DistanceRequest& request,
                                    const PairOptions& options, int threads) {
  std::vector<Distance> distances(poses.size());
  for_each_pose(environment, object, poses, options, threads,
                [&](Pair& pair, std::size_t i) { distances[i] = pair.distance(environment_pose, poses[i], request); });
  return distances;
}

std::vector<Certainty> collide_many(const Model& environment, const Model& object, std::span<const Pose> poses,
                                    const Pose& environment_pose, const CollideRequest& request, const Budget& budget,
                                    const PairOptions& options, int threads) {
  std::vector<Certainty> certain(poses.size());
  for_each_pose(environment, object, poses, options, threads, [&](Pair& pair, std::size_t i) {
    certain[i] = pair.collide(environment_pose, poses[i], request, budget);
  });
  return certain;
}

std::vector<Certainty> contacts_many(const Model& environment, const Model& object, std::span<const Pose> poses,
                                     const Pose& environment_pose, const ContactRequest& request, const Budget& budget,
                                     std::vector<Contacts>& so_far, const PairOptions& options, int threads) {
  std::vector<Certainty> certain(poses.size());
  so_far.resize(poses.size());
  for_each_pose(environment, object, poses, options, threads, [&](Pair& pair, std::size_t i) {
    certain[i] = pair.contacts(environment_pose, poses[i], request, budget, so_far[i]);
  });
  return certain;
}

std::vector<Certainty> distance_many(const Model& environment, const Model& object, std::span<const Pose> poses,
                                     const Pose& environment_pose, const DistanceRequest& request, const Budget& budget,
                                     const PairOptions& options, int threads) {
  std::vector<Certainty> certain(poses.size());
  for_each_pose(environment, object, poses, options, threads, [&](Pair& pair, std::size_t i) {
    certain[i] = pair.distance(environment_pose, poses[i], request, budget);
  });
  return certain;
}

}  // namespace tumble
