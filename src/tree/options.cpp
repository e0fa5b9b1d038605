// SPDX-License-Identifier: Apache-2.0
// Which tree options are allowed, and their printed names.
#include "bounds/directions.h"
#include "tree/option_limits.h"

#include <tumble/error.h>
#include <tumble/tree_options.h>

#include <algorithm>
#include <span>
#include <string>

namespace tumble {
namespace {

[[noreturn]] void refuse(const char* option, std::int64_t value, const std::string& allowed) {
  throw Error(ErrorCode::invalid_argument,
              std::string("tree option ") + option + " is " + std::to_string(value) + "; allowed is " + allowed);
}

/// "2, 3 or 4".
std::string one_of(std::span<const int> numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text += (i == 0 ? "" : i + 1 == numbers.size() ? " or " : ", ") + std::to_string(numbers[i]);
  return text;
}

}  // namespace

void check(const TreeOptions& options) {
  if (options.bound > Bound::obb) refuse("bound", static_cast<int>(options.bound), "automatic, dop or obb");
  if (!is_listed(options.k)) refuse("k", options.k, one_of(listed_k));
  if (options.split > Split::far_pair)
    refuse("split", static_cast<int>(options.split), "binned, min_sum, min_max, splatter, longest_side or far_pair");
  if (options.pivot > Pivot::sampled)
    refuse("pivot", static_cast<int>(options.pivot), "mean, median, midpoint, best or sampled");
  if (options.axes > Axes::box) refuse("axes", static_cast<int>(options.axes), "coordinate, all or box");
  if (options.build > Build::bottom_up) refuse("build", static_cast<int>(options.build), "top_down or bottom_up");
  if (options.paper.obb_fit > ObbFit::surface_covariance)
    refuse("obb_fit", static_cast<int>(options.paper.obb_fit),
           "smallest, vertex_covariance, hull_vertex_covariance, hull_covariance or surface_covariance");
  if (options.leaf_size < 0 || options.leaf_size > largest_leaf_size)
    refuse("leaf_size", options.leaf_size, "0 (automatic) to " + std::to_string(largest_leaf_size));
  if (std::ranges::find(listed_arities, options.arity) == listed_arities.end())
    refuse("arity", options.arity, one_of(listed_arities));
  if (options.threads < 0) refuse("threads", options.threads, "0 (all cores) or more");
}

const char* name(Bound bound) {
  constexpr const char* names[] = {"automatic", "dop", "obb"};
  return names[static_cast<std::size_t>(bound)];
}
const char* name(Split split) {
  constexpr const char* names[] = {"binned", "min_sum", "min_max", "splatter", "longest_side", "far_pair"};
  return names[static_cast<std::size_t>(split)];
}
const char* name(Pivot pivot) {
  constexpr const char* names[] = {"mean", "median", "midpoint", "best", "sampled"};
  return names[static_cast<std::size_t>(pivot)];
}
const char* name(Axes axes) {
  constexpr const char* names[] = {"coordinate", "all", "box"};
  return names[static_cast<std::size_t>(axes)];
}
const char* name(Build build) {
  constexpr const char* names[] = {"top_down", "bottom_up"};
  return names[static_cast<std::size_t>(build)];
}
const char* name(ObbFit fit) {
  constexpr const char* names[] = {"smallest", "vertex_covariance", "hull_vertex_covariance", "hull_covariance",
                                   "surface_covariance"};
  return names[static_cast<std::size_t>(fit)];
}

}  // namespace tumble
