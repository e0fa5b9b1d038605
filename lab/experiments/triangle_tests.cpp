// SPDX-License-Identifier: Apache-2.0
// Whether two triangles touch: tumble's exact test beside other libraries', on pairs whose boxes overlap.
#include "geometry/triangle_pair.h"
#include "lab/entrants.h"
#include "lab/experiments/all.h"
#include "lab/turns.h"
#include "scenes/random.h"
#include "scenes/trigonometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tumble::lab {
namespace {

constexpr std::uint64_t seed = 20031;

class OurTriangles : public TriangleRival {
 public:
  std::string id() const override { return "tumble"; }
  std::string name() const override { return "tumble"; }
  std::string settings() const override { return "intersects(), exact, one pair at a time"; }
  void start(const std::vector<CornersOfPair>& pairs) override { pairs_ = pairs; }
  std::size_t hits() const override {
    std::size_t hits = 0;
    for (const auto& [a, b] : pairs_) hits += intersects(a, b);
    return hits;
  }

 private:
  std::vector<CornersOfPair> pairs_;
};

bool boxes_overlap(const Corners& a, const Corners& b) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto [a_low, a_high] = std::minmax({a[0][axis], a[1][axis], a[2][axis]});
    const auto [b_low, b_high] = std::minmax({b[0][axis], b[1][axis], b[2][axis]});
    if (a_high < b_low || b_high < a_low) return false;
  }
  return true;
}

/// A torus with bumps, turned (in full turns) and moved: neighbouring triangles of differing shape, as in a scanned or
/// tessellated part.
std::vector<Corners> bumpy_torus(int around, int across, double turn, const Vec3& offset) {
  const auto [sin_turn, cos_turn] = scenes::sin_cos(turn);
  const auto point = [&, s = sin_turn, c = cos_turn](int i, int j) {
    const double u = static_cast<double>(i % around) / around, v = static_cast<double>(j % across) / across;
    const double thick = 0.35 + 0.05 * scenes::sine(5 * u) * scenes::cosine(3 * v),
                 ring = 1 + thick * scenes::cosine(v);
    const Vec3 p{ring * scenes::cosine(u), ring * scenes::sine(u), thick * scenes::sine(v)};
    return Vec3{p.x, c * p.y - s * p.z, s * p.y + c * p.z} + offset;
  };
  std::vector<Corners> triangles;
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      triangles.push_back({point(i, j), point(i + 1, j), point(i + 1, j + 1)});
      triangles.push_back({point(i, j), point(i + 1, j + 1), point(i, j + 1)});
    }
  return triangles;
}

/// Pairs of two interlocked tori in many poses, in random order: so many that no branch predictor learns them.
std::vector<CornersOfPair> mesh_pairs(int poses) {
  std::vector<CornersOfPair> found;
  const auto env = bumpy_torus(72, 30, 0, {});
  for (int pose = 0; pose < poses; ++pose)
    for (const Corners& b : bumpy_torus(60, 28, 0.024 * pose, {0.5 + 0.01 * pose, 0.1, 0.05}))
      for (const Corners& a : env)
        if (boxes_overlap(a, b)) found.push_back({a, b});
  scenes::Random random(seed);
  for (std::size_t i = found.size(); i > 1; --i) std::swap(found[i - 1], found[random.index(i)]);
  return found;
}

/// Random triangles in a cube, kept if their boxes overlap.
std::vector<CornersOfPair> soup_pairs(std::size_t count) {
  scenes::Random random(seed);
  const auto triangle = [&] {
    const Vec3 centre = random.in_box({0, 0, 0}, {1, 1, 1});
    Corners t;
    for (Vec3& p : t) p = centre + random.in_box({-0.4, -0.4, -0.4}, {0.4, 0.4, 0.4});
    return t;
  };
  std::vector<CornersOfPair> pairs;
  while (pairs.size() < count)
    if (const Corners a = triangle(), b = triangle(); boxes_overlap(a, b)) pairs.push_back({a, b});
  return pairs;
}

