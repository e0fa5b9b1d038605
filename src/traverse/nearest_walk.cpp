// SPDX-License-Identifier: Apache-2.0
// Eight bounds, then four triangles, against a point. In double precision: the distances of far points are large beside
// their differences. Triangles are measured by the sink at the end, when few are left.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "traverse/nearest_walk.cpp"
#include "simd/foreach_target.h"

#include "traverse/nearest_walk.h"

#include "bounds/directions.h"
#include "bounds/rows.h"
#include "geometry/nearest_points-inl.h"
#include "traverse/pending_children.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

using Doubles = Lanes<double, node_lanes>;
using FourDoubles = Lanes<double, 4>;

/// Squared distances of a point from what is in eight bounds: none is less, none is more.
struct Distances {
  Doubles least, most;
};

/// By the slab form.
struct ObbDistances {
  Vec3 point;

  HWY_INLINE Distances operator()(const float* rows) const {
    const auto row = [&](int at) HWY_ATTR { return Doubles::load_floats(rows + at); };
    const Doubles x = Doubles::broadcast(point.x) - row(ObbRows::center(0)),
                  y = Doubles::broadcast(point.y) - row(ObbRows::center(1)),
                  z = Doubles::broadcast(point.z) - row(ObbRows::center(2));
    const Doubles zero = Doubles::broadcast(0);
    Distances sums{zero, zero};
    for (int i = 0; i < 3; ++i) {
      const Doubles along =
          abs(mul_add(row(ObbRows::axis(i, 2)), z, mul_add(row(ObbRows::axis(i, 1)), y, row(ObbRows::axis(i, 0)) * x)));
      const Doubles half = row(ObbRows::half(i)), near = max(zero, along - half), far = along + half;
      sums.least = mul_add(near, near, sums.least);
      sums.most = mul_add(far, far, sums.most);
    }
    return sums;
  }
};

/// From the box where the first three slabs are the axes'; at least, also along the normal of any slab.
struct DopDistances {
  struct Slab {
    double at, inverse_length;  // the point along the normal, and one over the normal's length
  };

  int count, axes;
  std::array<Slab, max_k / 2> slabs;

  DopDistances(const Vec3& point, int k) : count(k / 2), axes(has_axes(k) ? 3 : 0) {
    const std::span<const Vec3> normals = directions(k);
    const std::span<const double> lengths = direction_lengths(k);
    for (std::size_t i = 0; i < normals.size(); ++i) slabs[i] = {dot(normals[i], point), 1 / lengths[i]};
  }

  HWY_INLINE Distances operator()(const float* rows) const {
    const Doubles zero = Doubles::broadcast(0);
    Distances sums{zero, axes > 0 ? zero : Doubles::broadcast(1e30)};
    Doubles farthest = zero;
    for (int i = 0; i < count; ++i) {
      const Slab& slab = slabs[static_cast<std::size_t>(i)];
      const Doubles at = Doubles::broadcast(slab.at);
      const Doubles below = Doubles::load_floats(rows + DopRows::lower(i)) - at,
                    above = at - Doubles::load_floats(rows + DopRows::upper(i)), near = max(zero, max(below, above));
      if (i < axes) {
        const Doubles far = max(abs(below), abs(above));
        sums.least = mul_add(near, near, sums.least);
        sums.most = mul_add(far, far, sums.most);
      } else {
        farthest = max(farthest, near * Doubles::broadcast(slab.inverse_length));
      }
    }
    sums.least = max(sums.least, farthest * farthest);
    return sums;
  }
};

HWY_INLINE double least_of(const double* eight) {
  const double a = std::min(eight[0], eight[1]), b = std::min(eight[2], eight[3]), c = std::min(eight[4], eight[5]),
               d = std::min(eight[6], eight[7]);
  return std::min(std::min(a, b), std::min(c, d));
}

/// The distances of a point from a group of triangles as stored.
HWY_INLINE FourDoubles group_distances(const Vec3& point, const float* corners, std::uint32_t width) {
  using Points = Vec3s<FourDoubles>;
  const Points p{FourDoubles::broadcast(point.x), FourDoubles::broadcast(point.y), FourDoubles::broadcast(point.z)};
  Points c[3];
  for (int i = 0; i < 3; ++i) {
    const float* const rows = corners + static_cast<std::size_t>(3 * i) * width;
    c[i] = Points{FourDoubles::load_floats(rows), FourDoubles::load_floats(rows + width),
                  FourDoubles::load_floats(rows + 2 * width)} -
           p;
  }
  const FourDoubles zero = FourDoubles::broadcast(0);
  const Points origin{zero, zero, zero};
  NearestSearch<FourDoubles> search;
  search.template corners_to<false>(&origin, 1, Edged<FourDoubles>(c));
  return sqrt(search.distance_sq);
}

