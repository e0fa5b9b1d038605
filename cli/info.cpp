// SPDX-License-Identifier: Apache-2.0
// tumble info: what is in a mesh file.
#include "cli/command.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/text.h"

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
  std::optional<std::string> json;
};

struct Facts {
  std::string file;
  Mesh mesh;
  Box box;
  MeshSummary summary;
};

Facts gather(const std::string& file) {
  const Progress progress("reading " + file);
  Facts facts{file, load_mesh(file), {}, {}};
  facts.box = bounding_box(facts.mesh);
  facts.summary = summarize(facts.mesh);
  return facts;
}

Json to_json(const Facts& facts) {
  const auto& [file, mesh, box, summary] = facts;
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
          {"shells", summary.shells}};
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
  const auto& [file, mesh, box, summary] = facts;
  const auto row = [](const char* label, const std::string& value) { fmt::print("  {:<20}{}\n", label, value); };
  const auto row_of = [&row](const char* label, std::size_t value) { row(label, fmt::to_string(value)); };
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
}

Status run(const Options& options) {
  std::optional<Output> json;
  if (options.json) json.emplace(*options.json);
  std::vector<Json> meshes;
  bool first = true, failed = false;
  for (const std::string& file : options.files) {
    try {
      const Facts facts = gather(file);
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
  CLI::App* app = tumble.add_subcommand("info", "Say what is in mesh files: size, closed or not, what is wrong");
  app->add_option("MESH", options->files, "Mesh files: .stl, .obj, .ply, .off, .gltf or .glb")
      ->required()
      ->option_text("...");
  app->add_option("--json", options->json, "Write JSON to this file; - for standard output, and nothing else there")
      ->type_name("FILE");
  app->footer(
      "Vertices at equal positions count as one for edges and shells; degenerate faces (exactly zero area) are\n"
      "counted and then left out. Closed: every edge is used as often in one direction as in the other.\n"
      "Exit status: 0, or 2 if a file cannot be read; then no JSON is written.\n\n"
      "Examples:\n"
      "  tumble info part.stl\n"
      "  tumble info *.obj --json parts.json");
  return {app, [options] { return run(*options); }};
}

}  // namespace tumble::cli
