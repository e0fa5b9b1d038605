// SPDX-License-Identifier: Apache-2.0
// The second look at eight pairs: heights in double-doubles, for faces that lie on each other up to the last bits of
// their coordinates; and triangles that are certainly in one plane, seen in two dimensions. The steps are those of
// geometry/triangle_pair.cpp, which decides the rest.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "geometry/second_look.cpp"
#include "simd/foreach_target.h"

#include "geometry/crossing-inl.h"
#include "geometry/eight_pairs.h"
#include "geometry/eight_signs-inl.h"
#include "geometry/filter_bounds.h"
#include "geometry/long_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

HWY_INLINE Double8 number(double x) { return Double8::broadcast(x); }

HWY_INLINE Double8 long_bound(const Vec3x8& largest) {
  return number(filter_bounds::det3::long_to_largest) * ((largest.x * largest.y) * largest.z) +
         number(filter_bounds::det3::underflow);
}

/// Heights of one triangle's corners over the plane of the other.
struct LongHeights {
  Double8 h[3];  // only the signs matter; positive for corners on the plane
  EightSides sides;

  /// `gaps`: from each corner to the nearest of the other's.
  HWY_INLINE LongHeights(const Vec3x8 (&plane)[3], const Vec3x8 (&points)[3], const Double8 (&gaps)[3]) {
    const LongVec u = long_difference(plane[1], plane[0]), v = long_difference(plane[2], plane[0]);
    const LongVec w[3] = {long_difference(points[0], plane[0]), long_difference(points[1], plane[0]),
                          long_difference(points[2], plane[0])};
    const Vec3x8 largest = grow(grow(grow(grow(grow(zero(), u), v), w[0]), w[1]), w[2]);
    const Double8 bound = long_bound(largest);
    const std::uint32_t flat = vanishes(largest);
    const LongDet det(u, v);
    for (int i = 0; i < 3; ++i) {
      const Double8 height = det(w[i]);
      h[i] = select(less(number(0), gaps[i]), height, number(1));
      sides.of[i] = Signs(height, bound, flat | is_zero(gaps[i]));
    }
  }
  static HWY_INLINE Vec3x8 zero() { return {number(0), number(0), number(0)}; }
};

/// Sign of det(q − p, r − p, s − p); zero if two of the points are the same.
HWY_INLINE Signs long_signs(const Vec3x8& p, const Vec3x8& q, const Vec3x8& r, const Vec3x8& s) {
  const LongVec u = long_difference(q, p), v = long_difference(r, p), w = long_difference(s, p);
  const Vec3x8 largest = grow(grow(grow(LongHeights::zero(), u), v), w);
  std::uint32_t same = 0;
  const Vec3x8* const points[4] = {&p, &q, &r, &s};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < i; ++j) same |= equal(*points[i], *points[j]);
  return {LongDet(u, v)(w), long_bound(largest), vanishes(largest) | same};
}

struct Vec2x8 {
  Double8 x, y;
};

/// Sign of (q − p) × (r − p); zero if they share a coordinate, or where it is known.
HWY_INLINE Signs turn(const Vec2x8& p, const Vec2x8& q, const Vec2x8& r, std::uint32_t known_zero) {
  const Double8 ux = q.x - p.x, uy = q.y - p.y, vx = r.x - p.x, vy = r.y - p.y;
  const Double8 left = ux * vy, right = uy * vx;
  const Double8 bound =
      number(filter_bounds::det2::relative) * (abs(left) + abs(right)) + number(filter_bounds::det2::underflow);
  return {left - right, bound, known_zero | is_zero(min(max(abs(ux), abs(vx)), max(abs(uy), abs(vy))))};
}

/// What is certain about triangles in one plane. Two convex polygons that are apart (that share no area) are separated
/// strictly (weakly) by the line of one of their edges.
struct InOnePlane {
  std::uint32_t apart = 0, parted = 0, known = 0xff;

  HWY_INLINE InOnePlane(const Vec3x8 (&a)[3], const Vec3x8 (&b)[3], const CornerGaps& gaps) {
    const Vec3x8 normal = abs(cross(a[1] - a[0], a[2] - a[0]));
    const auto drop_x = less(max(normal.y, normal.z), normal.x), drop_y = less(normal.z, normal.y);
    Vec2x8 a2[3], b2[3];
    for (int i = 0; i < 3; ++i) {
      a2[i] = {select(drop_x, a[i].y, select(drop_y, a[i].z, a[i].x)),
               select(drop_x, a[i].z, select(drop_y, a[i].x, a[i].y))};
      b2[i] = {select(drop_x, b[i].y, select(drop_y, b[i].z, b[i].x)),
               select(drop_x, b[i].z, select(drop_y, b[i].x, b[i].y))};
    }
    std::uint32_t same[3][3], turned[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) same[i][j] = turned[j][i] = is_zero(gaps.between[i][j]);
    look_along_edges(a2, b2, same);
    look_along_edges(b2, a2, turned);
  }

