// SPDX-License-Identifier: Apache-2.0
// --all and --limit: how much of a list is shown. People get its beginning, programs all of it, unless asked otherwise.
#pragma once

#include "cli/choices.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

namespace tumble::cli {

struct Listing {
  static constexpr std::size_t in_text_by_default = 10;
  bool all = false;
  std::optional<std::size_t> limit;

  std::size_t in_text(std::size_t found) const {
    return all ? found : std::min(found, limit.value_or(in_text_by_default));
  }
  std::size_t in_json(std::size_t found) const { return std::min(found, limit.value_or(found)); }
};

/// Adds --all.
inline void add_all(CLI::App& command, Listing& listing, const std::string& noun) {
  add_flag(command, "--all", listing.all,
           "Print every " + noun + ", not only the first " + std::to_string(Listing::in_text_by_default));
}

/// Adds --limit.
inline void add_limit(CLI::App& command, Listing& listing, const std::string& noun) {
  add_number(
      command, "Options", "--limit", 0, 1'000'000'000'000,
      [&listing](std::int64_t most) { listing.limit = static_cast<std::size_t>(most); },
      "List no more than N " + noun + "s, in JSON, too");
  exclude(command, "--limit", "--all");
}

}  // namespace tumble::cli
