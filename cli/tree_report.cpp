// SPDX-License-Identifier: Apache-2.0
// Statistics of trees, printed and as JSON.
#include "cli/tree_report.h"

#include "cli/text.h"
#include "cli/tree_options.h"
#include "tree/model_data.h"

#include <fmt/format.h>

namespace tumble::cli {
namespace {

double bytes_per_triangle(const TreeStatistics& tree) {
  return static_cast<double>(tree.model_bytes) / static_cast<double>(tree.triangles);
}

}  // namespace

std::string tree_in_words(const NamedModel& model) {
  const Tree& tree = data_of(model.model).tree;
  const std::string volumes = tree.bound == Bound::obb ? "oriented boxes" : fmt::format("{}-DOPs", tree.k);
  const std::string origin = model.building ? "built in " + milliseconds(model.building->milliseconds) : "stored";
  return fmt::format("{}, up to {} children, {}", volumes, tree.arity, origin);
}

Json tree_kind_json(const Model& model) {
  const Tree& tree = data_of(model).tree;
  return {{"bound", name(tree.bound)},
          {"k", tree.bound == Bound::dop ? Json(tree.k) : Json()},
          {"arity", tree.arity},
          {"nodes", tree.node_count},
          {"leaves", tree.leaf_count()}};
}

void print_tree(const NamedModel& model) {
  const TreeStatistics tree = statistics(model.model);
  print_row("tree", tree_in_words(model));
  print_row("nodes", fmt::format("{}, {:.1f} children each", tree.nodes, tree.lanes_per_node));
  print_row("leaves", fmt::format("{}, {:.1f} triangles each", tree.leaves, tree.triangles_per_leaf));
  print_row("bytes",
            fmt::format("{}, {:.0f} per triangle, the mesh included", tree.model_bytes, bytes_per_triangle(tree)));
  print_row("depth", fmt::format("{:>10}  {:>12}  {}", "leaves", "volume", "of the whole"));
  for (std::size_t depth = 0; depth < tree.leaves_at_depth.size(); ++depth)
    print_row(fmt::format("{:>5}", depth),
              fmt::format("{:>10}  {:>12}  {}", tree.leaves_at_depth[depth], number(tree.volume_at_depth[depth]),
                          percent(tree.volume_at_depth[depth] / tree.volume_at_depth[0])));
}

Json tree_json(const NamedModel& model) {
  const TreeStatistics tree = statistics(model.model);
  return {{"bound", name(tree.bound)},
          {"k", tree.bound == Bound::dop ? Json(tree.k) : Json()},
          {"arity", tree.arity},
          {"nodes", tree.nodes},
          {"leaves", tree.leaves},
          {"children_per_node", tree.lanes_per_node},
          {"triangles_per_leaf", tree.triangles_per_leaf},
          {"tree_bytes", tree.tree_bytes},
          {"model_bytes", tree.model_bytes},
          {"bytes_per_triangle", bytes_per_triangle(tree)},
          {"leaves_at_depth", tree.leaves_at_depth},
          {"volume_at_depth", tree.volume_at_depth},
          {"build_ms", model.building ? Json(model.building->milliseconds) : Json()},
          {"options", model.building ? to_json(model.building->options) : Json()}};
}

}  // namespace tumble::cli
