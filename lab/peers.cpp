// SPDX-License-Identifier: Apache-2.0
// The lab's flights through tumble and its rivals in one run: every pose timed alone, the smallest of several
// interleaved passes kept, answers compared with ours.
#include "lab/rivals/rival.h"
#include "scenes/catalog.h"

#include <tumble/query.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace tumble;
using Clock = std::chrono::steady_clock;

struct Row {
  std::unique_ptr<lab::Rival> rival;
  double build_ms = 0;
  std::vector<double> any_us, all_us;
  std::size_t hits = 0, contacts = 0, wrong_any = 0, wrong_all = 0;
};

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

double microseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

struct Job {
  const char* scene;
  scenes::SceneOptions options;
  std::size_t every;  // flights are long; so many poses are left out between two that are timed
};

}  // namespace

int main(int argc, char** argv) {
  const int passes = argc > 1 ? std::atoi(argv[1]) : 3;
  const std::string only = argc > 2 ? argv[2] : "";
  std::vector<Job> jobs{{"pipes", {}, 4},
                        {"torus", {}, 4},
                        {"airplane", {}, 20},
                        {"swept", {}, 4},
                        {"interior", {}, 8},
                        {"nested", {.triangles = 20000, .alpha = 0.01}, 1},
                        {"zachmann_torus", {.distance = 1.5}, 20}};
  double any_ratio = 0, all_ratio = 0;
  int scenes_run = 0;
  for (const Job& job : jobs) {
    if (!only.empty() && only != job.scene) continue;
    const scenes::Scene scene = scenes::make(job.scene, job.options);
    Pair steering{Model(scene.env), Model(scene.object)};
    const scenes::Flight whole = scenes::fly(scene, [&](const Pose& p) { return steering.collide({}, p); });
    scenes::Flight flight;
    for (std::size_t i = 0; i < whole.size(); i += job.every) flight.push_back(whole[i]);

    std::vector<Row> rows;
    for (auto& r : lab::ours()) rows.push_back({std::move(r), 0, {}, {}, 0, 0, 0, 0});
#ifdef TUMBLE_LAB_FCL
    for (auto& r : lab::fcl_rivals()) rows.push_back({std::move(r), 0, {}, {}, 0, 0, 0, 0});
#endif
    for (Row& row : rows) {
      const auto start = Clock::now();
      row.rival->build(scene.env, scene.object);
      row.build_ms = microseconds_since(start) / 1e3;
      row.any_us.assign(flight.size(), 1e30);
      row.all_us.assign(flight.size(), 1e30);
    }
    std::vector<std::vector<lab::PairOfTriangles>> expected(flight.size());
    std::vector<lab::PairOfTriangles> found;
    for (int pass = 0; pass < passes; ++pass)
      for (Row& row : rows)
        for (std::size_t i = 0; i < flight.size(); ++i) {
          auto start = Clock::now();
          const bool hit = row.rival->any(flight[i]);
          row.any_us[i] = std::min(row.any_us[i], microseconds_since(start));
          start = Clock::now();
          row.rival->all(flight[i], found);
          row.all_us[i] = std::min(row.all_us[i], microseconds_since(start));
          if (pass > 0) continue;
          std::ranges::sort(found);
          if (&row == &rows.front()) expected[i] = found;
          row.hits += hit;
          row.contacts += found.size();
          row.wrong_any += hit != !expected[i].empty();
          row.wrong_all += found != expected[i];
        }
    std::printf("%s: %zu and %zu triangles, %zu poses\n", job.scene, scene.env.triangles.size(),
                scene.object.triangles.size(), flight.size());
    std::printf("  %-28s %9s %9s %8s %9s %8s %6s %8s %6s\n", "", "build ms", "any us", "ratio", "all us", "ratio",
                "hits", "contacts", "differ");
    for (const Row& row : rows)
      std::printf("  %-28s %9.1f %9.3f %8.2f %9.3f %8.2f %6zu %8zu %6zu\n", row.rival->name().c_str(), row.build_ms,
                  mean(row.any_us), mean(row.any_us) / mean(rows[0].any_us), mean(row.all_us),
                  mean(row.all_us) / mean(rows[0].all_us), row.hits, row.contacts, row.wrong_any + row.wrong_all);
    if (rows.size() > 2) {
      const double best_any = std::min(mean(rows[2].any_us), mean(rows[3].any_us));
      const double best_all = std::min(mean(rows[2].all_us), mean(rows[3].all_us));
      any_ratio += std::log(best_any / mean(rows[0].any_us));
      all_ratio += std::log(best_all / mean(rows[0].all_us));
      ++scenes_run;
    }
    std::fflush(stdout);
  }
  if (scenes_run > 0)
    std::printf("geometric mean over FCL's better tree: any %.2fx, all %.2fx\n", std::exp(any_ratio / scenes_run),
                std::exp(all_ratio / scenes_run));
}
