// SPDX-License-Identifier: Apache-2.0
// The first contact among several moving bodies, leg by leg, after a look at the start.
#pragma once

#include "motion/leg.h"

#include <tumble/model.h>
#include <tumble/motion.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace tumble {

/// A body and its motion.
struct Mover {
  const Model& model;
  const MotionLegs& legs;
};

/// Two of the bodies, by their place in the list.
struct MoverPair {
  std::uint32_t a, b;
  bool solid = false;  // whatever the request says
};
/// Lists the pairs that may touch on a leg.
using PairsOnLeg = std::function<std::vector<MoverPair>(std::size_t leg)>;

struct FirstOf {
  MoverPair pair{};
  FirstContact contact;
};
/// Throws for requests out of range, and for solids that are not closed.
FirstOf first_of(std::span<const Mover> bodies, const PairsOnLeg& pairs_on, const FirstContactRequest& request);

}  // namespace tumble
