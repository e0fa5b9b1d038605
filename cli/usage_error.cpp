// SPDX-License-Identifier: Apache-2.0
// Puts errors of parsing into words.
#include "cli/usage_error.h"

#include "io/parse_number.h"
#include "io/suggest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

namespace tumble::cli {
namespace {

/// "'a', 'b'", as they were typed.
std::string in_quotes(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += fmt::format("{}'{}'", text.empty() ? "" : ", ", word);
  return text;
}

/// The command that was asked for, and its name for messages.
std::pair<const CLI::App*, std::string> asked_of(const CLI::App& tumble) {
  const CLI::App* app = &tumble;
  std::string name = "tumble";
  for (bool deeper = true; deeper;) {
    deeper = false;
    for (const CLI::App* sub : app->get_subcommands()) {
      app = sub;
      name += " " + sub->get_name();
      deeper = true;
      break;
    }
  }
  return {app, name};
}

bool is_of_letters(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; });
}

/// The option whose value was given as several words: the shell splits what is not in quotes.
std::string unquoted_option(std::span<const std::string> words) {
  constexpr std::array<std::string_view, 7> several{"--pose", "--pose-a", "--pose-b",   "--point",
                                                    "--from", "--to",     "--direction"};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    const std::string option = words[i].substr(0, equals);
    const std::size_t next = equals == std::string::npos ? i + 2 : i + 1;
    if (std::ranges::find(several, option) == several.end() || next >= words.size()) continue;
    const std::string value = equals == std::string::npos ? words[i + 1] : words[i].substr(equals + 1);
    // Names of turns and translations, too: yaw 90.
    if ((io::parse_number(value) || is_of_letters(value)) && io::parse_number(words[next]))
      return fmt::format("the value of {} is one argument: put {} in quotes, as in {} \"{} {}{}\"", option,
                         io::parse_number(value) ? "its numbers" : "its words", option, value, words[next],
                         next + 1 < words.size() && io::parse_number(words[next + 1]) ? " …" : "");
  }
  return {};
}

bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-' && !io::parse_number(word); }

std::string too_many(const CLI::App& app, std::vector<std::string> extra) {
  std::erase(extra, "--");
  return fmt::format("{} more than {} takes: {}", extra.size() == 1 ? "there is an argument" : "there are arguments",
                     app.get_name(), in_quotes(extra));
}

std::string unexpected(const CLI::App& app, const CLI::App& tumble, const std::vector<std::string>& extra) {
  if (&app == &tumble && !is_option(extra.front())) return no_such_command(extra.front(), tumble);
  const auto option = std::ranges::find_if(extra, is_option);
  if (option != extra.end()) return no_such_option(*option, app);
  return too_many(app, extra);
}

/// Whether the words that are left over follow a "--", so that none is an option. CLI11 may list that, too, or hand
/// them up to the program.
bool are_behind_dashes(std::span<const std::string> extra, std::span<const std::string> words) {
  const auto dashes = std::ranges::find(words, "--");
  return std::ranges::all_of(
      extra, [&](const std::string& word) { return std::find(dashes, words.end(), word) != words.end(); });
}

std::string needs_values(const std::string& name, const CLI::Option& option) {
  const int wanted = option.get_items_expected_min();
  return fmt::format("{} needs {}, {}", name, wanted > 1 ? fmt::format("{} values", wanted) : "a value",
                     option.get_type_name());
}

/// An option with fewer or more values than it takes. CLI11 counts; we name them.
std::string wrong_count(const CLI::ArgumentMismatch& error, const CLI::App& app) {
  std::string what = error.what();
  const std::string name = what.substr(0, what.find(':'));
  const CLI::Option* option = app.get_option_no_throw(name);
  if (!option) return what;
  if (!what.ends_with(" missing")) return name + " may be given only once";
  return needs_values(name, *option);
}

/// The option of the command that a word names, be it with "=VALUE".
const CLI::Option* option_named(const std::string& word, const CLI::App& command) {
  return is_option(word) ? command.get_option_no_throw(word.substr(0, word.find('='))) : nullptr;
}

}  // namespace

std::string with_help(const std::string& what, const std::string& command) {
  return fmt::format("{}{} see '{} --help'", what, what.ends_with('?') ? "" : ";", command);
}

std::string no_such_command(const std::string& word, const CLI::App& tumble) {
  std::vector<std::string> names;
  for (const CLI::App* sub : tumble.get_subcommands({}))
    if (!sub->get_group().empty()) names.push_back(sub->get_name());
  if (tumble.get_parent() == nullptr) names.insert(names.end(), {"--version", "--help"});
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored))
    return fmt::format("'{}' is a file, and a command comes first; 'tumble info {}' says what is in it", word, word);
  return fmt::format("there is no command '{}'{}", word, io::did_you_mean(word, names));
}

std::string no_such_option(const std::string& word, const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  const std::string name = word.substr(0, word.find('='));
  if (command.get_parent() == nullptr && std::ranges::find(names, name) == names.end()) {
    std::vector<const CLI::App*> subs = command.get_subcommands({});
    // The one that was asked for comes first.
    std::stable_partition(subs.begin(), subs.end(), [](const CLI::App* sub) { return sub->parsed(); });
    for (const CLI::App* sub : subs)
      if (sub->get_option_no_throw(name))
        return fmt::format("{} belongs behind the command, as in 'tumble {} … {}'", name, sub->get_name(), name);
  }
  return fmt::format("there is no option '{}'{}", name, io::did_you_mean(name, names));
}

std::string option_for_a_value(const CLI::App& tumble, std::span<const std::string> words) {
  const auto [app, command] = asked_of(tumble);
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const CLI::Option* option = option_named(words[i], *app);
    if (!option || words[i].find('=') != std::string::npos) continue;
    const std::string& name = words[i];
    for (int wanted = option->get_items_expected_min(); wanted > 0 && i + 1 < words.size(); --wanted)
      if (option_named(words[++i], *app))
        return with_help(
            fmt::format("{}, and '{}' is an option{}", needs_values(name, *option), words[i],
                        option->get_type_name().starts_with("FILE") ? "; a file of that name is ./" + words[i] : ""),
            command);
  }
  return {};
}

std::string in_words(const CLI::ParseError& error, const CLI::App& tumble, std::span<const std::string> words) {
  const auto [app, name] = asked_of(tumble);
  if (std::string wrong = option_for_a_value(tumble, words); !wrong.empty()) return wrong;
  std::string what = unquoted_option(words);
  if (what.empty() && dynamic_cast<const CLI::ExtrasError*>(&error)) {
    const std::vector<std::string> before = tumble.remaining(false), extra = tumble.remaining(true);
    if (app != &tumble && are_behind_dashes(extra, words))
      what = too_many(*app, extra);
    else if (!before.empty())  // before the command, or there is none
      what = unexpected(tumble, tumble, before);
    else if (!extra.empty())
      what = unexpected(*app, tumble, extra);
  }
  const auto* mismatch = dynamic_cast<const CLI::ArgumentMismatch*>(&error);
  if (what.empty() && mismatch) what = wrong_count(*mismatch, *app);
  // An operand may be missing because an option is mistyped.
  if (what.empty() && dynamic_cast<const CLI::RequiredError*>(&error))
    for (const std::string& word : tumble.remaining(true))
      if (is_option(word)) what = no_such_option(word, *app);
  return with_help(what.empty() ? error.what() : what, name);
}

}  // namespace tumble::cli
