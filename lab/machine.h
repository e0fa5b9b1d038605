// SPDX-License-Identifier: Apache-2.0
// Where and by what code a result was made.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tumble::lab {

struct Machine {
  std::string cpu, instruction_set, compiler, system;
  unsigned cores = 0;
};
Machine this_machine();

/// The most memory the program has had resident since the last forget_peak_memory(), in bytes; 0 if the system does not
/// say.
std::size_t peak_memory();
void forget_peak_memory();

/// The commit this was built from, "+" behind it if the sources had been changed; "unknown" outside a repository.
std::string commit();
/// Differs whenever the library, the scenes, what all experiments measure with, how it is compiled or this file of
/// lab/experiments does: rows of one version say nothing about another. What only shows rows (plots, tables, pages)
/// does not count.
std::string code_version(std::string_view experiment_file);

}  // namespace tumble::lab
