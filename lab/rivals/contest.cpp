// SPDX-License-Identifier: Apache-2.0
// Building, flying and judging. Queries are timed by the wall's clock, less what the clock itself takes; building by
// the processor's, since it takes long enough for others on the machine to come between.
#include "lab/rivals/contest.h"

#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

namespace tumble::lab {
namespace {

using Clock = std::chrono::steady_clock;

double microseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

/// Processor time of all threads, in milliseconds.
double processor_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// The least that the clock sees when nothing happens: a good part of our fastest queries.
double empty_interval() {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 10'000; ++i) least = std::min(least, microseconds_since(Clock::now()));
  return least;
}

/// In use by malloc's callers now, in all its arenas.
std::size_t heap_bytes() {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// One query of one entrant: the poses it flies and the smallest time of each.
struct Leg {
  std::size_t stride = 1;
  std::vector<double> us{};  // of pose i * stride

  std::size_t poses() const { return us.size(); }
};

/// Fewer poses, spread evenly, if all would take longer than the time given; five at least.
Leg plan(std::size_t poses, double us_per_query, double seconds) {
  const double wanted = std::ceil(static_cast<double>(poses) * us_per_query / (seconds * 1e6));
  const std::size_t most = std::max<std::size_t>(1, poses / 5);
  Leg leg;
  leg.stride = static_cast<std::size_t>(std::clamp(wanted, 1.0, static_cast<double>(most)));
  leg.us.assign((poses + leg.stride - 1) / leg.stride, std::numeric_limits<double>::infinity());
  return leg;
}

/// The mean time of a query at five poses of the flight, each the smaller of two.
template <class Query>
double sample(std::span<const Pose> flight, const Query& query) {
  const std::size_t stride = std::max<std::size_t>(1, flight.size() / 5);
  double sum = 0;
  std::size_t n = 0;
  for (std::size_t i = 0; i < flight.size(); i += stride, ++n) {
    double us = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 2; ++k) {
      const auto start = Clock::now();
      query(flight[i]);
      us = std::min(us, microseconds_since(start));
    }
    sum += us;
  }
  return sum / static_cast<double>(n);
}

Times times(Leg leg, Leg first, double clock_us) {
  for (Leg* one : {&leg, &first})
    for (double& us : one->us) us = std::max(us - clock_us, 0.001);  // a nanosecond at least: ratios stay finite
  std::vector<double> sorted = leg.us;
  std::ranges::sort(sorted);
  const auto rank = [&](double share) {  // the nearest rank
    const auto n = static_cast<double>(sorted.size());
    return sorted[static_cast<std::size_t>(std::clamp(std::ceil(share * n) - 1, 0.0, n - 1))];
  };
  const double sum = std::accumulate(leg.us.begin(), leg.us.end(), 0.0);
  double first_sum = 0;
  for (std::size_t i = 0; i < leg.poses(); ++i) first_sum += first.us[i * leg.stride];
  return {leg.poses(), sum / static_cast<double>(leg.poses()), rank(0.5), rank(0.99), sorted.back(), sum / first_sum};
}

struct Entrant {
  Rival* rival = nullptr;
  Leg any{}, all{};
};

/// Builds until three builds or half a second; the models of the last one stay.
void build(Rival& rival, const Mesh& environment, const Mesh& object, Score& score) {
  double best = std::numeric_limits<double>::infinity(), total = 0;
  std::size_t heap = 0;
  for (int i = 0; i < 3 && total < 500; ++i) {
    rival.clear();
    heap = heap_bytes();
    const double start = processor_ms();
    rival.build(environment, object);
    const double ms = processor_ms() - start;
    best = std::min(best, ms);
    total += ms;
    if (!rival.builds()) return;
  }
  score.build_ms = best;
  const std::optional<std::size_t> counted = rival.counted_bytes();
  score.bytes_counted = counted.has_value();
  score.bytes_per_triangle = static_cast<double>(counted.value_or(heap_bytes() - heap)) /
                             static_cast<double>(environment.triangles.size() + object.triangles.size());
}

void judge(const std::vector<PairOfTriangles>& expected, std::vector<PairOfTriangles>& found, Score& score) {
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  std::vector<PairOfTriangles> common;
  std::ranges::set_intersection(expected, found, std::back_inserter(common));
  score.contacts += found.size();
  score.missed += expected.size() - common.size();
  score.invented += found.size() - common.size();
}

}  // namespace

std::vector<Score> contest(const Mesh& environment, const Mesh& object, std::span<const Pose> flight,
                           const Rivals& entrants, const ContestOptions& options, const OnLeg& on_leg) {
  std::vector<Score> scores(entrants.size());
  std::vector<Entrant> field(entrants.size());
  std::vector<std::vector<PairOfTriangles>> expected(flight.size());
  std::vector<PairOfTriangles> found;
  const double legs = static_cast<double>(entrants.size()) * (options.passes + 1);
  double leg_number = 0;
  const auto announce = [&](const std::string& what) {
    if (on_leg) on_leg(leg_number++ / legs, what);
  };

  for (std::size_t e = 0; e < field.size(); ++e) {
    Rival& rival = *entrants[e];
    announce("building " + rival.name());
    field[e].rival = &rival;
    scores[e].id = rival.id();
    scores[e].name = rival.name();
    scores[e].exact = rival.exact();
    build(rival, environment, object, scores[e]);
    const bool whole = e == 0 || rival.yardstick();
    const double seconds = whole ? std::numeric_limits<double>::infinity() : options.seconds;
    rival.begin();
    field[e].any = plan(flight.size(), sample(flight, [&](const Pose& p) { rival.any(p); }), seconds);
    field[e].all = plan(flight.size(), sample(flight, [&](const Pose& p) { rival.all(p, found); }), seconds);
    rival.end();
    for (std::size_t i = 0; e == 0 && i < flight.size(); ++i) {
      rival.all(flight[i], found);
      std::ranges::sort(found);
      expected[i] = found;
    }
  }
  for (int pass = 0; pass < options.passes; ++pass)
    for (std::size_t e = 0; e < field.size(); ++e) {
      auto& [rival, any, all] = field[e];
      announce(rival->name());
      rival->begin();
      for (int lap = 0; lap < laps; ++lap)
        for (std::size_t i = 0; i < any.poses(); ++i) {
          const auto start = Clock::now();
          const bool hit = rival->any(flight[i * any.stride]);
          any.us[i] = std::min(any.us[i], microseconds_since(start));
          if (pass > 0 || lap > 0) continue;
          scores[e].hits += hit;
          scores[e].wrong_any += hit == expected[i * any.stride].empty();
        }
      for (int lap = 0; lap < laps; ++lap)
        for (std::size_t i = 0; i < all.poses(); ++i) {
          const auto start = Clock::now();
          rival->all(flight[i * all.stride], found);
          all.us[i] = std::min(all.us[i], microseconds_since(start));
          if (pass == 0 && lap == 0) judge(expected[i * all.stride], found, scores[e]);
        }
      rival->end();
    }
  const double clock_us = empty_interval();
  for (std::size_t e = 0; e < field.size(); ++e) {
    scores[e].any = times(field[e].any, field[0].any, clock_us);
    scores[e].all = times(field[e].all, field[0].all, clock_us);
  }
  for (std::size_t e = 0; options.count && e < entrants.size(); ++e) {
    Rival& rival = *entrants[e];
    rival.begin();
    scores[e].any_work = work_of(rival, [&](Rival& r) {
      for (const Pose& pose : flight) r.any(pose);
    });
    scores[e].all_work = work_of(rival, [&](Rival& r) {
      for (const Pose& pose : flight) r.all(pose, found);
    });
    rival.end();
  }
  for (std::size_t e = field.size(); e-- > 0;) entrants[e]->clear();
  return scores;
}

}  // namespace tumble::lab
