// SPDX-License-Identifier: Apache-2.0
// Lin 1996, Graphs 1 to 6: sweep and prune with fixed and with dynamic boxes, over the number of objects, their
// complexity and their velocities. The curves are not in our text of the paper, only what was varied.
#include "lab/experiments/all.h"
#include "scenes/random.h"
#include "scenes/shapes.h"

#include <tumble/world.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

namespace tumble::lab {
namespace {

/// Of a box of objects that fly about in it; lengths are parts of an object's, angles are radians.
struct Crowd {
  std::size_t objects = 1'000;
  std::size_t triangles = 300;  // each, about
  double velocity = 0.05;       // a step
  double turn = 0.05;           // a step
};

double thread_seconds() {
  std::timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// An oblong convex object of length 1.
Mesh object_of(std::size_t triangles) {
  const auto sides = static_cast<std::size_t>(std::sqrt(static_cast<double>(triangles) / 2));
  const std::size_t around = std::max<std::size_t>(4, sides / 4 * 4), rings = std::max<std::size_t>(4, sides / 2 * 2);
  return scenes::scaled(scenes::rounded_box({1, 0.5, 0.3}, 0.2, around, rings), 0.5);
}

struct Flying {
  Vec3 place, velocity;
  std::array<double, 4> turned, turn;
};

Row fly_crowd(const Crowd& crowd, int steps) {
  const Mesh mesh = object_of(crowd.triangles);
  const Model model(mesh, {.threads = 1});
  const double side = std::cbrt(static_cast<double>(crowd.objects)) * 0.9;
  Row row{{"objects", crowd.objects},
          {"triangles", mesh.triangles.size()},
          {"velocity", crowd.velocity},
          {"turn", crowd.turn}};
  for (const BodyBoxes boxes : {BodyBoxes::fixed, BodyBoxes::dynamic}) {
    scenes::Random random(1);
    World world({.threads = 1, .neighbours = NeighbourFinding::sweep_and_prune, .boxes = boxes});
    std::vector<Flying> all;
    std::vector<BodyId> ids;
    std::vector<Pose> poses(crowd.objects);
    for (std::size_t i = 0; i < crowd.objects; ++i) {
      const Vec3 place = random.in_box({0, 0, 0}, {side, side, side});
      const Vec3 velocity = random.direction() * crowd.velocity;
      const Vec3 axis = random.direction() * (crowd.turn / 2);  // half the angle, in a quaternion
      all.push_back({place,
                     velocity,
                     {1, random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)},
                     {0, axis.x, axis.y, axis.z}});
      ids.push_back(world.add(model, Pose::from_translation(place)));
    }
    std::size_t neighbours = 0, colliding = 0;
    double finding = 0, whole = 0;
    for (int step = 0; step <= steps; ++step) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        Flying& one = all[i];
        one.place += one.velocity;
        for (int axis = 0; axis < 3; ++axis)
          if (one.place[axis] < 0 || one.place[axis] > side) one.velocity[axis] = -one.velocity[axis];
        const auto [w, x, y, z] = one.turned;
        const auto [tw, tx, ty, tz] = one.turn;
        one.turned = {w - (tx * x + ty * y + tz * z), x + (tx * w + ty * z - tz * y), y + (ty * w + tz * x - tx * z),
                      z + (tz * w + tx * y - ty * x)};
        const double length = std::sqrt(one.turned[0] * one.turned[0] + one.turned[1] * one.turned[1] +
                                        one.turned[2] * one.turned[2] + one.turned[3] * one.turned[3]);
        for (double& number : one.turned) number /= length;
        poses[i] = Pose::from_quaternion(one.turned[0], one.turned[1], one.turned[2], one.turned[3], one.place);
      }
      const double begin = thread_seconds();
      world.move(ids, poses);
      const std::size_t pairs = world.neighbours().size();
      const double found = thread_seconds();
      const std::size_t hits = world.colliding().size();
      const double end = thread_seconds();
      if (step == 0) continue;  // lists are sorted for the first time
      finding += found - begin;
      whole += end - begin;
      neighbours += pairs;
      colliding += hits;
    }
    const std::string which = boxes == BodyBoxes::fixed ? "fixed" : "dynamic";
    const double per_step = 1e6 / steps;
    row[which + "_pairs"] = static_cast<double>(neighbours) / steps;
    row[which + "_us"] = finding * per_step;
    row[which + "_whole_us"] = whole * per_step;
    row[which + "_colliding"] = colliding;
  }
  return row;
}

struct Range {
  double least = std::numeric_limits<double>::infinity(), most = 0;

