// SPDX-License-Identifier: Apache-2.0
// PlainArithmetic: IEEE arithmetic while it lives, whatever mode the program has set its thread to.
#pragma once

namespace tumble {

/// Programs for sound and games set the processor to treat subnormal numbers as zero, or to round differently. Exact
/// arithmetic needs neither: this puts both right and puts back what it found. Costs about a nanosecond where there is
/// nothing to put right. x86 only: elsewhere it does nothing.
class PlainArithmetic {
 public:
#if defined(__SSE2__)
  PlainArithmetic() : found_(__builtin_ia32_stmxcsr()) {
    if ((found_ & unwanted) != 0) [[unlikely]]
      __builtin_ia32_ldmxcsr(found_ & ~unwanted);
  }
  ~PlainArithmetic() {
    if ((found_ & unwanted) != 0) [[unlikely]]
      __builtin_ia32_ldmxcsr(found_);
  }

 private:
  // Bits of MXCSR: flush to zero, rounding (two), denormals are zero.
  static constexpr unsigned unwanted = 1u << 15 | 3u << 13 | 1u << 6;
  unsigned found_;

 public:
#else
  PlainArithmetic() {}   // not defaulted: a variable of this type
  ~PlainArithmetic() {}  // is never unused
#endif
  PlainArithmetic(const PlainArithmetic&) = delete;
  PlainArithmetic& operator=(const PlainArithmetic&) = delete;
};

}  // namespace tumble
