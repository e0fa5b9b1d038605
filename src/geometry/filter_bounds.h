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
inline constexpr double underflow = 0x1p-700;
}  // namespace det3

}  // namespace tumble::filter_bounds
