// SPDX-License-Identifier: Apache-2.0
// tumble fly: moves an object along a path of poses, with one query at each.
#include "cli/budget_argument.h"
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/depths.h"
#include "cli/distance_errors.h"
#include "cli/flight_animation.h"
#include "cli/given_files.h"
#include "cli/json.h"
#include "cli/model_argument.h"
#include "cli/output.h"
#include "cli/pair_options.h"
#include "cli/pose_argument.h"
#include "cli/progress.h"
#include "cli/report/write.h"
#include "cli/text.h"
#include "cli/times.h"
#include "cli/tree_options.h"
#include "cli/tree_report.h"
#include "cli/two_bodies.h"
#include "report/flight_page.h"

#include <tumble/error.h>
#include <tumble/io.h>
#include <tumble/motion.h>
#include <tumble/query.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tumble::cli {
namespace {

enum class Asked { any, all, within, distance, penetration };
const char* name(Asked query) {
  constexpr const char* names[] = {"any", "all", "within", "distance", "penetration"};
  return names[static_cast<std::size_t>(query)];
}

struct Options {
  std::string environment, object, poses;
  std::optional<std::string> environment_poses;
  std::optional<Asked> asked;
  std::optional<double> within;
  DistanceErrors errors;
  std::optional<Budget> budget;
  int repeats = 1;
  bool cold = false, count = false, solid = false, ignore_touch = false, continuous = false;
  std::optional<double> tolerance, precision;
  std::optional<MeshFormat> format;
  ComparisonOptions comparison;
  std::optional<std::string> json, csv, glb, report;

  bool prints() const { return json != "-" && csv != "-" && report != "-" && !is_quiet(); }
  bool are_solids() const { return solid || query() == Asked::penetration; }
  Asked query() const { return asked.value_or(within ? Asked::within : Asked::any); }
  CollideRequest any() const { return {.ignore_touch = ignore_touch, .solid = solid}; }
  ContactRequest all() const { return {.ignore_touch = ignore_touch, .geometry = false, .solid = solid}; }
  WithinRequest near() const { return {.distance = *within, .at_most = 1, .solid = solid}; }
  FirstContactRequest first_contact() const {
    return {.tolerance = tolerance.value_or(0), .solid = solid, .budget = budget.value_or(Budget{})};
  }
  DistanceRequest distance() const { return {.rel_error = errors.rel(), .abs_error = errors.abs(), .solid = solid}; }
};

/// Where both bodies are at each step. The environment stands if it has no poses.
struct Path {
  std::vector<Pose> object, environment;

