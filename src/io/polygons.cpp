// SPDX-License-Identifier: Apache-2.0
// Triangulation of plane polygons by ear clipping (Meisters 1975), with a limit on the work for hostile ones.
#include "io/polygons.h"

#include "core/plain_arithmetic.h"
#include "geometry/predicates.h"

#include <algorithm>
#include <cmath>

namespace tumble::io {
namespace {

bool coincide(const Vec2& p, const Vec2& q) { return p.x == q.x && p.y == q.y; }

// Why a triangulation is known to be right: in whatever order corners are cut off, the triangles' boundary is the
// polygon, so their winding numbers add up to the polygon's. If no triangle is turned over, no sum hides an overlap,
// and they tile a simple polygon exactly. This settles most fans without a search for ears.
bool all_face_up(std::span<const Vec2> p) {
  for (std::size_t i = 2; i < p.size(); ++i)
    if (orient2d(p[0], p[i - 1], p[i]) <= 0) return false;
  return true;
}

class EarClipper {
 public:
  /// `steps` bounds the work for all polygons of a file; once it is used up, polygons stay fans.
  explicit EarClipper(std::size_t steps) : steps_(steps) {}

  /// Writes the triangles of the polygon whose fan is in `triangles`.
  void clip(const std::vector<Vec3>& vertices, std::span<Triangle> triangles) {
    read_fan(triangles);
    if (!project(vertices) || all_face_up(points_) || steps_ == 0) return;
    const std::size_t n = corners_.size();
    link(n);
    std::size_t left = n, unsuccessful = 0, tip = 0;
    Rule rule = Rule::strict;
    for (auto out = triangles.begin(); left > 2;) {
      if (is_ear(tip, rule)) {
        *out++ = {corners_[prev_[tip]], corners_[tip], corners_[next_[tip]]};
        cut(tip);
        --left;
        tip = next_[tip];
        unsuccessful = 0;
        rule = Rule::strict;
      } else {
        tip = next_[tip];
        if (++unsuccessful >= left) rule = static_cast<Rule>(static_cast<int>(rule) + 1), unsuccessful = 0;
      }
    }
  }

 private:
  // A simple polygon always has an ear by the first or, if corners coincide, the second rule. A corner in the middle of
  // a side is no obstacle: it is never a tip, and no ear by the first rule has it on its third side. So a simple
  // polygon is divided into triangles with area. The other rules are for polygons that cross themselves, for which no
  // answer is right.
  enum class Rule { strict, corners_may_coincide, any_convex, any };

  void read_fan(std::span<const Triangle> fan) {
    corners_.assign({fan[0][0]});
    for (const Triangle& t : fan) corners_.push_back(t[1]);
    corners_.push_back(fan.back()[2]);
  }

  /// Projects along the main axis of the polygon's normal (Newell's sum), counter-clockwise. False if it has no area.
  bool project(const std::vector<Vec3>& vertices) {
    const std::size_t n = corners_.size();
    const Vec3 origin = vertices[corners_[0]];
    Vec3 normal{};
    for (std::size_t i = 0; i < n; ++i)
      normal += cross(vertices[corners_[i]] - origin, vertices[corners_[(i + 1) % n]] - origin);
    int axis = 0;
    for (int i = 1; i < 3; ++i)
      if (std::abs(normal[i]) > std::abs(normal[axis])) axis = i;
    if (normal[axis] == 0) return false;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double mirror = normal[axis] > 0 ? 1 : -1;
    points_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3& p = vertices[corners_[i]];
      points_[i] = {p[u] * mirror, p[v]};
    }
    return true;
  }

  void link(std::size_t n) {
    prev_.resize(n), next_.resize(n);
    for (std::size_t i = 0; i < n; ++i) prev_[i] = (i + n - 1) % n, next_[i] = (i + 1) % n;
    reflex_.clear();
    for (std::size_t i = 0; i < n; ++i)
      if (turn(i) <= 0) reflex_.push_back(i);
  }

  int turn(std::size_t i) const { return orient2d(points_[prev_[i]], points_[i], points_[next_[i]]); }

  bool is_ear(std::size_t tip, Rule rule) {
    if (steps_ == 0 || rule >= Rule::any) return true;
    --steps_;
    const int convex = turn(tip);
    if (rule == Rule::any_convex) return convex >= 0;
    if (convex <= 0) return false;
    const Vec2 a = points_[prev_[tip]], b = points_[tip], c = points_[next_[tip]];
    const auto [low_x, high_x] = std::minmax({a.x, b.x, c.x});
    const auto [low_y, high_y] = std::minmax({a.y, b.y, c.y});
    // A corner inside the triangle implies a reflex one there.
    steps_ -= std::min(steps_, reflex_.size());
    for (const std::size_t i : reflex_) {
      const Vec2 p = points_[i];
      if (p.x < low_x || p.x > high_x || p.y < low_y || p.y > high_y) continue;
      if (i == prev_[tip] || i == next_[tip]) continue;
      if (rule == Rule::corners_may_coincide && (coincide(p, a) || coincide(p, b) || coincide(p, c))) continue;
      if (orient2d(a, b, p) >= 0 && orient2d(b, c, p) >= 0 && orient2d(c, a, p) >= 0) return false;
    }
    return true;
  }

  void cut(std::size_t tip) {
    const std::size_t before = prev_[tip], after = next_[tip];
    next_[before] = after, prev_[after] = before;
    // Cutting makes corners more convex, rarely (if the polygon crosses itself) less.
    if (steps_ == 0) return;
    std::erase_if(reflex_, [&](std::size_t i) { return i == tip || ((i == before || i == after) && turn(i) > 0); });
  }

  std::size_t steps_;
  std::vector<std::uint32_t> corners_;
  std::vector<Vec2> points_;
  std::vector<std::size_t> prev_, next_, reflex_;
};

}  // namespace

void Polygons::finish() {
  const PlainArithmetic plain;
  // About 0.3 s of point tests for one file of any size, enough for a polygon of 10,000 corners or ten thousand
  // polygons of 100, plus more in proportion to the triangles. Hostile polygons cost time, but never stop the process.
  constexpr std::size_t allowance = std::size_t{1} << 27, allowance_per_triangle = 256;
  EarClipper clipper(allowance + allowance_per_triangle * mesh_.triangles.size());
  for (const Polygon& polygon : polygons_)
    clipper.clip(mesh_.vertices, std::span(mesh_.triangles).subspan(polygon.first_triangle, polygon.corners - 2));
}

}  // namespace tumble::io
