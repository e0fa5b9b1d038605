// SPDX-License-Identifier: Apache-2.0
// A walk over a k-DOP tree and a copy of it that is moved, not turned: what trees and slabs are good for, without any
// realignment between.
#pragma once

#include "bounds/directions.h"
#include "bounds/lanes.h"
#include "scenes/random.h"
#include "tree/tree.h"

#include <vector>

namespace tumble::lab {

class MovedCopy {
 public:
  /// A volume of the tree: a lane of a node.
  struct Place {
    std::uint32_t node, lane;
  };

  /// Moved at random so that the boxes of the roots overlap.
  MovedCopy(const Tree& tree, scenes::Random& random) : tree_(tree) {
    const LaneSlabs root = lane_slabs(tree.node(0).rows, tree.k, 0);
    Vec3 size;
    for (std::size_t axis = 0; axis < 3; ++axis)
      size[static_cast<int>(axis)] = double{root.upper[axis]} - root.lower[axis];
    const Vec3 by = random.in_box(size * -1, size);
    for (const Vec3& n : directions(tree.k)) offset_.push_back(dot(n, by));
  }

  bool separates(std::size_t slab, Place here, Place moved) const {
    const float *const a = tree_.node(here.node).rows + here.lane, *const b = tree_.node(moved.node).rows + moved.lane;
    const auto lower = DopRows::lower(slab), upper = DopRows::upper(slab);
    return double{a[lower]} > b[upper] + offset_[slab] || double{a[upper]} < b[lower] + offset_[slab];
  }

  /// From the two roots both sides of a pair are opened, until both are leaves, where are_apart(here, moved) is false.
  template <class AreApart>
  void walk(const AreApart& are_apart) const {
    struct PairOfPlaces {
      Place here, moved;
    };
    std::vector<PairOfPlaces> pending{{{0, 0}, {0, 0}}};
    while (!pending.empty()) {
      const auto [here, moved] = pending.back();
      pending.pop_back();
      if (are_apart(here, moved) || (child(here).is_leaf() && child(moved).is_leaf())) continue;
      for (const Place a : below(here))
        for (const Place b : below(moved)) pending.push_back({a, b});
    }
  }

 private:
  Child child(Place place) const { return tree_.node(place.node).children[place.lane]; }

  /// The volumes inside, or the same one if it is a leaf's.
  std::vector<Place> below(Place place) const {
    const Child node = child(place);
    if (node.is_leaf()) return {place};
    std::vector<Place> places;
    const auto used = static_cast<std::uint32_t>(tree_.node(node.index()).used_lanes());
    for (std::uint32_t lane = 0; lane < used; ++lane) places.push_back({node.index(), lane});
    return places;
  }

  const Tree& tree_;
  std::vector<double> offset_;  // how far each slab of the copy has moved
};

}  // namespace tumble::lab
