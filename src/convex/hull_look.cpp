// SPDX-License-Identifier: Apache-2.0
// The direction of last time is tried first. Else the search for a plane between two hulls goes from one farthest
// vertex to the next and ends at the first direction along which there is a gap (van den Bergen 1999). ConvexPair is
// not asked: where it is too close to call, it decides for the hulls' vertices alone, and rounded vertices inside a
// hull may leave it.
#include "convex/hull_look.h"

#include "convex/colored_hull.h"
#include "convex/first_steps.h"
#include "convex/placed_hull.h"
#include "geometry/triangle_pair.h"

#include <tumble/contact.h>
#include <tumble/pose.h>

#include <algorithm>
#include <cmath>

namespace tumble {
namespace {

/// Then hulls count as overlapping. Those that part do so after a few steps.
constexpr int most_steps = 20;
constexpr int most_walk_steps = 32;

/// Pairs of red triangles that are tested. More would take the time of a walk.
constexpr int most_pairs = 32;

/// By how much hulls are drawn apart to see what they part at, in sizes of the smaller.
constexpr double drawn_apart = 1e-3;

/// One look.
class HullLook {
 public:
  HullLook(const ColoredHull& a, const Body& body_a, const ColoredHull& b, const Body& body_b, HullMemory& memory)
      : colored_a_(a),
        colored_b_(b),
        body_a_(body_a),
        body_b_(body_b),
        memory_(memory),
        a_{a.data, body_a.pose, scale_of(a.data, body_a.pose, b.data, body_b.pose)},
        b_{b.data, body_b.pose, a_.scale},
        slack_(slack(a_, b_)) {}

  bool are_apart();
  /// If the hulls would part at features that are red on both sides: two triangles that have them and are in contact.
  std::optional<TrianglePair> red_contact(bool ignore_touch);

 private:
  Vec3 between() const { return (to_world(b_.pose, b_.data.middle) - to_world(a_.pose, a_.data.middle)) * a_.scale; }
  /// From the highest vertex of a to the lowest of b along a unit direction.
  double gap(Vec3 direction);
  /// Whether the same vertices as last time still show an overlap.
  bool still_overlap() const;
  bool search(Vec3 toward);

  const ColoredHull &colored_a_, &colored_b_;
  const Body &body_a_, &body_b_;
  HullMemory& memory_;
  PlacedHull a_, b_;
  double slack_;
};

double HullLook::gap(Vec3 direction) {
  memory_.a = a_.farthest(direction, memory_.a);
  memory_.b = b_.farthest(-direction, memory_.b);
  return dot(direction, b_.vertex(memory_.b) - a_.vertex(memory_.a));
}

bool HullLook::still_overlap() const {
  Simplex simplex;
  for (std::size_t i = 0; i < 4; ++i) simplex.add(a_, memory_.of_a[i], b_, memory_.of_b[i]);
  simplex.reduce();
  return simplex.holds_origin();
}

bool HullLook::are_apart() {
  using Last = HullMemory::Last;
  if (memory_.last == Last::apart && gap(memory_.direction) > slack_) return true;
  if (memory_.last == Last::overlap && still_overlap()) return false;
  return search(between());
}

bool HullLook::search(Vec3 toward) {
  Simplex simplex;
  for (int step = 0; step < most_steps; ++step) {
    const double size = length(toward);
    if (!(size > 0)) break;
    const Vec3 direction = toward / size;
    memory_.a = a_.data.start(a_.local(direction));
    memory_.b = b_.data.start(b_.local(-direction));
    if (gap(direction) > slack_) {
      memory_.direction = direction;
      memory_.last = HullMemory::Last::apart;
      return true;
    }
    if (simplex.has(memory_.a, memory_.b)) break;
    simplex.add(a_, memory_.a, b_, memory_.b);
    simplex.reduce();
    if (simplex.holds_origin()) {
      memory_.of_a = simplex.a;
      memory_.of_b = simplex.b;
      memory_.last = HullMemory::Last::overlap;
      return false;
    }
    toward = simplex.nearest;
  }
  memory_.last = HullMemory::Last::nothing;
  return false;
}

std::optional<TrianglePair> HullLook::red_contact(bool ignore_touch) {
  // Drawn apart along the direction that separated them last, hulls part at the features that met first.
  const Vec3 toward = length_sq(memory_.direction) > 0 ? memory_.direction : between();
  const double size = length(toward);
  if (!(size > 0)) return std::nullopt;
  const Vec3 direction = toward / size;
  const double by = -gap(direction) / a_.scale + drawn_apart * std::min(a_.data.size, b_.data.size);
  auto rows = b_.pose.rows();
  for (int i = 0; i < 3; ++i) {
    double& t = rows[static_cast<std::size_t>(4 * i + 3)];
    t += direction[i] * by;
    if (!(std::abs(t) <= max_coordinate)) return std::nullopt;
  }
  const Pose apart = Pose::from_rows(rows);
  const PlacedHull drawn{b_.data, apart, b_.scale};
  FeaturePair pair{.a = {.id = memory_.a}, .b = {.id = memory_.b}};
  refresh(a_, drawn, pair);
  walk(a_, drawn, pair, most_walk_steps);

  std::optional<TrianglePair> found;
  int tested = 0;
  colored_a_.each_triangle(body_a_.model, pair.a, [&](std::uint32_t a) {
    const Corners corners_a = body_a_.corners(a);
    colored_b_.each_triangle(body_b_.model, pair.b, [&](std::uint32_t b) {
      if (found || tested++ >= most_pairs) return;
      const auto kind = classify(corners_a, body_b_.corners(b));
      if (kind && !(ignore_touch && *kind == ContactKind::touch)) found = {a, b};
    });
  });
  return found;
}

}  // namespace

std::optional<SeenByHulls> look_at_hulls(const Body& a, const Body& b, HullMemory& memory, RedContacts contacts) {
  const ColoredHull *hull_a = hull_of(a.model), *hull_b = hull_of(b.model);
  if (!hull_a || !hull_b) return std::nullopt;
  HullLook look(*hull_a, a, *hull_b, b, memory);
  const bool have_just_met = memory.last != HullMemory::Last::overlap;
  if (look.are_apart()) return SeenByHulls{.are_apart = true};
  if (contacts == RedContacts::none || !have_just_met) return SeenByHulls{};
  return SeenByHulls{.contact = look.red_contact(contacts == RedContacts::no_touches)};
}

}  // namespace tumble
