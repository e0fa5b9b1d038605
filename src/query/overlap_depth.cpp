// SPDX-License-Identifier: Apache-2.0
// The largest ball inside two solids. Let f(p) be the lesser of p's depths in a and in b (DepthInSolid); the ball's
// radius is the greatest f. As f changes by no more than p moves, it is at most f(c) + r over a box with the centre c
// and the half diagonal r. Best-first division of boxes by that bound converges, but not where f is about the same all
// over a plane, as between parallel faces. There two other bounds serve. First, f is at most the distance from any
// triangle of the boundary, and so at most the mean of two such distances. Distances from convex sets are convex, and
// so is the mean: it is greatest at a corner of the box. Between parallel faces it is the same everywhere, and the
// bound is exact. Second, where all of a solid near the box is behind the plane of one of its faces, a point of the
// solid is no deeper than it is behind that plane. What such planes leave of the box is a polytope. If no part of it is
// deep enough, or the deep part is outside one of the solids, the box is done: so end boxes where solids touch or
// barely overlap.
//
// The search is not PenetrationSearch's: that one divides a surface, this one space; only the heap would be shared.
#include "query/overlap_depth.h"

#include "geometry/distance.h"
#include "geometry/triangle.h"
#include "geometry/unit_normal.h"
#include "query/most_regions.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tumble {
namespace {

/// A box that meets more triangles of a body is not cut down.
constexpr std::size_t most_to_cut = 48;

double asked_of(const OverlapDepthRequest& request, const PlacedTree& a, const PlacedTree& b) {
  return request.precision > 0 ? request.precision : 2e-3 * std::min(a.whole().radius, b.whole().radius);
}

Vec3 corner(const Vec3& low, const Vec3& high, std::size_t k) {
  return {(k & 1) != 0 ? high.x : low.x, (k & 2) != 0 ? high.y : low.y, (k & 4) != 0 ? high.z : low.z};
}

/// A convex polytope, as faces of edges in no order. It begins as a box. Whatever roundings make of a cut, every
/// outline stays closed and every edge stays in two faces, so that the surface stays closed, too. No point of what
/// should be left is then farther than error_of(cuts) outside the hull of the corners.
class Polytope {
 public:
  Polytope(const Vec3& low, const Vec3& high) : faces_(6) {
    double reach = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      reach = std::max({reach, std::abs(low[static_cast<int>(axis)]), std::abs(high[static_cast<int>(axis)])});
      for (std::size_t k = 0; k < 8; ++k)
        if (const std::size_t other = k ^ (std::size_t{1} << axis); k < other)
          for (std::size_t across = 0; across < 3; ++across)
            if (across != axis)
              faces_[2 * across + (k >> across & 1)].push_back({corner(low, high, k), corner(low, high, other)});
    }
    same_ = 0x1p-48 * reach;
  }

