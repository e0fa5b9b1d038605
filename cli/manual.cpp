// SPDX-License-Identifier: Apache-2.0
// tumble manual: writes manual pages and completions for shells, from the commands and options that --help shows. The
// build runs it; it is not listed among the commands.
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/output.h"

#include <tumble/version.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tumble::cli {
namespace {

/// What lays out --help.
const HelpFormatter& formatter_of(const CLI::App& app) {
  return dynamic_cast<const HelpFormatter&>(*app.get_formatter());
}

/// What an option takes, as --help shows it.
std::string value_of(const CLI::App& app, const CLI::Option& option) {
  std::string text = formatter_of(app).make_option_opts(&option);
  text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
  return text;
}

/// Those that --help lists, in its order.
std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}
std::vector<const CLI::Option*> options_of(const CLI::App& app, const std::string& group) {
  return app.get_options(
      [&group](const CLI::Option* option) { return option->nonpositional() && option->get_group() == group; });
}
std::vector<const CLI::Option*> operands_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

/// "tumble lab scene" for the command scene of lab.
std::string full_name(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : full_name(*app.get_parent()) + " " + app.get_name();
}

// ---- Manual pages, in the macros of man(7)

/// Text as troff takes it literally; a line that begins with a dot would be a request.
std::string troff(std::string_view text) {
  std::string result;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    begins = c == '\n';
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  return result;
}

std::string heading(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format(".SH {}\n", troff(text));
}

std::string entry(std::string term, const std::string& text) {
  term.erase(term.find_last_not_of(' ') + 1);
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", troff(term), troff(text));
}

/// Its operands, options and commands, with the titles that --help gives them.
std::string body(const CLI::App& app) {
  std::string page;
  if (const auto operands = operands_of(app); !operands.empty()) {
    page += heading("Operands");
    for (const CLI::Option* operand : operands) page += entry(operand->get_name(true), operand->get_description());
  }
  for (const std::string& group : app.get_groups()) {
    const auto options = options_of(app, group);
    if (group.empty() || options.empty()) continue;
    page += heading(group);
    for (const CLI::Option* option : options)
      page += entry(fmt::format("{} {}", fmt::join(names_of(*option), ", "), value_of(app, *option)),
                    option->get_description());
  }
  std::string group;
  for (const CLI::App* command : commands_of(app)) {
    if (command->get_group() != group) page += heading(group = command->get_group());
    page += entry(command->get_name(), command->get_description());
  }
  // Commands of a command have no page of their own.
  if (app.get_parent() != nullptr)
    for (const CLI::App* command : commands_of(app))
      if (!operands_of(*command).empty()) page += heading(full_name(*command)) + body(*command);
  if (const std::string details = formatter_of(app).details(&app); !details.empty())
    page += heading("Details") + ".nf\n" + troff(details) + "\n.fi\n";
  if (!app.get_footer().empty()) page += heading("Notes") + ".nf\n" + troff(app.get_footer()) + "\n.fi\n";
  return page;
}

std::string manual_page(const CLI::App& app) {
  std::string name = full_name(app);
  std::string usage = formatter_of(app).make_usage(&app, name);
  usage = usage.substr(usage.find(name));
  std::string description = app.get_description();
  if (description.ends_with('.')) description.pop_back();
  std::ranges::replace(name, ' ', '-');
  std::string page = fmt::format(
      ".\\\" Written by 'tumble manual'.\n.TH {} 1 \"\" \"tumble {}\" \"tumble\"\n.SH NAME\n{} \\- {}\n.SH "
      "SYNOPSIS\n{}",
      troff(name), version(), troff(name), troff(description), troff(usage));
  page += body(app);
  page += heading("See also");
  std::vector<std::string> others;
  const CLI::App& top = app.get_parent() == nullptr ? app : *app.get_parent();
  if (&top != &app) others.push_back("\\fBtumble\\fR(1)");
  for (const CLI::App* command : commands_of(top))
    if (command != &app) others.push_back(fmt::format("\\fBtumble\\-{}\\fR(1)", command->get_name()));
  return page + fmt::format("{}\n", fmt::join(others, ", "));
}

// ---- Completion

/// The words among which an option or an operand chooses: "on|off", but of "N|auto" only auto, and of a list with
/// commas, "a|b,...", each one.
std::vector<std::string> choices_of(const CLI::Option& option) {
  std::vector<std::string> words;
  std::string value = option.get_type_name();
  constexpr std::string_view list = ",...";
  if (value.ends_with(list)) value.resize(value.size() - list.size());
  if (value.find('|') == std::string::npos) return words;
  for (std::string& word : CLI::detail::split(value, '|'))
    if (std::ranges::none_of(word, [](unsigned char c) { return std::isupper(c); })) words.push_back(std::move(word));
  return words;
}

/// Whether its value is the name of a file or a folder.
bool takes_file(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.starts_with("FILE") || type == "DIR";
}

/// Branches of a case statement, over "COMMAND OPTION", and over "COMMAND" for its options and its commands.
struct Branches {
  std::string values, options, commands;
};

