// SPDX-License-Identifier: Apache-2.0
// LeafRule: when a set of triangles becomes a leaf: if it has at most a fixed number of them, or if the cost model says
// that dividing it does not pay.
#pragma once

#include "build/build_input.h"

#include <array>
#include <cstdint>
#include <span>

namespace tumble {

class LeafRule {
 public:
  explicit LeafRule(const BuildInput& input)
      : input_(input),
        always_(input.options.leaf_size > 0 ? static_cast<std::uint32_t>(input.options.leaf_size) : 1),
        largest_(input.options.leaf_size > 0 ? always_ : most_by_cost) {}

  /// No larger set is a leaf, but for those that no split divides.
  std::uint32_t largest() const { return largest_; }
  /// Whether a set that no split divides is a leaf.
  bool keeps_indivisible() const { return input_.options.paper.indivisible_leaves; }

  /// `triangle_at(i)` names the i-th triangle of the set.
  template <class TriangleAt>
  bool closes(std::uint32_t count, const TriangleAt& triangle_at) const {
    if (count <= always_) return true;
    if (count > largest_) return false;
    std::array<std::uint32_t, most_by_cost> set;
    for (std::uint32_t i = 0; i < count; ++i) set[i] = triangle_at(i);
    return !dividing_pays(std::span(set).first(count));
  }

 private:
  /// The leaf filter tests this many at once; larger leaves were never faster (lab/leaf_sizes.cpp).
  static constexpr std::uint32_t most_by_cost = 4;

  bool dividing_pays(std::span<const std::uint32_t> set) const;

  const BuildInput& input_;
  std::uint32_t always_, largest_;
};

}  // namespace tumble
