// SPDX-License-Identifier: Apache-2.0
// WorldRival: another library asked about many moving meshes at once. Adapters are modules, as Rival's.
#pragma once

#include "lab/found_set.h"

#include <tumble/mesh.h>
#include <tumble/pose.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tumble::lab {

/// Meshes, and which of them each body is.
struct BodiesToAsk {
  std::span<const Mesh> meshes;
  std::span<const std::uint32_t> mesh_of;
  std::span<const std::pair<std::uint32_t, std::uint32_t>> ignored{};  // bodies, the lesser first, in order
};

class WorldRival {
 public:
  virtual ~WorldRival() = default;

  /// One word to choose it by on the command line.
  virtual std::string id() const = 0;
  virtual std::string name() const = 0;
  /// How it was set up and what a reader should know to judge the comparison, in a sentence.
  virtual std::string settings() const = 0;

  /// What was there before is gone. Trees are built now.
  virtual void start(const BodiesToAsk& bodies, std::span<const Pose> poses) = 0;

  // A step each: moves all bodies, then asks.

  /// Is any pair in contact?
  virtual bool any(std::span<const Pose> poses) = 0;
  /// How many pairs of bodies are in contact?
  virtual std::size_t pairs(std::span<const Pose> poses) = 0;
  /// How many pairs of triangles are in contact?
  virtual std::size_t contacts(std::span<const Pose> poses) = 0;

  // The same, and which they are: bodies by their places, and their triangles. Not for times.

  virtual FoundSet list_pairs(std::span<const Pose> poses) = 0;
  virtual FoundSet list_contacts(std::span<const Pose> poses) = 0;
};

using WorldRivals = std::vector<std::unique_ptr<WorldRival>>;

/// What a module exports under the name `tumble_world_rivals`: it appends its rivals.
using WorldRivalsOfModule = void(WorldRivals& into);

}  // namespace tumble::lab

/// Opens the one function a module shows to the outside.
#define TUMBLE_WORLD_RIVALS extern "C" __attribute__((visibility("default"))) void tumble_world_rivals
