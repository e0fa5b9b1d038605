// SPDX-License-Identifier: Apache-2.0
// Ratios of ratios: every row holds its time over tumble OBB's on the same poses.
#include "lab/experiments/peers_bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace tumble::lab {
namespace {

const std::vector<std::string> families{"pipes",    "torus",        "airplane",    "swept",
                                        "interior", "spheres 0.01", "two tori 1.5"};
const std::vector<std::string> without_spheres{"pipes", "torus", "airplane", "swept", "interior", "two tori 1.5"};
const std::vector<std::string> billiards{"pipes", "torus", "airplane"};

const std::vector<std::string> fcl_debian{"fcl-obb", "fcl-obbrss"}, fcl_float{"fcl-float-obb", "fcl-float-obbrss"};

class Results {
 public:
  explicit Results(const std::vector<Row>& rows) : rows_(rows) {}

  std::optional<double> value(const std::string& scene, const std::string& id, const std::string& key) const {
    for (const Row& row : rows_)
      if (row["scene"] == scene && row["id"] == id && row.contains(key) && row[key].is_number())
        return row[key].get<double>();
    return std::nullopt;
  }
  /// How many times as long as `ours` the best of the rivals takes; all of them must be there.
  std::optional<double> speedup(const std::string& scene, const std::vector<std::string>& rivals,
                                const std::string& ours, const std::string& key) const {
    std::optional<double> best, own = value(scene, ours, key);
    for (const std::string& rival : rivals) {
      const std::optional<double> one = value(scene, rival, key);
      if (!one) return std::nullopt;
      best = best ? std::min(*best, *one) : one;
    }
    return best && own ? std::optional(*best / *own) : std::nullopt;
  }

 private:
  const std::vector<Row>& rows_;
};

struct Summary {
  double geometric_mean = 0, worst = 0;
  std::string worst_scene;
};

/// None if a scene is missing.
template <class PerScene>
std::optional<Summary> summarize(const std::vector<std::string>& scenes, const PerScene& per_scene) {
  Summary all;
  double logs = 0;
  for (const std::string& scene : scenes) {
    const std::optional<double> one = per_scene(scene);
    if (!one) return std::nullopt;
    logs += std::log(*one);
    if (all.worst_scene.empty() || *one < all.worst) all.worst = *one, all.worst_scene = scene;
  }
  all.geometric_mean = std::exp(logs / static_cast<double>(scenes.size()));
  return all;
}

/// Every flight on which starting from the last query takes a percent or more longer than starting afresh.
std::string coherent_losses(const std::vector<Row>& rows, const std::vector<Row>& small_steps,
                            const std::vector<Row>& distances) {
  std::string losses;
  const auto add = [&losses](const std::vector<Row>& measured, const std::string& query, const std::string& key,
                             const char* steps) {
    const Results results(measured);
    for (const Row& row : measured)
      if (const std::string id = row["id"]; id.ends_with("-coherent")) {
        const std::string scene = row["scene"], fresh = id.substr(0, id.rfind('-'));
        const std::optional<double> gain = results.speedup(scene, {fresh}, id, key);
        if (gain && 1 / *gain >= 1.01)
          losses += fmt::format("{}{} {} {:.2f}{} ({})", losses.empty() ? "" : ", ", scene, query, 1 / *gain, steps,
                                fresh == "tumble-obb" ? "OBB" : "18-DOP");
      }
  };
  add(rows, "any", "any_ratio", "");
  add(rows, "all", "all_ratio", "");
  add(small_steps, "any", "any_ratio", " in small steps");
  add(small_steps, "all", "all_ratio", " in small steps");
  add(distances, "distance", "ratio", "");
  return losses;
}

}  // namespace

