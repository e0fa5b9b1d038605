// SPDX-License-Identifier: Apache-2.0
// tumble's World behind the face of its rivals.
#pragma once

#include "lab/rivals/world_rival.h"

namespace tumble::lab {

/// Both ways to find neighbours on one thread, and the default on two.
WorldRivals our_worlds();

}  // namespace tumble::lab
