// SPDX-License-Identifier: Apache-2.0
// Robots and assemblies in worlds, and many configurations of a robot at once.
#include "answers.h"
#include "assembly.h"
#include "world.h"

#include <tumble/assembly.h>

#include <memory>
#include <mutex>

namespace tumble::python {
namespace {

namespace fs = std::filesystem;

struct SharedRobotBodies {
  explicit SharedRobotBodies(RobotBodies added) : bodies(std::move(added)) {}

  RobotBodies bodies;
  std::mutex mutex;  // of set_joints, which writes to it
};

/// One number for each free joint.
std::vector<double> values_from(py::handle source) {
  const auto array = doubles_from(source, "joint values");
  if (array.ndim() != 1)
    throw Error(ErrorCode::invalid_argument,
                "joint values must have the shape (J,), not " + std::string(py::str(array.attr("shape"))));
  return {array.data(), array.data() + array.size()};
}

std::vector<double> configurations_from(py::handle source, const Robot& robot) {
  const auto array = doubles_from(source, "configurations");
  const auto joints = static_cast<py::ssize_t>(robot.free_joints().size());
  if (array.ndim() != 2 || array.shape(1) != joints)
    throw Error(ErrorCode::invalid_argument, "configurations must have the shape (N, " + std::to_string(joints) +
                                                 "), one number for each free joint, not " +
                                                 std::string(py::str(array.attr("shape"))));
  return {array.data(), array.data() + array.size()};
}

std::vector<fs::path> folders_from(py::handle source) {
  if (py::isinstance<py::str>(source) || py::isinstance<py::bytes>(source) || py::hasattr(source, "__fspath__"))
    throw py::type_error("packages is a list of folders; one folder is written [folder]");
  std::vector<fs::path> folders;
  for (const py::handle folder : source) folders.push_back(file_from(folder));
  return folders;
}

py::array matrices_of(const std::vector<Pose>& poses) {
  py::array_t<double> all({static_cast<py::ssize_t>(poses.size()), py::ssize_t{4}, py::ssize_t{4}});
  auto to = all.mutable_unchecked<3>();
  for (py::ssize_t p = 0; p < to.shape(0); ++p) {
    const Pose& pose = poses[static_cast<std::size_t>(p)];
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) to(p, i, j) = pose.row(i)[j];
      to(p, i, 3) = pose.translation()[i];
      to(p, 3, i) = 0;
    }
    to(p, 3, 3) = 1;
  }
  return all;
}

void bind_robot_class(py::module_& m) {
  py::class_<Joint>(m, "Joint", "Joins a link to its parent.")
      .def_readonly("name", &Joint::name)
      .def_readonly("type", &Joint::type)
      .def_readonly("parent", &Joint::parent, "The name of a link.")
      .def_readonly("child", &Joint::child, "The name of a link.")
      .def_readonly("origin", &Joint::origin, "(4, 4), takes the child's coordinates, at the value 0, to the parent's.")
      .def_readonly("axis", &Joint::axis, "In the child's coordinates; unused if fixed.")
      .def_readonly("lower", &Joint::lower, "The limit of a revolute or prismatic joint.")
      .def_readonly("upper", &Joint::upper, "The limit of a revolute or prismatic joint.")
      .def_property_readonly(
          "mimics", [](const Joint& self) { return self.mimic ? py::object(py::str(self.mimic->joint)) : py::none(); },
          "The name of the joint whose value it takes, or None.")
      .def("__repr__",
           [](const Joint& self) { return "<tumble.Joint " + repr_of(self.name) + ": " + name(self.type) + ">"; });
  py::class_<Robot, std::shared_ptr<Robot>>(m, "Robot",
                                            "A tree of links with meshes and the joints between them; load_robot reads "
                                            "one.\nA configuration is one value for each free joint.")
      .def_property_readonly("name", &Robot::name)
      .def_property_readonly(
          "links",
          [](const Robot& self) {
            std::vector<std::string> names;
            for (const Link& link : self.links()) names.push_back(link.name);
            return names;
          },
          "The names of the links.")
      .def_property_readonly(
          "only_visual",
          [](const Robot& self) {
            std::vector<std::string> names;
            for (const Link& link : self.links())
              if (link.only_visual) names.push_back(link.name);
            return names;
          },
          "The names of links that have visual geometry only: none of it is tested.")
      .def_property_readonly("joints", &Robot::joints)
      .def_property_readonly(
          "free_joints",
          [](const Robot& self) {
            std::vector<Joint> free;
            for (const std::size_t joint : self.free_joints()) free.push_back(self.joints()[joint]);
            return free;
          },
          "The joints that take a value, in their order: neither fixed nor mimicking another.")
      .def(
          "shapes",
          [](const Robot& self, const std::string& link) {
            std::vector<std::pair<StoredModel, Pose>> shapes;
            for (const LinkShape& shape : self.links()[self.link(link)].shapes)
              shapes.emplace_back(StoredModel{shape.model}, shape.pose);
            return shapes;
          },
          py::arg("link"), "The models of a link, each with its pose in the link's coordinates.")
      .def(
          "poses",
          [](const Robot& self, py::handle values, bool beyond_limits) {
            return matrices_of(self.poses(values_from(values), {beyond_limits}));
          },
          py::arg("values"), py::kw_only(), py::arg("beyond_limits") = false,
          "(L, 4, 4), the pose of each link in the coordinates of the root.")
      .def_property_readonly(
          "ignored",
          [](const Robot& self) {
            std::vector<std::pair<std::string, std::string>> pairs;
            for (const auto& [a, b] : self.ignored()) pairs.emplace_back(self.links()[a].name, self.links()[b].name);
            return pairs;
          },
          "Pairs of links that are not tested against each other: parents and their children, and those of an SRDF.")
      .def("__repr__", [](const Robot& self) {
        return "<tumble.Robot " + repr_of(self.name()) + ": " + std::to_string(self.links().size()) + " links, " +
               std::to_string(self.free_joints().size()) + " free joints>";
      });
  m.def(
      "load_robot",
      [](const fs::path& file, py::handle packages, const std::optional<fs::path>& srdf, const py::kwargs& options) {
        const RobotOptions how{folders_from(packages), tree_options(options)};
        return freely([&] {
          auto robot = std::make_shared<Robot>(load_robot(file, how));
          if (srdf) load_srdf(*robot, *srdf);
          return robot;
        });
      },
      py::arg("file"), py::kw_only(), py::arg("packages") = py::tuple(), py::arg("srdf") = py::none(),
      "Reads a URDF: links with their collision geometry, and joints. packages: folders in which package://NAME/... "
      "is\n"
      "looked for; srdf: a file with further pairs of links to ignore. Options for trees are those of Model.\n\n"
      ">>> arm = tumble.load_robot(\"examples/arm.urdf\")\n"
      ">>> [joint.name for joint in arm.free_joints]\n['shoulder', 'elbow']");
}

}  // namespace

