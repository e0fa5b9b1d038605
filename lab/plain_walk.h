// SPDX-License-Identifier: Apache-2.0
// PlainWalk: the papers' walk over two trees of k-DOPs, one pair of volumes at a time. It is for what the engine does
// not tell: which triangles come to be tested, and what would be counted if leaves had no volumes.
#pragma once

#include "query/pair_setup.h"

#include <tumble/pose.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace tumble::lab {

/// What one walk over two trees counted.
struct WalkCounts {
  std::uint64_t volumes = 0;  // tests of two volumes
  std::uint64_t faces = 0;    // tests of a leaf's triangle with a volume
  std::uint64_t np = 0, contacts = 0;
};

/// Both trees are descended together, to the end: all contacts are found. With the leaves' volumes, or without them, as
/// Fünzig 2003 recommends for use (section 6): a mixed pair is then decided by the leaf's triangle and the inner
/// volume's slabs, two leaves by their triangles. The engine cannot do without them: a leaf's volume is a lane of its
/// parent's node, and is tested together with its siblings'.
class PlainWalk {
 public:
  /// Trees of k-DOPs of one k.
  PlainWalk(const Model& env, const Model& object, const PairOptions& options, bool leaves_have_volumes = true);

  /// Told of every pair of triangles that is tested, by their places in the two meshes.
  using OnPair = std::function<void(std::uint32_t of_env, std::uint32_t of_object)>;
  /// The environment stands at the origin.
  WalkCounts ask(const Pose& pose, const OnPair& on_pair = {});

 private:
  struct Volume {
    std::uint32_t node;
    int lane;
  };
  struct Slabs {
    const float* rows;
    int lane;
    double lower(int slab) const;
    double upper(int slab) const;
  };

  const Tree& env() const { return setup_.target().tree; }
  const Tree& object() const { return setup_.source().tree; }
  Slabs moved(Volume v);
  bool overlap(const Slabs& a, const Slabs& b) const;
  static bool reach(const std::vector<Vec3>& points, const Slabs& volume, int k, double margin);
  bool may_touch(Volume a, Volume b);
  void meet(Volume a, Volume b, const OnPair& on_pair);

  PairSetup setup_;
  bool with_volumes_;
  Pose pose_;
  RelativePose relative_;
  std::vector<std::vector<float>> realigned_;  // empty: not yet at this pose
  WalkCounts counts_;
};

}  // namespace tumble::lab