  bool is_empty() const { return faces_.empty(); }
  double error_of(std::size_t cuts) const { return static_cast<double>(cuts) * same_; }
  /// Leaves what is behind the plane. Of a polytope that roundings have made too complicated it leaves all.
  void cut(const OverlapDepthSearch::Plane& plane) {
    std::size_t edges = 0;
    for (const Face& face : faces_) edges += face.size();
    if (edges > most_edges) return;
    Face lid;
    std::vector<Vec3> crossings;  // of all faces
    for (Face& face : faces_) {
      Face left;
      for (Segment edge : face) {
        double from = -plane.depth(edge[0]), to = -plane.depth(edge[1]);
        if (from > 0 || to > 0) {
          if (from >= 0 && to >= 0) continue;
          if (lexicographic_less(edge[1], edge[0])) {  // both faces of an edge find the same crossing
            std::swap(edge[0], edge[1]);
            std::swap(from, to);
          }
          edge[from > 0 ? 0 : 1] = noted(edge[0] + (edge[1] - edge[0]) * (from / (from - to)), crossings);
        }
        if (edge[0] != edge[1]) left.push_back(edge);
      }
      const Face closing = closing_edges(left);
      left.insert(left.end(), closing.begin(), closing.end());
      lid.insert(lid.end(), closing.begin(), closing.end());
      face = std::move(left);
    }
    faces_.push_back(std::move(lid));
    std::erase_if(faces_, [](const Face& face) { return face.empty(); });
  }
  std::vector<Vec3> corners() const {
    std::vector<Vec3> all;
    for (const Face& face : faces_) add_ends(face, all);
    std::ranges::sort(all, lexicographic_less);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

 private:
  using Face = std::vector<Segment>;
  /// A box with a hundred cuts has fewer.
  static constexpr std::size_t most_edges = 2'000;

  static void add_ends(const Face& face, std::vector<Vec3>& ends) {
    for (const Segment& edge : face) ends.insert(ends.end(), edge.begin(), edge.end());
  }
  static const Vec3& farthest(std::span<const Vec3> points, const Vec3& from) {
    return *std::ranges::max_element(points, {}, [&](const Vec3& p) { return length(p - from); });
  }

  /// The point, or one noted before that is the same but for roundings: where many planes meet in a point, cuts would
  /// take them for ever more edges.
  Vec3 noted(const Vec3& point, std::vector<Vec3>& points) const {
    for (const Vec3& known : points)
      if (length(known - point) <= same_) return known;
    points.push_back(point);
    return point;
  }
  /// Of a face whose outline a plane has opened. In a closed outline every point ends an even number of edges. Those
  /// that do not are on the line where face and plane meet: two, if roundings do not make it more.
  static Face closing_edges(const Face& face) {
    std::vector<Vec3> ends, open;
    add_ends(face, ends);
    std::ranges::sort(ends, lexicographic_less);
    for (auto end = ends.begin(); end != ends.end();) {
      const auto next = std::find_if(end, ends.end(), [&](const Vec3& p) { return p != *end; });
      if ((next - end) % 2 != 0) open.push_back(*end);
      end = next;
    }
    if (open.empty()) return {};
    const Vec3 first = farthest(open, open.front()), along = farthest(open, first) - first;
    std::ranges::sort(open, {}, [&](const Vec3& p) { return dot(p - first, along); });
    Face closing;
    for (std::size_t i = 0; i < open.size(); i += 2) closing.push_back({open[i], open[i + 1]});
    return closing;
  }

  std::vector<Face> faces_;
  double same_;  // points no farther apart count as one
};

/// Adds the directions upright on the triangles, either way; one for those that are about the same.
void add_normals(std::span<const Corners> triangles, std::vector<Vec3>& directions) {
  const std::size_t before = directions.size();
  for (const Corners& t : triangles) {
    const Vec3 normal = unit_normal(t).direction;
    const auto is_like = [&](const Vec3& n) { return std::abs(dot(n, normal)) > 1 - 1e-6; };
    if (std::isnan(normal.x) ||
        std::any_of(directions.begin() + static_cast<std::ptrdiff_t>(before), directions.end(), is_like))
      continue;
    directions.push_back(normal);
    directions.push_back(-normal);
  }
}

}  // namespace

OverlapDepthSearch::OverlapDepthSearch(const Body& a, const Body& b, const OverlapDepthRequest& request)
    : solids_{DepthInSolid(a), DepthInSolid(b)},
      // Squares of distances lose digits below 1e-154.
      rounding_(solids_[0].tree().rounding() + solids_[1].tree().rounding() + 1e-150),
      asked_(asked_of(request, solids_[0].tree(), solids_[1].tree())),
      // Both ends are rounded outward. Points beside a triangle are some hundred roundings from it, and boxes must be
      // larger than those.
      precision_(std::max(asked_ / 2 - 32 * rounding_, 1e3 * rounding_)),
      tolerance_(precision_) {
  Region common;
  common.upper = common.reachable = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    common.low[axis] = -std::numeric_limits<double>::infinity();
    common.high[axis] = std::numeric_limits<double>::infinity();
  }
  for (const DepthInSolid& solid : solids_) {
    const PlacedBall ball = solid.tree().whole();
    const double reach = ball.radius + rounding_;
    common.upper = std::min(common.upper, reach);
    for (int axis = 0; axis < 3; ++axis) {
      common.low[axis] = std::max(common.low[axis], ball.center[axis] - reach);
      common.high[axis] = std::min(common.high[axis], ball.center[axis] + reach);
      if (common.low[axis] > common.high[axis]) return;  // nothing in common
    }
  }
  next_.push_back(common);
}

