// SPDX-License-Identifier: Apache-2.0
// What is certain after so much work: flights asked with ever larger budgets (Klosowski 1998, 5.2: ended early, the
// answer is "maybe", with a bound of how deep the bodies can be in each other).
#include "lab/contest.h"
#include "lab/experiments/all.h"
#include "scenes/stand_ins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace tumble::lab {
namespace {

/// Pairs of volumes a question may open.
std::vector<std::uint64_t> node_pairs(const Context& context) {
  if (context.quick()) return {1, 16, 256};
  return {0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096};
}

/// Evenly from the whole flight.
scenes::Flight some_of(const scenes::Flight& path, std::size_t most) {
  scenes::Flight some;
  const std::size_t count = std::min(most, path.size());
  for (std::size_t i = 0; i < count; ++i) some.push_back(path[i * path.size() / count]);
  return some;
}

Row asked_with(const Flown& flown, const scenes::Flight& poses, const std::vector<bool>& truth, const Trees& trees,
               std::uint64_t budget) {
  Pair pair(trees.environment, trees.object, {.coherent = Coherent::off});
  const Box box = bounding_box(flown.scene.object);
  const double size = length(box.upper - box.lower);
  std::size_t free = 0, colliding = 0, wrong = 0, bounded = 0;
  double deepest = 0, deep = 0, gap = 0;
  const double start = thread_seconds();
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const Certainty c = pair.start({}, poses[i], CollideRequest{}).run({.node_pairs = budget});
    free += c.verdict == Verdict::free;
    colliding += c.verdict == Verdict::colliding;
    wrong += (c.verdict == Verdict::free && truth[i]) || (c.verdict == Verdict::colliding && !truth[i]);
    if (c.verdict == Verdict::free) gap += c.lower / size;
    if (c.verdict != Verdict::unknown) continue;
    if (!std::isfinite(c.separation)) continue;
    ++bounded;
    deep += c.separation / size;
    deepest = std::max(deepest, c.separation / size);
  }
  const double seconds = thread_seconds() - start;
  const auto percent = [&](std::size_t n) {
    return 100.0 * static_cast<double>(n) / static_cast<double>(poses.size());
  };
  const std::size_t unknown = poses.size() - free - colliding;
  return {{"free", percent(free)},
          {"colliding", percent(colliding)},
          {"unknown", percent(unknown)},
          {"deep", bounded > 0 ? Json(deep / static_cast<double>(bounded)) : Json()},
          {"deepest", bounded > 0 ? Json(deepest) : Json()},
          {"gap", free > 0 ? Json(gap / static_cast<double>(free)) : Json()},
          {"us", seconds * 1e6 / static_cast<double>(poses.size())},
          {"wrong", wrong}};
}

}  // namespace

void budgets(Context& context, Report& report) {
  const std::vector<std::string> scenes = flights(context);
  const std::vector<std::uint64_t> limits = node_pairs(context);
  context.plan(scenes.size() * limits.size());
  Table table{"budgets",
              "What is certain of a pose after so many pairs of volumes; today's default trees, every question fresh",
              {{"scene", "flight"},
               {"budget", "node pairs"},
               {"free", "free", "%", 3},
               {"colliding", "colliding", "%", 3},
               {"unknown", "maybe", "%", 3},
               {"deep", "mean bound of depth where maybe", "object sizes", 3},
               {"deepest", "largest", "object sizes", 3},
               {"gap", "mean certain gap where free", "object sizes", 3},
               {"us", "time", "µs", 3}}};
  Plot plot{"maybe", "Poses of which nothing is certain yet", {"pairs of volumes opened", true}, {"% of the poses"}};
  std::string told;
  for (const std::string& scene : scenes) {
    const scenes::SceneOptions options = flight_options(context, scene);
    Series series{scene, {}, {}, static_cast<int>(plot.series.size())};
    std::uint64_t enough = 0;
    for (const std::uint64_t limit : limits) {
      const Row row = context.row({{"scene", scene}, {"budget", limit}}, to_json(options), [&] {
        const Flown& flown = context.scene(scene, options);
        const scenes::Flight poses = some_of(flown.path, context.pick<std::size_t>(500, 50));
        const Trees trees = build(flown, TreeOptions{});
        std::vector<bool> truth;
        Pair exact(trees.environment, trees.object);
        for (const Pose& pose : poses) truth.push_back(exact.collide({}, pose));
        return asked_with(flown, poses, truth, trees, limit);
      });
      context.must_hold(row.at("wrong") == 0, fmt::format("{}, {} node pairs: no verdict is wrong", scene, limit));
      if (enough == 0 && row.at("unknown").get<double>() <= 5) enough = limit;
      if (limit > 0) series.x.push_back(static_cast<double>(limit)), series.y.push_back(row.at("unknown"));
      table.rows.push_back(row);
    }
    plot.series.push_back(std::move(series));
    told += fmt::format("{}{} {}", told.empty() ? "" : ", ", scene,
                        enough > 0 ? cell_text(enough) : fmt::format("more than {}", cell_text(limits.back())));
  }
  table.grids = {{"Free, % of the poses", "scene", "budget", "free", false},
                 {"Colliding, % of the poses", "scene", "budget", "colliding", false},
                 {"Maybe, % of the poses", "scene", "budget", "unknown", false},
                 {"Where maybe: the mean bound of depth, in sizes of the object", "scene", "budget", "deep", false},
                 {"Where free: the mean certain gap, in sizes of the object", "scene", "budget", "gap", false},
                 {"Time per check, µs", "scene", "budget", "us", false}};
  table.notes = {
      "No verdict was wrong at any budget. A bound of depth is the translation that separates any one pair of volumes "
      "not opened yet. The size of the object is the diagonal of its box. A budget of node pairs, not of time, so that "
      "the figures are the same on every machine with this instruction set."};
  report.findings = {fmt::format("Node pairs after which at most one pose in twenty is still \"maybe\": {}.", told)};
  if (!context.settings().replaced()) report.stand_ins = scenes::stand_ins(scenes);
  report.stand_ins.push_back(
      fmt::format("The paper leaves this open and has no figures. Of each flight {} poses are asked, spread evenly.",
                  cell_text(context.pick(500, 50))));
  report.stand_ins.push_back(what_today_is());
  report.plots = {plot};
  report.tables = {table};
}

}  // namespace tumble::lab
