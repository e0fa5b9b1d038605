// SPDX-License-Identifier: Apache-2.0
// Two triangles that are not coplanar meet in a part of the line that their planes share.
#include "geometry/inner_points.h"

#include "geometry/predicates.h"
#include "geometry/triangle_pair.h"

#include <algorithm>

namespace tumble {
namespace {

bool on_both_sides(const Sides& s) { return std::ranges::min(s) < 0 && std::ranges::max(s) > 0; }

}  // namespace

bool meets_inner_points(const Corners& of, const Corners& other) {
  const std::optional<ContactKind> contact = classify(of, other);
  if (!contact) return false;
  if (contact != ContactKind::touch) return true;  // what they share has area, or goes through both
  // A plane with the triangle on one side meets no inner point; the triangle's own plane, without a common area,
  // neither.
  if (!on_both_sides(sides(other, of))) return false;
  // Each plane divides the other triangle, and they share no more than a point: an end of either's part of the line.
  const Sides others = sides(of, other);
  if (on_both_sides(others)) return false;
  // The other has one or two corners in the plane. They, and what is between them, miss the inner points if they are
  // beyond the same edge, or on it.
  const int axis = projection_axis(of[0], of[1], of[2]);
  const auto project = [axis](const Vec3& p) { return tumble::project(p, axis); };
  const int turn = orient2d(project(of[0]), project(of[1]), project(of[2]));
  for (std::size_t i = 0; i < 3; ++i) {
    bool beyond = true;
    for (std::size_t j = 0; j < 3; ++j)
      if (others[j] == 0) beyond &= orient2d(project(of[i]), project(of[next_corner(i)]), project(other[j])) != turn;
    if (beyond) return false;
  }
  return true;
}

}  // namespace tumble