  std::size_t size() const { return object.size(); }
  bool has_leg(std::size_t step) const { return step + 1 < size(); }
  Motion object_on(std::size_t leg) const { return Motion::line(object[leg], object[leg + 1]); }
  Motion environment_on(std::size_t leg) const {
    return environment.empty() ? Motion() : Motion::line(environment[leg], environment[leg + 1]);
  }
};

/// Where both bodies are, each by its own pose.
struct Poses {
  Pose environment, object;
};

struct Step {
  bool colliding = false;
  std::optional<bool> near;  // of the query within; none also if the budget did not suffice to know
  std::size_t contacts = 0;
  std::optional<double> distance;
  std::optional<Depths> depths;  // of the query penetration
  std::optional<Certainty> certainty;
  double microseconds = std::numeric_limits<double>::infinity();
  Counters counters;
  std::optional<FirstContact> first_contact;  // on the leg to the next pose, if that was asked for
  double leg_microseconds = std::numeric_limits<double>::infinity();
};

struct Summary {
  std::size_t colliding = 0, near = 0, contacts = 0, legs = 0, unknown_legs = 0;  // legs: those with contact
  Times times;
};

/// With or without a budget; the next pose reuses the memory.
Certainty ask_contacts(Pair& pair, const Poses& at, const Options& options, std::size_t& contacts) {
  Query query = pair.start(at.environment, at.object, options.all());
  const Certainty certain = query.run(options.budget.value_or(Budget{}));
  contacts = query.contacts().size();
  return certain;
}

/// Whether the bodies are near, then whether they touch: what is far does not.
Certainty ask_near(Pair& pair, const Poses& at, const Options& options, const Budget& budget) {
  Purse purse(budget);
  const Certainty near = purse.pay(pair.start(at.environment, at.object, options.near()).run(purse.left()));
  if (near.verdict == Verdict::colliding || !near.near) return near;
  Certainty contact = pair.start(at.environment, at.object, options.any()).run(purse.left());
  contact.near = true;
  contact.node_pairs += near.node_pairs;
  contact.lower = std::max(contact.lower, near.lower);
  if (contact.verdict == Verdict::unknown && contact.lower > 0) contact.verdict = Verdict::free;
  if (near.closest.distance < contact.closest.distance) contact.closest = near.closest;
  return contact;
}

Certainty ask_depths(Pair& pair, const Poses& at, const Options& options, Step& step) {
  step.depths = cli::ask_depths(pair, at.environment, at.object, options.precision.value_or(0),
                                options.budget.value_or(Budget{}));
  step.colliding = step.depths->certainty.verdict == Verdict::colliding;
  return step.depths->certainty;
}

void ask(Pair& pair, const Poses& at, const Options& options, Step& step) {
  switch (options.query()) {
    case Asked::any: step.colliding = pair.collide(at.environment, at.object, options.any()); break;
    case Asked::within:
      step.near = pair.is_within(at.environment, at.object, options.near());
      step.colliding = *step.near && pair.collide(at.environment, at.object, options.any());
      break;
    case Asked::all:
      ask_contacts(pair, at, options, step.contacts);
      step.colliding = step.contacts > 0;
      break;
    case Asked::distance:
      step.distance = pair.distance(at.environment, at.object, options.distance()).distance;
      step.colliding = *step.distance == 0;
      break;
    case Asked::penetration: ask_depths(pair, at, options, step); break;
  }
}

Certainty ask_with_budget(Pair& pair, const Poses& at, const Options& options, Step& step) {
  switch (options.query()) {
    case Asked::any: return pair.start(at.environment, at.object, options.any()).run(*options.budget);
    case Asked::within: return ask_near(pair, at, options, *options.budget);
    case Asked::all: return ask_contacts(pair, at, options, step.contacts);
    case Asked::penetration: return ask_depths(pair, at, options, step);
    default: return pair.start(at.environment, at.object, options.distance()).run(*options.budget);
  }
}

/// Turns what is certain into the answer of the query.
void read(const Certainty& certainty, const Options& options, Step& step) {
  step.colliding = certainty.verdict == Verdict::colliding;
  step.near.reset();
  if (options.query() == Asked::within && (certainty.near || certainty.finished)) step.near = certainty.near;
  if (options.query() == Asked::distance) step.distance = certainty.closest.distance;
}

/// Moves both bodies from a pose to the next.
void fly_leg(const Pair& pair, const Path& path, std::size_t leg, const Options& options, Step& step) {
  const Motion environment = path.environment_on(leg), object = path.object_on(leg);
  const auto start = std::chrono::steady_clock::now();
  step.first_contact = first_contact(pair.a(), environment, pair.b(), object, options.first_contact());
  const std::chrono::duration<double, std::micro> elapsed = std::chrono::steady_clock::now() - start;
  step.leg_microseconds = std::min(step.leg_microseconds, elapsed.count());
}

/// Flies the path as often as asked; each step keeps its smallest time.
std::vector<Step> fly(Pair& pair, const Path& path, const Options& options) {
  Progress progress("flying");
  std::vector<Step> steps(path.size());
  const auto total = static_cast<double>(options.repeats) * static_cast<double>(path.size());
  double done = 0;
  if (options.count) pair.count(true);
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    pair.forget();
    for (std::size_t i = 0; i < path.size(); ++i) {
      Step& step = steps[i];
      const Poses at{path.environment.empty() ? Pose{} : path.environment[i], path.object[i]};
      if (options.cold) pair.forget();
      if (options.count) pair.reset_stats();
      const auto start = std::chrono::steady_clock::now();
      if (options.budget) {
        step.certainty = ask_with_budget(pair, at, options, step);
      } else {
        ask(pair, at, options, step);
      }
      const std::chrono::duration<double, std::micro> elapsed = std::chrono::steady_clock::now() - start;
      if (step.certainty) read(*step.certainty, options, step);
      if (options.query() != Asked::all) step.contacts = step.colliding;
      step.microseconds = std::min(step.microseconds, elapsed.count());
      step.counters = pair.stats();
      if (options.continuous && path.has_leg(i)) fly_leg(pair, path, i, options, step);
      progress.set_share(++done / total);
    }
  }
  return steps;
}

