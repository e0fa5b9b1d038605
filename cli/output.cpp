// SPDX-License-Identifier: Apache-2.0
// Writing beside the target and renaming at the end.
#include "cli/output.h"

#include "cli/interrupt.h"

#include <tumble/error.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace tumble::cli {
namespace fs = std::filesystem;

Output::Output(const std::string& name) : name_(name), target_(name) {
  if (name == "-") {
    file_ = stdout;
    return;
  }
  if (name.empty()) throw Error(ErrorCode::invalid_argument, "the name of the output file is empty");
  std::error_code ignored;
  const fs::file_status status = fs::status(target_, ignored);  // follows links
  if (fs::is_directory(status)) fail("cannot write", EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) {  // renaming would replace the device or pipe
    file_ = std::fopen(name.c_str(), "w");
    if (!file_) fail("cannot write", errno);
    return;
  }
  if (fs::exists(status)) {
    if (access(name.c_str(), W_OK) != 0) fail("cannot write", errno);  // renaming would get round the protection
    target_ = fs::canonical(target_);                                  // a link keeps pointing to it
  }
  std::string beside = target_.string() + ".XXXXXX";
  const int descriptor = mkstemp(beside.data());
  if (descriptor < 0) fail("cannot create a file there", errno);
  temporary_ = beside;
  unfinished_ = std::make_unique<UnfinishedFile>(beside);
  const mode_t mask = umask(0);  // mkstemp makes private files; this one gets the rights of any other
  umask(mask);
  const mode_t rights = fs::exists(status) ? static_cast<mode_t>(status.permissions()) : mode_t{0666} & ~mask;
  file_ = fchmod(descriptor, rights) == 0 ? fdopen(descriptor, "w") : nullptr;
  if (!file_) {
    const int error = errno;
    close(descriptor);
    unlink(beside.c_str());
    fail("cannot write", error);
  }
}

Output::~Output() {
  if (file_ && file_ != stdout) std::fclose(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void Output::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail("cannot write", errno);
}

void Output::finish() {
  if (file_ == stdout) return flush_standard_output();
  if (std::fclose(std::exchange(file_, nullptr)) != 0) fail("cannot write", errno);
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot be put in place", errno);
  temporary_.clear();
}

void Output::fail(const std::string& what, int error) const {
  throw Error(ErrorCode::file_access, what + ": " + std::strerror(error),
              {.file = name_ == "-" ? "standard output" : name_});
}

void flush_standard_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    throw Error(ErrorCode::file_access, std::string("cannot write: ") + std::strerror(errno),
                {.file = "standard output"});
}

}  // namespace tumble::cli
