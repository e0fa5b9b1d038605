// SPDX-License-Identifier: Apache-2.0
// Hands operands, flags and options to CLI11.
#include "cli/choices.h"

#include "cli/help.h"
#include "io/parse_number.h"
#include "io/suggest.h"

#include <tumble/mesh.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <limits>

namespace tumble::cli {
namespace {

/// CLI11's own parser would cut 1.5 and 1e3 short, and its messages name types of C++.
std::int64_t whole_number(const std::string& option, const std::string& word, std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc{} || stop != end || value < least || value > most)
    refuse(option, fmt::format("'{}' is not a whole number from {} to {}", word, least, most));
  return value;
}

}  // namespace

CLI::App* add_command(CLI::App& parent, const std::string& name, const std::string& help) {
  return parent.add_subcommand(name, help);
}
void add_footer(CLI::App& command, const std::string& text) { command.footer(text); }
void add_details(CLI::App& command, const std::string& text) {
  dynamic_cast<HelpFormatter&>(*command.get_formatter()).add_details(&command, text);
}

void for_few(CLI::App& command, std::initializer_list<const char*> options) {
  for (const char* option : options) command.get_option(option)->group(more_options);
}

void add_operand(CLI::App& command, const std::string& name, std::string& value, const std::string& help) {
  command.add_option(name, value, help)->required()->option_text(" ");
}
void add_operands(CLI::App& command, const std::string& name, std::vector<std::string>& values, const char* mark,
                  const std::string& help) {
  command.add_option(name, values, help)->required()->option_text(mark);
}

void add_flag(CLI::App& command, const std::string& option, bool& value, const std::string& help, const char* group) {
  command.add_flag(option, value, help)->group(group);
}
void add_flag(CLI::App& command, const char* group, const std::string& option, const std::function<void()>& set,
              const std::string& help) {
  command.add_flag_callback(option, set, help)->group(group);
}

void add_word(CLI::App& command, const std::string& option, std::optional<std::string>& value, const char* type,
              const std::string& help) {
  command.add_option(option, value, help)->type_name(type);
}
void add_word(CLI::App& command, const std::string& option, std::string& value, const char* type,
              const std::string& help) {
  command.add_option(option, value, help)->required()->type_name(type);
}
void add_words(CLI::App& command, const std::string& option, std::vector<std::string>& values, const char* type,
               const std::string& help) {
  command.add_option(option, values, help)->type_name(type)->expected(1)->take_all();
}

void add_two_words(CLI::App& command, const std::string& option, std::vector<std::string>& values, const char* type,
                   const std::string& help) {
  command.add_option(option, values, help)->type_name(type)->type_size(2)->expected(1);
}

void add_number(CLI::App& command, const std::string& option, int& value, int least, int most,
                const std::string& help) {
  add_number(
      command, "Options", option, least, most, [&value](std::int64_t given) { value = static_cast<int>(given); }, help);
}
void add_number(CLI::App& command, const char* group, const std::string& option, std::int64_t least, std::int64_t most,
                const std::function<void(std::int64_t)>& use, const std::string& help) {
  command
      .add_option_function<std::string>(
          option, [option, least, most, use](const std::string& word) { use(whole_number(option, word, least, most)); },
          help)
      ->group(group)
      ->type_name("N");
}

void add_read(CLI::App& command, const std::string& option, const std::function<void(const std::string&)>& use,
              const char* type, const std::string& help) {
  command.add_option_function<std::string>(option, use, help)->type_name(type);
}

void add_choice(CLI::App& command, const char* group, const std::string& option,
                const std::vector<std::string>& allowed, const std::string& by_default, const std::string& help,
                const std::function<void(std::size_t)>& choose) {
  command
      .add_option_function<std::string>(
          option,
          [option, allowed, choose](const std::string& word) {
            const auto found = std::ranges::find(allowed, word);
            if (found == allowed.end())
              refuse(option, fmt::format("'{}' is not one of {}{}", word, fmt::join(allowed, ", "),
                                         io::did_you_mean(word, allowed)));
            choose(static_cast<std::size_t>(found - allowed.begin()));
          },
          help + "; " + by_default + " by default")
      ->group(group)
      ->type_name(fmt::to_string(fmt::join(allowed, "|")));
}

void add_count(CLI::App& command, const char* group, const std::string& option, int& value, int most,
               const std::string& word_for_zero, const std::string& help) {
  command
      .add_option_function<std::string>(
          option,
          [option, &value, most, word_for_zero](const std::string& word) {
            int number = 0;
            const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
            const bool is_number = error == std::errc{} && stop == word.data() + word.size();
            if (word != word_for_zero && (!is_number || number < 1 || number > most))
              refuse(option, fmt::format("'{}' is not a number from 1 to {} or '{}'", word, most, word_for_zero));
            value = word == word_for_zero ? 0 : number;
          },
          fmt::format("{}; {} by default", help, value == 0 ? word_for_zero : std::to_string(value)))
      ->group(group)
      ->type_name("N|" + word_for_zero);
}

// CLI11's own parser would read -1 as the largest number.
CLI::Option* add_seed(CLI::App& command, std::uint64_t& value, const std::string& help, const char* group) {
  return command
      .add_option_function<std::string>(
          "--seed",
          [&value](const std::string& word) {
            const char* const end = word.data() + word.size();
            const auto [stop, error] = std::from_chars(word.data(), end, value);
            if (error != std::errc{} || stop != end)
              refuse("--seed", fmt::format("'{}' is not a whole number from 0 to {}", word,
                                           std::numeric_limits<std::uint64_t>::max()));
          },
          fmt::format("{}; {} by default", help, value))
      ->group(group)
      ->type_name("N");
}

void add_distance(CLI::App& command, const std::string& option, std::optional<double>& value, const std::string& help,
                  const char* what) {
  const auto read = [option, &value, what](const std::string& word) {
    value = io::parse_number(word);
    if (!value || !(*value >= 0 && *value <= max_coordinate))  // false for NaN
      refuse(option, fmt::format("'{}' is not {}, a number from 0 to {:g}", word, what, max_coordinate));
  };
  add_read(command, option, read, "D", help);
}

void exclude(CLI::App& command, const std::string& option, const std::string& other) {
  command.get_option(option)->excludes(command.get_option(other));
}

void refuse(const std::string& option, const std::string& why) { throw CLI::ValidationError(option, why); }

void after_parsing(CLI::App& command, const std::function<void()>& then) { command.final_callback(then); }

bool is_given(const CLI::App& command, const std::string& option) { return command.count(option) > 0; }

std::vector<std::string> given(const CLI::App& command, const std::string& group) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    if (option->get_group() == group && option->count() > 0) names.push_back(option->get_name());
  return names;
}

}  // namespace tumble::cli
