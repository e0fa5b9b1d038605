// SPDX-License-Identifier: Apache-2.0
// tumble world: many bodies and robots, one question about all of them for each configuration.
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/report/write.h"
#include "cli/text.h"
#include "cli/times.h"
#include "cli/tree_options.h"
#include "cli/world_files.h"
#include "report/world_page.h"

#include <tumble/error.h>
#include <tumble/solid.h>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tumble::cli {
namespace {

enum class Asked { any, all, within, closest };
const char* name(Asked query) {
  constexpr const char* names[] = {"any", "all", "within", "closest"};
  return names[static_cast<std::size_t>(query)];
}

struct Options {
  WorldFiles world;
  std::optional<std::string> configurations;
  std::optional<Asked> asked;
  std::optional<double> within;
  bool solid = false;
  std::optional<std::string> json, csv, report;

  Asked query() const { return asked.value_or(within ? Asked::within : Asked::any); }
  PoseOptions poses() const { return {.beyond_limits = world.beyond_limits}; }
  /// To the last bit, so that no answer depends on the configurations before it.
  DistanceRequest distance() const {
    DistanceRequest request{.solid = solid, .last_bit = true};
    if (within) request.upper_bound = *within;
    return request;
  }
};

/// Two bodies or groups with something to tell.
struct FoundPair {
  std::size_t a, b;  // indices of solos
  std::size_t contacts = 0;
  std::optional<double> distance;
};

struct Step {
  bool colliding = false;
  std::vector<FoundPair> pairs;
  double microseconds = 0;
  std::optional<WorldSight> sight{};  // for the report

  std::size_t contacts() const {
    std::size_t sum = 0;
    for (const FoundPair& pair : pairs) sum += pair.contacts;
    return sum;
  }
  std::optional<double> distance() const {
    std::optional<double> least;
    for (const FoundPair& pair : pairs)
      if (pair.distance && !(least && *least <= *pair.distance)) least = pair.distance;
    return least;
  }
};

/// Asks one world after the other and knows which body is which.
class Asker {
 public:
  Asker(const Options& options, const World& world, const std::vector<Solo>& solos, std::size_t steps)
      : options_(options), sight_{.solid = options.solid, .most_segments = most_segments / steps} {
    if (options.within) sight_.near = options.distance();
    for (std::size_t i = 0; i < solos.size(); ++i) index_[solos[i].id] = i;
    for (const BodyId body : world.bodies()) index_[body] = index_.at(world.group_of(body));
  }

  Step ask(World& world) const {
    Step step;
    const auto start = std::chrono::steady_clock::now();
    step.pairs = find(world);
    const std::chrono::duration<double, std::micro> elapsed = std::chrono::steady_clock::now() - start;
    step.microseconds = elapsed.count();
    if (options_.report) step.sight = look(world, sight_);
    step.colliding =
        std::ranges::any_of(step.pairs, [](const FoundPair& p) { return !p.distance || *p.distance == 0; });
    return step;
  }

 private:
  FoundPair pair(BodyId a, BodyId b) const {
    const auto [first, second] = std::minmax({index_.at(a), index_.at(b)});  // members need not be in their order
    return {first, second, 0, std::nullopt};
  }

  std::vector<FoundPair> find(World& world) const {
    std::vector<FoundPair> found;
    const auto measured = [&](const WorldDistance& d) {
      found.push_back(pair(d.a, d.b));
      found.back().distance = d.distance.distance;
    };
    switch (options_.query()) {
      case Asked::any:
        for (const BodyPair& p : world.colliding({.solid = options_.solid})) found.push_back(pair(p.a, p.b));
        break;
      case Asked::all: {
        std::map<std::pair<std::size_t, std::size_t>, std::size_t> contacts;
        for (const WorldContact& c : world.contacts({.geometry = false, .solid = options_.solid}))
          ++contacts[std::minmax(index_.at(c.a), index_.at(c.b))];
        for (const auto& [ids, n] : contacts) found.push_back({ids.first, ids.second, n, std::nullopt});
        break;
      }
      case Asked::within:
        for (const WorldDistance& d : world.distances(options_.distance())) measured(d);
        break;
      case Asked::closest:
        if (const std::optional<WorldDistance> d = world.closest(options_.distance())) measured(*d);
        break;
    }
    return found;
  }

