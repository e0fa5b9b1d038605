// SPDX-License-Identifier: Apache-2.0
// Describes a tree, for people and for programs.
#pragma once

#include "cli/json.h"
#include "cli/model_argument.h"

#include <string>

namespace tumble::cli {

/// "oriented boxes, up to 8 children, built in 12 ms".
std::string tree_in_words(const NamedModel& model);
/// The kind of tree, known without visiting its nodes.
Json tree_kind_json(const Model& model);

/// Rows about the tree, and a table with a line for each depth.
void print_tree(const NamedModel& model);
Json tree_json(const NamedModel& model);

}  // namespace tumble::cli
