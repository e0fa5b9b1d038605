// SPDX-License-Identifier: Apache-2.0
// TestedPairs: which pairs of parts are of interest, and how many of them there are.
#pragma once

#include <tumble/clash.h>

#include <cstddef>
#include <vector>

namespace tumble {

class TestedPairs {
 public:
  /// All pairs but those of one group and those that `parts` or `options` ignore; with `between`, only those that fit
  /// its patterns. Throws Error(invalid_argument) for a pattern of `between` that no part or group fits, and for a part
  /// to ignore that is not there.
  TestedPairs(const Parts& parts, const ClashOptions& options);

  bool has(std::size_t a, std::size_t b) const { return are_tested(kinds_[kind_of_[a]], kinds_[kind_of_[b]]); }
  std::size_t count() const;

 private:
  /// What decides about a part; parts of one kind are alike.
  struct Kind {
    std::size_t group = 0;     // 0: none
    std::vector<bool> fits{};  // by pattern or list: those of `between` first, if there are any, then what is ignored

    friend auto operator<=>(const Kind&, const Kind&) = default;
  };
  bool are_tested(const Kind& a, const Kind& b) const;

  bool has_between_;
  std::vector<Kind> kinds_;
  std::vector<std::size_t> kind_of_, parts_of_kind_;
};

}  // namespace tumble