  const Options& options_;
  SightRequest sight_;                   // for the report
  std::map<BodyId, std::size_t> index_;  // of bodies, members and groups
};

struct Summary {
  std::size_t colliding = 0, found = 0, contacts = 0;
  std::optional<double> nearest;
  std::size_t nearest_step = 0;
  Times times;
};

Summary summarize(const std::vector<Step>& steps) {
  Summary summary;
  std::vector<double> times;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    summary.colliding += steps[i].colliding;
    summary.found += !steps[i].pairs.empty();
    summary.contacts += steps[i].contacts();
    const std::optional<double> distance = steps[i].distance();
    if (distance && !(summary.nearest && *summary.nearest <= *distance)) {
      summary.nearest = distance;
      summary.nearest_step = i;
    }
    times.push_back(steps[i].microseconds);
  }
  summary.times = cli::summarize(std::move(times));
  return summary;
}

void write_json(Output& out, const Options& options, const std::vector<Solo>& solos, const std::vector<Step>& steps,
                const Summary& summary) {
  const bool counts = options.query() == Asked::all;
  JsonDocument document(out, "world/1");
  document.member("query", name(options.query()));
  document.member("options", {{"files", options.world.files},
                              {"configurations", or_null(options.configurations)},
                              {"srdf", or_null(options.world.srdf)},
                              {"packages", options.world.packages},
                              {"ignore", or_null(options.world.ignore)},
                              {"within", or_null(options.within)},
                              {"beyond_limits", options.world.beyond_limits},
                              {"solid", options.solid},
                              {"tree", to_json(options.world.reading.tree)}});
  document.list("bodies", solos.size(), [&](std::size_t i) {
    return Json{{"name", solos[i].name}, {"file", solos[i].file}, {"triangles", solos[i].triangles}};
  });
  document.list("steps", steps.size(), [&](std::size_t i) {
    Json pairs = Json::array();
    for (const FoundPair& pair : steps[i].pairs)
      pairs.push_back({{"a", solos[pair.a].name},
                       {"b", solos[pair.b].name},
                       {"contacts", counts ? Json(pair.contacts) : Json()},
                       {"distance", or_null(pair.distance)}});
    return Json{{"step", i},
                {"colliding", steps[i].colliding},
                {"pairs", std::move(pairs)},
                {"microseconds", steps[i].microseconds}};
  });
  document.member("summary", {{"steps", steps.size()},
                              {"colliding", summary.colliding},
                              {"found", summary.found},
                              {"contacts", counts ? Json(summary.contacts) : Json()},
                              {"nearest", or_null(summary.nearest)},
                              {"microseconds", to_json(summary.times)}});
  document.end();
}

void write_csv(Output& out, const Options& options, const std::vector<Step>& steps) {
  out.write("step,colliding,contacts,microseconds,pairs,distance\n");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& s = steps[i];
    const std::optional<double> distance = s.distance();
    out.write(fmt::format("{},{},{},{:.3f},{},{}\n", i, int{s.colliding},
                          options.query() == Asked::all ? fmt::to_string(s.contacts()) : "", s.microseconds,
                          s.pairs.size(), distance ? fmt::to_string(*distance) : ""));
  }
}

void write_report(Output& out, const Options& options, const LoadedWorld& loaded, std::vector<Step>& steps) {
  std::vector<WorldSight> sights;
  std::vector<double> microseconds;
  for (Step& step : steps) {
    sights.push_back(std::move(*step.sight));
    microseconds.push_back(step.microseconds);
  }
  Page page = world_page(loaded.world, std::move(sights), microseconds);
  page.units = loaded.units;
  page.title = page_title(options.world.files);
  write_page(page, out);
}

