// SPDX-License-Identifier: Apache-2.0
// The lab's flights through tumble and its rivals in one run.
#include "lab/rivals/contest.h"
#include "lab/rivals/ours.h"
#include "lab/rivals/roster.h"
#include "scenes/catalog.h"

#include <tumble/query.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  using namespace tumble;
  const int passes = argc > 1 ? std::atoi(argv[1]) : 3;
  const std::string only = argc > 2 ? argv[2] : "";
  const double seconds = argc > 3 ? std::atof(argv[3]) : 1;
  const std::pair<const char*, scenes::SceneOptions> jobs[] = {{"pipes", {}},
                                                               {"torus", {}},
                                                               {"airplane", {}},
                                                               {"swept", {}},
                                                               {"interior", {}},
                                                               {"nested", {.triangles = 20000, .alpha = 0.01}},
                                                               {"zachmann_torus", {.distance = 1.5}}};
  lab::Rivals entrants = lab::ours();
  lab::Roster roster = lab::load_rivals(lab::rivals_folder());
  for (const auto& a : roster.absent) std::printf("%s: %s\n", a.library.c_str(), a.reason.c_str());
  for (auto& r : roster.rivals) entrants.push_back(std::move(r));
  for (const auto& [name, options] : jobs) {
    if (!only.empty() && only != name) continue;
    const scenes::Scene scene = scenes::make(name, options);
    Pair steering{Model(scene.env), Model(scene.object)};
    const scenes::Flight flight = scenes::fly(scene, [&](const Pose& p) { return steering.collide({}, p); });
    std::printf("%s: %zu and %zu triangles, %zu poses\n", name, scene.env.triangles.size(),
                scene.object.triangles.size(), flight.size());
    std::printf("  %-28s %9s %6s %10s %8s %8s %10s %8s %8s %6s %6s %8s %6s %6s\n", "", "build ms", "B/tri", "any us",
                "p99", "ratio", "all us", "p99", "ratio", "poses", "hits", "contacts", "missed", "invent");
    for (const lab::Score& s : lab::contest(scene.env, scene.object, flight, entrants, {passes, seconds}))
      std::printf("  %-28s %9.1f %6.0f %10.3f %8.2f %8.2f %10.3f %8.2f %8.2f %6zu %6zu %8zu %6zu %6zu %zu\n",
                  s.name.c_str(), s.build_ms.value_or(0), s.bytes_per_triangle, s.any.mean, s.any.p99, s.any.ratio,
                  s.all.mean, s.all.p99, s.all.ratio, s.all.poses, s.hits, s.contacts, s.missed, s.invented,
                  s.wrong_any);
    std::fflush(stdout);
  }
}
