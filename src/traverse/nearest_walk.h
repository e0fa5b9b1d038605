// SPDX-License-Identifier: Apache-2.0
// The triangles of one tree that may be nearest to a point: branch and bound, the nearest bounds first.
#pragma once

#include "traverse/tree_point.h"

#include <cstdint>

namespace tumble {

class PointSink {
 public:
  /// A triangle that may be nearest. The sink measures it, and lowers the limit if it is. Returns true to end the walk.
  virtual bool measure(std::uint32_t triangle) = 0;

  /// Triangles farther away than this, in tree units, do not matter. May be infinite.
  double limit = 0;
  /// If one triangle is at most d away in the tree, those beyond d·stretch + underflow do not matter: poses may
  /// stretch, and tiny distances come out equal.
  double stretch = 1, underflow = 0;

 protected:
  ~PointSink() = default;
};

/// Where bounds do not serve (TreePoint::bounds_serve), the sink gets every triangle.
void walk_to_nearest(const Tree& tree, const TreePoint& point, PointSink& sink);

}  // namespace tumble
