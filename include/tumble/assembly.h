// SPDX-License-Identifier: Apache-2.0
// Robots and placed parts in a World, and many configurations of a robot at once. Link tumble::io.
#pragma once

#include <tumble/parts.h>
#include <tumble/robot.h>
#include <tumble/world.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tumble {

/// How a robot enters a world.
struct RobotPlacement {
  Pose base{};                   // takes the root's coordinates into the world
  std::vector<double> values{};  // one for each free joint; empty: 0, or the limit that is nearest to it
  PoseOptions poses{};
  BodyOptions body{};  // of each link; its name is put before the link's
};

/// A robot's links in a world. It holds ids, not the world: a copy of the world has the same ones.
class RobotBodies {
 public:
  const Robot& robot() const { return robot_; }
  /// One for each link: a body if the link has one shape, a group if it has several, the id 0 if it has none.
  const std::vector<BodyId>& links() const { return links_; }
  /// Moves all links in one step, or none if values are refused as by Robot::poses().
  void set_joints(World& world, std::span<const double> values, const PoseOptions& options = {});

 private:
  friend RobotBodies add(World& world, const Robot& robot, const RobotPlacement& placement);
  explicit RobotBodies(const Robot& robot) : robot_(robot) {}

  Robot robot_;
  Pose base_;
  std::vector<BodyId> links_;
  struct Moved {
    std::size_t link;
    Pose in_link;  // of a link's only shape
  };
  std::vector<Moved> moved_;  // links with shapes
  std::vector<BodyId> ids_;   // of these
  std::vector<Pose> link_poses_, poses_;
};

/// Adds the links, and ignores the pairs that the robot ignores. If anything is refused, nothing is added.
RobotBodies add(World& world, const Robot& robot, const RobotPlacement& placement = {});

/// Adds parts and groups and ignores the pairs they name. Returns the id of each part's body, in their order. If
/// anything is refused, nothing is added.
std::vector<BodyId> add(World& world, const Parts& parts);

/// Ignores each pair of bodies or groups among `ids` whose names fit the two patterns, either way round; a member also
/// goes by the name of its group. Returns how many pairs there were.
std::size_t ignore(World& world, std::span<const BodyId> ids, const std::array<std::string, 2>& patterns);

struct ConfigurationOptions {
  int threads = 0;  // 0: all cores
  PoseOptions poses{};
};

/// Calls `each` for every configuration, with a copy of the world in which the robot has taken it. `configurations`
/// holds the values of the free joints, one configuration after the other. Calls come from several threads and in any
/// order, and must write to places of their own. Their answers do not depend on the number of threads if they ask
/// questions whose answers do not depend on earlier ones: all but distances without last_bit. Throws
/// Error(invalid_argument), before any call, naming the configuration that is refused.
void for_each_configuration(const World& world, const RobotBodies& robot, std::span<const double> configurations,
                            const ConfigurationOptions& options,
                            const std::function<void(std::size_t configuration, World& world)>& each);

/// Whether anything collides, for every configuration: 1 or 0.
std::vector<std::uint8_t> collide_configurations(const World& world, const RobotBodies& robot,
                                                 std::span<const double> configurations,
                                                 const CollideRequest& request = {},
                                                 const ConfigurationOptions& options = {});

}  // namespace tumble
