// SPDX-License-Identifier: Apache-2.0
// The same scenes and poses through tumble and every rival that is installed, and the bars we set ourselves.
#include "lab/entrants.h"
#include "lab/experiments/all.h"

#include "lab/experiments/peers_bars.h"
#include "lab/rivals/contest.h"
#include "lab/rivals/distance_contest.h"
#include "lab/rivals/ours.h"
#include "lab/rivals/roster.h"
#include "scenes/stand_ins.h"
#include "scenes/trigonometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

namespace tumble::lab {
namespace {

struct Course {
  const char* name;
  const char* scene;
  bool billiard;
  scenes::SceneOptions full;
  std::optional<scenes::SceneOptions> reduced;  // none: it has one size, and building it for every rival takes long
};

const scenes::SceneOptions small{.triangles = 6'000, .steps = 200};
const Course all_courses[] = {
    {"pipes", "pipes", true, {}, small},
    {"torus", "torus", true, {}, small},
    {"airplane", "airplane", true, {}, std::nullopt},
    {"swept", "swept", false, {}, scenes::SceneOptions{.steps = 200}},
    {"interior", "interior", false, {}, std::nullopt},
    {"spheres 0.01",
     "nested",
     false,
     {.triangles = 20'000, .alpha = 0.01},
     scenes::SceneOptions{.triangles = 2'000, .alpha = 0.01}},
    {"two tori 1.5",
     "zachmann_torus",
     false,
     {.distance = 1.5},
     scenes::SceneOptions{.triangles = 2'000, .steps = 200, .distance = 1.5}},
};

bool chosen(const std::vector<std::string>& list, std::string_view word) {
  return list.empty() || std::ranges::find(list, word) != list.end();
}

Row to_row(const Score& score) {
  Row row{{"rival", score.name}, {"id", score.id},   {"exact", score.exact},
          {"build_ms", nullptr}, {"bytes", nullptr}, {"bytes_by", nullptr}};
  if (score.build_ms) {
    row["build_ms"] = *score.build_ms;
    row["bytes"] = std::llround(score.bytes_per_triangle);
    row["bytes_by"] = score.bytes_counted ? "library" : "heap";
  }
  const auto put = [&row](const std::string& query, const Times& times) {
    row[query + "_mean"] = times.mean;
    row[query + "_median"] = times.median;
    row[query + "_p99"] = times.p99;
    row[query + "_max"] = times.max;
    row[query + "_ratio"] = times.ratio;
    row[query + "_poses"] = times.poses;
  };
  put("any", score.any);
  put("all", score.all);
  row.update({{"hits", score.hits},
              {"contacts", score.contacts},
              {"wrong", score.wrong_any},
              {"missed", score.missed},
              {"invented", score.invented}});
  for (const auto& [query, work] : {std::pair("any", &score.any_work), std::pair("all", &score.all_work)})
    if (Row counted = to_row(*work); !counted.empty()) {
      counted["question"] = query;
      row["work"].push_back(std::move(counted));
    }
  return row;
}

std::vector<Column> columns() {
  std::vector<Column> all{
      {"rival", "rival"}, {"build_ms", "build", "ms", 3}, {"bytes", "bytes/tri"}, {"bytes_by", "counted by"}};
  for (const char* query : {"any", "all"}) {
    const std::string q = query;
    all.push_back({q + "_mean", q + " mean", "µs", 3});
    all.push_back({q + "_median", "median", "", 3});
    all.push_back({q + "_p99", "p99", "", 3});
    all.push_back({q + "_max", "max", "", 3});
    all.push_back({q + "_ratio", "/ ours", "", 3});
    all.push_back({q + "_poses", "poses"});
  }
  for (const char* count : {"hits", "contacts", "wrong", "missed", "invented"}) all.push_back({count, count});
  return all;
}

/// The object's farthest point from its origin.
double radius(const Mesh& mesh) {
  double farthest = 0;
  for (const Vec3& v : mesh.vertices) farthest = std::max(farthest, length(v));
  return farthest;
}

/// Billiards from `starts` random places in which no point of the object moves farther than `share` of its radius in
/// a step: the scene's flight in slow motion.
scenes::Flight small_steps(const scenes::Scene& scene, double share, std::size_t starts, std::size_t steps) {
  const double r = radius(scene.object);
  scenes::Billiard rules = *scene.rules;
  const double slower = share * r / (rules.step + scenes::full_circle * rules.turns * r);
  rules.step *= slower;
  rules.turns *= slower;
  rules.steps = steps;
  Pair steering{Model(scene.env), Model(scene.object)};
  scenes::Flight all;
  for (std::size_t i = 0; i < starts; ++i) {
    rules.seed = scene.rules->seed + i;
    const scenes::Flight one = scenes::billiard(rules, [&](const Pose& p) { return steering.collide({}, p); });
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

/// Scores of one course in one row of the journal: they belong to one run.
std::vector<Row> scores(Context& context, const Row& key, const ContestOptions& options, const Rivals& entrants,
                        const std::function<Flown()>& make) {
  Row full = key;
  full["passes"] = options.passes;
  full["entrants"] = Json::array();
  for (const auto& entrant : entrants) full["entrants"].push_back(entrant->id());
  const Row row = context.row(full, [&] {
    const Flown flown = make();
    Json rows = Json::array();
    for (const Score& score : contest(flown.scene.env, flown.scene.object, flown.path, entrants, options,
                                      [&](double share, const std::string&) { context.part(share); }))
      rows.push_back(to_row(score));
    return Row{{"env_triangles", flown.scene.env.triangles.size()},
               {"object_triangles", flown.scene.object.triangles.size()},
               {"flown", flown.path.size()},
               {"scores", rows}};
  });
  std::vector<Row> rows;
  for (const Json& score : row["scores"]) {
    Row one{{"scene", key["scene"]}};
    one.update(score);
    one["env_triangles"] = row["env_triangles"];
    one["object_triangles"] = row["object_triangles"];
    one["flown"] = row["flown"];
    rows.push_back(std::move(one));
  }
  return rows;
}

/// As many as there are colours; FCL's other trees are in the tables. Those of boxes along the axes and of k-DOPs it
/// builds anew in every query: their times are about that, and do not belong in a picture of queries.
constexpr std::array plotted{"fcl-obb", "fcl-obbrss", "fcl-float-obb", "ode", "bullet", "cgal", "embree"};

Plot ratio_plot(const std::vector<Row>& rows, const std::string& query, const std::vector<std::string>& scenes_flown) {
  Plot plot{query,
            fmt::format("'{}': how many times as long as tumble OBB a rival takes", query),
            {},
            {"rival's mean time / tumble OBB's", true}};
  plot.categories = scenes_flown;
  plot.ratios = true;
  for (const std::string id : plotted) {
    Series series{""};
    for (const std::string& scene : scenes_flown) {
      double y = std::numeric_limits<double>::quiet_NaN();
      for (const Row& row : rows)
        if (row["id"] == id && row["scene"] == scene) y = row[query + "_ratio"], series.name = row["rival"];
      series.y.push_back(y);
    }
    if (series.name.empty()) continue;
    series.color = static_cast<int>(plot.series.size());
    plot.series.push_back(std::move(series));
  }
  return plot;
}

/// A course's scene and flight. The papers' nested spheres are one pose: here the inner one turns, since a single pose
/// would be asked of caches that the entrant before has emptied, or be known already.
Flown fly(Context& context, const Course& course) {
  Flown flown = context.scene(course.scene, context.quick() ? *course.reduced : course.full);
  if (std::string_view(course.scene) == "nested") flown.path = scenes::full_turn(0, context.pick<std::size_t>(100, 20));
  return flown;
}

/// Where distances are measured: the flights, with the tori so far apart that they do not touch.
Course for_distances(Course course) {
  if (std::string_view(course.scene) != "zachmann_torus") return course;
  course.name = "two tori 2.5";
  course.full.distance = 2.5;
  if (course.reduced) course.reduced->distance = 2.5;
  return course;
}

/// Poses without contact, in stretches of consecutive ones spread over the flight.
scenes::Flight separated(const Flown& flown, std::size_t stretches, std::size_t length) {
  Pair pair{Model(flown.scene.env), Model(flown.scene.object)};
  scenes::Flight apart;
  for (const Pose& pose : flown.path)
    if (!pair.collide({}, pose)) apart.push_back(pose);
  if (apart.size() <= stretches * length) return apart;
  scenes::Flight chosen_poses;
  for (std::size_t s = 0; s < stretches; ++s) {
    const auto first = apart.begin() + static_cast<std::ptrdiff_t>(s * (apart.size() - length) / (stretches - 1));
    chosen_poses.insert(chosen_poses.end(), first, first + static_cast<std::ptrdiff_t>(length));
  }
  return chosen_poses;
}

constexpr double distance_seconds = 20;  // per scene, after which no other pass begins

/// The scores of those who measure distances, a row each, in one row of the journal.
std::vector<Row> distance_scores(Context& context, const Course& course, const Rivals& entrants, int passes) {
  Row key{{"scene", course.name}, {"query", "distance"}, {"passes", passes}, {"entrants", Json::array()}};
  for (const auto& entrant : entrants)
    if (entrant->has_distance()) key["entrants"].push_back(entrant->id());
  const Row row = context.row(key, [&] {
    const Flown flown = fly(context, course);
    const scenes::Flight poses = separated(flown, 5, context.pick<std::size_t>(60, 10));
    Json rows = Json::array();
    if (!poses.empty())
      for (const DistanceScore& score :
           distance_contest(flown.scene.env, flown.scene.object, poses, entrants, passes, distance_seconds,
                            context.quick(), [&](double share) { context.part(share); })) {
        Row one{{"rival", score.name},    {"id", score.id},        {"mean", score.mean},
                {"median", score.median}, {"p99", score.p99},      {"max", score.max},
                {"ratio", score.ratio},   {"poses", poses.size()}, {"wrong", score.wrong}};
        one.update(to_row(score.work));
        rows.push_back(std::move(one));
      }
    return Row{{"scores", rows}};
  });
  std::vector<Row> rows;
  for (const Json& score : row["scores"]) {
    Row one{{"scene", course.name}};
    one.update(score);
    rows.push_back(std::move(one));
  }
  return rows;
}

/// Ours must agree whatever the bound, the instruction set and the coherence, and so must rivals that decide exactly
/// (on our own meshes: CGAL does not promise it for degenerate triangles).
void must_answer_alike(Context& context, const std::vector<const std::vector<Row>*>& parts) {
  for (const std::vector<Row>* rows : parts)
    for (const Row& row : *rows) {
      const bool ours = row.at("id").get<std::string>().starts_with("tumble");
      if (!ours && (!row.value("exact", false) || context.settings().replaced())) continue;
      const auto number = [&row](const char* key) { return row.value(key, std::size_t{0}); };
      const std::size_t wrong = ours ? number("wrong") : 0, missed = number("missed"), invented = number("invented");
      context.must_hold(
          wrong + missed + invented == 0,
          fmt::format("{} on {} agrees with tumble OBB: {} poses wrong, {} contacts missed, {} invented",
                      row.at("rival").get<std::string>(), row.at("scene").get<std::string>(), wrong, missed, invented));
    }
}

void run_peers(Context& context, Report& report) {
  const Settings& settings = context.settings();
  Rivals entrants = ours();
  Roster roster = load_rivals(rivals_folder());
  std::vector<std::string> known;
  for (const auto& rival : roster.rivals) known.push_back(rival->id());
  check_words(settings.rivals, known, "rival");
  Rivals for_distance_only;
  for (auto& rival : roster.rivals)
    if (chosen(settings.rivals, rival->id()))
      (rival->only_distance() ? for_distance_only : entrants).push_back(std::move(rival));
  known.clear();
  for (const Course& course : all_courses)
    if (!context.quick() || course.reduced) known.emplace_back(course.scene);
  check_words(settings.scenes, known, context.quick() ? "with --quick, scene" : "scene");
  std::vector<Course> courses;
  for (const Course& course : all_courses)
    if (chosen(settings.scenes, course.scene) && !(context.quick() && !course.reduced)) courses.push_back(course);
  std::vector<Course> slow_courses;
  if (settings.scenes.empty())
    std::ranges::copy_if(courses, std::back_inserter(slow_courses), [](const Course& c) { return c.billiard; });
  context.plan(2 * courses.size() + slow_courses.size());
  const ContestOptions options{.passes = settings.passes > 0 ? settings.passes : 2,
                               .seconds = context.pick(0.25, 0.005),
                               .count = context.quick()};

  Table who{"entrants", "Who takes part and how", {{"rival", "rival"}, {"settings", "settings"}}};
  for (const auto& entrant : entrants)
    who.rows.push_back({{"rival", entrant->name()}, {"settings", entrant->settings()}});
  for (const Absence& absence : roster.absent)
    who.rows.push_back({{"rival", absence.library}, {"settings", absence.reason}});

  std::vector<Row> all;
  std::vector<std::string> flown;
  std::vector<Table> tables;
  for (const Course& course : courses) {
    const std::vector<Row> rows =
        scores(context, {{"scene", course.name}}, options, entrants, [&] { return fly(context, course); });
    Table table{course.scene,
                fmt::format("{}: {} and {} triangles, {} poses", course.name, cell_text(rows[0]["env_triangles"]),
                            cell_text(rows[0]["object_triangles"]), cell_text(rows[0]["flown"])),
                columns(), rows};
    tables.push_back(std::move(table));
    all.insert(all.end(), rows.begin(), rows.end());
    flown.emplace_back(course.name);
  }

  Table ratios{"ratios", "How many times as long as tumble OBB", {{"scene", "scene"}, {"rival", "rival"}}, all};
  for (const char* query : {"any", "all"}) {
    ratios.columns.push_back({std::string(query) + "_ratio", std::string(query) + " / ours", "", 3});
    ratios.grids.push_back(
        {fmt::format("{}, mean over the poses", query), "rival", "scene", std::string(query) + "_ratio", false});
  }

  ratios.notes.push_back(fmt::format(
      "Queries: wall time of each pose alone on one thread, less the clock's own, the smallest of {} laps in each of "
      "{} passes, in which all take turns; any and all in loops of their own. Who would need more than {} s for a "
      "flight flew fewer poses, spread evenly, and is compared on those. FCL copies both models and builds a tree of "
      "AABBs or k-DOPs anew in every query: "
      "these are in the tables, not in the plots. The spheres are a flight, too: the inner one "
      "turns. Building: processor time for both models on one thread.",
      laps, options.passes, options.seconds));

  Table slow{"small_steps",
             "Small steps: no point moves farther than 0.1 % of the object's radius",
             {{"scene", "scene"},
              {"rival", "rival"},
              {"any_mean", "any mean", "µs", 3},
              {"any_p99", "p99", "", 3},
              {"all_mean", "all mean", "µs", 3},
              {"all_p99", "p99", "", 3},
              {"hits", "hits"},
              {"contacts", "contacts"}}};
  if (!slow_courses.empty()) {
    Rivals fresh_and_coherent;
    for (auto& entrant : ours())
      if (!entrant->id().ends_with("-avx2") && !entrant->id().ends_with("-sse4"))
        fresh_and_coherent.push_back(std::move(entrant));
    for (const Course& course : slow_courses)
      for (Row& row :
           scores(context, {{"scene", course.name}, {"small_steps", 0.001}}, options, fresh_and_coherent, [&] {
             Flown same = fly(context, course);
             same.path =
                 small_steps(same.scene, 0.001, context.pick<std::size_t>(20, 4), context.pick<std::size_t>(200, 50));
             return same;
           }))
        slow.rows.push_back(std::move(row));
  }

  Table separated_distances{"separated",
                            "Distance of separated bodies, in stretches of consecutive poses",
                            {{"scene", "scene"},
                             {"rival", "rival"},
                             {"mean", "mean", "µs", 3},
                             {"median", "median", "", 3},
                             {"p99", "p99", "", 3},
                             {"max", "max", "", 3},
                             {"ratio", "/ ours", "", 3},
                             {"poses", "poses"},
                             {"wrong", "wrong"}}};
  separated_distances.notes.push_back(fmt::format(
      "Exact minimum distance, ours with both witness points; wall time of each pose, the smallest of up to three "
      "passes (one where a pass through the field takes longer than {:g} s: the nested spheres, where nearly all "
      "pairs are equally near and everybody has to look at most of them). Fresh queries know nothing of the last pose; "
      "coherent ones start from the pair of triangles nearest then. FCL's "
      "fcl::distance has no such start. Wrong: off by more than 1e-6 of the distance and the scene's size.",
      distance_seconds));
  Rivals measuring;
  for (auto& entrant : entrants) measuring.push_back(std::move(entrant));
  for (auto& entrant : for_distance_only) {
    who.rows.push_back({{"rival", entrant->name()}, {"settings", "as FCL OBBRSS; takes part in distance only"}});
    measuring.push_back(std::move(entrant));
  }
  for (const Course& course : courses) {
    const Course apart = for_distances(course);
    for (Row& row : distance_scores(context, apart, measuring, context.pick(3, 1)))
      separated_distances.rows.push_back(std::move(row));
  }

  std::vector<std::string> used;
  for (const Course& course : courses) used.emplace_back(course.scene);
  if (!settings.replaced()) report.stand_ins = scenes::stand_ins(used);
  report.tables.push_back(std::move(who));
  Table bars = judge_bars(all, slow.rows, context.as_published());
  judge_distance_bars(separated_distances.rows, context.as_published(), bars);
  report.findings = peers_findings(all, slow.rows, separated_distances.rows, bars);
  must_answer_alike(context, {&all, &slow.rows, &separated_distances.rows});
  report.tables.push_back(bars);
  report.tables.push_back(std::move(ratios));
  for (Table& table : tables) report.tables.push_back(std::move(table));
  if (!slow_courses.empty()) report.tables.push_back(std::move(slow));
  report.tables.push_back(std::move(separated_distances));
  if (measuring.size() > ours().size())
    for (const char* query : {"any", "all"}) report.plots.push_back(ratio_plot(all, query, flown));
}

}  // namespace

Experiment peers() {
  return {"peers",
          "The same scenes and poses through tumble and its rivals",
          "Question: how fast and how right are we, beside FCL, ODE, Bullet, CGAL and Embree?",
          "peers.cpp",
          run_peers,
          {.scenes = true, .rivals = true, .passes = true, .env = true, .object = true}};
}

}  // namespace tumble::lab
