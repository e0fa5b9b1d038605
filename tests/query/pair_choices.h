// SPDX-License-Identifier: Apache-2.0
// Options of two trees and of their pair as rows of choices, for covering arrays and full products.
#pragma once

#include "tree/tree_choices.h"

#include <tumble/pair_options.h>

#include <array>
#include <string>
#include <vector>

namespace tumble::testing {

inline constexpr std::array pair_realigns{Realign::affine,        Realign::affine_min, Realign::brep_vertices,
                                          Realign::hill_climbing, Realign::occupancy,  Realign::sat_lite};
inline constexpr std::array pair_descends{Descend::larger_first, Descend::environment_first, Descend::restart,
                                          Descend::both};
inline constexpr std::array pair_coherents{Coherent::off, Coherent::on, Coherent::automatic};

struct PairChoice {
  TreeOptions environment, object;
  PairOptions pair;
};

inline std::vector<std::size_t> pair_choice_sizes() {
  return {tree_bounds.size(),
          tree_bounds.size(),
          tree_ks.size(),
          tree_ks.size(),
          tree_splits.size(),
          tree_leaf_sizes.size(),
          tree_leaf_sizes.size(),
          tree_arities.size(),
          tree_arities.size(),
          pair_realigns.size(),
          pair_descends.size(),
          pair_coherents.size(),
          2,
          2,
          2};
}

inline PairChoice pair_choice(const std::vector<std::size_t>& row) {
  PairChoice c;
  c.environment.bound = tree_bounds[row[0]];
  c.object.bound = tree_bounds[row[1]];
  c.environment.k = tree_ks[row[2]];
  c.object.k = tree_ks[row[3]];
  c.environment.split = c.object.split = tree_splits[row[4]];
  c.environment.leaf_size = tree_leaf_sizes[row[5]];
  c.object.leaf_size = tree_leaf_sizes[row[6]];
  c.environment.arity = tree_arities[row[7]];
  c.object.arity = tree_arities[row[8]];
  c.pair.realign = pair_realigns[row[9]];
  c.pair.descend = pair_descends[row[10]];
  c.pair.coherent = pair_coherents[row[11]];
  c.pair.paper.remember = row[12] == 0;
  c.object.paper.orient = row[13] == 1;
  c.pair.paper.hill_climbing_levels = row[13] == 1 ? 3 : 1;
  c.pair.paper.all_box_axes = row[14] == 1;
  c.environment.paper.indivisible_leaves = c.object.paper.indivisible_leaves = row[14] == 1;
  return c;
}

inline std::string describe(const PairChoice& c) {
  return "environment: " + describe(c.environment) + "; object: " + describe(c.object) + "; " + name(c.pair.realign) +
         " " + name(c.pair.descend) + " coherent " + name(c.pair.coherent) +
         (c.pair.paper.remember ? "" : " without memory") + (c.pair.paper.all_box_axes ? " all box axes" : "");
}

}  // namespace tumble::testing
