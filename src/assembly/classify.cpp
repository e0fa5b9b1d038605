// SPDX-License-Identifier: Apache-2.0
// Asks about a pair what its class depends on, the cheap questions first.
#include "assembly/classify.h"

#include "geometry/contact.h"
#include "query/containment.h"
#include "query/deadline_of.h"
#include "query/overlap_depth.h"
#include "query/surface_cover.h"
#include "tree/model_data.h"
#include "world/box_math.h"

#include <tumble/query.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace tumble {
namespace {

/// Searches of a depth between two looks at `stop`.
constexpr std::uint64_t searches_at_once = 2048;
/// Where a depth may be on either side of the tolerance, it is searched again, to this part of the tolerance.
constexpr double finer = 1.0 / 16;

/// All triangles in contact, and one pair of them that shows it best: one that crosses, if there is any.
struct Meeting {
  std::vector<TrianglePair> pairs;
  TrianglePair shown{};
  ContactKind kind = ContactKind::touch;
};

class Classification {
 public:
  Classification(const ClashPart& a, const ClashPart& b, const ClashOptions& options, const std::atomic<bool>& stop)
      : a_(a),
        b_(b),
        options_(options),
        stop_(stop),
        pair_(a.model, b.model),
        bodies_(data_of(a.model), a.pose, data_of(b.model), b.pose, true) {
    clash_.not_closed = !a.is_closed || !b.is_closed;
  }

  std::optional<Clash> run() {
    meet();
    const bool do_overlap = !clash_.not_closed && (met_.pairs.empty() ? is_inside() : overlap());
    if (met_.pairs.empty() && !is_inside_) measure_gap();
    if (stop_) return std::nullopt;
    if (do_overlap) search_depth();
    if (stop_) return std::nullopt;
    clash_.kind = kind(do_overlap);
    if (clash_.kind == ClashClass::clear) clash_.gap.reset();
    return clash_;
  }

 private:
  ClashClass kind(bool do_overlap) {
    if (are_duplicates()) return ClashClass::duplicate;
    if (do_overlap) {
      if (is_one_contained()) return ClashClass::contained;
      if (!(clash_.depth->upper <= options_.tolerance)) return ClashClass::piercing;
    } else if (clash_.not_closed && met_.kind == ContactKind::cross) {
      return ClashClass::piercing;
    }
    if (!met_.pairs.empty() || is_inside_) return ClashClass::touching;
    return clash_.gap && *clash_.gap <= options_.clearance ? ClashClass::too_close : ClashClass::clear;
  }

  void meet() {
    const auto rank = [](ContactKind kind) { return kind == ContactKind::cross ? 1 : 0; };
    pair_.start(a_.pose, b_.pose, ContactRequest{.geometry = false}).run({}, [&](const Contact& contact) {
      const TrianglePair here{contact.triangle_a, contact.triangle_b};
      const auto key = [&](TrianglePair pair, ContactKind of) { return std::tuple(-rank(of), pair.a, pair.b); };
      if (met_.pairs.empty() || key(here, contact.kind) < key(met_.shown, met_.kind)) {
        met_.shown = here;
        met_.kind = contact.kind;
      }
      met_.pairs.push_back(here);
      return true;
    });
    clash_.contacts = met_.pairs.size();
    if (met_.pairs.empty()) return;
    const auto [a, b] = met_.shown;
    clash_.point = make_contact(bodies_.a.corners(a), bodies_.b.corners(b), met_.kind, a, b).point;
  }

  bool overlap() { return pair_.collide(a_.pose, b_.pose, {.ignore_touch = true, .solid = true}); }

  /// Whether they overlap, although their surfaces do not meet.
  bool is_inside() {
    if (!tumble::overlap(a_.box, b_.box)) return false;
    const Distance distance = pair_.distance(a_.pose, b_.pose, {.upper_bound = 0, .solid = true});
    is_inside_ = !distance.farther;
    if (is_inside_) clash_.point = distance.point_a;
    return is_inside_ && overlap();
  }

  void measure_gap() {
    const double reach = std::max(options_.clearance, duplicate_distance(a_, b_, options_.tolerance));
    const Distance distance = pair_.distance(a_.pose, b_.pose, {.upper_bound = reach});
    if (distance.farther) return;
    clash_.gap = distance.distance;
    clash_.point = distance.point_a * 0.5 + distance.point_b * 0.5;
  }

  bool are_duplicates() const {
    const double distance = duplicate_distance(a_, b_, options_.tolerance);
    for (int axis = 0; axis < 3; ++axis)
      if (std::abs(a_.box.lower[axis] - b_.box.lower[axis]) > distance ||
          std::abs(a_.box.upper[axis] - b_.box.upper[axis]) > distance)
        return false;
    const PlacedTree a(bodies_.a), b(bodies_.b);
    return covers(b, a, distance) && covers(a, b, distance);
  }

  bool is_one_contained() {
    if (is_contained(bodies_, met_.pairs)) return true;
    const PlacedPair swapped(bodies_.b.model, b_.pose, bodies_.a.model, a_.pose, true);
    for (TrianglePair& pair : met_.pairs) std::swap(pair.a, pair.b);
    return is_contained(swapped, met_.pairs);
  }

  /// As the solids overlap, no question need find that out first.
  void search_depth() {
    const double tolerance = options_.tolerance;
    const auto is_open = [&](const OverlapDepth& depth) {
      return tolerance > 0 && depth.lower <= tolerance && depth.upper > tolerance;
    };
    const Deadline deadline = deadline_of(options_.depth_budget, 0);
    std::uint64_t used = 0;
    const auto search = [&](double precision, const auto& goes_on) {
      OverlapDepthSearch depths(bodies_.a, bodies_.b, {.precision = precision});
      bool is_done = false;
      do {
        is_done = depths.run({std::min(deadline.node_pairs, used + searches_at_once), deadline.time}, used);
      } while (!is_done && !stop_ && !deadline.has_passed(used) && goes_on(depths.so_far()));
      return depths.so_far();
    };
    OverlapDepth depth = search(options_.depth_precision, [](const OverlapDepth&) { return true; });
    if (is_open(depth) && !stop_ && !deadline.has_passed(used)) {
      const OverlapDepth again = search(tolerance * finer, is_open);
      depth.upper = std::min(depth.upper, again.upper);
      if (again.lower > depth.lower) {
        depth.lower = again.lower;
        depth.center = again.center;
      }
    }
    clash_.depth = {depth.lower, depth.upper};
    if (depth.lower > 0) clash_.point = depth.center;
  }

  const ClashPart &a_, &b_;
  const ClashOptions& options_;
  const std::atomic<bool>& stop_;
  Pair pair_;
  PlacedPair bodies_;
  Meeting met_;
  bool is_inside_ = false;  // surfaces do not meet, but solids do
  Clash clash_;
};

}  // namespace

double duplicate_distance(const ClashPart& a, const ClashPart& b, double tolerance) {
  const auto size = [](const Box& box) { return length(box.upper - box.lower); };
  return std::max(tolerance, 1e-9 * std::min(size(a.box), size(b.box)));
}

std::optional<Clash> classify(const ClashPart& a, const ClashPart& b, const ClashOptions& options,
                              const std::atomic<bool>& stop) {
  return Classification(a, b, options, stop).run();
}

}  // namespace tumble
