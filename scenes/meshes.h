// SPDX-License-Identifier: Apache-2.0
// The named meshes: our own models replace the papers' unpublished ones, with the published triangle counts.
#pragma once

#include "scenes/spheres.h"

#include <tumble/mesh.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace tumble::scenes {

/// Interweaving pipelines with elbows, flanges, bolts and valves, in the cube [-1, 1]³: exactly `triangles` (even, at
/// least 2,000), each pipe a closed shell of long thin triangles. Fly a copy `scaled` by 1/15.
Mesh pipes(std::size_t triangles = 143'690, std::uint64_t seed = 1);

/// The pipelines that `pipes` lays for 10,000 triangles, without bolts. They are the same for any number of triangles:
/// more make the facets finer, along the pipes and around them, and the pipes rounder. Exactly `triangles` (even, from
/// about 6,000), closed shells in the cube [-1, 1]³.
Mesh fine_pipes(std::size_t triangles = 143'690, std::uint64_t seed = 1);

/// A wrinkled, twisted, wavy torus about the z axis, of radius about 1.1 with a hole of radius about 0.5: a closed
/// surface of exactly `triangles` (even, at least 200).
Mesh wrinkled_torus(std::size_t triangles = 20'000, std::uint64_t seed = 1);

/// Dimpled ground with stalagmites that the torus fits around: an open surface over [-6, 6]², heights about -0.3 to
/// 4, fronts up, of exactly `triangles` (at least 200).
Mesh landscape(std::size_t triangles = 98'114, std::uint64_t seed = 1);

/// A four-engined airliner with a hump, nose along +x, span along y, length 1: closed shells, 14,646 triangles.
Mesh airplane();

/// Disjoint random tetrahedra in the cube [-side/2, side/2]³: 4 * count triangles (the papers count 25,000
/// tetrahedra as 100,000 triangles). Each lies within a ball, and the balls are disjoint.
Mesh tetrahedron_field(std::size_t count = 25'000, double side = 20, std::uint64_t seed = 1);

/// Three thin boxes along the axes, crossing in the middle, each of length 1: 36 triangles.
Mesh axis_object();

/// Random tetrahedra close to the volume the axis object sweeps over the poses, but clear of it at every pose by at
/// least `swept_clearance`. They may overlap one another.
Mesh swept_obstacles(std::span<const Pose> path, std::size_t count = 10'000, std::uint64_t seed = 1);
inline constexpr double swept_clearance = 1e-4;

/// The same around the volume that the axis object's convex hull sweeps: beyond some face's plane by `nearest` or more
/// at every pose, and by at most `farthest` at one. The object is 1 long.
Mesh obstacles_around_swept_hull(std::span<const Pose> path, double nearest, double farthest,
                                 std::size_t count = 10'000, std::uint64_t seed = 1);

/// A right hand, wrist at the origin, fingers along +x, palm facing -z, 0.19 long: closed shells, 404 triangles.
Mesh hand();

/// A stretch of airliner cabin, cut off at the ends, x along it, floor near z = 0, in metres: walls with ribs and
/// windows, seats, bins, an instrument panel with knobs, pipes and cables; exactly 169,944 triangles.
Mesh cabin(std::uint64_t seed = 1);

/// Two four-legged animals of about length 2, each one closed organic surface.
Mesh horse(std::size_t triangles = 20'000);
Mesh dinosaur(std::size_t triangles = 20'000);

/// Zachmann's synthetic objects, fitted to a cube of side 2, of exactly `triangles` (even). His tori count k² and
/// his spheres k(k−1) polygons; those counts give regular grids here.
Mesh zachmann_torus(std::size_t triangles = 53'824);
Mesh zachmann_sphere(std::size_t triangles = 22'952);
Mesh zachmann_cylinder(std::size_t triangles = 20'000);
/// These replace his CAD objects, which are not public: an open, dimpled skin for the door of a car; pipes for its
/// lock, most of which is inside; and for the car of 60,755 our airplane, every triangle cut into four: 58,584.
Mesh zachmann_door(std::size_t triangles = 3'391);
Mesh zachmann_lock(std::size_t triangles = 20'898);
Mesh zachmann_car();

/// A torpedo 5.8 long about the x axis, with fins (even, at least 600 triangles), and the rollers, brackets and deck it
/// lies on when its axis is the x axis (at least 4,000 triangles; the deck is open). The rollers' surfaces are round
/// only in the limit, so the torpedo lies a little lower.
Mesh torpedo(std::size_t triangles = 4'780);
Mesh pivot(std::size_t triangles = 44'921);

}  // namespace tumble::scenes
