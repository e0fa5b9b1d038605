// SPDX-License-Identifier: Apache-2.0
// Robots of the field in many configurations, alone and in scenes, through World and through FCL's managers.
#include "lab/entrants.h"
#include "lab/experiments/all.h"
#include "lab/real_parts.h"
#include "lab/rivals/our_world.h"
#include "lab/rivals/roster.h"
#include "scenes/random.h"

#include <tumble/assembly.h>
#include <tumble/io.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

namespace tumble::lab {
namespace {

namespace fs = std::filesystem;

constexpr double bar = 10;  // times as fast as FCL's best manager
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double gain_wanted = 1.8;  // of two threads

Robot panda(const fs::path& data) {
  Robot robot = load_robot(data / "robot-panda-mbm/panda.urdf");
  load_srdf(robot, data / "robot-panda-mbm/panda.srdf");
  return robot;
}

/// There is no URDF of it: the tree comes from the stored poses at zero, the limits from the robot's own description.
/// All axes are z.
Robot iiwa(const fs::path& data) {
  const fs::path folder = data / "robot-iiwa14";
  std::ifstream file(folder / "poses_iiwa14.json");
  const Json stored = Json::parse(file);
  const std::map<std::string, double> limits{{"joint1", 2.96706}, {"joint2", 2.0944}, {"joint3", 3.05433}};
  std::vector<Link> links;
  std::vector<Joint> joints;
  std::map<std::string, Pose> at;
  for (const Json& body : stored["bodies"]) {
    const std::string name = body["name"];
    at[name] = pose_of(body["T_world"]);
    links.push_back({name});
    if (body["parent"].is_null() || !at.contains(body["parent"])) continue;
    const double limit = limits.at(body["joints"][0]["class"]);
    joints.push_back({.name = body["joints"][0]["name"],
                      .type = JointType::revolute,
                      .parent = body["parent"],
                      .child = name,
                      .origin = at[body["parent"]].inverse() * at[name],
                      .axis = {0, 0, 1},
                      .lower = -limit,
                      .upper = limit});
  }
  std::map<std::string, Model> models;
  for (const Json& instance : stored["instances"]) {
    const std::string mesh = instance["mesh"], body = instance["body"];
    const Model& model = models.try_emplace(mesh, load_mesh(folder / mesh), TreeOptions{.threads = 1}).first->second;
    std::ranges::find(links, body, &Link::name)
        ->shapes.push_back({model, at[body].inverse() * pose_of(instance["T_world"]), mesh});
  }
  return {"iiwa14", std::move(links), std::move(joints)};
}

struct SceneMesh {
  const char* file;
  Vec3 at;
};
struct Scene {
  const char* name;
  std::vector<SceneMesh> meshes;
};

/// Where MotionBenchMaker has them, doors as its URDF hangs them; the shelves are pushed up to the robot.
const Scene all_scenes[] = {
    {"self", {}},
    {"kitchen",
     {{"kitchen/meshes/cupboard.stl", {0, 0, 0}},
      {"kitchen/meshes/dishwasher_door.stl", {0.33637, -0.72851, 0.030766}},
      {"kitchen/meshes/cupboard_door_l.stl", {0.44637, 0.54793, 1.6839}},
      {"kitchen/meshes/cupboard_door_r.stl", {0.44637, -1.1497, 1.6839}},
      {"kitchen/meshes/kitchen_counter.stl", {0, 0, 0}}}},
    {"shelves",
     {{"table_bars/meshes/shelves.stl", {0.4, 0, 0}},
      {"table_bars/meshes/left_bars.stl", {0.4, 0, 0}},
      {"table_bars/meshes/right_bars.stl", {0.4, 0, 0}}}},
};
const Vec3 base{0, 0, 0.35};  // of the robot: on a stand between floor and counter

/// The robot's shapes, link after link, then the meshes of the scene.
struct Setting {
  std::vector<Mesh> meshes;
  std::vector<std::uint32_t> mesh_of;
  std::vector<std::size_t> link_of;  // of the shapes
  std::vector<Pose> in_link;         // of the shapes
  std::vector<Pose> standing;        // of the scene
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ignored;

