// SPDX-License-Identifier: Apache-2.0
// The rotation of a pose as a matrix.
#pragma once

#include "math/mat3.h"

#include <tumble/pose.h>

namespace tumble {

inline Mat3 rotation_of(const Pose& pose) { return {{pose.row(0), pose.row(1), pose.row(2)}}; }

}  // namespace tumble
