// SPDX-License-Identifier: Apache-2.0
// A large assembly at rest: its colliding pairs beside other libraries' managers, and all its clash classes.
#include "lab/entrants.h"
#include "lab/experiments/all.h"
#include "lab/machine.h"
#include "lab/rivals/our_world.h"
#include "lab/rivals/roster.h"
#include "scenes/brickwork.h"

#include <tumble/clash.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>
#include <map>

namespace tumble::lab {
namespace {

constexpr double bar = 10;  // times as long as tumble, for colliding pairs alone
constexpr std::uint64_t searches_per_depth = 2'000;

double processor_seconds() {
  std::timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The fastest of the passes; before() is not timed.
template <class Before, class Ask>
Row timed(int passes, const Before& before, const Ask& ask) {
  double processor = std::numeric_limits<double>::infinity(), clock = processor;
  std::size_t found = 0;
  for (int pass = 0; pass < passes; ++pass) {
    before();
    const double start = processor_seconds();
    const auto begin = std::chrono::steady_clock::now();
    found = ask();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    processor = std::min(processor, processor_seconds() - start);
    clock = std::min(clock, took.count());
  }
  return {{"seconds", processor}, {"clock", clock}, {"found", found}};
}

/// How many parts, and how many threads classify them.
struct Size {
  std::size_t parts;
  int threads;
};

Row classified(const Size& size, int passes) {
  const scenes::Brickwork work = scenes::brickwork(size.parts);
  Parts placed;
  forget_peak_memory();
  Row row = timed(
      passes,
      [&] {  // new models, which do not know yet whether they are closed
        const std::vector<Model> models(work.assembly.meshes.begin(), work.assembly.meshes.end());
        placed = {};
        for (const Instance& instance : work.assembly.instances)
          placed.parts.push_back({instance.name, models[instance.mesh], instance.pose});
      },
      [&] {
        const ClashOptions options{.clearance = scenes::Brickwork::gap,
                                   .depth_budget = {.node_pairs = searches_per_depth},
                                   .threads = size.threads};
        return find_clashes(placed, options).pairs.size();
      });
  std::size_t triangles = 0;
  for (const PlacedPart& part : placed.parts) triangles += part.model.triangles().size();
  row["triangles"] = triangles;
  row["all_pairs"] = size.parts * (size.parts - 1) / 2;
  row["known"] = work.links.size();
  row["megabytes"] = static_cast<double>(peak_memory()) / 1e6;
  return row;
}

/// All classes of assemblies of several sizes. Before other libraries are loaded: their memory would count.
void add_classes(Context& context, Report& report, int passes) {
  const auto sizes =
      context.pick<std::vector<Size>>({{625, 1}, {1'250, 1}, {2'500, 1}, {5'000, 1}, {5'000, 2}}, {{60, 1}, {120, 2}});
  Table table{"classes",
              "Every class, with contacts, gaps and overlap depths",
              {{"parts", "parts"},
               {"triangles", "triangles"},
               {"all_pairs", "all pairs"},
               {"found", "pairs not clear"},
               {"threads", "threads"},
               {"seconds", "processor time", "s"},
               {"clock", "by the clock", "s"},
               {"megabytes", "memory", "MB", 3}}};
  Plot plot{.name = "growth",
            .title = "Time to classify an assembly",
            .x = {"pairs that are not clear", true},
            .y = {"processor time (s)", true},
            .series = {{.name = "one thread"}}};
  for (const Size& size : sizes) {
    Row row = context.row({{"question", "classes"}, {"parts", size.parts}, {"threads", size.threads}},
                          {{"passes", passes}}, [&] { return classified(size, passes); });
    context.must_hold(row.at("found") == row.at("known"), "every close, flush, piercing or double brick is found");
    if (size.threads == 1) {
      plot.series[0].x.push_back(row.at("found"));
      plot.series[0].y.push_back(row.at("seconds"));
    }
    table.rows.push_back(std::move(row));
  }
  const Row &first = table.rows.front(), &largest = table.rows[table.rows.size() - 2], &last = table.rows.back();
  const auto times = [&](const char* key) { return largest.at(key).get<double>() / first.at(key).get<double>(); };
  if (!context.quick())
    report.findings.push_back(fmt::format(
        "Classifying {} parts takes {:.3g} s of processor time, {:.3g} s by the clock with two threads, "
        "and {:.3g} MB in all. From {} parts to {}, pairs that are not clear grow {:.3g} times, all pairs "
        "{:.3g} times, and the time {:.3g} times.",
        largest.at("parts").get<std::size_t>(), largest.at("seconds").get<double>(), last.at("clock").get<double>(),
        last.at("megabytes").get<double>(), first.at("parts").get<std::size_t>(),
        largest.at("parts").get<std::size_t>(), times("found"), times("all_pairs"), times("seconds")));
  table.notes.push_back(
      fmt::format("Bricks in running bond, eight close neighbours each. Trees are built before. Overlap depths have a "
                  "budget of {} searches a pair. Memory is the most that the program had, meshes and trees included. "
                  "The assembly is generated (scenes/brickwork.h).",
                  searches_per_depth));
  report.tables.push_back(std::move(table));
  report.plots.push_back(std::move(plot));
}

/// Of several, who takes the least time.
struct Quickest {
  double ratio = std::numeric_limits<double>::infinity();  // over tumble
  std::size_t found = 0;
  std::string name{};

  void note(const Quickest& other) {
    if (other.ratio < ratio) *this = other;
  }
};

/// Who finds another number of pairs, and why, as far as this table can tell: the name of FCL's managers ends with the
/// volume of its trees, and where another manager with the same trees finds all pairs, it is not they that miss some.
std::string who_differs(const Table& pairs, std::size_t in_contact) {
  const auto name = [](const Row& row) { return row.at("rival").get<std::string>(); };
  const auto volume = [&](const Row& row) { return name(row).substr(name(row).rfind(',') + 1); };
  const auto is_right = [&](const Row& row) { return row.at("found") == in_contact; };
  std::vector<std::string> searches, others;
  for (const Row& row : pairs.rows) {
    if (is_right(row)) continue;
    const bool same_trees_find_all = std::ranges::any_of(pairs.rows, [&](const Row& other) {
      return name(other).starts_with("FCL") && volume(other) == volume(row) && is_right(other);
    });
    const bool misses = name(row).starts_with("FCL") && row.at("found") < in_contact;
    (misses && same_trees_find_all ? searches : others).push_back(name(row));
  }
  if (searches.empty() && others.empty()) return "All libraries find these.";
  std::string text;
  if (!searches.empty())
    text += fmt::format(
        "{} {} some: FCL's other managers have the same trees and the same test of two parts, and find all. So the "
        "likely cause is the search for neighbours, which does not hand on all pairs, and not how flush faces are "
        "decided; the page neighbours asks these searches alone.",
        fmt::join(searches, " and "), searches.size() == 1 ? "misses" : "miss");
  if (!others.empty())
    text += fmt::format("{}{} {} another number, and this table does not show why.", text.empty() ? "" : " ",
                        fmt::join(others, " and "), others.size() == 1 ? "finds" : "find");
  return text;
}

/// Colliding pairs alone, beside other libraries.
void add_pairs(Context& context, Report& report, int passes) {
  const std::size_t parts = context.pick<std::size_t>(5'000, 60);
  const scenes::Brickwork work = scenes::brickwork(parts);
  const Assembly& assembly = work.assembly;
  std::vector<std::uint32_t> mesh_of;
  std::vector<Pose> poses;
  std::size_t triangles = 0;
  for (const Instance& instance : assembly.instances) {
    mesh_of.push_back(instance.mesh);
    poses.push_back(instance.pose);
    triangles += assembly.meshes[instance.mesh].triangles.size();
  }
  std::map<scenes::Fit, std::size_t> fits;
  for (const auto& link : work.links) ++fits[link.fit];

  WorldRivals entrants = our_worlds();
  WorldRoster roster = load_world_rivals(rivals_folder());
  for (auto& rival : roster.rivals) entrants.push_back(std::move(rival));
  context.plan(report.tables.back().rows.size() + entrants.size());
  Table pairs{"pairs",
              fmt::format("Colliding pairs of {} parts, {} triangles", parts, triangles),
              {{"rival", "library"},
               {"seconds", "processor time", "s"},
               {"clock", "by the clock", "s"},
               {"found", "pairs found"},
               {"ratio", "over tumble"}}};
  const std::size_t in_contact = work.links.size() - fits[scenes::Fit::close];
  double ours = 0;
  Quickest right, wrong;  // of FCL's managers
  for (const auto& entrant : entrants) {
    Row row =
        context.row({{"question", "pairs"}, {"rival", entrant->name()}}, {{"passes", passes}, {"parts", parts}}, [&] {
          Row measured = timed(
              passes,
              [&] {
                entrant->start({assembly.meshes, mesh_of}, poses);
              },
              [&] { return entrant->pairs(poses); });
          if (context.quick() && entrant->id() != "tumble-2")  // for the counters that are kept
            measured.update(to_row(work_of(*entrant, [&](WorldRival& counting) { counting.pairs(poses); })));
          return measured;
        });
    const double seconds = row.at("seconds");
    if (ours == 0) ours = seconds;
    row["ratio"] = seconds / ours;
    const auto found = row.at("found").get<std::size_t>();
    if (entrant->id().starts_with("fcl"))
      (found == in_contact ? right : wrong).note({seconds / ours, found, entrant->name()});
    pairs.rows.push_back(std::move(row));
  }
  pairs.notes.push_back(
      fmt::format("Trees are built before. {} pairs are in contact: {} flush, {} through each other, {} bricks that "
                  "stand twice. {}",
                  in_contact, fits[scenes::Fit::flush], fits[scenes::Fit::piercing], fits[scenes::Fit::duplicate],
                  who_differs(pairs, in_contact)));
  context.must_hold(pairs.rows.front().at("found") == in_contact, "tumble finds the pairs that are in contact");
  if (!right.name.empty())
    report.findings.push_back(
        fmt::format("Colliding pairs alone take FCL's best manager that finds them all {:.3g} times as long ({}). The "
                    "target is {:g} times: {}.",
                    right.ratio, right.name, bar, context.verdict(right.ratio >= bar)));
  if (!wrong.name.empty())
    report.findings.push_back(fmt::format("{}, at {:.3g} times, does not count: it finds {} pairs for {}.", wrong.name,
                                          wrong.ratio, wrong.found, in_contact));
  report.tables.push_back(std::move(pairs));
  report.tables.push_back(entrants_table(entrants, roster.absent, "library"));
}

void run_clash(Context& context, Report& report) {
  const int passes = context.settings().passes > 0 ? context.settings().passes : context.pick(3, 1);
  context.plan(8);
  add_classes(context, report, passes);
  add_pairs(context, report, passes);
}

}  // namespace

Experiment clash() {
  return {"clash",
          "Clashes of a large assembly, beside other libraries' managers",
          "Question: how long does it take to find and classify what clashes in an assembly?",
          "clash.cpp",
          run_clash,
          {.passes = true}};
}

}  // namespace tumble::lab
