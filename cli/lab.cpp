// SPDX-License-Identifier: Apache-2.0
// tumble lab: the papers' experiments, our figures beside the published ones.
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/flight_animation.h"
#include "cli/model_argument.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/report/write.h"
#include "cli/text.h"
#include "cli/usage_error.h"
#include "io/parse_number.h"
#include "io/suggest.h"

#include "lab/kept_counters.h"
#include "lab/machine.h"
#include "lab/real_parts.h"
#include "lab/report.h"
#include "report/flight_page.h"
#include "scenes/falling.h"

#include <tumble/error.h>
#include <tumble/io.h>
#include <tumble/query.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tumble::cli {
namespace {

struct Options {
  lab::Settings settings;
  std::optional<std::string> docs, check;
  std::vector<const lab::Experiment*> chosen;
  bool list = false, write_scene = false;
  std::string scene, scene_folder;
  bool alpha_given = false, distance_given = false, tessellation_given = false;
  scenes::SceneOptions scene_options;
  std::optional<std::string> env, object;  // files that replace generated meshes
  std::optional<std::string> report;
};

std::shared_ptr<const scenes::Replacement> load(const std::optional<std::string>& file) {
  return file ? scenes::replacement(*file, load_triangles(*file)) : nullptr;
}

std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  for (const std::vector<scenes::SceneInfo>& infos : {scenes::list(), scenes::list_falling()})
    for (const scenes::SceneInfo& info : infos) names.push_back(info.name);
  return names;
}

void print_list() {
  fmt::print("experiments: tumble lab NAME\n");
  for (const lab::Experiment& e : lab::experiments()) fmt::print("  {:<22}{} ({})\n", e.name, e.title, e.paper);
  fmt::print("\nscenes: tumble lab scene NAME -o DIR\n");
  for (const std::vector<scenes::SceneInfo>& infos : {scenes::list(), scenes::list_falling()})
    for (const scenes::SceneInfo& s : infos)
      fmt::print("  {:<22}{} ({}; {} and {} triangles, {} steps)\n", s.name, s.title, s.paper, s.env_triangles,
                 s.object_triangles, s.steps);
}

/// Flies the scene, asking for all contacts.
void write_report(Output& out, const lab::Flown& flown) {
  const Model env(flown.scene.env), object(flown.scene.object);
  Pair pair(env, object);
  std::vector<FlightStep> steps;
  for (const Pose& pose : flown.path) {
    const auto start = std::chrono::steady_clock::now();
    const std::size_t contacts = pair.contacts({}, pose, {.geometry = false}).size();
    const std::chrono::duration<double, std::micro> elapsed = std::chrono::steady_clock::now() - start;
    steps.push_back({{}, pose, contacts > 0, static_cast<double>(contacts), elapsed.count()});
  }
  Page page = flight_page({{"environment", env}, {"object", object}}, steps, "contacts",
                          [&](const FlightStep& at) { return pair.contacts({}, at.object); });
  page.command = "lab";
  page.title = flown.scene.info.title;
  write_page(page, out);
  out.finish();
}