/// The pairs found in most steps, and what was found of them.
void print_pairs(const Options& options, const std::vector<Solo>& solos, const std::vector<Step>& steps) {
  struct Often {
    FoundPair pair;
    std::size_t steps = 0;
  };
  std::map<std::pair<std::size_t, std::size_t>, Often> found;
  for (const Step& step : steps)
    for (const FoundPair& pair : step.pairs) {
      Often& often = found.try_emplace({pair.a, pair.b}, Often{pair}).first->second;
      if (often.steps++ == 0) continue;
      often.pair.contacts += pair.contacts;
      if (pair.distance) often.pair.distance = std::min(*often.pair.distance, *pair.distance);
    }
  std::vector<Often> order;
  order.reserve(found.size());
  for (const auto& [ids, often] : found) order.push_back(often);
  std::ranges::stable_sort(order, std::ranges::greater(), &Often::steps);
  constexpr std::size_t most = 10;
  for (std::size_t i = 0; i < std::min(most, order.size()); ++i) {
    const auto& [pair, often] = order[i];
    std::string text = fmt::format("{} and {}", printable(solos[pair.a].name), printable(solos[pair.b].name));
    if (steps.size() > 1) text += fmt::format(", {} of {}", often, count(steps.size(), "configuration"));
    if (options.query() == Asked::all) text += ", " + count(pair.contacts, "contact");
    if (pair.distance) text += fmt::format(", {} apart", number(*pair.distance));
    print_row(i == 0 ? "pairs" : "", text);
  }
  if (order.size() > most) print_row("", fmt::format("and {}", count(order.size() - most, "other pair")));
}

void print(const Options& options, const std::vector<Solo>& solos, const std::vector<Step>& steps,
           const Summary& summary) {
  for (const std::string& file : options.world.files) fmt::print("{}\n", printable(file));
  std::size_t triangles = 0;
  for (const Solo& solo : solos) triangles += solo.triangles;
  print_row("bodies", fmt::format("{}, {}", solos.size(), count(triangles, "triangle")));
  if (options.configurations) print_row("configurations", fmt::to_string(steps.size()));
  if (options.query() == Asked::within) print_row("near", fmt::to_string(summary.found));
  print_row("colliding", options.configurations ? fmt::to_string(summary.colliding) : summary.colliding ? "yes" : "no");
  if (options.query() == Asked::all) print_row("contacts", fmt::to_string(summary.contacts));
  if (summary.nearest)
    print_row("nearest", options.configurations
                             ? fmt::format("{} in configuration {}", *summary.nearest, summary.nearest_step)
                             : fmt::to_string(*summary.nearest));
  print_pairs(options, solos, steps);
  print_row("time", in_words(summary.times));
}

/// Checks that the options fit together, before any work is done.
void check(const Options& options, const CLI::App& app) {
  check_world_files(app, options.world, {{"--configurations", options.configurations}},
                    {{"--json", options.json}, {"--csv", options.csv}, {"--report", options.report}});
  if (options.query() == Asked::within && !options.within)
    throw Error(ErrorCode::invalid_argument, "--query within needs to know how near: --within D");
  if (options.query() != Asked::within && options.within)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("--within asks for the query within, not for --query {}", name(options.query())));
}

void require_closed(const World& world) {
  const Progress progress("looking whether bodies are closed");
  for (const BodyId body : world.bodies()) try {
      check_closed(world.model(body));
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("'{}': {}", world.name(body), error.message()));
    }
}

std::vector<Step> ask(LoadedWorld& loaded, const std::vector<double>& configurations, const Options& options) {
  if (!options.configurations) return {Asker(options, loaded.world, loaded.solos, 1).ask(loaded.world)};
  const RobotBodies& robot = loaded.robots.front();
  std::vector<Step> steps(configurations.size() / robot.robot().free_joints().size());
  const Asker asker(options, loaded.world, loaded.solos, steps.size());
  Progress progress("checking configurations");
  std::atomic<std::size_t> done{0};
  for_each_configuration(loaded.world, robot, configurations,
                         {.threads = options.world.reading.tree.threads, .poses = options.poses()},
                         [&](std::size_t i, World& world) {
                           steps[i] = asker.ask(world);
                           progress.set_share(static_cast<double>(++done) / static_cast<double>(steps.size()));
                         });
  return steps;
}