void add_branches(const CLI::App& app, const std::string& path, Branches& branches) {
  std::vector<std::string> options;
  for (const CLI::Option* option : app.get_options([](const CLI::Option* o) { return o->nonpositional(); })) {
    if (option->get_group().empty()) continue;
    const std::vector<std::string> names = names_of(*option);
    options.insert(options.end(), names.begin(), names.end());
    if (option->get_expected_min() == 0) continue;  // a flag
    const std::vector<std::string> choices = choices_of(*option);
    std::vector<std::string> patterns;
    patterns.reserve(names.size());
    for (const std::string& name : names) patterns.push_back(fmt::format("\"{} {}\"", path, name));
    branches.values += fmt::format("    {}) {}\n", fmt::join(patterns, " | "),
                                   takes_file(*option) ? "files=yes ;;"
                                   : choices.empty()   ? ";;"
                                                       : fmt::format("list=\"{}\" ;;", fmt::join(choices, " ")));
  }
  branches.options += fmt::format("    \"{}\") list=\"{}\" ;;\n", path, fmt::join(options, " "));
  std::vector<std::string> commands;
  for (const CLI::App* command : commands_of(app)) {
    commands.push_back(command->get_name());
    add_branches(*command, path + " " + command->get_name(), branches);
  }
  for (const CLI::Option* operand : operands_of(app))
    for (const std::string& word : choices_of(*operand)) commands.push_back(word);
  if (!commands.empty())
    branches.commands += fmt::format("    \"{}\") list=\"{}\" ;;\n", path, fmt::join(commands, " "));
}

/// The part that bash and zsh have in common: from `current`, `previous` and `asked` to `list` or `files`.
std::string decision(const CLI::App& tumble) {
  Branches branches;
  add_branches(tumble, "tumble", branches);
  return fmt::format(
      "  case \"$asked $previous\" in\n{}  *)\n    case $current in\n    -*)\n      case $asked in\n{}      esac ;;\n"
      "    *)\n      files=yes\n      case $asked in\n{}      esac ;;\n    esac ;;\n  esac\n",
      branches.values, branches.options, branches.commands);
}

/// The full names of all commands, as alternatives of a case.
std::string paths_of(const CLI::App& app) {
  std::string all;
  for (const CLI::App* command : commands_of(app)) all += " | \"" + full_name(*command) + "\"" + paths_of(*command);
  return all;
}

std::string path_loop(const CLI::App& tumble, std::string_view words) {
  return fmt::format(
      "  for word in {}; do\n    case \"$asked $word\" in\n    {}) asked=\"$asked $word\" ;;\n    esac\n  done\n",
      words, paths_of(tumble).substr(3));
}

std::string bash_completion(const CLI::App& tumble) {
  return fmt::format(
      "# Completion of tumble for bash. Written by 'tumble manual'.\n_tumble() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}\n"
      "  local asked=tumble list= files= word\n{}{}"
      "  COMPREPLY=()\n"
      "  if [ -n \"$list\" ]; then mapfile -t COMPREPLY < <(compgen -W \"$list\" -- \"$current\"); fi\n"
      "  if [ -n \"$files\" ] && [ ${{#COMPREPLY[@]}} -eq 0 ]; then\n"
      "    compopt -o filenames 2> /dev/null\n    mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n  fi\n}}\n"
      "complete -F _tumble tumble\n",
      path_loop(tumble, "\"${COMP_WORDS[@]:1:COMP_CWORD-1}\""), decision(tumble));
}

std::string zsh_completion(const CLI::App& tumble) {
  return fmt::format(
      "#compdef tumble\n# Completion of tumble for zsh. Written by 'tumble manual'.\n_tumble() {{\n"
      "  local current=${{words[CURRENT]}} previous=${{words[CURRENT-1]}}\n"
      "  local asked=tumble list= files= word\n  asked=tumble\n{}{}"
      "  if [[ -n $list ]] && compadd -- ${{=list}}; then return 0; fi\n"
      "  if [[ -n $files ]]; then _files; fi\n}}\n_tumble \"$@\"\n",
      path_loop(tumble, "${words[2,CURRENT-1]}"), decision(tumble));
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  Output output(file.string());
  output.write(text);
  output.finish();
}

}  // namespace

Command add_manual(CLI::App& tumble) {
  const auto folder = std::make_shared<std::string>();
  CLI::App* app = add_command(tumble, "manual", "Write manual pages and completions for shells");
  app->group("");
  add_operand(*app, "FOLDER", *folder, "Where to: man1/, bash/ and zsh/ in it");
  return {app, [&tumble, folder] {
            const std::filesystem::path base = *folder;
            write(base / "man1/tumble.1", manual_page(tumble));
            for (const CLI::App* command : commands_of(tumble))
              write(base / fmt::format("man1/tumble-{}.1", command->get_name()), manual_page(*command));
            write(base / "bash/tumble", bash_completion(tumble));
            write(base / "zsh/_tumble", zsh_completion(tumble));
            return Status::nothing_found;
          }};
}

}  // namespace tumble::cli
