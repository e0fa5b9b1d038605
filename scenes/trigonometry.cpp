// SPDX-License-Identifier: Apache-2.0
// Taylor polynomials on an eighth of a turn to either side.
#include "scenes/trigonometry.h"

#include <cmath>

namespace tumble::scenes {

SinCos sin_cos(double turns) {
  const double quarters = std::floor(turns * 4 + 0.5);       // the nearest quarter turn
  const double x = (turns - quarters * 0.25) * full_circle;  // the subtraction is exact; |x| <= pi/4
  const double x2 = x * x;
  // The first terms left out are x^17/17! and x^18/18!, at most 5e-17 and 3e-18 of the result.
  const double s =
      x - x * x2 *
              (1.0 / 6 -
               x2 * (1.0 / 120 - x2 * (1.0 / 5040 - x2 * (1.0 / 362880 -
                                                          x2 * (1.0 / 39916800 - x2 * (1.0 / 6227020800 -
                                                                                       x2 * (1.0 / 1307674368000)))))));
  const double c =
      1 - x2 * (0.5 - x2 * (1.0 / 24 -
                            x2 * (1.0 / 720 - x2 * (1.0 / 40320 - x2 * (1.0 / 3628800 -
                                                                        x2 * (1.0 / 479001600 -
                                                                              x2 * (1.0 / 87178291200 -
                                                                                    x2 * (1.0 / 20922789888000))))))));
  const double around = quarters - std::floor(quarters * 0.25) * 4;  // quarters modulo 4
  if (around == 0) return {s, c};
  if (around == 1) return {c, -s};
  if (around == 2) return {-s, -c};
  return {-c, s};
}

double smooth_step(double x) {
  if (!(x > 0)) return 0;
  if (x >= 1) return 1;
  return x * x * (3 - 2 * x);
}

}  // namespace tumble::scenes
