// SPDX-License-Identifier: Apache-2.0
// Convex bodies: closest features and the least translation that separates them.
#include "answers.h"
#include "bind.h"

#include <tumble/convex.h>

#include <memory>

namespace tumble::python {
namespace {

struct SharedConvexPair {
  SharedConvexPair(const ConvexModel& a, const ConvexModel& b) : pair(a, b) {}

  ConvexPair pair;
  Turns turns;
};

std::string feature_text(const ConvexFeature& feature) {
  const std::size_t count = static_cast<std::size_t>(feature.kind) + 1;
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += (i == 0 ? "" : ", ") + std::to_string(feature.vertices[i]);
  constexpr const char* kinds[] = {"vertex", "edge", "face"};
  return std::string(kinds[count - 1]) + " (" + all + ")";
}

/// (kind, vertices): one, two or three of the hull's.
py::tuple feature_of(const ConvexFeature& feature) {
  constexpr const char* kinds[] = {"vertex", "edge", "face"};
  const std::size_t count = static_cast<std::size_t>(feature.kind) + 1;
  py::list vertices;
  for (std::size_t i = 0; i < count; ++i) vertices.append(feature.vertices[i]);
  return py::make_tuple(kinds[count - 1], py::tuple(vertices));
}

}  // namespace

void bind_convex(py::module_& m) {
  py::class_<ConvexModel>(m, "ConvexModel",
                          "The convex hull of a mesh that must be convex; hull_of takes any. It answers as a solid\n"
                          "Model of the same hull, and quicker.\n\n"
                          ">>> hull = tumble.ConvexModel(tumble.load_mesh(\"examples/cube.obj\"))\n"
                          ">>> hull\n<tumble.ConvexModel: 8 vertices>")
      .def(py::init([](py::handle mesh) {
             const Mesh read = mesh_from(mesh);
             return freely([&] { return ConvexModel(read); });
           }),
           py::arg("mesh"))
      .def_static(
          "hull_of",
          [](py::handle mesh) {
            const Mesh read = mesh_from(mesh);
            return freely([&] { return ConvexModel::hull_of(read); });
          },
          py::arg("mesh"), "The hull of any mesh.")
      .def_property_readonly(
          "vertices",
          [](py::object self) {
            const auto vertices = self.cast<const ConvexModel&>().vertices();
            return view_of(py::dtype::of<double>(), {static_cast<py::ssize_t>(vertices.size()), 3}, vertices.data(),
                           self);
          },
          "(N, 3) float64, a view of the hull's corners.")
      .def_property_readonly(
          "triangles",
          [](py::object self) {
            const auto triangles = self.cast<const ConvexModel&>().triangles();
            return view_of(py::dtype::of<std::uint32_t>(), {static_cast<py::ssize_t>(triangles.size()), 3},
                           triangles.data(), self);
          },
          "(M, 3) uint32, a view of its faces cut into triangles, outward.")
      .def_property_readonly(
          "faces", [](py::object self) { return py::object(self.attr("triangles")); },
          "The triangles, by the name that others use.")
      .def_property_readonly("bytes", [](const ConvexModel& self) { return self.bytes(); })
      .def(
          "model", [](const ConvexModel& self) { return freely([&] { return StoredModel{self.model()}; }); },
          "The hull with a tree, for all other questions.")
      .def("__reduce__",
           [](py::object self) {
             return py::make_tuple(py::module_::import("tumble._pickle").attr("hull_of"),
                                   py::make_tuple(self.attr("vertices"), self.attr("triangles")));
           })
      .def("__repr__", [](const ConvexModel& self) {
        return "<tumble.ConvexModel: " + std::to_string(self.vertices().size()) + " vertices>";
      });

  py::class_<ConvexDistance>(m, "ConvexDistance", "How far apart two convex bodies are, and where.")
      .def_readonly("distance", &ConvexDistance::distance, "0 exactly when they have a point in common.")
      .def_readonly("lower", &ConvexDistance::lower, "The true distance is at least this.")
      .def_property_readonly(
          "feature_a", [](const ConvexDistance& self) { return feature_of(self.feature_a); },
          "(kind, vertices) of the closest vertex, edge or face.")
      .def_property_readonly("feature_b", [](const ConvexDistance& self) { return feature_of(self.feature_b); })
      .def_readonly("triangle_a", &ConvexDistance::triangle_a)
      .def_readonly("triangle_b", &ConvexDistance::triangle_b)
      .def_readonly("point_a", &ConvexDistance::point_a)
      .def_readonly("point_b", &ConvexDistance::point_b)
      .def("__float__", [](const ConvexDistance& self) { return self.distance; })
      .def("__repr__", [](const ConvexDistance& self) {
        return "ConvexDistance(distance=" + text(self.distance) + ", feature_a=" + feature_text(self.feature_a) +
               ", feature_b=" + feature_text(self.feature_b) + ")";
      });
  py::class_<SeparatingTranslation>(m, "SeparatingTranslation", "A translation of b that separates two bodies.")
      .def_readonly("in_contact", &SeparatingTranslation::in_contact, "If False, all else is 0.")
      .def_readonly("translation", &SeparatingTranslation::translation, "Of b, in the world; its length is upper.")
      .def_readonly("lower", &SeparatingTranslation::lower, "The least such translation is at least this long.")
      .def_readonly("upper", &SeparatingTranslation::upper)
      .def("__repr__", [](const SeparatingTranslation& self) {
        return "SeparatingTranslation(in_contact=" + text(self.in_contact) + ", translation=" + text(self.translation) +
               ", lower=" + text(self.lower) + ", upper=" + text(self.upper) + ")";
      });
  py::class_<ConvexCounters>(m, "ConvexCounters", "What the questions to a ConvexPair took.")
      .def_readonly("questions", &ConvexCounters::questions)
      .def_readonly("walk_steps", &ConvexCounters::walk_steps)
      .def_readonly("cold_starts", &ConvexCounters::cold_starts)
      .def_readonly("exact", &ConvexCounters::exact);

  py::class_<SharedConvexPair>(
      m, "ConvexPair",
      "Two convex models for many questions, each from the features at which the last ended.\n\n"
      ">>> hull = tumble.ConvexModel(tumble.load_mesh(\"examples/cube.obj\"))\n"
      ">>> pair = tumble.ConvexPair(hull, hull)\n"
      ">>> shift = np.eye(4)\n>>> shift[0, 3] = 3\n"
      ">>> pair.distance(None, shift).distance\n1.0\n"
      ">>> shift[0, 3] = 1.75\n"
      ">>> pair.separating_translation(None, shift).translation.round(6).tolist()[0]\n0.25")
      .def(py::init<const ConvexModel&, const ConvexModel&>(), py::arg("a"), py::arg("b"))
      .def(
          "collide",
          [](SharedConvexPair& self, const Pose& a, const Pose& b) {
            return self.turns.take([&] { return self.pair.collide(a, b); });
          },
          py::arg("pose_a"), py::arg("pose_b"), "Have they a point in common?")
      .def(
          "distance",
          [](SharedConvexPair& self, const Pose& a, const Pose& b) {
            return self.turns.take([&] { return self.pair.distance(a, b); });
          },
          py::arg("pose_a"), py::arg("pose_b"), "How far apart are they, and where?")
      .def(
          "separating_translation",
          [](SharedConvexPair& self, const Pose& a, const Pose& b) {
            return self.turns.take([&] { return self.pair.separating_translation(a, b); });
          },
          py::arg("pose_a"), py::arg("pose_b"), "The least translation of b that separates them.")
      .def("stats", [](SharedConvexPair& self) { return self.turns.take([&] { return self.pair.stats(); }); })
      .def(
          "forget", [](SharedConvexPair& self) { self.turns.take([&] { self.pair.forget(); }); },
          "Drops the features from which the next question would start.");

  m.def(
      "separating_translation",
      [](const StoredModel& a, const Pose& pose_a, const StoredModel& b, const Pose& pose_b, double precision,
         Whole<std::size_t, "at_most"> at_most) {
        return freely([&] { return separating_translation(a.model, pose_a, b.model, pose_b, {precision, at_most}); });
      },
      py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"), py::kw_only(), py::arg("precision") = 0.0,
      py::arg("at_most") = SeparatingTranslationRequest{}.at_most,
      "A short translation of b that separates two closed meshes, and an interval for the least. It need not be the\n"
      "least itself, except for convex ones. precision: enough once upper - lower is at most this; at_most: places of "
      "b\n"
      "at which the search looks.\n\n"
      ">>> cube = tumble.load(\"examples/cube.obj\")\n"
      ">>> shift = np.eye(4)\n>>> shift[0, 3] = 1.75\n"
      ">>> tumble.separating_translation(cube, None, cube, shift).translation.round(6).tolist()[0]\n0.25");
}

}  // namespace tumble::python
