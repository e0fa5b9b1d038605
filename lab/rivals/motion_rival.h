// SPDX-License-Identifier: Apache-2.0
// MotionRival: another library asked when a moving mesh first touches one that stands. Adapters are modules, as
// Rival's.
#pragma once

#include <tumble/mesh.h>
#include <tumble/pose.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tumble::lab {

class MotionRival {
 public:
  virtual ~MotionRival() = default;

  /// One word to choose it by on the command line.
  virtual std::string id() const = 0;
  virtual std::string name() const = 0;
  /// How it was set up and what a reader should know to judge the comparison, in a sentence.
  virtual std::string settings() const = 0;

  /// Builds both models on one thread. What was there before is gone.
  virtual void build(const Mesh& environment, const Mesh& object) = 0;
  /// The share of the way from one pose to the other at which they first touch; none if they do not. The object's
  /// origin goes straight, and the object turns evenly about it, the shorter way round. A gap of the tolerance counts
  /// as contact where the library lets us say so.
  virtual std::optional<double> first_contact(const Pose& from, const Pose& to, double tolerance) = 0;
};

using MotionRivals = std::vector<std::unique_ptr<MotionRival>>;

/// What a module exports under the name `tumble_motion_rivals`: it appends its rivals.
using MotionRivalsOfModule = void(MotionRivals& into);

}  // namespace tumble::lab

/// Opens the one function a module shows to the outside.
#define TUMBLE_MOTION_RIVALS extern "C" __attribute__((visibility("default"))) void tumble_motion_rivals
