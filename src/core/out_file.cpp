// SPDX-License-Identifier: Apache-2.0
// Writing beside the target, then renaming over it.
#include "core/out_file.h"

#include <tumble/error.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <random>
#include <system_error>

namespace tumble {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 20;

}  // namespace

OutFile::OutFile(const std::filesystem::path& file) : file_(file) {
  std::error_code ignored;
  if (std::filesystem::is_symlink(file, ignored)) {  // write through a link, as an ordinary write would
    const std::filesystem::path target = std::filesystem::canonical(file, ignored);
    if (!ignored) file_ = target;
  }
  if (std::filesystem::is_directory(file_, ignored)) fail(EISDIR);
  std::random_device random;
  do {
    temporary_ = file_;
    temporary_ += std::string(".").append(std::to_string(random())).append(".part");
    fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (fd_ < 0 && errno == EEXIST);
  if (fd_ < 0) fail(errno);
  buffer_.reserve(buffer_size);
}

OutFile::~OutFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
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

void OutFile::commit() {
  flush();
  // Renamed only once the bytes are on the disk: after a crash, too, the name stands for a whole file.
  if (::fsync(fd_) != 0 && errno != EINVAL) fail(errno);
  const int closed = ::close(fd_);
  fd_ = -1;
  if (closed != 0) fail(errno);
  if (std::rename(temporary_.c_str(), file_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

void OutFile::fail(int error) const {
  throw Error(ErrorCode::file_access, "cannot write the file: " + std::generic_category().message(error),
              {.file = file_.string()});
}

}  // namespace tumble
