// SPDX-License-Identifier: Apache-2.0
// What --help shows: the options that most people need. --help-all shows the rest, such as those of the papers.
#pragma once

#include <CLI/CLI.hpp>

#include <map>
#include <string>
#include <vector>

namespace tumble::cli {

/// -x and --long, as they are typed.
std::vector<std::string> names_of(const CLI::Option& option);

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_option_name(const CLI::Option* option, bool is_operand) const override;
  std::string make_option_opts(const CLI::Option* option) const override;

  /// Text about a command that --help-all shows below its footer's first part.
  void add_details(const CLI::App* app, const std::string& text) { details_[app] = text; }
  /// Empty if there is none.
  std::string details(const CLI::App* app) const;

 private:
  std::map<const CLI::App*, std::string> details_;
};

}  // namespace tumble::cli
