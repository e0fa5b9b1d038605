// SPDX-License-Identifier: Apache-2.0
// OutFile: a file that appears whole under its name, or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tumble {

/// Collects bytes in a temporary file in the same folder; commit() renames it. Without commit() (an exception, a full
/// disk) the temporary is removed, and an earlier file of that name stays as it was. A replaced file keeps its
/// permissions, a link keeps its target, also one to a file that is not there yet. Devices and pipes cannot be
/// replaced, so they are written to directly.
class OutFile {
 public:
  /// Throws Error if the file cannot be written, before any work is done for it.
  explicit OutFile(const std::filesystem::path& file);
  ~OutFile();
  OutFile(const OutFile&) = delete;
  OutFile& operator=(const OutFile&) = delete;

  void write(std::string_view bytes);

  template <class T>
  void write_value(const T& value) {
    write({reinterpret_cast<const char*>(&value), sizeof(T)});
  }

  /// All bytes are on the disk after it, and no other call may fail for want of room. Of a file, nothing is to be seen
  /// yet; a device or a pipe has them.
  void complete();
  /// Completes it if need be, and puts it in its place.
  void commit();

 private:
  OutFile() = default;
  void open_beside(std::filesystem::file_status status);
  void flush();
  [[noreturn]] void fail(int error) const;

  std::filesystem::path name_;    // as given
  std::filesystem::path target_;  // where it will be
  std::string temporary_;         // beside it; empty for devices and pipes
  int fd_ = -1;
  std::string buffer_;
};

/// Where opening `file` to write would make a file: behind links, also those that lead to nothing yet. Still a link if
/// they go round in a circle.
std::filesystem::path behind_links(std::filesystem::path file);

/// Removes the temporaries of the files being written. Only for a signal handler that ends the program (it makes only
/// calls that POSIX.1-2017, 2.4.3 allows there).
void remove_unfinished_files();

}  // namespace tumble
