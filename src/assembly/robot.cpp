// SPDX-License-Identifier: Apache-2.0
// The tree of a robot, and where its links are.
#include "assembly/robot_tree.h"

#include "io/text.h"

#include <tumble/error.h>
#include <tumble/robot.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

namespace tumble {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);
using Of = RobotFault::Of;
using Index = std::map<std::string_view, std::size_t>;
using io::in_quotes;

bool has_limits(JointType type) { return type == JointType::revolute || type == JointType::prismatic; }

/// As short as tells it from every other number.
std::string text_of(double value) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

template <class Named>
Index by_name(std::span<const Named> all) {
  Index index;
  for (std::size_t i = 0; i < all.size(); ++i) index.emplace(all[i].name, i);
  return index;
}

std::size_t find(const Index& index, std::string_view name) {
  const auto found = index.find(name);
  return found == index.end() ? none : found->second;
}

template <class Named>
std::optional<RobotFault> find_bad_name(std::span<const Named> all, const Index& index, Of of) {
  const std::string kind = of == Of::link ? "link" : "joint";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string& name = all[i].name;
    if (name.empty()) return RobotFault{of, i, "a " + kind + " has no name"};
    for (const char c : name)
      if (static_cast<unsigned char>(c) < ' ' || c == '\x7F')
        return RobotFault{of, i, "the name of a " + kind + " has a control character"};
    if (index.at(name) != i) return RobotFault{of, i, "two " + kind + "s are named " + in_quotes(name)};
  }
  return std::nullopt;
}

/// What is wrong with a joint by itself.
std::string fault_of(const Joint& joint, const Index& links, const Index& joints) {
  for (const std::string* link : {&joint.parent, &joint.child})
    if (find(links, *link) == none) return "there is no link " + in_quotes(*link);
  if (joint.parent == joint.child) return "it joins link " + in_quotes(joint.child) + " to itself";
  if (joint.type == JointType::fixed) return "";
  const double size = length(joint.axis);  // infinite or NaN if a number of it is
  if (!(size > 0 && size <= max_coordinate)) return "its axis has no direction";
  if (has_limits(joint.type) && !(std::isfinite(joint.lower) && std::isfinite(joint.upper)))
    return "its limits must be finite";
  if (has_limits(joint.type) && joint.lower > joint.upper)
    return "its lower limit " + text_of(joint.lower) + " is above the upper " + text_of(joint.upper);
  if (!joint.mimic) return "";
  if (find(joints, joint.mimic->joint) == none)
    return "it mimics " + in_quotes(joint.mimic->joint) + ", which is no joint";
  if (!std::isfinite(joint.mimic->multiplier) || !std::isfinite(joint.mimic->offset))
    return "what it mimics has a multiplier or offset that is not finite";
  return "";
}

/// The joint whose value this one takes in the end, and how.
struct Mimicked {
  std::size_t joint = none;  // none: it mimics itself in the end
  double multiplier = 1, offset = 0;
};

/// Of every joint. Each is looked at once, however long the chains are.
std::vector<Mimicked> follow_all(std::span<const Joint> joints, const Index& index) {
  enum class State : std::uint8_t { open, on_chain, known };
  std::vector<State> states(joints.size(), State::open);
  std::vector<Mimicked> ends(joints.size());
  std::vector<std::size_t> chain;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    chain.clear();
    std::size_t at = i;
    for (; states[at] == State::open; at = index.at(joints[at].mimic->joint)) {
      states[at] = State::on_chain;
      chain.push_back(at);
      if (joints[at].type != JointType::fixed && joints[at].mimic) continue;
      ends[at] = {at};
      states[at] = State::known;
      chain.pop_back();
      break;
    }
    for (; !chain.empty(); chain.pop_back()) {
      const std::size_t joint = chain.back();
      const Mimic& mimic = *joints[joint].mimic;
      const Mimicked& next = ends[index.at(mimic.joint)];
      ends[joint] = {next.joint, mimic.multiplier * next.multiplier, mimic.offset + mimic.multiplier * next.offset};
      states[joint] = State::known;
    }
  }
  return ends;
}

}  // namespace

