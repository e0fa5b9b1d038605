// SPDX-License-Identifier: Apache-2.0
// Maps files on POSIX systems.
#include "core/mapped_file.h"

#include <tumble/error.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

namespace tumble {

MappedFile::MappedFile(const std::filesystem::path& file) {
  const auto fail = [&](const std::string& what) -> void {
    throw Error(ErrorCode::file_access, what, {.file = file.string()});
  };
  // Without O_NONBLOCK opening a named pipe would wait for its writer.
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) fail(std::string("cannot be opened: ") + std::strerror(errno));
  struct Close {
    int descriptor;
    ~Close() { ::close(descriptor); }
  } const close{descriptor};
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) fail(std::string("cannot be read: ") + std::strerror(errno));
  if (!S_ISREG(status.st_mode)) fail("is not a regular file");
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0) return;
  void* const mapped = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE | MAP_POPULATE, descriptor, 0);
  if (mapped == MAP_FAILED) fail(std::string("cannot be mapped: ") + std::strerror(errno));
  data_ = static_cast<const std::byte*>(mapped);
}

MappedFile::~MappedFile() {
  if (data_) ::munmap(const_cast<std::byte*>(data_), size_);
}

}  // namespace tumble
