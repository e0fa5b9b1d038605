// SPDX-License-Identifier: Apache-2.0
// tumble info: describes a mesh file or a stored model, and its tree.
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/model_argument.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/text.h"
#include "cli/tree_options.h"
#include "cli/tree_report.h"

#include <tumble/error.h>
#include <tumble/io.h>

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tumble::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::optional<std::string> json, exported;
  std::optional<int> level;
  bool tree = false;
  TreeOptions tree_options;
};

struct Facts {
  std::string file;
  Mesh mesh;
  Box box;
  MeshSummary summary;
  std::optional<NamedModel> model;  // if its tree is wanted
};

Facts gather(const std::string& file, const Options& options) {
  Facts facts{file, {}, {}, {}, {}};
  if (is_stored_model(file)) {
    facts.model = load_stored_model(file);
    facts.mesh = mesh_of(facts.model->model);
  } else {
    facts.mesh = load_triangles(file);
    if (options.tree) facts.model = build_model(file, facts.mesh, options.tree_options);
  }
  const Progress progress("looking at " + file);
  facts.box = bounding_box(facts.mesh);
  facts.summary = summarize(facts.mesh);
  return facts;
}

Json to_json(const Facts& facts) {
  const auto& [file, mesh, box, summary, model] = facts;
  Json parts = Json::array();
  for (const Part& part : mesh.parts)
    parts.push_back(
        {{"name", part.name}, {"first_triangle", part.first_triangle}, {"triangle_count", part.triangle_count}});
  Json open = Json::array();
  for (const auto& [from, to] : summary.first_open_edges) open.push_back({json_point(from), json_point(to)});
  return {{"file", file},
          {"triangles", mesh.triangles.size()},
          {"vertices", mesh.vertices.size()},
          {"parts", parts},
          {"box",
           mesh.triangles.empty() ? Json() : Json{{"lower", json_point(box.lower)}, {"upper", json_point(box.upper)}}},
          {"closed", summary.closed},
          {"points", summary.points},
          {"edges", summary.edges},
          {"open_edges", summary.open_edges},
          {"first_open_edges", open},
          {"non_manifold_edges", summary.non_manifold_edges},
          {"degenerate_faces", summary.degenerate_faces},
          {"shells", summary.shells},
          {"tree", model ? tree_json(*model) : Json()}};
}

std::string part_names(const std::vector<Part>& parts) {
  constexpr std::size_t shown = 5;
  std::string names;
  for (std::size_t i = 0; i < std::min(parts.size(), shown); ++i)
    names += (i ? ", " : "") + (parts[i].name.empty() ? "(unnamed)" : printable(parts[i].name));
  if (parts.size() > shown) names += ", …";
  return names;
}

void print(const Facts& facts) {
  const auto& [file, mesh, box, summary, model] = facts;
  const auto row = print_row;
  const auto row_of = [](const char* label, std::size_t value) { print_row(label, fmt::to_string(value)); };
  fmt::print("{}\n", printable(file));
  row_of("triangles", mesh.triangles.size());
  row("vertices", mesh.vertices.size() == summary.points
                      ? fmt::to_string(mesh.vertices.size())
                      : fmt::format("{} at {}", mesh.vertices.size(), count(summary.points, "point")));
  if (!mesh.parts.empty()) row("parts", fmt::format("{}: {}", mesh.parts.size(), part_names(mesh.parts)));
  if (!mesh.triangles.empty()) {
    const Vec3 size = box.upper - box.lower;
    row("size", fmt::format("{} x {} x {}", number(size.x), number(size.y), number(size.z)));
    row("box", fmt::format("{} to {}", point(box.lower), point(box.upper)));
  }
  row("closed", summary.closed ? "yes" : "no");
  row_of("edges", summary.edges);
  row_of("open edges", summary.open_edges);
  for (const auto& [from, to] : summary.first_open_edges) row("", fmt::format("{} to {}", point(from), point(to)));
  if (summary.open_edges > summary.first_open_edges.size()) row("", "…");
  row_of("non-manifold edges", summary.non_manifold_edges);
  row_of("degenerate faces", summary.degenerate_faces);
  row_of("shells", summary.shells);
  if (model) print_tree(*model);
}

/// Checks that the options fit together, before any work is done.
void check(const Options& options, const CLI::App& app) {
  refuse_tree_options_for_stored(app, options.files);
  require_different("--json", options.json, "--export", options.exported);
  if (options.level.has_value() != options.exported.has_value())
    throw Error(ErrorCode::invalid_argument, "--level N and --export FILE go together");
  if (!options.level) return;
  if (options.files.size() != 1)
    throw Error(ErrorCode::invalid_argument, "--export takes the volumes of one mesh, not of several");
  if (*options.level < 0) throw Error(ErrorCode::invalid_argument, "--level counts from 0, the whole object");
  format_of(*options.exported);
  require_writable(*options.exported);
}

Status run(const Options& options) {
  std::optional<Output> json;
  if (options.json) json.emplace(*options.json);
  std::vector<Json> meshes;
  bool first = true, failed = false;
  for (const std::string& file : options.files) {
    try {
      const Facts facts = gather(file, options);
      if (options.level) save_mesh(bounds_at_depth(facts.model->model, *options.level), *options.exported);
      if (json) meshes.push_back(to_json(facts));
      if (options.json == "-") continue;
      if (!first) fmt::print("\n");
      first = false;
      print(facts);
    } catch (const Error& error) {  // the other files are still of interest
      flush_standard_output();
      complain(error.what());
      failed = true;
    }
  }
  if (failed) return Status::failed;
  if (json) {
    JsonDocument document(*json, "info/1");
    document.list("meshes", meshes.size(), [&meshes](std::size_t i) { return meshes[i]; });
    document.finish();
  }
  return Status::nothing_found;
}

}  // namespace

Command add_info(CLI::App& tumble) {
  const auto options = std::make_shared<Options>();
  CLI::App* app =
      add_command(tumble, "info", "Say what is in mesh files: size, closed or not, what is wrong; and their trees");
  add_operands(*app, "MESH", options->files, "...", std::string("Each ") + body_help);
  add_json(*app, options->json);
  add_flag(*app, "--tree", options->tree, "Build the tree and describe it; any tree option asks for it, too");
  add_number(*app, "--level", options->level, "The depth of the tree that --export writes; 0 is the whole object");
  add_word(*app, "--export", options->exported, "FILE",
           "Write the bounding volumes of a level as a mesh: .glb or .obj (a part each), .ply or .stl");
  add_tree_options(*app, options->tree_options);
  add_footer(
      *app,
      "Vertices at equal positions count as one for edges and shells; of degenerate faces (exactly zero area)\n"
      "those with fewer than three distinct corners are left out. Closed: every edge is used as often in one\n"
      "direction as in the other, and some face has area.\n"
      "The volume of a depth is the sum over its bounding volumes, leaves at their own depth only: less is tighter.\n"
      "Exit status: 0, or 2 if a file cannot be read; then no JSON is written.\n\n"
      "Examples:\n"
      "  tumble info part.stl\n"
      "  tumble info *.obj --json parts.json\n"
      "  tumble info part.stl --bound dop --k 26 --split min_sum\n"
      "  tumble info part.stl --level 4 --export level4.glb");
  return {app, [options, app] {
            check(*options, *app);
            options->tree |= tree_options_given(*app) || options->level.has_value();
            return run(*options);
          }};
}

}  // namespace tumble::cli
