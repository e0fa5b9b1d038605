// SPDX-License-Identifier: Apache-2.0
// Requests as classes, for Pair.start, run_many and World.run.
#include "requests.h"

namespace tumble::python {

void bind_requests(py::module_& m) {
  const auto rel_error = py::arg("rel_error") = 0.0, abs_error = py::arg("abs_error") = 0.0;
  const auto upper_bound = py::arg("upper_bound") = std::numeric_limits<double>::infinity();
  const auto solid = py::arg("solid") = false, ignore_touch = py::arg("ignore_touch") = false;
  const auto at_most = py::arg("at_most") = py::none();
  const auto precision = py::arg("precision") = 0.0;

  py::class_<CollideRequest>(m, "CollideRequest", "Is there any contact?")
      .def(py::init([](bool ignore, bool as_solids) {
             return CollideRequest{ignore, as_solids};
           }),
           py::kw_only(), ignore_touch, solid)
      .def_readonly("ignore_touch", &CollideRequest::ignore_touch)
      .def_readonly("solid", &CollideRequest::solid);
  py::class_<ContactRequest>(m, "ContactRequest", "Which triangles are in contact, and where?")
      .def(py::init(&contact_request), py::kw_only(), ignore_touch, at_most, py::arg("geometry") = true, solid)
      .def_readonly("ignore_touch", &ContactRequest::ignore_touch)
      .def_readonly("at_most", &ContactRequest::at_most)
      .def_readonly("geometry", &ContactRequest::geometry)
      .def_readonly("solid", &ContactRequest::solid);
  py::class_<DistanceRequest>(m, "DistanceRequest", "How far apart are they?")
      .def(py::init([](double rel, double abs, double upper, bool as_solids, bool last_bit) {
             return DistanceRequest{rel, abs, upper, as_solids, last_bit};
           }),
           py::kw_only(), rel_error, abs_error, upper_bound, solid, py::arg("last_bit") = false)
      .def_readonly("rel_error", &DistanceRequest::rel_error)
      .def_readonly("abs_error", &DistanceRequest::abs_error)
      .def_readonly("upper_bound", &DistanceRequest::upper_bound)
      .def_readonly("solid", &DistanceRequest::solid)
      .def_readonly("last_bit", &DistanceRequest::last_bit);
  py::class_<WithinRequest>(m, "WithinRequest", "Which pairs of triangles are at most `distance` apart?")
      .def(py::init(&within_request), py::arg("distance"), py::kw_only(), at_most, solid)
      .def_readonly("distance", &WithinRequest::distance)
      .def_readonly("at_most", &WithinRequest::at_most)
      .def_readonly("solid", &WithinRequest::solid);
  py::class_<ClosestPairsRequest>(m, "ClosestPairsRequest", "Which pairs of triangles are closest?")
      .def(py::init([](double rel, double abs, double upper, bool as_solids) {
             return ClosestPairsRequest{rel, abs, upper, as_solids};
           }),
           py::kw_only(), rel_error, abs_error, upper_bound, solid)
      .def_readonly("rel_error", &ClosestPairsRequest::rel_error)
      .def_readonly("abs_error", &ClosestPairsRequest::abs_error)
      .def_readonly("upper_bound", &ClosestPairsRequest::upper_bound)
      .def_readonly("solid", &ClosestPairsRequest::solid);
  py::class_<ClosingPairsRequest>(m, "ClosingPairsRequest",
                                  "Pairs as they are met, each little farther than the nearest before it.")
      .def(py::init([](double rel, double abs, double upper, bool as_solids) {
             return ClosingPairsRequest{rel, abs, upper, as_solids};
           }),
           py::kw_only(), rel_error, abs_error, upper_bound, solid)
      .def_readonly("rel_error", &ClosingPairsRequest::rel_error)
      .def_readonly("abs_error", &ClosingPairsRequest::abs_error)
      .def_readonly("upper_bound", &ClosingPairsRequest::upper_bound)
      .def_readonly("solid", &ClosingPairsRequest::solid);
  py::class_<PenetrationRequest>(m, "PenetrationRequest", "How deep is the surface of either body in the other?")
      .def(py::init([](double wanted) { return PenetrationRequest{wanted}; }), py::kw_only(), precision)
      .def_readonly("precision", &PenetrationRequest::precision);
  py::class_<OverlapDepthRequest>(m, "OverlapDepthRequest", "How large a ball fits inside both bodies?")
      .def(py::init([](double wanted) { return OverlapDepthRequest{wanted}; }), py::kw_only(), precision)
      .def_readonly("precision", &OverlapDepthRequest::precision);
}

}  // namespace tumble::python
