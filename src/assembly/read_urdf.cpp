// SPDX-License-Identifier: Apache-2.0
// URDF (links, joints, collision geometry) and the disabled pairs of SRDF.
#include "assembly/mesh_files.h"
#include "assembly/primitives.h"
#include "assembly/robot_tree.h"
#include "io/inside_folder.h"
#include "io/text.h"
#include "io/xml.h"

#include <tumble/error.h>
#include <tumble/robot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace tumble {
namespace {

namespace fs = std::filesystem;
using io::Source;
using io::XmlElement;

// A sphere has 2,208 triangles of some 100 bytes each, and its element may have 64 bytes. Several hundred different
// ones, as robots covered with spheres have, stay within this.
constexpr std::size_t least_made = std::size_t{1} << 20, made_per_byte = 8;

bool is_xacro(const XmlElement& element) { return element.name.starts_with("xacro:"); }

Pose rotation_about(double angle, Vec3 axis) {
  const double sine = std::sin(angle / 2);
  return Pose::from_quaternion(std::cos(angle / 2), axis.x * sine, axis.y * sine, axis.z * sine, {});
}

class UrdfReader {
 public:
  UrdfReader(const Source& source, const RobotOptions& options)
      : source_(source), packages_(options.packages), options_(options), meshes_(options.tree) {
    if (!source.folder.empty()) packages_.push_back(source.folder);
  }

  Robot read() {
    const XmlElement robot = read_xml(source_);
    if (robot.name != "robot") fail(robot, "a URDF begins with <robot>, not with <" + robot.name + ">");
    std::vector<const XmlElement*> link_at, joint_at;
    std::vector<Link> links;
    std::vector<Joint> joints;
    for (const XmlElement& element : robot.children) {
      if (is_xacro(element)) fail(element, "it is a xacro; run xacro first to get a URDF", ErrorCode::unsupported);
      if (element.name == "link") {
        links.push_back(read_link(element));
        link_at.push_back(&element);
      } else if (element.name == "joint") {
        joints.push_back(read_joint(element));
        joint_at.push_back(&element);
      }
    }
    if (const std::optional<RobotFault> fault = find_fault(links, joints))
      fail(fault->of == RobotFault::Of::link    ? *link_at[fault->index]
           : fault->of == RobotFault::Of::joint ? *joint_at[fault->index]
                                                : robot,
           fault->what);
    const std::string* name = robot.attribute("name");
    return {name ? *name : "", std::move(links), std::move(joints)};
  }

 private:
  [[noreturn]] void fail(const XmlElement& element, const std::string& what,
                         ErrorCode code = ErrorCode::file_format) const {
    io::fail_at(source_, element, what, code);
  }

  const std::string& text(const XmlElement& element, std::string_view attribute) const {
    return io::required_attribute(source_, element, attribute);
  }

  Vec3 triple(const XmlElement& element, std::string_view attribute, Vec3 otherwise) const {
    double values[3] = {otherwise.x, otherwise.y, otherwise.z};
    io::read_numbers(source_, element, attribute, values);
    return {values[0], values[1], values[2]};
  }

  double number(const XmlElement& element, std::string_view attribute, std::optional<double> otherwise = {}) const {
    double value = otherwise.value_or(0);
    if (!io::read_numbers(source_, element, attribute, {&value, 1}) && !otherwise) text(element, attribute);
    return value;
  }

  double size(const XmlElement& element, std::string_view attribute) const {
    const double value = number(element, attribute);
    if (!(value > 0)) fail(element, "<" + element.name + ">: " + std::string(attribute) + " must be above zero");
    return value;
  }

  const XmlElement& required_child(const XmlElement& element, std::string_view name) const {
    const XmlElement* child = element.child(name);
    if (!child) fail(element, "<" + element.name + "> has no <" + std::string(name) + ">");
    return *child;
  }

  /// First about x, then y, then z: all axes fixed.
  Pose read_origin(const XmlElement& element) const {
    const XmlElement* origin = element.child("origin");
    if (!origin) return {};
    const Vec3 at = triple(*origin, "xyz", {}), turn = triple(*origin, "rpy", {});
    try {
      return Pose::from_translation(at) * (rotation_about(turn.z, {0, 0, 1}) *
                                           (rotation_about(turn.y, {0, 1, 0}) * rotation_about(turn.x, {1, 0, 0})));
    } catch (const Error& error) {
      fail(*origin, error.message(), error.code());
    }
  }

