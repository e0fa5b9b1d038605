// SPDX-License-Identifier: Apache-2.0
// Formats the message of an Error with the place of the bad data.
#include <tumble/error.h>

namespace tumble {
namespace {

std::string one_line(const Place& place, const std::string& message) {
  std::string text;
  const auto add = [&text](const char* name, std::int64_t value) {
    if (value == Place::unset) return;
    if (!text.empty()) text += ", ";
    text += name + std::to_string(value);
  };
  text = place.file;
  add("line ", place.line);
  add("byte ", place.byte);
  add("triangle ", place.triangle);
  add("vertex ", place.vertex);
  return text.empty() ? message : text + ": " + message;
}

}  // namespace

Error::Error(ErrorCode code, const std::string& message, Place place)
    : std::runtime_error(one_line(place, message)), code_(code), place_(std::move(place)), message_(message) {}

}  // namespace tumble
