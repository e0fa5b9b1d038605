// SPDX-License-Identifier: Apache-2.0
// Motions, and when moving bodies first touch.
#include "answers.h"
#include "world.h"

#include <tumble/motion.h>

namespace tumble::python {
namespace {

/// A Motion, or a pose at which a body stands.
Motion motion_from(py::handle source) {
  if (py::isinstance<Motion>(source)) return source.cast<const Motion&>();
  return Motion(pose_from(source));
}

FirstContactRequest request_of(double tolerance, bool solid, const std::optional<double>& time,
                               const std::optional<std::uint64_t>& node_pairs) {
  return {tolerance, solid, budget_of(time, node_pairs)};
}

}  // namespace

void bind_motion(py::module_& m) {
  py::class_<Motion>(
      m, "Motion",
      "Where a body is at each time from 0 to end. A motion consists of legs of one unit of time each.\n\n"
      ">>> to = np.eye(4)\n>>> to[0, 3] = 2\n"
      ">>> motion = tumble.Motion.line(None, to)\n"
      ">>> motion.at(0.5)[:3, 3].tolist()\n[1.0, 0.0, 0.0]")
      .def(py::init([](const Pose& pose) { return Motion(pose); }), py::arg("pose") = py::none())
      .def_static("line", &Motion::line, py::arg("start"), py::arg("to"),
                  "From one pose to another: the origin on a straight line, the shorter way round.")
      .def_static("steady", &Motion::steady, py::arg("start"), py::arg("velocity"), py::arg("rotation"),
                  py::arg("center") = py::make_tuple(0.0, 0.0, 0.0),
                  "At an even velocity and turning at an even speed: rotation is the axis times the angle in radians.")
      .def_static("screw", &Motion::screw, py::arg("start"), py::arg("point"), py::arg("axis"), py::arg("angle"),
                  py::arg("advance"), "A turn about an axis of the world, while the body goes by advance along it.")
      .def_static(
          "path", [](py::handle poses) { return Motion::path(poses_from(poses)); }, py::arg("poses"),
          "A leg from each pose to the next.")
      .def_property_readonly("end", &Motion::end, "The number of legs; 0 if it stands.")
      .def("at", &Motion::at, py::arg("time"), "(4, 4), the pose at a time.")
      .def(
          "top_speed", [](const Motion& self, const StoredModel& model) { return self.top_speed(model.model); },
          py::arg("model"), "No point of the body is ever faster.")
      .def("__repr__", [](const Motion& self) {
        const auto legs = static_cast<long>(self.end());
        return legs == 0 ? std::string("<tumble.Motion at rest>")
                         : "<tumble.Motion of " + std::to_string(legs) + (legs == 1 ? " leg>" : " legs>");
      });

  py::class_<FirstContact>(m, "FirstContact", "When two moving bodies first touch, to within the tolerance.")
      .def_readonly("found", &FirstContact::found, "A gap of at most the tolerance, or contact.")
      .def_readonly("initial", &FirstContact::initial, "In contact at time 0.")
      .def_readonly("finished", &FirstContact::finished, "False: the budget ran out before anything was found.")
      .def_readonly("free_until", &FirstContact::free_until, "Certainly no contact before this time.")
      .def_readonly("time", &FirstContact::time, "The gap is at most the tolerance then; infinite if none was found.")
      .def_readonly("triangle_a", &FirstContact::triangle_a)
      .def_readonly("triangle_b", &FirstContact::triangle_b)
      .def_readonly("point_a", &FirstContact::point_a)
      .def_readonly("point_b", &FirstContact::point_b)
      .def_readonly("normal", &FirstContact::normal, "Unit, from b to a.")
      .def_readonly("gap", &FirstContact::gap)
      .def_readonly("inside", &FirstContact::inside)
      .def_readonly("node_pairs", &FirstContact::node_pairs)
      .def("__repr__", [](const FirstContact& self) {
        return "FirstContact(found=" + text(self.found) + ", time=" + text(self.time) +
               ", free_until=" + text(self.free_until) + ", finished=" + text(self.finished) + ")";
      });

  const auto tolerance = py::arg("tolerance") = 0.0;
  const auto solid = py::arg("solid") = false;
  const auto time = py::arg("time") = py::none(), node_pairs = py::arg("node_pairs") = py::none();
  m.def(
      "first_contact",
      [](const StoredModel& a, py::handle motion_a, const StoredModel& b, py::handle motion_b, double gap,
         bool as_solids, const std::optional<double>& seconds, const NodePairs& pairs) {
        const Motion moving_a = motion_from(motion_a), moving_b = motion_from(motion_b);
        const FirstContactRequest request = request_of(gap, as_solids, seconds, pairs);
        return freely([&] { return first_contact(a.model, moving_a, b.model, moving_b, request); });
      },
      py::arg("a"), py::arg("motion_a"), py::arg("b"), py::arg("motion_b"), py::kw_only(), tolerance, solid, time,
      node_pairs,
      "When two moving models first touch; nothing tunnels. A pose instead of a motion stands. time (seconds) and\n"
      "node_pairs are a budget.\n\n"
      ">>> cube = tumble.load(\"examples/cube.obj\")\n"
      ">>> far = np.eye(4)\n>>> far[0, 3] = 3\n"
      ">>> hit = tumble.first_contact(cube, None, cube, tumble.Motion.line(far, None))\n"
      ">>> hit.found, round(hit.time, 5)\n(True, 0.33333)");
  m.def(
      "first_contact_in",
      [](SharedWorld& world, const py::dict& motions, double gap, bool as_solids, const std::optional<double>& seconds,
         const NodePairs& pairs) {
        std::vector<BodyMotion> moving;
        for (const auto& [id, motion] : motions) moving.push_back({id_from(id), motion_from(motion)});
        const FirstContactRequest request = request_of(gap, as_solids, seconds, pairs);
        const WorldFirstContact found = world.turns.take([&] { return first_contact(world.world, moving, request); });
        return py::make_tuple(found.a.value, found.b.value, found.contact);
      },
      py::arg("world"), py::arg("motions"), py::kw_only(), tolerance, solid, time, node_pairs,
      "The first of all contacts in a world: (a, b, FirstContact). motions maps ids to motions; others stand.\n\n"
      ">>> cube = tumble.load(\"examples/cube.obj\")\n"
      ">>> world = tumble.World()\n>>> table = world.add(cube)\n"
      ">>> far = np.eye(4)\n>>> far[0, 3] = 3\n>>> cup = world.add(cube, far)\n"
      ">>> a, b, hit = tumble.first_contact_in(world, {cup: tumble.Motion.line(far, None)})\n"
      ">>> (a, b) == (table, cup)\nTrue");
}

}  // namespace tumble::python