Table judge_bars(const std::vector<Row>& rows, const std::vector<Row>& small_steps, bool judged) {
  Table table{"bars",
              "Targets that we set ourselves: times of the others divided by ours",
              {{"bar", "target"},
               {"required", "at least", "", 3},
               {"measured", "measured", "", 3},
               {"where", "where"},
               {"verdict", "verdict"}}};
  const Results results(rows), slow(small_steps);
  const auto add = [&](std::string bar, double required, std::optional<double> measured, std::string where) {
    const char* verdict = !measured               ? "not measured"
                          : !judged               ? "not judged"
                          : *measured >= required ? "met"
                                                  : "MISSED";
    table.rows.push_back({{"bar", std::move(bar)},
                          {"required", required > 0 ? Json(required) : Json()},
                          {"measured", measured ? Json(*measured) : Json()},
                          {"where", std::move(where)},
                          {"verdict", required > 0 ? Json(verdict) : Json()}});
  };
  const auto mean_bar = [&](const std::string& title, double required, const std::vector<std::string>& scenes,
                            const auto& per_scene) {
    const std::optional<Summary> s = summarize(scenes, per_scene);
    add(title, required, s ? std::optional(s->geometric_mean) : std::nullopt,
        s ? fmt::format("geometric mean; least {:.3g} on {}", s->worst, s->worst_scene) : "");
  };
  const auto worst_bar = [&](const std::string& title, double required, const std::vector<std::string>& scenes,
                             const auto& per_scene) {
    const std::optional<Summary> s = summarize(scenes, per_scene);
    add(title, required, s ? std::optional(s->worst) : std::nullopt, s ? s->worst_scene : "");
  };
  const auto over = [&](const std::vector<std::string>& rivals, const std::string& ours, const std::string& key) {
    return
        [&results, rivals, ours, key](const std::string& scene) { return results.speedup(scene, rivals, ours, key); };
  };

  const std::string fcl = "FCL's better of OBB and OBBRSS (double, Debian)";
  struct Query {
    const char* name;
    double mean, each, far, dop, in_float;
  };
  for (const Query& q : {Query{"any", 15, 7, 40, 12, 7}, Query{"all", 20, 10, 50, 15, 9}}) {
    const std::string key = std::string(q.name) + "_ratio";
    mean_bar(fmt::format("{}: tumble OBB over {}", q.name, fcl), q.mean, families, over(fcl_debian, "tumble-obb", key));
    worst_bar(fmt::format("{}: the same, every scene", q.name), q.each, families, over(fcl_debian, "tumble-obb", key));
    mean_bar(fmt::format("{}: the same, the far target", q.name), q.far, families, over(fcl_debian, "tumble-obb", key));
    mean_bar(fmt::format("{}: tumble 18-DOP over the same, without spheres", q.name), q.dop, without_spheres,
             over(fcl_debian, "tumble-dop18", key));
    mean_bar(fmt::format("{}: tumble OBB over FCL in float for x86-64-v4", q.name), q.in_float, families,
             over(fcl_float, "tumble-obb", key));
    for (const char* set : {"avx2", "sse4"})
      mean_bar(fmt::format("{}: tumble OBB limited to {} over {}", q.name, set, fcl), 0, families,
               over(fcl_debian, std::string("tumble-obb-") + set, key));
  }
  worst_bar("build: tumble OBB over FCL OBBRSS, one thread, every scene", 3, families,
            over({"fcl-obbrss"}, "tumble-obb", "build_ms"));
  worst_bar("build: tumble 18-DOP over FCL OBBRSS, one thread, every scene", 6, families,
            over({"fcl-obbrss"}, "tumble-dop18", "build_ms"));
  for (const char* bound : {"tumble-obb", "tumble-dop18"}) {
    const std::string fresh = bound, coherent = fresh + "-coherent";
    mean_bar(fmt::format("any: {} coherent over fresh, small steps", fresh), 3, billiards,
             [&](const std::string& scene) { return slow.speedup(scene, {fresh}, coherent, "any_ratio"); });
    worst_bar(fmt::format("any: {} coherent over fresh, billiard flights", fresh), 0.95, billiards,
              over({fresh}, coherent, "any_ratio"));
  }
  std::size_t differences = 0;
  for (const std::vector<Row>* part : {&rows, &small_steps})
    for (const Row& row : *part)
      if (row["id"].get<std::string>().starts_with("tumble"))
        differences +=
            row["wrong"].get<std::size_t>() + row["missed"].get<std::size_t>() + row["invented"].get<std::size_t>();
  table.notes.push_back(
      fmt::format("Answers of tumble that differ between bounds, instruction sets or coherence: {}.", differences));
  if (!judged) table.notes.push_back("At reduced sizes (--quick) and with other meshes nothing is judged.");
  return table;
}

