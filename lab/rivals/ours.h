// SPDX-License-Identifier: Apache-2.0
// tumble itself behind the rivals' face.
#pragma once

#include "lab/rivals/rival.h"

namespace tumble::lab {

/// OBB and 18-DOP trees, each asked afresh, coherently, and on lesser instruction sets than the machine's best. The
/// variants of a bound share the models that its first one builds.
Rivals ours();

/// Default options: asked without a Pair, or with a fresh one for all contacts, and beside it one Pair that remembers.
Rivals ours_by_default();

}  // namespace tumble::lab
