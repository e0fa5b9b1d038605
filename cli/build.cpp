// SPDX-License-Identifier: Apache-2.0
// tumble build: stores a mesh and its tree, to open at once later.
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/model_argument.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/text.h"
#include "cli/tree_options.h"
#include "cli/tree_report.h"

#include <tumble/error.h>

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

namespace tumble::cli {
namespace {

struct Options {
  std::string mesh, output;
  TreeOptions tree;
  std::optional<MeshFormat> format;
};

Status run(const Options& options) {
  if (!is_stored_model(options.output))
    throw Error(ErrorCode::invalid_argument, "a stored model must be named .tmbl to be recognised later",
                {.file = options.output});
  const std::string files[] = {options.mesh};
  check_format(options.format, files);
  require_writable(options.output);
  const NamedModel built = build_model(options.mesh, load_triangles(options.mesh, options.format), options.tree);
  {
    const Progress progress("writing " + options.output);
    save(built.model, options.output);
  }
  const TreeStatistics tree = statistics(built.model);
  const std::uintmax_t bytes = std::filesystem::file_size(options.output);
  if (is_quiet()) return Status::nothing_found;
  fmt::print("{}\n", printable(options.output));
  print_row("triangles", fmt::to_string(tree.triangles));
  print_row("tree", tree_in_words(built));
  print_row("nodes", fmt::to_string(tree.nodes));
  print_row("bytes", fmt::format("{}, {:.0f} per triangle", bytes,
                                 static_cast<double>(bytes) / static_cast<double>(tree.triangles)));
  return Status::nothing_found;
}

}  // namespace

Command add_build(CLI::App& tumble) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = add_command(tumble, "build", "Store a mesh with its tree, to be opened at once later");
  add_operand(*app, "MESH", options->mesh, std::string("What to build from: ") + body_help);
  add_word(*app, "-o,--output", options->output, "FILE", "The stored model, a .tmbl file");
  add_format(*app, options->format);
  add_tree_options(*app, options->tree);
  add_footer(
      *app,
      "A stored model takes the place of a mesh on every command. It is checked when it is opened, and used in place:\n"
      "nothing is read twice. Tree options change speed and memory, never answers. Built from a stored model, the "
      "tree\n"
      "is built anew.\n"
      "Exit status: 0, or 2 on an error; then no file is written.\n\n"
      "Examples:\n"
      "  tumble build cabin.glb -o cabin.tmbl\n"
      "  tumble build hand.stl -o hand.tmbl --bound dop --k 26 --split min_sum");
  return {app, [options] { return run(*options); }};
}

}  // namespace tumble::cli
