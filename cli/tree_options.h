// SPDX-License-Identifier: Apache-2.0
// The options of trees, the same on every command that builds them.
#pragma once

#include "cli/json.h"

#include <tumble/tree_options.h>

#include <span>
#include <string>

namespace tumble::cli {

/// Adds them to a command. `options` holds the defaults and receives the given values; it must outlive the parsing.
void add_tree_options(CLI::App& command, TreeOptions& options);

/// Whether any of them was given.
bool tree_options_given(const CLI::App& command);

/// Throws Error if one of `files` is stored with its tree and options were given that ask for another tree.
void refuse_tree_options_for_stored(const CLI::App& command, std::span<const std::string> files);

/// k is null unless the tree has DOPs.
Json to_json(const TreeOptions& options);

}  // namespace tumble::cli
