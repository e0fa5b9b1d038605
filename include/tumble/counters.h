// SPDX-License-Identifier: Apache-2.0
// Counters: what queries did, counted by the code that runs in production.
#pragma once

#include <tumble/cxx20.h>

#include <cstdint>

namespace tumble {

/// The operations of queries, in the papers' words.
struct Counters {
  std::uint64_t nv = 0;        // overlap tests of bounding volumes
  std::uint64_t nu = 0;        // realignments of bounding volumes
  std::uint64_t np = 0;        // triangle pairs tested
  std::uint64_t nodes = 0;     // nodes opened
  std::uint64_t mixed = 0;     // overlap tests of a leaf's volume with an inner one
  std::uint64_t contacts = 0;  // pairs found

  friend bool operator==(const Counters&, const Counters&) = default;
};

}  // namespace tumble