/// Writes the scene as files for the other commands.
void write_scene(const Options& options) {
  if (options.env && options.scene_options.triangles != 0)
    throw Error(ErrorCode::invalid_argument,
                "--triangles is about the generated environment, whose place --env takes; leave one of them out");
  if (const auto names = scene_names(); std::ranges::find(names, options.scene) == names.end())
    throw Error(ErrorCode::invalid_argument,
                fmt::format("no scene is named '{}'; there are {}{}", options.scene, fmt::join(names, ", "),
                            io::did_you_mean(options.scene, names)));
  scenes::SceneOptions scene_options = options.scene_options;
  scene_options.env = load(options.env);
  scene_options.object = load(options.object);
  for (const scenes::SceneInfo& info : scenes::list())
    for (const auto& [given, taken, option] : {std::tuple{options.alpha_given, info.by_alpha, "--alpha"},
                                               {options.distance_given, info.by_distance, "--distance"},
                                               {options.tessellation_given, info.by_tessellation, "--tessellation"}})
      if (info.name == options.scene && given && !taken)
        throw Error(ErrorCode::invalid_argument, fmt::format("{} means nothing to the scene '{}'", option, info.name));
  std::optional<Output> report;
  if (options.report) report.emplace(*options.report);
  const Progress progress("making " + options.scene);
  const lab::Flown flown = lab::fly(options.scene, scene_options);
  const std::filesystem::path folder = options.scene_folder;
  lab::make_folder(folder);
  save_mesh(flown.scene.env, folder / "env.ply");
  save_mesh(flown.scene.object, folder / "object.ply");
  save_flight(flown.scene.env, {}, flown.scene.object, flown.path, folder / "flight.glb");
  Output poses((folder / "poses.txt").string());
  poses.write(fmt::format("# {}: {}\n", options.scene, flown.scene.info.title));
  for (const Pose& pose : flown.path) {
    std::string line;
    for (const double value : pose.rows()) line += fmt::format("{}{}", line.empty() ? "" : " ", value);
    poses.write(line + "\n");
  }
  poses.finish();
  if (report) write_report(*report, flown);
  if (is_quiet()) return;
  fmt::print("{}: env.ply ({}), object.ply ({}), poses.txt ({}) and flight.glb, an animation\n",
             printable(folder.string()), count(flown.scene.env.triangles.size(), "triangle"),
             count(flown.scene.object.triangles.size(), "triangle"), count(flown.path.size(), "pose"));
  if (options.scene == "swept" && (scene_options.env || scene_options.object))
    fmt::print("the tetrahedra keep clear of the scene's own object alone: with another mesh the path may collide\n");
}

/// Refuses words that name no experiment, and options that only experiments take.
void check_arguments(const Options& options, const std::vector<std::string>& unexpected, const CLI::App& app) {
  for (const std::string& word : unexpected) {
    if (!word.starts_with('-')) lab::experiment(word);
    throw Error(ErrorCode::invalid_argument, with_help(no_such_option(word, app), "tumble lab"));
  }
  if (!options.chosen.empty()) return;
  const lab::Settings& settings = options.settings;
  for (const auto& [given, option] : {std::pair{settings.quick, "--quick"},
                                      {!settings.scenes.empty(), "--scenes"},
                                      {!settings.rivals.empty(), "--rivals"},
                                      {settings.passes != 0, "--passes"},
                                      {settings.search > 0, "--search"},
                                      {!settings.situations.empty(), "--situations"},
                                      {options.docs.has_value(), "--docs"},
                                      {options.check.has_value(), "--check"},
                                      {options.env.has_value() && !options.write_scene, "--env"},
                                      {options.object.has_value() && !options.write_scene, "--object"}})
    if (given)
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("{} means nothing without an experiment; see 'tumble lab --help'", option));
}

/// A page's heading is only its experiment's name, so the page must be what that plain command gives.
void check_pages(const Options& options) {
  const lab::Settings& settings = options.settings;
  if (options.check && (!settings.quick || options.docs))
    throw Error(ErrorCode::invalid_argument,
                "--check compares the counters of a quick run: it needs --quick, not --docs");
  if (options.env || options.object)
    throw Error(ErrorCode::invalid_argument,
                "the pages of --docs are about the generated meshes; leave it out, or --env and --object");
  for (const auto& [given, option] : {std::pair{!settings.scenes.empty(), "--scenes"},
                                      {!settings.rivals.empty(), "--rivals"},
                                      {settings.passes != 0, "--passes"},
                                      {!settings.situations.empty(), "--situations"}})
    if (given)
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("the pages of --docs are about whole experiments; leave it out, or {}", option));
}

