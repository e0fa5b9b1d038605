// SPDX-License-Identifier: Apache-2.0
// Looks at pairs of volumes along a few directions, and at pairs of triangles along the line between their nearest
// points.
#include "motion/contact_search.h"

#include "geometry/distance.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tumble {
namespace {

Corners corners_of(const MovingBody& body, std::uint32_t triangle) {
  const Triangle& t = body.model().triangles[triangle];
  return {body.vertex(t[0]), body.vertex(t[1]), body.vertex(t[2])};
}

/// Upright on it, of any length.
Vec3 normal_of(const Corners& t) { return cross(t[1] - t[0], t[2] - t[0]); }

/// For how long two triangles stay apart that have a gap along n, from a to b. At any time the corners are the extremes
/// along n, so it is enough to look at each two of them, with their own gap and speed.
double open_for_corners(const MovingPair& pair, const Corners& a, const Corners& b, const Vec3& n, double margin,
                        double enough) {
  std::array<Approach, 3> of_a, of_b;
  for (std::size_t i = 0; i < 3; ++i) {
    of_a[i] = pair.a.approach(n, a[i]);
    of_b[i] = pair.b.approach(-n, b[i]);
  }
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      least = std::min(least, open_for(dot(n, b[j] - a[i]) - margin, of_a[i] + of_b[j]));
      if (least <= enough) return least;
    }
  return least;
}

}  // namespace

// Pairs are advanced until this is left, so that the answer is a gap with a direction. Volumes get ahead of triangles:
// of many that are as near, few are then opened.
double MovingPair::left_by_volumes() const { return a.margin() + b.margin() + tolerance / 4; }
double MovingPair::left_by_triangles() const { return a.margin() + b.margin() + tolerance / 2; }

double tolerance_of(double asked, const MovingBody& a, const MovingBody& b) {
  constexpr double usual = 1e-6, tiniest = 1e-140;
  const double wanted = asked > 0 ? asked : usual * std::min(a.size(), b.size());
  return std::max(wanted, 16 * (a.margin() + b.margin()) + tiniest);
}

void ContactSearch::add(const MovingPair& pair) {
  pairs_.push_back(pair);
  push({.time = free_until_,
        .number = 0,
        .pair = static_cast<std::uint32_t>(pairs_.size() - 1),
        .a = VolumeId::root().bits,
        .b = VolumeId::root().bits,
        .are_triangles = false});
}

void ContactSearch::push(Waiting waiting) {
  if (waiting.time > end_) return;
  waiting.number = made_++;
  heap_.push_back(waiting);
  std::push_heap(heap_.begin(), heap_.end());
}

ContactSearch::End ContactSearch::run(const Deadline& deadline, std::uint64_t& used) {
  constexpr std::uint64_t looks_per_clock = 64;
  while (!heap_.empty()) {
    const Waiting next = heap_.front();
    free_until_ = next.time;
    if (used >= deadline.node_pairs || (used % looks_per_clock == looks_per_clock - 1 && deadline.is_late()))
      return End::out_of_budget;
    ++used;
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.pop_back();
    MovingPair& pair = pairs_[next.pair];
    pair.a.place(next.time);
    pair.b.place(next.time);
    if (!next.are_triangles) {
      advance_or_open(next);
    } else if (advance_triangles(next)) {
      found_ = next;
      return End::found;
    }
  }
  free_until_ = end_;
  return End::free;
}

/// Along the line of centers, along what separates one box from the box around the other, and along single faces: a
/// body that slides along a face never comes nearer to it. Stops once it is apart for `enough`.
ContactSearch::Look ContactSearch::look(const MovingPair& pair, const PlacedVolume& a, const PlacedVolume& b,
                                        double enough) const {
  const Vec3 between = (pair.b.reference() - pair.a.reference()) + (b.arm - a.arm);
  const double margin = pair.left_by_volumes(), round = a.round + b.round;
  Look best;
  // `n` is of unit length, about: gaps and speeds are along the same vector. True if that is enough.
  const auto try_along = [&](Vec3 n) {
    double apart = dot(n, between);
    if (apart < 0) n = -n, apart = -apart;
    const double gap = apart - a.extent(n) - b.extent(n) - round - margin;
    if (!(gap > 0)) return false;
    best.gap = std::max(best.gap, gap);
    best.open_for = std::max(best.open_for, open_for(gap, pair.a.approach(n, a) + pair.b.approach(-n, b)));
    return best.open_for > enough;
  };
  const double far = length(between);
  if (far > a.radius + b.radius && try_along(between / far)) return best;
  for (const bool of_a : {true, false}) {
    const auto& axes = of_a ? a.axes : b.axes;
    Vec3 together{};
    std::array<bool, 3> separates{};
    for (std::size_t i = 0; i < 3; ++i) {
      const double along = dot(axes[i], between);
      const double gap = std::abs(along) - a.extent(axes[i]) - b.extent(axes[i]) - round - margin;
      separates[i] = gap > 0;
      if (separates[i]) together += axes[i] * (along > 0 ? gap : -gap);
    }
    const int count = int{separates[0]} + int{separates[1]} + int{separates[2]};
    if (count == 0) continue;
    const double size = length(together);
    if (count > 1 && size > 0 && try_along(together / size)) return best;
    for (std::size_t i = 0; i < 3; ++i)
      if (separates[i] && try_along(axes[i])) return best;
  }
  return best;
}

