// SPDX-License-Identifier: Apache-2.0
// Journal: finished rows on the disk, so that an interrupted run continues where it stopped.
#pragma once

#include "lab/table.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace tumble::lab {

/// A file with one line of JSON per row, only ever appended to: a row is in it whole or, if the program was ended in
/// the middle of one, as a last line that is dropped on opening. A line elsewhere that is no row costs itself only.
/// Each line has a sum over its row, so that no row counts that was changed by other hands.
class Journal {
 public:
  /// Makes the file and its folder if there are none. Throws Error(file_access).
  explicit Journal(const std::filesystem::path& file);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// The row last recorded under this key, or null. Throws Error(file_format) with the line if that is not what was
  /// written.
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
  std::map<std::string, std::int64_t> changed_;  // keys whose row is not what was written, with the line
};

}  // namespace tumble::lab
