// SPDX-License-Identifier: Apache-2.0
// The walk of queries about distance: pairs of volumes that are near enough are opened, the nearest first, until leaves
// meet and their triangles go to the sink, which says how near is near enough. It can stop at any pair and go on later.
#pragma once

#include "traverse/sink.h"
#include "traverse/tree_pair.h"

#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

namespace tumble {

/// Receives the pairs of triangles that may be near enough.
class NearSink {
 public:
  virtual ~NearSink() = default;

  /// Bit 4·i + j of `pairs`: slot target_first + i of the target tree against slot source_first + j of the source,
  /// which in single precision are at least gaps[4·i + j] and at most reaches[4·i + j] apart. Returns true to end the
  /// walk.
  virtual bool decide(std::uint32_t target_first, std::uint32_t source_first, std::uint32_t pairs, const float* gaps,
                      const float* reaches) = 0;

  /// What has a greater gap than this is passed over. It may be lowered at any time, and is never raised.
  float limit = std::numeric_limits<float>::infinity();
  /// Whether it will be lowered: then it pays to look at what is much nearer first.
  bool limit_falls = false;
  /// Set once there is contact and only contacts are of interest, no longer how far others are apart: from then on this
  /// decides what LeafFilter leaves over, as in a plain walk, and nothing is noted as passed over.
  Sink* contacts = nullptr;
};

/// Two volumes that wait, and how far apart they are.
struct GapPair : VolumePair {
  float gap;  // NaN: unknown
};

/// What lies inside two volumes is as far apart as they are; but bounds of children need not lie inside their parent's.
/// The parents' gap may be unknown.
inline float larger(float gap, float parents_gap) { return gap < parents_gap ? parents_gap : gap; }

/// What a walk leaves to be gone on with: the pairs that wait, the last one first, those that can wait longer, and what
/// was passed over.
struct GapProgress {
  std::vector<GapPair> waiting, postponed;
  int round = 0;
  float least_passed = std::numeric_limits<float>::infinity();  // gap; where asked for
  std::uint64_t node_pairs = 0;                                 // taken up so far
};

struct GapTask {
  TreePair trees;  // to restart at the root is taken for environment first
  GapProgress& progress;
  NearSink& sink;
  bool note_passed = false;                                              // fill in least_passed
  std::uint64_t node_pairs = std::numeric_limits<std::uint64_t>::max();  // to take up at most, in all
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

enum class NearEnd : std::uint8_t { all_seen, ended_by_sink, out_of_budget };

/// Starts at the roots.
NearEnd gap_walk(const GapTask& task);
/// Goes on with what waits; the pose and the realigned nodes must be those of the walk that left it.
NearEnd go_on(const GapTask& task);

}  // namespace tumble
