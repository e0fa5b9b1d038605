// SPDX-License-Identifier: Apache-2.0
// A large assembly at rest: its colliding pairs beside other libraries' managers, and all its clash classes.
#include "lab/entrants.h"
#include "lab/experiments/all.h"
#include "lab/rivals/our_world.h"
#include "lab/rivals/roster.h"
#include "scenes/brickwork.h"

#include <tumble/clash.h>

#include <fmt/format.h>

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

void run_clash(Context& context, Report& report) {
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
  const int passes = context.settings().passes > 0 ? context.settings().passes : context.pick(3, 1);
  context.plan(entrants.size() + 2);

  Table pairs{"pairs",
              fmt::format("Colliding pairs of {} parts, {} triangles", parts, triangles),
              {{"rival", "library"},
               {"seconds", "processor time", "s"},
               {"clock", "by the clock", "s"},
               {"found", "pairs found"},
               {"ratio", "over tumble"}}};
  double ours = 0, least = std::numeric_limits<double>::infinity();
  std::string least_of;
  for (const auto& entrant : entrants) {
    Row row =
        context.row({{"question", "pairs"}, {"rival", entrant->name()}}, {{"passes", passes}, {"parts", parts}}, [&] {
          return timed(
              passes,
              [&] {
                entrant->start({assembly.meshes, mesh_of}, poses);
              },
              [&] { return entrant->pairs(poses); });
        });
    const double seconds = row.at("seconds");
    if (ours == 0) ours = seconds;
    row["ratio"] = seconds / ours;
    if (!entrant->id().starts_with("tumble") && seconds / ours < least) {
      least = seconds / ours;
      least_of = entrant->name();
    }
    pairs.rows.push_back(std::move(row));
  }
  const std::size_t in_contact = work.links.size() - fits[scenes::Fit::close];
  pairs.notes.push_back(
      fmt::format("Trees are built before. {} pairs are in contact: {} flush, {} through each other, {} bricks that "
                  "stand twice; a library that finds another number decides flush faces otherwise.",
                  in_contact, fits[scenes::Fit::flush], fits[scenes::Fit::piercing], fits[scenes::Fit::duplicate]));

  Table classes{"classes",
                "Every class, with contacts, gaps and overlap depths",
                {{"threads", "threads"},
                 {"seconds", "processor time", "s"},
                 {"clock", "by the clock", "s"},
                 {"found", "pairs not clear"}}};
  for (const int threads : {1, 2}) {
    Row row = context.row({{"question", "classes"}, {"threads", threads}}, {{"passes", passes}, {"parts", parts}}, [&] {
      Parts placed;
      return timed(
          passes,
          [&] {
            const std::vector<Model> models(assembly.meshes.begin(), assembly.meshes.end());
            placed = {};
            for (const Instance& instance : assembly.instances)
              placed.parts.push_back({instance.name, models[instance.mesh], instance.pose});
          },
          [&] {
            const ClashOptions options{.clearance = scenes::Brickwork::gap,
                                       .depth_budget = {.node_pairs = searches_per_depth},
                                       .threads = threads};
            return find_clashes(placed, options).pairs.size();
          });
    });
    context.must_hold(row.at("found") == work.links.size(), "every close, flush, piercing or double brick is found");
    classes.rows.push_back(std::move(row));
  }
  classes.notes.push_back(
      fmt::format("Bricks in running bond, eight close neighbours each. Overlap depths have a budget of {} searches a "
                  "pair. The assembly is generated (scenes/brickwork.h).",
                  searches_per_depth));
  context.must_hold(pairs.rows.front().at("found") == in_contact, "tumble finds the pairs that are in contact");
  if (!least_of.empty())
    report.findings.push_back(fmt::format(
        "Colliding pairs alone take other libraries at least {:.3g} times as long ({}); at least {:g} times was asked "
        "for: {}.",
        least, least_of, bar, least >= bar ? "met" : "MISSED"));
  report.tables.push_back(std::move(pairs));
  report.tables.push_back(std::move(classes));
  report.tables.push_back(entrants_table(entrants, roster.absent, "library"));
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
