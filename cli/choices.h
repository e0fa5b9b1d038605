// SPDX-License-Identifier: Apache-2.0
// Options that take one word of a list, a number with a word for zero, a seed, or a distance.
#pragma once

#include "cli/parse_number.h"

#include <tumble/mesh.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace tumble::cli {

/// The names of the enumerators 0 to `last`.
template <class Enum>
std::vector<std::string> names_up_to(Enum last) {
  std::vector<std::string> names;
  for (int i = 0; i <= static_cast<int>(last); ++i) names.emplace_back(name(static_cast<Enum>(i)));
  return names;
}

template <class Numbers>
std::vector<std::string> words_of(const Numbers& numbers) {
  std::vector<std::string> words;
  words.reserve(numbers.size());
  for (const int number : numbers) words.push_back(std::to_string(number));
  return words;
}

/// An option that takes one of `allowed`; `choose` receives its index.
inline void add_choice(CLI::App& command, const char* group, const std::string& option,
                       const std::vector<std::string>& allowed, const std::string& by_default, const std::string& help,
                       const std::function<void(std::size_t)>& choose) {
  command
      .add_option_function<std::string>(
          option,
          [option, allowed, choose](const std::string& word) {
            const auto found = std::ranges::find(allowed, word);
            if (found == allowed.end())
              throw CLI::ValidationError(option, fmt::format("'{}' is not one of {}", word, fmt::join(allowed, ", ")));
            choose(static_cast<std::size_t>(found - allowed.begin()));
          },
          help + "; " + by_default + " by default")
      ->group(group)
      ->type_name(fmt::to_string(fmt::join(allowed, "|")));
}

template <class Enum>
void add_choice_of(CLI::App& command, const char* group, const std::string& option, Enum& value, Enum last,
                   const std::string& help) {
  add_choice(command, group, option, names_up_to(last), name(value), help,
             [&value](std::size_t chosen) { value = static_cast<Enum>(chosen); });
}

/// An option that takes a number from 1 to `most`, or a word that stands for 0.
inline void add_count(CLI::App& command, const char* group, const std::string& option, int& value, int most,
                      const std::string& word_for_zero, const std::string& help) {
  command
      .add_option_function<std::string>(
          option,
          [option, &value, most, word_for_zero](const std::string& word) {
            int number = 0;
            const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
            const bool is_number = error == std::errc{} && stop == word.data() + word.size();
            if (word != word_for_zero && (!is_number || number < 1 || number > most))
              throw CLI::ValidationError(
                  option, fmt::format("'{}' is not a number from 1 to {} or '{}'", word, most, word_for_zero));
            value = word == word_for_zero ? 0 : number;
          },
          fmt::format("{}; {} by default", help, value == 0 ? word_for_zero : std::to_string(value)))
      ->group(group)
      ->type_name("N|" + word_for_zero);
}

/// The option --seed. CLI11's own parser would read -1 as the largest number.
inline CLI::Option* add_seed(CLI::App& command, std::uint64_t& value, const std::string& help) {
  return command
      .add_option_function<std::string>(
          "--seed",
          [&value](const std::string& word) {
            const char* const end = word.data() + word.size();
            const auto [stop, error] = std::from_chars(word.data(), end, value);
            if (error != std::errc{} || stop != end)
              throw CLI::ValidationError("--seed", fmt::format("'{}' is not a whole number from 0 to {}", word,
                                                               std::numeric_limits<std::uint64_t>::max()));
          },
          fmt::format("{}; {} by default", help, value))
      ->type_name("N");
}

/// An option that takes a distance.
inline void add_distance(CLI::App& command, const std::string& option, std::optional<double>& value,
                         const std::string& help) {
  command
      .add_option_function<std::string>(
          option,
          [option, &value](const std::string& word) {
            value = parse_number(word);
            if (!value || !(*value >= 0 && *value <= max_coordinate))  // false for NaN
              throw CLI::ValidationError(
                  option, fmt::format("'{}' is not a distance, a number from 0 to {:g}", word, max_coordinate));
          },
          help)
      ->type_name("D");
}

}  // namespace tumble::cli
