// SPDX-License-Identifier: Apache-2.0
// tumble help: explains a command, as --help does.
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/usage_error.h"

#include <tumble/error.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <vector>

namespace tumble::cli {

Command add_help(CLI::App& tumble) {
  struct Options {
    std::vector<std::string> words;
    bool all = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* app = add_command(tumble, "help", "Explain a command");
  std::string names;
  for (const CLI::App* command : tumble.get_subcommands({}))
    if (command != app) names += (names.empty() ? "" : "|") + command->get_name();
  app->add_option("COMMAND", options->words, "The command; none: all of them in short")
      ->option_text(" ")
      ->type_name(names);  // for completion
  add_flag(*app, "--all", options->all, "Every option, also those that few need");
  add_footer(*app,
             "Exit status: 0, or 2 if there is no such command.\n\n"
             "Examples:\n"
             "  tumble help\n"
             "  tumble help collide\n"
             "  tumble help lab scene --all");
  return {app, [&tumble, options] {
            const CLI::App* about = &tumble;
            std::string name = "tumble";
            for (const std::string& word : options->words) {
              const auto subs = about->get_subcommands([&](const CLI::App* sub) { return sub->get_name() == word; });
              if (subs.empty()) throw Error(ErrorCode::invalid_argument, no_such_command(word, *about));
              about = subs.front();
              name += " " + word;
            }
            const auto mode = options->all ? CLI::AppFormatMode::All : CLI::AppFormatMode::Normal;
            fmt::print("{}", tumble.get_formatter()->make_help(about, name, mode));
            return Status::nothing_found;
          }};
}

}  // namespace tumble::cli
