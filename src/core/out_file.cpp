// SPDX-License-Identifier: Apache-2.0
// Writes beside the target, then renames over it.
#include "core/out_file.h"

#include <tumble/error.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <random>
#include <system_error>
#include <utility>

namespace tumble {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_size = std::size_t{1} << 20;
constexpr int most_links = 40;  // one behind the other, as in Linux

/// The temporaries that a signal handler removes. If there are more at once than this, the rest stay behind.
std::array<std::atomic<const char*>, 8> unfinished{};
static_assert(std::atomic<const char*>::is_always_lock_free);

void exchange_unfinished(const char* from, const char* to) {
  for (std::atomic<const char*>& slot : unfinished)
    if (const char* expected = from; slot.compare_exchange_strong(expected, to)) return;
}

}  // namespace

fs::path behind_links(fs::path file) {
  std::error_code error;
  for (int links = 0; links < most_links && fs::is_symlink(fs::symlink_status(file, error)); ++links) {
    const fs::path target = fs::read_symlink(file, error);
    if (error) break;
    file = file.parent_path() / target;
  }
  return file;
}

// Delegates, so that the destructor cleans up after a failure below.
OutFile::OutFile(const fs::path& file) : OutFile() {
  name_ = target_ = file;
  if (file.empty()) throw Error(ErrorCode::invalid_argument, "the name of the output file is empty");
  std::error_code error;
  const fs::file_status status = fs::status(file, error);  // follows links
  if (status.type() == fs::file_type::none)
    fail(error.value());  // what is there may not be seen, so not replaced either
  if (fs::is_directory(status)) fail(EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    fd_ = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd_ < 0) fail(errno);
  } else {
    open_beside(status);
  }
  buffer_.reserve(buffer_size);
}

void OutFile::open_beside(fs::file_status status) {
  const bool replaces = fs::exists(status);
  if (replaces) {
    if (::access(name_.c_str(), W_OK) != 0) fail(errno);  // renaming would bypass write protection
    std::error_code error;
    target_ = fs::canonical(name_, error);
    if (error) fail(error.value());
  } else {
    target_ = behind_links(name_);
    std::error_code ignored;
    if (fs::is_symlink(fs::symlink_status(target_, ignored))) fail(ELOOP);
  }
  std::random_device random;
  std::string beside;
  do {
    beside = target_.string() + "." + std::to_string(random()) + ".part";
    fd_ = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (fd_ < 0 && errno == EEXIST);
  if (fd_ < 0) fail(errno);
  temporary_ = std::move(beside);
  exchange_unfinished(nullptr, temporary_.c_str());
  if (replaces && ::fchmod(fd_, static_cast<mode_t>(status.permissions())) != 0) fail(errno);
}

OutFile::~OutFile() {
  if (fd_ >= 0) ::close(fd_);
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  exchange_unfinished(temporary_.c_str(), nullptr);
}

void OutFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > buffer_size) flush();
  buffer_ += bytes;
}

void OutFile::flush() {
  for (std::string_view left = buffer_; !left.empty();) {
    const ssize_t written = ::write(fd_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void OutFile::complete() {
  if (fd_ < 0) return;
  flush();
  // Renamed only once the bytes are on the disk, so that even after a crash the file is whole.
  if (!temporary_.empty() && ::fsync(fd_) != 0 && errno != EINVAL) fail(errno);
  if (::close(std::exchange(fd_, -1)) != 0) fail(errno);
}

void OutFile::commit() {
  complete();
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  exchange_unfinished(temporary_.c_str(), nullptr);
  temporary_.clear();
}

void OutFile::fail(int error) const {
  throw Error(ErrorCode::file_access, "cannot write the file: " + std::generic_category().message(error),
              {.file = name_.string()});
}

void remove_unfinished_files() {
  for (std::atomic<const char*>& slot : unfinished)
    if (const char* file = slot.exchange(nullptr)) ::unlink(file);
}

}  // namespace tumble
