// SPDX-License-Identifier: Apache-2.0
// HullLooks: the stage between neighbours and trees (Lin 1996, section 4): when hulls are looked at, and what that
// saved. It changes no answer.
#pragma once

#include "convex/hull_look.h"
#include "world/bodies.h"
#include "world/live_pairs.h"

#include <tumble/world.h>

namespace tumble {

/// What one thread looks with.
class HullLooks {
 public:
  /// `live` may be none: nothing is kept then.
  SeenByHulls look(const Member& a, const Member& b, LivePair* live, const WorldOptions& options, RedContacts contacts);

  const HullCounters& counters() const { return counters_; }

 private:
  HullCounters counters_;
};

}  // namespace tumble