const char* name(JointType type) {
  constexpr const char* names[] = {"fixed", "revolute", "continuous", "prismatic"};
  return names[static_cast<std::size_t>(type)];
}

std::optional<RobotFault> find_fault(std::span<const Link> links, std::span<const Joint> joints) {
  if (links.empty()) return RobotFault{Of::robot, 0, "a robot needs a link"};
  const Index link_index = by_name(links), joint_index = by_name(joints);
  if (auto fault = find_bad_name(links, link_index, Of::link)) return fault;
  if (auto fault = find_bad_name(joints, joint_index, Of::joint)) return fault;
  const auto of_joint = [&](std::size_t i, const std::string& what) {
    return RobotFault{Of::joint, i, "joint " + in_quotes(joints[i].name) + ": " + what};
  };
  std::vector<std::size_t> joint_above(links.size(), none);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (const std::string what = fault_of(joints[i], link_index, joint_index); !what.empty()) return of_joint(i, what);
    std::size_t& above = joint_above[link_index.at(joints[i].child)];
    if (above != none)
      return of_joint(i, "link " + in_quotes(joints[i].child) + " is already the child of joint " +
                             in_quotes(joints[above].name) + "; links must form a tree");
    above = i;
  }
  const std::vector<Mimicked> ends = follow_all(joints, joint_index);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (joints[i].type == JointType::fixed || !joints[i].mimic) continue;
    const Mimicked& end = ends[i];
    if (end.joint == none) return of_joint(i, "it mimics itself, by way of others or not");
    if (joints[end.joint].type == JointType::fixed)
      return of_joint(i, "it mimics " + in_quotes(joints[end.joint].name) + ", which is fixed");
    if (!std::isfinite(end.multiplier) || !std::isfinite(end.offset))
      return of_joint(i, "what it mimics has a multiplier or offset that is not finite");
  }
  // Each link has at most one joint above. Without a cycle, as many links are left over as there are trees.
  std::size_t root = none;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (joint_above[i] != none) continue;
    if (root != none)
      return RobotFault{Of::link, i,
                        "links " + in_quotes(links[root].name) + " and " + in_quotes(links[i].name) +
                            " both have no joint above them; a robot has one root"};
    root = i;
  }
  const auto parent = [&](std::size_t link) { return link_index.at(joints[joint_above[link]].parent); };
  std::vector<bool> reaches_root(links.size());
  if (root != none) reaches_root[root] = true;
  for (std::size_t i = 0; i < links.size(); ++i) {
    std::vector<std::size_t> path;
    std::size_t at = i;
    for (; !reaches_root[at] && path.size() < links.size(); at = parent(at)) path.push_back(at);
    if (!reaches_root[at])
      return of_joint(joint_above[i],
                      "from link " + in_quotes(links[i].name) + " upwards, links form a cycle; they must form a tree");
    for (const std::size_t link : path) reaches_root[link] = true;
  }
  return std::nullopt;
}

