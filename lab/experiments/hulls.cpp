// SPDX-License-Identifier: Apache-2.0
// Lin 1996, section 4.1: what worlds gain by a look at convex hulls before trees are opened, and where they lose.
#include "lab/experiments/all.h"
#include "lab/real_parts.h"
#include "scenes/falling.h"
#include "scenes/moving_bodies.h"
#include "scenes/random.h"

#include <tumble/assembly.h>
#include <tumble/io.h>
#include <tumble/world.h>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

namespace tumble::lab {
namespace {

/// Bodies enter a world; what is returned moves them to where they are at a step.
using Move = std::function<void(World& world, std::size_t step)>;
struct Play {
  std::string name, title;
  std::size_t bodies = 0, triangles = 0, steps = 0;
  std::function<Move(World& world)> enter;
};

struct Question {
  const char* name;
  std::size_t (*ask)(World& world);
};
constexpr Question any{"any", [](World& world) -> std::size_t { return world.collide() ? 1 : 0; }};
constexpr Question pairs{"pairs", [](World& world) { return world.colliding().size(); }};
constexpr Question contacts{"contacts", [](World& world) { return world.contacts({.geometry = false}).size(); }};

Play play_of(std::string name, std::string title, scenes::MovingBodies moving) {
  std::vector<Model> models;
  for (Mesh& mesh : moving.meshes) models.emplace_back(std::move(mesh), TreeOptions{.threads = 1});
  Play play{std::move(name), std::move(title), moving.mesh_of.size(), 0, moving.steps.size(), {}};
  for (const std::uint32_t mesh : moving.mesh_of) play.triangles += models[mesh].triangles().size();
  const auto of = std::make_shared<const scenes::MovingBodies>(std::move(moving));
  play.enter = [of, models](World& world) -> Move {
    std::vector<BodyId> ids;
    for (std::size_t i = 0; i < of->mesh_of.size(); ++i)
      ids.push_back(world.add(models[of->mesh_of[i]], of->steps.front()[i]));
    return [of, ids](World& at, std::size_t step) { at.move(ids, of->steps[step]); };
  };
  return play;
}

/// At the poses at which the simulation looked for contacts.
Play play_of(const scenes::FallingScene& scene) {
  scenes::MovingBodies moving{{scene.env, scene.object}, {0, 1}, {}};
  for (const Pose& pose : scenes::fall(scene).tried) moving.steps.push_back({Pose{}, pose});
  return play_of(scene.info.name, scene.info.title, std::move(moving));
}

struct SceneMesh {
  const char* file;
  Vec3 at;
};

/// A Panda in random configurations, as in the experiment `robots`.
Play robot_play(std::string name, std::string title, const std::filesystem::path& data,
                const std::vector<SceneMesh>& meshes, std::size_t steps) {
  Robot robot = load_robot(data / "robot-panda-mbm/panda.urdf");
  load_srdf(robot, data / "robot-panda-mbm/panda.srdf");
  Play play{std::move(name), std::move(title), 0, 0, steps, {}};
  const auto count = [&](const Model& model) {
    ++play.bodies;
    play.triangles += model.triangles().size();
  };
  for (const Link& link : robot.links())
    for (const LinkShape& shape : link.shapes) count(shape.model);
  std::vector<std::pair<Model, Pose>> standing;
  for (const SceneMesh& mesh : meshes) {
    standing.emplace_back(Model(load_mesh(data / "scenes-mbm" / mesh.file)), Pose::from_translation(mesh.at));
    count(standing.back().first);
  }
  scenes::Random random(1);
  std::vector<double> values;
  for (std::size_t i = 0; i < steps; ++i)
    for (const std::size_t free : robot.free_joints())
      values.push_back(random.between(robot.joints()[free].lower, robot.joints()[free].upper));
  play.enter = [robot, standing, values](World& world) -> Move {
    const auto bodies =
        std::make_shared<RobotBodies>(add(world, robot, {.base = Pose::from_translation({0, 0, 0.35})}));
    for (const auto& [model, pose] : standing) {
      const BodyId id = world.add(model, pose, {.moves = false});
      if (const BodyId root = bodies->links()[robot.root()]; root != BodyId{}) world.ignore(root, id);
    }
    const std::size_t joints = robot.free_joints().size();
    return [bodies, values, joints](World& at, std::size_t step) {
      bodies->set_joints(at, std::span(values).subspan(step * joints, joints));
    };
  };
  return play;
}

std::vector<std::pair<std::function<std::optional<Play>()>, std::vector<Question>>> all_plays(const Context& context) {
  const bool quick = context.quick();
  const auto moving = [](std::string name, std::string title, std::optional<scenes::MovingBodies> made) {
    return made ? std::optional(play_of(std::move(name), std::move(title), std::move(*made))) : std::nullopt;
  };
  std::vector<std::pair<std::function<std::optional<Play>()>, std::vector<Question>>> all;
  for (const scenes::SceneInfo& info : scenes::list_falling())
    all.push_back({[=] {
                     scenes::SceneOptions options;
                     if (quick) options = {.triangles = 8'000, .steps = 150};
                     return std::optional(play_of(*scenes::make_falling(info.name, options)));
                   },
                   {pairs, contacts}});
  all.push_back({[=] {
                   return moving("heap", "A heap of tori, horses and bars",
                                 quick ? scenes::falling_heap(60, 2'000, 12) : scenes::falling_heap(500, 2'000, 120));
                 },
                 {any, pairs, contacts}});
  all.push_back({[=] {
                   return moving("assembly", "Shafts, lids, gears and nuts drawn out of what holds them",
                                 quick ? scenes::opened_assembly(12, 4) : scenes::opened_assembly(100, 60));
                 },
                 {any, pairs, contacts}});
  all.push_back(
      {[=] { return moving("real-heap", "A heap of real meshes", quick ? real_heap(18, 12) : real_heap(300, 120)); },
       {any, pairs, contacts}});
  all.push_back({[=] {
                   return moving("real-assembly", "A real rig of servos, brackets, screws and nuts, drawn apart",
                                 real_assembly(quick ? 3 : 60));
                 },
                 {any, pairs, contacts}});
  const auto robot = [=](const char* name, const char* title, std::vector<SceneMesh> meshes) {
    return [=]() -> std::optional<Play> {
      const auto data = real_data("robot-panda-mbm");
      if (!data) return std::nullopt;
      return robot_play(name, title, *data, meshes, quick ? 300 : 20'000);
    };
  };
  all.push_back({robot("robot", "A Panda in random configurations", {}), {any, pairs}});
  all.push_back({robot("robot-kitchen", "A Panda in a kitchen",
                       {{"kitchen/meshes/cupboard.stl", {0, 0, 0}},
                        {"kitchen/meshes/dishwasher_door.stl", {0.33637, -0.72851, 0.030766}},
                        {"kitchen/meshes/kitchen_counter.stl", {0, 0, 0}}}),
                 {any, pairs}});
  return all;
}

/// With hulls and without, by turns of a few steps; of each turn the fastest of the passes.
Row measure(const Play& play, const Question& question, int passes) {
  constexpr std::size_t turn = 16;
  constexpr HullStage kinds[] = {HullStage::off, HullStage::on};
  const std::size_t turns = (play.steps + turn - 1) / turn;
  std::vector<double> seconds[2];
  std::size_t found[2] = {0, 0};
  HullCounters saved;
  for (auto& one : seconds) one.assign(turns, std::numeric_limits<double>::infinity());
  for (int pass = 0; pass < passes; ++pass) {
    std::optional<World> worlds[2];
    Move moves[2];
    for (std::size_t kind = 0; kind < 2; ++kind) {
      moves[kind] = play.enter(worlds[kind].emplace(WorldOptions{.threads = 1, .hulls = kinds[kind]}));
      found[kind] = 0;
      question.ask(*worlds[kind]);
    }
    for (std::size_t t = 0; t < turns; ++t)
      for (std::size_t place = 0; place < 2; ++place) {
        const std::size_t kind = (place + t) % 2;  // who comes second finds triangles in the cache
        const double begin = thread_seconds();
        for (std::size_t step = t * turn; step < std::min((t + 1) * turn, play.steps); ++step) {
          moves[kind](*worlds[kind], step);
          found[kind] += question.ask(*worlds[kind]);
        }
        seconds[kind][t] = std::min(seconds[kind][t], thread_seconds() - begin);
      }
    saved = worlds[1]->hull_counters();
  }
  const auto a_step = [&](double number) { return number / static_cast<double>(play.steps); };
  double us[2] = {0, 0};
  for (std::size_t kind = 0; kind < 2; ++kind)
    for (const double one : seconds[kind]) us[kind] += a_step(one * 1e6);
  const auto count = [&](std::uint64_t number) { return a_step(static_cast<double>(number)); };
  return {{"off", us[0]},
          {"on", us[1]},
          {"ratio", us[1] / us[0]},
          {"asked", count(saved.asked)},
          {"apart", count(saved.apart)},
          {"red", count(saved.red)},
          {"to_trees", count(saved.to_trees)},
          {"found", found[0]},
          {"found_on", found[1]}};
}

/// Of the hulls that the first step looks at; nobody has asked for them before.
Row measure_making(const Play& play) {
  double seconds[2] = {0, 0};
  for (const HullStage kind : {HullStage::off, HullStage::on}) {
    World world({.threads = 1, .hulls = kind});
    const Move move = play.enter(world);
    const double begin = thread_seconds();
    world.step();  // looks at all neighbours
    seconds[kind == HullStage::on ? 1 : 0] = thread_seconds() - begin;
  }
  return {{"making", (seconds[1] - seconds[0]) * 1e3}};
}

void run_hulls(Context& context, Report& report) {
  Table table{"hulls",
              "A step with trees alone, and with hulls before trees",
              {{"scene", "scene"},
               {"bodies", "bodies"},
               {"triangles", "triangles"},
               {"question", "question"},
               {"off", "trees alone", "µs"},
               {"on", "hulls first", "µs"},
               {"ratio", "ratio", "", 3},
               {"asked", "hulls asked"},
               {"apart", "apart"},
               {"red", "answered by red"},
               {"to_trees", "left to trees"},
               {"making", "making hulls", "ms", 3},
               {"found", "found"}}};
  table.notes.emplace_back(
      "Processor time of one thread for a step: every body moves, then one question is asked. Both kinds take turns of "
      "16 "
      "steps, each first in every second turn; of each turn the fastest of five passes counts. Counts are pairs of "
      "bodies in a step: those whose hulls were looked at, told apart by them, answered by two red triangles in "
      "contact, and left to the trees. Pairs that boxes tell apart, and those with a contact from the last step, do "
      "not "
      "come to the hulls. Making hulls is done once, by the first question.");
  const auto plays = all_plays(context);
  std::size_t planned = 0;
  for (const auto& [make, questions] : plays) planned += questions.size() + 1;
  context.plan(planned);
  double best = std::numeric_limits<double>::infinity(), worst = 0;
  std::string best_where, worst_where;
  bool is_all_there = true;
  for (const auto& [make, questions] : plays) {
    const std::optional<Play> play = make();
    if (!play) {
      is_all_there = false;
      continue;
    }
    const Row making = context.row({{"scene", play->name}, {"what", "making"}}, [&] { return measure_making(*play); });
    for (const Question& question : questions) {
      Row row = context.row({{"scene", play->name}, {"question", question.name}},
                            [&] { return measure(*play, question, context.pick(5, 1)); });
      context.must_hold(row.at("found") == row.at("found_on"), play->name + ": hulls change no answer");
      row["bodies"] = play->bodies;
      row["triangles"] = play->triangles;
      row["making"] = making.at("making");
      const double ratio = row.at("ratio");
      const std::string where = fmt::format("{}, {}", play->name, question.name);
      if (ratio < best) best = ratio, best_where = where;
      if (ratio > worst) worst = ratio, worst_where = where;
      table.rows.push_back(std::move(row));
    }
  }
  report.findings.push_back(
      fmt::format("With a look at hulls before trees, a step takes {:.3g} ({}) to {:.3g} times ({}) as long.", best,
                  best_where, worst, worst_where));
  double asked = 0, apart = 0, red = 0;
  for (const Row& row : table.rows) {
    asked += row.at("asked").get<double>();
    apart += row.at("apart").get<double>();
    red += row.at("red").get<double>();
  }
  report.findings.push_back(fmt::format(
      "Hulls tell {:.3g} % of the pairs apart that come to them, and red triangles answer {:.2g} %. Little is left to "
      "gain: turned boxes come before hulls, a walk through trees begins where the last one ended, and a contact that "
      "was found is tried first the next time. So hulls are not looked at unless a program asks for it.",
      100 * apart / asked, 100 * red / asked));
  if (!is_all_there)
    report.findings.emplace_back("Some scenes are not run: the folder of meshes beside the repository is not there.");
  report.stand_ins = {
      "The paper looks at the convex hulls of two bodies before their trees. A feature of a hull is red if it is the "
      "model's own, and green if the hull made it. To the paper two red features that overlap are an actual collision. "
      "But a corner may lie inside the other hull and yet touch nothing of the other's surface, which is what is asked "
      "here; so ours tests the red triangles themselves exactly, and takes their contact alone for an answer.",
      "The paper has no figures of this. falling_pipes, falling_torus and torpedo are those of the page lin1996; heap "
      "and assembly are generated and move as in worlds; real-heap, real-assembly and the robots are made of real "
      "meshes, which are not in the repository: those of the pages worlds and robots, but in robot-kitchen both doors "
      "of the cupboard are left out, which leaves 14 meshes of 16. A question is whether any two bodies touch (any), "
      "which do (pairs), or where they do (contacts)."};
  report.tables = {std::move(table)};
}

}  // namespace

Experiment lin1996_hulls() {
  return {"lin1996-hulls",
          "Hulls before trees",
          "Lin 1996, section 4.1: red and green features",
          "hulls.cpp",
          run_hulls,
          {}};
}

}  // namespace tumble::lab
