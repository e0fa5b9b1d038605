// SPDX-License-Identifier: Apache-2.0
// Source: the bytes a reader works on, and how it reports errors in them.
#pragma once

#include <tumble/error.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace tumble::io {

struct Source {
  std::string name;              // stands for the file in errors
  std::string_view bytes;        // the whole file
  std::filesystem::path folder;  // of the files it may refer to; empty for memory

  const char* begin() const { return bytes.data(); }
  const char* end() const { return bytes.data() + bytes.size(); }

  /// Throws, naming the line of `at` (text) or its offset (binary).
  [[noreturn]] void fail_at_line(const char* at, const std::string& what,
                                 ErrorCode code = ErrorCode::file_format) const;
  [[noreturn]] void fail_at_byte(const char* at, const std::string& what,
                                 ErrorCode code = ErrorCode::file_format) const;
  [[noreturn]] void fail(const std::string& what, ErrorCode code = ErrorCode::file_format) const;
};

/// An open file, read from front to back. It is copied, not mapped: a mapped file that someone else truncates kills
/// the process.
class InFile {
 public:
  enum class Pipes { refused, read };
  /// Regular files and, if so asked, pipes, which can keep one waiting. Throws Error(file_access).
  explicit InFile(const std::filesystem::path& file, Pipes pipes = Pipes::refused);
  ~InFile();
  InFile(const InFile&) = delete;
  InFile& operator=(const InFile&) = delete;

  /// The size when it was opened; 0 of a pipe.
  std::size_t size() const { return size_; }
  /// Reads the next `size` bytes and returns how many there were: fewer only at the end.
  std::size_t read(char* into, std::size_t size);

 private:
  [[noreturn]] void fail(const std::string& why) const;

  const std::filesystem::path& path_;
  int fd_;
  std::size_t size_ = 0;
};

/// From now on, `look` sees the name of every file before an InFile opens it, however it was found, and may throw. For
/// a program, at its start: readers on several threads call it at once.
void before_reading(std::function<void(const std::filesystem::path&)> look);

/// A file's whole contents.
class FileBytes {
 public:
  explicit FileBytes(const std::filesystem::path& file);

  std::string_view bytes() const { return {data_.get(), size_}; }

 private:
  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
};

inline constexpr const char* bad_coordinate = "a coordinate is not finite or above 1e100 in magnitude";

}  // namespace tumble::io
