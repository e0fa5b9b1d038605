// SPDX-License-Identifier: Apache-2.0
// Converts words of the command line to TreeOptions and back.
#include "cli/tree_options.h"

#include "bounds/directions.h"
#include "cli/choices.h"
#include "cli/model_argument.h"
#include "tree/option_limits.h"

#include <tumble/error.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace tumble::cli {
namespace {

constexpr const char* group = tree_group;

constexpr char threads_option[] = "--threads";
constexpr int most_threads = 4096;

}  // namespace

void add_tree_options(CLI::App& command, TreeOptions& options) {
  // Options are read in this order, in whatever order they were given.
  add_choice_of(command, group, "--bound", options.bound, Bound::obb, "The volumes of the tree; automatic is obb");
  const auto ask_for_dop = [&options](const char* option) {
    if (options.bound == Bound::obb)
      refuse(option, "is for dop trees, and obb was asked for; --bound dop changes that");
    options.bound = Bound::dop;
  };
  add_choice(command, group, "--k", words_of(listed_k), std::to_string(options.k),
             "The planes of each volume; asks for a dop tree", [&options, ask_for_dop](std::size_t chosen) {
               options.k = listed_k[chosen];
               ask_for_dop("--k");
             });
  add_choice_of(command, group, "--split", options.split, Split::far_pair, "How a set of triangles is divided");
  add_choice_of(command, group, "--pivot", options.pivot, Pivot::sampled, "Where; not for binned and far_pair");
  add_choice_of(command, group, "--axes", options.axes, Axes::box, "Along what; not for binned and far_pair");
  add_count(command, group, "--leaf-size", options.leaf_size, largest_leaf_size, "auto",
            "The most triangles in a leaf; auto lets the cost model choose");
  add_choice(command, group, "--arity", words_of(listed_arities), std::to_string(options.arity),
             "The most children of a node", [&options](std::size_t chosen) { options.arity = listed_arities[chosen]; });
  add_choice_of(command, group, "--build", options.build, Build::bottom_up, "From the whole down or from triangles up");
  add_choice_of(command, group, "--obb-fit", options.paper.obb_fit, ObbFit::surface_covariance,
                "How an oriented box finds its axes");
  add_flag(command, "--indivisible-leaves", options.paper.indivisible_leaves,
           "Make a leaf, of any size, of a set that the split does not divide", group);
  add_flag(
      command, group, "--orient",
      [&options, ask_for_dop] {
        options.paper.orient = true;
        ask_for_dop("--orient");
      },
      "Turn the axes to make volumes tight; asks for a dop tree");
  add_seed(command, options.paper.seed, "Of the random numbers of --pivot sampled", group);
  add_count(command, group, threads_option, options.threads, most_threads, "all",
            "To build with; the tree is the same for any number");
}

bool tree_options_given(const CLI::App& command) { return !given(command, group).empty(); }

void refuse_tree_options_for_stored(const CLI::App& command, std::span<const std::string> files) {
  // The number of threads does not change the tree.
  if (std::ranges::all_of(given(command, group), [](const std::string& name) { return name == threads_option; }))
    return;
  for (const std::string& file : files)
    if (is_stored_model(file))
      throw Error(ErrorCode::invalid_argument,
                  "is stored with its tree; tree options are for meshes ('tumble build' makes another from this file)",
                  {.file = file});
}

Json to_json(const TreeOptions& options) {
  return {{"bound", name(options.bound)},
          {"k", options.bound == Bound::dop ? Json(options.k) : Json()},
          {"split", name(options.split)},
          {"pivot", name(options.pivot)},
          {"axes", name(options.axes)},
          {"leaf_size", options.leaf_size == 0 ? Json() : Json(options.leaf_size)},
          {"arity", options.arity},
          {"build", name(options.build)},
          {"obb_fit", name(options.paper.obb_fit)},
          {"orient", options.paper.orient},
          {"indivisible_leaves", options.paper.indivisible_leaves},
          {"seed", options.paper.seed},
          {"threads", options.threads == 0 ? Json() : Json(options.threads)}};
}

}  // namespace tumble::cli
