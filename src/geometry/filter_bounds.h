// SPDX-License-Identifier: Apache-2.0
// Error bounds for determinants of coordinate differences in rounded arithmetic: the constants of all filters in double
// precision. A bound is `relative` times something at least as large as the products, plus `underflow`.
#pragma once

#include "math/rounding.h"

namespace tumble::filter_bounds {

/// Two by two, relative to the sum of the products' magnitudes. Shewchuk 1997, section 4.1, asks for (3 + 16u)u with
/// u the unit roundoff; 4u leaves room for rounding the bound itself. A product that underflows loses at most 2^-1075.
namespace det2 {
inline constexpr double relative = 4 * unit_roundoff, underflow = 0x1p-1070;
}

/// Three by three. Each of the six triple products suffers eight roundings (three differences, two products, one
/// difference of products, two sums). A product of two differences may lose 2^-1075 to underflow and is then multiplied
/// by less than 2^336: 2^-700 covers that many times over.
namespace det3 {
/// Relative to the sum of the products' magnitudes: 10u covers the roundings and that of the bound itself.
inline constexpr double relative = 10 * unit_roundoff;
/// Relative to the product of the largest differences along each axis, as each triple product has one factor along
/// each: 6 · 8u, and 60u leaves room for the rounding of the bound.
inline constexpr double relative_to_largest = 60 * unit_roundoff;
/// The same in double-doubles, u² = 2^-106. Differences are exact, their low parts at most u of the high ones. A
/// product of two drops 1 u², rounds 2 + 2 and then 3 more for its low part, which is at most 3u: 8 u² of it. A minor's
/// low part is at most 4u of its products M and is rounded by 3 + 4, so the minor is good to 15 u² M. Times the third
/// difference, 4 u² are dropped and 5 + 5 + 6 rounded: 35 u², and low parts of 6u. Adding up three of these with their
/// low parts rounds 2 + 6 + 8 + 14 u²: altogether 65 u² of the sum of the products, of which there are six. 2^9 u²
/// leaves room for the rounding of the bound, and one last rounding does not change a sign. Underflow is no worse than
/// above.
inline constexpr double long_to_largest = 0x1p-97;
inline constexpr double underflow = 0x1p-700;
}  // namespace det3

}  // namespace tumble::filter_bounds
