// SPDX-License-Identifier: Apache-2.0
// Lin 1996, Table 1 and Fig. 6: objects that fall, tumble and bounce, and a torpedo on its rollers. The simulation is
// ours (Dynamics); each method then answers for all contacts at the poses at which the simulation looked for them.
#include "lab/contest.h"
#include "lab/experiments/all.h"
#include "lab/film_strip.h"
#include "scenes/falling.h"
#include "scenes/hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tumble::lab {
namespace {

/// Table 1, and for the torpedo section 5: "a typical collision query time" of 100 ms.
struct Published {
  std::optional<double> contacts, box_tests, triangle_tests;
  double us = 0;  // a step
  std::optional<double> seconds{};
};
const std::map<std::string, Published> table_1{{"falling_pipes", {23'905, 1'704'187, 71'589, 4'200, 16.9}},
                                               {"falling_torus", {2'266, 1'055'559, 7'069, 6'900, 8.9}},
                                               {"torpedo", {{}, {}, {}, 100'000}}};

Row measure_fall(const Flown& flown, const Configuration& configuration, const Effort& effort) {
  const Measurement measured = measure(flown, configuration, Asked::all, effort);
  const auto steps = static_cast<double>(flown.path.size());
  return {{"env", flown.scene.env.triangles.size()},
          {"object", flown.scene.object.triangles.size()},
          {"steps", flown.path.size()},
          {"contacts", measured.contacts},
          {"nv", measured.counters.nv},
          {"np", measured.counters.np},
          {"us", measured.microseconds},
          {"seconds", measured.microseconds * steps * 1e-6},
          {"per_box_ns", measured.microseconds * steps * 1e3 / static_cast<double>(measured.counters.nv)},
          {"per_step", static_cast<double>(measured.contacts) / steps}};
}

/// Eight steps of a fall, seen from the side and a little from above.
Picture film_of(const scenes::SceneInfo& info, const scenes::SceneOptions& options) {
  const scenes::FallingScene scene = *scenes::make_falling(info.name, options);
  const std::vector<Frame> frames = spread(scenes::fall(scene).poses, 8);
  return {info.name, info.title, film_strip(scene.env, scene.object, frames, {0.3, 1, -0.35}, {0, 0, 1})};
}

/// The torus' number a step over the pipes' in RAPID's configuration, whose row is the first of a scene.
double torus_over_pipes(const Table& table, const std::string& key) {
  const auto a_step = [&](const char* scene) {
    const auto row =
        std::ranges::find(table.rows, scene, [](const Row& r) { return r.at("scene").get<std::string>(); });
    return row->at(key).get<double>() / row->at("steps").get<double>();
  };
  return a_step("falling_torus") / a_step("falling_pipes");
}

/// Section 5: of the torus "the average number of box tests per step" is "almost twice that of the pipes, even though
/// the number of contacts is much lower".
void missing_of_torus(const Table& table, Report& report) {
  const double tests = torus_over_pipes(table, "nv"), contacts = torus_over_pipes(table, "contacts");
  if (tests > 1.5 && tests < 2.5 && contacts < 0.5) return;
  report.not_reproduced.push_back(fmt::format(
      "the torus has 'almost twice' the pipes' box tests a step, 'even though the number of contacts is much lower' "
      "(section 5). Ours has {} times the box tests (published: {}) and {} times the contacts (published: {})",
      cell_text(tests, 2), cell_text(torus_over_pipes(table, published_key("nv")), 2), cell_text(contacts, 2),
      cell_text(torus_over_pipes(table, published_key("contacts")), 2)));
}

void run_falling(Context& context, Report& report) {
  const std::vector<std::pair<std::string, Configuration>> methods{{"RAPID's configuration", presets::rapid1996},
                                                                   {"today's default", TreeOptions{}}};
  Table table{
      "falls",
      "Table 1: all contacts at every step",
      {{"scene", "scene"}, {"method", "method"}, {"env", "environment"}, {"object", "object"}, {"steps", "steps"}}};
  for (const Column& column :
       {Column{"contacts", "contacts"}, Column{"nv", "box tests"}, Column{"np", "triangle tests"},
        Column{"us", "a step", "µs"}, Column{"seconds", "in all", "s"}})
    add_compared_columns(table.columns, column);
  table.columns.push_back({"per_box_ns", "a box test", "ns"});
  table.columns.push_back({"per_step", "contacts a step"});
  Table energy{"energy",
               "The simulation",
               {{"scene", "scene"},
                {"steps", "steps"},
                {"first", "energy at first", "", 6},
                {"most", "at most, of the first", "", 12},
                {"last", "in the end, of the first"},
                {"free", "steps without contact"},
                {"hash", "poses"}}};
  const std::vector<scenes::SceneInfo> all = scenes::list_falling();
  context.plan(all.size() * (methods.size() + 1));
  for (const scenes::SceneInfo& info : all) {
    scenes::SceneOptions options;
    if (context.quick()) options = {.triangles = 8'000, .steps = 150};
    const Row simulated = context.row({{"scene", info.name}, {"what", "simulation"}}, to_json(options), [&] {
      const scenes::Fall fall = scenes::fall(*scenes::make_falling(info.name, options));
      return Row{{"steps", fall.poses.size()},
                 {"first", fall.energy.front()},
                 {"most", *std::ranges::max_element(fall.energy) / fall.energy.front()},
                 {"last", fall.energy.back() / fall.energy.front()},
                 {"free", std::ranges::count(fall.contacts, std::size_t{0})},
                 {"contacts", std::ranges::count_if(fall.contacts, [](std::size_t n) { return n > 0; })},
                 {"hash", fmt::format("{:016x}", scenes::hash(fall.poses))}};
    });
    context.must_hold(simulated.at("most").get<double>() <= 1.001,
                      info.name + ": the energy is never more than 0.1 % above its first value");
    energy.rows.push_back(simulated);
    report.pictures.push_back(film_of(info, options));
    const Published& published = table_1.at(info.name);
    for (const auto& each : methods) {  // clang 14 cannot capture its parts by name
      const std::string& method = each.first;
      Row row = context.row({{"scene", info.name}, {"method", method}}, to_json(options), [&] {
        return measure_fall(context.scene(info.name, options), each.second, context.effort());
      });
      const bool rapid = context.as_published() && method == methods.front().first;
      const auto of_rapid = [&](std::optional<double> value) { return rapid ? value : std::nullopt; };
      compare(row, "contacts", of_rapid(published.contacts));
      compare(row, "nv", of_rapid(published.box_tests));
      compare(row, "np", of_rapid(published.triangle_tests));
      compare(row, "us", of_rapid(published.us));
      compare(row, "seconds", of_rapid(published.seconds));
      table.rows.push_back(row);
    }
  }
  must_agree(context, table, {"scene"}, {"contacts"});
  for (std::size_t i = 0; i + 1 < table.rows.size(); i += 2) {
    const Row &rapid = table.rows[i], &ours = table.rows[i + 1];
    report.findings.push_back(
        fmt::format("{}: {} contacts, {} box tests and {} tests of triangles a step in RAPID's configuration; a step "
                    "takes {} µs, and {} µs with today's default.",
                    rapid.at("scene").get<std::string>(), cell_text(rapid.at("per_step"), 3),
                    cell_text(rapid.at("nv").get<double>() / rapid.at("steps").get<double>(), 3),
                    cell_text(rapid.at("np").get<double>() / rapid.at("steps").get<double>(), 3),
                    cell_text(rapid.at("us"), 3), cell_text(ours.at("us"), 3)));
  }
  report.findings.emplace_back(
      "The paper does not say how strong its gravity is, how bodies bounce or where they start, so its paths are not "
      "ours: counts depend on how long the object lies on something, and on how long it flies free close to it.");
  for (const Row& row : table.rows)
    for (const auto& [key, what] : {std::pair{"contacts", "contacts"}, {"nv", "box tests"}, {"np", "triangle tests"}})
      if (const Json& ratio = row.at(ratio_key(key));
          ratio.is_number() && (ratio.get<double>() < 1 / 1.5 || ratio.get<double>() > 1.5))
        report.not_reproduced.push_back(fmt::format("{} of {}: {} for the published {}", what,
                                                    row.at("scene").get<std::string>(), cell_text(row.at(key)),
                                                    cell_text(row.at(published_key(key)))));
  if (context.as_published()) missing_of_torus(table, report);
  report.stand_ins = {
      "Pipes, torus and landscape are our stand-ins of the published sizes (98,000 triangles for the landscape); the "
      "torpedo and its pivot are generated with the published numbers of triangles; none of the paper's models is "
      "public.",
      "The simulation is ours. The paper says that gravity acts toward the middle of the large pipes, that the object "
      "is 15 times smaller, and how many steps pipes and torus take. Starts, gravity's strength, materials and the "
      "torpedo's steps are ours, chosen by eye (scenes/falling.cpp): lively enough that objects bounce for most of the "
      "way, slow enough that a step is small beside a pipe. Every method answers at the same poses, those at which the "
      "simulation looked for contacts.",
      what_rapid_is(), how_it_walks(), what_today_is()};
  table.notes.emplace_back(
      "Published times are of a 90 MHz R8000, for the torpedo of a 200 MHz R4400, where 100 ms is 'a typical collision "
      "query time'. Our time of a box test is the whole time over the box tests. The paper's table has 7.9 µs for "
      "pipes and 7.3 µs for the torus; its whole time over its box tests is 9.9 and 8.4 µs. It has 6.0 and 1.7 "
      "contacts a step.");
  report.tables = {std::move(table), std::move(energy)};
}

}  // namespace

Experiment lin1996() {
  return {"lin1996",
          "Objects that fall, tumble and bounce",
          "Lin 1996, section 5, Table 1 and Fig. 6",
          "lin_falling.cpp",
          run_falling,
          {}};
}

}  // namespace tumble::lab
