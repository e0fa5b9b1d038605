// SPDX-License-Identifier: Apache-2.0
// BenchOutput: what the pages of docs/results need of a benchmark program beside its table: where it ran, and plots.
#pragma once

#include "lab/plot.h"

#include <filesystem>
#include <string>

namespace tumble::lab {

class BenchOutput {
 public:
  /// Takes "--plots DIR" out of the arguments, if it is there, and prints a line with the commit and the machine.
  BenchOutput(std::string page, int& argc, char** argv);

  /// PAGE.PLOT.svg into the folder asked for, which is made if missing.
  void write(const Plot& plot) const;

 private:
  std::string page_;
  std::filesystem::path folder_;  // empty: none is wanted
};

}  // namespace tumble::lab