  Link read_link(const XmlElement& element) {
    Link link{text(element, "name")};
    for (const XmlElement& collision : element.children) {
      if (is_xacro(collision)) fail(collision, "it is a xacro; run xacro first to get a URDF", ErrorCode::unsupported);
      link.only_visual |= collision.name == "visual";
      if (collision.name != "collision") continue;
      const XmlElement& geometry = required_child(collision, "geometry");
      if (geometry.children.size() != 1) fail(geometry, "<geometry> must have one shape");
      const Pose pose = read_origin(collision);
      const XmlElement& shape = geometry.children.front();
      try {
        link.shapes.push_back(read_shape(shape, pose));
      } catch (const Error& error) {
        if (error.place().file == source_.name) throw;
        fail(shape, "link '" + link.name + "': " + error.what(), error.code());
      }
    }
    link.only_visual = link.only_visual && link.shapes.empty();
    return link;
  }

  LinkShape read_shape(const XmlElement& shape, const Pose& pose) {
    if (shape.name == "mesh") {
      const Vec3 scale = triple(shape, "scale", {1, 1, 1});
      if (scale.x == 0 || scale.y == 0 || scale.z == 0) fail(shape, "the scale of a mesh must not be zero");
      const std::string& file = text(shape, "filename");
      return {meshes_.load(resolve(shape, file), scale), pose, file};
    }
    if (shape.name == "box") {
      const Vec3 edges = triple(shape, "size", {});
      if (!(edges.x > 0 && edges.y > 0 && edges.z > 0)) fail(shape, "<box>: size must be three numbers above zero");
      return made(shape, pose, {edges.x, edges.y, edges.z}, [&] { return box_mesh(edges); });
    }
    if (shape.name == "cylinder") {
      const double radius = size(shape, "radius"), length = size(shape, "length");
      return made(shape, pose, {radius, length}, [&] { return cylinder_mesh(radius, length); });
    }
    if (shape.name == "sphere") {
      const double radius = size(shape, "radius");
      return made(shape, pose, {radius}, [&] { return sphere_mesh(radius); });
    }
    fail(shape, "the shape <" + shape.name + "> is not read, only mesh, box, cylinder and sphere",
         ErrorCode::unsupported);
  }

  /// Equal shapes share a model. Different ones may only have triangles in proportion to the file.
  template <class Make>
  LinkShape made(const XmlElement& shape, const Pose& pose, const std::array<double, 3>& sizes, const Make& make) {
    const std::pair key(shape.name, sizes);
    auto known = made_.find(key);
    if (known == made_.end()) {
      Mesh mesh = make();
      triangles_made_ += mesh.triangles.size();
      if (triangles_made_ > least_made + made_per_byte * source_.bytes.size())
        fail(
            shape,
            "with this one, the robot's " + std::to_string(made_.size() + 1) +
                " different boxes, cylinders and spheres have " + std::to_string(triangles_made_) +
                " triangles, far more than the file's size justifies; use fewer sizes (equal shapes share one mesh) or "
                "name a mesh instead",
            ErrorCode::unsupported);
      known = made_.emplace(key, Model(std::move(mesh), options_.tree)).first;
    }
    return {known->second, pose, shape.name};
  }

  /// The file a mesh's name stands for, which is inside a folder it may be in.
  fs::path resolve(const XmlElement& shape, const std::string& name) const {
    constexpr std::string_view scheme = "package://";
    if (source_.folder.empty())
      fail(shape, "the mesh " + io::in_quotes(name) + " is in another file, which cannot be followed from memory",
           ErrorCode::unsupported);
    if (name.empty()) fail(shape, "the name of a mesh's file is empty");
    if (!name.starts_with(scheme)) {
      if (name.find("://") != std::string::npos)
        fail(shape,
             "the mesh " + io::in_quotes(name) + " is neither a file beside the robot nor in a package (package://)",
             ErrorCode::unsupported);
      return checked(shape, name, source_.folder / name);
    }
    const std::string path = name.substr(scheme.size());
    const std::size_t slash = path.find('/');
    const std::string package = path.substr(0, slash);
    if (slash == std::string::npos || package.empty() || package == "." || package == "..")
      fail(shape, "the mesh " + io::in_quotes(name) + " does not name a package and a file in it");
    for (const fs::path& folder : packages_) {
      std::error_code error;
      if (fs::is_directory(folder / package, error)) return checked(shape, name, folder / path);
      if (fs::canonical(folder, error).filename() == package)
        return checked(shape, name, folder / path.substr(slash + 1));
    }
    fail(shape,
         "the mesh " + io::in_quotes(name) + " is in package " + io::in_quotes(package) +
             ", which is in none of the folders given; packages (--package) names where it is",
         ErrorCode::file_access);
  }

