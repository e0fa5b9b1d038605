// SPDX-License-Identifier: Apache-2.0
// How far searches for depths may grow.
#pragma once

#include <cstddef>

namespace tumble {

/// Regions in memory at most; a search ends there. About 50 MB.
inline constexpr std::size_t most_regions = std::size_t{1} << 18;

}  // namespace tumble
