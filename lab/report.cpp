// SPDX-License-Identifier: Apache-2.0
// Running an experiment and writing its files.
#include "lab/report.h"

#include "core/assert.h"
#include "core/out_file.h"
#include "lab/instruction_limit.h"
#include "lab/kept_counters.h"
#include "lab/machine.h"

#include <tumble/error.h>
#include <tumble/version.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <utility>

namespace tumble::lab {
namespace {

constexpr char broken_claim[] = "MUST HOLD, AND DOES NOT: ";

/// What it says, failures first.
std::vector<std::string> all_findings(const Report& report) {
  std::vector<std::string> all;
  for (const std::string& one : report.not_reproduced) all.push_back("Not reproduced: " + one + ".");
  all.insert(all.end(), report.findings.begin(), report.findings.end());
  return all;
}

/// What programs beside the experiments draw, and docs/pictures keeps.
struct DrawnBeside {
  const char *file, *title, *command, *what;
};
constexpr DrawnBeside drawn_beside[] = {
    {"klosowski-levels.png", "An airplane and the volumes of its tree: a row each for 6-, 14-, 18- and 26-DOPs",
     "render_levels airplane klosowski-levels.png object klosowski",
     "As Fig. 4 of Klosowski 1998: an object, and the volumes of its tree at levels 0, 1, 2 and 5, for k of 6, 14, 18 "
     "and 26. The object is our airplane's, the trees are binary, as the paper's."},
    {"klosowski-contacts.png", "A hand in a cabin, the triangles in contact in red",
     "render_scene interior klosowski-contacts.png contacts 35 25 6",
     "As Fig. 5 of Klosowski 1998: the contact region in red. It is the pose of the flight interior, of our cabin and "
     "our hand, with most contacts; all of a triangle in contact is red, and triangles seen from behind are left out."},
    {"levels.png", "A horse and the volumes of its tree: 18-DOPs above, oriented boxes below",
     "render_levels animals levels.png object",
     "The picture of the front page: the horse of the flight animals and its tree as it is built by default, depths 0 "
     "to 3, of 18-DOPs above and of oriented boxes below."}};

/// README.md: every page of the folder by its heading.
void write_index(const std::filesystem::path& pages) {
  std::map<std::string, std::string> headings;
  for (const auto& entry : std::filesystem::directory_iterator(pages)) {
    if (entry.path().extension() != ".md" || entry.path().filename() == "README.md") continue;
    std::string line;
    std::getline(std::ifstream(entry.path()) >> std::ws, line);
    headings[entry.path().filename().string()] = line.substr(std::min(line.find_first_not_of("# "), line.size()));
  }
  std::string out =
      "# Results\n\nWhat was measured, and what it says, losses included. `tumble lab list` names the experiments.\n\n";
  for (const auto& [file, heading] : headings)
    out += fmt::format("- [{}]({}): {}\n", file.substr(0, file.size() - 3), file, heading);
  out +=
      "\n## Pictures\n\nDrawn by programs of their own, not by experiments. These store pixels as they are; the files "
      "here hold the same, compressed.\n";
  for (const DrawnBeside& picture : drawn_beside)
    out += fmt::format("\n{}\n\n    build/bench/lab/{}\n\n![{}](../pictures/{})\n", picture.what, picture.command,
                       picture.title, picture.file);
  write_text(pages / "README.md", out);
}

/// What the counters' names stand for, if a text uses them.
std::string legend(const std::string& text) {
  for (const char* name : {"Nv", "Nu", "Np"})
    if (text.find(name) != std::string::npos)
      return "Nv, Nu and Np count overlap tests of bounding volumes, realigned volumes and pairs of triangles tested, "
             "per check if not said otherwise.";
  return {};
}

/// Tetrahedra of the swept scene keep clear of its own object alone.
void warn_of_swept(Report& report) {
  std::size_t colliding = 0;
  bool flown = false;
  for (const Table& table : report.tables)
    for (const Row& row : table.rows)
      if (row.value("scene", "") == "swept") {
        flown = true;
        for (const char* key : {"colliding", "hits"}) colliding = std::max(colliding, row.value(key, std::size_t{0}));
      }
  if (flown)
    report.findings.push_back(fmt::format(
        "swept: its tetrahedra keep clear of the axis object alone. With another mesh the path may collide: it does at "
        "{} poses, and compares with nothing published.",
        colliding));
}

/// Plots and pictures alike.
std::vector<Picture> drawn(const Report& report) {
  std::vector<Picture> all;
  for (const Plot& plot : report.plots) all.push_back({plot.name, plot.title, to_svg(plot)});
  all.insert(all.end(), report.pictures.begin(), report.pictures.end());
  return all;
}

std::string file_of(const Experiment& experiment, const Picture& picture) {
  return experiment.name + "." + picture.name + ".svg";
}

}  // namespace

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && !std::filesystem::is_directory(folder, error)) error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    throw Error(ErrorCode::file_access, "cannot make the folder: " + error.message(), {.file = folder.string()});
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  make_folder(file.parent_path());
  OutFile out(file);
  out.write(text);
  out.commit();
}

