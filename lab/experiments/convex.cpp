// SPDX-License-Identifier: Apache-2.0
// Two convex bodies of 20 to 10,000 faces, apart and in contact, cold and along a path, beside other libraries' GJK.
#include "lab/entrants.h"
#include "lab/experiments/all.h"
#include "lab/flown.h"
#include "lab/rivals/roster.h"
#include "scenes/random.h"
#include "scenes/shapes.h"
#include "scenes/spheres.h"

#include <tumble/convex.h>
#include <tumble/query.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace tumble::lab {
namespace {

constexpr double cold_bar = 1, warm_bar = 3;  // times as fast as the best rival, in the geometric mean

/// The hull of points on an ellipsoid, or a box for 12 faces.
Mesh body(std::size_t faces, std::uint64_t seed) {
  if (faces == 12) return scenes::box({1, 0.7, 0.5});
  Mesh mesh = scenes::sphere(faces, scenes::Tessellation::hull, seed);
  for (Vec3& v : mesh.vertices) v = {v.x, 0.7 * v.y, 0.5 * v.z};
  return mesh;
}

Pose turned_by(scenes::Random& random, Vec3 at) {
  const Vec3 axis = random.direction();
  return Pose::from_quaternion(random.between(-1, 1), axis.x, axis.y, axis.z, at);
}

Pose moved(const Pose& pose, Vec3 by) {
  auto rows = pose.rows();
  for (int i = 0; i < 3; ++i) rows[static_cast<std::size_t>(4 * i + 3)] += by[i];
  return Pose::from_rows(rows);
}

/// Random turns, with gaps from 1e-9 to 1 evenly in their logarithms; every other one as deep instead, if asked for.
std::vector<Pose> cold_poses(ConvexPair& pair, std::size_t count, bool also_deep) {
  scenes::Random random(7);
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 at = random.direction() * 4;
    const Pose far = turned_by(random, at);
    const double gap = std::pow(10, random.between(-9, 0)) * (also_deep && i % 2 == 1 ? -0.5 : 1);
    const ConvexDistance d = pair.distance({}, far);
    poses.push_back(moved(far, (d.point_b - d.point_a) * (gap / d.distance - 1)));
  }
  return poses;
}

/// Small steps past the other body, turning by about a degree each.
std::vector<Pose> warm_poses(std::size_t count, bool also_deep) {
  scenes::Random random(8);
  std::vector<Pose> poses;
  constexpr std::size_t leg = 100;
  Pose from;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % leg == 0) {
      const double way = also_deep ? random.between(0, 2.2) : random.between(2.1, 3);
      from = turned_by(random, random.direction() * way);
    }
    const double step = 0.01 * static_cast<double>(i % leg);
    poses.push_back(Pose::from_quaternion(1, step, 0.5 * step, 0.2 * step, {}) * from);
  }
  return poses;
}

struct Case {
  std::size_t faces;
  bool distance, warm;
};