void ContactSearch::advance_or_open(const Waiting& at) {
  const MovingPair& pair = pairs_[at.pair];
  const VolumeId id_a{at.a}, id_b{at.b};
  const Child a = pair.a.model().tree.child(id_a), b = pair.b.model().tree.child(id_b);
  const PlacedVolume volume_a = pair.a.volume(id_a), volume_b = pair.b.volume(id_b);
  const double left = end_ - at.time;
  const Look here = look(pair, volume_a, volume_b, left);
  if (here.open_for > left) return;
  Waiting next = at;
  next.time = at.time + here.open_for;
  // Where the gap is large beside the volumes, their parts do not know much better. A gap below the tolerance may be
  // too small for time to go on.
  constexpr double large = 0.5;
  if (here.gap > std::max(pair.tolerance, large * std::max(volume_a.radius, volume_b.radius))) return push(next);
  if (a.is_leaf() && b.is_leaf()) return open_leaves(at, a, b);
  const bool opens_a = b.is_leaf() || (!a.is_leaf() && volume_a.radius > volume_b.radius);
  const MovingBody& opened = opens_a ? pair.a : pair.b;
  const std::uint32_t node = opens_a ? a.index() : b.index();
  const auto lanes = static_cast<std::uint32_t>(opened.model().tree.node(node).used_lanes());
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const VolumeId id = VolumeId::of(node, lane);
    const PlacedVolume part = opened.volume(id);
    const Look look_at = opens_a ? look(pair, part, volume_b, left) : look(pair, volume_a, part, left);
    (opens_a ? next.a : next.b) = id.bits;
    next.time = at.time + std::max(here.open_for, look_at.open_for);
    push(next);
  }
}

void ContactSearch::open_leaves(const Waiting& at, Child a, Child b) {
  const MovingPair& pair = pairs_[at.pair];
  const Tree &tree_a = pair.a.model().tree, &tree_b = pair.b.model().tree;
  const LeafView leaf_a = tree_a.leaf(a.index()), leaf_b = tree_b.leaf(b.index());
  const double margin = pair.left_by_volumes(), left = end_ - at.time;
  for (std::uint32_t i = leaf_a.first; i < leaf_a.last; ++i) {
    const Corners corners_a = corners_of(pair.a, tree_a.triangle_ids[i]);
    const Vec3 middle = centroid(corners_a);
    for (std::uint32_t j = leaf_b.first; j < leaf_b.last; ++j) {
      const Corners corners_b = corners_of(pair.b, tree_b.triangle_ids[j]);
      const Vec3 between = centroid(corners_b) - middle;
      double open = 0;
      // What slides along a face never comes nearer to it; most such pairs need not be measured.
      for (const Vec3& direction : {between, normal_of(corners_a), normal_of(corners_b)}) {
        const double size = dot(direction, between) < 0 ? -length(direction) : length(direction);
        if (size == 0 || open > left) continue;
        open = std::max(open, open_for_corners(pair, corners_a, corners_b, direction / size, margin, open));
      }
      push({at.time + open, 0, at.pair, tree_a.triangle_ids[i], tree_b.triangle_ids[j], true});
    }
  }
}

bool ContactSearch::advance_triangles(const Waiting& at) {
  const MovingPair& pair = pairs_[at.pair];
  const Corners a = corners_of(pair.a, at.a), b = corners_of(pair.b, at.b);
  const TriangleDistance measured = distance(a, b);
  const double apart = std::sqrt(measured.distance_sq);
  // The pose at a given end of a leg differs from this one by roundings.
  if (apart <= pair.tolerance - (pair.a.margin() + pair.b.margin())) return true;
  const double margin = pair.left_by_triangles();
  const double gap = apart * (1 - 1e-11) - margin;
  // Whatever the direction, of which roundings may leave little.
  const auto fastest = [](const MovingBody& body, const Corners& t) {
    return std::max({body.turning_speed(t[0]), body.turning_speed(t[1]), body.turning_speed(t[2])});
  };
  const double speed = length(pair.a.leg().velocity - pair.b.leg().velocity) + fastest(pair.a, a) + fastest(pair.b, b);
  const double open = gap / (speed + least_length) * (1 - 1e-12);
  Waiting next = at;
  next.time =
      at.time + std::max(open, open_for_corners(pair, a, b, (measured.on_b - measured.on_a) / apart, margin, open));
  push(next);
  return false;
}

}  // namespace tumble