void bind_robot(py::module_& m) {
  bind_robot_class(m);

  py::class_<SharedRobotBodies, std::shared_ptr<SharedRobotBodies>>(
      m, "RobotBodies", "A robot's links in a world. It holds ids, not the world: a copy of the world has the same.")
      .def_property_readonly("robot",
                             [](const SharedRobotBodies& self) { return std::make_shared<Robot>(self.bodies.robot()); })
      .def_property_readonly(
          "links",
          [](const SharedRobotBodies& self) {
            py::dict ids;
            const std::vector<Link>& links = self.bodies.robot().links();
            for (std::size_t i = 0; i < links.size(); ++i)
              if (self.bodies.links()[i] != BodyId{}) ids[py::str(links[i].name)] = self.bodies.links()[i].value;
            return ids;
          },
          "The ids of links by name: of a body if the link has one shape, of a group if it has several.")
      .def(
          "set_joints",
          [](SharedRobotBodies& self, SharedWorld& world, py::handle values, bool beyond_limits) {
            const std::vector<double> all = values_from(values);
            world.turns.take([&] {
              const std::scoped_lock lock(self.mutex);
              self.bodies.set_joints(world.world, all, {beyond_limits});
            });
          },
          py::arg("world"), py::arg("values"), py::kw_only(), py::arg("beyond_limits") = false,
          "Moves all links, or none if a value is refused.");

  auto world = py::reinterpret_borrow<py::class_<SharedWorld, std::shared_ptr<SharedWorld>>>(m.attr("World"));
  world
      .def(
          "add_robot",
          [](SharedWorld& self, const Robot& robot, const Pose& base, py::handle values, bool beyond_limits, Name name,
             double margin) {
            RobotPlacement placement{.base = base, .poses = {beyond_limits}};
            if (!values.is_none()) placement.values = values_from(values);
            placement.body.name = std::move(name.bytes);
            placement.body.margin = margin;
            return std::make_shared<SharedRobotBodies>(
                self.turns.take([&] { return add(self.world, robot, placement); }));
          },
          py::arg("robot"), py::arg("base") = py::none(), py::arg("values") = py::none(), py::kw_only(),
          py::arg("beyond_limits") = false, py::arg("name") = "", py::arg("margin") = 0.0,
          "Adds a robot's links, without the pairs that it ignores. values: None puts each joint at 0, or at the "
          "limit\n"
          "nearest to it; name comes before the names of links.")
      .def(
          "add_assembly",
          [](SharedWorld& self, const PlacedParts& assembly) {
            const Parts parts = assembly.get();
            return ids_of(self.turns.take([&] { return add(self.world, parts); }));
          },
          py::arg("assembly"),
          "Adds parts and groups, without the pairs that they ignore. Returns the id of each part's body.");
  m.def(
      "collide_configurations",
      [](SharedWorld& self, SharedRobotBodies& robot, py::handle configurations, bool ignore_touch, bool solid,
         bool beyond_limits, Threads threads) {
        const std::vector<double> all = configurations_from(configurations, robot.bodies.robot());
        std::vector<std::uint8_t> hits = self.turns.take([&] {
          const std::scoped_lock lock(robot.mutex);
          return collide_configurations(self.world, robot.bodies, all, {ignore_touch, solid},
                                        {threads, {beyond_limits}});
        });
        return adopt(std::move(hits), py::dtype::of<bool>());
      },
      py::arg("world"), py::arg("robot"), py::arg("configurations"), py::kw_only(), py::arg("ignore_touch") = false,
      py::arg("solid") = false, py::arg("beyond_limits") = false, py::arg("threads") = 0,
      "Whether anything in the world collides, for each of (N, J) configurations; on all cores.\n\n"
      ">>> world = tumble.World()\n"
      ">>> arm = world.add_robot(tumble.load_robot(\"examples/arm.urdf\"))\n"
      ">>> cube = world.add_assembly(tumble.load_assembly(\"examples/cell.json\"))\n"
      ">>> turns = np.stack([np.full(21, -0.2), np.linspace(0, 2, 21)], 1)\n"
      ">>> tumble.collide_configurations(world, arm, turns).shape\n(21,)");
}

}  // namespace tumble::python