  fs::path checked(const XmlElement& shape, const std::string& name, fs::path file) const {
    if (io::is_too_long(file))
      fail(shape, "the mesh " + io::in_quotes(name) + " is too long for a file's name", ErrorCode::file_access);
    if (std::ranges::none_of(packages_, [&](const fs::path& folder) { return io::is_inside(file, folder); }))
      fail(shape, "the mesh " + io::in_quotes(name) + " is outside the robot's folder and the packages'",
           ErrorCode::file_access);
    return file;
  }

  Joint read_joint(const XmlElement& element) const {
    Joint joint{.name = text(element, "name"), .parent = {}, .child = {}};
    const std::string& type = text(element, "type");
    constexpr JointType known[] = {JointType::fixed, JointType::revolute, JointType::continuous, JointType::prismatic};
    const auto found = std::ranges::find_if(known, [&](JointType t) { return type == tumble::name(t); });
    if (found == std::end(known))
      fail(element,
           "joint '" + joint.name + "' is of the type '" + type +
               "'; tumble reads fixed, revolute, continuous and prismatic ones",
           ErrorCode::unsupported);
    joint.type = *found;
    joint.parent = text(required_child(element, "parent"), "link");
    joint.child = text(required_child(element, "child"), "link");
    joint.origin = read_origin(element);
    if (joint.type == JointType::fixed) return joint;
    if (const XmlElement* axis = element.child("axis")) joint.axis = triple(*axis, "xyz", joint.axis);
    if (joint.type != JointType::continuous) {
      const XmlElement& limit = required_child(element, "limit");
      joint.lower = number(limit, "lower", 0);
      joint.upper = number(limit, "upper", 0);
    }
    if (const XmlElement* mimic = element.child("mimic"))
      joint.mimic = Mimic{text(*mimic, "joint"), number(*mimic, "multiplier", 1), number(*mimic, "offset", 0)};
    return joint;
  }

  const Source& source_;
  std::vector<fs::path> packages_;  // the robot's own folder last
  const RobotOptions& options_;
  MeshFiles meshes_;
  std::map<std::pair<std::string, std::array<double, 3>>, Model> made_;  // by shape and sizes
  std::size_t triangles_made_ = 0;                                       // of these
};

void read_srdf(Robot& robot, const Source& source) {
  const XmlElement root = read_xml(source);
  if (root.name != "robot") io::fail_at(source, root, "an SRDF begins with <robot>, not with <" + root.name + ">");
  for (const XmlElement& element : root.children) {
    if (element.name != "disable_collisions") continue;
    try {
      robot.ignore(robot.link(required_attribute(source, element, "link1")),
                   robot.link(required_attribute(source, element, "link2")));
    } catch (const Error& error) {
      io::fail_at(source, element, error.message());
    }
  }
}

Source in_memory(std::span<const std::byte> bytes, std::string_view name) {
  return {std::string(name), {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, {}};
}

}  // namespace

Robot load_robot(const fs::path& file, const RobotOptions& options) {
  const io::FileBytes contents(file);
  const Source source{file.string(), contents.bytes(), file.has_parent_path() ? file.parent_path() : "."};
  return UrdfReader(source, options).read();
}

Robot read_robot(std::span<const std::byte> bytes, std::string_view name, const RobotOptions& options) {
  const Source source = in_memory(bytes, name);
  return UrdfReader(source, options).read();
}

void load_srdf(Robot& robot, const fs::path& file) {
  const io::FileBytes contents(file);
  read_srdf(robot, Source{file.string(), contents.bytes(), {}});
}

void read_srdf(Robot& robot, std::span<const std::byte> bytes, std::string_view name) {
  read_srdf(robot, in_memory(bytes, name));
}

}  // namespace tumble
