// SPDX-License-Identifier: Apache-2.0
// What tree options may be, beside the list of k: one place for the check, the command line and its messages.
#pragma once

#include <array>

namespace tumble {

inline constexpr int largest_leaf_size = 255;
inline constexpr std::array listed_arities{2, 3, 4, 8};

}  // namespace tumble
