// SPDX-License-Identifier: Apache-2.0
// The referee for insides: CGAL's point-in-solid test, exact on the coordinates it is given.
#pragma once

#include <tumble/mesh.h>
#include <tumble/solid.h>

#include <memory>

namespace tumble::testing {

class CgalSolid {
 public:
  /// Of a mesh CGAL can answer for: manifold, closed, outward, and not intersecting itself, so that counting crossings
  /// by twos is the same as winding numbers. Nothing otherwise.
  static std::unique_ptr<CgalSolid> of(const Mesh& mesh);
  ~CgalSolid();

  Side at(const Vec3& point) const;

 private:
  struct State;
  explicit CgalSolid(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tumble::testing
