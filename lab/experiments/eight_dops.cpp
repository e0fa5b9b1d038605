// SPDX-License-Identifier: Apache-2.0
// Zachmann 1998, section 5.1 asks why 8-DOPs are slow between two identical objects at a distance. An 8-DOP has no slab
// across a coordinate axis: a set that is long and thin along one is the box's best case and the octahedron's worst. So
// turn the objects in their own coordinates, and see what becomes of the difference.
#include "lab/contest.h"
#include "lab/experiments/all.h"
#include "scenes/meshes.h"
#include "scenes/shapes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace tumble::lab {
namespace {

constexpr std::array ks{6, 8, 14};
constexpr std::array axes{"as given", "turned"};

struct Object {
  std::string name;
  Mesh (*make)(std::size_t triangles);  // null: the one in the settings
  std::size_t triangles;
};

/// Of zachmann1998, one of each kind.
std::vector<Object> objects(const Context& context) {
  if (context.settings().object) return {{"given", nullptr, 0}};
  std::vector<Object> all{{"lock", scenes::zachmann_lock, context.pick<std::size_t>(20'898, 3'392)},
                          {"door", scenes::zachmann_door, 3'391}};
  if (context.quick()) return all;
  all.push_back({"pipes", [](std::size_t n) { return scenes::pipes(n); }, 124'736});
  all.push_back({"car", [](std::size_t) { return scenes::zachmann_car(); }, 0});
  all.push_back({"tori 12,544", scenes::zachmann_torus, 12'544});
  all.push_back({"spheres 22,952", scenes::zachmann_sphere, 22'952});
  return all;
}

/// Beside itself at every distance, one turning.
Flown beside_itself(const Context& context, const Object& object) {
  Flown flown;
  flown.scene.env = flown.scene.object =
      scenes::fitted_to_cube(object.make ? object.make(object.triangles) : context.settings().object->mesh, 2);
  for (int i = context.pick(1, 4); i <= 12; i += context.pick(1, 4)) {
    const scenes::Flight turn = scenes::full_turn(0.2 * i, context.pick<std::size_t>(50, 10));
    flown.path.insert(flown.path.end(), turn.begin(), turn.end());
  }
  return flown;
}

/// No axis stays near a coordinate axis or a diagonal.
Mesh turned(Mesh mesh) {
  return scenes::placed(scenes::placed(std::move(mesh), scenes::turned(2, 0.09)), scenes::turned(0, 0.06));
}
Vec3 turned(Vec3 p) { return scenes::turned(0, 0.06) * (scenes::turned(2, 0.09) * p); }
Vec3 turned_back(Vec3 p) { return scenes::turned(2, -0.09) * (scenes::turned(0, -0.06) * p); }

/// The same scene in the world, with both bodies' own coordinates turned: the trees' axes are others, and nothing else.
Flown turned(const Flown& flown) {
  Flown out{flown.scene, {}};
  out.scene.env = turned(std::move(out.scene.env));
  out.scene.object = turned(std::move(out.scene.object));
  for (const Pose& pose : flown.path) {
    const auto map = [&](Vec3 p) { return turned(pose * turned_back(p)); };
    const Vec3 origin = map({0, 0, 0});
    const std::array<Vec3, 3> columns{map({1, 0, 0}) - origin, map({0, 1, 0}) - origin, map({0, 0, 1}) - origin};
    std::array<double, 12> rows{};
    for (int row = 0; row < 3; ++row) {
      const auto at = static_cast<std::size_t>(row) * 4;
      for (std::size_t c = 0; c < 3; ++c) rows[at + c] = columns[c][row];
      rows[at + 3] = origin[row];
    }
    out.path.push_back(Pose::from_rows(rows));
  }
  return out;
}

double cell(const Table& table, const std::string& object, const char* which, int k, const char* key) {
  for (const Row& row : table.rows)
    if (row.at("object") == object && row.at("axes") == which && row.at("k") == k) return row.at(key);
  return std::nan("");
}

/// One configuration on every object, with either axes and every k.
Table turn_all(Context& context, const std::vector<Object>& all, const std::string& name, const std::string& title,
               const Configuration& base) {
  Table table{name, title, {{"case", "object and axes"}, {"object", "object"}, {"axes", "axes"}, {"k", "k"}}};
  for (const Column& column : flight_columns())
    if (column.key != "contacts") table.columns.push_back(column);
  for (const Object& object : all)
    for (const char* which : axes)
      for (const int k : ks) {
        const Configuration configuration = base.with_k(k);
        Row row = context.row(
            {{"table", name}, {"object", object.name}, {"axes", which}, {"k", k}}, to_json(configuration), [&] {
              const Flown given = beside_itself(context, object);
              const Flown flown = which == std::string_view("turned") ? turned(given) : given;
              return to_row(measure(flown, configuration, Asked::any, {.seconds = 0, .passes = 2}), flown.path.size());
            });
        row["case"] = fmt::format("{}, {}", object.name, which);
        table.rows.push_back(std::move(row));
      }
  must_agree(context, table, {"case"}, {"colliding"});  // turned coordinates are rounded anew
  table.grids = {{"Overlap tests per check, Nv", "case", "k", "nv", false},
                 {"Triangle pairs per check, Np", "case", "k", "np", false},
                 {"Time per check, µs", "case", "k", "us", false}};
  table.notes = {
      "Two identical objects of size 2 at distances up to 2.4, one turning about z, as in zachmann1998; any contact; "
      "mean over all distances and rotations. Turned: both objects in their own coordinates, the poses accordingly."};
  return table;
}

/// What the rows say of one configuration, object by object.
std::vector<std::string> findings(const Table& table, const std::vector<Object>& all, const std::string& whose) {
  const auto against_6 = [&](const Object& object, const char* which) {
    return cell(table, object.name, which, 8, "nv") / cell(table, object.name, which, 6, "nv");
  };
  const auto by_turning = [&](const Object& object, int k) {
    return cell(table, object.name, "turned", k, "nv") / cell(table, object.name, "as given", k, "nv");
  };
  double log_6 = 0, log_8 = 0;
  std::vector<std::string> ratios, worse, taken_away, causes;
  for (const Object& object : all) {
    const double given = against_6(object, "as given"), after = against_6(object, "turned");
    ratios.push_back(fmt::format("{:.2f} on {} ({:.2f} turned)", given, object.name, after));
    if (given < 1.25) continue;
    worse.push_back(object.name);
    if (std::log(after) < std::log(given) / 2) taken_away.push_back(object.name);
    log_6 += std::log(by_turning(object, 6)), log_8 += std::log(by_turning(object, 8));
    causes.push_back(fmt::format("on {} turning changes 8-DOPs' tests by {:.2f}, 6-DOPs' by {:.2f}", object.name,
                                 by_turning(object, 8), by_turning(object, 6)));
  }
  std::vector<std::string> out{
      fmt::format("{}: 8-DOPs take, as multiples of 6-DOPs' overlap tests, {}.", whose, fmt::join(ratios, ", "))};
  if (worse.empty()) {
    out.push_back(fmt::format("{}: they are not much worse on any object, and there is nothing to explain.", whose));
    return out;
  }
  const bool all_of_them = taken_away.size() == worse.size();
  out.push_back(
      fmt::format("{}: where 8-DOPs take a quarter more tests or worse ({} of {}: {}), turning leaves at most the "
                  "square root of the "
                  "factor on {}{}: which way the slabs face is {}. In numbers: {}.",
                  whose, worse.size(), all.size(), fmt::join(worse, ", "),
                  all_of_them ? "all of them" : std::to_string(taken_away.size()),
                  taken_away.empty() || all_of_them ? std::string() : fmt::format(" ({})", fmt::join(taken_away, ", ")),
                  taken_away.empty() ? "not the reason"
                  : all_of_them      ? "the reason"
                                     : "the reason there, and not on the others",
                  fmt::join(causes, "; ")));
  const double boxes = std::exp(log_6 / static_cast<double>(worse.size())),
               octahedra = std::exp(log_8 / static_cast<double>(worse.size()));
  out.push_back(fmt::format(
      "{}: in the geometric mean over these objects turning changes 6-DOPs' tests by {:.2f} and 8-DOPs' by {:.2f}: the "
      "difference is {}.",
      whose, boxes, octahedra,
      boxes > 1 / octahedra ? "more the good luck of boxes along the objects' axes than the fault of octahedra"
                            : "more the fault of octahedra along the objects' axes than the good luck of boxes"));
  return out;
}

}  // namespace

void why_8_dops_are_slow(Context& context, Report& report) {
  const std::vector<Object> all = objects(context);
  context.plan(2 * all.size() * axes.size() * ks.size());
  const Table then = turn_all(context, all, "then", "Zachmann's configuration by k, objects as given and turned",
                              presets::zachmann1998);
  const Table now = turn_all(context, all, "now", "Today's trees and walk by k, objects as given and turned",
                             TreeOptions{.bound = Bound::dop});
  report.findings = findings(then, all, "Zachmann's configuration");
  std::ranges::copy(findings(now, all, "Today's trees and walk"), std::back_inserter(report.findings));
  for (const Table* table : {&then, &now}) {
    Plot plot{table->name,
              fmt::format("Overlap tests by k, as given and turned ({})",
                          table == &then ? "Zachmann's configuration" : "today's walk"),
              {"object"},
              {"Nv per check", true}};
    for (const Object& object : all)
      for (const char* which : axes) plot.categories.push_back(object.name + ", " + which);
    for (std::size_t i = 0; i < ks.size(); ++i) {
      Series series{fmt::format("{}-DOP", ks[i]), {}, {}, static_cast<int>(i)};
      for (const Object& object : all)
        for (const char* which : axes) series.y.push_back(cell(*table, object.name, which, ks[i], "nv"));
      plot.series.push_back(std::move(series));
    }
    report.plots.push_back(std::move(plot));
  }
  if (!context.settings().object)
    report.stand_ins.emplace_back(
        "The objects are those of the page zachmann1998, which says what stands in for what. Of each kind there is one "
        "size.");
  report.stand_ins.push_back(
      fmt::format("{} rotations at each of {} distances; the paper's turn has 2,000 (zachmann1998 flies those).",
                  context.pick(50, 10), context.pick(12, 3)));
  report.stand_ins.push_back(what_runs(presets::zachmann1998));
  report.tables = {then, now};
}

}  // namespace tumble::lab
