// SPDX-License-Identifier: Apache-2.0
// Writes pages, and names them by the files of a command line.
#include "cli/report/write.h"

#include "cli/choices.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <filesystem>

namespace tumble::cli {

void add_report(CLI::App& command, std::optional<std::string>& file) {
  add_word(command, "--report", file, "FILE.html", "Write a page to look at in a browser; it needs no network");
}

std::string page_title(const std::vector<std::string>& files) {
  const std::string first = std::filesystem::path(files.front()).filename().string();
  return files.size() == 1 ? first : fmt::format("{} and {}", first, count(files.size() - 1, "other file"));
}

void write_page(const Page& page, Output& out) {
  out.write(page_text(page));
  out.finish();
}

}  // namespace tumble::cli
