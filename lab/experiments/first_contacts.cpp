// SPDX-License-Identifier: Apache-2.0
// When do bodies first touch? Throws at meshes of all kinds, and parts that move with little clearance, through
// first_contact() and through FCL's conservative advancement.
#include "lab/entrants.h"
#include "lab/experiments/all.h"
#include "lab/rivals/limited.h"
#include "lab/rivals/roster.h"
#include "scenes/meshes.h"
#include "scenes/placings.h"
#include "scenes/random.h"
#include "scenes/shapes.h"

#include <tumble/motion.h>
#include <tumble/query.h>

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace tumble::lab {
namespace {

double thread_seconds() {
  std::timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// From one pose to another.
struct Way {
  Pose from, to;
};

struct Setting {
  Mesh environment, object;
  std::vector<Way> ways;
};

Pose turned_anyhow(scenes::Random& random, const Vec3& place) {
  const Vec3 axis = random.direction();
  const double w = random.between(-1, 1);
  return Pose::from_quaternion(w, axis.x, axis.y, axis.z, place);
}

/// From all around, past the middle or into it, turning on the way.
Setting thrown(Mesh environment, Mesh object, double radius, std::size_t count) {
  scenes::Random random(5);
  Setting setting{std::move(environment), std::move(object), {}};
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 direction = random.direction(), past = random.direction() * (0.35 * radius);
    const Pose from = turned_anyhow(random, direction * radius);
    setting.ways.push_back({from, turned_anyhow(random, past - direction * radius)});
  }
  return setting;
}

/// Along an axis of the object, and back and forth about where it stands; or turning about that axis.
Setting guided(const scenes::Placing& placing, int axis, double way, double turn, std::size_t count) {
  Setting setting{placing.env, placing.object, {}};
  for (std::size_t i = 1; i <= count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count);
    Vec3 along{}, about{};
    along[axis] = way * share;
    about[axis] = turn * share / 2;  // a small angle, so the sine will do
    setting.ways.push_back({placing.pose, placing.pose * Pose::from_quaternion(1, about.x, about.y, about.z, along)});
  }
  return setting;
}

struct Named {
  const char* name;
  std::function<Setting(std::size_t count, std::size_t scale)> make;
};

/// `scale` divides the triangles.
std::vector<Named> settings() {
  using namespace scenes;
  return {
      {"tori", [](auto n, auto s) { return thrown(zachmann_torus(5'000 / s), zachmann_torus(5'000 / s), 3, n); }},
      {"torus and sphere",
       [](auto n, auto s) { return thrown(zachmann_torus(53'824 / s), zachmann_sphere(22'952 / s), 3, n); }},
      {"animals", [](auto n, auto s) { return thrown(horse(20'000 / s), dinosaur(20'000 / s), 3, n); }},
      {"airplanes", [](auto n, auto) { return thrown(airplane(), scaled(airplane(), 0.5), 1, n); }},
      {"pipes", [](auto n, auto s) { return thrown(pipes(50'000 / s), scaled(pipes(50'000 / s), 1. / 15), 1.5, n); }},
      {"cabin and hand", [](auto n, auto) { return thrown(cabin(), hand(), 1, n); }},
      {"landscape and torus",
       [](auto n, auto s) { return thrown(landscape(50'000 / s), wrinkled_torus(10'000 / s), 8, n); }},
      {"tetrahedra", [](auto n, auto s) { return thrown(tetrahedron_field(10'000 / s), axis_object(), 10, n); }},
      {"plate slides along a plate", [](auto n, auto) { return guided(facing_plates(1e-3, 20), 0, 0.5, 0, n / 4); }},
      {"shaft leaves its bore", [](auto n, auto) { return guided(shaft_in_bore(1e-3), 2, 2, 0, n / 4); }},
      {"shaft turns in its bore", [](auto n, auto) { return guided(shaft_in_bore(1e-2), 2, 0, 0.5, n / 4); }},
      {"nut turns on its thread", [](auto n, auto) { return guided(nut_on_thread(1e-2), 2, 0, 0.02, n / 4); }},
  };
}

/// The least processor time of some calls, in microseconds.
template <class Ask>
double best_of(int times, const Ask& ask) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < times; ++i) {
    const double begin = thread_seconds();
    ask();
    best = std::min(best, (thread_seconds() - begin) * 1e6);
  }
  return best;
}

/// Half the diagonal of its box.
double size_of(const Mesh& mesh) {
  const Box box = bounding_box(mesh);
  return length(box.upper - box.lower) / 2;
}

constexpr double limit = 1;  // second for a rival's answer

struct Ours {
  double us;
  FirstContact first;
};

/// Whether the bodies are in contact somewhere between two times, both left out, by samples.
bool touches_between(Pair& pair, const Motion& motion, double from, double to) {
  constexpr int samples = 200;
  for (int i = 1; i < samples; ++i)
    if (pair.collide({}, motion.at(from + (to - from) * i / samples))) return true;
  return false;
}

Row measure(const Context& context, const Setting& setting, MotionRivals& rivals) {
  const int times = context.pick(2, 1);
  const Model environment(setting.environment, {.threads = 1}), object(setting.object, {.threads = 1});
  Pair pair(environment, object);
  const double tolerance = 1e-6 * std::min(size_of(setting.environment), size_of(setting.object));
  std::vector<Ours> ours;
  double sum = 0, looks = 0;
  std::size_t touching = 0, too_late = 0;
  for (const Way& way : setting.ways) {
    const Motion motion = Motion::line(way.from, way.to);
    Ours one{};
    one.us =
        best_of(times, [&] { one.first = first_contact(environment, {}, object, motion, {.tolerance = tolerance}); });
    sum += one.us;
    looks += static_cast<double>(one.first.node_pairs);
    touching += one.first.found;
    too_late += !one.first.initial && touches_between(pair, motion, 0, one.first.found ? one.first.time : 1);
    ours.push_back(one);
  }
  const auto count = static_cast<double>(ours.size());
  Row row{{"triangles", fmt::format("{} + {}", setting.environment.triangles.size(), setting.object.triangles.size())},
          {"ways", ours.size()},
          {"contact", touching},
          {"ours_us", sum / count},
          {"looks", looks / count},
          {"ours_late", too_late},
          {"scores", Json::array()}};
  for (auto& rival : rivals) {
    rival->build(setting.environment, setting.object);
    double theirs = 0, beside = 0, least = std::numeric_limits<double>::infinity();
    std::size_t finished = 0, late = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      const Way& way = setting.ways[i];
      // It cannot be told to stop.
      const Limited answer = run_limited(limit, [&] {
        std::optional<double> at;
        const double us = best_of(times, [&] { at = rival->first_contact(way.from, way.to, tolerance); });
        return fmt::format("{} {}", us, at.value_or(2));
      });
      if (answer.end != Limited::End::finished) continue;
      ++finished;
      const auto space = answer.text.find(' ');
      const double us = std::stod(answer.text), at = std::stod(answer.text.substr(space));
      theirs += us;
      beside += ours[i].us;
      least = std::min(least, us / ours[i].us);
      const double end = std::min(at, 1.0);
      late += ours[i].first.found && end > ours[i].first.time &&
              touches_between(pair, Motion::line(way.from, way.to), ours[i].first.time, end);
    }
    row["scores"].push_back({{"rival", rival->name()},
                             {"us", finished > 0 ? Json(theirs / static_cast<double>(finished)) : Json()},
                             {"ratio", finished > 0 ? Json(theirs / beside) : Json()},
                             {"least", finished > 0 ? Json(least) : Json()},
                             {"unfinished", ours.size() - finished},
                             {"late", late}});
  }
  return row;
}

void run_first_contacts(Context& context, Report& report) {
  MotionRoster roster = load_motion_rivals(rivals_folder());
  Table table{"first_contacts",
              "The first contact on the way from one pose to another",
              {{"scene", "scene"},
               {"triangles", "triangles"},
               {"ways", "ways"},
               {"contact", "with contact"},
               {"ours_us", "ours", "µs"},
               {"looks", "looks"},
               {"rival", "rival"},
               {"us", "a way", "µs"},
               {"ratio", "/ ours", "", 3},
               {"least", "least", "", 3},
               {"unfinished", "unfinished"},
               {"late", "late"}}};
  table.notes.push_back(fmt::format(
      "Processor time on one thread, the least of {}. The tolerance is a millionth of half the diagonal of the "
      "smaller body's box. "
      "A rival's time and its ratio to ours are over the ways that it finished within {:g} s; least is the least ratio "
      "of "
      "one way. Looks: pairs of volumes or triangles that ours looked at. Late: the bodies are in contact before the "
      "rival's answer, by samples with exact contact. Before ours there is none.",
      context.pick(2, 1), limit));
  const std::vector<Named> all = settings();
  const std::size_t count = context.pick<std::size_t>(12, 4), scale = context.pick<std::size_t>(1, 4);
  context.plan(all.size());
  std::vector<std::string> behind;
  double worst = 0, best = 0;
  std::size_t late = 0, unfinished = 0, asked = 0;
  for (const Named& scene : all) {
    Row key{{"scene", scene.name}, {"rivals", Json::array()}};
    for (const auto& rival : roster.rivals) key["rivals"].push_back(rival->name());
    const Row row = context.row(key, [&] { return measure(context, scene.make(count, scale), roster.rivals); });
    context.must_hold(row["ours_late"] == 0, fmt::format("{}: no contact comes before ours", scene.name));
    double fastest = 0;
    Row one{{"scene", scene.name}};
    for (const char* fact : {"triangles", "ways", "contact", "ours_us", "looks"}) one[fact] = row[fact];
    if (row["scores"].empty()) table.rows.push_back(one);
    for (const Json& score : row["scores"]) {
      Row shown = one;
      shown.update(score);
      table.rows.push_back(shown);
      late += score["late"].get<std::size_t>();
      unfinished += score["unfinished"].get<std::size_t>();
      asked += row["ways"].get<std::size_t>();
      if (score["ratio"].is_null()) continue;
      const double ratio = score["ratio"];
      if (fastest == 0 || ratio < fastest) fastest = ratio;
    }
    if (fastest == 0) continue;
    if (fastest < 1) behind.push_back(fmt::format("{} ({:.3g})", scene.name, fastest));
    worst = worst == 0 ? fastest : std::min(worst, fastest);
    best = std::max(best, fastest);
  }
  if (worst == 0) {
    report.findings.push_back("No rival was there to be compared with.");
  } else {
    report.findings.push_back(fmt::format(
        "FCL's faster tree takes {:.3g} to {:.3g} times as long as ours. The target is to be faster on every scene: "
        "{}.",
        worst, best,
        behind.empty() || context.quick() ? std::string(context.verdict(behind.empty()))
                                          : fmt::format("{} on {}", context.verdict(false), fmt::join(behind, ", "))));
    report.findings.push_back(
        fmt::format("Of {} answers of FCL {} come late and {} did not come in time.", asked, late, unfinished));
  }
  report.tables.push_back(entrants_table(roster.rivals, roster.absent, "rival"));
  report.tables.push_back(std::move(table));
}

}  // namespace

Experiment first_contacts() {
  return {"first-contact", "When moving bodies first touch",
          "Question: how fast is the first contact of moving bodies found, beside FCL's conservative advancement?",
          "first_contacts.cpp", run_first_contacts};
}

}  // namespace tumble::lab
