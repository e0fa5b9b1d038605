// SPDX-License-Identifier: Apache-2.0
// InstructionLimit: kernels of one instruction set for as long as it lives, then those of before again.
#pragma once

#include "simd/dispatch.h"

#include <optional>

namespace tumble::lab {

/// What quick runs are limited to: counters are exact on one instruction set, and every machine has this one. It is
/// scalar, but for builds with sanitizers, which compile fewer sets.
inline InstructionSet quick_instructions() { return available().front(); }

class InstructionLimit {
 public:
  /// None: the best the machine has.
  explicit InstructionLimit(std::optional<InstructionSet> set) : before_(limit()) { apply(set); }
  ~InstructionLimit() { apply(before_); }
  InstructionLimit(const InstructionLimit&) = delete;
  InstructionLimit& operator=(const InstructionLimit&) = delete;

  /// What kernels run on now.
  static InstructionSet in_use() { return limit().value_or(available().back()); }

 private:
  static std::optional<InstructionSet>& limit() {
    static std::optional<InstructionSet> set;
    return set;
  }
  static void apply(std::optional<InstructionSet> set) {
    limit() = set;
    if (set)
      limit_to(*set);
    else
      unlimit();
  }

  std::optional<InstructionSet> before_;
};

}  // namespace tumble::lab
