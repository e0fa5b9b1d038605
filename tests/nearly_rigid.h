// SPDX-License-Identifier: Apache-2.0
// Random poses that are only nearly rigid, as far as poses may be: what is promised of bodies must hold for them, too.
#pragma once

#include "scenes/random.h"

#include <tumble/pose.h>

#include <array>
#include <cstddef>

namespace tumble::test {

/// `spread`: how far it moves, in any direction; `offset`: and then along x.
inline Pose nearly_rigid(scenes::Random& random, double spread, double offset) {
  const Vec3 turn = random.direction() * random.between(0, 2);
  const Pose pose = Pose::from_quaternion(1, turn.x, turn.y, turn.z, random.direction() * spread + Vec3{offset, 0, 0});
  std::array<double, 12> rows = pose.rows();
  const double stretch = random.between(-4e-5, 4e-5);
  for (const std::size_t i : {0u, 1u, 2u}) rows[i] *= 1 + stretch;
  return Pose::from_rows(rows);
}

}  // namespace tumble::test
