// SPDX-License-Identifier: Apache-2.0
// ClashState: the pairs that an interrupted run of tumble clash has classified, kept in a file to go on from.
#pragma once

#include <tumble/clash.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace tumble::cli {

/// A sum over all that the answer depends on: the parts, their names and places, and the options.
std::uint64_t sum_of(const Parts& parts, const ClashOptions& options);

class ClashState {
 public:
  /// Takes up the work in the file, if there is one. Throws Error(file_format) if that is damaged or forged, or is work
  /// on other parts or with other options: `sum` tells.
  ClashState(std::string file, std::uint64_t sum, std::size_t parts,
             std::chrono::milliseconds between_saves = std::chrono::seconds(10));

  const std::string& file() const { return file_; }
  bool knows(std::size_t a, std::size_t b) const { return pairs_.contains({a, b}); }
  const std::map<std::pair<std::size_t, std::size_t>, Clash>& pairs() const { return pairs_; }

  /// Notes a pair, and saves all if the last time was a while ago: even a crash loses little. If that fails, as on a
  /// full disk, it says so once and tries again later: the work is worth more than what is kept of it meanwhile.
  void add(const Clash& clash);
  /// Throws Error if it cannot be written.
  void save();

 private:
  std::string file_;
  std::uint64_t sum_;
  std::chrono::milliseconds between_saves_;
  bool has_complained_ = false;
  std::map<std::pair<std::size_t, std::size_t>, Clash> pairs_;
  std::chrono::steady_clock::time_point saved_ = std::chrono::steady_clock::now();
};

}  // namespace tumble::cli