  Setting(const Robot& robot, const Scene& scene, const fs::path& data) {
    for (std::size_t link = 0; link < robot.links().size(); ++link)
      for (const LinkShape& shape : robot.links()[link].shapes) {
        add(mesh_of_model(shape.model));
        link_of.push_back(link);
        in_link.push_back(shape.pose);
      }
    for (const SceneMesh& mesh : scene.meshes) {
      add(load_mesh(data / "scenes-mbm" / mesh.file));
      standing.push_back(Pose::from_translation(mesh.at));
    }
    const auto is_ignored = [&](std::size_t a, std::size_t b) {
      if (a >= link_of.size()) return true;  // two that stand
      if (b >= link_of.size()) return link_of[a] == robot.root();
      return link_of[a] == link_of[b] || robot.ignored().contains({link_of[a], link_of[b]});
    };
    for (std::uint32_t a = 0; a < mesh_of.size(); ++a)
      for (std::uint32_t b = a + 1; b < mesh_of.size(); ++b)
        if (is_ignored(a, b)) ignored.emplace_back(a, b);
  }

  BodiesToAsk bodies() const { return {meshes, mesh_of, ignored}; }
  std::size_t triangles() const {
    std::size_t sum = 0;
    for (const Mesh& mesh : meshes) sum += mesh.triangles.size();
    return sum;
  }

