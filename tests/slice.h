// SPDX-License-Identifier: Apache-2.0
// How much of a long test is run: all of it, or under sanitizers, which take six times as long, the share that
// tests/CMakeLists.txt says.
#pragma once

#include <algorithm>

#ifndef TUMBLE_TEST_SHARE
#define TUMBLE_TEST_SHARE 1
#endif

namespace tumble::testing {

/// So many of `all` rounds, at least one.
template <class Integer>
constexpr Integer slice(Integer all) {
  return std::max(Integer{1}, static_cast<Integer>(all / TUMBLE_TEST_SHARE));
}

}  // namespace tumble::testing
