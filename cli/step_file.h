// SPDX-License-Identifier: Apache-2.0
// STEP files on a command line, read by the program tumble-step beside this one.
#pragma once

#include <tumble/step.h>

#include <string>

namespace CLI {
class App;
}

namespace tumble::cli {

/// By the extension: .step or .stp.
bool is_step(const std::string& file);

/// Adds --deflection and --angle.
void add_step_options(CLI::App& command, StepOptions& options);

/// load_step() in another process. Throws Error also if there is no tumble-step or if it crashes.
StepAssembly read_step(const std::string& file, const StepOptions& options);

}  // namespace tumble::cli