void judge_distance_bars(const std::vector<Row>& rows, bool judged, Table& bars) {
  const Results results(rows);
  const std::vector<std::string> flights{"pipes",    "torus",        "airplane",    "swept",
                                         "interior", "spheres 0.01", "two tori 2.5"};
  const std::vector<std::string> fcl{"fcl-rss", "fcl-obbrss"};
  const auto add = [&](const std::string& bar, double required, const std::vector<std::string>& scenes,
                       const std::string& ours, bool worst) {
    const std::optional<Summary> s =
        summarize(scenes, [&](const std::string& scene) { return results.speedup(scene, fcl, ours, "ratio"); });
    const double measured = !s ? 0 : worst ? s->worst : s->geometric_mean;
    const char* verdict = !s ? "not measured" : !judged ? "not judged" : measured >= required ? "met" : "MISSED";
    bars.rows.push_back(
        {{"bar", bar},
         {"required", required > 0 ? Json(required) : Json()},
         {"measured", s ? Json(measured) : Json()},
         {"where", !s      ? ""
                   : worst ? s->worst_scene
                           : fmt::format("geometric mean; least {:.3g} on {}", s->worst, s->worst_scene)},
         {"verdict", required > 0 ? Json(verdict) : Json()}});
  };
  add("distance, cold: tumble OBB over FCL's better of RSS and OBBRSS (double, Debian)", 12, flights, "tumble-obb",
      false);
  add("distance, cold: the same, every scene", 8, flights, "tumble-obb", true);
  add("distance, cold: the same, the far target", 30, flights, "tumble-obb", false);
  add("distance, cold: tumble 18-DOP over the same", 0, flights, "tumble-dop18", false);
  add("distance, warm: tumble OBB over the same, which starts afresh always", 20, billiards, "tumble-obb-coherent",
      false);
}

std::vector<std::string> peers_findings(const std::vector<Row>& rows, const std::vector<Row>& small_steps,
                                        const std::vector<Row>& distances, const Table& bars) {
  std::vector<std::string> findings;
  std::size_t met = 0;
  std::string missed_bars;
  for (const Row& bar : bars.rows) {
    met += bar["verdict"] == "met";
    if (bar["verdict"] == "MISSED")
      missed_bars +=
          fmt::format("{}{}: {:.3g} of {:.3g}", missed_bars.empty() ? "" : "; ", bar["bar"].get<std::string>(),
                      bar["measured"].get<double>(), bar["required"].get<double>());
  }
  if (met > 0 || !missed_bars.empty())
    findings.push_back(
        fmt::format("Targets met: {}. Targets missed: {}.", met, missed_bars.empty() ? "none" : missed_bars));
  std::vector<std::string> names;
  for (const Row& row : rows)
    if (const std::string id = row["id"];
        !id.starts_with("tumble") && std::ranges::find(names, row["rival"].get<std::string>()) == names.end())
      names.push_back(row["rival"]);
  std::string exact, wrong;
  for (const std::string& name : names) {
    std::size_t missed = 0, invented = 0, contacts = 0, wrong_any = 0;
    for (const Row& row : rows)
      if (row["rival"] == name) {
        missed += row["missed"].get<std::size_t>();
        invented += row["invented"].get<std::size_t>();
        contacts += row["contacts"].get<std::size_t>();
        wrong_any += row["wrong"].get<std::size_t>();
      }
    if (missed + invented + wrong_any == 0)
      exact += (exact.empty() ? "" : ", ") + name;
    else
      wrong +=
          fmt::format("{}{} (of the pairs on its poses {} missed, {} of {} reported invented; {} poses wrong in any)",
                      wrong.empty() ? "" : ", ", name, missed, invented, contacts, wrong_any);
  }
  if (!exact.empty()) findings.push_back(fmt::format("Agree with the exact contacts on every pose flown: {}.", exact));
  if (!wrong.empty()) findings.push_back(fmt::format("Differ: {}.", wrong));
  std::string losses;
  const auto add_losses = [&losses](const std::vector<Row>& measured, const std::string& query,
                                    const std::string& key) {
    for (const Row& row : measured)
      if (const std::string id = row["id"]; !id.starts_with("tumble"))
        if (const double ratio = row.value(key, 1.0); ratio < 1)
          losses += fmt::format("{}{} on {}, {} ({:.2g} of our time)", losses.empty() ? "" : ", ",
                                row["rival"].get<std::string>(), row["scene"].get<std::string>(), query, ratio);
  };
  add_losses(rows, "any", "any_ratio");
  add_losses(rows, "all", "all_ratio");
  add_losses(distances, "distance", "ratio");
  if (!names.empty())
    findings.push_back(losses.empty() ? "No rival is faster than tumble OBB on any scene."
                                      : fmt::format("Faster than tumble OBB: {}.", losses));
  if (const std::string slower = coherent_losses(rows, small_steps, distances); !slower.empty())
    findings.push_back(fmt::format("Where coherence costs more than it saves, relative to fresh queries: {}.", slower));
  return findings;
}

}  // namespace tumble::lab
