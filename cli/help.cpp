// SPDX-License-Identifier: Apache-2.0
// Lays out the help.
#include "cli/help.h"

#include "cli/choices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tumble::cli {
namespace {

bool is_for_few(const std::string& group) {
  return group == more_options || group == tree_group || group == pair_group;
}

}  // namespace

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::string HelpFormatter::details(const CLI::App* app) const {
  const auto found = details_.find(app);
  return found == details_.end() ? "" : found->second;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  const bool all = mode == CLI::AppFormatMode::All;
  std::string text = make_description(app) + make_usage(app, name) + make_positionals(app);
  std::size_t hidden = 0;
  for (const std::string& group : app->get_groups()) {
    const std::vector<const CLI::Option*> options = app->get_options(
        [&](const CLI::Option* option) { return option->get_group() == group && option->nonpositional(); });
    if (group.empty() || options.empty()) continue;
    if (all || !is_for_few(group))
      text += make_group(group, false, options);
    else
      hidden += options.size();
  }
  if (hidden > 0)
    text += fmt::format("  and {} more, for trees, budgets and the like: '{} --help-all'\n", hidden, name);
  text += make_subcommands(app, CLI::AppFormatMode::Normal);
  if (const std::string more = details(app); all && !more.empty()) text += "\n" + more + "\n";
  return text + "\n" + make_footer(app);
}

/// CLI11 would write --no-memory{false}.
std::string HelpFormatter::make_option_name(const CLI::Option* option, bool is_operand) const {
  return is_operand ? option->get_name(true) : fmt::to_string(fmt::join(names_of(*option), ","));
}

/// As CLI11 has it, but what an option excludes is said where that matters: in the error.
std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  if (!option->get_option_text().empty()) return " " + option->get_option_text();
  if (option->get_type_size() == 0) return "";
  std::string text;
  if (!option->get_type_name().empty()) text += " " + option->get_type_name();
  if (!option->get_default_str().empty()) text += "=" + option->get_default_str();
  if (option->get_required()) text += " (required)";
  return text;
}

}  // namespace tumble::cli
