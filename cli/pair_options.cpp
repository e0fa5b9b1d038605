// SPDX-License-Identifier: Apache-2.0
// Words of the command line to presets and PairOptions and back.
#include "cli/pair_options.h"

#include "cli/choices.h"
#include "cli/tree_options.h"

namespace tumble::cli {
namespace {

constexpr char group[] = "Pair options";

}  // namespace

void add_comparison_options(CLI::App& command, ComparisonOptions& options) {
  // Read before the options that may change it, whatever the order on the command line.
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
  command
      .add_flag_callback(
          "--no-memory", [&options] { options.pair.remember = false; }, "Realign nodes anew for every test")
      ->group(group);
  // What was said of trees holds for the object's as well; only what was not said keeps the preset's difference.
  const CLI::Option* const leaf_size = command.get_option("--leaf-size");
  command.final_callback([&options, leaf_size] {
    const int object_leaf_size = options.object.leaf_size;
    options.object = options.environment;
    if (leaf_size->count() == 0) options.object.leaf_size = object_leaf_size;
  });
}

Json to_json(const ComparisonOptions& options) {
  return {{"environment", to_json(options.environment)}, {"object", to_json(options.object)},
          {"realign", name(options.pair.realign)},       {"descend", name(options.pair.descend)},
          {"coherent", name(options.pair.coherent)},     {"remember", options.pair.remember}};
}

}  // namespace tumble::cli
