// SPDX-License-Identifier: Apache-2.0
// Whole steps of worlds: every body moves, then every contact is found; beside other libraries' managers.
#include "lab/entrants.h"
#include "lab/experiments/all.h"
#include "lab/real_parts.h"
#include "lab/rivals/our_world.h"
#include "lab/rivals/roster.h"
#include "scenes/moving_bodies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <functional>
#include <limits>
#include <optional>

namespace tumble::lab {
namespace {

constexpr double bar = 10;

struct WorldScene {
  std::string name, title;
  std::function<std::optional<scenes::MovingBodies>()> make;  // none: its meshes are not there
};

std::vector<WorldScene> scenes_of(const Context& context) {
  const bool quick = context.quick();
  return {{"heap", "A heap of tori, horses and bars that falls onto a plate, 2,000 triangles each",
           [=] { return quick ? scenes::falling_heap(30, 2'000, 12) : scenes::falling_heap(500, 2'000, 120); }},
          {"assembly", "Shafts, lids, gears and nuts drawn out of what holds them, clearance 1e-4",
           [=] { return quick ? scenes::opened_assembly(12, 4) : scenes::opened_assembly(100, 60); }},
          {"real-heap", "A heap of real meshes (housings, tools, animals) that falls onto a plate",
           [=] { return quick ? real_heap(18, 12) : real_heap(300, 120); }},
          {"real-assembly", "A real rig of servos, brackets, screws and nuts, drawn apart",
           [=] { return quick ? real_assembly(3) : real_assembly(60); }}};
}

struct Asked {
  const char* name;
  std::size_t (*ask)(WorldRival& rival, std::span<const Pose> poses);
  FoundSet (*list)(WorldRival& rival, std::span<const Pose> poses);
};
constexpr Asked questions[] = {
    {"any", [](WorldRival& rival, std::span<const Pose> poses) -> std::size_t { return rival.any(poses); },
     [](WorldRival& rival, std::span<const Pose> poses) {
       return FoundSet{rival.any(poses), 0};
     }},
    {"pairs", [](WorldRival& rival, std::span<const Pose> poses) { return rival.pairs(poses); },
     [](WorldRival& rival, std::span<const Pose> poses) { return rival.list_pairs(poses); }},
    {"contacts", [](WorldRival& rival, std::span<const Pose> poses) { return rival.contacts(poses); },
     [](WorldRival& rival, std::span<const Pose> poses) { return rival.list_contacts(poses); }},
};

/// Over other libraries.
struct Lead {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  std::string least_where;

  void note(double ratio, const std::string& where) {
    most = std::max(most, ratio);
    if (ratio < least) least = ratio, least_where = where;
  }
};

/// How many times as fast as our default another way of ours is, and where.
class Gain {
 public:
  void note(double gain, const std::string& where) {
    const long percent = std::lround(100 * gain) - 100;  // rounded as it is shown
    (percent < -no_difference  ? slower_
     : percent > no_difference ? faster_
                               : alike_)
        .push_back(fmt::format("{} ({:.2f})", where, gain));
  }

  /// Losses first.
  std::string text() const {
    std::string out;
    for (const auto& [list, word] : {std::pair(&slower_, "slower with"), std::pair(&faster_, "faster with")})
      if (!list->empty()) out += fmt::format("{}{} {}", out.empty() ? "" : "; ", word, fmt::join(*list, ", "));
    if (!alike_.empty())
      out += fmt::format("{}as fast, within {} %, with {}", out.empty() ? "" : "; ", no_difference,
                         fmt::join(alike_, ", "));
    return out;
  }
  bool is_known() const { return !slower_.empty() || !alike_.empty() || !faster_.empty(); }

 private:
  /// Per cent: no spread is measured here, so less is not judged.
  static constexpr long no_difference = 2;

