// SPDX-License-Identifier: Apache-2.0
// --budget: a number of node pairs, or a time.
#pragma once

#include "cli/choices.h"
#include "cli/json.h"
#include "io/parse_number.h"

#include <tumble/budget.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tumble::cli {

inline constexpr char budget_help[] =
    "A budget is a number of node pairs (500) or a time (20us, 1.5ms, 2s). A query that has used it up says what is\n"
    "certain by then: free, colliding or unknown, an interval that holds the distance, and how far each pair left "
    "over\n"
    "would have to be moved, at most, to be separated. Unknown ends with status 0: nothing was found.";

/// One budget for several questions in turn.
class Purse {
 public:
  explicit Purse(const Budget& budget) : budget_(budget) {}

  /// The budget of the next question.
  Budget left() const {
    Budget left = budget_;
    left.node_pairs -= std::min(left.node_pairs, spent_);
    if (left.time != std::chrono::nanoseconds::max())
      left.time -= std::min<std::chrono::nanoseconds>(left.time, std::chrono::steady_clock::now() - start_);
    return left;
  }
  Certainty pay(const Certainty& answer) {
    spent_ += answer.node_pairs;
    return answer;
  }

 private:
  Budget budget_;
  std::uint64_t spent_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// None if the word is not a budget.
inline std::optional<Budget> parse_budget(const std::string& word) {
  constexpr std::array<std::pair<std::string_view, double>, 4> units{{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
  for (const auto& [unit, nanoseconds] : units)
    if (word.ends_with(unit)) {
      const std::optional<double> number = io::parse_number(word.substr(0, word.size() - unit.size()));
      if (!number) continue;
      if (!(*number >= 0 && *number * nanoseconds <= 1e15)) return std::nullopt;
      return Budget{.time = std::chrono::nanoseconds(std::llround(*number * nanoseconds))};
    }
  const std::optional<double> pairs = io::parse_number(word);
  if (!pairs || !(*pairs >= 0 && *pairs <= 1e15) || *pairs != std::floor(*pairs)) return std::nullopt;
  return Budget{.node_pairs = static_cast<std::uint64_t>(*pairs)};
}

inline void add_budget(CLI::App& command, std::optional<Budget>& value) {
  const auto read = [&value](const std::string& word) {
    value = parse_budget(word);
    if (!value) refuse("--budget", fmt::format("'{}' is neither a number of node pairs nor a time such as 20us", word));
  };
  add_read(command, "--budget", read, "N|TIME",
           "Stop after so many node pairs, or so long a time, and say what is certain");
}

inline Json to_json(const std::optional<Budget>& budget) {
  if (!budget) return {};
  const bool is_time = budget->time != std::chrono::nanoseconds::max();
  return {{"node_pairs", is_time ? Json() : Json(budget->node_pairs)},
          {"microseconds", is_time ? Json(static_cast<double>(budget->time.count()) / 1e3) : Json()}};
}

inline Json to_json(const Certainty& certainty) {
  return {{"verdict", name(certainty.verdict)}, {"lower", certainty.lower},       {"upper", certainty.closest.distance},
          {"separation", certainty.separation}, {"finished", certainty.finished}, {"node_pairs", certainty.node_pairs}};
}

inline std::string in_words(const Certainty& c) {
  std::string text = fmt::format("{}: distance from {} to {}", name(c.verdict), c.lower, c.closest.distance);
  if (!c.finished) text += "; the budget is used up";
  if (!c.finished && c.separation > 0)
    text += fmt::format(", and a translation of at most {} undoes any contact not found yet", c.separation);
  return text;
}

}  // namespace tumble::cli