/// Triangles that wait to be measured until the walk is over. Functions return whether the sink ends it.
class Candidates {
 public:
  HWY_INLINE bool add(double least, std::uint32_t triangle, PointSink& sink) {
    if (count_ == most && make_room(sink)) return true;
    all_[count_++] = {least, triangle};
    return false;
  }
  bool measure_all(PointSink& sink) {
    std::sort(all_.begin(), all_.begin() + count_, [](const auto& a, const auto& b) { return a.least < b.least; });
    for (std::size_t i = 0; i < count_ && !(all_[i].least > sink.limit); ++i)
      if (sink.measure(all_[i].triangle)) return true;
    count_ = 0;
    return false;
  }

 private:
  struct Candidate {
    double least;  // it is not nearer than this
    std::uint32_t triangle;
  };
  static constexpr std::size_t most = 32;

  HWY_NOINLINE bool make_room(PointSink& sink) {
    const auto end = std::remove_if(all_.begin(), all_.end(), [&](const auto& c) { return c.least > sink.limit; });
    count_ = static_cast<std::size_t>(end - all_.begin());
    return count_ > most / 2 && measure_all(sink);
  }

  std::size_t count_ = 0;
  std::array<Candidate, most> all_;
};

template <class Bounds>
HWY_INLINE void search(const Tree& tree, const TreePoint& point, const Bounds& bounds, PointSink& sink) {
  const Nodes nodes(tree);
  // Distances from bounds: axes of a box are floats, their matrix's norm below 1 + 2^-21. Triangles: each coordinate of
  // a stored corner is rounded to float.
  constexpr double longer = 1 + 0x1p-20;
  const double wide = point.widening(), triangle_wide = wide + 0x1p-23;
  double limit_sq = 0;  // of distances from bounds
  const auto follow_limit = [&]() HWY_ATTR {
    const double limit = std::min(sink.limit + wide, 1e14) * longer;  // empty lanes are farther away than that
    limit_sq = limit * limit;
  };
  follow_limit();
  // One triangle is at most this far away, so that others may not matter.
  const auto found = [&](double at_most) HWY_ATTR {
    sink.limit = std::min(sink.limit, at_most * sink.stretch + sink.underflow);
    follow_limit();
  };
  Candidates candidates;
  PendingChildren<double> pending;
  // From what the root leads to: its one lane, the whole object, would seldom be ruled out.
  Pending<double> next{0, nodes[0].children[0]};
  HWY_ALIGN double least[Tree::lanes], most[Tree::lanes], apart[Tree::group_size];
  for (;; next = pending.pop()) {
    while (!next.child.is_leaf() && next.distance <= limit_sq) {
      const NodeView node = nodes[next.child.index()];
      const Distances here = bounds(node.rows);
      if (greater(Doubles::broadcast(limit_sq), here.most) != 0) {
        here.most.store(most);
        found(std::sqrt(least_of(most)) * longer + wide);
      }
      here.least.store(least);
      const std::uint32_t near = ~greater(here.least, Doubles::broadcast(limit_sq)) & 0xff;
      if (near == 0) break;
      next = pending.push_others(near, least, node.children);
    }
    if (next.child.is_leaf() && next.distance <= limit_sq) {
      const LeafView leaf = tree.leaf(next.child.index());
      for (std::uint32_t slot = leaf.first; slot < leaf.last; slot += Tree::group_size) {
        const std::uint32_t width = std::min(Tree::group_size, leaf.last - slot);
        group_distances(point.at, tree.corners.data() + Tree::corner_floats * slot, width).store(apart);
        for (std::uint32_t i = 0; i < width; ++i) {
          if (apart[i] - triangle_wide > sink.limit) continue;
          found(apart[i] + triangle_wide);
          if (candidates.add(apart[i] - triangle_wide, tree.triangle_ids[slot + i], sink)) return;
        }
      }
    }
    if (pending.empty()) break;
  }
  candidates.measure_all(sink);
}

void search_dops(const Tree& tree, const TreePoint& point, PointSink& sink) {
  search(tree, point, DopDistances(point.at, tree.k), sink);
}
void search_obbs(const Tree& tree, const TreePoint& point, PointSink& sink) {
  search(tree, point, ObbDistances{point.at}, sink);
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {

HWY_EXPORT(search_dops);
HWY_EXPORT(search_obbs);

void walk_to_nearest(const Tree& tree, const TreePoint& point, PointSink& sink) {
  if (!point.bounds_serve()) {
    for (std::uint32_t t = 0; t < tree.triangle_count(); ++t)
      if (sink.measure(t)) return;
  } else if (tree.bound == Bound::dop) {
    HWY_DYNAMIC_DISPATCH(search_dops)(tree, point, sink);
  } else {
    HWY_DYNAMIC_DISPATCH(search_obbs)(tree, point, sink);
  }
}

}  // namespace tumble
#endif
