// SPDX-License-Identifier: Apache-2.0
// Sums times up.
#include "cli/times.h"

#include <fmt/format.h>

#include <algorithm>

namespace tumble::cli {

Times summarize(std::vector<double> microseconds) {
  Times times;
  const std::size_t n = microseconds.size(), half = n / 2;
  for (const double t : microseconds) times.mean += t / static_cast<double>(n);
  std::ranges::sort(microseconds);
  times.median = n % 2 == 1 ? microseconds[half] : (microseconds[half - 1] + microseconds[half]) / 2;
  times.p99 = microseconds[n - 1 - n / 100];
  times.max = microseconds.back();
  return times;
}

Json to_json(const Times& times) {
  return {{"mean", times.mean}, {"median", times.median}, {"p99", times.p99}, {"max", times.max}};
}

std::string in_words(const Times& times) {
  if (times.mean == times.median && times.median == times.max) return fmt::format("{:.2f} µs", times.mean);
  return fmt::format("{:.2f} µs mean, {:.2f} median, {:.2f} p99, {:.2f} max", times.mean, times.median, times.p99,
                     times.max);
}

}  // namespace tumble::cli
