// SPDX-License-Identifier: Apache-2.0
// A look at the hulls of two models (Lin 1996, section 4.1): it may tell that the models are apart, or name two of
// their triangles that are in contact. What it says is certain; often it says nothing.
#pragma once

#include "traverse/placed_pair.h"

#include <array>
#include <cstdint>
#include <optional>

namespace tumble {

/// What two hulls keep from one look to the next. It changes speed alone.
struct HullMemory {
  enum class Last : std::uint8_t { nothing, apart, overlap };

  Vec3 direction{};                             // that separated them last
  std::uint32_t a = 0, b = 0;                   // the vertices found last
  std::array<std::uint32_t, 4> of_a{}, of_b{};  // of Last::overlap: vertices whose differences held the origin
  Last last = Last::nothing;
};

struct SeenByHulls {
  bool are_apart = false;                 // a plane separates all world coordinates of the two, roundings included
  std::optional<TrianglePair> contact{};  // in contact, decided exactly; of hulls that have just met
};

/// Which contacts are looked for where hulls meet.
enum class RedContacts : std::uint8_t { none, all, no_touches };

/// None if one of the models has no hull.
std::optional<SeenByHulls> look_at_hulls(const Body& a, const Body& b, HullMemory& memory, RedContacts contacts);

}  // namespace tumble
