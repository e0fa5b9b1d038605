// SPDX-License-Identifier: Apache-2.0
// MappedFile: a file's bytes used in place, read-only.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace tumble {

/// Truncating the file while it is mapped kills the process (SIGBUS). Replacing it by renaming another over it, as
/// tumble does when it writes, is safe.
class MappedFile {
 public:
  /// Regular files only. Throws Error(file_access).
  explicit MappedFile(const std::filesystem::path& file);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tumble
