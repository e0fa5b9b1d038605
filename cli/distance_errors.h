// SPDX-License-Identifier: Apache-2.0
// --rel-error and --abs-error: by how much a distance may exceed the least.
#pragma once

#include "cli/choices.h"

#include <optional>

namespace tumble::cli {

struct DistanceErrors {
  std::optional<double> relative, absolute;

  double rel() const { return relative.value_or(0); }
  double abs() const { return absolute.value_or(0); }
  bool are_given() const { return relative || absolute; }
};

inline void add_errors(CLI::App& command, DistanceErrors& errors) {
  add_distance(command, "--rel-error", errors.relative, "The distance may exceed the least by this share of it",
               "a share such as 0.05 for 5 %");
  add_distance(command, "--abs-error", errors.absolute, "The distance may exceed the least by this much");
}

}  // namespace tumble::cli