Summary summarize(const std::vector<Step>& steps) {
  Summary summary;
  std::vector<double> times;
  for (const Step& step : steps) {
    summary.colliding += step.colliding;
    summary.near += step.near.value_or(false);
    summary.contacts += step.contacts;
    summary.legs += step.first_contact && step.first_contact->found;
    summary.unknown_legs += step.first_contact && !step.first_contact->finished;
    times.push_back(step.microseconds);
  }
  summary.times = cli::summarize(std::move(times));
  return summary;
}

Json to_json(const NamedModel& model) {
  return {{"file", model.file},
          {"triangles", model.model.triangles().size()},
          {"build_ms", model.building ? Json(model.building->milliseconds) : Json()},
          {"bytes", model.model.bytes()},
          {"tree", tree_kind_json(model.model)}};
}

Json first_contact_json(const Step& step) {
  if (!step.first_contact) return {};
  const FirstContact& first = *step.first_contact;
  const auto if_found = [&](const Json& value) { return first.found ? value : Json(); };
  const bool has_normal = first.found && !std::isnan(first.normal.x);
  return {{"found", first.found},
          {"initial", first.initial},
          {"inside", first.inside},
          {"finished", first.finished},
          {"free_until", std::min(first.free_until, 1.0)},
          {"time", if_found(first.time)},
          {"gap", if_found(first.gap)},
          {"env_triangle", if_found(first.triangle_a)},
          {"object_triangle", if_found(first.triangle_b)},
          {"env_point", if_found(json_point(first.point_a))},
          {"object_point", if_found(json_point(first.point_b))},
          {"normal", has_normal ? json_point(first.normal) : Json()},
          {"node_pairs", first.node_pairs},
          {"microseconds", step.leg_microseconds}};
}

/// In the order of the columns.
auto counters_of(const Step& step) {
  const Counters& c = step.counters;
  using Named = std::pair<const char*, std::uint64_t>;
  return std::to_array<Named>({{"nv", c.nv}, {"nu", c.nu}, {"np", c.np}, {"nodes", c.nodes}, {"mixed", c.mixed}});
}

void write_json(Output& out, const Options& options, const NamedModel& environment, const NamedModel& object,
                const std::vector<Step>& steps, const Summary& summary) {
  JsonDocument document(out, "fly/2");
  const bool lists_contacts = options.query() == Asked::all, asks_near = options.query() == Asked::within;
  document.member("query", name(options.query()));
  const auto tree_options = [](const NamedModel& model) {
    return model.building ? cli::to_json(model.building->options) : Json();
  };
  Json all{{"environment", tree_options(environment)}, {"object", tree_options(object)}};
  all.update(cli::to_json(options.comparison.pair));
  all["environment_poses"] = or_null(options.environment_poses);
  all["within"] = or_null(options.within);
  all["rel_error"] = options.errors.rel();
  all["abs_error"] = options.errors.abs();
  all["solid"] = options.are_solids();
  all["ignore_touch"] = options.ignore_touch;
  all["continuous"] = options.continuous;
  all["tolerance"] = or_null(options.tolerance);
  all["precision"] = or_null(options.precision);
  all["budget"] = cli::to_json(options.budget);
  all["repeats"] = options.repeats;
  all["cold"] = options.cold;
  document.member("options", all);
  document.member("env", to_json(environment));
  document.member("object", to_json(object));
  document.list("steps", steps.size(), [&](std::size_t i) {
    const Step& s = steps[i];
    Json step{{"step", i},
              {"colliding", s.colliding},
              {"near", or_null(s.near)},
              {"contacts", lists_contacts ? Json(s.contacts) : Json()},
              {"distance", or_null(s.distance)},
              {"overlap_depth", s.depths ? cli::to_json(s.depths->overlap) : Json()},
              {"env_in_object", s.depths ? cli::to_json(s.depths->penetration.a_in_b) : Json()},
              {"object_in_env", s.depths ? cli::to_json(s.depths->penetration.b_in_a) : Json()},
              {"certainty", s.certainty ? cli::to_json(*s.certainty) : Json()},
              {"microseconds", s.microseconds},
              {"first_contact", first_contact_json(s)}};
    for (const auto& [key, value] : counters_of(s)) step[key] = options.count ? Json(value) : Json();
    return step;
  });
  document.member("summary", {{"steps", steps.size()},
                              {"colliding", summary.colliding},
                              {"near", asks_near ? Json(summary.near) : Json()},
                              {"contacts", lists_contacts ? Json(summary.contacts) : Json()},
                              {"legs_with_contact", options.continuous ? Json(summary.legs) : Json()},
                              {"microseconds", to_json(summary.times)}});
  document.end();
}

