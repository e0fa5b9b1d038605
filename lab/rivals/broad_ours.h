// SPDX-License-Identifier: Apache-2.0
// tumble's ways to find neighbours behind the rivals' face.
#pragma once

#include "lab/rivals/broad.h"

namespace tumble::lab {

/// The tree of boxes first, then sweep and prune.
BroadRivals broad_ours();

}  // namespace tumble::lab
