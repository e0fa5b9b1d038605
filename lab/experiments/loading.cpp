// SPDX-License-Identifier: Apache-2.0
// Loading a file: tumble beside other libraries, the same file, in turns.
#include "lab/entrants.h"
#include "lab/experiments/all.h"
#include "lab/report.h"
#include "lab/turns.h"
#include "scenes/meshes.h"

#include <tumble/error.h>
#include <tumble/io.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace tumble::lab {
namespace {

class OurFiles : public FileRival {
 public:
  std::string id() const override { return "tumble"; }
  std::string name() const override { return "tumble"; }
  std::string settings() const override { return "load_mesh, which checks indices and coordinates"; }
  bool reads(std::string_view) const override { return true; }
  void load(const std::string& file) override { mesh_ = load_mesh(file); }
  std::size_t triangles() const override { return mesh_.triangles.size(); }
  void clear() override { mesh_ = {}; }

 private:
  Mesh mesh_;
};

std::string ascii_stl(const Mesh& mesh) {
  std::string out = "solid torus\n";
  for (const Triangle& t : mesh.triangles) {
    out += " facet normal 0 0 0\n  outer loop\n";
    for (const std::uint32_t index : t) {
      const Vec3& v = mesh.vertices[index];
      out += fmt::format("   vertex {} {} {}\n", v.x, v.y, v.z);
    }
    out += "  endloop\n endfacet\n";
  }
  return out + "endsolid torus\n";
}

std::string ascii_ply(const Mesh& mesh) {
  std::string out = fmt::format(
      "ply\nformat ascii 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\nelement face "
      "{}\nproperty list uchar int vertex_indices\nend_header\n",
      mesh.vertices.size(), mesh.triangles.size());
  for (const Vec3& v : mesh.vertices) out += fmt::format("{} {} {}\n", v.x, v.y, v.z);
  for (const Triangle& t : mesh.triangles) out += fmt::format("3 {} {} {}\n", t[0], t[1], t[2]);
  return out;
}

struct Format {
  const char *name, *file;
  double asked;  // how many times as long assimp has to take; 0: not asked for
};
constexpr Format formats[] = {{"STL binary", "torus.stl", 5},
                              {"PLY binary", "torus.ply", 5},
                              {"OBJ", "torus.obj", 5},
                              {"STL text", "ascii.stl", 0},
                              {"PLY text", "ascii.ply", 0}};

void write(const Mesh& mesh, const std::filesystem::path& file) {
  if (file.filename() == "ascii.stl")
    write_text(file, ascii_stl(mesh));
  else if (file.filename() == "ascii.ply")
    write_text(file, ascii_ply(mesh));
  else
    save_mesh(mesh, file);
}

void run_loading(Context& context, Report& report) {
  FileRivals entrants;
  entrants.push_back(std::make_unique<OurFiles>());
  FileRoster roster = load_file_rivals(rivals_folder());
  for (auto& rival : roster.rivals) entrants.push_back(std::move(rival));
  const auto wanted = context.pick<std::size_t>(1'000'000, 4'000);
  const int rounds = context.pick(9, 1);
  context.plan(std::size(formats));

  Table table{
      "times",
      fmt::format("Loading {} triangles", cell_text(wanted)),
      {{"format", "format"}, {"rival", "library"}, {"ms", "processor time", "ms", 3}, {"ratio", "/ ours", "", 3}}};
  Plot plot{"times", table.title, {"format"}, {"ms of processor time", true}};
  for (std::size_t i = 0; i < entrants.size(); ++i)
    plot.series.push_back({entrants[i]->name(), {}, {}, static_cast<int>(i)});
  std::string missed;
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const Format& format : formats) {
    const std::string extension = std::filesystem::path(format.file).extension().string().substr(1);
    Row key{{"format", format.name}, {"entrants", Json::array()}};
    for (const auto& entrant : entrants) key["entrants"].push_back(entrant->id());
    const Row row = context.row(key, {wanted, rounds}, [&] {
      Mesh mesh = scenes::wrinkled_torus(wanted);
      for (Vec3& v : mesh.vertices)  // six digits, as most exporters write
        for (int axis = 0; axis < 3; ++axis) v[axis] = std::round(v[axis] * 1e6) / 1e6;
      const std::filesystem::path file = context.settings().folder / "loading" / format.file;
      make_folder(file.parent_path());
      write(mesh, file);
      std::vector<Contestant> contestants;
      std::vector<FileRival*> asked;
      for (const auto& entrant : entrants)
        if (entrant->reads(extension)) {
          FileRival* const rival = entrant.get();
          asked.push_back(rival);
          contestants.push_back({[rival, &file] { rival->load(file.string()); },
                                 [rival, &mesh] {
                                   if (rival->triangles() != mesh.triangles.size())
                                     throw Error(ErrorCode::file_format, rival->name() + " did not load all triangles");
                                   rival->clear();
                                 }});
        }
      const std::vector<double> seconds = in_turns(rounds, contestants);
      std::filesystem::remove_all(file.parent_path());
      Row out{{"triangles", mesh.triangles.size()}, {"scores", Json::array()}};
      for (std::size_t i = 0; i < asked.size(); ++i)
        out["scores"].push_back({{"id", asked[i]->id()}, {"rival", asked[i]->name()}, {"ms", seconds[i] * 1e3}});
      return out;
    });
    plot.categories.emplace_back(format.name);
    for (Series& series : plot.series) series.y.push_back(std::numeric_limits<double>::quiet_NaN());
    const double ours = row["scores"][0]["ms"];
    for (const Json& score : row["scores"]) {
      Row one{{"format", format.name}};
      one.update(score);
      const double ratio = score["ms"].get<double>() / ours;
      one["ratio"] = ratio;
      table.rows.push_back(one);
      for (Series& series : plot.series)
        if (series.name == score["rival"]) series.y.back() = score["ms"];
      if (score["id"] == "tumble") continue;
      least = std::min(least, ratio), most = std::max(most, ratio);
      if (const double asked = score["id"] == "assimp" ? format.asked : 1; ratio < asked)
        missed += fmt::format("{}{} beside {} ({:.2g} of {:g})", missed.empty() ? "" : ", ", format.name,
                              score["rival"].get<std::string>(), ratio, asked);
    }
  }
  table.notes = {
      fmt::format("A wrinkled torus, coordinates of six digits, the same file for all in turns, in the cache; the "
                  "median of {}. What "
                  "was loaded is released outside of the time.",
                  rounds)};
  report.findings = {most == 0 ? "No rival was there to be compared with."
                               : fmt::format("Other libraries take {:.2g} to {:.2g} times as long as tumble. Our "
                                             "target is five times assimp on binary files and OBJ, and no less "
                                             "than tinyobjloader: {}.",
                                             least, most, missed.empty() ? "met" : "MISSED by " + missed)};
  if (most > 0) report.plots = {plot};
  report.tables = {table, entrants_table(entrants, roster.absent, "library")};
}

}  // namespace

Experiment loading() {
  return {"loading", "Loading a million triangles", "Question: how fast are files read, beside other libraries?",
          "loading.cpp", run_loading};
}

}  // namespace tumble::lab