Status run(const Options& options) {
  std::optional<Output> json, csv, report;
  if (options.json) json.emplace(*options.json);
  if (options.csv) csv.emplace(*options.csv);
  if (options.report) report.emplace(*options.report);
  LoadedWorld loaded = load_world(options.world);
  if (options.configurations && loaded.robots.size() != 1)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("--configurations is for one robot (.urdf), and there are {}", loaded.robots.size()));
  const std::vector<double> configurations =
      options.configurations
          ? read_configurations(*options.configurations, loaded.robots.front().robot(), options.poses())
          : std::vector<double>();
  if (loaded.solos.size() < 2)
    note(fmt::format("there {} in {}, and two are needed for a contact",
                     loaded.solos.empty() ? "is no body" : "is only one body", page_title(options.world.files)));
  if (options.solid) require_closed(loaded.world);

  std::vector<Step> steps = ask(loaded, configurations, options);
  const Summary summary = summarize(steps);
  if (options.json != "-" && options.csv != "-" && options.report != "-" && !is_quiet())
    print(options, loaded.solos, steps, summary);
  if (json) write_json(*json, options, loaded.solos, steps, summary);
  if (csv) write_csv(*csv, options, steps);
  if (report) write_report(*report, options, loaded, steps);
  finish_together({&json, &csv, &report});
  const bool found = summary.colliding > 0 || (options.query() == Asked::within && summary.found > 0);
  return found ? Status::found : Status::nothing_found;
}

}  // namespace

Command add_world(CLI::App& tumble) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = add_command(tumble, "world", "Query many bodies and robots at once, in many configurations");
  add_world_files(*app, options->world);
  add_word(*app, "--configurations", options->configurations, "FILE",
           "A CSV of joint values, names of joints in its first line; - for standard input");
  add_word(*app, "--srdf", options->world.srdf, "FILE", "The robot's SRDF: pairs of links it disables are ignored");
  add_choice(*app, "Options", "--query", {"any", "all", "within", "closest"}, "any",
             "Pairs that collide, with all contacts, that are near, or the closest",
             [options](std::size_t chosen) { options->asked = static_cast<Asked>(chosen); });
  add_distance(*app, "--within", options->within, "How near is near, for the query within; asks for it");
  add_word(*app, "--ignore", options->world.ignore, "FILE",
           "A text with two patterns of names per line: such pairs are not tested");
  add_flag(*app, "--beyond-limits", options->world.beyond_limits, "Accept joint values beyond the limits of joints");
  add_flag(*app, "--solid", options->solid, "Take all for solids, as closed meshes are: inside is in contact");
  add_json(*app, options->json);
  add_word(*app, "--csv", options->csv, "FILE", "Write a table of the configurations; - for standard output");
  add_report(*app, options->report);
  add_footer(
      *app,
      "Bodies are tested against all others, except links against their parents, members of one group, pairs that are\n"
      "ignored and pairs that do not move (\"moves\": false in PARTS.json). In patterns, * stands for any characters\n"
      "and ? for any one; names are those of the answer, which calls a second body of the name bolt bolt#2. In a list\n"
      "for --ignore, quotes hold a name with spaces, and # before a word begins a comment.\n"
      "Without configurations, joints stand at 0 or at the limit nearest to it.\n"
      "Exit status: 0 no contact (--within: nor anything near), 1 contact or near, 2 error.\n\n"
      "Examples:\n"
      "  tumble world assembly.glb --query all --report assembly.html\n"
      "  tumble world arm.urdf cell.json --configurations path.csv --srdf arm.srdf --csv steps.csv\n"
      "  tumble world arm.urdf table.stl --configurations path.csv --within 0.05 --json -");
  return {app, [options, app] {
            check(*options, *app);
            return run(*options);
          }};
}

}  // namespace tumble::cli
