// SPDX-License-Identifier: Apache-2.0
// Answers: the layout of structured arrays, and the classes of single answers.
#include "answers.h"

#include "bind.h"

#include <tumble/clash.h>
#include <tumble/robot.h>

#include <algorithm>
#include <cstddef>

namespace tumble::python {
namespace {

// NOLINTBEGIN: offsetof of nested standard-layout structs is what a dtype needs.
std::vector<Field> contact_fields(std::size_t at) {
  return {{"triangle_a", "u4", at + offsetof(Contact, triangle_a)},
          {"triangle_b", "u4", at + offsetof(Contact, triangle_b)},
          {"kind", "u1", at + offsetof(Contact, kind)},
          {"vertex_count", "u1", at + offsetof(Contact, vertex_count)},
          {"vertices", "(6,3)f8", at + offsetof(Contact, vertices)},
          {"point", "(3,)f8", at + offsetof(Contact, point)},
          {"normal", "(3,)f8", at + offsetof(Contact, normal)},
          {"depth", "f8", at + offsetof(Contact, depth)}};
}

std::vector<Field> near_pair_fields(std::size_t at) {
  return {{"triangle_a", "u4", at + offsetof(NearPair, triangle_a)},
          {"triangle_b", "u4", at + offsetof(NearPair, triangle_b)},
          {"distance", "f8", at + offsetof(NearPair, distance)},
          {"point_a", "(3,)f8", at + offsetof(NearPair, point_a)},
          {"point_b", "(3,)f8", at + offsetof(NearPair, point_b)},
          {"inside", "?", at + offsetof(NearPair, inside)}};
}

std::vector<Field> distance_fields(std::size_t at) {
  return {{"distance", "f8", at + offsetof(Distance, distance)},
          {"lower", "f8", at + offsetof(Distance, lower)},
          {"farther", "?", at + offsetof(Distance, farther)},
          {"triangle_a", "u4", at + offsetof(Distance, triangle_a)},
          {"triangle_b", "u4", at + offsetof(Distance, triangle_b)},
          {"point_a", "(3,)f8", at + offsetof(Distance, point_a)},
          {"point_b", "(3,)f8", at + offsetof(Distance, point_b)},
          {"inside", "?", at + offsetof(Distance, inside)}};
}

/// A triangle that may be missing, which is −1 then, has a sign.
std::vector<Field> hit_fields(std::size_t at, const char* triangle = "u4") {
  return {{"triangle", triangle, at + offsetof(Hit, triangle)},
          {"t", "f8", at + offsetof(Hit, t)},
          {"point", "(3,)f8", at + offsetof(Hit, point)}};
}

std::vector<Field> bodies(std::size_t a, std::size_t b) { return {{"a", "u4", a}, {"b", "u4", b}}; }

Records make_records() {
  const std::size_t closest = offsetof(MaybeClosestPoint, closest);
  return {
      record({contact_fields(0)}, sizeof(Contact)),
      record({near_pair_fields(0)}, sizeof(NearPair)),
      record({distance_fields(0)}, sizeof(Distance)),
      record({{{"found", "?", offsetof(MaybeClosestPoint, found)},
               {"triangle", "i4", closest + offsetof(ClosestPoint, triangle)},
               {"point", "(3,)f8", closest + offsetof(ClosestPoint, point)},
               {"distance", "f8", closest + offsetof(ClosestPoint, distance)}}},
             sizeof(MaybeClosestPoint)),
      record({{{"distance", "f8", offsetof(SignedDistance, distance)},
               {"side", "u1", offsetof(SignedDistance, side)},
               {"triangle", "u4", offsetof(SignedDistance, triangle)},
               {"point", "(3,)f8", offsetof(SignedDistance, point)}}},
             sizeof(SignedDistance)),
      record({hit_fields(0)}, sizeof(Hit)),
      record({{{"found", "?", offsetof(MaybeHit, found)}}, hit_fields(offsetof(MaybeHit, hit), "i4")},
             sizeof(MaybeHit)),
      record({bodies(offsetof(WorldContact, a), offsetof(WorldContact, b)),
              contact_fields(offsetof(WorldContact, contact))},
             sizeof(WorldContact)),
      record({bodies(offsetof(WorldNearPair, a), offsetof(WorldNearPair, b)),
              near_pair_fields(offsetof(WorldNearPair, pair))},
             sizeof(WorldNearPair)),
      record({bodies(offsetof(WorldDistance, a), offsetof(WorldDistance, b)),
              distance_fields(offsetof(WorldDistance, distance))},
             sizeof(WorldDistance)),
  };
}
// NOLINTEND

/// An IntEnum of `count` enumerators, with the names that C++ gives them; a space becomes an underscore.
template <class Type>
void make_enum(py::module_& m, const char* type, int count, const char* doc) {
  py::list members;
  for (int i = 0; i < count; ++i) {
    std::string word = name(static_cast<Type>(i));
    std::ranges::replace(word, ' ', '_');
    members.append(py::make_tuple(word, i));
  }
  py::object made = py::module_::import("enum").attr("IntEnum")(type, members, py::arg("module") = "tumble");
  made.attr("__doc__") = doc;
  m.attr(type) = made;
}

}  // namespace

const Records& records() {
  static const Records* const made = new Records(make_records());
  return *made;
}

py::object enumerator(const char* type, int value) { return py::module_::import("tumble._tumble").attr(type)(value); }

py::array ids_of(const std::vector<BodyPair>& pairs) {
  py::array_t<std::uint32_t> ids({static_cast<py::ssize_t>(pairs.size()), py::ssize_t{2}});
  auto to = ids.mutable_unchecked<2>();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    to(static_cast<py::ssize_t>(i), 0) = pairs[i].a.value;
    to(static_cast<py::ssize_t>(i), 1) = pairs[i].b.value;
  }
  return ids;
}