/// Compares what a quick run counted with what was kept when the page was written. Tells what differs; true if nothing.
bool check_counters(const std::filesystem::path& docs, const std::string& name, const lab::Report& report) {
  const std::optional<lab::KeptCounters> kept = lab::kept(docs, name);
  std::vector<std::string> found;
  if (report.counters.empty())
    found.emplace_back("it counts nothing that could show whether its page is out of date");
  else if (!kept)
    found.push_back(fmt::format("{} is not there", lab::kept_file(docs, name).string()));
  else
    found = lab::differences(kept->rows, report.counters, !lab::real_data(""));
  constexpr std::size_t shown = 5;
  for (std::size_t i = 0; i < std::min(shown, found.size()); ++i) fmt::print("OUT OF DATE: {}: {}\n", name, found[i]);
  if (found.size() > shown) fmt::print("OUT OF DATE: {}: and {} more\n", name, found.size() - shown);
  return found.empty();
}

/// The counters that a page is checked by. Beside a full run, its page is as new as they are; by a quick run alone, the
/// page is told to be old if they have changed.
void keep_counters(const std::filesystem::path& docs, const std::string& name, const lab::Report& quick,
                   const lab::Report* full) {
  const std::optional<lab::KeptCounters> before = lab::kept(docs, name);
  if (!full && !(before && lab::differences(before->rows, quick.counters, false).empty())) lab::mark_stale(docs, name);
  lab::keep(docs, name, {quick.counters, full ? full->seconds : before ? before->seconds : 0});
}

/// Says on standard error how long the pages took when they were last written.
void tell_durations(const Options& options) {
  double known = 0;
  std::string unknown;
  for (const lab::Experiment* experiment : options.chosen) {
    const std::optional<lab::KeptCounters> before = lab::kept(*options.docs, experiment->name);
    if (before && before->seconds > 0)
      known += before->seconds;
    else
      unknown += (unknown.empty() ? "" : ", ") + experiment->name;
  }
  fmt::print(stderr, "{}: about {} going by the last time{}; rows that the journal holds take none\n",
             count(options.chosen.size(), "experiment"), lab::duration_text(known),
             unknown.empty() ? "" : " and not known of " + unknown);
}

Status run(const Options& options, const CLI::App& app) {
  check_arguments(options, app.remaining(), app);
  if (options.list) print_list();
  if (options.write_scene) write_scene(options);
  if (options.chosen.empty()) {
    if (!options.list && !options.write_scene)
      throw Error(ErrorCode::invalid_argument, "which experiment? see 'tumble lab list' and 'tumble lab --help'");
    return Status::nothing_found;
  }
  lab::Settings settings = options.settings;
  settings.env = load(options.env);
  settings.object = load(options.object);
  for (const lab::Experiment* experiment : options.chosen) lab::check_settings(*experiment, settings);
  if (options.docs || options.check) check_pages(options);
  if (options.docs && !settings.quick) tell_durations(options);
  lab::Journal journal(settings.folder / "journal.jsonl");
  lab::Hangar hangar;
  std::size_t number = 0, broken = 0, out_of_date = 0;
  std::vector<std::string> failed, stale, other_code;
  const auto run_one = [&](const lab::Experiment& experiment, const lab::Settings& how) {
    Progress progress(options.chosen.size() == 1
                          ? experiment.name
                          : fmt::format("{} ({} of {})", experiment.name, number, options.chosen.size()));
    return lab::run(experiment, how, journal, hangar, [&progress](double share) { progress.set_share(share); });
  };
  for (const lab::Experiment* experiment : options.chosen) try {
      ++number;
      const lab::Report report = run_one(*experiment, settings);
      if (!is_quiet()) fmt::print("{}\n", lab::to_text(*experiment, report));
      flush_standard_output();
      lab::write_files(*experiment, report, settings);
      if (options.docs && settings.quick) keep_counters(*options.docs, experiment->name, report, nullptr);
      if (options.docs && !settings.quick) {
        keep_counters(*options.docs, experiment->name, run_one(*experiment, settings.of_counters()), &report);
        lab::write_page(*experiment, report, *options.docs);
        fmt::print(stderr, "{} ({} of {}): {}\n", experiment->name, number, options.chosen.size(),
                   lab::duration_text(report.seconds));
      }
      if (options.check) {
        out_of_date += !check_counters(*options.check, experiment->name, report);
        if (lab::is_stale(*options.check, experiment->name)) stale.push_back(experiment->name);
        if (const auto code = lab::code_of_page(*options.check, experiment->name);
            code && *code != lab::code_version(experiment->source))
          other_code.push_back(experiment->name);
      }
      broken += report.broken.size();
    } catch (const Error& error) {
      if (options.chosen.size() == 1) throw;
      fmt::print(stderr, "{}: {}\n", experiment->name, error.what());  // the others are worth having
      failed.push_back(experiment->name);
    }
  if (!is_quiet()) fmt::print("written to {}\n", printable(settings.folder.string()));
  if (broken > 0)
    fmt::print("{} must hold and {} not: see above\n", count(broken, "claim"), broken == 1 ? "does" : "do");
  if (out_of_date > 0)
    fmt::print(
        "{} of {}/results {} out of date, see above: the quick run counts otherwise since. Write anew with 'make lab "
        "LAB=NAME', or keep the new counters and mark the pages with 'tumble lab all --quick --docs {}'\n",
        count(out_of_date, "page"), *options.check, out_of_date == 1 ? "is" : "are", *options.check);
  if (!stale.empty()) fmt::print("marked as out of date: {}\n", fmt::join(stale, ", "));
  // On standard error: it is no failure, and whoever looks at what is printed only after one is to see it.
  if (!other_code.empty())
    fmt::print(stderr,
               "warning: {} of {}/results {} measured by other code than this, so times may differ: {}. 'make lab "
               "LAB=NAME' writes them anew\n",
               count(other_code.size(), "page"), *options.check, other_code.size() == 1 ? "was" : "were",
               other_code.size() == lab::experiments().size() ? "all" : fmt::to_string(fmt::join(other_code, ", ")));
  if (!failed.empty())
    throw Error(ErrorCode::invalid_argument, fmt::format("failed: {}; see above", fmt::join(failed, ", ")));
  return broken + out_of_date == 0 ? Status::nothing_found : Status::found;
}

}  // namespace