 private:
  /// `same[i][j]`: corner i of `of` is corner j of t.
  HWY_INLINE void look_along_edges(const Vec2x8 (&of)[3], const Vec2x8 (&t)[3], const std::uint32_t (&same)[3][3]) {
    const Signs around = turn(of[0], of[1], of[2], 0);
    known &= around.below | around.above;  // it has area
    for (int i = 0; i < 3; ++i) {
      const int next = (i + 1) % 3;
      std::uint32_t inside = 0, outside = 0xff, all_known = 0xff;
      for (int j = 0; j < 3; ++j) {
        const Signs side = turn(of[i], of[next], t[j], same[i][j] | same[next][j]);
        inside |= (side.above & around.above) | (side.below & around.below);
        outside &= (side.above & around.below) | (side.below & around.above);
        all_known &= side.known();
      }
      apart |= outside;
      parted |= ~inside;
      known &= inside | all_known;
    }
  }
};

/// Looks at heights over planes, then at the order of segments on their common line. Returns the lanes in which both
/// triangles certainly lie in one plane.
HWY_INLINE std::uint32_t look_at_planes(const Vec3x8 (&a)[3], const Vec3x8 (&b)[3], const CornerGaps& gaps,
                                        EightLooks& looks) {
  const LongHeights b_over_a(a, b, {gaps.least_of_b(0), gaps.least_of_b(1), gaps.least_of_b(2)});
  const LongHeights a_over_b(b, a, {gaps.least_of_a(0), gaps.least_of_a(1), gaps.least_of_a(2)});
  looks.touch = corner_touch(gaps, a_over_b.sides, b_over_a.sides);
  looks.unsure &= ~(looks.touch | a_over_b.sides.strictly_beside() | b_over_a.sides.strictly_beside());
  const std::uint32_t straddling = looks.unsure & a_over_b.sides.two_sided() & b_over_a.sides.two_sided();
  if (straddling != 0) {
    const Alone<Double8> of_a(a, a_over_b.h), of_b(b, b_over_a.h);
    const SegmentEnds<Double8> ends(of_a, of_b);
    note_crossing(straddling, long_signs(of_a.p, ends.a_q, of_b.p, ends.b_q),
                  long_signs(of_a.p, ends.a_r, of_b.p, ends.b_r), looks);
  }
  return a_over_b.sides.all_zero() & b_over_a.sides.all_zero();
}

HWY_INLINE void look_in_plane(std::uint32_t flat, const Vec3x8 (&a)[3], const Vec3x8 (&b)[3], const CornerGaps& gaps,
                              EightLooks& looks) {
  const InOnePlane in_plane(a, b, gaps);
  const std::uint32_t meeting = flat & in_plane.known & ~in_plane.apart;
  looks.touch |= meeting & in_plane.parted;
  looks.coplanar = meeting & ~in_plane.parted;
  looks.unsure &= ~(meeting | (flat & in_plane.apart));
}

EightLooks second_look_here(const EightPairs& pairs, const Pose& a_pose, const Pose& b_pose) {
  Vec3x8 a[3], b[3];
  for (int i = 0; i < 3; ++i) {
    a[i] = to_world(a_pose, pairs.a_stands, pairs.a + 3 * i);
    b[i] = to_world(b_pose, pairs.b_stands, pairs.b + 3 * i);
  }
  const CornerGaps gaps(a, b);
  EightLooks looks{0, 0, 0, 0xff};
  std::uint32_t flat =
      vanishes(grow(grow(grow(grow(abs(a[1] - a[0]), a[2] - a[0]), b[0] - a[0]), b[1] - a[0]), b[2] - a[0]));
  if (flat != 0xff) flat |= look_at_planes(a, b, gaps, looks);
  if (flat != 0) look_in_plane(flat, a, b, gaps, looks);
  return looks;
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {

HWY_EXPORT(second_look_here);

EightLooks second_look(const EightPairs& pairs, const Pose& a_pose, const Pose& b_pose) {
  return HWY_DYNAMIC_DISPATCH(second_look_here)(pairs, a_pose, b_pose);
}

}  // namespace tumble
#endif
