// SPDX-License-Identifier: Apache-2.0
// Pages to look at, of what Python has; tumble.viewing puts them into notebooks and files.
#include "report/page.h"
#include "assembly.h"
#include "core/out_file.h"
#include "report/clash_page.h"
#include "report/flight_page.h"
#include "report/world_page.h"
#include "world.h"

#include <tumble/query.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tumble::python {
namespace {

std::string assembly_page(const PlacedParts& assembly, const std::string& title) {
  const Parts parts = assembly.get();
  return freely([&] {
    Page page = clash_page(parts, {});
    page.command = "view";
    page.title = title;
    return page_text(page);
  });
}

std::string clashes_page(const FoundClashes& clashes, const std::string& title) {
  const Parts parts = clashes.parts->get();
  return freely([&] {
    Page page = clash_page(parts, clashes.found.pairs);
    page.title = title;
    return page_text(page);
  });
}

std::string show_world(SharedWorld& self, const std::string& title) {
  const auto [parts, sight] = self.turns.take([&] { return std::pair(page_parts(self.world), look(self.world, {})); });
  return freely([&] {
    Page page{.title = title, .command = "show", .parts = parts, .clashes = sight.clashes};
    if (sight.cut_off) page.notes.emplace_back("Some outlines of contacts are left out: there are too many.");
    return page_text(page);
  });
}

std::string show_flight(const StoredModel& a, const StoredModel& b, py::handle poses, const Pose& pose_a,
                        const std::string& title) {
  const std::vector<Pose> path = poses_from(poses);
  if (path.empty()) throw Error(ErrorCode::invalid_argument, "a flight has at least one pose");
  return freely([&] {
    Pair pair(a.model, b.model);
    std::vector<FlightStep> steps;
    for (const Pose& pose : path) {
      const auto start = std::chrono::steady_clock::now();
      const Contacts found = pair.contacts(pose_a, pose, {.geometry = false});
      const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
      steps.push_back({pose_a, pose, !found.empty(), static_cast<double>(found.size()), spent.count()});
    }
    Page page = flight_page({{"a", a.model}, {"b", b.model}}, steps, "contacts",
                            [&](const FlightStep& step) { return pair.contacts(step.environment, step.object); });
    page.title = title;
    page.command = "show";
    return page_text(page);
  });
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  freely([&] {
    OutFile out(file);
    out.write(text);
    out.commit();
  });
}

}  // namespace

void bind_page(py::module_& m) {
  m.def("_assembly_page", &assembly_page, py::arg("assembly"), py::arg("title"));
  m.def("_clashes_page", &clashes_page, py::arg("clashes"), py::arg("title"));
  m.def("_world_page", &show_world, py::arg("world"), py::arg("title"));
  m.def("_flight_page", &show_flight, py::arg("a"), py::arg("b"), py::arg("poses"), py::arg("pose_a"),
        py::arg("title"));
  m.def("_write_text", &write_text, py::arg("file"), py::arg("text"));
  for (const char* const name : {"Mesh", "Model", "ConvexModel", "Assembly", "Clashes", "World"}) {
    const py::object type = m.attr(name);
    type.attr("show") = py::cpp_function(
        [](const py::object& self) { return py::module_::import("tumble.viewing").attr("show")(self); },
        py::name("show"), py::is_method(type), "A page to look at: tumble.show(self).");
    type.attr("_repr_html_") = py::cpp_function(
        [](const py::object& self) { return py::module_::import("tumble.viewing").attr("in_notebook")(self); },
        py::name("_repr_html_"), py::is_method(type));
  }
}

}  // namespace tumble::python
