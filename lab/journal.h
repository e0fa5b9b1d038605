// SPDX-License-Identifier: Apache-2.0
// Journal: finished rows on the disk, so that an interrupted run continues where it stopped.
#pragma once

#include "lab/table.h"

#include <filesystem>
#include <map>
#include <string>

namespace tumble::lab {

/// A file with one line of JSON per row, only ever appended to: a row is in it whole or, if the program was ended in
/// the middle of one, as a last line that is dropped on opening. A damaged line elsewhere costs its own row.
class Journal {
 public:
  /// Makes the file and its folder if there are none. Throws Error(file_access).
  explicit Journal(const std::filesystem::path& file);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// The row last recorded under this key, or null.
  const Row* find(const Json& key) const;
  /// Handed to the system before it returns; what was recorded under this key counts no more.
  void record(const Json& key, const Row& row);
  std::size_t size() const { return rows_.size(); }

 private:
  [[noreturn]] void fail(int error) const;
  void append(std::string_view line);

  std::filesystem::path file_;
  int fd_ = -1;
  std::map<std::string, Row> rows_;
};

}  // namespace tumble::lab
