// SPDX-License-Identifier: Apache-2.0
// All tree options as rows of choices, for covering arrays and full products.
#pragma once

#include <tumble/tree_options.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace tumble::testing {

inline constexpr std::array tree_bounds{Bound::dop, Bound::obb};
inline constexpr std::array tree_ks{6, 8, 12, 14, 18, 26, 50, 98};
inline constexpr std::array tree_splits{Split::binned,   Split::min_sum,      Split::min_max,
                                        Split::splatter, Split::longest_side, Split::far_pair};
inline constexpr std::array tree_pivots{Pivot::mean, Pivot::median, Pivot::midpoint, Pivot::best, Pivot::sampled};
inline constexpr std::array tree_axes{Axes::coordinate, Axes::all, Axes::box};
inline constexpr std::array tree_builds{Build::top_down, Build::bottom_up};
inline constexpr std::array tree_fits{ObbFit::smallest, ObbFit::hull_covariance, ObbFit::vertex_covariance,
                                      ObbFit::hull_vertex_covariance, ObbFit::surface_covariance};
inline constexpr std::array tree_leaf_sizes{4, 0, 1, 20};
inline constexpr std::array tree_arities{8, 2, 3, 4};

inline std::vector<std::size_t> tree_choice_sizes() {
  return {tree_bounds.size(),
          tree_ks.size(),
          tree_splits.size(),
          tree_pivots.size(),
          tree_axes.size(),
          tree_builds.size(),
          tree_fits.size(),
          tree_leaf_sizes.size(),
          tree_arities.size(),
          2,
          2};
}

inline TreeOptions tree_options(const std::vector<std::size_t>& row) {
  TreeOptions options;
  options.bound = tree_bounds[row[0]];
  options.k = tree_ks[row[1]];
  options.split = tree_splits[row[2]];
  options.pivot = tree_pivots[row[3]];
  options.axes = tree_axes[row[4]];
  options.build = tree_builds[row[5]];
  options.paper.obb_fit = tree_fits[row[6]];
  options.leaf_size = tree_leaf_sizes[row[7]];
  options.arity = tree_arities[row[8]];
  options.paper.orient = row[9] == 1;
  options.paper.indivisible_leaves = row[10] == 1;
  return options;
}

inline std::string describe(const TreeOptions& o) {
  return std::string(name(o.bound)) + " k " + std::to_string(o.k) + " " + name(o.split) + " " + name(o.pivot) + " " +
         name(o.axes) + " " + name(o.build) + " " + name(o.paper.obb_fit) + " leaf " + std::to_string(o.leaf_size) +
         " arity " + std::to_string(o.arity) + (o.paper.orient ? " oriented" : "") +
         (o.paper.indivisible_leaves ? " indivisible leaves" : "");
}

}  // namespace tumble::testing
