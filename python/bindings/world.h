// SPDX-License-Identifier: Apache-2.0
// A World that threads may share, for the files that ask about one.
#pragma once

#include "bind.h"

#include <tumble/world.h>

#include <utility>

namespace tumble::python {

struct SharedWorld {
  explicit SharedWorld(World made) : world(std::move(made)) {}

  World world;
  Turns turns;
};

}  // namespace tumble::python
