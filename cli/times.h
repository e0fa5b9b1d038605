// SPDX-License-Identifier: Apache-2.0
// Times of many steps, in a few numbers.
#pragma once

#include "cli/json.h"

#include <string>
#include <vector>

namespace tumble::cli {

/// In microseconds.
struct Times {
  double mean = 0, median = 0, p99 = 0, max = 0;
};

/// Of at least one.
Times summarize(std::vector<double> microseconds);
Json to_json(const Times& times);
/// "1.23 µs mean, …"; "1.23 µs" for one step.
std::string in_words(const Times& times);

}  // namespace tumble::cli
