// SPDX-License-Identifier: Apache-2.0
// The experiments in the order of the papers, then the studies.
#include "lab/experiments/all.h"

#include <tumble/error.h>

namespace tumble::lab {

std::span<const Experiment> experiments() {
  static const std::vector<Experiment> all{table6(), table7(), peers()};
  return all;
}

const Experiment& experiment(std::string_view name) {
  for (const Experiment& e : experiments())
    if (e.name == name) return e;
  throw Error(ErrorCode::invalid_argument,
              "no experiment is named '" + std::string(name) + "'; 'tumble lab list' names them");
}

}  // namespace tumble::lab