void write_csv(Output& out, const Options& options, const std::vector<Step>& steps) {
  out.write(
      "step,colliding,contacts,microseconds,overlap_tests,realignments,triangle_pairs,nodes_visited,mixed_tests,"
      "distance,"
      "verdict,near,free_until,first_contact,gap,overlap_depth_lower,overlap_depth_upper,env_in_object_lower,"
      "env_in_object_upper,object_in_env_lower,object_in_env_upper\n");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& s = steps[i];
    out.write(fmt::format("{},{},{},{:.3f}", i, int{s.colliding},
                          options.query() == Asked::all ? fmt::to_string(s.contacts) : "", s.microseconds));
    for (const auto& [key, value] : counters_of(s)) out.write(options.count ? fmt::format(",{}", value) : ",");
    out.write(fmt::format(",{},{},{}", s.distance ? fmt::to_string(*s.distance) : "",
                          s.certainty ? name(s.certainty->verdict) : "", s.near ? fmt::to_string(int{*s.near}) : ""));
    const FirstContact* const first = s.first_contact ? &*s.first_contact : nullptr;
    out.write(first ? fmt::format(",{}", std::min(first->free_until, 1.0)) : ",");
    out.write(first && first->found ? fmt::format(",{},{}", first->time, first->gap) : ",,");
    const auto bounds = [&](const auto& depth) { out.write(fmt::format(",{},{}", depth.lower, depth.upper)); };
    if (s.depths)
      bounds(s.depths->overlap), bounds(s.depths->penetration.a_in_b), bounds(s.depths->penetration.b_in_a);
    else
      out.write(",,,,,,");
    out.write("\n");
  }
}

void print_legs(const std::vector<Step>& steps, const Summary& summary) {
  std::string words = fmt::format("{} of {} with contact", summary.legs, count(steps.size() - 1, "leg"));
  const auto first =
      std::ranges::find_if(steps, [](const Step& s) { return s.first_contact && s.first_contact->found; });
  if (first != steps.end())
    words += fmt::format("; first at {} of leg {}, gap {}", first->first_contact->time, first - steps.begin(),
                         first->first_contact->gap);
  print_row("between poses", words);
  if (summary.unknown_legs > 0) print_row("  unknown", fmt::to_string(summary.unknown_legs));
}

void print(const Options& options, const NamedModel& environment, const NamedModel& object,
           const std::vector<Step>& steps, const Summary& summary) {
  fmt::print("{}\n", printable(options.poses));
  const auto print_body = [](const char* role, const NamedModel& body) {
    print_row(role, fmt::format("{}, {}", printable(body.file), count(body.model.triangles().size(), "triangle")));
    print_row("  its tree", tree_in_words(body));
  };
  print_body("environment", environment);
  print_body("object", object);
  print_row("poses", fmt::to_string(steps.size()));
  if (options.query() == Asked::within) print_row("near", fmt::to_string(summary.near));
  print_row("colliding", fmt::to_string(summary.colliding));
  if (options.query() == Asked::all) print_row("contacts", fmt::to_string(summary.contacts));
  if (options.query() == Asked::distance) {
    const auto nearest = std::ranges::min_element(steps, {}, [](const Step& s) { return *s.distance; });
    print_row("nearest", fmt::format("{} at step {}", *nearest->distance, nearest - steps.begin()));
  }
  if (options.query() == Asked::penetration) {
    const auto deepest = std::ranges::max_element(steps, {}, [](const Step& s) { return s.depths->overlap.upper; });
    const OverlapDepth& overlap = deepest->depths->overlap;
    print_row("largest overlap", fmt::format("from {} to {} at step {}", number(overlap.lower), number(overlap.upper),
                                             deepest - steps.begin()));
  }
  if (options.continuous) print_legs(steps, summary);
  if (options.budget)
    print_row("unknown", fmt::to_string(std::ranges::count_if(steps, [&](const Step& s) {
                return options.query() == Asked::within ? !s.near : s.certainty->verdict == Verdict::unknown;
              })));
  print_row("time", in_words(summary.times));
  if (!options.count) return;
  Counters sum;
  for (const Step& step : steps) sum.nv += step.counters.nv, sum.nu += step.counters.nu, sum.np += step.counters.np;
  const auto per_step = [&](std::uint64_t n) {
    return number(static_cast<double>(n) / static_cast<double>(steps.size()));
  };
  print_row("per pose", fmt::format("{} overlap tests, {} realignments, {} triangle pairs", per_step(sum.nv),
                                    per_step(sum.nu), per_step(sum.np)));
}

