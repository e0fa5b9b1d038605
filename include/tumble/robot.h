// SPDX-License-Identifier: Apache-2.0
// Robot: links with meshes and the joints between them, built in code or read from URDF. Link tumble::io.
#pragma once

#include <tumble/model.h>
#include <tumble/pose.h>
#include <tumble/vec.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tumble {

/// A model placed in a link.
struct LinkShape {
  Model model;
  Pose pose{};         // takes the model's coordinates into the link's
  std::string name{};  // of its file, or "box", "cylinder", "sphere"
};

/// A rigid piece of a robot. It may have no shape.
struct Link {
  std::string name;
  std::vector<LinkShape> shapes{};
  bool only_visual = false;  // its URDF shows a shape of it, but gives none to test: it has no shapes here
};

enum class JointType : std::uint8_t {
  fixed,
  revolute,    // turns about its axis, within limits; values in radians
  continuous,  // turns without limits
  prismatic,   // slides along its axis, within limits; values in the units of the meshes
};
/// "fixed", "revolute" and so on.
const char* name(JointType type);

/// Takes the value of another joint: multiplier * value + offset.
struct Mimic {
  std::string joint;
  double multiplier = 1, offset = 0;
};

/// Joins a link to its parent.
struct Joint {
  std::string name;
  JointType type = JointType::fixed;
  std::string parent, child;     // names of links
  Pose origin{};                 // takes the child's coordinates, at the value 0, into the parent's
  Vec3 axis{1, 0, 0};            // in the child's coordinates, of any length but zero; unused if fixed
  double lower = 0, upper = 0;   // limits of revolute and prismatic joints
  std::optional<Mimic> mimic{};  // unused if fixed
};

struct PoseOptions {
  bool beyond_limits = false;  // accept values beyond the limits of joints
};

/// A tree of links. Cheap to share: shapes are handles.
class Robot {
 public:
  /// Throws Error(invalid_argument), naming the link or joint, unless the joints make the links one tree: each link but
  /// the root is the child of one joint. Names must be unique and free of control characters.
  Robot(std::string name, std::vector<Link> links, std::vector<Joint> joints);

  const std::string& name() const { return name_; }
  const std::vector<Link>& links() const { return links_; }
  const std::vector<Joint>& joints() const { return joints_; }
  /// Throws Error(invalid_argument) if there is none of that name.
  std::size_t link(std::string_view name) const;
  std::size_t root() const { return root_; }

  /// The joints that take a value, as indices into joints(), in their order: neither fixed nor mimicking another. A
  /// configuration is one value for each of them.
  const std::vector<std::size_t>& free_joints() const { return free_joints_; }

  /// The pose of each link in the coordinates of the root. Throws Error(invalid_argument), naming joint, value and
  /// limits, for values that are not finite or beyond the limits, a mimicking joint's own included. Rotations are
  /// computed by std::sin and std::cos: the last bits may differ between machines.
  std::vector<Pose> poses(std::span<const double> values, const PoseOptions& options = {}) const;
  /// The same into `poses`, one for each link.
  void poses(std::span<const double> values, std::span<Pose> poses, const PoseOptions& options = {}) const;

  /// Throws what poses() throws for these values.
  void check(std::span<const double> values, const PoseOptions& options = {}) const;

  /// Pairs of links, as indices, that are not tested against each other, the smaller first: at first parents and their
  /// children.
  const std::set<std::array<std::size_t, 2>>& ignored() const { return ignored_; }
  void ignore(std::size_t link_a, std::size_t link_b);

 private:
  /// A joint as poses() needs it, parents first.
  struct Step {
    std::size_t joint = 0, parent = 0, child = 0;
    std::size_t value = 0;  // in a configuration; unused if fixed
    double multiplier = 1, offset = 0;
    Vec3 axis{};  // of length 1
  };

  double value(const Step& step, std::span<const double> values, const PoseOptions& options) const;

  std::string name_;
  std::vector<Link> links_;
  std::vector<Joint> joints_;
  std::map<std::string, std::size_t, std::less<>> link_of_;  // by name
  std::size_t root_ = 0;
  std::vector<Step> steps_;
  std::vector<std::size_t> free_joints_;
  std::set<std::array<std::size_t, 2>> ignored_;
};

struct RobotOptions {
  /// Where packages are. package://NAME/PATH is the file PATH in the folder NAME of the first of these that has it, or
  /// in one of these that is itself called NAME. The robot's own folder comes last.
  std::vector<std::filesystem::path> packages{};
  TreeOptions tree{};
};

/// Reads a URDF: links with their collision geometry, and joints. Visual geometry, inertia, transmissions and the like
/// are left out. Meshes are those that load_mesh reads; their scale is baked in, mirrored ones with their faces turned.
/// A mesh's file must be inside the robot's folder or a package's, after following links. Boxes, cylinders and spheres
/// become closed meshes with their vertices on the surface, inside of it by at most 0.5 % of the radius. Joints of the
/// types floating and planar, documents with a DOCTYPE and files above 16 MiB are refused. Throws Error naming file and
/// line.
Robot load_robot(const std::filesystem::path& file, const RobotOptions& options = {});
/// The same from memory; meshes in files are refused. `name` stands for the file in errors.
Robot read_robot(std::span<const std::byte> bytes, std::string_view name = "memory", const RobotOptions& options = {});

/// Reads an SRDF and ignores the pairs of links it disables (disable_collisions). Throws Error naming file and line,
/// also for links that the robot does not have.
void load_srdf(Robot& robot, const std::filesystem::path& file);
void read_srdf(Robot& robot, std::span<const std::byte> bytes, std::string_view name = "memory");

}  // namespace tumble
