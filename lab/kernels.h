// SPDX-License-Identifier: Apache-2.0
// What the engine's kernels cost by themselves, on the bounds and triangles of a scene.
#pragma once

#include "lab/flown.h"

namespace tumble::lab {

/// Nanoseconds on one thread, everything in the first-level cache.
struct KernelCosts {
  double set_up = 0;   // of a pose: the relative pose, and what the realigner derives from it
  double overlap = 0;  // one volume against eight
  double realign = 0;  // a node's eight volumes
  double meeting = 0;  // four triangles against four
};

/// With the instruction set in use, over so many passes, of which the fastest counts.
KernelCosts kernel_costs(const scenes::Scene& scene, Bound bound, int passes);

/// An exact test of two triangles that cut each other's boxes, by the first look alone and where it is not sure.
struct PairCosts {
  double one = 0;       // classify()
  double of_eight = 0;  // one of eight looked at together
};
PairCosts pair_costs(const scenes::Scene& scene, int passes);

}  // namespace tumble::lab
