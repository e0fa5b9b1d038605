// SPDX-License-Identifier: Apache-2.0
// The one exception type of tumble: bad data entering the library. It is not for our own bugs (see core/assert.h).
#pragma once

#include <tumble/cxx20.h>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tumble {

enum class ErrorCode {
  invalid_argument,  // an option or argument outside its documented range
  invalid_mesh,      // NaN, infinity, a magnitude above 1e100 or an index out of range
  invalid_pose,      // not rigid, or not finite
  not_closed,        // a solid was asked of a mesh with open edges
  file_access,       // cannot be opened, read or written
  file_format,       // not the format it claims to be, truncated or malformed
  unsupported,       // a valid file that uses a feature tumble does not read
};

/// Where the bad data is; unset members are left out of the message.
struct Place {
  static constexpr std::int64_t unset = -1;

  std::string file;
  std::int64_t line = unset;      // 1-based, text formats
  std::int64_t byte = unset;      // offset from the start, binary formats
  std::int64_t triangle = unset;  // 0-based
  std::int64_t vertex = unset;    // 0-based
};

/// `what()` is one line: the place, then what is wrong and what to do about it.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message, Place place = {});

  ErrorCode code() const noexcept { return code_; }
  const Place& place() const noexcept { return place_; }
  /// The message without the place.
  const std::string& message() const noexcept { return message_; }

 private:
  ErrorCode code_;
  Place place_;
  std::string message_;
};

}  // namespace tumble
