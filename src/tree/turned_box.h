// SPDX-License-Identifier: Apache-2.0
// TurnedBox: the smallest box around a body, where the body stands. A look at two of them takes a fraction of the time
// of a walk, and tells most neighbours apart that do not touch.
#pragma once

#include "tree/fine_box.h"

#include <tumble/pose.h>
#include <tumble/vec.h>

#include <array>
#include <cstdint>
#include <span>

namespace tumble {

/// A box around a body, in its own coordinates: center + Σ s_i·edge_i with |s_i| <= 1, where edge_i is nearly
/// halves[i]·normal_i.
struct WholeBox {
  using Four = std::array<double, 4>;  // three, and one for the compiler's sake

  Vec3 center;
  std::array<Four, 3> normals;  // by coordinate
  Four halves, extents;         // extents: how far it reaches along its own normals
  double lengths;               // of the half edges together
  double radius;                // how far it reaches at all, at any pose
  double skew;                  // by how much, at any pose, all edges together miss halves[i]·normal_i
  double reach;                 // at least |x| + |y| + |z| of every corner

  explicit WholeBox(const FineBox& box);
};

struct TurnedBox {
  std::array<WholeBox::Four, 3> normals;  // of its faces, by coordinate, then by face; the fourth is none
  WholeBox::Four extents;                 // how far it reaches along them
  Vec3 center;
  const WholeBox* of = nullptr;  // none: there is no such box
  double rounding;               // along a normal, of this box and of the body's world coordinates

  void place(const WholeBox* box, const Pose& pose);
};

/// Whether the bodies in two boxes certainly have no point in common.
bool are_apart(const TurnedBox& a, const TurnedBox& b);

// The same for several at once, which saves choosing the instruction set each time.

struct BoxToTurn {
  TurnedBox* box;  // which knows what it is of
  const Pose* pose;
};
void turn(std::span<const BoxToTurn> boxes);
/// Clears bit b of near[a] where the bodies in boxes a and b certainly have no point in common.
void leave_out_apart(std::span<const TurnedBox> boxes, std::span<std::uint64_t> near);

}  // namespace tumble
