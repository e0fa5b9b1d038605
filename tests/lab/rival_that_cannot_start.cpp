// SPDX-License-Identifier: Apache-2.0
// A module of a rival that loads, and then cannot start.
#include "lab/rivals/rival.h"

#include <stdexcept>

TUMBLE_RIVALS(tumble::lab::Rivals&) { throw std::runtime_error("no device"); }
