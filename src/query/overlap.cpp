// SPDX-License-Identifier: Apache-2.0
// Windings on both sides of a point of a face, face by face.
#include "query/overlap.h"

#include "geometry/distance.h"
#include "geometry/face_cells.h"
#include "math/max_norm.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tumble {
namespace {

/// Bodies with very many contacts, such as two in one place, overlap as a rule. So faces are looked at while contacts
/// are still taken in, each time there are so many times more of them.
constexpr std::size_t looks_apart = 8;

/// A point, to within `radius`.
struct Ball {
  Vec3 center;
  double radius = 0;
};

/// The ends of the segment that a triangle has in common with a plane it crosses. Nothing if that is not certain.
std::optional<std::array<Ball, 2>> ends_on(const Corners& plane, const Corners& t) {
  const PlaneFilter filter(plane[0], plane[1], plane[2]);
  const std::array<Filtered, 3> at{filter(t[0]), filter(t[1]), filter(t[2])};
  if (!at[0].certain() || !at[1].certain() || !at[2].certain()) return std::nullopt;
  std::size_t p = 0;  // the corner alone on its side
  while (p < 3 && (sign(at[p].det) == sign(at[(p + 1) % 3].det) || sign(at[p].det) == sign(at[(p + 2) % 3].det))) ++p;
  if (p == 3) return std::nullopt;
  std::array<Ball, 2> ends;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t q = (p + 1 + i) % 3;
    const Vec3 way = t[q] - t[p];
    const double whole = std::abs(at[p].det) + std::abs(at[q].det);
    ends[i].center = t[p] + way * (std::abs(at[p].det) / whole);
    const double part = 2 * (at[p].bound + at[q].bound) / whole;
    ends[i].radius = 2 * max_norm(way) * part + 0x1p-48 * (max_norm(t[p]) + max_norm(t[q]));
  }
  return ends;
}

/// A point of the inside of the segment in which two triangles cross. Nothing if none is certain.
std::optional<Ball> crossing_point(const Corners& a, const Corners& b) {
  const auto of_a = ends_on(b, a), of_b = ends_on(a, b);
  if (!of_a || !of_b) return std::nullopt;
  const auto& [a0, a1] = *of_a;
  const auto& [b0, b1] = *of_b;
  const Vec3 way = a1.center - a0.center;
  int axis = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(way[i]) > std::abs(way[axis])) axis = i;
  const double error = std::max({a0.radius, a1.radius, b0.radius, b1.radius});
  const double from = std::max(std::min(a0.center[axis], a1.center[axis]), std::min(b0.center[axis], b1.center[axis]));
  const double to = std::min(std::max(a0.center[axis], a1.center[axis]), std::max(b0.center[axis], b1.center[axis]));
  if (!(to - from > 16 * error)) return std::nullopt;
  const double at = from + 0.4375 * (to - from);  // the middle is where faces are often divided
  return Ball{a0.center + way * ((at - a0.center[axis]) / way[axis]), 4 * error};
}

}  // namespace

OverlapSearch::OverlapSearch() = default;
OverlapSearch::~OverlapSearch() = default;

void OverlapSearch::begin(const PlacedPair& bodies, Volume wanted) {
  bodies_ = &bodies;
  wanted_ = wanted;
  met_.clear();
  next_look_ = looks_apart;
  for (Side& side : sides_) side.looks_at_loose = false;
  sides_[0].tree.emplace(bodies.a);
  sides_[1].tree.emplace(bodies.b);
  step_ = Step::start;
  cells_.reset();
}

bool OverlapSearch::meet(TrianglePair pair, ContactKind kind) {
  met_.push_back(pair);
  if (kind == ContactKind::cross && are_alone(pair)) return true;
  if (met_.size() < next_look_) return false;
  next_look_ *= looks_apart;
  return is_beside(true, pair.a) || is_beside(false, pair.b);
}

