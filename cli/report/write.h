// SPDX-License-Identifier: Apache-2.0
// --report: the option, and the page of a command as a file.
#pragma once

#include "cli/output.h"
#include "report/page.h"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tumble::cli {

/// Adds --report FILE.
void add_report(CLI::App& command, std::optional<std::string>& file);

/// "cell.json and 2 other files".
std::string page_title(const std::vector<std::string>& files);

/// Without finishing the output.
void write_page(const Page& page, Output& out);

}  // namespace tumble::cli
