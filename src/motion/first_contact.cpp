// SPDX-License-Identifier: Apache-2.0
// first_contact() of two models.
#include "core/plain_arithmetic.h"
#include "motion/first_of.h"

#include <tumble/motion.h>

namespace tumble {

FirstContact first_contact(const Model& a, const Motion& motion_a, const Model& b, const Motion& motion_b,
                           const FirstContactRequest& request) {
  const PlainArithmetic plain;
  const Mover bodies[] = {{a, MotionAccess::legs(motion_a)}, {b, MotionAccess::legs(motion_b)}};
  return first_of(
             bodies,
             [](std::size_t) {
               return std::vector<MoverPair>{{0, 1}};
             },
             request)
      .contact;
}

}  // namespace tumble
