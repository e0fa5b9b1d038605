// SPDX-License-Identifier: Apache-2.0
// BroadRival: another library's way to find the neighbours among many moving boxes. Adapters are modules, as Rival's.
#pragma once

#include <tumble/mesh.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tumble::lab {

using PairOfBoxes = std::pair<std::uint32_t, std::uint32_t>;  // the lesser first

class BroadRival {
 public:
  virtual ~BroadRival() = default;

  /// One word to choose it by on the command line.
  virtual std::string id() const = 0;
  virtual std::string name() const = 0;
  /// How it was set up and what a reader should know to judge the comparison, in a sentence.
  virtual std::string settings() const = 0;

  /// What was there before is gone.
  virtual void start(std::span<const Box> boxes) = 0;
  /// A step: moves all boxes, then finds all pairs that overlap, each once; `into` is emptied first.
  virtual void step(std::span<const Box> boxes, std::vector<PairOfBoxes>& into) = 0;
};

using BroadRivals = std::vector<std::unique_ptr<BroadRival>>;

/// What a module exports under the name `tumble_broad_rivals`: it appends its rivals.
using BroadRivalsOfModule = void(BroadRivals& into);

inline PairOfBoxes ordered(std::uint32_t a, std::uint32_t b) { return a < b ? PairOfBoxes(a, b) : PairOfBoxes(b, a); }

inline bool overlap(const Box& a, const Box& b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y && b.lower.y <= a.upper.y &&
         a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

}  // namespace tumble::lab

/// Opens the one function a module shows to the outside.
#define TUMBLE_BROAD_RIVALS extern "C" __attribute__((visibility("default"))) void tumble_broad_rivals
