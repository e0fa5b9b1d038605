// SPDX-License-Identifier: Apache-2.0
// Front: where the last walk ended, for the next one to start from (hot start: Klosowski 1998, section 6; Fünzig 2003,
// section 5), and whether starting from it pays.
#pragma once

#include "math/relative_pose.h"
#include "traverse/tree_pair.h"
#include "tree/tree.h"
#include "tree/volume_id.h"

#include <tumble/pair_options.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tumble {

/// Lanes of a node found apart from one volume of the other tree. They stay apart until the bodies have moved, all
/// motions added up, by as much as the gap was.
struct ApartLanes {
  std::uint32_t node;  // of the target if target_opened, else of the source
  VolumeId volume;     // of the other tree
  bool target_opened;
  std::uint8_t lanes;  // bits
  double until;        // in terms of Front::travelled
};

/// Of balls around the centres of both trees that hold them, each in its tree's units.
struct Radii {
  double target, source;
};

/// Together the entries cover every pair of leaves: each is below a pair of volumes found apart, or below a pair that
/// is to be opened again. Walks refine it. It never grows coarser, so it is dropped when it has become too fine.
struct Front {
  std::vector<ApartLanes> apart;
  std::vector<VolumePair> open;  // leaves that met, and what a walk that ended early had not opened
  bool is_complete = false;
  double travelled = 0;    // no points of both bodies came nearer to each other by more than this, in target units
  double last_motion = 0;  // of that, since the last walk
  std::size_t work = 0;    // nodes tested and leaves met by the last walk

  /// Before a walk: whether it should start from this front and leave it behind.
  bool prepare(const RelativePose& pose, const Radii& radii, Coherent coherent);
  /// After a walk that started from it.
  void finish_walk();
  void drop();
  /// Drops it and forgets how bodies moved.
  void forget();

 private:
  std::size_t size() const { return apart.size() + open.size(); }
  bool has_not_paid() const;

  RelativePose pose_;  // of the last walk
  bool has_pose_ = false;
  int walks_without_ = 0;  // to come
  std::size_t size_when_made_ = 0, work_when_made_ = 0;
};

/// By how much the distance of any two points, one of each body, may have changed between two relative poses of the
/// same scale, in target units. It is what the source's points have moved, seen from the target, or, where the source
/// is larger and a small turn moves it far, what the target's have, seen from the source. Counts also what the margin
/// gained, which brings volumes nearer.
double motion_between(const RelativePose& from, const RelativePose& to, const Radii& radii);

/// The radius of a ball around the centre of a tree's coordinates that holds its root volume.
double radius_of(const Tree& tree);

}  // namespace tumble
