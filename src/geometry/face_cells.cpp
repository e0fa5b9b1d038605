// SPDX-License-Identifier: Apache-2.0
// Signs are decided by the rounded numbers where these are certain, by the exact ones otherwise. Every point is an end
// of a segment or the meeting of two of the first lines, so numbers do not grow from cut to cut.
#include "geometry/face_cells.h"

#include "core/assert.h"
#include "geometry/ray_crossing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tumble {
namespace {

template <class Number>
Number dot(const Triple<Number>& a, const Triple<Number>& b) {
  return a.u * b.u + a.v * b.v + a.w * b.w;
}
/// The line through two points, or the point of two lines.
template <class Number>
Triple<Number> cross(const Triple<Number>& a, const Triple<Number>& b) {
  return {a.v * b.w - a.w * b.v, a.w * b.u - a.u * b.w, a.u * b.v - a.v * b.u};
}
template <class Number>
Triple<Number> operator-(const Triple<Number>& a) {
  return {-a.u, -a.v, -a.w};
}

int sign_of(const Bounded& near, const Dyadic& exact) { return near.is_certain() ? near.sign() : exact.sign(); }

int side(const Projective& line, const Projective& point) {
  const Bounded near = dot(line.near, point.near);
  return near.is_certain() ? near.sign() : dot(line.exact, point.exact).sign();
}

Projective cross(const Projective& a, const Projective& b) { return {cross(a.near, b.near), cross(a.exact, b.exact)}; }

/// As a point, with w > 0.
Projective as_point(const Projective& p) {
  const int w = sign_of(p.near.w, p.exact.w);
  TUMBLE_ASSERT(w != 0);
  return w > 0 ? p : Projective{-p.near, -p.exact};
}

/// The axis along which the triangle looks largest, if that is certain.
int axis_of(const Corners& t) {
  const Vec3 n = tumble::cross(t[1] - t[0], t[2] - t[0]);
  const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
  const int axis = z >= x && z >= y ? 2 : x >= y ? 0 : 1;
  if (orient2d(project(t[0], axis), project(t[1], axis), project(t[2], axis)) != 0) return axis;
  return projection_axis(t[0], t[1], t[2]);
}

constexpr int u_axis(int axis) { return (axis + 1) % 3; }
constexpr int v_axis(int axis) { return (axis + 2) % 3; }

}  // namespace

Face::Face(const Corners& t)
    : corners_(t),
      axis_(axis_of(t)),
      turn_(orient2d(project(t[0], axis_), project(t[1], axis_), project(t[2], axis_))),
      near_normal_(normal<Bounded>(t)),
      normal_(normal<Dyadic>(t)) {
  TUMBLE_ASSERT(turn_ != 0);
}

/// From the first corner: along u and v, and along the axis.
template <class Number>
std::array<Number, 3> Face::relative(const Vec3& p) const {
  const auto along = [&](int axis) { return Number(p[axis]) - Number(corners_[0][axis]); };
  return {along(u_axis(axis_)), along(v_axis(axis_)), along(axis_)};
}

