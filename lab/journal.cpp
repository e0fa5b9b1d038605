// SPDX-License-Identifier: Apache-2.0
// Appending and reading back. POSIX files, since a row must have left the program when record() returns.
#include "lab/journal.h"

#include <tumble/error.h>

#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace tumble::lab {
namespace {

/// FNV-1a over the row's text, which is the same after reading it back.
std::string sum(const Row& row) {
  std::uint64_t value = 0xcbf29ce484222325u;
  for (const char c : row.dump()) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("{:016x}", value);
}

}  // namespace

Journal::Journal(const std::filesystem::path& file) : file_(file) {
  std::error_code error;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
  if (error) fail(error.value());
  fd_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd_ < 0) fail(errno);
  std::ifstream in(file, std::ios::binary);
  std::string line;
  bool whole = true;
  for (std::int64_t number = 1; std::getline(in, line); ++number) {
    whole = !in.eof();
    const Json entry = Json::parse(line, nullptr, false);  // no beginning of an object's text is an object
    if (!entry.is_object() || !entry.contains("key") || !entry.contains("row") || !entry["row"].is_object()) continue;
    const std::string key = entry["key"].dump();
    if (entry.contains("sum") && entry["sum"] == sum(entry["row"]))
      rows_[key] = entry["row"], changed_.erase(key);
    else
      changed_[key] = number;
  }
  if (!whole) append("\n");  // what follows begins a line of its own
}

Journal::~Journal() { ::close(fd_); }

const Row* Journal::find(const Json& key) const {
  const std::string text = key.dump();
  if (const auto changed = changed_.find(text); changed != changed_.end())
    throw Error(ErrorCode::file_format,
                "this row is not what was written; delete the line, or the file, and it is measured again",
                {.file = file_.string(), .line = changed->second});
  const auto found = rows_.find(text);
  return found == rows_.end() ? nullptr : &found->second;
}

void Journal::record(const Json& key, const Row& row) {
  append(Json{{"key", key}, {"row", row}, {"sum", sum(row)}}.dump() + "\n");
  rows_[key.dump()] = row;
  changed_.erase(key.dump());
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
