// SPDX-License-Identifier: Apache-2.0
// Writes pages, and names them by the files of a command line.
#include "cli/report/write.h"

#include "cli/choices.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace tumble::cli {
namespace {

/// Its last name, also where a folder is spelled "gears/" or ".".
std::string last_name(const std::string& file) {
  std::error_code failed;  // then as it is spelled
  const std::filesystem::path whole = std::filesystem::absolute(file, failed).lexically_normal();
  const std::string name = (whole.has_filename() ? whole : whole.parent_path()).filename().string();
  return file == "-" || name.empty() ? file : name;
}

}  // namespace

void add_report(CLI::App& command, std::optional<std::string>& file) {
  add_word(command, "--report", file, "FILE.html", "Write a page to look at in a browser; it needs no network");
}

std::string page_title(const std::vector<std::string>& files) {
  const std::string first = last_name(files.front());
  return files.size() == 1 ? first : fmt::format("{} and {}", first, count(files.size() - 1, "other file"));
}

void write_page(const Page& page, Output& out) { out.write(page_text(page)); }

}  // namespace tumble::cli