template <class Number>
std::array<Number, 3> Face::normal(const Corners& t) const {
  std::array<Number, 3> a, b;
  for (std::size_t i = 0; i < 3; ++i) {
    const int axis = (axis_ + 1 + static_cast<int>(i)) % 3;
    a[i] = Number(t[1][axis]) - Number(t[0][axis]);
    b[i] = Number(t[2][axis]) - Number(t[0][axis]);
  }
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Projective Face::point(const Vec3& p) const {
  const auto near = relative<Bounded>(p);
  const auto exact = relative<Dyadic>(p);
  return {{near[0], near[1], Bounded(1)}, {exact[0], exact[1], Dyadic(1)}};
}

template <class Number>
Triple<Number> Face::crossing_of(const std::array<Number, 3>& normal, const Vec3& p, const Vec3& q) const {
  const auto a = relative<Number>(p), b = relative<Number>(q);
  const auto height = [&](const std::array<Number, 3>& x) {
    return normal[0] * x[0] + normal[1] * x[1] + normal[2] * x[2];
  };
  const Number at_a = height(a), at_b = height(b);
  return {at_a * b[0] - at_b * a[0], at_a * b[1] - at_b * a[1], at_a - at_b};
}

Projective Face::crossing(const Vec3& p, const Vec3& q) const {
  return as_point({crossing_of(near_normal_, p, q), crossing_of(normal_, p, q)});
}

// n'·(x − t0) for x = (u, v, −(n_u·u + n_v·v)/n_w), times n_w.
template <class Number>
Triple<Number> Face::trace_of(const std::array<Number, 3>& n, const Corners& t) const {
  const auto m = normal<Number>(t);
  const auto from = relative<Number>(t[0]);
  return {n[2] * m[0] - m[2] * n[0], n[2] * m[1] - m[2] * n[1],
          -(n[2] * (m[0] * from[0] + m[1] * from[1] + m[2] * from[2]))};
}

Projective Face::trace(const Corners& t) const { return {trace_of(near_normal_, t), trace_of(normal_, t)}; }

int Face::side_of_line(const Vec2& a, const Vec2& b, const FaceSample& q) const {
  if (q.slack == 0) return orient2d(a, b, q.at);
  const Vec2 from = origin();
  const auto line = [&]<class Number>(const Number&) {
    const auto at = [&](const Vec2& p) {
      return Triple<Number>{Number(p.x) - Number(from.x), Number(p.y) - Number(from.y), Number(1)};
    };
    return cross(at(a), at(b));
  };
  const Bounded near = dot(line(Bounded()), q.point.near);
  return near.is_certain() ? near.sign() : dot(line(Dyadic()), q.point.exact).sign();
}

Over Face::over(const FaceSample& q, const Corners& t) const {
  const std::array<Vec2, 3> p{project(t[0], axis_), project(t[1], axis_), project(t[2], axis_)};
  const double x = q.at.x, y = q.at.y;
  if (x + q.slack < std::min({p[0].x, p[1].x, p[2].x}) || x - q.slack > std::max({p[0].x, p[1].x, p[2].x})) return {};
  if (y + q.slack < std::min({p[0].y, p[1].y, p[2].y}) || y - q.slack > std::max({p[0].y, p[1].y, p[2].y})) return {};
  const int turn = orient2d(p[0], p[1], p[2]);
  if (turn == 0) return {};  // the moved sample is beside it
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec2 &a = p[i], &b = p[next_corner(i)];
    const int side = side_of_line(a, b, q);
    if ((side != 0 ? side : side_when_moved(a, b)) != turn) return {};
  }
  const Sides sides = tumble::sides(corners_, t);
  if (all_zero(sides)) return {turn, 0};
  // On one side of the plane, or with an edge in it, where the moved sample is not.
  if (std::ranges::min(sides) >= 0) return {turn, turn_};
  if (std::ranges::max(sides) <= 0) return {turn, -turn_};
  // Both normals are seen along the axis as the triangles turn. A point of this plane is below `t` if it is behind the
  // counter-clockwise triangle or in front of the clockwise one.
  const Triple<Bounded> near = trace_of(near_normal_, t);
  int side = 0;
  if (const Bounded at = dot(near, q.point.near); at.is_certain() && at.value != 0) {
    side = at.sign();
  } else {
    const Triple<Dyadic> exact = trace_of(normal_, t);
    side = dot(exact, q.point.exact).sign();
    if (side == 0) side = exact.u.sign();
    if (side == 0) side = exact.v.sign();
  }
  return {turn, -side * turn_ * turn};
}

FaceCells::FaceCells(const Corners& t) : face_(t) {
  Cell& all = cells_.emplace_back();
  for (std::size_t i = 0; i < 3; ++i) add(points_, face_.point(t[i]));
  for (std::size_t i = 0; i < 3; ++i)
    all.corners.push_back({static_cast<Id>(i), add(lines_, cross(points_[i], points_[next_corner(i)])), face_.turn()});
}

int FaceCells::side(Id line, Id point) const { return tumble::side(lines_[line], points_[point]); }

FaceCells::Id FaceCells::meeting(Id line, Id other) {
  return add(points_, as_point(cross(lines_[line], lines_[other])));
}

/// Whether a segment of the plane has no point inside the face: it is beyond an edge, or along it.
bool FaceCells::is_beside(const Vec3& from, const Vec3& to) const {
  const Corners& t = face_.corners();
  const Vec2 p = project(from, face_.axis()), q = project(to, face_.axis());
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec2 a = project(t[i], face_.axis()), b = project(t[next_corner(i)], face_.axis());
    if (orient2d(a, b, p) * face_.turn() <= 0 && orient2d(a, b, q) * face_.turn() <= 0) return true;
  }
  return false;
}

void FaceCells::cut(const Corners& by) {
  if (dimension(by) < 2) return;  // it winds around nothing
  const Sides sides = tumble::sides(face_.corners(), by);
  if (all_zero(sides)) {
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 &p = by[i], &q = by[next_corner(i)];
      if (is_beside(p, q)) continue;
      const Id from = add(points_, face_.point(p)), to = add(points_, face_.point(q));
      add_piece(add(lines_, cross(points_[from], points_[to])), from, to);
    }
    return;
  }
  if (!intersects(face_.corners(), by)) return;
  for (std::size_t i = 0; i < 3; ++i)  // an edge in the plane: most are those that neighbours have in common
    if (const std::size_t j = next_corner(i); sides[i] == 0 && sides[j] == 0 && is_beside(by[i], by[j])) return;
  std::array<Id, 2> ends;
  std::size_t count = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = next_corner(i);
    if (sides[i] == 0) ends[count++] = add(points_, face_.point(by[i]));
    if (sides[i] * sides[j] < 0) ends[count++] = add(points_, face_.crossing(by[i], by[j]));
  }
  if (count == 2) add_piece(add(lines_, face_.trace(by)), ends[0], ends[1]);
}