  std::vector<std::string> slower_, alike_, faster_;
};

double processor_seconds() {
  std::timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

constexpr double enough_seconds = 3;  // of processor time, after which no other pass begins

/// Per step, the fastest of the passes. A first pass is not timed: it warms caches for whoever comes first, and lists
/// what is found. With `count`, those who count fly once more.
Row measure(WorldRival& rival, const Asked& question, const scenes::MovingBodies& bodies, int passes, bool count) {
  FoundSet all;
  rival.start({bodies.meshes, bodies.mesh_of}, bodies.steps.front());
  for (const std::vector<Pose>& poses : bodies.steps) {
    FoundSet step = question.list(rival, poses);
    if (question.name == std::string_view("any")) step.hash = step.count;
    all.append(step);
  }
  double processor = std::numeric_limits<double>::infinity(), clock = processor, spent = 0;
  std::size_t found = 0;
  for (int pass = 0; pass == 0 || (pass < passes && spent < enough_seconds); ++pass) {
    rival.start({bodies.meshes, bodies.mesh_of}, bodies.steps.front());
    found = 0;
    const double before = processor_seconds();
    const auto begin = std::chrono::steady_clock::now();
    for (const std::vector<Pose>& poses : bodies.steps) found += question.ask(rival, poses);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    const double microseconds_a_step = 1e6 / static_cast<double>(bodies.steps.size());
    const double seconds = processor_seconds() - before;
    spent += seconds;
    processor = std::min(processor, seconds * microseconds_a_step);
    clock = std::min(clock, took.count() * microseconds_a_step);
  }
  Row row{{"us", processor}, {"clock", clock}, {"found", found}, {"which", fmt::format("{:016x}", all.hash)}};
  if (count)
    row.update(to_row(work_of(rival, [&](WorldRival& counting) {
      for (const std::vector<Pose>& poses : bodies.steps) question.ask(counting, poses);
    })));
  return row;
}

std::vector<std::string> stand_ins() {
  return {
      "No scene is of a paper. heap and assembly are generated (scenes/moving_bodies.h): whatever a user has is more "
      "irregular.",
      fmt::format(
          "real-heap: {}, in turn, from a folder of meshes beside the repository (trimesh's models, CGAL's data, "
          "NASA's 3D resources, common-3d-test-models). Each is scaled alike in all directions to size 1, and "
          "they fall as those of heap do. So a bull is as large as a wrench: the meshes are real, their sizes "
          "and the heap are not.",
          fmt::join(real_heap_files(), ", ")),
      "real-assembly: MuJoCo Menagerie's bench rig dynamixel_2r (assembly-dynamixel2r in that folder), 80 instances of "
      "15 meshes, where poses_dynamixel_2r.json places them with all joints at zero. What is ours: each part is off "
      "its place by 0.02 mm and turned by 2e-4 rad at random, since faces that lie on each other to the last bit are "
      "contacts that libraries which round do not find; and the parts are drawn apart from the rig's middle, by 1 % of "
      "their distance from it in a step."};
}

void run_worlds(Context& context, Report& report) {
  WorldRivals entrants = our_worlds();
  WorldRoster roster = load_world_rivals(rivals_folder());
  for (auto& rival : roster.rivals) entrants.push_back(std::move(rival));
  std::vector<std::string> known;
  for (const auto& entrant : entrants) known.push_back(entrant->id());
  check_words(context.settings().rivals, known, "rival");
  std::vector<WorldScene> chosen = scenes_of(context);
  std::vector<std::string> names;
  names.reserve(chosen.size());
  for (const WorldScene& scene : chosen) names.push_back(scene.name);
  check_words(context.settings().scenes, names, "scene");
  const auto is_chosen = [](const std::vector<std::string>& words, const std::string& word) {
    return words.empty() || std::ranges::find(words, word) != words.end();
  };
  std::erase_if(chosen, [&](const WorldScene& scene) { return !is_chosen(context.settings().scenes, scene.name); });
  std::erase_if(entrants, [&](const auto& entrant) {
    return entrant->id() != "tumble" && !is_chosen(context.settings().rivals, entrant->id());
  });

  const int passes = context.settings().passes > 0 ? context.settings().passes : context.pick(3, 1);
  context.plan(chosen.size() * std::size(questions) * entrants.size());
  Lead steps, any;
  Gain sap, two_threads;
  for (const WorldScene& scene : chosen) {
    const std::optional<scenes::MovingBodies> made = scene.make();
    if (!made) {
      report.findings.push_back(
          fmt::format("{}: not run, as the folder of meshes beside the repository is not there or lacks some of them.",
                      scene.name));
      continue;
    }
    const scenes::MovingBodies& bodies = *made;
    std::size_t triangles = 0;
    for (const std::uint32_t mesh : bodies.mesh_of) triangles += bodies.meshes[mesh].triangles.size();
    Table table{scene.name,
                fmt::format("{}: {} bodies, {} triangles, {} steps", scene.title, bodies.mesh_of.size(), triangles,
                            bodies.steps.size()),
                {{"question", "question"},
                 {"rival", "library"},
                 {"us", "processor time per step", "us"},
                 {"clock", "by the clock", "us"},
                 {"found", "found in all steps"},
                 {"ratio", "over tumble"}}};
    Plot plot{scene.name, "Time per step: " + scene.title, {"question"}, {"microseconds", true}};
    for (const Asked& question : questions) plot.categories.emplace_back(question.name);
    plot.series.resize(entrants.size());
    for (const Asked& question : questions) {
      double ours = 0, our_clock = 0;
      for (std::size_t i = 0; i < entrants.size(); ++i) {
        // With several threads, which pair is asked first is a matter of time.
        const bool count = context.quick() && entrants[i]->id() != "tumble-2";
        Row row =
            context.row({{"scene", scene.name}, {"question", question.name}, {"rival", entrants[i]->name()}},
                        {{"passes", passes}}, [&] { return measure(*entrants[i], question, bodies, passes, count); });
        const double us = row.at("us");
        const double clock = row.at("clock");
        if (i == 0) ours = us, our_clock = clock;
        if (entrants[i]->id() == "tumble-sap") sap.note(ours / us, scene.name + " " + question.name);
        if (entrants[i]->id() == "tumble-2") two_threads.note(our_clock / clock, scene.name + " " + question.name);
        row["ratio"] = us / ours;
        if (!entrants[i]->id().starts_with("tumble"))
          (question.name == std::string_view("any") ? any : steps)
              .note(us / ours, fmt::format("{} {} beside {}", scene.name, question.name, entrants[i]->name()));
        plot.series[i].name = entrants[i]->name();
        plot.series[i].color = static_cast<int>(i);
        plot.series[i].y.push_back(us);
        table.rows.push_back(std::move(row));
      }
    }
    must_agree(context, table, {"question"}, {"found", "which"});
    report.tables.push_back(std::move(table));
    report.plots.push_back(std::move(plot));
  }
  if (steps.most > 0)
    report.findings.push_back(fmt::format(
        "Whole steps, which find all colliding pairs or all contacts, take other libraries {:.3g} to {:.3g} times as "
        "long as tumble on one thread. The least lead is on {}. The target is {:g} times: {}.",
        steps.least, steps.most, steps.least_where, bar, context.verdict(steps.least >= bar)));
  if (any.most > 0)
    report.findings.push_back(
        fmt::format("Whether anything collides at all takes them {:.3g} to {:.3g} times as long; the least on {}. "
                    "In a heap something always touches, and most of the time goes into moving bodies.",
                    any.least, any.most, any.least_where));
  if (sap.is_known())
    report.findings.push_back(fmt::format("Sweep and prune, by processor time beside the box tree: {}.", sap.text()));
  if (two_threads.is_known())
    report.findings.push_back(fmt::format("Two threads, by the clock beside one: {}.", two_threads.text()));
  if (report.tables.empty()) return;
  if (!roster.rivals.empty() && context.broken().empty())
    report.findings.emplace_back(
        "All libraries find the same colliding pairs and the same contacts in every step of every scene.");
  report.tables.front().notes.push_back(
      fmt::format("Every library flies once over all steps without a clock, and then {} times, or fewer: none begins "
                  "another pass after {:g} s.",
                  passes, enough_seconds));
  report.tables.front().notes.emplace_back(
      "Time of moving all bodies and asking; the fastest pass over all steps counts. Libraries are compared by "
      "processor "
      "time; what two threads gain shows by the clock. Contacts are pairs "
      "of triangles, without geometry. Scenes are generated unless they are called real, which have meshes that people "
      "use. Bodies of a heap stop where they first meet something, so they overlap by less than a step.");
  report.stand_ins = stand_ins();
  report.tables.push_back(entrants_table(entrants, roster.absent, "library"));
}

}  // namespace

Experiment worlds() {
  return {"worlds",
          "Whole steps of worlds with exact contacts, beside other libraries' managers",
          "Question: how long does a step of many moving meshes take?",
          "worlds.cpp",
          run_worlds,
          {.scenes = true, .rivals = true, .passes = true}};
}

}  // namespace tumble::lab
