// SPDX-License-Identifier: Apache-2.0
// The questions the papers raise and leave open, each a contest on the papers' flights with one choice varied.
#include "bounds/directions.h"
#include "lab/contest.h"
#include "lab/experiments/all.h"
#include "scenes/random.h"

#include <tumble/model.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace tumble::lab {
namespace {

Configuration paper() { return presets::klosowski1998; }
Configuration today() { return TreeOptions{.bound = Bound::dop}; }

/// A base with one thing changed in both trees.
Configuration with(Configuration base, const std::function<void(TreeOptions&)>& change) {
  change(base.environment);
  change(base.object);
  return base;
}
Configuration with_pair(Configuration base, const std::function<void(PairOptions&)>& change) {
  change(base.pair);
  return base;
}

/// Holds one contest and reports it; `compared` are the variants told against the baseline, in the columns named.
/// `more` rows will follow.
void study(Context& context, Report& report, const Contest& contest,
           const std::vector<std::pair<std::string, std::vector<std::string>>>& compared, const std::string& title,
           std::size_t of_contests = 1, std::size_t more = 0) {
  context.plan(of_contests * contest.rows(context) + more);
  const Table table = hold(context, contest);
  const std::string of = of_contests > 1 ? contest.title + ". " : "";
  report.findings.push_back(of + fastest(contest, table));
  report.findings.push_back(ranking(contest, table));
  const auto noun = [](const std::string& key) {
    return key == "us"         ? "the time"
           : key == "nv"       ? "overlap tests"
           : key == "np"       ? "triangle pairs"
           : key == "build_ms" ? "build time"
                               : key;
  };
  for (const auto& [variant, keys] : compared)
    for (const std::string& key : keys)
      report.findings.push_back(against_baseline(contest, table, variant, key, noun(key)));
  report.plots.push_back(bars(contest, table, "relative",
                              fmt::format("{}: time relative to {}", title, label(contest, contest.baseline)),
                              "relative time"));
  report.plots.push_back(bars(contest, table, "nv", title + ": overlap tests", "Nv per check", true));
  report.tables.push_back(table);
  disclose_flights(context, contest, table, report);
}

void more_k(Context& context, Report& report) {
  Contest contest{"k", "The paper's configuration with every k, all contacts", "k", flights(context), {}, "18-DOP"};
  for (const int k : listed_k) contest.variants.push_back({fmt::format("{}-DOP", k), paper().with_k(k)});
  study(context, report, contest, {{"50-DOP", {"us", "nv", "np"}}, {"98-DOP", {"us", "nv", "np"}}}, "Number of planes");
}

void split_axes(Context& context, Report& report) {
  Contest contest{"axes",      "18-DOPs, longest side at the mean, axes to choose from", "axes", flights(context), {},
                  "coordinate"};
  for (const Axes axes : {Axes::coordinate, Axes::all, Axes::box})
    contest.variants.push_back(
        {name(axes), with(paper(), [axes](TreeOptions& t) { t.split = Split::longest_side, t.axes = axes; })});
  study(context, report, contest, {{"all", {"us", "nv"}}, {"box", {"us", "nv"}}}, "Split axes");
}

void pivots(Context& context, Report& report) {
  Contest contest{"pivots", "18-DOPs, splatter, by where the axis is cut", "pivot", flights(context), {}, "mean"};
  for (const Pivot pivot : {Pivot::mean, Pivot::median, Pivot::midpoint, Pivot::sampled, Pivot::best})
    contest.variants.push_back({name(pivot), with(paper(), [pivot](TreeOptions& t) { t.pivot = pivot; })});
  study(context, report, contest, {{"sampled", {"us", "nv", "build_ms"}}, {"best", {"us", "nv", "build_ms"}}},
        "Pivots");
}

void construction(Context& context, Report& report) {
  Contest contest{"build",
                  "18-DOPs, trees from the whole down and from the triangles up",
                  "construction",
                  flights(context),
                  {},
                  "splatter, top down"};
  contest.variants = {{"splatter, top down", paper()},
                      {"binned, top down", with(paper(), [](TreeOptions& t) { t.split = Split::binned; })},
                      {"far pair, top down", with(paper(), [](TreeOptions& t) { t.split = Split::far_pair; })},
                      {"bottom up", with(paper(), [](TreeOptions& t) { t.build = Build::bottom_up; })}};
  study(context, report, contest,
        {{"bottom up", {"us", "nv", "build_ms"}}, {"binned, top down", {"us", "nv", "build_ms"}}}, "Construction");
}

void arities(Context& context, Report& report) {
  Contest contest{"arity", "18-DOPs with today's defaults by children per node", "arity", flights(context), {}, "2"};
  for (const int arity : {2, 3, 4, 8})
    contest.variants.push_back({std::to_string(arity), with(today(), [arity](TreeOptions& t) { t.arity = arity; })});
  study(context, report, contest, {{"8", {"us", "nv"}}}, "Arity");
  report.stand_ins.emplace_back(
      "The paper has no figures of this. One of its reasons for binary trees is the work on a way from root to leaf, "
      "in which the two prints differ: (d - 1) log n / log d for d children in one, least for d = 2; d log n / log d "
      "in the other, least for d = 3, though that print says 2. Neither has tests that are made eight at a time.");
}

void leaves(Context& context, Report& report) {
  for (const Bound bound : {Bound::dop, Bound::obb}) {
    const bool dops = bound == Bound::dop;
    Contest contest{
        dops ? "leaves" : "leaves-obb",
        fmt::format("{} with today's defaults by triangles per leaf; auto: the cost model's choice per node",
                    dops ? "18-DOPs" : "OBBs"),
        "leaf size",
        flights(context),
        {},
        "1"};
    for (const int size : {1, 2, 4, 8, 16, 40, 0})
      contest.variants.push_back(
          {size == 0 ? "auto" : std::to_string(size), TreeOptions{.bound = bound, .leaf_size = size}});
    study(context, report, contest, {{"auto", {"us", "nv", "np"}}, {"4", {"us", "nv", "np"}}},
          dops ? "Leaf threshold of 18-DOPs" : "Leaf threshold of OBBs", 2);
  }
}

/// The volumes of a tree, by how deep one looks.
struct Volumes {
  double root = 0, hierarchy = 0;  // the whole object's; the sum of all
};
Volumes volumes_of(const Mesh& mesh, const TreeOptions& options) {
  const TreeStatistics tree = statistics(Model(mesh, options));
  Volumes volumes{tree.volume_at_depth.front(), 0};
  for (const double volume : tree.volume_at_depth) volumes.hierarchy += volume;
  return volumes;
}

/// Any orientation, all equally likely: a unit quaternion from a point in the ball.
Pose random_turn(scenes::Random& random) {
  for (;;) {
    const double w = random.between(-1, 1), x = random.between(-1, 1), y = random.between(-1, 1),
                 z = random.between(-1, 1);
    const double square = w * w + x * x + y * y + z * z, size = std::sqrt(square);
    if (square > 0.01 && square <= 1) return Pose::from_quaternion(w / size, x / size, y / size, z / size, {});
  }
}

/// Of the flying trees: the paper asks for the orientation of the initial flying hierarchy. Besides the one our search
/// finds, which looks at the root and a sample of the leaves, the least of many random ones, for which a tree each is
/// built.
Table volumes_by_orientation(Context& context, const Contest& contest, Report& report) {
  const int tries = context.pick(64, 8);
  Table table{"volumes",
              "Volume of the flying object's root and of its whole hierarchy, relative to the tree as given",
              {{"scene", "flight"},
               {"turned_root", "root, turned", "", 3},
               {"turned", "hierarchy, turned", "", 3},
               {"best_root", "root, smallest root of random turns", "", 3},
               {"best", "hierarchy, smallest hierarchy of random turns", "", 3},
               {"root_of_best", "root of that turn", "", 3},
               {"hierarchy_of_best_root", "hierarchy of the smallest root", "", 3}}};
  std::size_t smaller = 0, won = 0, agree = 0;
  for (const std::string& scene : contest.scenes) {
    const scenes::SceneOptions options = flight_options(context, scene);
    const Row row = context.row({{"scene", scene}, {"what", "volumes"}}, {to_json(options), tries}, [&] {
      const Mesh& object = context.scene(scene, options).scene.object;
      TreeOptions tree = paper().object;
      const Volumes given = volumes_of(object, tree);
      tree.paper.orient = true;
      const Volumes turned = volumes_of(object, tree);
      tree.paper.orient = false;
      Volumes least_root = given, least = given;
      scenes::Random random(1);
      for (int i = 0; i < tries; ++i) {
        Mesh copy = object;
        const Pose turn = random_turn(random);
        for (Vec3& v : copy.vertices) v = turn * v;
        const Volumes here = volumes_of(copy, tree);
        if (here.root < least_root.root) least_root = here;
        if (here.hierarchy < least.hierarchy) least = here;
      }
      return Row{{"turned_root", turned.root / given.root},
                 {"turned", turned.hierarchy / given.hierarchy},
                 {"best_root", least_root.root / given.root},
                 {"best", least.hierarchy / given.hierarchy},
                 {"root_of_best", least.root / given.root},
                 {"hierarchy_of_best_root", least_root.hierarchy / given.hierarchy}};
    });
    smaller += row.at("turned").get<double>() < 1;
    if (row.at("best").get<double>() < 1) {
      ++won;
      agree += row.at("hierarchy_of_best_root") == row.at("best");
    }
    table.rows.push_back(row);
  }
  std::string told = fmt::format(
      "The hierarchy's volume, not only the root's: our search makes it smaller on {} of {} flights, one of {} random "
      "turns on {}.",
      smaller, table.rows.size(), tries, won);
  if (won > 0)
    told += fmt::format(
        " Where a random turn wins, the one with the smallest root also has the smallest hierarchy on {} of {}.", agree,
        won);
  report.findings.push_back(std::move(told));
  table.notes = {fmt::format("Flying trees of the paper's configuration; {} random turns, seed 1, and none.", tries)};
  return table;
}

void orientation(Context& context, Report& report) {
  Contest contest{"orientation", "18-DOPs of trees as given and turned to be tight", "axes", flights(context), {},
                  "as given"};
  contest.variants = {{"as given", paper()}, {"turned", with(paper(), [](TreeOptions& t) { t.paper.orient = true; })}};
  study(context, report, contest, {{"turned", {"us", "nv", "np"}}}, "Orientation of the trees", 1,
        contest.scenes.size());
  report.stand_ins.emplace_back(
      "The paper asks for the best orientation of the flying hierarchy only, by total volume or by the efficiency of "
      "checks. Here both trees are turned in the contest, each by a search for small surfaces of its root and of a "
      "sample of its triangles; the table of volumes has the flying tree alone.");
  report.tables.push_back(volumes_by_orientation(context, contest, report));
}

void climbing(Context& context, Report& report) {
  Contest contest{"levels", "18-DOPs of the paper by levels with hulls to climb; 0: B-rep vertices everywhere",
                  "levels", flights(context),
                  {},       "1"};
  contest.variants.push_back({"0", with_pair(paper(), [](PairOptions& p) { p.realign = Realign::brep_vertices; })});
  for (const int levels : {1, 2, 3, 4, 6})
    contest.variants.push_back({std::to_string(levels), with_pair(paper(), [levels](PairOptions& p) {
                                  p.paper.hill_climbing_levels = levels;
                                })});
  study(context, report, contest, {{"0", {"us", "nv"}}, {"2", {"us", "nv"}}, {"4", {"us", "nv"}}}, "Hill climbing");
}

void descents(Context& context, Report& report) {
  Contest contest{"descent", "18-DOPs of the paper by which tree is descended",
                  "descent", flights(context),
                  {},        "environment_first"};
  for (const Descend d : {Descend::environment_first, Descend::restart, Descend::both, Descend::larger_first})
    contest.variants.push_back({name(d), with_pair(paper(), [d](PairOptions& p) { p.descend = d; })});
  study(context, report, contest, {{"restart", {"us", "nv"}}, {"larger_first", {"us", "nv"}}}, "Descent");
  constexpr double published = 1.2;
  std::string above;
  for (const Row& row : report.tables.front().rows)
    if (const double ratio = row.at("relative"); row.at("variant") == "restart" && ratio > published)
      above += fmt::format("{}{:.2f} times as long on {}", above.empty() ? "" : ", ", ratio,
                           row.at("scene").get<std::string>());
  if (context.as_published() && !above.empty())
    report.not_reproduced.insert(
        report.not_reproduced.begin(),
        fmt::format("restarting costs up to 10 to 20 % of the time, and now and then saves about 5 %. Ours takes {}",
                    above));
  report.stand_ins.emplace_back(
      "restart: taken literally, the paper's variant restarts a flying node's children once for every leaf of the "
      "environment that the node overlaps. That finds every contact as often, and multiplies the work at every level, "
      "so it cannot be what cost 10 to 20 %. Ours gives a flying node up at its first overlapping leaf and restarts "
      "its children at the environment's root once. tests/query/restart_test.cpp has both.");
  report.stand_ins.emplace_back(
      "Of two volumes that overlap, environment_first opens the environment's until that is a leaf, as Klosowski 1998 "
      "does; both opens both, as Zachmann 1998 does; larger_first opens the larger one.");
}

void hot_start(Context& context, Report& report) {
  Contest contest{"coherence", "Today's trees, each query fresh or from where the last one ended; any contact",
                  "start",     flights(context),
                  {},          "18-DOP, fresh",
                  Asked::any};
  for (const auto& [title, coherent] :
       {std::pair{"fresh", Coherent::off}, {"hot", Coherent::on}, {"automatic", Coherent::automatic}})
    contest.variants.push_back(
        {fmt::format("18-DOP, {}", title), with_pair(today(), [c = coherent](PairOptions& p) { p.coherent = c; })});
  for (const auto& [title, coherent] : {std::pair{"fresh", Coherent::off}, {"hot", Coherent::on}})
    contest.variants.push_back(
        {fmt::format("OBB, {}", title),
         with_pair(TreeOptions{.bound = Bound::obb}, [c = coherent](PairOptions& p) { p.coherent = c; })});
  contest.variants.push_back({"the default (OBB, automatic)", TreeOptions{}});
  study(context, report, contest,
        {{"18-DOP, hot", {"us", "nv"}},
         {"18-DOP, automatic", {"us", "nv"}},
         {"OBB, fresh", {"us", "nv"}},
         {"the default (OBB, automatic)", {"us", "nv"}}},
        "Hot start");
  report.stand_ins.emplace_back(
      "The paper leaves a hot start to future work and has no figures. fresh: every check starts from the roots; hot: "
      "from the front of the last one, that is the pairs of volumes at which it ended; automatic: from there where "
      "bodies have moved so little that it pays.");
}

void worst_step(Context& context, Report& report) {
  const std::vector<std::string> scenes = flights(context);
  const std::vector<std::pair<std::string, Configuration>> configurations{{"18-DOP of the paper", paper()},
                                                                          {"18-DOP today", today()},
                                                                          {"OBB today", TreeOptions{}},
                                                                          {"RAPID", presets::rapid1996}};
  context.plan(scenes.size() * configurations.size());
  Table table{"worst",
              "The worst step of each flight, all contacts",
              {{"scene", "flight"},
               {"variant", "configuration"},
               {"mean", "mean", "µs", 3},
               {"p99", "99th percentile", "µs", 3},
               {"max", "max", "µs", 3},
               {"peak", "max / mean", "", 3},
               {"nv", "Nv"},
               {"nu", "Nu"},
               {"np", "Np"}}};
  Plot plot{"worst", "Worst step over mean step", {"flight"}, {"max / mean", true}, {}, scenes};
  for (std::size_t c = 0; c < configurations.size(); ++c)
    plot.series.push_back({configurations[c].first, {}, {}, static_cast<int>(c)});
  std::string told;
  for (const std::string& scene : scenes)
    for (std::size_t c = 0; c < configurations.size(); ++c) {
      const auto& [title, configuration] = configurations[c];
      const scenes::SceneOptions options = flight_options(context, scene);
      const Row row = context.row(
          {{"scene", scene}, {"variant", title}}, {to_json(options), to_json(configuration)}, [&, how = configuration] {
            Effort effort = context.quick() ? context.effort() : Effort{.seconds = 0.5, .passes = 3};
            effort.each_step = true;
            const Flown& flown = context.scene(scene, options);
            const Measurement measured = measure(flown, how, Asked::all, effort);
            std::vector<double> us = measured.step_us;
            std::ranges::sort(us);
            double mean = 0;
            for (const double t : us) mean += t / static_cast<double>(us.size());
            Row out = to_row(measured, flown.path.size());
            out.update({{"mean", mean},
                        {"p99", us[us.size() - 1 - us.size() / 100]},
                        {"max", us.back()},
                        {"peak", us.back() / mean}});
            return out;
          });
      plot.series[c].y.push_back(row.at("peak"));
      table.rows.push_back(row);
      if (title == "OBB today")
        told += fmt::format("{}{} {:.0f} µs ({:.0f} times the mean)", told.empty() ? "" : ", ", scene,
                            row.at("max").get<double>(), row.at("peak").get<double>());
    }
  must_agree(context, table, {"scene"}, {"contacts", "colliding"});
  table.grids = {{"Longest step, µs", "variant", "scene", "max", false},
                 {"Longest over mean", "variant", "scene", "peak", false},
                 {"99th percentile, µs", "variant", "scene", "p99", false}};
  report.findings = {"The longest step of each flight with today's OBBs: " + told + ".",
                     "By the clock, each step's smallest time of several passes: what other programs add is mostly "
                     "gone, but a longest step remains the least certain figure of a flight."};
  report.plots = {plot};
  report.tables = {table};
  Contest contest{table.name, table.title, "configuration", scenes, {}, configurations.front().first};
  for (const auto& [title, configuration] : configurations) contest.variants.push_back({title, configuration});
  disclose_flights(context, contest, table, report);
}

}  // namespace

