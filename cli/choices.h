// SPDX-License-Identifier: Apache-2.0
// What a command can be given: operands, flags, and options that take a word, one word of a list, a number or a
// distance. Commands use these and not CLI11 itself, whose header takes longer to compile than a command.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tumble::cli {

/// What is added must outlive the parsing, which writes to it.
CLI::App* add_command(CLI::App& parent, const std::string& name, const std::string& help);
/// The text below the list of options.
void add_footer(CLI::App& command, const std::string& text);
/// Text about what few need: --help-all shows it above the footer.
void add_details(CLI::App& command, const std::string& text);

/// The groups of options that --help leaves out, and --help-all shows.
inline constexpr char more_options[] = "More options", tree_group[] = "Tree options", pair_group[] = "Pair options";
/// Puts options among those that few need.
void for_few(CLI::App& command, std::initializer_list<const char*> options);

/// Words that must be given, told by their places: one, or one and more.
void add_operand(CLI::App& command, const std::string& name, std::string& value, const std::string& help);
void add_operands(CLI::App& command, const std::string& name, std::vector<std::string>& values, const char* mark,
                  const std::string& help);

void add_flag(CLI::App& command, const std::string& option, bool& value, const std::string& help,
              const char* group = "Options");
void add_flag(CLI::App& command, const char* group, const std::string& option, const std::function<void()>& set,
              const std::string& help);

/// An option that takes a word; `type` says of what kind.
void add_word(CLI::App& command, const std::string& option, std::optional<std::string>& value, const char* type,
              const std::string& help);
/// One that must be given.
void add_word(CLI::App& command, const std::string& option, std::string& value, const char* type,
              const std::string& help);
/// One that may be given again.
void add_words(CLI::App& command, const std::string& option, std::vector<std::string>& values, const char* type,
               const std::string& help);

/// One that takes two words.
void add_two_words(CLI::App& command, const std::string& option, std::vector<std::string>& values, const char* type,
                   const std::string& help);

/// An option that takes a whole number from `least` to `most`; `use` receives it, and may refuse it.
void add_number(CLI::App& command, const std::string& option, int& value, int least, int most, const std::string& help);
void add_number(CLI::App& command, const char* group, const std::string& option, std::int64_t least, std::int64_t most,
                const std::function<void(std::int64_t)>& use, const std::string& help);

/// An option that takes one of `allowed`; `choose` receives its index.
void add_choice(CLI::App& command, const char* group, const std::string& option,
                const std::vector<std::string>& allowed, const std::string& by_default, const std::string& help,
                const std::function<void(std::size_t)>& choose);

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

template <class Enum>
void add_choice_of(CLI::App& command, const char* group, const std::string& option, Enum& value, Enum last,
                   const std::string& help) {
  add_choice(command, group, option, names_up_to(last), name(value), help,
             [&value](std::size_t chosen) { value = static_cast<Enum>(chosen); });
}

/// An option that takes a number from 1 to `most`, or a word that stands for 0.
void add_count(CLI::App& command, const char* group, const std::string& option, int& value, int most,
               const std::string& word_for_zero, const std::string& help);

/// The option --seed.
CLI::Option* add_seed(CLI::App& command, std::uint64_t& value, const std::string& help, const char* group = "Options");

/// An option that takes a distance.
void add_distance(CLI::App& command, const std::string& option, std::optional<double>& value, const std::string& help,
                  const char* what = "a distance");

/// An option whose word `use` reads.
void add_read(CLI::App& command, const std::string& option, const std::function<void(const std::string&)>& use,
              const char* type, const std::string& help);

/// The two options cannot be given together.
void exclude(CLI::App& command, const std::string& option, const std::string& other);

/// Ends the parsing: the value of the option will not do.
[[noreturn]] void refuse(const std::string& option, const std::string& why);

/// Runs when all options of the command were read.
void after_parsing(CLI::App& command, const std::function<void()>& then);

bool is_given(const CLI::App& command, const std::string& option);
/// The names of the given options of a group.
std::vector<std::string> given(const CLI::App& command, const std::string& group);

}  // namespace tumble::cli