 private:
  static Mesh mesh_of_model(const Model& model) {
    return {
        {model.vertices().begin(), model.vertices().end()}, {model.triangles().begin(), model.triangles().end()}, {}};
  }
  void add(Mesh mesh) {
    mesh_of.push_back(static_cast<std::uint32_t>(meshes.size()));
    meshes.push_back(std::move(mesh));
  }
};

/// Of the free joints, configuration after configuration.
std::vector<double> random_values(const Robot& robot, std::size_t count, std::uint64_t seed) {
  scenes::Random random(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i)
    for (const std::size_t free : robot.free_joints())
      values.push_back(random.between(robot.joints()[free].lower, robot.joints()[free].upper));
  return values;
}

/// Of all bodies, configuration after configuration.
std::vector<Pose> random_poses(const Setting& setting, const Robot& robot, std::size_t count, std::uint64_t seed) {
  std::vector<Pose> all;
  const std::vector<double> values = random_values(robot, count, seed);
  const std::size_t joints = robot.free_joints().size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<Pose> links = robot.poses(std::span(values).subspan(i * joints, joints));
    for (std::size_t shape = 0; shape < setting.link_of.size(); ++shape)
      all.push_back(Pose::from_translation(base) * links[setting.link_of[shape]] * setting.in_link[shape]);
    all.insert(all.end(), setting.standing.begin(), setting.standing.end());
  }
  return all;
}

/// In each setting, of processor time.
double seconds_per_rival(const Context& context) { return context.pick(5.0, 0.2); }

/// Configurations. In long turns most are checked with what the one before left in the caches, as by a planner that has
/// one library. In short ones everybody pays for what the others left there.
constexpr std::size_t long_turn = 1000, short_turn = 100;

struct Scores {
  std::vector<double> us, ratio;  // of each entrant
  std::vector<std::size_t> asked, wrong;
  std::size_t colliding = 0;
};

/// All entrants on the same configurations, in turns; who has used up its time stops.
Scores take_turns(const Context& context, std::span<const Pose> poses, std::size_t bodies, WorldRivals& entrants,
                  std::size_t turn, const std::function<void(double)>& tell) {
  const std::size_t count = poses.size() / bodies;
  const double seconds = seconds_per_rival(context);
  std::vector<double> spent(entrants.size());
  Scores out{{}, {}, std::vector<std::size_t>(entrants.size()), std::vector<std::size_t>(entrants.size())};
  std::vector<double> ours_so_far{0};  // seconds of ours after each turn
  std::vector<std::uint8_t> answers(turn);
  std::vector<Pose> computed;
  for (std::size_t first = 0; first < count; first += turn) {
    const std::size_t size = std::min(turn, count - first);
    // A program has just computed them. Without this, the first to take its turn would fetch them for all.
    const auto of_turn = poses.subspan(first * bodies, size * bodies);
    computed.assign(of_turn.begin(), of_turn.end());
    for (std::size_t e = 0; e < entrants.size(); ++e) {
      if (e > 0 && spent[e] > seconds) continue;
      const double start = thread_seconds();
      for (std::size_t i = 0; i < size; ++i) {
        const bool hit = entrants[e]->any(std::span(computed).subspan(i * bodies, bodies));
        if (e == 0)
          answers[i] = hit;
        else
          out.wrong[e] += hit != (answers[i] != 0);
      }
      spent[e] += thread_seconds() - start;
      out.asked[e] += size;
    }
    for (std::size_t i = 0; i < size; ++i) out.colliding += answers[i];
    ours_so_far.push_back(spent[0]);
    tell(static_cast<double>(first + size) / static_cast<double>(count));
  }
  for (std::size_t e = 0; e < entrants.size(); ++e) {
    out.us.push_back(spent[e] / static_cast<double>(out.asked[e]) * 1e6);
    out.ratio.push_back(spent[e] / ours_so_far[(out.asked[e] + turn - 1) / turn]);
  }
  return out;
}

Row measure(Context& context, const Robot& robot, const Scene& scene, const fs::path& data, WorldRivals& entrants) {
  const Setting setting(robot, scene, data);
  const std::size_t count = context.pick<std::size_t>(100'000, 300), bodies = setting.mesh_of.size();
  const std::vector<Pose> poses = random_poses(setting, robot, count, 1);
  for (auto& entrant : entrants) entrant->start(setting.bodies(), std::span(poses).first(bodies));
  const Scores in_long =
      take_turns(context, poses, bodies, entrants, long_turn, [&](double share) { context.part(share / 2); });
  const Scores in_short =
      take_turns(context, poses, bodies, entrants, short_turn, [&](double share) { context.part((1 + share) / 2); });
  Json scores = Json::array();
  for (std::size_t e = 0; e < entrants.size(); ++e)
    scores.push_back({{"rival", entrants[e]->name()},
                      {"us", in_long.us[e]},
                      {"ratio", in_long.ratio[e]},
                      {"short_us", in_short.us[e]},
                      {"short_ratio", in_short.ratio[e]},
                      {"asked", in_long.asked[e]},
                      {"wrong", in_long.wrong[e] + in_short.wrong[e]}});
  Row row{{"bodies", bodies},
          {"triangles", setting.triangles()},
          {"colliding", static_cast<double>(in_long.colliding) / static_cast<double>(count)},
          {"scores", scores}};
  if (context.quick())  // once more, for the counters that are kept
    row.update(to_row(work_of(*entrants[0], [&](WorldRival& ours) {
      for (std::size_t i = 0; i < count; ++i) ours.any(std::span(poses).subspan(i * bodies, bodies));
    })));
  return row;
}

/// By the clock, from joint values to answers, as users ask: one thread and two, in turns.
Row measure_cores(Context& context, const Robot& robot, const Scene& scene, const fs::path& data) {
  World world;
  const RobotBodies bodies = add(world, robot, {.base = Pose::from_translation(base)});
  for (const SceneMesh& mesh : scene.meshes) {
    const BodyId id =
        world.add(Model(load_mesh(data / "scenes-mbm" / mesh.file)), Pose::from_translation(mesh.at), {.moves = false});
    if (const BodyId root = bodies.links()[robot.root()]; root != BodyId{}) world.ignore(root, id);
  }
  const std::vector<double> values = random_values(robot, context.pick<std::size_t>(100'000, 300), 1);
  double seconds[2] = {infinite, infinite};
  std::vector<std::uint8_t> answers[2];
  for (int pass = 0; pass < context.pick(5, 1); ++pass)
    for (const int threads : {1, 2}) {
      const std::size_t i = threads == 1 ? 0 : 1;
      const auto begin = std::chrono::steady_clock::now();
      answers[i] = collide_configurations(world, bodies, values, {}, {.threads = threads});
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      seconds[i] = std::min(seconds[i], took.count());
    }
  const auto count = static_cast<double>(answers[0].size());
  return {{"configurations", answers[0].size()},
          {"one", seconds[0] / count * 1e6},
          {"two", seconds[1] / count * 1e6},
          {"gain", seconds[0] / seconds[1]},
          {"differs", std::inner_product(answers[0].begin(), answers[0].end(), answers[1].begin(), std::size_t{0},
                                         std::plus<>(), std::not_equal_to<>())}};
}

std::vector<std::string> stand_ins() {
  return {
      "The robots and scenes are files of others, in a folder of meshes beside the repository. The configurations are "
      "random, none is a planner's.",
      "panda: its collision meshes, URDF and SRDF as the planner VAMP has them (robot-panda-mbm, from "
      "KavrakiLab/vamp), 11 meshes.",
      "iiwa14: the KUKA LBR iiwa 14 of MuJoCo Menagerie (robot-iiwa14), 15 meshes. It comes without URDF and SRDF: "
      "where its links and joints are follows from poses_iiwa14.json, the poses of all meshes with all joints at zero, "
      "and the limits of the joints are copied from iiwa14.xml. Its meshes are those to be seen. For collisions that "
      "file has spheres instead, so a planner would ask about simpler shapes.",
      "kitchen and shelves: MotionBenchMaker's kitchen and table_bars (scenes-mbm), each mesh where the scene's URDF "
      "has it with all joints at zero, without the objects to be grasped. Two things are ours. The robot stands 0.35 "
      "up, between floor and counter, on a stand that is not there itself. The shelves and their bars are pushed 0.4 "
      "along x, since the robot's base would be within their bounds otherwise.",
      "kitchen has all five meshes of that scene, with the Panda's 11 those are 16. robot-kitchen of the page "
      "lin1996-hulls has 14: both doors of the cupboard are left out there. The rest is the same, but figures of the "
      "two pages are not of one scene."};
}

void run_robots(Context& context, Report& report) {
  const std::optional<fs::path> data = real_data("robot-panda-mbm");
  if (!data) {
    report.findings.push_back(
        "Not run: the robots are in a folder of meshes beside the repository, which is not there.");
    return;
  }
  WorldRivals entrants;
  entrants.push_back(std::move(our_worlds().front()));  // on one thread
  WorldRoster roster = load_world_rivals(rivals_folder());
  for (auto& rival : roster.rivals) entrants.push_back(std::move(rival));
  Table who{"entrants", "Who takes part and how", {{"rival", "rival"}, {"settings", "settings"}}};
  for (const auto& entrant : entrants)
    who.rows.push_back({{"rival", entrant->name()}, {"settings", entrant->settings()}});
  for (const Absence& absence : roster.absent)
    who.rows.push_back({{"rival", absence.library}, {"settings", absence.reason}});

  Table table{"robots",
              "Any collision, of the robot with itself and with the scene",
              {{"robot", "robot"},
               {"scene", "scene"},
               {"bodies", "meshes"},
               {"triangles", "triangles"},
               {"colliding", "colliding", "", 3},
               {"rival", "rival"},
               {"us", "a configuration", "µs", 3},
               {"ratio", "/ ours", "", 3},
               {"short_us", "in short turns", "µs", 3},
               {"short_ratio", "/ ours", "", 3},
               {"asked", "configurations"},
               {"wrong", "differs"}}};
  table.notes.push_back(fmt::format(
      "Random configurations within the limits of the joints, the links' poses computed beforehand: the time is for "
      "moving all bodies and for the answer, processor time on one thread. The poses of a turn are written before it, "
      "so that nobody fetches them from memory for the others. All take turns of {} configurations, as a "
      "planner asks one library on and on; in short turns, of {}, everybody fetches again what the others drove out of "
      "the caches. A rival that has used {} s stops, and is compared with ours on the configurations it was asked. "
      "Links are not tested against their parents nor against what the SRDF disables, and the root not against the "
      "scene. The iiwa has no "
      "SRDF and many meshes per link. Differs: answers that are not ours, which are exact.",
      long_turn, short_turn, seconds_per_rival(context)));
  Table cores{"cores",
              "From joint values to answers on one core and on two",
              {{"robot", "robot"},
               {"scene", "scene"},
               {"configurations", "configurations"},
               {"one", "one thread", "µs"},
               {"two", "two threads", "µs"},
               {"gain", "gain", "", 3},
               {"differs", "differs"}}};
  cores.notes.emplace_back(
      "By the clock, the fastest of five passes by turns: other programs beside it show, those on the second core "
      "most. "
      "Forward kinematics included; collide_configurations() with a link's meshes as a group and a scene that stands.");
  context.plan(4 * std::size(all_scenes));
  std::vector<std::string> below;
  double worst = 0, best = 0, worst_short = infinite, best_short = 0, least_gain = infinite;
  for (const auto& [name, make] : {std::pair{"panda", &panda}, std::pair{"iiwa14", &iiwa}}) {
    const Robot robot = make(*data);
    for (const Scene& scene : all_scenes) {
      Row key{{"robot", name}, {"scene", scene.name}, {"entrants", Json::array()}};
      for (const auto& entrant : entrants) key["entrants"].push_back(entrant->name());
      const Row row = context.row(key, [&] { return measure(context, robot, scene, *data, entrants); });
      Row by_cores = context.row({{"robot", name}, {"scene", scene.name}, {"question", "cores"}},
                                 [&] { return measure_cores(context, robot, scene, *data); });
      context.must_hold(by_cores.at("differs") == 0, "one thread and two give the same answers");
      least_gain = std::min(least_gain, by_cores.at("gain").get<double>());
      cores.rows.push_back(std::move(by_cores));
      double least = 0, least_short = infinite;
      for (const Json& score : row["scores"]) {
        Row one{{"robot", name}, {"scene", scene.name}};
        for (const char* fact : {"bodies", "triangles", "colliding"}) one[fact] = row[fact];
        one.update(score);
        const double ratio = one["ratio"];
        if (score != row["scores"][0]) {
          least = least == 0 ? ratio : std::min(least, ratio);
          least_short = std::min(least_short, one["short_ratio"].get<double>());
        }
        table.rows.push_back(std::move(one));
      }
      if (least == 0) continue;
      if (least < bar) below.push_back(fmt::format("{} {} ({:.3g})", name, scene.name, least));
      worst = worst == 0 ? least : std::min(worst, least);
      best = std::max(best, least);
      worst_short = std::min(worst_short, least_short);
      best_short = std::max(best_short, least_short);
    }
  }
  if (entrants.size() == 1) {
    report.findings.push_back("No rival was there to be compared with.");
  } else {
    report.findings.push_back(fmt::format(
        "FCL's best manager takes {:.3g} to {:.3g} times as long as World. The target is {:g} times: {}.", worst, best,
        bar,
        below.empty() || context.quick() ? std::string(context.verdict(below.empty()))
                                         : fmt::format("{} by {}", context.verdict(false), fmt::join(below, ", "))));
    report.findings.push_back(
        fmt::format("Where each library pays for what others left in the caches, in turns of {} configurations, it is "
                    "{:.3g} to {:.3g} times.",
                    short_turn, worst_short, best_short));
  }
  report.stand_ins = stand_ins();
  report.tables.push_back(std::move(who));
  report.tables.push_back(std::move(table));
  report.findings.push_back(
      fmt::format("Two threads check configurations at least {:.3g} times as fast as one. The target is {:g} times, "
                  "near to linear: {}.",
                  least_gain, gain_wanted, context.verdict(least_gain >= gain_wanted)));
  report.tables.push_back(std::move(cores));
}

}  // namespace

Experiment robots() {
  return {"robots", "Robots in many configurations, alone and in scenes",
          "Question: how fast are configurations of a robot checked, beside FCL's managers?", "robots.cpp", run_robots};
}

}  // namespace tumble::lab