bool OverlapDepthSearch::run(const Deadline& deadline, std::uint64_t& used) {
  const auto searches = [&] { return solids_[0].searches() + solids_[1].searches(); };
  const std::uint64_t first = searches(), before = used;
  while (!is_done() && used < deadline.node_pairs) {
    take_step();
    used = before + (searches() - first);
    if (deadline.is_late()) break;  // last, so that every call makes progress
  }
  return is_done();
}

bool OverlapDepthSearch::is_done() const {
  if (climber_ || !next_.empty()) return false;
  if (regions_.empty() || regions_.size() >= most_regions) return true;
  return raises_lower_ && is_shallow(regions_.front().reachable);
}

double OverlapDepthSearch::upper() const {
  if (raises_lower_) return final_upper_;
  double most = std::max({discarded_, stuck_, best_.lower});
  for (const Region& region : next_) most = std::max(most, region.upper);
  return regions_.empty() ? most : std::max(most, regions_.front().upper);
}

OverlapDepth OverlapDepthSearch::so_far() const {
  const double most = upper();
  OverlapDepth now;
  now.lower = 2 * std::max(0.0, best_.lower - error(best_.lower));
  now.upper = 2 * std::max(0.0, most + error(most));
  now.precise = now.upper - now.lower <= asked_;
  now.center = best_.at;
  return now;
}

void OverlapDepthSearch::take_step() {
  if (climber_) return climb();
  if (!next_.empty()) {
    const Region region = next_.back();
    if (consider(region)) next_.pop_back();
    return;
  }
  const double top = regions_.front().upper;
  if (!raises_lower_ && (is_shallow(top) || top <= stuck_)) {
    // Nothing lowers the upper bound any more. What is left can still raise the lower one, not so much that it matters
    // to know it better than this.
    final_upper_ = upper();
    tolerance_ = std::max(tolerance_, (final_upper_ - best_.lower) / 16);
    raises_lower_ = true;
    std::erase_if(regions_, [this](const Region& region) { return is_shallow(region.reachable); });
    std::ranges::make_heap(regions_, by_key());
    return;
  }
  std::ranges::pop_heap(regions_, by_key());
  Region half = regions_.back();
  regions_.pop_back();
  const Vec3 size = half.high - half.low;
  const int longest = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  Region other = half;
  half.high[longest] = other.low[longest] = half.low[longest] * 0.5 + half.high[longest] * 0.5;
  next_.push_back(half);
  next_.push_back(other);
}

/// Bounds the depth over a new region. False if that is not finished: call it again.
bool OverlapDepthSearch::consider(Region region) {
  limit(region);
  if (is_shallow(key(region))) return keep(region), true;
  const double radius = region.radius();
  const std::optional<Sample> middle = sample(region.center(), region);
  if (!middle) return false;
  const double gap = middle->upper - middle->clear;
  region.upper = std::min(region.upper, middle->upper + radius);
  region.reachable = std::min({region.reachable, region.upper, middle->clear + radius});
  offer(*middle, radius / 2, region);
  if (!is_shallow(key(region))) {
    // The far end of the box sees what is on the other side.
    const Vec3 away = middle->clear > 0 ? middle->at - middle->nearest : middle->nearest - middle->at;
    const auto hints = region.hints;
    if (const double far = length(away); far > 0) {
      const std::optional<Sample> end = sample(middle->at + away * (radius / far), region);
      if (!end) return false;
      offer(*end, radius / 2, region);
      region.hints = hints;
    }
    limit(region);
    if (!is_shallow(key(region))) limit_to_common(region);
  }
  // Where even the middle stays unknown, division does not help.
  const double there = std::min(middle->upper, region.upper);
  if (gap > 0 && !is_shallow(there) && radius < (there - best_.lower) / 8) stuck_ = std::max(stuck_, region.upper);
  keep(region);
  return true;
}