void run_triangles(Context& context, Report& report) {
  TriangleRivals entrants;
  entrants.push_back(std::make_unique<OurTriangles>());
  TriangleRoster roster = load_triangle_rivals(rivals_folder());
  for (auto& rival : roster.rivals) entrants.push_back(std::move(rival));
  const int rounds = context.pick(25, 1);
  Table table{"times",
              "Deciding whether two triangles touch",
              {{"set", "pairs"},
               {"pairs", "number"},
               {"hits", "in contact"},
               {"rival", "library"},
               {"ns", "a pair", "ns", 3},
               {"ratio", "/ ours", "", 3}}};
  Plot plot{"times", table.title, {"pairs"}, {"ns per pair"}};
  for (std::size_t i = 0; i < entrants.size(); ++i)
    plot.series.push_back({entrants[i]->name(), {}, {}, static_cast<int>(i)});
  context.plan(2);
  double least_cgal = std::numeric_limits<double>::infinity(), least_fcl = least_cgal;
  for (const std::string set : {"meshes", "soup"}) {
    Row key{{"set", set}, {"entrants", Json::array()}};
    for (const auto& entrant : entrants) key["entrants"].push_back(entrant->id());
    const Row row = context.row(key, rounds, [&] {
      const std::vector<CornersOfPair> pairs =
          set == "soup" ? soup_pairs(context.pick<std::size_t>(50'000, 5'000)) : mesh_pairs(context.pick(40, 2));
      std::vector<std::size_t> hits(entrants.size());
      std::vector<Contestant> contestants;
      for (std::size_t i = 0; i < entrants.size(); ++i) {
        entrants[i]->start(pairs);
        contestants.push_back({[&, i] { hits[i] = entrants[i]->hits(); }});
      }
      const std::vector<double> seconds = in_turns(rounds, contestants);
      Row out{{"pairs", pairs.size()}, {"scores", Json::array()}};
      for (std::size_t i = 0; i < entrants.size(); ++i)
        out["scores"].push_back({{"id", entrants[i]->id()},
                                 {"rival", entrants[i]->name()},
                                 {"hits", hits[i]},
                                 {"ns", seconds[i] * 1e9 / static_cast<double>(pairs.size())}});
      return out;
    });
    plot.categories.push_back(set);
    const double ours = row["scores"][0]["ns"];
    for (std::size_t i = 0; i < row["scores"].size(); ++i) {
      const Json& score = row["scores"][i];
      Row one{{"set", set}, {"pairs", row["pairs"]}};
      one.update(score);
      const double ratio = score["ns"].get<double>() / ours;
      one["ratio"] = ratio;
      table.rows.push_back(one);
      plot.series[i].y.push_back(score["ns"]);
      if (score["id"] == "cgal") least_cgal = std::min(least_cgal, ratio);
      if (score["id"] == "fcl") least_fcl = std::min(least_fcl, ratio);
      context.must_hold(score["id"] != "cgal" || score["hits"] == row["scores"][0]["hits"],
                        "CGAL, which decides exactly, finds as many contacts among " + set);
    }
  }
  table.notes = {
      fmt::format("Processor time, the median of {} rounds in which all take turns; boxes overlap in every pair; seed "
                  "{}. Meshes: two "
                  "interlocked tori in many poses, in random order. Soup: random triangles in a cube.",
                  rounds, seed)};
  const auto told = [](const char* who, double least, double asked) {
    return std::isinf(least) ? fmt::format("{} was not there.", who)
                             : fmt::format("{} takes at least {:.3g} times as long as tumble; our target is {:g}: {}.",
                                           who, least, asked, least >= asked ? "met" : "MISSED");
  };
  report.findings = {told("CGAL's exact test", least_cgal, 3), told("FCL's test in floating point", least_fcl, 1)};
  report.plots = {plot};
  report.tables = {table, entrants_table(entrants, roster.absent, "library")};
}

}  // namespace

Experiment triangles() {
  return {"triangles", "Two triangles: do they touch?",
          "Question: how fast is the exact test of two triangles, beside other libraries'?", "triangle_tests.cpp",
          run_triangles};
}

}  // namespace tumble::lab
