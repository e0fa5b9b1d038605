// SPDX-License-Identifier: Apache-2.0
// How files are brought into memory and how places in them are named.
#include "io/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace tumble::io {
namespace {

// Lines end with \n, \r\n or a lone \r. Counted only when something is wrong.
std::int64_t line_number(const char* begin, const char* at) {
  std::int64_t line = 1;
  for (const char* p = begin; p < at; ++p)
    if (*p == '\n' || (*p == '\r' && (p + 1 == at || p[1] != '\n'))) ++line;
  return line;
}

std::string system_message(int error) { return std::generic_category().message(error); }

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

void Source::fail_at_line(const char* at, const std::string& what, ErrorCode code) const {
  throw Error(code, what, {.file = name, .line = line_number(begin(), std::min(at, end()))});
}

void Source::fail_at_byte(const char* at, const std::string& what, ErrorCode code) const {
  throw Error(code, what, {.file = name, .byte = at - begin()});
}

void Source::fail(const std::string& what, ErrorCode code) const { throw Error(code, what, {.file = name}); }

FileBytes::FileBytes(const std::filesystem::path& file) {
  const auto fail = [&file](const std::string& why) {
    throw Error(ErrorCode::file_access, "cannot read the file: " + why, {.file = file.string()});
  };
  // Without O_NONBLOCK, opening a named pipe would wait for a writer before we can refuse it.
  const Descriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (fd.get() < 0) fail(system_message(errno));
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) fail(system_message(errno));
  if (!S_ISREG(status.st_mode)) fail(S_ISDIR(status.st_mode) ? "it is a folder" : "it is not a regular file");
  const auto expected = static_cast<std::size_t>(status.st_size);
  data_ = std::make_unique_for_overwrite<char[]>(expected);
  while (size_ < expected) {
    const ssize_t got = ::read(fd.get(), data_.get() + size_, expected - size_);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(system_message(errno));
    if (got == 0) break;  // truncated while we read: the reader will notice if it matters
    size_ += static_cast<std::size_t>(got);
  }
}

}  // namespace tumble::io
