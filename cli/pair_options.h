// SPDX-License-Identifier: Apache-2.0
// The options of commands that compare two trees: presets, both trees' options and the pair's.
#pragma once

#include "cli/json.h"

#include <tumble/presets.h>

namespace tumble::cli {

/// The help text about stored models.
inline constexpr char stored_help[] =
    "A stored model keeps its tree: tree options are refused, and of a preset only the pair's options apply to it.";

/// How two trees are built and compared.
struct ComparisonOptions {
  TreeOptions environment, object;
  PairOptions pair;
};

/// Adds --preset, the tree options and the pair's. Options given beside a preset change it, for both trees alike.
/// `options` receives them and must outlive the parsing.
void add_comparison_options(CLI::App& command, ComparisonOptions& options);

Json to_json(const PairOptions& options);

}  // namespace tumble::cli
