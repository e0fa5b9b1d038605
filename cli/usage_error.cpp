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

/// The option whose numbers were given as several words: the shell splits what is not in quotes.
std::string unquoted_option(std::span<const std::string> words) {
  constexpr std::array<std::string_view, 7> several{"--pose", "--pose-a", "--pose-b",   "--point",
                                                    "--from", "--to",     "--direction"};
  for (std::size_t i = 0; i + 2 < words.size(); ++i)
    if (std::ranges::find(several, words[i]) != several.end() && io::parse_number(words[i + 1]) &&
        io::parse_number(words[i + 2]))
      return fmt::format("the value of {} is one argument: put its numbers in quotes, as in {} \"{} {} …\"", words[i],
                         words[i], words[i + 1], words[i + 2]);
  return {};
}

bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-' && !io::parse_number(word); }

std::string unexpected(const CLI::App& app, const CLI::App& tumble, const std::vector<std::string>& extra) {
  if (&app == &tumble && !is_option(extra.front())) return no_such_command(extra.front(), tumble);
  const auto option = std::ranges::find_if(extra, is_option);
  if (option != extra.end()) return no_such_option(*option, app);
  return fmt::format("{} more than {} takes: {}", extra.size() == 1 ? "there is an argument" : "there are arguments",
                     app.get_name(), in_quotes(extra));
}

}  // namespace

std::string with_help(const std::string& what, const std::string& command) {
  return fmt::format("{}{} see '{} --help'", what, what.ends_with('?') ? "" : ";", command);
}

std::string no_such_command(const std::string& word, const CLI::App& tumble) {
  std::vector<std::string> names;
  for (const CLI::App* sub : tumble.get_subcommands({})) names.push_back(sub->get_name());
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
  if (command.get_parent() == nullptr && std::ranges::find(names, name) == names.end())
    for (const CLI::App* sub : command.get_subcommands({}))
      if (sub->get_option_no_throw(name))
        return fmt::format("{} belongs behind the command, as in 'tumble {} … {}'", name, sub->get_name(), name);
  return fmt::format("there is no option '{}'{}", name, io::did_you_mean(name, names));
}

std::string in_words(const CLI::ParseError& error, const CLI::App& tumble, std::span<const std::string> words) {
  const auto [app, name] = asked_of(tumble);
  std::string what = unquoted_option(words);
  if (what.empty() && dynamic_cast<const CLI::ExtrasError*>(&error)) {
    const std::vector<std::string> before = tumble.remaining(false), extra = tumble.remaining(true);
    if (!before.empty())  // before the command, or there is none
      what = unexpected(tumble, tumble, before);
    else if (!extra.empty())
      what = unexpected(*app, tumble, extra);
  }
  // An operand may be missing because an option is mistyped.
  if (what.empty() && dynamic_cast<const CLI::RequiredError*>(&error))
    for (const std::string& word : tumble.remaining(true))
      if (is_option(word)) what = no_such_option(word, *app);
  return with_help(what.empty() ? error.what() : what, name);
}

}  // namespace tumble::cli
