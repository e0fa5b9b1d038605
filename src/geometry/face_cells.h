// SPDX-License-Identifier: Apache-2.0
// FaceCells: a triangle cut into cells by the triangles that meet it, with a point in each cell; exact.
#pragma once

#include "geometry/bounded.h"
#include "geometry/triangle.h"
#include "geometry/triangle_pair.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace tumble {

/// A point (u/w, v/w), w > 0, or a line u·x + v·y + w = 0 of a face's plane: rounded, and exactly.
template <class Number>
struct Triple {
  Number u, v, w;
};
struct Projective {
  Triple<Bounded> near;
  Triple<Dyadic> exact;
};

/// A point of a face. Where it matters it is moved by (ε, ε²) within the plane, ε > 0 small enough, off every line.
struct FaceSample {
  Projective point;
  Vec2 at;           // the point seen along the face's axis,
  double slack = 0;  // to this accuracy
};

/// What a triangle is to a sample.
struct Over {
  int turn = 0;    // 1 or -1: seen along the axis it covers the sample, counter-clockwise or clockwise; 0: it does not
  int height = 0;  // 1 above, that is along the axis, -1 below, 0 in the face's plane
};

/// The plane of a triangle with area, seen along a coordinate axis. Coordinates count from the first corner.
class Face {
 public:
  explicit Face(const Corners& t);

  const Corners& corners() const { return corners_; }
  int axis() const { return axis_; }
  int turn() const { return turn_; }  // as seen along the axis
  Vec2 origin() const { return project(corners_[0], axis_); }

  Projective point(const Vec3& p) const;
  /// Where the line from p to q, which are on different sides, meets the plane.
  Projective crossing(const Vec3& p, const Vec3& q) const;
  /// Where the plane of a triangle that is not parallel meets this one. The line is positive where a point of this
  /// plane is in front of that triangle if this one is counter-clockwise, behind it if not.
  Projective trace(const Corners& t) const;

  Over over(const FaceSample& q, const Corners& t) const;

 private:
  template <class Number>
  std::array<Number, 3> relative(const Vec3& p) const;
  template <class Number>
  std::array<Number, 3> normal(const Corners& t) const;
  template <class Number>
  Triple<Number> crossing_of(const std::array<Number, 3>& normal, const Vec3& p, const Vec3& q) const;
  template <class Number>
  Triple<Number> trace_of(const std::array<Number, 3>& normal, const Corners& t) const;
  int side_of_line(const Vec2& a, const Vec2& b, const FaceSample& q) const;

  Corners corners_;
  int axis_, turn_;
  std::array<Bounded, 3> near_normal_;
  std::array<Dyadic, 3> normal_;
};

/// Cells are convex: a binary space partition along the segments in random order, which makes O(n log n) cells of n
/// segments (Paterson & Yao 1990, on autopartitions in the plane).
class FaceCells {
 public:
  /// The triangle has area.
  explicit FaceCells(const Corners& t);

  const Face& face() const { return face_; }
  /// Before the first next(): cuts along the common part of a triangle and the face, or its edges if it is coplanar.
  void cut(const Corners& by);
  bool is_cut() const { return !cells_.back().pieces.empty(); }

  /// A point of the next cell. Nothing after the last.
  std::optional<FaceSample> next();

 private:
  using Id = std::uint32_t;
  /// A corner of a cell, and the edge after it: its line, and on which side of that the cell is.
  struct Corner {
    Id point, line;
    int side;
  };
  /// A part of a segment that goes through the inside of its cell.
  struct Piece {
    Id line, from, to;
  };
  struct Cell {
    std::vector<Corner> corners;
    std::vector<Piece> pieces;
  };

  static Id add(std::vector<Projective>& to, Projective what) {
    to.push_back(std::move(what));
    return static_cast<Id>(to.size() - 1);
  }
  int side(Id line, Id point) const;
  Id meeting(Id line, Id other);
  bool is_beside(const Vec3& from, const Vec3& to) const;
  void add_piece(Id line, Id from, Id to);
  Cell part(const Cell& whole, const std::vector<int>& sides, Id line, int side);
  FaceSample sample(const Cell& cell) const;

  Face face_;
  std::vector<Projective> points_, lines_;
  std::vector<Cell> cells_;  // waiting
  bool is_shuffled_ = false;
};

}  // namespace tumble
