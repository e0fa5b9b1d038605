// SPDX-License-Identifier: Apache-2.0
// The pieces of scenes: closed parametric shapes with a known number of triangles, and ways to combine them.
//
// Nearly all use one idea: a closed surface woven from rings of vertices, with a pole at either end, has exactly two
// triangles per ring vertex, whatever the rings' sizes. So distributing n / 2 vertices over the rings gives any even
// number n of triangles.
#pragma once

#include <tumble/mesh.h>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tumble::scenes {

/// An affine placement: where the origin goes and what the three axes become.
struct Frame {
  Vec3 origin{0, 0, 0}, x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};

  Vec3 operator*(Vec3 p) const { return ((x * p.x + y * p.y) + z * p.z) + origin; }
};

Vec3 normalized(Vec3 v);
/// Orthonormal, with z along `direction`; the other axes are arbitrary.
Frame frame_along(Vec3 origin, Vec3 direction);
/// Turned about the coordinate axis (0, 1, 2) and moved.
Frame turned(int axis, double turns, Vec3 origin = {});

/// Moves every vertex; a mirroring frame also flips the triangles, so that fronts stay fronts.
Mesh placed(Mesh mesh, const Frame& frame);
Mesh scaled(Mesh mesh, double factor);
/// Every triangle cut into four at the middles of its edges, which neighbours share; the parts stay.
Mesh quartered(const Mesh& mesh);
/// Uniformly scaled and centred so that the longest side of its box is `side`.
Mesh fitted_to_cube(Mesh mesh, double side);
/// Uniformly scaled to the largest that fits into the box, about the box's middle. A mesh that is a single point stays
/// one.
Mesh fitted_into(Mesh mesh, const Box& box);
/// Adds a piece: as one part if a name is given, otherwise with its own parts.
void append(Mesh& into, const Mesh& piece, const std::string& name = {});

/// Divides `total` in proportion to the weights into whole numbers of at least `least`. Throws Error if it is too
/// small.
std::vector<std::size_t> share(std::size_t total, std::span<const double> weights, std::size_t least);
/// `total` in `count` parts that differ by at most one.
std::vector<std::size_t> share_evenly(std::size_t total, std::size_t count);

using Ring = std::vector<Vec3>;
/// The closed surface through rings that run counter-clockwise seen from the end pole, with a pole vertex closing
/// either end: two triangles per ring vertex.
Mesh weave(const std::vector<Ring>& rings, Vec3 start_pole, Vec3 end_pole);
/// The same with the rings' middles as poles.
Mesh weave(const std::vector<Ring>& rings);
/// Rings joined end to end into a torus: two triangles per ring vertex.
Mesh weave_around(const std::vector<Ring>& rings);
/// The open surface over rows of points: one triangle per segment of the first and last row, two per segment of the
/// others. Its front is on the side of (next point) x (next row).
Mesh weave_open(const std::vector<Ring>& rows);

/// 12 triangles.
Mesh box(Vec3 half_size);
/// 4 triangles.
Mesh tetrahedron(Vec3 a, Vec3 b, Vec3 c, Vec3 d);
/// About the z axis, from 0 to `height`, `rows` rings: 2 * sides * rows triangles; rows >= 2.
Mesh cylinder(double radius, double height, std::size_t sides, std::size_t rows = 2);
/// About the z axis: 2 * around * across triangles.
Mesh torus(double ring_radius, double tube_radius, std::size_t around, std::size_t across);
/// A box with rounded edges: 2 * sides * rings triangles; sides a multiple of 4, rings even.
Mesh rounded_box(Vec3 half_size, double rounding, std::size_t sides, std::size_t rings);
/// Two cones base to base, 2 * sides triangles: the smallest closed filler of any even count from 6.
Mesh bipyramid(double radius, double half_height, std::size_t sides);

/// A point of a tube's centre line and the tube's radius there.
struct Station {
  Vec3 centre;
  double radius = 0;
};
/// A closed tube around a line, its frame carried along without twisting: 2 * sides triangles per station.
/// Stations may repeat a centre with another radius (a step, as at a flange).
Mesh tube(std::span<const Station> stations, std::size_t sides);
/// The same with exactly `triangles` triangles (even), distributed over the stations.
Mesh tube_of(std::span<const Station> stations, std::size_t triangles);

/// A smooth curve through the points (Catmull-Rom), `steps` per span, the last point included.
std::vector<Vec3> spline(std::span<const Vec3> points, std::size_t steps);

}  // namespace tumble::scenes