Command add_lab(CLI::App& tumble) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = tumble.add_subcommand("lab", "Repeat the papers' experiments, ours beside the published figures");
  app->footer("");                // what is below inherits it, and has no examples but its own
  app->require_subcommand(0, 0);  // any number; "at least one" is checked later, after unknown words were reported
  app->fallthrough();             // options may follow an experiment
  app->add_flag("--quick", options->settings.quick, "Everything at reduced size: minutes become seconds");
  app->add_option("-o,--output", options->settings.folder, "Where results go, and from where a run continues")
      ->type_name("DIR")
      ->capture_default_str();
  app->add_option("--docs", options->docs,
                  "Also write pages into a folder like docs/, and their counters; with --quick these alone")
      ->type_name("DIR");
  app->add_option("--check", options->check,
                  "With --quick: fail if counters differ from the pages'; name pages of other code")
      ->type_name("DIR");
  app->add_option("--scenes", options->settings.scenes,
                  "Only these, by their names in 'tumble lab list'; of cliffs: plates, …; of worlds: heap, …")
      ->type_name("NAME,...")
      ->delimiter(',');
  app->add_option("--rivals", options->settings.rivals,
                  "Of peers, cliffs and worlds: only these, for example fcl-obb,embree")
      ->type_name("ID,...")
      ->delimiter(',');
  add_number(*app, "--passes", options->settings.passes, 1, 1000,
             "Of peers and worlds: how often each flight is flown");
  const auto read_search = [options](const std::string& word) {
    const std::optional<double> seconds = io::parse_number(word);
    if (!seconds || !(*seconds >= 0 && *seconds <= 1e6))
      refuse("--search", fmt::format("'{}' is not a number of seconds from 0 to 1e6", word));
    options->settings.search = *seconds;
  };
  add_read(*app, "--search", read_search, "SECONDS",
           "Of cliffs: so many seconds more for situations in which a rival is ahead");
  add_seed(*app, options->settings.seed, "Of that search")->needs(app->get_option("--search"));
  app->add_option("--situations", options->settings.situations, "Of cliffs: only these, which a search has found")
      ->type_name("NAME,...")
      ->delimiter(',');
  app->add_option("--env", options->env, "A mesh file in the place of the scenes' environment")->type_name("FILE");
  app->add_option("--object", options->object, "A mesh file in the place of the scenes' flying object")
      ->type_name("FILE");
  app->add_subcommand("list", "Name the experiments and the scenes")->group("Commands")->callback([options] {
    options->list = true;
  });

  CLI::App* scene =
      app->add_subcommand("scene", "Write a scene as meshes and poses for the other commands, and as an animation");
  scene->group("Commands");
  scene->add_option("NAME", options->scene, "One of those that 'tumble lab list' names")
      ->required()
      ->option_text(" ")
      ->type_name(fmt::to_string(fmt::join(scene_names(), "|")));  // for completion
  scene->footer(
      "Examples:\n"
      "  tumble lab scene torus -o torus\n"
      "  tumble lab scene pipes -o pipes --triangles 20000 --steps 500");
  scene->add_option("-o,--output", options->scene_folder, "The folder to write to; made if missing")
      ->type_name("DIR")
      ->required();
  add_report(*scene, options->report);
  const auto add_size = [&](const char* option, std::size_t& value, const char* help) {
    add_number(
        *scene, "Options", option, 1, 1'000'000'000,
        [&value](std::int64_t given) { value = static_cast<std::size_t>(given); }, help);
  };
  add_size("--triangles", options->scene_options.triangles, "Of the environment; as published by default");
  add_size("--steps", options->scene_options.steps, "Of the flight; as published by default");
  add_seed(*scene, options->scene_options.seed, "Of the random numbers");
  scene->add_option("--alpha", options->scene_options.alpha, "Of nested spheres: the gap")
      ->type_name("D")
      ->capture_default_str();
  add_choice_of(*scene, "Options", "--tessellation", options->scene_options.tessellation, scenes::Tessellation::hull,
                "Of nested spheres; the papers' may have been hulls of random points");
  scene->add_option("--distance", options->scene_options.distance, "Between two turning objects")
      ->type_name("D")
      ->capture_default_str();
  scene->callback([options, scene] {
    options->write_scene = true;
    options->tessellation_given = scene->count("--tessellation") > 0;
    options->alpha_given = scene->count("--alpha") > 0;
    options->distance_given = scene->count("--distance") > 0;
  });

  const auto choose = [options](const lab::Experiment& experiment) { options->chosen.push_back(&experiment); };
  for (const lab::Experiment& experiment : lab::experiments())
    app->add_subcommand(experiment.name, experiment.title)->group("Experiments")->callback([choose, &experiment] {
      choose(experiment);
    });
  app->add_subcommand("all", "All of them, one after the other")->group("Experiments")->callback([options, choose] {
    options->chosen.clear();
    for (const lab::Experiment& experiment : lab::experiments()) choose(experiment);
  });
  app->fallthrough(false);  // unknown words stay here
  app->allow_extras();      // and the error for them lists the experiments
  app->footer(
      "Each experiment prints its tables and writes them to the output folder as JSON and CSV with plots in SVG. "
      "Every\n"
      "finished row is kept in the folder's journal: a run of the same commit that was interrupted continues with the\n"
      "missing rows.\n\n"
      "A mesh file given with --env or --object is scaled alike in all directions to the largest that fits into the\n"
      "box of the mesh whose place it takes, about the same middle; the flight is then made for it. Where the object\n"
      "is a copy of the environment, --env alone replaces both. Tables then have no published columns.\n\n"
      "Exit status: 0; 1 if something that must hold on every machine does not, such as equal answers of two\n"
      "configurations or the shape of a published table, never for a time, or if --check finds a page out of date;\n"
      "2 error.\n\n"
      "Examples:\n"
      "  tumble lab list\n"
      "  tumble lab table6 table7\n"
      "  tumble lab all --quick\n"
      "  tumble lab scene torus -o torus && tumble fly torus/env.ply torus/object.ply torus/poses.txt\n"
      "  tumble lab table2 peers --scenes interior --env cockpit.glb --object glove.stl -o cockpit");
  return {app, [options, app] { return run(*options, *app); }};
}

}  // namespace tumble::cli
