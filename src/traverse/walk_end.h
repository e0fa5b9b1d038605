// SPDX-License-Identifier: Apache-2.0
// WalkEnd: how a walk or a search ended.
#pragma once

#include <cstdint>

namespace tumble {

enum class WalkEnd : std::uint8_t {
  all_seen,
  ended_by_sink,  // enough was found
  out_of_budget,  // it can go on later
};

}  // namespace tumble
