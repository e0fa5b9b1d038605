// SPDX-License-Identifier: Apache-2.0
// AllowList: the contacts that are intended, by patterns for names.
#pragma once

#include <tumble/parts.h>

#include <cstddef>
#include <string>
#include <vector>

namespace tumble::cli {

/// A text of PatternLines with one entry per line: a pattern for names, which allows all contacts of such parts, or
/// two, which allow those of one with the other. Patterns are those of fits().
class AllowList {
 public:
  AllowList() = default;  // allows nothing
  /// Throws Error with the line for what is malformed and for an entry that fits no pair of parts.
  AllowList(const std::string& file, const Parts& parts);

  bool allows(std::size_t a, std::size_t b) const;

 private:
  struct Entry {
    std::vector<bool> one, other;  // which parts fit; `other` is empty: any
  };
  std::vector<Entry> entries_;
};

}  // namespace tumble::cli