py::array ids_of(const std::vector<BodyId>& list) {
  py::array_t<std::uint32_t> ids(static_cast<py::ssize_t>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) ids.mutable_at(i) = list[i].value;
  return ids;
}

std::string text(double number) { return py::repr(py::float_(number)); }
std::string text(bool value) { return value ? "True" : "False"; }
std::string text(const Vec3& vector) {
  return "(" + text(vector.x) + ", " + text(vector.y) + ", " + text(vector.z) + ")";
}

void bind_answers(py::module_& m) {
  make_enum<ContactKind>(m, "ContactKind", 4,
                         "How two triangles meet: touch, cross, coplanar, or inside (solids only).\n\n"
                         ">>> tumble.ContactKind.cross == 1\nTrue");
  make_enum<Side>(m, "Side", 3,
                  "Where a point is: outside, on_surface or inside.\n\n>>> tumble.Side(2).name\n'inside'");
  make_enum<Verdict>(m, "Verdict", 3,
                     "What is certain about two bodies: free, colliding or unknown.\n\n"
                     ">>> tumble.Verdict.free.name\n'free'");
  make_enum<ClashClass>(m, "ClashClass", 6,
                        "What two parts of an assembly are to each other: the first that fits (docs/semantics.md).");
  make_enum<JointType>(m, "JointType", 4, "How a joint moves.");

  m.attr("contact_dtype") = records().contact;
  m.attr("near_pair_dtype") = records().near_pair;
  m.attr("distance_dtype") = records().distance;
  m.attr("closest_point_dtype") = records().closest_point;
  m.attr("signed_distance_dtype") = records().signed_distance;
  m.attr("hit_dtype") = records().hit;
  m.attr("first_hit_dtype") = records().maybe_hit;
  m.attr("world_contact_dtype") = records().world_contact;
  m.attr("world_near_pair_dtype") = records().world_near_pair;
  m.attr("world_distance_dtype") = records().world_distance;

  py::class_<Distance>(m, "Distance",
                       "The least distance of two bodies, and where it is attained. It counts as a number, too.\n\n"
                       ">>> cube = tumble.load(\"examples/cube.obj\")\n"
                       ">>> shift = np.eye(4)\n>>> shift[0, 3] = 3\n"
                       ">>> far = tumble.distance(cube, None, cube, shift)\n>>> far.distance, float(far)\n(1.0, 1.0)")
      .def_readonly("distance", &Distance::distance, "0 exactly when they are in contact.")
      .def_readonly("lower", &Distance::lower, "The minimum is at least this.")
      .def_readonly("farther", &Distance::farther, "Farther apart than the upper bound; the rest means nothing then.")
      .def_readonly("triangle_a", &Distance::triangle_a, "The triangle of a.")
      .def_readonly("triangle_b", &Distance::triangle_b, "The triangle of b.")
      .def_readonly("point_a", &Distance::point_a, "A point of a's triangle, in the world.")
      .def_readonly("point_b", &Distance::point_b, "A point of b's triangle, in the world.")
      .def_readonly("inside", &Distance::inside, "Solids only: one body is inside the other.")
      .def("__float__", [](const Distance& self) { return self.distance; })
      .def("__repr__", [](const Distance& self) {
        if (self.farther) return std::string("Distance(farther=True)");
        return "Distance(distance=" + text(self.distance) + ", triangle_a=" + std::to_string(self.triangle_a) +
               ", triangle_b=" + std::to_string(self.triangle_b) + ", point_a=" + text(self.point_a) +
               ", point_b=" + text(self.point_b) + (self.inside ? ", inside=True)" : ")");
      });

  py::class_<Certainty>(m, "Certainty", "What is certain about two bodies when a question stops. It is never wrong.")
      .def_readonly("verdict", &Certainty::verdict, "Free, colliding or unknown.")
      .def_readonly("lower", &Certainty::lower, "The distance is at least this.")
      .def_readonly("closest", &Certainty::closest, "The nearest pair of triangles that was measured.")
      .def_readonly("separation", &Certainty::separation,
                    "A translation of at most this separates any one contact not found yet.")
      .def_readonly("near", &Certainty::near, "WithinRequest: something within the distance was found.")
      .def_readonly("finished", &Certainty::finished, "Nothing is left to do.")
      .def_readonly("node_pairs", &Certainty::node_pairs, "Spent on the question since its start.")
      .def("__repr__", [](const Certainty& self) {
        return std::string("Certainty(verdict=") + name(self.verdict) + ", finished=" + text(self.finished) +
               ", lower=" + text(self.lower) + ", upper=" + text(self.closest.distance) + ")";
      });

  py::class_<Deepest>(m, "Deepest", "The deepest point of one surface inside the other solid.")
      .def_readonly("lower", &Deepest::lower, "Its depth is at least this.")
      .def_readonly("upper", &Deepest::upper, "Its depth is at most this.")
      .def_readonly("triangle", &Deepest::triangle, "The triangle it is on.")
      .def_readonly("other_triangle", &Deepest::other_triangle, "The nearest triangle of the other body.")
      .def_readonly("point", &Deepest::point, "A point as deep as lower; meaningless if that is 0.")
      .def_readonly("nearest", &Deepest::nearest, "The nearest point of the other surface.")
      .def("__repr__", [](const Deepest& self) {
        return "Deepest(lower=" + text(self.lower) + ", upper=" + text(self.upper) + ", point=" + text(self.point) +
               ")";
      });

  py::class_<Penetration>(m, "Penetration", "How deep the surfaces of two closed meshes are in the other solid.")
      .def_readonly("in_contact", &Penetration::in_contact, "The solids touch or overlap.")
      .def_readonly("a_in_b", &Penetration::a_in_b, "The deepest point of a's surface inside b.")
      .def_readonly("b_in_a", &Penetration::b_in_a, "The deepest point of b's surface inside a.")
      .def("__repr__", [](const Penetration& self) {
        return "Penetration(in_contact=" + text(self.in_contact) + ", a_in_b=[" + text(self.a_in_b.lower) + ", " +
               text(self.a_in_b.upper) + "], b_in_a=[" + text(self.b_in_a.lower) + ", " + text(self.b_in_a.upper) +
               "])";
      });

  py::class_<OverlapDepth>(m, "OverlapDepth", "The diameter of the largest ball inside two closed meshes.")
      .def_readonly("in_contact", &OverlapDepth::in_contact, "The solids touch or overlap.")
      .def_readonly("lower", &OverlapDepth::lower, "The diameter is at least this.")
      .def_readonly("upper", &OverlapDepth::upper, "The diameter is at most this.")
      .def_readonly("precise", &OverlapDepth::precise, "upper - lower is as small as was asked for.")
      .def_readonly("center", &OverlapDepth::center, "The centre of a ball of diameter lower inside both.")
      .def("__repr__", [](const OverlapDepth& self) {
        return "OverlapDepth(in_contact=" + text(self.in_contact) + ", lower=" + text(self.lower) +
               ", upper=" + text(self.upper) + ", center=" + text(self.center) + ")";
      });
}

}  // namespace tumble::python
