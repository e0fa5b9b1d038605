// SPDX-License-Identifier: Apache-2.0
// OutFile: a file that appears whole under its name, or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tumble {

/// Collects bytes in a temporary file of the same folder; commit() gives it the name. Without it (an exception, a
/// full disk) the temporary is removed and what had the name before stays as it was.
class OutFile {
 public:
  explicit OutFile(const std::filesystem::path& file);
  ~OutFile();
  OutFile(const OutFile&) = delete;
  OutFile& operator=(const OutFile&) = delete;

  void write(std::string_view bytes);

  template <class T>
  void write_value(const T& value) {
    write({reinterpret_cast<const char*>(&value), sizeof(T)});
  }

  void commit();

 private:
  void flush();
  [[noreturn]] void fail(int error) const;

  std::filesystem::path file_, temporary_;
  int fd_ = -1;
  std::string buffer_;
};

}  // namespace tumble
