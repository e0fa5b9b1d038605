// SPDX-License-Identifier: Apache-2.0
// Poses from what people write: an axis and an angle, Euler angles, matrices of rounded numbers.
#pragma once

#include <tumble/pose.h>
#include <tumble/vec.h>

#include <array>
#include <span>
#include <string_view>

namespace tumble {

/// A turn by an angle, counter-clockwise seen from the tip of the axis, then a translation. Degrees, so that quarter
/// turns about the coordinate axes are exact; the same on every machine. Throws Error(invalid_pose) for an axis of
/// length zero, an angle above 1e6, or anything that is not finite.
Pose pose_from_axis_angle(Vec3 axis, double degrees, Vec3 translation = {});

/// Three turns one after the other about the axes that `axes` names, then a translation. Small letters are the axes of
/// the world, which stay: "xyz" with roll, pitch and yaw is what URDF calls rpy. Capital letters are the body's own
/// axes, which turn along: "ZYX" with yaw, pitch and roll is the same turn. Throws Error(invalid_pose) for other
/// letters, and as above.
Pose pose_from_euler(std::string_view axes, std::array<double, 3> degrees, Vec3 translation = {});

/// The pose whose rotation is nearest to that of 12 numbers, row-major [R|t], which were rounded to three digits or
/// more (max|RᵀR − I| ≤ 2e-3). Pose::from_rows takes numbers as they are; this does not. Throws Error(invalid_pose) for
/// any other matrix.
Pose nearest_pose(std::span<const double, 12> rows);

}  // namespace tumble