std::vector<Experiment> studies() {
  return {{"study-k", "K beyond 26", "Klosowski 1998, 3.3.3: larger k left to future work", "studies.cpp", more_k,
           takes_flights},
          {"study-axes", "Splitting along all k/2 directions, or the box's own", "Klosowski 1998, 3.3.4", "studies.cpp",
           split_axes, takes_flights},
          {"study-pivot", "Mean, median, middle, and the best of some or all places to split", "Klosowski 1998, 3.3.4",
           "studies.cpp", pivots, takes_flights},
          {"study-build", "Bottom-up against top-down construction", "Klosowski 1998, 3.3.2: left to future work",
           "studies.cpp", construction, takes_flights},
          {"study-arity", "Two, three, four or eight children", "Klosowski 1998, 3.3.1: left to future work",
           "studies.cpp", arities, takes_flights},
          {"study-leaf", "The leaf threshold, fixed or by the cost model", "Klosowski 1998, 4.3: an open problem",
           "studies.cpp", leaves, takes_flights},
          {"study-orient", "An optimal orientation of the trees", "Klosowski 1998, 4.1: a research question",
           "studies.cpp", orientation, takes_flights},
          {"study-order", "The order in which intervals are compared",
           "Klosowski 1998, 4.4: a question for further study", "interval_order.cpp", interval_order},
          {"study-climb", "Hill climbing on more levels than the root", "Klosowski 1998, 4.1: slower, they found",
           "studies.cpp", climbing, takes_flights},
          {"study-restart", "Restarting at the environment's root, and other descents",
           "Klosowski 1998, 4.2; Zachmann 1998, 3", "studies.cpp", descents, takes_flights},
          {"study-hot", "A hot start from the last query's front", "Klosowski 1998, 6: future work", "studies.cpp",
           hot_start, takes_flights},
          {"study-worst", "The worst step of a flight", "Klosowski 1998, 5.2: bounding it left to future work",
           "studies.cpp", worst_step, takes_flights},
          {"study-budget", "Answers within a budget: free, colliding or maybe",
           "Klosowski 1998, 5.2: an early end and its bound of penetration, left open", "budgets.cpp", budgets,
           takes_flights},
          {"study-8dop",
           "Why 8-DOPs are slow",
           "Zachmann 1998, 5.1: not clear to the author",
           "eight_dops.cpp",
           why_8_dops_are_slow,
           {.object = true}}};
}

}  // namespace tumble::lab
