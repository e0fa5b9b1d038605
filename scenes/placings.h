// SPDX-License-Identifier: Apache-2.0
// Placings: two bodies as machine design puts them beside or into each other, by one parameter each. They are what
// collision queries find hard: wide faces almost in contact, fits, coincident faces, needles, far distances.
#pragma once

#include <tumble/mesh.h>
#include <tumble/pose.h>

#include <cstddef>

namespace tumble::scenes {

/// The environment stands as it is; the pose places the object. At `before` it is a small step away.
struct Placing {
  Mesh env, object;
  Pose pose, before;
};

/// Two square plates of side 1, a face of each `clearance` from one of the other, one turned a little in its plane;
/// 2 * cells² triangles a face. Turned oddly in space.
Placing facing_plates(double clearance, std::size_t cells = 60);
/// A shaft of radius 0.25 in its bore, `clearance` all around: its edges lie before the middles of the bore's facets.
Placing shaft_in_bore(double clearance, std::size_t sides = 96);
/// A round lid of radius 0.5 whose tongue is `clearance` from both walls and the bottom of a groove; clearance < 0.02.
Placing lid_in_groove(double clearance, std::size_t sides = 64);
/// Two gears of 24 teeth and pitch radius 1, both flanks of one tooth `clearance` from those of its gap. Each flank is
/// cut into `cuts`; clearance <= 0.01.
Placing meshed_gears(double clearance, std::size_t cuts = 3);
/// A nut on a thread of radius 0.5; `play` is measured radially, so that the flanks are 0.7 to 0.8 of it apart.
Placing nut_on_thread(double play, std::size_t sides = 48);

/// Two wrinkled tori whose middles are so many radii apart.
Placing far_apart(double radii, std::size_t triangles = 10'000);
/// The same mesh twice in the same place.
Placing coincident(std::size_t triangles);
/// Two plates of side 1 with one face of each exactly in the plane z = 0, the lattice of one sheared: x + shear * y.
Placing mated_faces(double shear, std::size_t cells = 60);
/// Two round bars of length 1 side by side with a gap: boxes around them are disjoint, spheres around them are not.
Placing parallel_bars(double gap, std::size_t triangles = 4'000);
/// Two coaxial discs, each face a fan of `sides` triangles about its middle, 1e-3 of their radius apart.
Placing facing_fans(std::size_t sides);
/// Two cylinders through each other, each a strip of needles of this length over width: the cylinders get longer.
Placing crossing_needles(double aspect, std::size_t sides = 256);
/// A body of size 1 and many triangles beside another, which stands on a block `ratio` times as large, of 12 triangles.
Placing small_on_huge(double ratio, std::size_t triangles = 5'000);
/// Zachmann's tori of this many triangles each, through each other.
Placing crossing_tori(std::size_t triangles);

/// Both bodies turned by one odd rotation: the environment's vertices, and the object's poses.
Placing turned_oddly(Placing placing);

}  // namespace tumble::scenes
