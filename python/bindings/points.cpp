// SPDX-License-Identifier: Apache-2.0
// Points and rays against one model, one at a time and in batches.
#include "answers.h"
#include "bind.h"

#include <tumble/point.h>

#include <limits>
#include <variant>

namespace tumble::python {
namespace {

using Line = std::variant<Ray, LineSegment>;
using Lines = std::variant<std::vector<Ray>, std::vector<LineSegment>>;

/// Exactly one of both ways to say where a line goes.
bool is_segment(const py::object& direction, const py::object& to) {
  if (direction.is_none() == to.is_none())
    throw Error(ErrorCode::invalid_argument, "give either direction, for a ray, or to, for a segment");
  return direction.is_none();
}

Line line_from(py::handle origin, const py::object& direction, const py::object& to) {
  const Vec3 from = vec_from(origin, "origin");
  if (is_segment(direction, to)) return LineSegment{from, vec_from(to, "to")};
  return Ray{from, vec_from(direction, "direction")};
}

template <class Kind>
std::vector<Kind> together(const std::vector<Vec3>& from, const std::vector<Vec3>& to, const char* what) {
  if (from.size() != to.size())
    throw Error(ErrorCode::invalid_argument,
                std::to_string(from.size()) + " origins have " + std::to_string(to.size()) + " " + what);
  std::vector<Kind> lines(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) lines[i] = {from[i], to[i]};
  return lines;
}

Lines lines_from(py::handle origins, const py::object& directions, const py::object& to) {
  const std::vector<Vec3> from = vecs_from(origins, "origins");
  if (is_segment(directions, to)) return together<LineSegment>(from, vecs_from(to, "to"), "ends");
  return together<Ray>(from, vecs_from(directions, "directions"), "directions");
}

constexpr std::uint32_t no_triangle = 0xffffffff;  // −1 in arrays
constexpr double infinite = std::numeric_limits<double>::infinity();
const ClosestPoint no_point{.triangle = no_triangle, .point = {}, .distance = infinite};
const Hit no_hit{.triangle = no_triangle, .t = infinite, .point = {}};

}  // namespace

void bind_points(py::module_& m) {
  py::class_<ClosestPoint>(m, "ClosestPoint", "The point of a surface nearest to another point.")
      .def_readonly("triangle", &ClosestPoint::triangle, "The first of several at the same distance.")
      .def_readonly("point", &ClosestPoint::point, "On this triangle.")
      .def_readonly("distance", &ClosestPoint::distance, "0 exactly when the point asked about is on the surface.")
      .def("__repr__", [](const ClosestPoint& self) {
        return "ClosestPoint(triangle=" + std::to_string(self.triangle) + ", point=" + text(self.point) +
               ", distance=" + text(self.distance) + ")";
      });
  py::class_<SignedDistance>(m, "SignedDistance", "How far a point is from a closed mesh, and on which side.")
      .def_readonly("distance", &SignedDistance::distance, "Negative inside.")
      .def_readonly("side", &SignedDistance::side)
      .def_readonly("triangle", &SignedDistance::triangle, "Where the surface is nearest.")
      .def_readonly("point", &SignedDistance::point)
      .def("__float__", [](const SignedDistance& self) { return self.distance; })
      .def("__repr__", [](const SignedDistance& self) {
        return "SignedDistance(distance=" + text(self.distance) + ", side=" + name(self.side) +
               ", triangle=" + std::to_string(self.triangle) + ", point=" + text(self.point) + ")";
      });
  py::class_<Hit>(m, "Hit", "Where a ray or segment first meets a triangle.")
      .def_readonly("triangle", &Hit::triangle)
      .def_readonly("t", &Hit::t, "The point is origin + t * direction, or origin + t * (to - origin).")
      .def_readonly("point", &Hit::point)
      .def("__repr__", [](const Hit& self) {
        return "Hit(triangle=" + std::to_string(self.triangle) + ", t=" + text(self.t) + ", point=" + text(self.point) +
               ")";
      });

  const auto upper_bound = py::arg("upper_bound") = std::numeric_limits<double>::infinity();
  const auto threads = py::arg("threads") = 0;
  const auto direction = py::arg("direction") = py::none(), directions = py::arg("directions") = py::none();
  const auto to = py::arg("to") = py::none();

  m.def(
      "check_closed", [](const StoredModel& model) { freely([&] { check_closed(model.model); }); }, py::arg("model"),
      "Raises Error, naming open edges, unless the mesh is closed.\n\n"
      ">>> tumble.check_closed(tumble.load(\"examples/cube.obj\"))");
  m.def(
      "locate",
      [](const StoredModel& model, const Pose& pose, const Vec3& point) {
        return freely([&] { return locate(model.model, pose, point); });
      },
      py::arg("model"), py::arg("pose"), py::arg("point"),
      "Where a point of the world is, relative to a closed mesh; exact.\n\n"
      ">>> tumble.locate(tumble.load(\"examples/cube.obj\"), None, [0.5, 0.5, 0.5]).name\n'inside'");
  m.def(
      "locate_many",
      [](const StoredModel& model, const Pose& pose, py::handle points, Threads cores) {
        const std::vector<Vec3> all = vecs_from(points, "points");
        return adopt(freely([&] { return locate_many(model.model, pose, all, {.threads = cores}); }),
                     py::dtype::of<std::uint8_t>());
      },
      py::arg("model"), py::arg("pose"), py::arg("points"), py::kw_only(), threads,
      "locate for (N, 3) points, on all cores: (N,) uint8, the numbers of Side.\n\n"
      ">>> cube = tumble.load(\"examples/cube.obj\")\n"
      ">>> tumble.locate_many(cube, None, [[0.5, 0.5, 0.5], [3, 0, 0]]).tolist()\n[2, 0]");
  m.def(
      "closest_point",
      [](const StoredModel& model, const Pose& pose, const Vec3& point, double upper) {
        return freely([&] { return closest_point(model.model, pose, point, {upper}); });
      },
      py::arg("model"), py::arg("pose"), py::arg("point"), py::kw_only(), upper_bound,
      "The nearest point of the surface, or None if it is farther away than the upper bound.\n\n"
      ">>> tumble.closest_point(tumble.load(\"examples/cube.obj\"), None, [3, 0.5, 0.25]).distance\n2.0");
  m.def(
      "closest_point_many",
      [](const StoredModel& model, const Pose& pose, py::handle points, double upper, Threads cores) {
        const std::vector<Vec3> all = vecs_from(points, "points");
        return adopt(freely([&] {
                       std::vector<MaybeClosestPoint> answers;
                       for (const auto& found : closest_point_many(model.model, pose, all, {upper}, {.threads = cores}))
                         answers.push_back({found.has_value(), found.value_or(no_point)});
                       return answers;
                     }),
                     records().closest_point);
      },
      py::arg("model"), py::arg("pose"), py::arg("points"), py::kw_only(), upper_bound, threads,
      "closest_point for (N, 3) points, on all cores: an array of closest_point_dtype. Where there is none, the\n"
      "triangle is -1 and the distance infinite.\n\n"
      ">>> cube = tumble.load(\"examples/cube.obj\")\n"
      ">>> tumble.closest_point_many(cube, None, [[2, 0, 0], [9, 0, 0]], upper_bound=5)[\"found\"].tolist()\n"
      "[True, False]");
  m.def(
      "signed_distance",
      [](const StoredModel& model, const Pose& pose, const Vec3& point) {
        return freely([&] { return signed_distance(model.model, pose, point); });
      },
      py::arg("model"), py::arg("pose"), py::arg("point"),
      "How far a point is from the surface of a closed mesh: negative inside.\n\n"
      ">>> tumble.signed_distance(tumble.load(\"examples/cube.obj\"), None, [0.5, 0.5, 0.75]).distance\n-0.25");
  m.def(
      "signed_distance_many",
      [](const StoredModel& model, const Pose& pose, py::handle points, Threads cores) {
        const std::vector<Vec3> all = vecs_from(points, "points");
        return adopt(freely([&] { return signed_distance_many(model.model, pose, all, {.threads = cores}); }),
                     records().signed_distance);
      },
      py::arg("model"), py::arg("pose"), py::arg("points"), py::kw_only(), threads,
      "signed_distance for (N, 3) points, on all cores: an array of signed_distance_dtype.\n\n"
      ">>> cube = tumble.load(\"examples/cube.obj\")\n"
      ">>> tumble.signed_distance_many(cube, None, [[0.5, 0.5, 0.75]])[\"distance\"].tolist()\n[-0.25]");
  m.def(
      "first_hit",
      [](const StoredModel& model, const Pose& pose, py::handle origin, const py::object& way, const py::object& end) {
        const Line line = line_from(origin, way, end);
        return freely(
            [&] { return std::visit([&](const auto& asked) { return first_hit(model.model, pose, asked); }, line); });
      },
      py::arg("model"), py::arg("pose"), py::arg("origin"), py::kw_only(), direction, to,
      "What a ray (direction) or a segment (to) hits first, or None.\n\n"
      ">>> cube = tumble.load(\"examples/cube.obj\")\n"
      ">>> tumble.first_hit(cube, None, [3, 0.5, 0.25], direction=[-1, 0, 0]).t\n2.0\n"
      ">>> tumble.first_hit(cube, None, [3, 0.5, 0.25], to=[2, 0.5, 0.25]) is None\nTrue");
  m.def(
      "all_hits",
      [](const StoredModel& model, const Pose& pose, py::handle origin, const py::object& way, const py::object& end) {
        const Line line = line_from(origin, way, end);
        return adopt(freely([&] {
                       return std::visit([&](const auto& asked) { return all_hits(model.model, pose, asked); }, line);
                     }),
                     records().hit);
      },
      py::arg("model"), py::arg("pose"), py::arg("origin"), py::kw_only(), direction, to,
      "One hit for each triangle that a ray or segment meets, sorted by t: an array of hit_dtype.\n\n"
      ">>> cube = tumble.load(\"examples/cube.obj\")\n"
      ">>> tumble.all_hits(cube, None, [3, 0.5, 0.25], direction=[-1, 0, 0])[\"t\"].tolist()\n[2.0, 4.0]");
  m.def(
      "first_hit_many",
      [](const StoredModel& model, const Pose& pose, py::handle origins, const py::object& ways, const py::object& ends,
         Threads cores) {
        const Lines lines = lines_from(origins, ways, ends);
        return adopt(freely([&] {
                       std::vector<MaybeHit> answers;
                       std::visit(
                           [&](const auto& asked) {
                             for (const auto& found : first_hit_many(model.model, pose, asked, {.threads = cores}))
                               answers.push_back({found.has_value(), found.value_or(no_hit)});
                           },
                           lines);
                       return answers;
                     }),
                     records().maybe_hit);
      },
      py::arg("model"), py::arg("pose"), py::arg("origins"), py::kw_only(), directions, to, threads,
      "first_hit for (N, 3) origins, on all cores: an array of first_hit_dtype. A miss has the triangle -1 and an\n"
      "infinite t.\n\n"
      ">>> cube = tumble.load(\"examples/cube.obj\")\n"
      ">>> hits = tumble.first_hit_many(cube, None, [[3, 0.5, 0.25], [3, 9, 9]], directions=[[-1, 0, 0], [-1, 0, 0]])\n"
      ">>> hits[\"found\"].tolist()\n[True, False]");
  m.def(
      "all_hits_many",
      [](const StoredModel& model, const Pose& pose, py::handle origins, const py::object& ways, const py::object& ends,
         Threads cores) {
        const Lines lines = lines_from(origins, ways, ends);
        auto found = freely([&] {
          return std::visit(
              [&](const auto& asked) { return all_hits_many(model.model, pose, asked, {.threads = cores}); }, lines);
        });
        py::list lists(found.size());
        for (std::size_t i = 0; i < found.size(); ++i) lists[i] = adopt(std::move(found[i]), records().hit);
        return lists;
      },
      py::arg("model"), py::arg("pose"), py::arg("origins"), py::kw_only(), directions, to, threads,
      "all_hits for (N, 3) origins, on all cores: a list of arrays of hit_dtype.\n\n"
      ">>> cube = tumble.load(\"examples/cube.obj\")\n"
      ">>> [len(hits) for hits in tumble.all_hits_many(cube, None, [[3, 0.5, 0.25]], to=[[2, 0.5, 0.25]])]\n[0]");
}

}  // namespace tumble::python
