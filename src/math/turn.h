// SPDX-License-Identifier: Apache-2.0
// Sines, angles and rotations, the same on every machine: nothing but sums, products, quotients and roots.
#pragma once

#include "math/mat3.h"

#include <tumble/vec.h>

namespace tumble {

struct SinCos {
  double sin, cos;
};

/// Within 2^-51 + 2^-53·|angle| for angles up to 1e6 radians.
SinCos sin_cos(double angle);

/// The angle whose cosine and sine are the components of a unit vector in the first quadrant, within 2^-50.
double angle_of(double cos, double sin);

/// The rotation by an angle about an axis of unit length; of that length up to roundings is enough.
Mat3 rotation_about(const Vec3& axis, double angle);

}  // namespace tumble
