// SPDX-License-Identifier: Apache-2.0
// What makes triangle tests fail: coplanar, shared, collinear, nearly so, tiny, huge, and all of it mixed.
#include "geometry/pair_generators.h"

#include <tumble/vec.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tumble::testing {

void nudge(double& x, Random& random) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  x = std::clamp(std::nextafter(x, random.one_in(2) ? infinity : -infinity), -max_coordinate, max_coordinate);
}

namespace {

Vec3& corner(TrianglePair& pair, std::size_t i) { return i < 3 ? pair.a[i] : pair.b[i - 3]; }

void for_each_coordinate(TrianglePair& pair, auto&& change) {
  for (std::size_t i = 0; i < 6; ++i)
    for (int axis = 0; axis < 3; ++axis) change(corner(pair, i)[axis]);
}

Vec3 random_point(Random& r) { return {r.real(), r.real(), r.real()}; }

Vec3 grid_point(Random& r, int size) {
  return {static_cast<double>(r.integer(-size, size)), static_cast<double>(r.integer(-size, size)),
          static_cast<double>(r.integer(-size, size))};
}

TrianglePair filled(auto&& point) {
  TrianglePair pair;
  for (std::size_t i = 0; i < 6; ++i) corner(pair, i) = point();
  return pair;
}

TrianglePair plain(Random& r) {
  return filled([&r] { return random_point(r); });
}

TrianglePair grid(Random& r) {
  const int size = r.integer(1, 3);
  return filled([&] { return grid_point(r, size); });
}

/// On a lattice in a plane that is oblique to the axes.
TrianglePair coplanar(Random& r) {
  const Vec3 origin = grid_point(r, 9), u = grid_point(r, 5), v = grid_point(r, 5);
  const int size = r.integer(1, 5);
  return filled([&] { return origin + u * r.integer(-size, size) + v * r.integer(-size, size); });
}

/// One triangle in the lattice plane, the other standing on it or crossing it.
TrianglePair standing(Random& r) {
  const Vec3 up = grid_point(r, 5);
  TrianglePair pair = coplanar(r);
  for (Vec3& p : pair.b) p += up * r.integer(-1, 1);
  return pair;
}

TrianglePair shared_vertex(Random& r) {
  TrianglePair pair = r.one_in(2) ? plain(r) : grid(r);
  pair.b[r.index(3)] = pair.a[r.index(3)];
  return pair;
}

TrianglePair shared_edge(Random& r) {
  TrianglePair pair = r.one_in(2) ? plain(r) : coplanar(r);
  pair.b[0] = pair.a[r.index(3)];
  pair.b[1] = pair.a[r.index(3)];
  return pair;
}

/// All six corners on one line or on two.
TrianglePair collinear(Random& r) {
  const Vec3 origin = grid_point(r, 4);
  Vec3 direction = grid_point(r, 4);
  TrianglePair pair;
  for (std::size_t i = 0; i < 6; ++i) {
    if (i == 3 && r.one_in(3)) direction = grid_point(r, 4);
    corner(pair, i) = origin + direction * r.integer(-3, 3);
  }
  return pair;
}

/// A segment or a point against whatever meets it often.
TrianglePair degenerate(Random& r) {
  TrianglePair pair = r.one_in(2) ? standing(r) : grid(r);
  Corners& t = r.one_in(2) ? pair.a : pair.b;
  t[1] = t[0];
  if (r.one_in(3)) t[2] = t[0];
  if (r.one_in(4)) {
    Corners& other = &t == &pair.a ? pair.b : pair.a;
    other[2] = (other[0] + other[1]) * 0.5;
  }
  return pair;
}

/// A corner of b is a lattice combination of a's corners: on its face, an edge or a corner, exactly.
TrianglePair corner_on_face(Random& r) {
  TrianglePair pair = filled([&r] { return grid_point(r, 20) * 8; });
  for (std::size_t k = r.index(3); k < 3; ++k) {
    const int i = r.integer(0, 8), j = r.integer(0, 8 - i);
    pair.b[k] = pair.a[0] * (i / 8.0) + pair.a[1] * (j / 8.0) + pair.a[2] * ((8 - i - j) / 8.0);
  }
  return pair;
}

/// An edge of b passes exactly through an edge of a.
TrianglePair edge_on_edge(Random& r) {
  TrianglePair pair = filled([&r] { return grid_point(r, 20) * 8; });
  const Vec3 meeting = pair.a[0] * 0.5 + pair.a[1] * 0.5;
  pair.b[1] = meeting + (meeting - pair.b[0]) * r.integer(0, 2);
  return pair;
}

/// b is a, moved by a few ulps and sometimes stretched along its own plane.
TrianglePair nearly_parallel(Random& r) {
  TrianglePair pair = plain(r);
  const double stretch = r.one_in(2) ? 1 : r.real(0.3, 2);
  for (std::size_t i = 0; i < 3; ++i) {
    pair.b[i] = pair.a[0] + (pair.a[i] - pair.a[0]) * stretch;
    for (int axis = 0; axis < 3; ++axis)
      for (int times = r.integer(0, 3); times > 0; --times) nudge(pair.b[i][axis], r);
  }
  return pair;
}

/// Corners almost on one line; the other triangle is threaded through the needle or is another one beside it.
TrianglePair sliver(Random& r) {
  TrianglePair pair = plain(r);
  pair.a[2] = pair.a[0] + (pair.a[1] - pair.a[0]) * r.real(-0.5, 1.5);
  for (int axis = 0; axis < 3; ++axis)
    for (int times = r.integer(0, 2); times > 0; --times) nudge(pair.a[2][axis], r);
  if (r.one_in(2)) {
    pair.b[0] = pair.a[0] + (pair.a[1] - pair.a[0]) * r.real(0, 1);
    if (r.one_in(2)) pair.b[1] = pair.a[0] + (pair.a[1] - pair.a[0]) * r.real(0, 1);
    nudge(pair.b[0][r.integer(0, 2)], r);
  }
  return pair;
}

double tiny(Random& r) { return std::pow(10, r.real(-17, 0)); }

Vec3 unit(const Vec3& v) { return v / length(v); }

/// Edges that pass each other at any small angle and any small distance.
TrianglePair skew_edges(Random& r) {
  const Vec3 along = unit(random_point(r)), aside = unit(cross(along, random_point(r))), up = cross(along, aside);
  const Vec3 middle = random_point(r) * r.integer(0, 1), turned_along = along + aside * tiny(r);
  const Vec3 gap = up * tiny(r) * r.integer(0, 1);
  return {{middle - along * r.real(0.1, 1), middle + along * r.real(0.1, 1), middle + random_point(r) - up * 2},
          {middle - turned_along * r.real(0.1, 1) + gap, middle + turned_along * r.real(0.1, 1) + gap,
           middle + random_point(r) + up * 2}};
}

/// A corner over or under the inside of a triangle of any small width, at any small height.
TrianglePair over_sliver(Random& r) {
  const Vec3 along = unit(random_point(r)), aside = unit(cross(along, random_point(r))), up = cross(along, aside);
  const Vec3 low = random_point(r) * r.integer(0, 1);
  const Vec3 high = low + along, bend = low + along * r.real(-0.2, 1.2) + aside * tiny(r);
  const double s = r.real(0, 1), t = r.real(0, 1 - s);
  const Vec3 tip = low + (high - low) * s + (bend - low) * t + up * tiny(r);
  return {{low, high, bend}, {tip, tip + random_point(r) + up, tip + random_point(r) + up}};
}

/// Every coordinate has a magnitude of its own, from 1e-100 to 1e100.
TrianglePair mixed_magnitudes(Random& r) {
  const double spread = r.one_in(2) ? 100 : 10;
  return filled([&] {
    const auto one = [&] { return r.one_in(4) ? 0.0 : r.real() * std::pow(10, r.real(-spread, spread)) * 0.99; };
    return Vec3{one(), one(), one()};
  });
}

/// Each corner has one magnitude, so that triangles of very different size meet.
TrianglePair sizes(Random& r) {
  TrianglePair pair = plain(r);
  const double scale_a = std::pow(10, r.real(-100, 99)), scale_b = std::pow(10, r.real(-100, 99));
  for (Vec3& p : pair.a) p *= scale_a;
  for (Vec3& p : pair.b) p *= scale_b;
  return pair;
}

/// Multiples of the smallest double, some far away.
TrianglePair denormal(Random& r) {
  TrianglePair pair = r.one_in(2) ? grid(r) : standing(r);
  const bool mixed = r.one_in(2);
  for_each_coordinate(pair, [&](double& x) {
    x = mixed && r.one_in(4) ? x * 0x1p300 : std::ldexp(x, -1074 + (mixed ? r.integer(0, 3) : 0));
  });
  return pair;
}

/// Around 2^-300, where expansions give way to integers.
TrianglePair window_edge(Random& r) {
  TrianglePair pair = r.one_in(2) ? standing(r) : corner_on_face(r);
  for_each_coordinate(pair, [&](double& x) { x = std::ldexp(x, -300 + r.integer(-6, 1) * r.integer(0, 1)); });
  if (r.one_in(2)) nudge(corner(pair, r.index(6))[r.integer(0, 2)], r);
  return pair;
}

/// Touching by construction, then turned, which rounds every corner: all the ways of nearly touching.
TrianglePair turned(Random& r) {
  TrianglePair pair = r.one_in(2) ? standing(r) : corner_on_face(r);
  const double angle = r.real(0, 6.3), c = std::cos(angle), s = std::sin(angle);
  for (std::size_t i = 0; i < 6; ++i) {
    Vec3& p = corner(pair, i);
    p = {c * p.x - s * p.y, s * p.x + c * p.y, p.z};
    p = {p.x, c * p.y - s * p.z, s * p.y + c * p.z};
  }
  return pair;
}

/// Two faces of boxes on a grid: what assemblies are made of.
TrianglePair box_faces(Random& r) {
  const auto face = [&r] {
    const int axis = r.integer(0, 2), sides = r.integer(1, 2);
    const Vec3 corner = grid_point(r, 2);
    Vec3 u{}, v{};
    u[(axis + 1) % 3] = r.integer(1, 3);
    v[(axis + 2) % 3] = r.integer(1, 3);
    return sides == 1 ? Corners{corner, corner + u, corner + u + v} : Corners{corner, corner + u + v, corner + v};
  };
  return {face(), face()};
}

constexpr TrianglePair (*touching[])(Random&) = {grid,      coplanar,   standing,  shared_vertex,  shared_edge,
                                                 collinear, degenerate, box_faces, corner_on_face, edge_on_edge};

/// An exact configuration with one coordinate off by one ulp.
TrianglePair one_ulp_off(Random& r) {
  TrianglePair pair = touching[r.index(std::size(touching))](r);
  nudge(corner(pair, r.index(6))[r.integer(0, 2)], r);
  return pair;
}

/// An exact configuration scaled by any power of two, which keeps it exact.
TrianglePair scaled(Random& r) {
  TrianglePair pair = touching[r.index(std::size(touching))](r);
  const int exponent = r.integer(-1074, 320);
  for_each_coordinate(pair, [&](double& x) { x = std::ldexp(x, exponent); });
  return pair;
}

/// An exact configuration with each axis scaled by its own power of two: lattice planes stay planes.
TrianglePair scaled_by_axis(Random& r) {
  TrianglePair pair = touching[r.index(std::size(touching))](r);
  for (int axis = 0; axis < 3; ++axis) {
    const int exponent = r.integer(-340, 320);
    for (std::size_t i = 0; i < 6; ++i) corner(pair, i)[axis] = std::ldexp(corner(pair, i)[axis], exponent);
  }
  if (r.one_in(3)) nudge(corner(pair, r.index(6))[r.integer(0, 2)], r);
  return pair;
}

/// Far from the origin, where differences round.
TrianglePair far_away(Random& r) {
  TrianglePair pair = r.one_in(2) ? plain(r) : touching[r.index(std::size(touching))](r);
  const double scale = std::ldexp(1.0, r.integer(-60, 4));
  const Vec3 offset = random_point(r);
  for (std::size_t i = 0; i < 6; ++i) corner(pair, i) = corner(pair, i) * scale + offset;
  return pair;
}

constexpr Generator all[] = {{"random", plain},
                             {"grid", grid},
                             {"coplanar", coplanar},
                             {"standing", standing},
                             {"shared vertex", shared_vertex},
                             {"shared edge", shared_edge},
                             {"collinear", collinear},
                             {"degenerate", degenerate},
                             {"corner on face", corner_on_face},
                             {"edge on edge", edge_on_edge},
                             {"box faces", box_faces},
                             {"nearly parallel", nearly_parallel},
                             {"sliver", sliver},
                             {"skew edges", skew_edges},
                             {"over sliver", over_sliver},
                             {"mixed magnitudes", mixed_magnitudes},
                             {"sizes", sizes},
                             {"denormal", denormal},
                             {"window edge", window_edge},
                             {"turned", turned},
                             {"one ulp off", one_ulp_off},
                             {"scaled", scaled},
                             {"scaled by axis", scaled_by_axis},
                             {"far away", far_away}};

}  // namespace

std::span<const Generator> generators() { return all; }

}  // namespace tumble::testing