/// Keeps a region that may hold more than what is known by more than the tolerance.
void OverlapDepthSearch::keep(const Region& region) {
  if (is_shallow(key(region))) {
    discarded_ = std::max(discarded_, region.upper);
    return;
  }
  regions_.push_back(region);
  std::ranges::push_heap(regions_, by_key());
}

/// Away from the nearest boundary, in ever smaller steps.
void OverlapDepthSearch::climb() {
  Climber& c = *climber_;
  const Vec3 away = c.sample.at - c.sample.nearest;
  const double far = length(away);
  if (!(c.step > tolerance_ / 8) || !(far > 0)) return climber_.reset();
  Region around{};
  around.hints = c.hints;
  const std::optional<Sample> next = sample(c.sample.at + away * (c.step / far), around);
  if (!next) return;  // walls in the way; the next call finds fewer
  if (next->lower > c.sample.lower + c.step / 4) {
    c.sample = *next;
    c.hints = around.hints;
    if (next->lower > best_.lower) best_ = *next;
  } else {
    c.step /= 2;
  }
}

/// Looks at a point, and notes in the region what is near it.
std::optional<OverlapDepthSearch::Sample> OverlapDepthSearch::sample(const Vec3& at, Region& region) {
  Sample both{};
  both.at = at;
  both.lower = both.upper = both.clear = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 2; ++i) {
    const std::optional<PointDepth> depth = solids_[i].at(at, region.hints[i]);
    if (!depth) return std::nullopt;
    region.hints[i] = depth->triangle;
    if (depth->clear < both.clear) both.nearest = depth->nearest;
    both.lower = std::min(both.lower, depth->lower);
    both.upper = std::min(both.upper, depth->upper);
    both.clear = std::min(both.clear, depth->clear);
    const Limit limit{i == 1, depth->at_boundary, depth->triangle};
    const auto end = region.limits.begin() + static_cast<std::ptrdiff_t>(region.limit_count);
    if (std::find(region.limits.begin(), end, limit) != end) continue;
    if (region.limit_count < most_limits) {
      region.limits[region.limit_count++] = limit;
      continue;
    }
    const auto distance = [&](const Limit& l) {
      return solids_[l.of_b].tree().on(l.triangle, region.center()).distance_sq;
    };
    auto farthest = std::ranges::max_element(region.limits, {}, distance);
    if (distance(limit) < distance(*farthest)) *farthest = limit;
  }
  return both;
}

void OverlapDepthSearch::offer(const Sample& s, double step, const Region& region) {
  if (!(s.lower > best_.lower)) return;
  best_ = s;
  climber_ = Climber{s, step, region.hints};
}

/// The least bound, by one or two parts of the boundary, over the hull of the points.
double OverlapDepthSearch::highest(const Region& region, std::span<const Vec3> points, std::span<const Plane> planes,
                                   bool by_boundary) const {
  std::vector<double> distances;
  for (std::size_t i = 0; i < region.limit_count; ++i) {
    const auto [of_b, is_boundary, triangle] = region.limits[i];
    if (by_boundary && !is_boundary) continue;
    const Corners t = by_boundary ? solids_[of_b].outer_end(triangle) : solids_[of_b].tree().body().corners(triangle);
    for (const Vec3& p : points) distances.push_back(std::sqrt(point_distance(p, t).distance_sq));
  }
  for (const Plane& plane : planes)
    for (const Vec3& p : points) distances.push_back(std::max(0.0, plane.depth(p)));
  const std::size_t count = distances.size() / points.size();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double most = 0;
      for (std::size_t k = 0; k < points.size(); ++k)
        most = std::max(most, 0.5 * distances[i * points.size() + k] + 0.5 * distances[j * points.size() + k]);
      least = std::min(least, most);
    }
  return least;
}

