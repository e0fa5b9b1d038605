// SPDX-License-Identifier: Apache-2.0
// Which pair options are allowed, and their printed names.
#include <tumble/error.h>
#include <tumble/pair_options.h>

#include <cstddef>
#include <string>

namespace tumble {
namespace {

[[noreturn]] void refuse(const char* option, int value, const char* allowed) {
  throw Error(ErrorCode::invalid_argument,
              std::string("pair option ") + option + " is " + std::to_string(value) + "; allowed is " + allowed);
}

}  // namespace

void check(const PairOptions& options) {
  if (options.realign > Realign::sat_lite)
    refuse("realign", static_cast<int>(options.realign),
           "affine, affine_min, brep_vertices, hill_climbing, occupancy or sat_lite");
  if (options.descend > Descend::both)
    refuse("descend", static_cast<int>(options.descend), "larger_first, environment_first, restart or both");
  if (options.coherent > Coherent::off) refuse("coherent", static_cast<int>(options.coherent), "automatic, on or off");
  if (options.paper.hill_climbing_levels < 0 || options.paper.hill_climbing_levels > 64)
    refuse("hill_climbing_levels", options.paper.hill_climbing_levels, "0 to 64");
}

const char* name(Realign realign) {
  constexpr const char* names[] = {"affine", "affine_min", "brep_vertices", "hill_climbing", "occupancy", "sat_lite"};
  return names[static_cast<std::size_t>(realign)];
}
const char* name(Descend descend) {
  constexpr const char* names[] = {"larger_first", "environment_first", "restart", "both"};
  return names[static_cast<std::size_t>(descend)];
}
const char* name(Coherent coherent) {
  constexpr const char* names[] = {"automatic", "on", "off"};
  return names[static_cast<std::size_t>(coherent)];
}

}  // namespace tumble