/// Whether the triangles, which cross, have a common point that no other triangle is near.
bool OverlapSearch::are_alone(TrianglePair pair) const {
  const std::array<std::uint32_t, 2> triangles{pair.a, pair.b};
  const auto point = crossing_point(bodies_->a.corners(pair.a), bodies_->b.corners(pair.b));
  if (!point) return false;
  for (std::size_t i = 0; i < 2; ++i) {
    const PlacedTree& tree = *sides_[i].tree;
    const bool is_near = tree.any_near(point->center, 2 * point->radius, [&](std::uint32_t other) {
      if (other == triangles[i]) return false;
      const Corners corners = tree.body().corners(other);
      // Promise 7 bounds the error of the distance by less than this.
      const double size = max_norm(corners[0] - point->center) + max_norm(corners[1] - point->center) +
                          max_norm(corners[2] - point->center);
      const double near = 2 * point->radius + 1e-13 * size;
      return !(point_distance(point->center, corners).distance_sq > near * near);
    });
    if (is_near) return false;
  }
  return true;
}

/// On both sides of a sample, by a ray along the face's axis or against it.
OverlapSearch::Windings OverlapSearch::windings(const PlacedTree& tree, const FaceSample& q) const {
  const Face& face = cells_->face();
  const int axis = face.axis();
  const Corners& t = face.corners();
  Vec3 low, high;
  low[(axis + 1) % 3] = high[(axis + 1) % 3] = q.at.x;
  low[(axis + 2) % 3] = high[(axis + 2) % 3] = q.at.y;
  low[axis] = std::min({t[0][axis], t[1][axis], t[2][axis]});
  high[axis] = std::max({t[0][axis], t[1][axis], t[2][axis]});
  const AxisRay up{low, axis, true}, down{high, axis, false};
  const bool goes_up = !(tree.way_out(down) < tree.way_out(up));
  int beyond = 0, here = 0;
  tree.any_on(goes_up ? up : down, q.slack, [&](std::uint32_t triangle) {
    const Over over = face.over(q, tree.body().corners(triangle));
    if (over.turn == 0 || over.height == (goes_up ? -1 : 1)) return false;
    (over.height == 0 ? here : beyond) += over.turn;
    return false;
  });
  // A triangle seen counter-clockwise along the axis has its inside below it.
  return goes_up ? Windings{beyond, beyond + here} : Windings{-beyond - here, -beyond};
}

bool OverlapSearch::is_beside(bool of_a, std::uint32_t triangle) {
  step_ = of_a ? Step::loose_a : Step::loose_b;
  const bool loose = own().looks_at_loose;
  const bool found = open(triangle, 0, 0) && look();
  own().looks_at_loose = loose;
  cells_.reset();
  step_ = Step::start;
  return found;
}

ShellInside OverlapSearch::found() const {
  return {is_of_a(), triangle_, (is_of_a() ? bodies_->a : bodies_->b).model.triangles[triangle_][0]};
}

// Of faces with area, run() has looked at every cell: one inside the other body makes it look at loose faces.
bool OverlapSearch::may_reach_inside(bool of_a) const {
  const Side &own = sides_[of_a ? 0 : 1], &other = sides_[of_a ? 1 : 0];
  if (own.looks_at_loose) return true;
  const Body& body = own.tree->body();
  const auto is_degenerate = [&](std::uint32_t triangle) { return dimension(body.corners(triangle)) < 2; };
  if (std::ranges::any_of(met_, [&](const TrianglePair& pair) { return is_degenerate(of_a ? pair.a : pair.b); }))
    return true;
  for (std::uint32_t triangle = 0; triangle < body.model.triangles.size(); ++triangle)
    if (is_degenerate(triangle) && !other.tree->locate(body.corners(triangle)[0]).is_outside()) return true;
  return false;
}

void OverlapSearch::next_step() {
  step_ = static_cast<Step>(static_cast<int>(step_) + 1);
  next_ = 0;
  const auto by = [](auto first, auto second) {
    return [=](const TrianglePair& x, const TrianglePair& y) {
      return std::pair(x.*first, x.*second) < std::pair(y.*first, y.*second);
    };
  };
  if (step_ == Step::met_a) {
    std::ranges::sort(met_, by(&TrianglePair::a, &TrianglePair::b));
    const auto are_same = [](const TrianglePair& x, const TrianglePair& y) { return x.a == y.a && x.b == y.b; };
    met_.erase(std::unique(met_.begin(), met_.end(), are_same), met_.end());
  } else if (step_ == Step::met_b) {
    std::ranges::sort(met_, by(&TrianglePair::b, &TrianglePair::a));
  } else if (step_ != Step::end && own().looks_at_loose) {
    own().has_contact.assign(own().tree->body().model.triangles.size(), false);
    for (const TrianglePair& pair : met_) own().has_contact[is_of_a() ? pair.a : pair.b] = true;
  }
}