/// Clips a segment to the face.
void FaceCells::add_piece(Id line, Id from, Id to) {
  Cell& all = cells_.back();
  for (const Corner& edge : all.corners) {
    const int at_from = side(edge.line, from) * edge.side, at_to = side(edge.line, to) * edge.side;
    if (at_from <= 0 && at_to <= 0) return;
    if (at_from < 0) from = meeting(line, edge.line);
    if (at_to < 0) to = meeting(line, edge.line);
  }
  all.pieces.push_back({line, from, to});
}

/// The part of a cell on one side of a line; `sides` are those of its corners.
FaceCells::Cell FaceCells::part(const Cell& whole, const std::vector<int>& sides, Id line, int side) {
  Cell part;
  for (std::size_t i = 0; i < whole.corners.size(); ++i) {
    const Corner& corner = whole.corners[i];
    const int here = sides[i] * side, next = sides[i + 1 < sides.size() ? i + 1 : 0] * side;
    if (here >= 0 && next >= 0) part.corners.push_back(corner);
    if (here > 0 && next < 0) part.corners.push_back(corner);
    if (here == 0 && next < 0) part.corners.push_back({corner.point, line, side});
    if (here > 0 && next < 0) part.corners.push_back({meeting(corner.line, line), line, side});
    if (here < 0 && next > 0) part.corners.push_back({meeting(corner.line, line), corner.line, corner.side});
  }
  return part;
}

std::optional<FaceSample> FaceCells::next() {
  if (cells_.empty()) return std::nullopt;
  if (!is_shuffled_) {  // by a fixed sequence (splitmix64): the same cells every time
    is_shuffled_ = true;
    std::vector<Piece>& pieces = cells_.back().pieces;
    std::uint64_t state = 0;
    for (std::size_t i = pieces.size(); i > 1; --i) {
      std::uint64_t z = state += 0x9e3779b97f4a7c15u;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      std::swap(pieces[i - 1], pieces[(z ^ (z >> 31)) % i]);
    }
  }
  Cell cell = std::move(cells_.back());
  cells_.pop_back();
  std::vector<int> sides;
  while (!cell.pieces.empty()) {
    const Id line = cell.pieces[0].line;
    sides.clear();
    for (const Corner& corner : cell.corners) sides.push_back(side(line, corner.point));
    Cell front = part(cell, sides, line, 1), back = part(cell, sides, line, -1);
    for (std::size_t i = 1; i < cell.pieces.size(); ++i) {
      const Piece& piece = cell.pieces[i];
      const int from = side(line, piece.from), to = side(line, piece.to);
      if (from * to < 0) {
        const Id middle = meeting(piece.line, line);
        (from > 0 ? front : back).pieces.push_back({piece.line, piece.from, middle});
        (to > 0 ? front : back).pieces.push_back({piece.line, middle, piece.to});
      } else if (from + to != 0) {  // not along the line
        (from + to > 0 ? front : back).pieces.push_back(piece);
      }
    }
    cells_.push_back(std::move(back));
    cell = std::move(front);
  }
  return sample(cell);
}

FaceSample FaceCells::sample(const Cell& cell) const {
  const std::size_t n = cell.corners.size();
  const std::array<const Projective*, 3> c{&points_[cell.corners[0].point], &points_[cell.corners[n / 3].point],
                                           &points_[cell.corners[2 * n / 3].point]};
  const Vec2 from = face_.origin();
  // If some point with two doubles for coordinates is in the cell, it is the quickest to work with.
  FaceSample q;
  q.at = from;
  for (const Projective* p : c) {
    q.at.x += p->near.u.value / p->near.w.value / 3;
    q.at.y += p->near.v.value / p->near.w.value / 3;
  }
  if (std::isfinite(q.at.x) && std::isfinite(q.at.y)) {
    const auto place = [&]<class Number>(const Number&) {
      return Triple<Number>{Number(q.at.x) - Number(from.x), Number(q.at.y) - Number(from.y), Number(1)};
    };
    q.point = {place(Bounded()), place(Dyadic())};
    if (std::ranges::all_of(cell.corners,
                            [&](const Corner& edge) { return tumble::side(lines_[edge.line], q.point) == edge.side; }))
      return q;
  }
  const auto middle = [&]<class Number>(const std::array<const Triple<Number>*, 3>& p) {
    const Number ab = p[0]->w * p[1]->w, bc = p[1]->w * p[2]->w, ca = p[2]->w * p[0]->w;
    return Triple<Number>{p[0]->u * bc + p[1]->u * ca + p[2]->u * ab, p[0]->v * bc + p[1]->v * ca + p[2]->v * ab,
                          Number(3) * (ab * p[2]->w)};
  };
  q.point.near = middle(std::array{&c[0]->near, &c[1]->near, &c[2]->near});
  q.point.exact = middle(std::array{&c[0]->exact, &c[1]->exact, &c[2]->exact});
  const Triple<Dyadic>& exact = q.point.exact;
  q.at = {quotient(exact.u + Dyadic(from.x) * exact.w, exact.w), quotient(exact.v + Dyadic(from.y) * exact.w, exact.w)};
  q.slack = std::max(std::abs(q.at.x), std::abs(q.at.y)) * 0x1p-50 + std::numeric_limits<double>::min();
  return q;
}

}  // namespace tumble
