// SPDX-License-Identifier: Apache-2.0
// The command line as a whole: every command with its options and help. What is generated from the help starts here.
#pragma once

#include "cli/command.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <vector>

namespace tumble::cli {

struct Application {
  std::unique_ptr<CLI::App> arguments;  // the commands refer to it
  std::vector<Command> commands;
};

Application make_application();

}  // namespace tumble::cli