std::string duration_text(double seconds) {
  if (seconds < 99.5) return fmt::format("{:.0f} s", seconds);
  const long minutes = std::lround(seconds / 60);
  return minutes < 100 ? fmt::format("{} min", minutes) : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

std::string to_text(const Experiment& experiment, const Report& report) {
  std::string out = fmt::format("{}: {}\n{}\n", experiment.name, experiment.title, experiment.paper);
  for (const auto& [role, other] : report.replaced.items())
    out += fmt::format("In the place of the generated {}: {}, {} triangles\n", role == "env" ? "environment" : "object",
                       other.at("file").get<std::string>(), cell_text(other.at("triangles")));
  for (const Table& table : report.tables)
    if (table.shown) out += fmt::format("\n{}", to_text(table));
  const std::vector<std::string> findings = all_findings(report);
  if (!findings.empty() || !report.broken.empty()) out += "\n";
  for (const std::string& claim : report.broken) out += fmt::format("{}{}\n", broken_claim, claim);
  for (const std::string& finding : findings) out += fmt::format("* {}\n", finding);
  if (!report.stand_ins.empty()) out += "\nWhat stands in for what:\n";
  for (const std::string& one : report.stand_ins) out += fmt::format("* {}\n", one);
  if (const std::string words = legend(out); !words.empty()) out += words + "\n";
  return out;
}

Json to_json(const Experiment& experiment, const Report& report, bool quick) {
  const Machine machine = this_machine();
  Json tables = Json::array(), plots = Json::array();
  for (const Table& table : report.tables) tables.push_back(to_json(table));
  for (const Picture& picture : drawn(report))
    plots.push_back({{"name", picture.name}, {"title", picture.title}, {"file", file_of(experiment, picture)}});
  return {{"tumble", version()},
          {"schema", "lab/1"},
          {"experiment", experiment.name},
          {"title", experiment.title},
          {"paper", experiment.paper},
          {"quick", quick},
          {"replaced", report.replaced},
          {"commits", report.commits},
          {"machine",
           {{"cpu", machine.cpu},
            {"cores", machine.cores},
            {"instruction_set", machine.instruction_set},
            {"compiler", machine.compiler},
            {"system", machine.system}}},
          {"tables", tables},
          {"plots", plots},
          {"findings", all_findings(report)},
          {"stand_ins", report.stand_ins},
          {"broken", report.broken}};
}

void write_files(const Experiment& experiment, const Report& report, const Settings& settings) {
  for (const Table& table : report.tables)
    write_text(settings.folder / (experiment.name + "." + table.name + ".csv"), to_csv(table));
  for (const Picture& picture : drawn(report)) write_text(settings.folder / file_of(experiment, picture), picture.svg);
  write_text(settings.folder / (experiment.name + ".json"), to_json(experiment, report, settings.quick).dump(1) + "\n");
}

void write_page(const Experiment& experiment, const Report& report, const std::filesystem::path& docs) {
  TUMBLE_ASSERT(report.replaced.empty());
  const std::filesystem::path pages = docs / "results", pictures = docs / "pictures" / "results";
  const Machine machine = this_machine();
  std::string out = fmt::format("# {}\n\n{}\n\n    tumble lab {}{}\n\n", experiment.title, experiment.paper,
                                experiment.name, report.arguments);
  out += fmt::format(
      "Measured by commit {}, code {}, on {}, {} cores, instruction set {}, {}, in {}. Times are processor time unless "
      "a table says otherwise, to be compared within this page only, since other programs may have run beside it. The "
      "command writes this page with `--docs docs`: change the experiment, not the page. Counters are exact on one "
      "instruction set: [quick/{}.json](quick/{}.json) keeps those of the quick run on {} kernels, and `make check` "
      "fails when it counts otherwise.\n\n## What it says\n\n",
      fmt::join(report.commits, ", "), code_version(experiment.source), machine.cpu, machine.cores,
      machine.instruction_set, machine.compiler, duration_text(report.seconds), experiment.name, experiment.name,
      name(quick_instructions()));
  for (const std::string& claim : report.broken) out += fmt::format("- **{}{}**\n", broken_claim, claim);
  for (const std::string& finding : all_findings(report)) out += fmt::format("- {}\n", finding);
  if (!report.stand_ins.empty()) out += "\n## What stands in for what\n\n";
  for (const std::string& one : report.stand_ins) out += fmt::format("- {}\n", one);
  for (const Picture& picture : drawn(report)) {
    const std::string file = file_of(experiment, picture);
    write_text(pictures / file, picture.svg);
    out += fmt::format("\n![{}](../pictures/results/{})\n", picture.title, file);
  }
  std::string tables;
  for (const Table& table : report.tables)
    if (table.shown) tables += fmt::format("\n## {}\n\n{}", table.title, to_markdown(table));
  if (const std::string words = legend(out + tables); !words.empty()) out += "\n" + words + "\n";
  out += tables;
  write_text(pages / (experiment.name + ".md"), out);
  write_index(pages);
}

Report run(const Experiment& experiment, const Settings& settings, Journal& journal, Hangar& hangar,
           const Context::Progress& progress) {
  check_settings(experiment, settings);
  Context context(experiment, settings, journal, hangar, progress);
  Report report;
  const InstructionLimit same_everywhere(settings.quick ? std::optional(quick_instructions()) : std::nullopt);
  experiment.run(context, report);
  report.commits = context.commits();
  report.seconds = context.seconds();
  report.counters = context.counters();
  report.broken = context.broken();
  if (settings.replaced()) warn_of_swept(report);
  for (const auto& [role, other] : {std::pair{"env", &settings.env}, {"object", &settings.object}})
    if (*other)
      report.replaced[role] = {{"file", (*other)->name},
                               {"triangles", (*other)->mesh.triangles.size()},
                               {"hash", fmt::format("{:016x}", (*other)->hash)}};
  return report;
}

}  // namespace tumble::lab
