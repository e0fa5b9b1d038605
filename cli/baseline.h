// SPDX-License-Identifier: Apache-2.0
// Baseline: the clashes of an earlier run, which need not fail again.
#pragma once

#include <set>
#include <string>
#include <tuple>

namespace tumble::cli {

class Baseline {
 public:
  Baseline() = default;  // knows nothing
  /// Reads what tumble clash --json has written, "-" from standard input. Throws Error naming the file and the entry.
  explicit Baseline(const std::string& file);

  /// Whether the pair was listed, either way round, with this class.
  bool knows(const std::string& a, const std::string& b, const std::string& kind) const;

 private:
  std::set<std::tuple<std::string, std::string, std::string>> pairs_;  // names in order, then the class
};

}  // namespace tumble::cli
