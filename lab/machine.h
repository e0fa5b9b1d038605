// SPDX-License-Identifier: Apache-2.0
// Where and by what code a result was made.
#pragma once

#include <string>

namespace tumble::lab {

struct Machine {
  std::string cpu, instruction_set, compiler, system;
  unsigned cores = 0;
};
Machine this_machine();

/// The commit this was built from, "+" behind it if the sources had been changed; "unknown" outside a repository.
std::string commit();
/// Differs whenever the library or the scenes do: rows of one version say nothing about another. What an experiment
/// itself does is covered by its revision.
std::string code_version();

}  // namespace tumble::lab
