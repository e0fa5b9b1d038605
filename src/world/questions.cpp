// SPDX-License-Identifier: Apache-2.0
// Plain questions about a world: every pair of bodies is asked, and the answers are put in order.
#include "core/plain_arithmetic.h"
#include "query/check_requests.h"
#include "world/group_pairs.h"
#include "world/world_state.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

namespace tumble {

namespace {

/// Where one pair answers a question: those that collided last time, then those that often do.
void put_likely_first(std::vector<PairToAsk>& pairs) {
  const auto likely = [](const PairToAsk& pair) { return pair.live ? pair.live->likely_hit() : 0.0F; };
  std::ranges::sort(pairs, std::ranges::greater{}, likely);
}

}  // namespace

bool World::collide(const CollideRequest& request, const Subject& subject) {
  const PlainArithmetic plain;
  State& at = state();
  const bool is_about_all = !subject.body() && !subject.visitor();
  // The pair that collided last time likely still does. Solids must be looked at first, whether they are closed.
  if (is_about_all && !request.solid && at.last_hit && !at.has_few())
    if (const auto pair = at.pair_of(*at.last_hit); pair && at.asking.collide(*pair, at.options, request)) return true;
  at.collect(subject, 0, request.solid);
  put_likely_first(at.pairs);
  std::atomic<const PairToAsk*> hit = nullptr;
  at.asking.each(at.pairs, [&](Asker& asker, std::size_t i) {
    if (hit.load(std::memory_order_relaxed)) return;
    const PairToAsk& pair = at.pairs[i];
    const bool is_hit = asker.collide(pair, at.options, request);
    if (is_hit) hit.store(&pair, std::memory_order_relaxed);
    if (pair.live) pair.live->note(is_hit);
  });
  if (hit) at.last_hit = hit.load()->ids();
  return hit;
}

std::vector<BodyPair> World::colliding(const CollideRequest& request, const Subject& subject) {
  const PlainArithmetic plain;
  State& at = state();
  at.collect(subject, 0, request.solid);
  std::vector<std::uint8_t> is_colliding(at.pairs.size());
  at.asking.each(at.pairs, [&](Asker& asker, std::size_t i) {
    is_colliding[i] = asker.collide(at.pairs[i], at.options, request);
  });
  std::vector<BodyPair> found;
  list_groups(
      at.bodies, at.pairs, [&](std::size_t i) { return is_colliding[i] != 0; }, found);
  return found;
}

namespace {

/// Lists of pairs as one. With a limit pairs are asked a few at a time, so that not all need be.
template <class Entry, class Request, class List>
std::vector<Entry> listed(Asking& asking, std::span<const PairToAsk> pairs, Request request, const List& list) {
  constexpr std::size_t few = 64;
  const std::size_t at_once =
      request.at_most == std::numeric_limits<std::size_t>::max() ? std::max<std::size_t>(pairs.size(), 1) : few;
  std::vector<Entry> all;
  const std::size_t limit = request.at_most;
  for (std::size_t first = 0; first < pairs.size() && all.size() < limit; first += at_once) {
    const auto some = pairs.subspan(first, std::min(at_once, pairs.size() - first));
    request.at_most = limit - all.size();
    std::vector<decltype(list(std::declval<Asker&>(), some[0], request))> found(some.size());
    asking.each(some, [&](Asker& asker, std::size_t i) { found[i] = list(asker, some[i], request); });
    std::size_t total = all.size();
    for (const auto& of_pair : found) total += of_pair.size();
    all.reserve(std::min(total, limit));
    for (std::size_t i = 0; i < some.size(); ++i)
      for (auto& entry : found[i])
        if (all.size() < limit) all.push_back({some[i].a->id, some[i].b->id, std::move(entry)});
  }
  return all;
}

}  // namespace

WorldContacts World::contacts(const ContactRequest& request, const Subject& subject) {
  const PlainArithmetic plain;
  State& at = state();
  check(request);
  at.collect(subject, 0, request.solid);
  return listed<WorldContact>(at.asking, at.pairs, request,
                              [&](Asker& asker, const PairToAsk& pair, const ContactRequest& asked) {
                                Contacts found;
                                if (!asker.are_apart(pair, at.options, 0))
                                  asker.answer(pair, at.options.pair, asked).list_new(found);
                                return found;
                              });
}

WorldNearPairs World::within(const WithinRequest& request, const Subject& subject) {
  const PlainArithmetic plain;
  State& at = state();
  check(request);
  at.collect(subject, request.distance, request.solid);
  return listed<WorldNearPair>(at.asking, at.pairs, request,
                               [&](Asker& asker, const PairToAsk& pair, const WithinRequest& asked) {
                                 NearPairs found;
                                 if (!asker.are_apart(pair, at.options, asked.distance))
                                   asker.answer(pair, at.options.pair, asked).list(found);
                                 return found;
                               });
}

WorldDistances World::distances(const DistanceRequest& request, const Subject& subject) {
  const PlainArithmetic plain;
  State& at = state();
  check(request);
  at.collect(subject, request.upper_bound, request.solid);
  WorldDistances all(at.pairs.size());
  at.asking.each(at.pairs, [&](Asker& asker, std::size_t i) {
    const PairToAsk& pair = at.pairs[i];
    all[i] = {pair.a->id, pair.b->id, asker.distance(pair, at.options.pair, request)};
  });
  std::erase_if(all, [](const WorldDistance& pair) { return pair.distance.farther; });
  keep_least_of_groups(at.bodies, all);
  return all;
}

std::vector<BodyPair> World::neighbours(const Subject& subject) {
  State& at = state();
  if (subject.body() || subject.visitor())
    at.collect(subject, 0, false);
  else
    at.collect_neighbours(false, false);
  std::vector<BodyPair> all;
  for (const PairToAsk& pair : at.pairs) all.push_back(pair.ids());
  return all;
}

}  // namespace tumble