/// The next face with area. False after the last.
bool OverlapSearch::open_next() {
  if (step_ == Step::start) next_step();
  for (; step_ != Step::end; next_step()) {
    if (step_ == Step::met_a || step_ == Step::met_b) {
      const auto own_of = [&](std::size_t i) { return step_ == Step::met_a ? met_[i].a : met_[i].b; };
      while (next_ < met_.size()) {
        const std::size_t first = next_;
        while (next_ < met_.size() && own_of(next_) == own_of(first)) ++next_;
        if (open(own_of(first), first, next_)) return true;
        for (const std::uint32_t vertex : own().tree->body().model.triangles[own_of(first)]) {
          const Location location = other().tree->locate(own().tree->body().vertex(vertex));
          own().looks_at_loose |= !location.on_surface && counts_as_other(location.winding);
        }
      }
    } else if (own().looks_at_loose) {
      while (next_ < own().has_contact.size()) {
        const auto triangle = static_cast<std::uint32_t>(next_++);
        if (!own().has_contact[triangle] && open(triangle, 0, 0)) return true;
      }
    }
  }
  return false;
}

/// Makes the cells of a face, cut by what it meets. False if it has no area.
bool OverlapSearch::open(std::uint32_t triangle, std::size_t first_cut, std::size_t last_cut) {
  const PlacedTree& tree = *own().tree;
  const Corners corners = tree.body().corners(triangle);
  if (dimension(corners) < 2) return false;
  triangle_ = triangle;
  first_cut_ = first_cut;
  last_cut_ = last_cut;
  is_cut_by_own_ = may_differ_ = false;
  cells_ = std::make_unique<FaceCells>(corners);
  const PlacedTree& by = *other().tree;
  for (std::size_t i = first_cut; i < last_cut; ++i) {
    const std::uint32_t cutter = is_of_a() ? met_[i].b : met_[i].a;
    cells_->cut(by.body().corners(cutter));
  }
  return true;
}

/// Looks at the next cell, or closes the face after the last. Returns true if some of the volume is beside it.
bool OverlapSearch::look() {
  const std::optional<FaceSample> q = cells_->next();
  if (!q) {
    if (!may_differ_ || is_cut_by_own_ || !cut_by_own()) cells_.reset();
    return false;
  }
  const Windings theirs = windings(*other().tree, *q);
  const bool above = counts_as_other(theirs.above), below = counts_as_other(theirs.below);
  if (!above && !below) return false;
  const Windings ours = windings(*own().tree, *q);
  if ((above && counts_as_own(ours.above)) || (below && counts_as_own(ours.below))) return true;
  may_differ_ = true;
  if (above && below) own().looks_at_loose = true;
  return false;
}

/// Starts the face again, cut by its own body, too. False if that makes no difference.
bool OverlapSearch::cut_by_own() {
  const PlacedTree& tree = *own().tree;
  const Corners corners = cells_->face().corners();
  const Vec3 center = centroid(corners);
  double radius = 0;
  for (const Vec3& corner : corners)
    radius = std::max(radius, 1.7321 * max_norm(corner - center));  // squares of tiny numbers would be 0
  FaceCells alone(corners);
  std::vector<Corners> cutters;
  tree.any_near(center, radius * (1 + 1e-12) + tree.rounding(), [&](std::uint32_t triangle) {
    if (triangle != triangle_) cutters.push_back(tree.body().corners(triangle));
    return false;
  });
  for (const Corners& cutter : cutters) alone.cut(cutter);
  if (!alone.is_cut()) return false;
  open(triangle_, first_cut_, last_cut_);
  for (const Corners& cutter : cutters) cells_->cut(cutter);
  is_cut_by_own_ = true;
  return true;
}

}  // namespace tumble
