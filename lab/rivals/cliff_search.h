// SPDX-License-Identifier: Apache-2.0
// A search for situations in which a rival is ahead: random ones, and changes of the worst found so far.
#pragma once

#include "lab/rivals/point_contest.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace tumble::lab {

/// One question about one situation, and how we stand.
struct Finding {
  std::string situation;  // as scenes::situation_from reads it
  PointResult result;
  double ours_us = 0;  // the limit if we were over it
  double best_us = 0;  // of the best rival that counts and is right (all: or not); infinite if there is none in time
  std::string best{};  // who that is
  Question question{};

  double ratio() const { return ours_us / best_us; }  // the larger, the worse for us
};

struct SearchOptions {
  double seconds = 60;
  std::size_t tries = std::numeric_limits<std::size_t>::max();  // whichever comes first
  std::uint64_t seed = 1;
  PointOptions point{.limit = 0.3, .seconds = 0.01, .most_pairs = 5e7};
  std::size_t kept = 12;  // of the worst; at most two of one shape and question
  /// Which rivals count, by their ids; the others are measured beside them.
  std::function<bool(const std::string&)> counts = [](const std::string&) { return true; };
};

/// "plates-5-80-12-0-3-0-any": measures that once more. Throws Error(invalid_argument) for another text.
Finding measure_situation(const std::string& text, const Rivals& entrants, const SearchOptions& options);

struct Search {
  std::size_t tried = 0;
  std::vector<Finding> worst{};  // the worst first
  std::vector<Finding> wrong{};  // where an answer of ours differs from the referee's or fails, ahead of any ratio
};

/// The first entrant is ours. Draws come from the seed; what is changed next depends on times, too: to see a finding
/// again, measure its situation.
Search search_cliffs(const Rivals& entrants, const SearchOptions& options, const std::function<void(double)>& on_share);

}  // namespace tumble::lab
