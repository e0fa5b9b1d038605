// SPDX-License-Identifier: Apache-2.0
// Rival: another library asked the same questions. One adapter per library, each optional at build time.
#pragma once

#include <tumble/mesh.h>
#include <tumble/pose.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tumble::lab {

using PairOfTriangles = std::pair<std::uint32_t, std::uint32_t>;  // of the environment, of the object

class Rival {
 public:
  virtual ~Rival() = default;

  /// Library, bounding volume and precision, and any setting a reader should know.
  virtual std::string name() const = 0;
  /// Builds both trees; the environment stays where it is.
  virtual void build(const Mesh& environment, const Mesh& object) = 0;
  /// Any contact? Without generating contacts.
  virtual bool any(const Pose& object_pose) = 0;
  /// All pairs of triangles in contact, in any order; `into` is emptied first.
  virtual void all(const Pose& object_pose, std::vector<PairOfTriangles>& into) = 0;
};

/// Ours, by bounding volume, as if it were one of them.
std::vector<std::unique_ptr<Rival>> ours();
/// The others that were found when this was built.
std::vector<std::unique_ptr<Rival>> fcl_rivals();

}  // namespace tumble::lab
