// SPDX-License-Identifier: Apache-2.0
// Timing and comparing.
#include "lab/rivals/distance_contest.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

namespace tumble::lab {

std::vector<DistanceScore> distance_contest(const Mesh& environment, const Mesh& object, std::span<const Pose> poses,
                                            const Rivals& entrants, int passes, double seconds, bool count,
                                            const std::function<void(double)>& on_share) {
  using Clock = std::chrono::steady_clock;
  std::vector<Rival*> field;
  for (const auto& entrant : entrants)
    if (entrant->has_distance()) field.push_back(entrant.get());
  double size = 0;
  for (const Vec3& v : environment.vertices) size = std::max({size, std::abs(v.x), std::abs(v.y), std::abs(v.z)});

  std::vector<DistanceScore> scores(field.size());
  std::vector<std::vector<double>> times(field.size(),
                                         std::vector<double>(poses.size(), std::numeric_limits<double>::infinity()));
  std::vector<double> expected(poses.size());
  for (std::size_t e = 0; e < field.size(); ++e) {
    scores[e].id = field[e]->id();
    scores[e].name = field[e]->name();
    field[e]->build(environment, object);
  }
  double done = 0;
  const auto begin = Clock::now();
  const auto spent = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  for (int pass = 0; pass == 0 || (pass < passes && spent() < seconds); ++pass)
    for (std::size_t e = 0; e < field.size(); ++e) {
      on_share(done++ / static_cast<double>(field.size() * static_cast<std::size_t>(passes)));
      field[e]->begin();
      for (std::size_t i = 0; i < poses.size(); ++i) {
        const auto start = Clock::now();
        const double distance = field[e]->distance(poses[i]);
        const std::chrono::duration<double, std::micro> elapsed = Clock::now() - start;
        times[e][i] = std::min(times[e][i], elapsed.count());
        if (pass > 0) continue;
        if (e == 0) expected[i] = distance;
        scores[e].wrong += !(std::abs(distance - expected[i]) <= 1e-6 * (expected[i] + size));
      }
      field[e]->end();
    }
  for (std::size_t e = 0; count && e < field.size(); ++e) {
    field[e]->begin();
    scores[e].work = work_of(*field[e], [&](Rival& rival) {
      for (const Pose& pose : poses) rival.distance(pose);
    });
    field[e]->end();
  }
  for (std::size_t e = field.size(); e-- > 0;) field[e]->clear();
  for (std::size_t e = 0; e < field.size(); ++e) {
    std::vector<double>& t = times[e];
    const auto n = static_cast<double>(t.size());
    scores[e].mean = std::accumulate(t.begin(), t.end(), 0.0) / n;
    scores[e].ratio = scores[e].mean / scores[0].mean;
    std::ranges::sort(t);
    const auto rank = [&](double share) {
      return t[static_cast<std::size_t>(std::clamp(std::ceil(share * n) - 1, 0.0, n - 1))];
    };
    scores[e].median = rank(0.5);
    scores[e].p99 = rank(0.99);
    scores[e].max = t.back();
  }
  return scores;
}

}  // namespace tumble::lab
