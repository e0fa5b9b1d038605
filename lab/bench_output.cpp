// SPDX-License-Identifier: Apache-2.0
// One line and some files.
#include "lab/bench_output.h"

#include "lab/machine.h"
#include "lab/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace tumble::lab {

BenchOutput::BenchOutput(std::string page, int& argc, char** argv) : page_(std::move(page)) {
  char** const end = argv + argc;
  char** const option = std::find(argv, end, std::string_view("--plots"));
  if (end - option >= 2) {
    folder_ = option[1];
    std::copy(option + 2, end + 1, option);  // the null behind the last one, too
    argc -= 2;
  }
  const Machine machine = this_machine();
  fmt::print("commit {}, {}, {} cores, instruction set {}, {}\n", commit(), machine.cpu, machine.cores,
             machine.instruction_set, machine.compiler);
  std::fflush(stdout);
}

void BenchOutput::write(const Plot& plot) const {
  if (!folder_.empty()) write_text(folder_ / fmt::format("{}.{}.svg", page_, plot.name), to_svg(plot));
}

}  // namespace tumble::lab
