// SPDX-License-Identifier: Apache-2.0
// Converts words of the command line to presets and PairOptions and back.
#include "cli/pair_options.h"

#include "cli/choices.h"
#include "cli/tree_options.h"

#include <tumble/error.h>

#include <fmt/format.h>

#include <cstdint>
#include <limits>

namespace tumble::cli {
namespace {

constexpr const char* group = pair_group;

}  // namespace

void add_comparison_options(CLI::App& command, ComparisonOptions& options) {
  // Read before the options that may change it, in whatever order they were given.
  std::vector<std::string> names;
  for (const Preset* preset : all_presets()) names.emplace_back(preset->name);
  add_choice(command, group, "--preset", names, "none", "A paper's published configuration", [&options](std::size_t i) {
    const Preset& chosen = *all_presets()[i];
    options = {chosen.environment, chosen.object, chosen.pair};
  });
  add_tree_options(command, options.environment);
  add_choice_of(command, group, "--realign", options.pair.realign, Realign::sat_lite,
                "How the moving tree's DOPs are brought to the standing one's");
  add_choice_of(command, group, "--descend", options.pair.descend, Descend::both, "Which tree is descended");
  add_choice_of(command, group, "--coherent", options.pair.coherent, Coherent::off,
                "Start from where the last query ended");
  add_number(
      command, group, "--hill-climbing-levels", 0, std::numeric_limits<int>::max(),
      [&options](std::int64_t levels) {
        options.pair.paper.hill_climbing_levels = static_cast<int>(levels);
        try {
          check(options.pair);
        } catch (const Error& error) {
          refuse("--hill-climbing-levels", error.message());
        }
      },
      fmt::format("Depths with a hull of their own, for --realign hill_climbing; {} by default",
                  options.pair.paper.hill_climbing_levels));
  add_flag(command, "--memory,!--no-memory", options.pair.paper.remember,
           "Realign each node once per pose, the default, or anew for every test", group);
  add_flag(command, "--all-box-axes", options.pair.paper.all_box_axes,
           "Test two boxes on all 15 axes, not on the 9 that tell most apart", group);
  // Both trees get the same options; only the leaf size, if not given, keeps the preset's difference.
  after_parsing(command, [&options, &command] {
    const int object_leaf_size = options.object.leaf_size;
    options.object = options.environment;
    if (!is_given(command, "--leaf-size")) options.object.leaf_size = object_leaf_size;
  });
}

Json to_json(const PairOptions& options) {
  return {{"realign", name(options.realign)},   {"descend", name(options.descend)},
          {"coherent", name(options.coherent)}, {"hill_climbing_levels", options.paper.hill_climbing_levels},
          {"remember", options.paper.remember}, {"all_box_axes", options.paper.all_box_axes}};
}

}  // namespace tumble::cli
