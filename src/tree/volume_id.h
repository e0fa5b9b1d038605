// SPDX-License-Identifier: Apache-2.0
// VolumeId: names one bounding volume of a tree: a lane of a node.
#pragma once

#include <cstdint>

namespace tumble {

struct VolumeId {
  static constexpr std::uint32_t lanes = 8;  // of a node

  std::uint32_t bits = 0;

  static constexpr VolumeId of(std::uint32_t node, std::uint32_t lane) { return {lanes * node + lane}; }
  /// The whole object: the one lane of the first node.
  static constexpr VolumeId root() { return {}; }

  constexpr std::uint32_t node() const { return bits / lanes; }
  constexpr std::uint32_t lane() const { return bits % lanes; }

  friend constexpr bool operator==(VolumeId, VolumeId) = default;
};

}  // namespace tumble
