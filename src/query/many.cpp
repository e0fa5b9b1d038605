// SPDX-License-Identifier: Apache-2.0
// Batches of poses on all cores.
#include "core/parallel.h"
#include "query/check_requests.h"
#include "query/outcome.h"
#include "query/pose_order.h"

#include <tumble/error.h>
#include <tumble/query.h>

#include <algorithm>
#include <string>
#include <variant>

namespace tumble {
namespace {

/// Makes answers[i] = ask(pair, poses[i]) for every pose, a pair of the models to each thread.
template <class Answer, class Ask>
std::vector<Answer> for_each_pose(const Model& a, const Model& b, std::span<const Pose> poses,
                                  const BatchOptions& options, const Ask& ask) {
  check(options.pair);
  if (options.threads < 0)
    throw Error(ErrorCode::invalid_argument,
                "threads is " + std::to_string(options.threads) + "; it must be 0 (all cores) or more");
  std::vector<Answer> answers(poses.size());
  with_threads(options.threads, [&] {
    const std::vector<std::uint32_t> order = visiting_order(poses);
    PerThread<Pair> pairs([&] { return Pair(a, b, options.pair); });
    // Neighbours go to one thread, which is then likely to find its pair of trees as it left them.
    constexpr std::size_t stretch = 64;
    parallel_for((order.size() + stretch - 1) / stretch, 1, [&](std::size_t s) {
      Pair& pair = pairs.local();
      pair.forget();  // what a thread did before must not matter: a distance may be that of any pair that ties
      for (std::size_t i = s * stretch; i < std::min((s + 1) * stretch, order.size()); ++i)
        answers[order[i]] = ask(pair, poses[order[i]]);
    });
  });
  return answers;
}

}  // namespace

std::vector<std::uint8_t> collide_many(const Model& a, const Model& b, std::span<const Pose> poses_b,
                                       const CollideRequest& request, const BatchOptions& options) {
  return for_each_pose<std::uint8_t>(a, b, poses_b, options, [&](Pair& pair, const Pose& pose) {
    return pair.collide(options.pose_a, pose, request) ? std::uint8_t{1} : std::uint8_t{0};
  });
}

std::vector<Contacts> contacts_many(const Model& a, const Model& b, std::span<const Pose> poses_b,
                                    const ContactRequest& request, const BatchOptions& options) {
  return for_each_pose<Contacts>(a, b, poses_b, options, [&](Pair& pair, const Pose& pose) {
    return pair.contacts(options.pose_a, pose, request);
  });
}

std::vector<Distance> distance_many(const Model& a, const Model& b, std::span<const Pose> poses_b,
                                    const DistanceRequest& request, const BatchOptions& options) {
  check(request);
  return for_each_pose<Distance>(a, b, poses_b, options, [&](Pair& pair, const Pose& pose) {
    return pair.distance(options.pose_a, pose, request);
  });
}

std::vector<Outcome> run_many(const Model& a, const Model& b, std::span<const Pose> poses_b, const Request& request,
                              const Budget& budget, const BatchOptions& options) {
  std::visit([](const auto& asked) { check(asked); }, request);
  return for_each_pose<Outcome>(a, b, poses_b, options, [&](Pair& pair, const Pose& pose) {
    Query query = pair.start(options.pose_a, pose, request);
    const Certainty certainty = query.run(budget);
    return outcome_of(query, request, certainty);
  });
}

}  // namespace tumble