Robot::Robot(std::string name, std::vector<Link> links, std::vector<Joint> joints)
    : name_(std::move(name)), links_(std::move(links)), joints_(std::move(joints)) {
  if (const std::optional<RobotFault> fault = find_fault(links_, joints_))
    throw Error(ErrorCode::invalid_argument, fault->what);
  const Index link_index = by_name(std::span<const Link>(links_)),
              joint_index = by_name(std::span<const Joint>(joints_));
  std::vector<std::size_t> value_of(joints_.size(), none);
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (joints_[i].type == JointType::fixed || joints_[i].mimic) continue;
    value_of[i] = free_joints_.size();
    free_joints_.push_back(i);
  }
  for (const auto& [link, i] : link_index) link_of_.emplace(link, i);
  const std::vector<Mimicked> ends = follow_all(joints_, joint_index);
  std::vector<std::vector<Step>> below(links_.size());
  std::vector<bool> is_child(links_.size());
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const Joint& joint = joints_[i];
    Step step{i, link_index.at(joint.parent), link_index.at(joint.child)};
    if (joint.type != JointType::fixed) {
      const Mimicked& end = ends[i];
      step.value = value_of[end.joint];
      step.multiplier = end.multiplier;
      step.offset = end.offset;
      step.axis = joint.axis / length(joint.axis);
    }
    below[step.parent].push_back(step);
    is_child[step.child] = true;
    ignore(step.parent, step.child);
  }
  root_ = static_cast<std::size_t>(std::ranges::find(is_child, false) - is_child.begin());
  std::vector<std::size_t> waiting{root_};
  while (!waiting.empty()) {
    const std::size_t link = waiting.back();
    waiting.pop_back();
    for (const Step& step : below[link]) {
      steps_.push_back(step);
      waiting.push_back(step.child);
    }
  }
}

std::size_t Robot::link(std::string_view name) const {
  const auto found = link_of_.find(name);
  if (found == link_of_.end()) throw Error(ErrorCode::invalid_argument, "there is no link " + in_quotes(name));
  return found->second;
}

std::vector<Pose> Robot::poses(std::span<const double> values, const PoseOptions& options) const {
  std::vector<Pose> all(links_.size());
  poses(values, all, options);
  return all;
}

void Robot::check(std::span<const double> values, const PoseOptions& options) const {
  if (values.size() != free_joints_.size())
    throw Error(ErrorCode::invalid_argument, "a configuration of this robot has " +
                                                 std::to_string(free_joints_.size()) + " values, not " +
                                                 std::to_string(values.size()));
  for (const Step& step : steps_)
    if (joints_[step.joint].type != JointType::fixed) value(step, values, options);
}

/// Of a joint that is not fixed.
double Robot::value(const Step& step, std::span<const double> values, const PoseOptions& options) const {
  const Joint& joint = joints_[step.joint];
  const double value = step.multiplier * values[step.value] + step.offset;
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::invalid_argument,
                "joint " + in_quotes(joint.name) + " has the value " + text_of(value) + ", " + why);
  };
  if (!std::isfinite(value)) refuse("which is not finite");
  const bool within = !has_limits(joint.type) || (joint.lower <= value && value <= joint.upper);
  if (!within && !options.beyond_limits)
    refuse("beyond its limits " + text_of(joint.lower) + " and " + text_of(joint.upper) +
           "; beyond_limits (--beyond-limits) accepts that");
  return value;
}

void Robot::poses(std::span<const double> values, std::span<Pose> poses, const PoseOptions& options) const {
  check(values, options);
  if (poses.size() != links_.size())
    throw Error(ErrorCode::invalid_argument, "there must be room for the poses of " + std::to_string(links_.size()) +
                                                 " links, not " + std::to_string(poses.size()));
  poses[root_] = Pose{};
  for (const Step& step : steps_) {
    const Joint& joint = joints_[step.joint];
    poses[step.child] = poses[step.parent] * joint.origin;
    if (joint.type == JointType::fixed) continue;
    const double at = value(step, values, options);
    if (joint.type == JointType::prismatic) {
      poses[step.child] = poses[step.child] * Pose::from_translation(step.axis * at);
      continue;
    }
    const Vec3 axis = step.axis * std::sin(at / 2);
    poses[step.child] = poses[step.child] * Pose::from_quaternion(std::cos(at / 2), axis.x, axis.y, axis.z, {});
  }
}

void Robot::ignore(std::size_t link_a, std::size_t link_b) {
  if (link_a >= links_.size() || link_b >= links_.size() || link_a == link_b)
    throw Error(ErrorCode::invalid_argument, "two different links of the robot are needed, not " +
                                                 std::to_string(link_a) + " and " + std::to_string(link_b));
  ignored_.insert({std::min(link_a, link_b), std::max(link_a, link_b)});
}

}  // namespace tumble