  void note(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

struct Sweep {
  std::string name, title, axis;
  std::vector<Crowd> crowds;
};

void run_boxes(Context& context, Report& report) {
  const int steps = context.pick(30, 3);
  const Crowd usual{.objects = context.pick<std::size_t>(1'000, 60), .triangles = context.pick<std::size_t>(300, 60)};
  std::vector<Sweep> sweeps{{"objects", "Over the number of objects", "objects", {}},
                            {"triangles", "Over their complexity", "triangles", {}},
                            {"velocity", "Over their velocity, in lengths a step", "velocity", {}},
                            {"turn", "Over their rotation, in radians a step", "turn", {}}};
  const auto add = [&](std::size_t sweep, auto member, const auto& full, const auto& reduced) {
    for (const auto value : context.quick() ? reduced : full) {
      Crowd crowd = usual;
      crowd.*member = value;
      sweeps[sweep].crowds.push_back(crowd);
    }
  };
  add(0, &Crowd::objects, std::vector<std::size_t>{250, 500, 1'000, 2'000, 4'000}, std::vector<std::size_t>{30, 60});
  add(1, &Crowd::triangles, std::vector<std::size_t>{50, 300, 1'000, 5'000, 20'000}, std::vector<std::size_t>{50, 200});
  add(2, &Crowd::velocity, std::vector<double>{0.01, 0.02, 0.05, 0.1, 0.2, 0.5}, std::vector<double>{0.01, 0.5});
  add(3, &Crowd::turn, std::vector<double>{0.01, 0.02, 0.05, 0.1, 0.2, 0.5}, std::vector<double>{0.01, 0.5});
  std::size_t rows = 0;
  for (const Sweep& sweep : sweeps) rows += sweep.crowds.size();
  context.plan(rows);
  for (const Sweep& sweep : sweeps) {
    Table table{sweep.name,
                sweep.title,
                {{"objects", "objects"},
                 {"triangles", "triangles each"},
                 {"velocity", "velocity"},
                 {"turn", "rotation"},
                 {"fixed_pairs", "neighbours, fixed"},
                 {"dynamic_pairs", "neighbours, dynamic"},
                 {"fixed_us", "finding them, fixed", "µs"},
                 {"dynamic_us", "finding them, dynamic", "µs"},
                 {"fixed_whole_us", "with exact contact, fixed", "µs"},
                 {"dynamic_whole_us", "with exact contact, dynamic", "µs"}}};
    Plot plot{sweep.name, "A step: " + sweep.title, {sweep.axis, true}, {"microseconds", true}};
    plot.series = {{"finding neighbours, fixed", {}, {}, 0},
                   {"finding neighbours, dynamic", {}, {}, 1},
                   {"with exact contact, fixed", {}, {}, 2},
                   {"with exact contact, dynamic", {}, {}, 3}};
    for (const Crowd& crowd : sweep.crowds) {
      const Row row = context.row(
          {{"sweep", sweep.name},
           {"asked", fmt::format("{} {} {:g} {:g}", crowd.objects, crowd.triangles, crowd.velocity, crowd.turn)}},
          {{"steps", steps}}, [&] { return fly_crowd(crowd, steps); });
      context.must_hold(row.at("fixed_colliding") == row.at("dynamic_colliding"),
                        "fixed and dynamic boxes lead to the same colliding pairs: " + sweep.name);
      const double x = row.at(sweep.axis);
      const char* keys[] = {"fixed_us", "dynamic_us", "fixed_whole_us", "dynamic_whole_us"};
      for (std::size_t i = 0; i < std::size(keys); ++i) {
        plot.series[i].x.push_back(x);
        plot.series[i].y.push_back(row.at(keys[i]));
      }
      table.rows.push_back(row);
    }
    const Row &first = table.rows.front(), &last = table.rows.back();
    const auto ratio = [](const Row& row, const char* key, const Row& to, const char* other) {
      return row.at(key).get<double>() / to.at(other).get<double>();
    };
    Range pairs, times;
    for (const Row& row : table.rows) {
      pairs.note(ratio(row, "fixed_pairs", row, "dynamic_pairs"));
      times.note(ratio(row, "fixed_whole_us", row, "dynamic_whole_us"));
    }
    const auto exponent = [&](const char* key) {
      return std::log(ratio(last, key, first, key)) / std::log(ratio(last, "objects", first, "objects"));
    };
    report.findings.push_back(fmt::format(
        "{}, from {:g} to {:g}: a step takes {:.2g} times as long with fixed boxes and {:.2g} times with dynamic ones, "
        "exact contact included. Over all rows, fixed boxes have {:.2f} to {:.2f} times the neighbours, and a step "
        "with "
        "them takes {:.2f} to {:.2f} times as long.",
        sweep.title, first.at(sweep.axis).get<double>(), last.at(sweep.axis).get<double>(),
        ratio(last, "fixed_whole_us", first, "fixed_whole_us"),
        ratio(last, "dynamic_whole_us", first, "dynamic_whole_us"), pairs.least, pairs.most, times.least, times.most));
    if (sweep.name == "objects")
      report.findings.push_back(fmt::format(
          "The paper states one trend: where objects move little, the lists are nearly sorted, and insertion sort "
          "takes "
          "expected O(N). Ours, from {:g} to {:g} objects: finding neighbours takes N^{:.2f} with fixed boxes and "
          "N^{:.2f} with dynamic ones, for N^{:.2f} and N^{:.2f} neighbours. The paper's curves are not in the text we "
          "have, so no figure stands beside ours.",
          first.at("objects").get<double>(), last.at("objects").get<double>(), exponent("fixed_us"),
          exponent("dynamic_us"), exponent("fixed_pairs"), exponent("dynamic_pairs")));
    report.tables.push_back(std::move(table));
    report.plots.push_back(std::move(plot));
  }
  report.tables.front().notes.emplace_back(
      "Oblong convex objects of length 1 fly about in a box of constant density; other values are the middle ones. "
      "Processor time of one thread, sweep and prune.");
  report.stand_ins = {
      "A fixed box is a cube in which the body can turn; a dynamic one is as small as the turned body's bounds allow, "
      "and is made anew when it moves. The paper says 'fixed versus dynamic sized boxes', and defines neither.",
      fmt::format("Objects, their density, velocities and the {} steps are ours: the paper describes none of its own. "
                  "Exact contact is that of our trees, not of the paper's closest features.",
                  steps)};
}

}  // namespace

Experiment lin1996_boxes() {
  return {"lin1996-boxes",
          "Fixed and dynamic boxes in sweep and prune",
          "Lin 1996, section 3, Graphs 1 to 6",
          "lin_boxes.cpp",
          run_boxes,
          {}};
}

}  // namespace tumble::lab
