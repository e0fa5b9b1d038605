// SPDX-License-Identifier: Apache-2.0
// Closest points and first hits of rays: tumble beside other libraries, one thread, the same points and rays.
#include "lab/entrants.h"
#include "lab/experiments/all.h"
#include "lab/turns.h"
#include "scenes/meshes.h"
#include "scenes/random.h"

#include <tumble/model.h>
#include <tumble/point.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace tumble::lab {
namespace {

constexpr std::uint64_t seed = 7;

class OurPoints : public PointRival {
 public:
  explicit OurPoints(Bound bound) : bound_(bound) {}

  std::string id() const override { return bound_ == Bound::dop ? "tumble-18dop" : "tumble"; }
  std::string name() const override { return bound_ == Bound::dop ? "tumble, 18-DOPs" : "tumble"; }
  std::string settings() const override {
    return std::string(bound_ == Bound::dop ? "a tree of 18-DOPs" : "default options") +
           ", one question per call, exact hits";
  }
  void build(const Mesh& mesh) override { model_.emplace(mesh, TreeOptions{.bound = bound_}); }
  double distance(const Vec3& point) override { return closest_point(*model_, {}, point)->distance; }
  double first_hit(const Ray& ray) override {
    const auto hit = tumble::first_hit(*model_, {}, ray);
    return hit ? hit->t : 0;
  }

 private:
  Bound bound_;
  std::optional<Model> model_;
};

/// Points in the box of the mesh, half as large again; rays from such points in all directions, and to a point of the
/// box.
struct Questions {
  std::vector<Vec3> points;
  std::vector<Ray> rays, aimed;

  Questions(const Mesh& mesh, std::size_t count) {
    const Box box = bounding_box(mesh);
    const Vec3 wider = (box.upper - box.lower) * 0.25;
    scenes::Random random(seed);
    for (std::size_t i = 0; i < count; ++i) {
      points.push_back(random.in_box(box.lower - wider, box.upper + wider));
      rays.push_back({points.back(), random.direction()});
      const Vec3 way = random.in_box(box.lower, box.upper) - points.back();
      aimed.push_back({points.back(), way / length(way)});
    }
  }
};

/// How many had an answer other than 0, and the sum of the answers.
struct Answers {
  std::size_t hits = 0;
  double sum = 0;

