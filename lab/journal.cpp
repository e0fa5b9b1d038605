// SPDX-License-Identifier: Apache-2.0
// Appending and reading back. POSIX files, since a row must have left the program when record() returns.
#include "lab/journal.h"

#include <tumble/error.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace tumble::lab {

Journal::Journal(const std::filesystem::path& file) : file_(file) {
  std::error_code error;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
  if (error) fail(error.value());
  fd_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd_ < 0) fail(errno);
  std::ifstream in(file, std::ios::binary);
  std::string line;
  bool whole = true;
  while (std::getline(in, line)) {
    whole = !in.eof();
    const Json entry = Json::parse(line, nullptr, false);  // no beginning of an object's text is an object
    if (entry.is_object() && entry.contains("key") && entry.contains("row") && entry["row"].is_object())
      rows_[entry["key"].dump()] = entry["row"];
  }
  if (!whole) append("\n");  // what follows begins a line of its own
}

Journal::~Journal() { ::close(fd_); }

const Row* Journal::find(const Json& key) const {
  const auto found = rows_.find(key.dump());
  return found == rows_.end() ? nullptr : &found->second;
}

void Journal::record(const Json& key, const Row& row) {
  append(Json{{"key", key}, {"row", row}}.dump() + "\n");
  rows_[key.dump()] = row;
}

void Journal::append(std::string_view line) {
  while (!line.empty()) {
    const ssize_t written = ::write(fd_, line.data(), line.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    line.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Journal::fail(int error) const {
  throw Error(ErrorCode::file_access, "cannot keep the journal: " + std::generic_category().message(error),
              {.file = file_.string()});
}

}  // namespace tumble::lab
