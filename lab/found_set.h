// SPDX-License-Identifier: Apache-2.0
// FoundSet: what was found, whatever its order, as a number and a hash, so that two libraries can be compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace tumble::lab {

struct FoundSet {
  std::size_t count = 0;
  std::uint64_t hash = 0;

  /// One of what was found: the numbers that name it.
  void add(std::initializer_list<std::uint32_t> names) {
    std::uint64_t one = 0;
    for (const std::uint32_t name : names) one = mixed(one + name + 1);
    hash += one;
    ++count;
  }
  /// What was found in a later step.
  void append(const FoundSet& next) {
    count += next.count;
    hash = mixed(hash) + next.hash;
  }
  friend bool operator==(const FoundSet&, const FoundSet&) = default;

 private:
  static std::uint64_t mixed(std::uint64_t z) {  // that of splitmix64
    z *= 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
};

}  // namespace tumble::lab
