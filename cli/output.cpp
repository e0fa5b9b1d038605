// SPDX-License-Identifier: Apache-2.0
// Writes results to files and to standard output.
#include "cli/output.h"

#include <tumble/error.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tumble::cli {
namespace {

[[noreturn]] void fail_on_standard_output() {
  throw Error(ErrorCode::file_access, std::string("cannot write: ") + std::strerror(errno),
              {.file = "standard output"});
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

void Output::complete() {
  if (file_) return file_->complete();
  flush_standard_output();
}

void finish_together(std::initializer_list<std::optional<Output>*> outputs, const std::function<void()>& write_last) {
  for (std::optional<Output>* output : outputs)
    if (*output) (*output)->complete();
  if (write_last) write_last();
  for (std::optional<Output>* output : outputs)
    if (*output) (*output)->finish();
}

void require_writable(const std::string& file) { const OutFile probe(file); }

void flush_standard_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) fail_on_standard_output();
}

}  // namespace tumble::cli
