// SPDX-License-Identifier: Apache-2.0
// ConvexRival: a library asked about two convex bodies. Adapters are modules, as Rival's.
#pragma once

#include <tumble/mesh.h>
#include <tumble/pose.h>

#include <memory>
#include <string>
#include <vector>

namespace tumble::lab {

class ConvexRival {
 public:
  virtual ~ConvexRival() = default;

  /// One word to choose it by on the command line.
  virtual std::string id() const = 0;
  virtual std::string name() const = 0;
  /// How it was set up and what a reader should know to judge the comparison, in a sentence.
  virtual std::string settings() const = 0;

  /// Closed convex meshes without needless vertices. What was there before is gone.
  virtual void start(const Mesh& a, const Mesh& b) = 0;
  /// Whether it begins where its last answer ended; forget() makes it start afresh.
  virtual bool remembers() const { return false; }
  virtual void forget() {}

  // a stands at the origin, b at the pose.

  virtual bool collide(const Pose& pose) = 0;
  virtual bool has_distance() const { return true; }
  /// 0 or less in contact.
  virtual double distance(const Pose&) { return 0; }
  /// The most faces for which an answer takes less than a second.
  virtual std::size_t most_faces() const { return 1'000'000; }
};

using ConvexRivals = std::vector<std::unique_ptr<ConvexRival>>;

/// What a module exports under the name `tumble_convex_rivals`: it appends its rivals.
using ConvexRivalsOfModule = void(ConvexRivals& into);

/// tumble itself behind this face.
std::unique_ptr<ConvexRival> our_convex();

}  // namespace tumble::lab

/// Opens the one function a module shows to the outside.
#define TUMBLE_CONVEX_RIVALS extern "C" __attribute__((visibility("default"))) void tumble_convex_rivals
