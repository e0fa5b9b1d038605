// SPDX-License-Identifier: Apache-2.0
// The closest pair of a world. Pairs are asked in the order of their boxes' gaps, until no gap is below the least
// distance.
#include "core/plain_arithmetic.h"
#include "query/check_requests.h"
#include "world/world_state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace tumble {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// At most the distance of what the boxes hold.
double gap(const Box& a, const Box& b) {
  Vec3 apart;
  for (int axis = 0; axis < 3; ++axis)
    apart[axis] = std::max({0.0, b.lower[axis] - a.upper[axis], a.lower[axis] - b.upper[axis]});
  return length(apart) * (1 - 1e-12);
}

/// Asks all collected pairs that may be the closest.
std::optional<WorldDistance> closest_of(World::State& world, const DistanceRequest& request) {
  auto& candidates = world.candidates;
  candidates.clear();
  for (const PairToAsk& pair : world.pairs) candidates.push_back({gap(pair.a->box, pair.b->box), pair});
  std::ranges::sort(candidates, {},
                    [](const auto& candidate) { return std::pair(candidate.gap, candidate.pair.ids()); });
  for (std::size_t i = 0; i < candidates.size(); ++i) world.pairs[i] = candidates[i].pair;

  constexpr std::size_t few = 32;  // asked with the same bound, whatever the number of threads
  std::array<Distance, few> found;
  std::optional<WorldDistance> nearest;
  double lower = infinite;
  DistanceRequest asked = request;
  for (std::size_t first = 0; first < candidates.size(); first += few) {
    if (candidates[first].gap > asked.upper_bound) break;
    const auto some = std::span(world.pairs).subspan(first, std::min(few, candidates.size() - first));
    world.asking.each(
        some, [&](Asker& asker, std::size_t i) { found[i] = asker.distance(some[i], world.options.pair, asked); });
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (found[i].farther) continue;
      lower = std::min(lower, found[i].lower);
      if (!nearest || found[i].distance < nearest->distance.distance)
        nearest = {some[i].a->id, some[i].b->id, found[i]};
    }
    if (nearest) asked.upper_bound = nearest->distance.distance;
  }
  if (nearest) nearest->distance.lower = lower;  // of all pairs, where an error is allowed
  return nearest;
}

}  // namespace

std::optional<WorldDistance> World::closest(const DistanceRequest& request, const Subject& subject) {
  const PlainArithmetic plain;
  State& at = state();
  check(request);
  // Pairs are collected as far as the nearest may be, a little farther each time: large bodies may lie apart although
  // their boxes overlap, and as far as they do lie very many small ones.
  double reach = std::min(at.first_reach(subject), request.upper_bound);
  while (true) {
    at.collect(subject, reach, request.solid);
    const std::optional<WorldDistance> nearest = closest_of(at, request);
    const double needed = nearest ? nearest->distance.distance : infinite;
    if (needed <= reach || reach >= request.upper_bound) return nearest;
    reach = std::min({needed, at.next_reach(subject, reach), request.upper_bound});
  }
}

}  // namespace tumble
