// SPDX-License-Identifier: Apache-2.0
// tumble info: describes a mesh file or a stored model, and its tree.
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/given_files.h"
#include "cli/json.h"
#include "cli/model_argument.h"
#include "cli/output.h"
#include "cli/part_files.h"
#include "cli/progress.h"
#include "cli/text.h"
#include "cli/tree_options.h"
#include "cli/tree_report.h"

#include <tumble/error.h>
#include <tumble/io.h>
#include <tumble/mass.h>

#include <fmt/format.h>

#include <filesystem>
#include <functional>
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
  std::optional<MeshFormat> format;
};

struct Facts {
  std::string file;
  Mesh mesh;
  Box box;
  MeshSummary summary;
  double area = 0;
  std::optional<MassProperties> mass;  // of a closed mesh that encloses a volume
  std::optional<NamedModel> model;     // if its tree is wanted
};

Facts gather(const std::string& file, const Options& options) {
  Facts facts;
  facts.file = file;
  if (is_stored_model(file)) {
    facts.model = load_stored_model(file);
    facts.mesh = mesh_of(facts.model->model);
  } else {
    facts.mesh = load_triangles(file, options.format);
    if (options.tree) facts.model = build_model(file, facts.mesh, options.tree_options);
  }
  const Progress progress("looking at " + file);
  facts.box = bounding_box(facts.mesh);
  facts.summary = summarize(facts.mesh);
  facts.area = surface_area(facts.mesh);
  if (facts.summary.closed) try {
      facts.mass = mass_properties(facts.mesh);
    } catch (const Error& error) {  // without volume, or too large or small for one
      if (error.code() != ErrorCode::invalid_mesh) throw;
    }
  return facts;
}

Json to_json(const MassProperties& mass) {
  Json inertia = Json::array();
  for (const Vec3& row : mass.inertia) inertia.push_back(json_point(row));
  return {{"volume", mass.volume},
          {"centre", json_point(mass.centre)},
          {"inertia", std::move(inertia)},
          {"inside_out", mass.inside_out}};
}

Json to_json(const Facts& facts) {
  const auto& [file, mesh, box, summary, area, mass, model] = facts;
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
          {"area", area},
          {"mass", mass ? to_json(*mass) : Json()},
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
  const auto& [file, mesh, box, summary, area, mass, model] = facts;
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
  row("area", number(area));
  if (mass) {
    row("volume", number(mass->volume) + (mass->inside_out ? ", and the fronts of its triangles look inward" : ""));
    row("centre", point(mass->centre));
    row("inertia", point(mass->inertia[0]));
    row("", point(mass->inertia[1]));
    row("", point(mass->inertia[2]));
  } else {
    row("volume", summary.closed ? "none that a number can hold" : "none: not closed");
  }
  if (model) print_tree(*model);
}

/// For --export.
void require_one(std::size_t meshes) {
  if (meshes > 1) throw Error(ErrorCode::invalid_argument, "--export takes the volumes of one mesh, not of several");
}

/// Checks that the options fit together, before any work is done.
void check(const Options& options, const CLI::App& app) {
  refuse_tree_options_for_stored(app, options.files);
  check_format(options.format, options.files);
  std::vector<GivenFile> inputs;
  for (const std::string& file : options.files) inputs.emplace_back("one MESH", file);
  check_files(inputs, {{"--json", options.json}, {"--export", options.exported}});
  if (options.level.has_value() != options.exported.has_value())
    throw Error(ErrorCode::invalid_argument, "--level N and --export FILE go together");
  if (!options.level) return;
  require_one(options.files.size());
  format_of(*options.exported);
  require_writable(*options.exported);
}

/// The files, and those in folders.
std::vector<std::string> meshes_of(const std::vector<std::string>& files,
                                   const std::function<void(const Error&)>& on_error) {
  std::vector<std::string> all;
  for (const std::string& file : files) {
    std::error_code ignored;  // reading the file reports what is wrong
    if (!std::filesystem::is_directory(file, ignored)) {
      all.push_back(file);
      continue;
    }
    try {
      const std::vector<std::string> inside = expand_folders({file}, FolderFiles::meshes).files;
      all.insert(all.end(), inside.begin(), inside.end());
    } catch (const Error& error) {
      on_error(error);
    }
  }
  return all;
}

Status run(const Options& options) {
  std::optional<Output> json;
  if (options.json) json.emplace(*options.json);
  std::vector<Json> meshes;
  bool first = true, failed = false;
  const auto complain_and_go_on = [&](const Error& error) {  // the other files are still of interest
    flush_standard_output();
    complain(error.what());
    failed = true;
  };
  const std::vector<std::string> files = meshes_of(options.files, complain_and_go_on);
  if (options.level) require_one(files.size());
  for (const std::string& file : files) {
    try {
      const Facts facts = gather(file, options);
      if (options.level) save_mesh(bounds_at_depth(facts.model->model, *options.level), *options.exported);
      if (json) meshes.push_back(to_json(facts));
      if (options.json == "-" || is_quiet()) continue;
      if (!first) fmt::print("\n");
      first = false;
      print(facts);
    } catch (const Error& error) {
      complain_and_go_on(error);
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
  add_operands(*app, "MESH", options->files, "...", joined({"Folders, or each ", body_help}));
  add_json(*app, options->json);
  add_flag(*app, "--tree", options->tree, "Build the tree and describe it; any tree option asks for it, too");
  add_number(
      *app, more_options, "--level", 0, 1000,
      [options](std::int64_t level) { options->level = static_cast<int>(level); },
      "The depth of the tree that --export writes; 0 is the whole object");
  add_word(*app, "--export", options->exported, "FILE",
           "Write the bounding volumes of a level as a mesh: .glb or .obj (a part each), .ply or .stl");
  add_format(*app, options->format);
  add_tree_options(*app, options->tree_options);
  for_few(*app, {"--tree", "--export"});
  add_details(*app,
              "The volume of a depth is the sum over its bounding volumes, leaves at their own depth only: less is "
              "tighter.");
  add_footer(*app,
             "Vertices at equal positions count as one for edges and shells; of degenerate faces (exactly zero area)\n"
             "those with fewer than three distinct corners are left out. Closed: every edge is used as often in one\n"
             "direction as in the other, and some face has area.\n"
             "Volume, centre and inertia are those of a closed mesh of density 1, inertia about the centre.\n"
             "Exit status: 0, or 2 if a file cannot be read; then no JSON is written.\n\n"
             "Examples:\n"
             "  tumble info part.stl\n"
             "  tumble info parts/ --json parts.json\n"
             "  curl -s https://example.org/part.stl | tumble info - --format stl\n"
             "  tumble info part.stl --bound dop --k 26 --split min_sum\n"
             "  tumble info part.stl --level 4 --export level4.glb");
  return {app, [options, app] {
            check(*options, *app);
            options->tree |= tree_options_given(*app) || options->level.has_value();
            return run(*options);
          }};
}

}  // namespace tumble::cli
