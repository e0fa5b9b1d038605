// SPDX-License-Identifier: Apache-2.0
// Reads a number on a command line or in a file of poses, independent of the locale.
#pragma once

#include <fast_float/fast_float.h>

#include <optional>
#include <string_view>

namespace tumble::io {

/// The nearest double: infinity if the number is too large for one, 0 if it is too small. None if it is not a number.
inline std::optional<double> parse_number(std::string_view word) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  double value = 0;
  const auto [stop, error] = fast_float::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc::invalid_argument || stop != word.data() + word.size()) return {};
  return value;
}

}  // namespace tumble::io
