// SPDX-License-Identifier: Apache-2.0
// How far from rigid a pose may be.
#pragma once

namespace tumble {

/// No pose stretches a length by more: max|RᵀR − I| ≤ 1e-4, so the norm of R is at most the root of 1 + 3e-4.
inline constexpr double largest_pose_stretch = 1.0002;

}  // namespace tumble
