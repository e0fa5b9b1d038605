// SPDX-License-Identifier: Apache-2.0
// The one distance between two triangles (docs/semantics.md, promise 7), and what follows from it for points and
// segments, which are degenerate triangles.
#pragma once

#include "geometry/triangle.h"

namespace tumble {

struct TriangleDistance {
  double distance_sq = 0;
  Vec3 on_a, on_b;  // where the distance is attained; a common point if it is 0
};

/// Zero exactly when intersects(a, b), the smallest positive double or more otherwise. Let d be the exact distance and
/// L the largest coordinate of the pair relative to one of its corners. √distance_sq is within 1e-12·d + 1e-14·L of d,
/// and below d by 1e-14·L at most: it is the distance of two points, one of each triangle, up to their roundings;
/// below d = 1.5e-154 the square leaves the range of normal doubles. The witnesses lie on their triangles, and at
/// distance d, to the same tolerance plus the rounding of their own coordinates. Swapping the triangles swaps the
/// witnesses and changes no bit; neither does another order of corners.
TriangleDistance distance(const Corners& a, const Corners& b);
double distance_sq(const Corners& a, const Corners& b);
/// The same bits for triangles that are known not to meet, without the exact test.
TriangleDistance distance_apart(const Corners& a, const Corners& b);

/// The distance of a point from a triangle, and where it is attained.
struct PointDistance {
  double distance_sq = 0;
  Vec3 nearest;
};
/// The same tolerance, much faster, without the exact test: the distance of a point on the triangle may be a rounding
/// error instead of 0.
PointDistance point_distance(const Vec3& p, const Corners& t);
/// The same with the exact test where it matters: 0 exactly when the point is on the triangle.
PointDistance exact_point_distance(const Vec3& p, const Corners& t);

inline TriangleDistance distance(const Vec3& p, const Corners& t) { return distance({p, p, p}, t); }
inline TriangleDistance distance(const Vec3& p, const Segment& s) { return distance({p, p, p}, {s[0], s[1], s[1]}); }
inline TriangleDistance distance(const Segment& s, const Segment& t) {
  return distance({s[0], s[1], s[1]}, {t[0], t[1], t[1]});
}
inline TriangleDistance distance(const Segment& s, const Corners& t) { return distance({s[0], s[1], s[1]}, t); }

}  // namespace tumble
