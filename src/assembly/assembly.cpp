// SPDX-License-Identifier: Apache-2.0
// Puts robots and parts into a world and moves them.
#include <tumble/assembly.h>

#include <tumble/error.h>

#include <algorithm>
#include <map>

namespace tumble {
namespace {

/// Bodies and groups that leave the world again unless all are there.
class Arrivals {
 public:
  explicit Arrivals(World& world) : world_(world) {}
  ~Arrivals() {
    for (const BodyId id : ids_) world_.remove(id);
  }
  Arrivals(const Arrivals&) = delete;
  Arrivals& operator=(const Arrivals&) = delete;

  BodyId add(const Model& model, const Pose& pose, const BodyOptions& options) {
    make_room();
    return ids_.emplace_back(world_.add(model, pose, options));
  }
  BodyId add_group(const Pose& pose, const BodyOptions& options) {
    make_room();
    return ids_.emplace_back(world_.add_group(pose, options));
  }
  void stay() { ids_.clear(); }

 private:
  void make_room() {
    if (ids_.size() == ids_.capacity()) ids_.reserve(2 * ids_.size() + 8);
  }

  World& world_;
  std::vector<BodyId> ids_;
};

}  // namespace

RobotBodies add(World& world, const Robot& robot, const RobotPlacement& placement) {
  RobotBodies bodies(robot);
  bodies.base_ = placement.base;
  std::vector<double> values = placement.values;
  if (values.empty())
    for (const std::size_t i : robot.free_joints()) {
      const Joint& joint = robot.joints()[i];
      values.push_back(joint.type == JointType::continuous ? 0 : std::clamp(0.0, joint.lower, joint.upper));
    }
  const std::vector<Pose> poses = robot.poses(values, placement.poses);
  Arrivals arrivals(world);
  for (std::size_t i = 0; i < robot.links().size(); ++i) {
    const Link& link = robot.links()[i];
    BodyOptions options = placement.body;
    options.name += link.name;
    const Pose pose = placement.base * poses[i];
    BodyId id;
    if (link.shapes.size() == 1) {
      id = arrivals.add(link.shapes[0].model, pose * link.shapes[0].pose, options);
    } else if (!link.shapes.empty()) {
      id = arrivals.add_group(pose, options);
      for (const LinkShape& shape : link.shapes) world.add_member(id, shape.model, shape.pose, shape.name);
    }
    bodies.links_.push_back(id);
    if (link.shapes.empty()) continue;
    bodies.ids_.push_back(id);
    bodies.moved_.push_back({i, link.shapes.size() == 1 ? link.shapes[0].pose : Pose{}});
  }
  for (const auto& [a, b] : robot.ignored())
    if (!robot.links()[a].shapes.empty() && !robot.links()[b].shapes.empty())
      world.ignore(bodies.links_[a], bodies.links_[b]);
  bodies.link_poses_.resize(robot.links().size());
  bodies.poses_.resize(bodies.ids_.size());
  arrivals.stay();
  return bodies;
}

void RobotBodies::set_joints(World& world, std::span<const double> values, const PoseOptions& options) {
  robot_.poses(values, link_poses_, options);
  for (std::size_t i = 0; i < moved_.size(); ++i) poses_[i] = base_ * link_poses_[moved_[i].link] * moved_[i].in_link;
  world.move(ids_, poses_);
}

std::vector<BodyId> add(World& world, const Parts& parts) {
  check(parts);
  std::vector<BodyId> ids;
  std::map<std::string, BodyId> groups;
  Arrivals arrivals(world);
  for (const PlacedPart& part : parts.parts) {
    if (part.group.empty()) {
      ids.push_back(arrivals.add(part.model, part.pose, {.name = part.name, .moves = part.moves}));
      continue;
    }
    const auto [group, is_new] = groups.try_emplace(part.group);
    if (is_new) group->second = arrivals.add_group({}, {.name = part.group, .moves = part.moves});
    ids.push_back(world.add_member(group->second, part.model, part.pose, part.name));
  }
  for (const std::array<std::string, 2>& patterns : parts.ignore) ignore(world, ids, patterns);
  arrivals.stay();
  return ids;
}

std::size_t ignore(World& world, std::span<const BodyId> ids, const std::array<std::string, 2>& patterns) {
  const auto fitting = [&](const std::string& pattern) {
    std::vector<BodyId> found;
    for (const BodyId id : ids)
      if (fits(world.name(id), pattern) || fits(world.name(world.group_of(id)), pattern)) found.push_back(id);
    return found;
  };
  const std::vector<BodyId> first = fitting(patterns[0]), second = fitting(patterns[1]);
  std::size_t pairs = 0;
  for (const BodyId a : first)
    for (const BodyId b : second)
      if (world.group_of(a) != world.group_of(b)) world.ignore(a, b), ++pairs;
  return pairs;
}

}  // namespace tumble