Mesh mesh_of(const Model& model) {
  return {{model.vertices().begin(), model.vertices().end()}, {model.triangles().begin(), model.triangles().end()}, {}};
}

/// Contacts are asked for again, with their outlines.
void write_report(Output& out, const Options& options, const NamedModel& environment, const NamedModel& object,
                  const Path& path, const std::vector<Step>& steps) {
  const auto part = [](const NamedModel& body) {
    return PagePart{std::filesystem::path(body.file).filename().string(), body.model};
  };
  const bool moves = !path.environment.empty();
  std::vector<FlightStep> shown;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    const double value = step.distance ? *step.distance
                         : step.depths ? step.depths->overlap.lower
                                       : static_cast<double>(step.contacts);
    shown.push_back({moves ? path.environment[i] : Pose{}, path.object[i], step.colliding, value, step.microseconds});
  }
  const char* const values[] = {"", "contacts", "", "distance", "overlap depth"};
  Pair pair(environment.model, object.model, options.comparison.pair);
  Page page = flight_page({part(environment), part(object), moves}, shown,
                          values[static_cast<std::size_t>(options.query())], [&](const FlightStep& at) {
                            return pair.contacts(at.environment, at.object,
                                                 {.ignore_touch = options.ignore_touch, .solid = options.are_solids()});
                          });
  const auto name = [](const std::string& file) { return std::filesystem::path(file).filename().string(); };
  page.title = fmt::format("{} {} {}", name(options.object), moves ? "and" : "through", name(options.environment));
  write_page(page, out);
}

/// Checks that the options fit together, before any work is done.
void check(const Options& options, const CLI::App& app) {
  const std::string files[] = {options.environment, options.object};
  refuse_tree_options_for_stored(app, files);
  check_format(options.format, files);
  check_files({{"ENV", options.environment},
               {"OBJ", options.object},
               {"POSES", options.poses},
               {"--poses-env", options.environment_poses}},
              {{"--json", options.json}, {"--csv", options.csv}, {"--glb", options.glb}, {"--report", options.report}});
  if (options.glb && format_of(*options.glb) != MeshFormat::glb)
    throw Error(ErrorCode::unsupported, "--glb writes a file whose name ends in .glb", {.file = *options.glb});
  if (options.query() == Asked::within && !options.within)
    throw Error(ErrorCode::invalid_argument, "--query within needs to know how near: --within D");
  if (options.query() != Asked::within && options.within)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("--within asks for the query within, not for --query {}", name(options.query())));
  if (options.query() != Asked::distance && options.errors.are_given())
    throw Error(ErrorCode::invalid_argument, "--rel-error and --abs-error are for --query distance");
  if (options.precision && options.query() != Asked::penetration)
    throw Error(ErrorCode::invalid_argument, "--precision is for --query penetration");
  if (options.tolerance && !options.continuous)
    throw Error(ErrorCode::invalid_argument, "--tolerance is for --continuous");
  if (options.ignore_touch && options.continuous)
    throw Error(ErrorCode::invalid_argument, "--ignore-touch is not for --continuous, where a gap counts as contact");
  if (options.ignore_touch && options.query() != Asked::any && options.query() != Asked::all)
    throw Error(ErrorCode::invalid_argument, "--ignore-touch is for --query any and --query all");
}

Path read_path(const Options& options) {
  Path path{read_poses(options.poses), {}};
  if (!options.environment_poses) return path;
  path.environment = read_poses(*options.environment_poses);
  if (path.environment.size() != path.object.size())
    throw Error(ErrorCode::invalid_pose,
                fmt::format("it has {} and {} has {}: both bodies need one for each step",
                            count(path.environment.size(), "pose"), options.poses, path.object.size()),
                {.file = *options.environment_poses});
  return path;
}