void OverlapDepthSearch::limit(Region& region) {
  if (region.limit_count == 0) return;
  std::array<Vec3, 8> corners;
  for (std::size_t k = 0; k < 8; ++k) corners[k] = corner(region.low, region.high, k);
  lower_to(region, highest(region, corners, {}, true));
  region.reachable = std::min(region.reachable, highest(region, corners, {}, false));
}

/// The same for that part of the region which may be in both solids.
void OverlapDepthSearch::limit_to_common(Region& region) {
  Polytope part(region.low, region.high);
  const std::vector<Vec3> corners = part.corners();
  std::vector<Plane> planes;
  std::vector<Vec3> directions{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  std::array<std::vector<Corners>, 2> met;
  for (std::size_t i = 0; i < 2; ++i) {
    DepthInSolid& solid = solids_[i];
    // A point of the region moved up to a plane that meets the region's ball stays in this larger ball.
    const bool too_many =
        solid.tree().any_near(region.center(), 1.4143 * region.radius() + rounding_, [&](std::uint32_t triangle) {
          if (!solid.is_wall(triangle)) met[i].push_back(solid.tree().body().corners(triangle));
          return met[i].size() > most_to_cut;
        });
    if (too_many) return;
    const std::size_t first_direction = directions.size();
    add_normals(met[i], directions);
    for (const Vec3& normal : std::span(directions).subspan(first_direction)) {
      Plane plane{normal, -std::numeric_limits<double>::infinity()};
      for (const Corners& t : met[i])
        for (const Vec3& p : t) plane.at = std::max(plane.at, dot(plane.normal, p) + rounding_);
      const Vec3 first = *std::ranges::max_element(corners, {}, [&](const Vec3& p) { return plane.depth(p) * -1; });
      if (!(plane.depth(first) < 0) || !solid.is_outside(first)) continue;
      // The solid has nothing before the plane: what is in it is no deeper than it is behind the plane.
      // Of planes that all but coincide one will do.
      const auto is_like = [&](const Plane& other) { return dot(other.normal, normal) > 1 - 1e-9; };
      const auto like = std::ranges::find_if(planes, is_like);
      if (like == planes.end())
        planes.push_back(plane);
      else if (plane.depth(region.center()) < like->depth(region.center()))
        *like = plane;
    }
  }
  if (planes.empty()) return;
  // Cut a little outside, so that nothing is left only if there is nothing.
  const double error = part.error_of(2 * planes.size());
  for (Plane& plane : planes) plane.at += error;
  for (const Plane& plane : planes) part.cut(plane);
  if (part.is_empty()) return lower_to(region, 0);
  lower_to(region, highest(region, part.corners(), planes, true) + error);
  // Where something deeper could be, both solids must be.
  const double shallow = (best_.lower + tolerance_) * (1 - 1e-12);
  if (!(region.upper > shallow)) return;
  for (const Plane& plane : planes) part.cut({plane.normal, plane.at - shallow});
  if (part.is_empty()) return lower_to(region, shallow);
  const std::vector<Vec3> deep = part.corners();
  std::vector<Plane> beside;  // all of the deep part is behind these
  for (const Vec3& normal : directions) {
    beside.push_back({normal, -std::numeric_limits<double>::infinity()});
    for (const Vec3& p : deep) beside.back().at = std::max(beside.back().at, dot(normal, p) + rounding_ + error);
  }
  const auto misses = [&](const Corners& t) {
    return std::ranges::any_of(beside, [&](const Plane& plane) {
      return std::ranges::all_of(t, [&](const Vec3& p) { return plane.depth(p) < 0; });
    });
  };
  const auto is_free_of = [&](std::size_t i) {
    return std::ranges::all_of(met[i], misses) && solids_[i].is_outside(deep.front());
  };
  if (is_free_of(0) || is_free_of(1)) lower_to(region, shallow);
}

void OverlapDepthSearch::lower_to(Region& region, double upper) {
  region.upper = std::min(region.upper, upper);
  region.reachable = std::min(region.reachable, region.upper);
}

}  // namespace tumble
