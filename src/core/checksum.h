// SPDX-License-Identifier: Apache-2.0
// Checksum: a fast 64-bit mix that detects accidental damage. It is no defence against forgery: contents are checked,
// too.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace tumble {

/// Four independent streams of eight bytes each keep a core busy.
class Checksum {
 public:
  /// All calls except the last must pass a multiple of 32 bytes.
  void add(std::span<const std::byte> bytes) {
    std::size_t i = 0;
    for (; i + 32 <= bytes.size(); i += 32)
      for (std::size_t lane = 0; lane < 4; ++lane) mix(lane, bytes.data() + i + 8 * lane, 8);
    for (; i < bytes.size(); i += 8) mix(i / 8 % 4, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
  }
  std::uint64_t value() const {
    std::uint64_t all = 0;
    for (const std::uint64_t lane : lanes_) all = (std::rotl(all, 23) ^ lane) * prime;
    return all ^ (all >> 32);
  }

 private:
  static constexpr std::uint64_t prime = 0x9e3779b185ebca87u;

  void mix(std::size_t lane, const std::byte* from, std::size_t size) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, size);
    lanes_[lane] = std::rotl((lanes_[lane] ^ word) * prime, 29);
  }

  std::array<std::uint64_t, 4> lanes_{1, 2, 3, 4};
};

}  // namespace tumble