Status run(const Options& options) {
  std::optional<Output> json, csv, report;
  if (options.json) json.emplace(*options.json);
  if (options.csv) csv.emplace(*options.csv);
  if (options.report) report.emplace(*options.report);
  const Path path = read_path(options);
  const NamedModel environment = load_or_build(options.environment, options.comparison.environment, options.format);
  const NamedModel object = load_or_build(options.object, options.comparison.object, options.format);
  note_sizes({environment.file, size_of(environment.model)}, {object.file, size_of(object.model)});
  if (options.are_solids()) require_closed(environment), require_closed(object);
  Pair pair(environment.model, object.model, options.comparison.pair);

  const std::vector<Step> steps = fly(pair, path, options);
  const Summary summary = summarize(steps);
  if (options.prints()) print(options, environment, object, steps, summary);
  if (json) write_json(*json, options, environment, object, steps, summary);
  if (csv) write_csv(*csv, options, steps);
  if (report) write_report(*report, options, environment, object, path, steps);
  finish_together({&json, &csv, &report}, [&] {
    if (options.glb)
      save_flight(mesh_of(environment.model), path.environment, mesh_of(object.model), path.object, *options.glb);
  });
  return summary.colliding == 0 && summary.near == 0 && summary.legs == 0 ? Status::nothing_found : Status::found;
}

}  // namespace

Command add_fly(CLI::App& tumble) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = add_command(tumble, "fly", "Move an object along a path and query at every pose");
  add_operand(*app, "ENV", options->environment, std::string("What stands: ") + body_help);
  add_operand(*app, "OBJ", options->object, "What flies");
  add_operand(*app, "POSES", options->poses, "A text file with one pose of the object per line; - for standard input");
  add_word(*app, "--poses-env", options->environment_poses, "FILE",
           "A file with a pose of ENV for each of OBJ's; without it, ENV stands");
  add_choice(*app, "Options", "--query", {"any", "all", "within", "distance", "penetration"}, "any",
             "Any contact, all contacts, anything near, how far, or how deep",
             [options](std::size_t chosen) { options->asked = static_cast<Asked>(chosen); });
  add_distance(*app, "--within", options->within, "How near is near, for the query within; asks for it");
  add_errors(*app, options->errors);
  add_distance(*app, "--precision", options->precision,
               "How far apart the bounds of a depth may be; a thousandth of the smaller body by default");
  add_flag(*app, "--solid", options->solid, solid_help);
  add_flag(*app, "--ignore-touch", options->ignore_touch, ignore_touch_help);
  add_budget(*app, options->budget);
  add_flag(*app, "--continuous", options->continuous,
           "Look between poses, too: when do the bodies first touch on the way to the next?");
  add_distance(*app, "--tolerance", options->tolerance,
               "The gap that counts as contact between poses; else a millionth of the body's size");
  add_number(*app, "--repeats", options->repeats, 1, 1'000'000,
             "Fly the path so often and keep each step's smallest time");
  add_flag(*app, "--cold", options->cold, "Forget everything between steps");
  add_flag(*app, "--count", options->count, "Count the operations; times are then a little longer");
  add_json(*app, options->json);
  add_word(*app, "--csv", options->csv, "FILE", "Write a table of the steps; - for standard output");
  add_word(*app, "--glb", options->glb, "FILE", "Write the flight as an animation for any viewer, 30 poses a second");
  add_report(*app, options->report);
  add_format(*app, options->format);
  add_comparison_options(*app, options->comparison);
  for_few(*app,
          {"--rel-error", "--abs-error", "--precision", "--budget", "--tolerance", "--repeats", "--cold", "--count"});
  add_details(*app, std::string(pose_details) + "\n" + budget_help + "\n" + stored_help +
                        "\n--query penetration takes both for solids; 'tumble help penetration' explains its depths. "
                        "Options change speed\nand counters, never answers.");
  add_footer(
      *app,
      std::string(
          "A pose takes a body's coordinates into the world: 12 numbers, row-major [R|t], or words such as\n"
          "translation 0.5 0 0 yaw 90 ('tumble help collide' lists them). # begins a comment. Without --poses-env the\n"
          "environment stays where its file puts it; with it, each body moves by its own pose, and the files must "
          "have\n"
          "equally many. --continuous moves bodies from pose to pose in a straight line, turning evenly: nothing "
          "tunnels.\n"
          "Exit status: 0 no contact (--within: nor anything near), 1 contact or near, 2 error.\n\n"
          "Examples:\n"
          "  tumble fly cabin.glb hand.stl path.txt --report flight.html\n"
          "  tumble fly cabin.tmbl hand.stl path.txt --query all --csv steps.csv\n"
          "  tumble fly cabin.glb hand.stl path.txt --continuous --tolerance 0.001\n"
          "  tumble fly left.stl right.stl right.txt --poses-env left.txt --within 0.3\n"
          "  tumble fly cabin.glb hand.stl path.txt --preset klosowski1998 --count --repeats 5 --json -"));
  return {app, [options, app] {
            check(*options, *app);
            return run(*options);
          }};
}

}  // namespace tumble::cli
