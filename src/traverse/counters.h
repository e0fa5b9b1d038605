// SPDX-License-Identifier: Apache-2.0
// Counting a walk's operations, by the code that runs in production: a policy that compiles to nothing when off.
#pragma once

#include <tumble/counters.h>

namespace tumble {

template <bool On>
struct Counting;

template <>
struct Counting<false> {
  explicit Counting(Counters&) {}
  void overlap_tests(int) {}
  void realignments(int) {}
  void triangle_pairs(std::uint32_t) {}
  void opened_node() {}
  void mixed_tests(int) {}
};

template <>
struct Counting<true> {
  explicit Counting(Counters& counters) : counters_(counters) {}
  void overlap_tests(int lanes) { counters_.nv += static_cast<std::uint64_t>(lanes); }
  void realignments(int lanes) { counters_.nu += static_cast<std::uint64_t>(lanes); }
  void triangle_pairs(std::uint32_t pairs) { counters_.np += pairs; }
  void opened_node() { ++counters_.nodes; }
  void mixed_tests(int lanes) { counters_.mixed += static_cast<std::uint64_t>(lanes); }

 private:
  Counters& counters_;
};

}  // namespace tumble