/// All entrants in turns on the same poses; the best time of each.
Row measure(Context& context, const Case& one, ConvexRivals& entrants) {
  const Mesh a = body(one.faces, 1), b = body(one.faces, 2);
  ConvexPair placing{ConvexModel(a), ConvexModel(b)};
  const std::size_t count = context.pick<std::size_t>(1'000, 100);
  const std::vector<Pose> poses =
      one.warm ? warm_poses(count, !one.distance) : cold_poses(placing, count, !one.distance);
  Pair exact{Model(a), Model(b)};
  std::vector<double> truth;
  for (const Pose& pose : poses) truth.push_back(exact.distance({}, pose, {.solid = true}).distance);

  struct Score {
    double seconds = std::numeric_limits<double>::infinity(), error = 0;
    std::size_t wrong = 0;
    bool asked = false;
  };
  std::vector<Score> scores(entrants.size());
  const int rounds = context.pick(7, 1);
  for (int round = 0; round < rounds; ++round)
    for (std::size_t e = 0; e < entrants.size(); ++e) {
      ConvexRival& rival = *entrants[e];
      if ((one.distance && !rival.has_distance()) || one.faces > rival.most_faces()) continue;
      Score& score = scores[e];
      score.asked = true;
      if (round == 0) rival.start(a, b);
      std::vector<double> answers(count);
      const double start = thread_seconds();
      for (std::size_t i = 0; i < count; ++i) {
        if (!one.warm) rival.forget();
        answers[i] = one.distance ? rival.distance(poses[i]) : rival.collide(poses[i]) ? 0 : 1;
      }
      score.seconds = std::min(score.seconds, thread_seconds() - start);
      if (round > 0) continue;
      for (std::size_t i = 0; i < count; ++i) {
        score.wrong += (answers[i] <= 0) != (truth[i] == 0);
        if (one.distance) score.error = std::max(score.error, std::abs(std::max(answers[i], 0.0) - truth[i]));
      }
    }
  Json list = Json::array();
  for (std::size_t e = 0; e < entrants.size(); ++e) {
    if (!scores[e].asked) continue;
    const double ns = scores[e].seconds / static_cast<double>(count) * 1e9;
    list.push_back({{"rival", entrants[e]->name()},
                    {"ns", ns},
                    {"ratio", scores[e].seconds / scores[0].seconds},
                    {"wrong", scores[e].wrong},
                    {"error", one.distance ? Json(scores[e].error) : Json()}});
  }
  const auto colliding = std::ranges::count(truth, 0.0);
  Row row{{"meeting", colliding}, {"colliding", colliding}, {"poses", count}, {"scores", list}};
  if (context.quick()) {  // once more, for the counters that are kept
    ConvexPair pair{ConvexModel(a), ConvexModel(b)};
    for (const Pose& pose : poses) {
      if (!one.warm) pair.forget();
      if (one.distance)
        pair.distance({}, pose);
      else
        pair.collide({}, pose);
    }
    const ConvexCounters& counted = pair.stats();
    row.update(
        {{"walk_steps", counted.walk_steps}, {"cold_starts", counted.cold_starts}, {"to_models", counted.exact}});
  }
  return row;
}

void run_convex(Context& context, Report& report) {
  ConvexRivals entrants;
  entrants.push_back(our_convex());
  ConvexRoster roster = load_convex_rivals(rivals_folder());
  for (auto& rival : roster.rivals) entrants.push_back(std::move(rival));

  Table table{"pairs",
              "Two convex bodies",
              {{"faces", "faces"},
               {"question", "question"},
               {"start", "start"},
               {"meeting", "in contact"},
               {"rival", "library"},
               {"ns", "a question", "ns", 3},
               {"ratio", "/ ours", "", 3},
               {"wrong", "wrong"},
               {"error", "largest error", "", 2}}};
  table.notes.push_back(
      "Hulls of random points on ellipsoids with half axes 1, 0.7 and 0.5; 12 faces: a box. Cold: random turns, the "
      "gap from 1e-9 to 1, even in its logarithm, for `collide` every other one about as deep instead; each question "
      "starts afresh. Warm: steps of a hundredth in rotation, a new place every hundred steps. Processor time on one "
      "thread, the best of rounds in which all take turns. Wrong: says contact where there is none, or the reverse; "
      "error: of the distance, in half axes. Both by our tree queries on the same meshes as solids, which are exact.");
  const std::vector<std::size_t> sizes =
      context.pick<std::vector<std::size_t>>({12, 20, 100, 1'000, 10'000}, {12, 100});
  context.plan(4 * sizes.size() + 4);
  struct Mean {
    double log = 0;
    int cases = 0;
  };
  std::map<std::pair<bool, bool>, Mean> means;  // by distance and warm
  for (const bool distance : {true, false})
    for (const bool warm : {false, true})
      for (const std::size_t faces : sizes) {
        const Row key{
            {"faces", faces}, {"question", distance ? "distance" : "collide"}, {"start", warm ? "warm" : "cold"}};
        Json names = Json::array();
        for (const auto& entrant : entrants) names.push_back(entrant->name());
        const Row row = context.row(key, names, [&] { return measure(context, {faces, distance, warm}, entrants); });
        double best = std::numeric_limits<double>::infinity();
        for (const Json& score : row["scores"]) {
          Row shown = key;
          shown["meeting"] = row["meeting"];
          shown.update(score);
          if (score == row["scores"][0])
            context.must_hold(
                score["wrong"] == 0,
                fmt::format("{} {} of {} faces: {} wrong answers of ours", key["start"].get<std::string>(),
                            key["question"].get<std::string>(), faces, score["wrong"].get<int>()));
          else
            best = std::min(best, score["ratio"].get<double>());
          table.rows.push_back(std::move(shown));
        }
        if (faces == 12 || !std::isfinite(best)) continue;
        Mean& mean = means[{distance, warm}];
        mean.log += std::log(best);
        ++mean.cases;
      }

  Plot plot{.name = "faces",
            .title = "Distance under coherence",
            .x = {"faces of each body", true},
            .y = {"a question (ns)", true},
            .series = {{.name = entrants[0]->name()}}};
  const std::vector<std::size_t> plotted =
      context.pick<std::vector<std::size_t>>({100, 1'000, 10'000, 100'000}, {100, 1'000});
  ConvexRivals ours;
  ours.push_back(our_convex());
  for (const std::size_t faces : plotted) {
    const Row row = context.row({{"plotted", faces}}, [&] { return measure(context, {faces, true, true}, ours); });
    plot.series[0].x.push_back(static_cast<double>(faces));
    plot.series[0].y.push_back(row["scores"][0]["ns"].get<double>());
  }

  if (means.empty()) {
    report.findings.push_back("No rival was there to be compared with.");
  } else {
    for (const auto& [kind, mean] : means) {
      const double factor = std::exp(mean.log / mean.cases), bar = kind.second ? warm_bar : cold_bar;
      report.findings.push_back(
          fmt::format("{}, {}: the best other library takes {:.3g} times as long as ours in the geometric mean (boxes "
                      "left out); the "
                      "target is {:g}: {}.",
                      kind.first ? "Distance" : "Collide", kind.second ? "warm" : "cold", factor, bar,
                      context.verdict(factor >= bar)));
    }
    std::map<std::string, std::size_t> wrong;
    for (const Row& row : table.rows) wrong[row["rival"].get<std::string>()] += row["wrong"].get<std::size_t>();
    std::string list;
    for (const auto& [name, number] : wrong) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", name, number);
    report.findings.push_back("Wrong answers in all: " + list + ".");
  }
  report.tables.push_back(std::move(table));
  report.plots.push_back(std::move(plot));
  report.tables.push_back(entrants_table(entrants, roster.absent, "library"));
}

}  // namespace

Experiment convex() {
  return {"convex", "Two convex bodies, beside other libraries",
          "Question: how fast are closest features found (Lin 1996, section 4.1), beside GJK?", "convex.cpp",
          run_convex};
}

}  // namespace tumble::lab
