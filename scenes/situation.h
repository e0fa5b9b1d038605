// SPDX-License-Identifier: Apache-2.0
// Situation: a placing written down in a few whole numbers, so that a search can draw, change and name it.
#pragma once

#include "scenes/placings.h"
#include "scenes/random.h"

#include <string>
#include <string_view>

namespace tumble::scenes {

struct Situation {
  std::string shape = "plates";  // a function of placings.h
  int detail = 0;                // 0 to 9: how finely the bodies are cut
  int parameter = 0;             // 0 to 99: the placing's own, from the easy end to the hard one
  int orientation = 0;           // 0 to 999: a rotation of both bodies; 0 is none
  int tilt = 0;                  // 0 to 15: the object is turned by so many powers of ten below a turn; 0 is not at all
  int scale = 0;                 // -9 to 9: powers of ten
  int shift = 0;                 // 0 to 7: both bodies that many powers of ten of their size from the origin; 0 is not

  friend bool operator==(const Situation&, const Situation&) = default;
};

/// "plates-5-80-12-0-3-0", in the order of the members; a negative scale is written m3.
std::string to_text(const Situation& situation);
/// Throws Error(invalid_argument) for a text that to_text() does not write.
Situation situation_from(std::string_view text);

Situation random_situation(Random& random);
/// The same with one or two members changed, most often by a little.
Situation mutated(Situation situation, Random& random);

Placing place(const Situation& situation);

}  // namespace tumble::scenes
