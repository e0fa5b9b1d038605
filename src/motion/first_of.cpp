// SPDX-License-Identifier: Apache-2.0
// Each leg has a search of its own: speeds are constant on it.
#include "motion/first_of.h"

#include "geometry/distance.h"
#include "motion/contact_search.h"
#include "query/deadline_of.h"

#include <tumble/error.h>
#include <tumble/query.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace tumble {
namespace {

void check(const FirstContactRequest& request) {
  if (!(request.tolerance >= 0 && request.tolerance <= max_coordinate))
    throw Error(ErrorCode::invalid_argument,
                "the tolerance is " + std::to_string(request.tolerance) + "; it must be at least 0 and at most 1e100");
}

/// The first pair in the list that is in contact at time 0, of those that are solids or of the others.
std::optional<FirstOf> contact_at_start(std::span<const Mover> bodies, std::span<const MoverPair> pairs, bool solid) {
  for (const MoverPair& pair : pairs) {
    if (pair.solid != solid) continue;
    const Mover &a = bodies[pair.a], &b = bodies[pair.b];
    const Contacts all =
        contacts(a.model, pose_at(a.legs, 0), b.model, pose_at(b.legs, 0), {.at_most = 1, .solid = solid});
    if (all.empty()) continue;
    const Contact& contact = all.front();
    FirstOf first{pair, {.found = true, .initial = true, .finished = true, .time = 0}};
    first.contact.triangle_a = contact.triangle_a;
    first.contact.triangle_b = contact.triangle_b;
    first.contact.point_a = first.contact.point_b = contact.point;
    first.contact.normal = contact.normal;
    first.contact.inside = contact.kind == ContactKind::inside;
    return first;
  }
  return std::nullopt;
}

/// Measured as distance() measures it at the poses of this time.
void fill_in(FirstContact& first, const Mover& a, const Mover& b, TrianglePair triangles, double time) {
  const Pose pose_a = pose_at(a.legs, time), pose_b = pose_at(b.legs, time);
  const Body body_a{data_of(a.model), pose_a}, body_b{data_of(b.model), pose_b};
  const TriangleDistance measured = distance(body_a.corners(triangles.a), body_b.corners(triangles.b));
  first.found = first.finished = true;
  first.time = time;
  first.triangle_a = triangles.a, first.triangle_b = triangles.b;
  first.point_a = measured.on_a, first.point_b = measured.on_b;
  first.gap = std::sqrt(measured.distance_sq);
  const Vec3 between = measured.on_a - measured.on_b;
  first.normal = between / length(between);
}

}  // namespace

FirstOf first_of(std::span<const Mover> bodies, const PairsOnLeg& pairs_on, const FirstContactRequest& request) {
  check(request);
  const Deadline deadline = deadline_of(request.budget, 0);
  std::size_t legs = 1;
  for (const Mover& body : bodies) legs = std::max(legs, body.legs.legs.size());
  FirstOf first;
  FirstContact& contact = first.contact;
  for (std::size_t leg = 0; leg < legs; ++leg) {
    std::vector<MoverPair> pairs = pairs_on(leg);
    for (MoverPair& pair : pairs) pair.solid = pair.solid || request.solid;
    // A body inside another comes out through its surface; only at the start it may be there already.
    if (leg == 0)
      if (const auto at_start = contact_at_start(bodies, pairs, true)) return *at_start;
    ContactSearch search(static_cast<double>(leg));
    for (const MoverPair& pair : pairs) {
      const Mover &a = bodies[pair.a], &b = bodies[pair.b];
      MovingPair moving{MovingBody(data_of(a.model), a.legs, leg), MovingBody(data_of(b.model), b.legs, leg), 0};
      moving.tolerance = tolerance_of(request.tolerance, moving.a, moving.b);
      search.add(moving);
    }
    const ContactSearch::End end = search.run(deadline, contact.node_pairs);
    contact.free_until = search.free_until();
    if (end == ContactSearch::End::out_of_budget) return first;
    if (end == ContactSearch::End::free) continue;
    if (contact.free_until == 0)
      if (const auto at_start = contact_at_start(bodies, pairs, false)) return *at_start;
    first.pair = pairs[search.found_pair()];
    fill_in(contact, bodies[first.pair.a], bodies[first.pair.b], search.found_triangles(), contact.free_until);
    return first;
  }
  contact.finished = true;
  contact.free_until = std::numeric_limits<double>::infinity();
  return first;
}

}  // namespace tumble
