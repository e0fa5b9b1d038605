// SPDX-License-Identifier: Apache-2.0
// Reads files into memory and names places in them.
#include "io/source.h"

#include "core/huge_pages.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace tumble::io {
namespace {

// Lines end with \n, \r\n or a lone \r. Counted only when something is wrong.
std::int64_t line_number(const char* begin, const char* at) {
  std::int64_t line = 1;
  for (const char* p = begin; p < at; ++p)
    if (*p == '\n' || (*p == '\r' && (p + 1 == at || p[1] != '\n'))) ++line;
  return line;
}

bool is_pipe(const std::filesystem::path& file) {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
}

std::function<void(const std::filesystem::path&)> look_before_reading;  // set while no file is read

int open_to_read(const std::filesystem::path& file, int flags) {
  if (look_before_reading) look_before_reading(file);
  return ::open(file.c_str(), flags);
}

std::string system_message(int error) { return std::generic_category().message(error); }

}  // namespace

void Source::fail_at_line(const char* at, const std::string& what, ErrorCode code) const {
  throw Error(code, what, {.file = name, .line = line_number(begin(), std::min(at, end()))});
}

void Source::fail_at_byte(const char* at, const std::string& what, ErrorCode code) const {
  throw Error(code, what, {.file = name, .byte = at - begin()});
}

void Source::fail(const std::string& what, ErrorCode code) const { throw Error(code, what, {.file = name}); }

InFile::InFile(const std::filesystem::path& file, Pipes pipes)
    // Without O_NONBLOCK, opening a named pipe would wait for a writer before we can refuse it; with it, a pipe that
    // has no writer yet would seem to be at its end.
    : path_(file),
      fd_(open_to_read(file, O_RDONLY | O_CLOEXEC | (pipes == Pipes::read && is_pipe(file) ? 0 : O_NONBLOCK))) {
  if (fd_ < 0 && errno == ENOENT && !file.empty())
    throw Error(ErrorCode::file_access, "there is no such file", {.file = file.string()});
  if (fd_ < 0) fail(system_message(errno));
  struct stat status {};
  const int error = ::fstat(fd_, &status) == 0 ? 0 : errno;
  if (error == 0 && S_ISREG(status.st_mode)) {
    size_ = static_cast<std::size_t>(status.st_size);
    return;
  }
  if (error == 0 && pipes == Pipes::read && S_ISFIFO(status.st_mode)) return;
  ::close(fd_);  // the destructor does not run after a constructor that throws
  fail(error != 0 ? system_message(error) : S_ISDIR(status.st_mode) ? "it is a folder" : "it is not a regular file");
}

InFile::~InFile() { ::close(fd_); }

std::size_t InFile::read(char* into, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::read(fd_, into + done, size - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(system_message(errno));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

void InFile::fail(const std::string& why) const {
  if (path_.empty()) throw Error(ErrorCode::file_access, "the name of the file is empty");
  throw Error(ErrorCode::file_access, "cannot read the file: " + why, {.file = path_.string()});
}

void before_reading(std::function<void(const std::filesystem::path&)> look) { look_before_reading = std::move(look); }

FileBytes::FileBytes(const std::filesystem::path& file) {
  InFile in(file);
  data_ = std::make_unique_for_overwrite<char[]>(in.size());
  prefer_huge_pages(data_.get(), in.size());
  size_ = in.read(data_.get(), in.size());  // if it was truncated meanwhile, the reader will notice
}

}  // namespace tumble::io
