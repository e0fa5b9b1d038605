// SPDX-License-Identifier: Apache-2.0
// Our own sine and cosine, so that a scene has the same bits on every machine; libm's differ between systems.
#pragma once

namespace tumble::scenes {

/// A full circle in radians, rounded to double.
inline constexpr double full_circle = 6.283185307179586;

struct SinCos {
  double sin, cos;
};

/// The angle is in turns (1 is the full circle). The reduction to an eighth of a turn is exact, so quarter turns give
/// exactly 0 and ±1, and periodicity is exact while `turns` is below 2^50. Absolute error below 3e-16.
SinCos sin_cos(double turns);

inline double sine(double turns) { return sin_cos(turns).sin; }
inline double cosine(double turns) { return sin_cos(turns).cos; }

/// 0 below 0, 1 above 1, and 3x² − 2x³ between.
double smooth_step(double x);

}  // namespace tumble::scenes
