// SPDX-License-Identifier: Apache-2.0
// Writes results to files and to standard output.
#include "cli/output.h"

#include <tumble/error.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace tumble::cli {
namespace {

[[noreturn]] void fail_on_standard_output() {
  throw Error(ErrorCode::file_access, std::string("cannot write: ") + std::strerror(errno),
              {.file = "standard output"});
}

bool same_place(const std::string& a, const std::string& b) {
  if (a == b) return true;
  if (a == "-" || b == "-") return false;
  std::error_code failed;  // ignored here: opening the file reports it
  const std::filesystem::path real_a = std::filesystem::weakly_canonical(std::filesystem::absolute(a), failed);
  if (failed) return false;
  return real_a == std::filesystem::weakly_canonical(std::filesystem::absolute(b), failed) && !failed;
}

}  // namespace

Output::Output(const std::string& name) {
  if (name != "-") file_.emplace(name);
}

void Output::write(std::string_view text) {
  if (file_) return file_->write(text);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail_on_standard_output();
}

void Output::finish() {
  if (file_) return file_->commit();
  flush_standard_output();
}

void require_writable(const std::string& file) { const OutFile probe(file); }

void require_different(const char* option, const std::optional<std::string>& file, const char* other_option,
                       const std::optional<std::string>& other_file) {
  if (file && other_file && same_place(*file, *other_file))
    throw Error(ErrorCode::invalid_argument,
                std::string("is named by both ") + option + " and " + other_option + "; give one of them another file",
                {.file = *file == "-" ? "standard output" : *file});
}

void flush_standard_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) fail_on_standard_output();
}

}  // namespace tumble::cli
