// SPDX-License-Identifier: Apache-2.0
// For programs that hold many answers against a referee: says what is wrong, with what was asked, and counts it.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

namespace tumble::testing {

inline std::string asked;  // what is being asked, for messages
inline std::size_t wrong = 0;

inline void require(bool holds, const char* what) {
  if (!holds && ++wrong <= 20) std::printf("WRONG: %s: %s\n", asked.c_str(), what);
}

}  // namespace tumble::testing
