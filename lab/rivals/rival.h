// SPDX-License-Identifier: Apache-2.0
// Rival: another library asked the same questions. One adapter per library, each a module of its own that is loaded
// when it is there: nothing of a rival is linked into what we ship.
#pragma once

#include <tumble/mesh.h>
#include <tumble/pose.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tumble::lab {

using PairOfTriangles = std::pair<std::uint32_t, std::uint32_t>;  // of the environment, of the object

class Rival {
 public:
  virtual ~Rival() = default;

  /// One word to choose it by on the command line.
  virtual std::string id() const = 0;
  /// Library, bounding volume and precision.
  virtual std::string name() const = 0;
  /// How it was set up and what a reader should know to judge the comparison, in a sentence.
  virtual std::string settings() const = 0;

  /// Whether others are measured against it: it flies every pose, however long that takes.
  virtual bool yardstick() const { return false; }
  /// Whether it decides pairs of triangles exactly on the same world coordinates: `all` must then agree with ours.
  virtual bool exact() const { return false; }
  /// Whether build() builds models of its own; ours share them between variants.
  virtual bool builds() const { return true; }
  /// Builds both models on one thread; the environment stays where it is. What was built before is gone.
  virtual void build(const Mesh& environment, const Mesh& object) = 0;
  /// Frees what build() made.
  virtual void clear() = 0;
  /// What both models occupy, where the library counts it itself; otherwise the growth of the heap is taken.
  virtual std::optional<std::size_t> counted_bytes() const { return std::nullopt; }

  /// Whether it begins where its last answer ended. Asked the same twice it would know the answer.
  virtual bool remembers() const { return false; }

  /// Before and after a series of queries, for what holds for the whole process.
  virtual void begin() {}
  virtual void end() {}

  /// Any contact? Without generating contacts where the library lets us.
  virtual bool any(const Pose& object_pose) = 0;
  /// All pairs of triangles in contact, in any order, possibly more than once; `into` is emptied first.
  virtual void all(const Pose& object_pose, std::vector<PairOfTriangles>& into) = 0;

  /// Whether it can be asked for the distance of two meshes; most cannot.
  virtual bool has_distance() const { return false; }
  /// Whether it takes part for that alone.
  virtual bool only_distance() const { return false; }
  /// Of the surfaces, without the points where it is attained if the library lets us; 0 or less in contact.
  virtual double distance(const Pose&) { return 0; }
};

using Rivals = std::vector<std::unique_ptr<Rival>>;

/// What a module exports under the name `tumble_rivals`: it appends its rivals.
using RivalsOfModule = void(Rivals& into);

}  // namespace tumble::lab

/// Opens the one function a module shows to the outside.
#define TUMBLE_RIVALS extern "C" __attribute__((visibility("default"))) void tumble_rivals
