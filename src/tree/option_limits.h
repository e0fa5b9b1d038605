// SPDX-License-Identifier: Apache-2.0
// The limits of tree options, except the list of k. The check, the command line and its messages use them.
#pragma once

#include <array>

namespace tumble {

inline constexpr int largest_leaf_size = 255;
inline constexpr std::array listed_arities{2, 3, 4, 8};

}  // namespace tumble