  void add(double answer) { hits += answer != 0, sum += answer; }
};

Answers ask(PointRival& rival, const Questions& questions, const std::string& what) {
  Answers answers;
  if (what == "closest")
    for (const Vec3& p : questions.points) answers.add(rival.distance(p));
  else
    for (const Ray& ray : what == "ray" ? questions.rays : questions.aimed) answers.add(rival.first_hit(ray));
  return answers;
}

void run_points(Context& context, Report& report) {
  PointRivals entrants;
  entrants.push_back(std::make_unique<OurPoints>(TreeOptions{}.bound));
  entrants.push_back(std::make_unique<OurPoints>(Bound::dop));
  PointRoster roster = load_point_rivals(rivals_folder());
  for (auto& rival : roster.rivals) entrants.push_back(std::move(rival));
  const int rounds = context.pick(9, 1);
  const auto count = context.pick<std::size_t>(10'000, 500);
  constexpr std::array<std::pair<const char*, const char*>, 3> kinds{
      {{"closest", "closest point"}, {"ray", "first hit of a random ray"}, {"aimed", "first hit of an aimed ray"}}};
  Table table{"times",
              "One question",
              {{"mesh", "mesh"},
               {"triangles", "triangles"},
               {"kind", "question"},
               {"rival", "library"},
               {"ns", "time", "ns", 3},
               {"ratio", "/ ours", "", 3},
               {"hits", "answers that are not 0"},
               {"mean", "mean answer", "", 6}}};
  Plot plot{"times", "One question about points or rays", {"mesh and question"}, {"ns", true}};
  for (std::size_t i = 0; i < entrants.size(); ++i)
    plot.series.push_back({entrants[i]->name(), {}, {}, static_cast<int>(i)});
  context.plan(2);
  double least = std::numeric_limits<double>::infinity(), embree = 0;
  std::string missed;
  for (const std::string mesh_name : {"horse", "pipes"}) {
    Row key{{"mesh", mesh_name}, {"entrants", Json::array()}};
    for (const auto& entrant : entrants) key["entrants"].push_back(entrant->id());
    const Row row = context.row(key, {rounds, count}, [&] {
      const Mesh mesh = mesh_name == "horse" ? scenes::horse(context.pick<std::size_t>(20'000, 2'000))
                                             : scenes::pipes(context.pick<std::size_t>(143'690, 4'000));
      const Questions questions(mesh, count);
      for (const auto& entrant : entrants) entrant->build(mesh);
      Row out{{"triangles", mesh.triangles.size()}, {"scores", Json::array()}};
      for (const auto& [kind, told] : kinds) {
        std::vector<Contestant> contestants;
        std::vector<PointRival*> asked;
        std::vector<Answers> answers(entrants.size());
        for (const auto& entrant : entrants)
          if (entrant->has_distance() || kind != std::string_view("closest")) {
            contestants.push_back({[&, rival = entrant.get(), what = std::string(kind), i = asked.size()] {
              answers[i] = ask(*rival, questions, what);
            }});
            asked.push_back(entrant.get());
          }
        const std::vector<double> seconds = in_turns(rounds, contestants);
        for (std::size_t i = 0; i < asked.size(); ++i)
          out["scores"].push_back({{"question", kind},
                                   {"kind", told},
                                   {"id", asked[i]->id()},
                                   {"rival", asked[i]->name()},
                                   {"ns", seconds[i] * 1e9 / static_cast<double>(count)},
                                   {"hits", answers[i].hits},
                                   {"mean", answers[i].sum / static_cast<double>(count)}});
      }
      return out;
    });
    double ours = 0;
    for (const Json& score : row["scores"]) {
      if (score["id"] == "tumble") {
        ours = score["ns"];
        plot.categories.push_back(mesh_name + ", " + score["question"].get<std::string>());
        for (Series& series : plot.series) series.y.push_back(std::numeric_limits<double>::quiet_NaN());
      }
      Row one{{"mesh", mesh_name}, {"triangles", row["triangles"]}};
      one.update(score);
      const double ratio = score["ns"].get<double>() / ours;
      one["ratio"] = ratio;
      table.rows.push_back(one);
      for (Series& series : plot.series)
        if (series.name == score["rival"]) series.y.back() = score["ns"];
      if (score["id"] == "embree") embree = std::max(embree, 1 / ratio);
      if (score["id"] != "cgal") continue;
      least = std::min(least, ratio);
      if (ratio < 5)
        missed += fmt::format("{}{} {} ({:.2g})", missed.empty() ? "" : ", ", mesh_name,
                              score["question"].get<std::string>(), ratio);
    }
  }
  table.notes = {fmt::format(
      "Processor time on one thread, the median of {} rounds in which all take turns; {} questions, seed {}: closest "
      "points of points in the box of the mesh, made half as large again; first hits of rays from such points in all "
      "directions, most of which hit nothing, and aimed at a point in the box. Means agree where libraries do.",
      rounds, count, seed)};
  if (embree > 0)
    report.findings.push_back(
        fmt::format("Where we lose: Embree's rays take as little as 1/{:.2g} of our time. They are decided in single "
                    "precision, ours "
                    "exactly on double-precision coordinates.",
                    embree));
  if (!std::isinf(least))
    report.findings.push_back(fmt::format("CGAL takes at least {:.2g} times as long as tumble; our target is five: {}.",
                                          least, missed.empty() ? "met" : "MISSED by " + missed));
  if (report.findings.empty()) report.findings.emplace_back("No rival was there to be compared with.");
  report.plots = {plot};
  report.tables = {table, entrants_table(entrants, roster.absent, "library")};
}

}  // namespace

Experiment points() {
  return {"points", "Closest points and rays",
          "Question: how fast are points and rays answered, beside other libraries?", "point_queries.cpp", run_points};
}

}  // namespace tumble::lab
