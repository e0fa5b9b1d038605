// SPDX-License-Identifier: Apache-2.0
// Flying and measuring.
#include "lab/flown.h"

#include "scenes/falling.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>
#include <optional>
#include <utility>

namespace tumble::lab {

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

Flown fly(std::string_view name, const scenes::SceneOptions& options) {
  if (std::optional<scenes::FallingScene> falling = scenes::make_falling(name, options)) {
    scenes::Flight path = scenes::fall(*falling).tried;
    return {{falling->info, std::move(falling->env), std::move(falling->object), path, {}}, path};
  }
  Flown flown{scenes::make(name, options), {}};
  if (!flown.scene.rules) {
    flown.path = flown.scene.path;
    return flown;
  }
  Pair steering{Model(flown.scene.env), Model(flown.scene.object)};
  flown.path = scenes::fly(flown.scene, [&](const Pose& pose) { return steering.collide({}, pose); });
  return flown;
}

Configuration Configuration::with_k(int k) const {
  Configuration changed = *this;
  changed.environment.k = changed.object.k = k;
  return changed;
}

Trees build(const Flown& flown, const Configuration& configuration) {
  TreeOptions one_thread = configuration.environment;
  one_thread.threads = 1;
  const double start = thread_seconds();
  Model environment(flown.scene.env, one_thread);
  const double build_ms = (thread_seconds() - start) * 1e3;
  return {std::move(environment), Model(flown.scene.object, configuration.object), build_ms};
}

Measurement measure(const Flown& flown, const Trees& trees, const PairOptions& options, Asked query,
                    const Effort& effort) {
  Measurement out;
  out.build_ms = trees.build_ms;
  out.bytes = trees.environment.bytes();
  Pair pair(trees.environment, trees.object, options);

  const auto ask = [&](const Pose& pose) {
    if (query == Asked::any) return std::size_t{pair.collide({}, pose)};
    Query contacts = pair.start({}, pose, ContactRequest{.geometry = false});
    contacts.run();
    return contacts.contacts().size();
  };
  pair.count(true);  // this pass also brings memory and tables into place
  for (const Pose& pose : flown.path) {
    const std::size_t found = ask(pose);
    out.contacts += query == Asked::all ? found : 0;
    out.colliding += found > 0;
  }
  out.counters = pair.stats();
  pair.count(false);

  out.microseconds = std::numeric_limits<double>::infinity();
  if (effort.each_step) out.step_us.assign(flown.path.size(), std::numeric_limits<double>::infinity());
  double spent = 0;
  for (int pass = 0; pass < effort.passes || (spent < effort.seconds && pass < 1000); ++pass) {
    pair.forget();
    const double start = thread_seconds();
    for (std::size_t i = 0; i < flown.path.size(); ++i) {
      if (!effort.each_step) {
        ask(flown.path[i]);
        continue;
      }
      const auto before = std::chrono::steady_clock::now();
      ask(flown.path[i]);
      const std::chrono::duration<double, std::micro> elapsed = std::chrono::steady_clock::now() - before;
      out.step_us[i] = std::min(out.step_us[i], elapsed.count());
    }
    const double pass_seconds = thread_seconds() - start;
    spent += pass_seconds;
    out.microseconds = std::min(out.microseconds, pass_seconds * 1e6 / static_cast<double>(flown.path.size()));
  }
  return out;
}

Json to_json(const Configuration& configuration) {
  const auto tree = [](const TreeOptions& t) {
    return Json{
        name(t.bound),         t.k,         name(t.split), name(t.pivot),  name(t.axes), name(t.build),
        name(t.paper.obb_fit), t.leaf_size, t.arity,       t.paper.orient, t.paper.seed, t.paper.indivisible_leaves};
  };
  const PairOptions& p = configuration.pair;
  return {{"environment", tree(configuration.environment)},
          {"object", tree(configuration.object)},
          {"pair",
           {name(p.realign), name(p.descend), name(p.coherent), p.paper.hill_climbing_levels, p.paper.remember,
            p.paper.all_box_axes}}};
}

Json to_json(const scenes::SceneOptions& o) {
  Json all{o.triangles, o.steps, o.seed, o.alpha, o.distance, name(o.tessellation)};
  for (const auto& [role, other] : {std::pair{"env", &o.env}, {"object", &o.object}})
    if (*other) all.push_back({role, (*other)->hash});
  return all;
}

Row to_row(const Measurement& measured, std::size_t poses) {
  const auto per_pose = [poses](std::uint64_t n) { return static_cast<double>(n) / static_cast<double>(poses); };
  return {{"us", measured.microseconds},
          {"nv", per_pose(measured.counters.nv)},
          {"nu", per_pose(measured.counters.nu)},
          {"np", per_pose(measured.counters.np)},
          {"contacts", measured.contacts},
          {"colliding", measured.colliding},
          {"poses", poses},
          {"build_ms", measured.build_ms},
          {"bytes", measured.bytes}};
}

std::vector<Column> flight_columns() {
  return {{"us", "time", "µs", 3},
          {"nv", "Nv", "", 4},
          {"nu", "Nu", "", 4},
          {"np", "Np", "", 4},
          {"contacts", "contacts"},
          {"colliding", "colliding poses"},
          {"build_ms", "build", "ms", 3},
          {"bytes", "bytes"}};
}

}  // namespace tumble::lab
