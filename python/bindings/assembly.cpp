// SPDX-License-Identifier: Apache-2.0
// Assemblies: placed parts from files and code, and their clashes.
#include "assembly.h"

#include "answers.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace tumble::python {
namespace {

namespace fs = std::filesystem;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// A Clash as NumPy sees it: no bytes between fields, so that equal answers are equal bytes.
struct ClashRow {
  std::uint32_t a, b;
  std::uint64_t contacts;
  double gap, depth_lower, depth_upper, x, y, z;
  std::uint8_t kind, not_closed;
  std::array<std::uint8_t, 6> unused;
};

const py::dtype& clash_dtype() {
  static const auto* const made = new py::dtype(record({{{"a", "u4", offsetof(ClashRow, a)},
                                                         {"b", "u4", offsetof(ClashRow, b)},
                                                         {"kind", "u1", offsetof(ClashRow, kind)},
                                                         {"contacts", "u8", offsetof(ClashRow, contacts)},
                                                         {"gap", "f8", offsetof(ClashRow, gap)},
                                                         {"depth_lower", "f8", offsetof(ClashRow, depth_lower)},
                                                         {"depth_upper", "f8", offsetof(ClashRow, depth_upper)},
                                                         {"point", "(3,)f8", offsetof(ClashRow, x)},
                                                         {"not_closed", "?", offsetof(ClashRow, not_closed)}}},
                                                       sizeof(ClashRow)));
  return *made;
}

py::array rows_of(const std::vector<Clash>& clashes) {
  std::vector<ClashRow> rows;
  rows.reserve(clashes.size());
  for (const Clash& c : clashes)
    rows.push_back({static_cast<std::uint32_t>(c.a),
                    static_cast<std::uint32_t>(c.b),
                    c.contacts,
                    c.gap.value_or(none),
                    c.depth ? c.depth->lower : none,
                    c.depth ? c.depth->upper : none,
                    c.point.x,
                    c.point.y,
                    c.point.z,
                    static_cast<std::uint8_t>(c.kind),
                    c.not_closed,
                    {}});
  return adopt(std::move(rows), clash_dtype());
}

/// The other way round, for rows that came from other machines.
std::vector<Clash> clashes_from(const py::array& array) {
  if (!array.dtype().is(clash_dtype()) && !array.dtype().equal(clash_dtype()))
    throw py::type_error("an array of clash_dtype is needed");
  const py::array plain = py::module_::import("numpy").attr("ascontiguousarray")(array);
  const auto* const rows = static_cast<const ClashRow*>(plain.data());
  std::vector<Clash> clashes;
  for (py::ssize_t i = 0; i < plain.size(); ++i) {
    const ClashRow& r = rows[i];
    Clash c{r.a, r.b, static_cast<ClashClass>(r.kind), r.not_closed != 0, r.contacts};
    if (r.gap == r.gap) c.gap = r.gap;
    if (r.depth_lower == r.depth_lower) c.depth = Clash::Depth{r.depth_lower, r.depth_upper};
    c.point = {r.x, r.y, r.z};
    clashes.push_back(c);
  }
  return clashes;
}

std::shared_ptr<PlacedParts> from_parts(const Parts& parts) {
  auto placed = std::make_shared<PlacedParts>(PlacedParts{parts.units, {}, parts.ignore});
  for (const PlacedPart& part : parts.parts)
    placed->parts.push_back(
        std::make_shared<Placed>(Placed{part.name, StoredModel{part.model}, part.pose, part.group, part.moves}));
  return placed;
}

std::shared_ptr<PlacedParts> load(const fs::path& file, const TreeOptions& tree) {
  std::string extension = file.extension().string();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (extension == ".urdf")
    throw Error(ErrorCode::unsupported, "is a robot; load_robot reads it", {.file = file.string()});
  if (extension == ".json") return from_parts(load_parts(file, tree));
  if (!is_stored(file)) return from_parts(place(load_assembly(file), tree));
  auto placed = std::make_shared<PlacedParts>();
  placed->parts.push_back(std::make_shared<Placed>(Placed{file.stem().string(), open_stored(file)}));
  return placed;
}

/// What pickle keeps: each model once.
py::tuple reduce(const PlacedParts& self) {
  std::map<const Triangle*, std::size_t> index;
  py::list models, parts;
  for (const auto& part : self.parts) {
    const auto [at, is_new] = index.try_emplace(part->model.model.triangles().data(), index.size());
    if (is_new) models.append(part->model);
    parts.append(py::make_tuple(Name{part->name}, at->second, part->pose, Name{part->group}, part->moves));
  }
  return py::make_tuple(py::module_::import("tumble._pickle").attr("assembly"),
                        py::make_tuple(models, parts, self.units, self.ignore));
}

using DepthNodePairs = std::optional<Whole<std::uint64_t, "depth_node_pairs">>;
using Between = std::optional<std::array<std::string, 2>>;
using Ignore = std::vector<std::array<std::vector<std::size_t>, 2>>;

ClashOptions clash_options(double clearance, double tolerance, Between between, Ignore ignore, double depth_precision,
                           const std::optional<double>& depth_time,
                           const std::optional<std::uint64_t>& depth_node_pairs, int threads) {
  ClashOptions options;
  options.clearance = clearance;
  options.tolerance = tolerance;
  options.between = std::move(between);
  options.ignore = std::move(ignore);
  options.depth_precision = depth_precision;
  options.depth_budget = budget_of(depth_time, depth_node_pairs);
  options.threads = threads;
  return options;
}

FoundClashes clash(const std::shared_ptr<PlacedParts>& parts, double clearance, double tolerance,
                   const Between& between, const Ignore& ignore, double depth_precision,
                   const std::optional<double>& depth_time, const DepthNodePairs& depth_node_pairs, Threads threads,
                   const py::object& progress) {
  ClashOptions options =
      clash_options(clearance, tolerance, between, ignore, depth_precision, depth_time, depth_node_pairs, threads);
  if (!progress.is_none())
    options.progress = [&progress](std::size_t done, std::size_t of) {
      const py::gil_scoped_acquire acquired;
      return goes_on(progress(done, of));
    };
  const Parts all = parts->get();
  return {parts, freely([&] { return find_clashes(all, options); })};
}

/// (pairs, clear): pairs of parts, (N, 2), that may clash, and how many of the others are clear.
py::tuple candidates(const PlacedParts& parts, double clearance, double tolerance, const Between& between,
                     const Ignore& ignore) {
  ClashOptions options = clash_options(clearance, tolerance, between, ignore, 0, {}, {}, 0);
  std::vector<std::array<std::uint32_t, 2>> pairs;
  options.is_known = [&](std::size_t a, std::size_t b) {
    pairs.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
    return true;
  };
  const Parts all = parts.get();
  const std::size_t clear = freely([&] { return find_clashes(all, options).clear; });
  py::array_t<std::uint32_t> array({static_cast<py::ssize_t>(pairs.size()), py::ssize_t{2}});
  std::copy_n(pairs.empty() ? nullptr : pairs.front().data(), 2 * pairs.size(), array.mutable_data());
  return py::make_tuple(array, clear);
}

/// (rows, clear) of some of these pairs.
py::tuple clash_of(const PlacedParts& parts, const py::array_t<std::uint32_t, py::array::c_style>& pairs,
                   double clearance, double tolerance, const Between& between, const Ignore& ignore,
                   double depth_precision, const std::optional<double>& depth_time,
                   const DepthNodePairs& depth_node_pairs) {
  ClashOptions options =
      clash_options(clearance, tolerance, between, ignore, depth_precision, depth_time, depth_node_pairs, 1);
  std::set<std::pair<std::size_t, std::size_t>> wanted;
  for (py::ssize_t i = 0; i < pairs.shape(0); ++i) wanted.emplace(pairs.at(i, 0), pairs.at(i, 1));
  options.is_known = [&](std::size_t a, std::size_t b) { return !wanted.contains({a, b}); };
  const Parts all = parts.get();
  const Clashes found = freely([&] { return find_clashes(all, options); });
  return py::make_tuple(rows_of(found.pairs), wanted.size() - found.pairs.size());
}

std::string counts_text(const Clashes& clashes) {
  std::array<std::size_t, 5> counts{};
  for (const Clash& c : clashes.pairs) ++counts[static_cast<std::size_t>(c.kind)];
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0) text += std::to_string(counts[i]) + " " + name(static_cast<ClashClass>(i)) + ", ";
  return text + std::to_string(clashes.clear) + " clear" + (clashes.finished ? "" : ", not finished");
}

void bind_parts(py::module_& m) {
  py::class_<Placed, std::shared_ptr<Placed>>(m, "PlacedPart",
                                              "A placed model with a name. Parts of one group move as one and are not\n"
                                              "tested against each other.")
      .def(py::init([](Name name, const StoredModel& model, const Pose& pose, Name group, bool moves) {
             return std::make_shared<Placed>(Placed{std::move(name.bytes), model, pose, std::move(group.bytes), moves});
           }),
           py::arg("name"), py::arg("model"), py::arg("pose") = py::none(), py::kw_only(), py::arg("group") = "",
           py::arg("moves") = true)
      .def_property_readonly("name", [](const Placed& self) { return Name{self.name}; })
      .def_readonly("model", &Placed::model)
      .def_readonly("pose", &Placed::pose, "(4, 4), takes the model's coordinates into the world.")
      .def_property_readonly(
          "group", [](const Placed& self) { return Name{self.group}; }, "Empty: none.")
      .def_readonly("moves", &Placed::moves)
      .def("__repr__", [](const Placed& self) {
        return "<tumble.PlacedPart " + repr_of(self.name) + ": " + std::to_string(self.model.model.triangles().size()) +
               " triangles>";
      });
  py::class_<PlacedParts, std::shared_ptr<PlacedParts>>(
      m, "Assembly",
      "Placed parts (in C++: Parts), from load_assembly or made of PlacedPart. It never changes.\n\n"
      "ignore: pairs of patterns; parts and groups that fit the one are not tested against those that fit the other.\n"
      "units: \"m\", \"cm\", \"mm\", \"um\", \"in\", \"ft\" or \"\".\n\n"
      ">>> cube = tumble.load(\"examples/cube.obj\")\n"
      ">>> shift = np.eye(4)\n>>> shift[0, 3] = 1.5\n"
      ">>> parts = [tumble.PlacedPart(\"left\", cube), tumble.PlacedPart(\"right\", cube, shift)]\n"
      ">>> tumble.clash(tumble.Assembly(parts)).names\n[('left', 'right')]")
      .def(py::init([](const std::vector<std::shared_ptr<Placed>>& parts, std::string units,
                       const std::vector<std::array<std::string, 2>>& ignore) {
             for (const auto& part : parts)
               if (!part) throw py::type_error("parts must be a list of tumble.PlacedPart");
             auto made = std::make_shared<PlacedParts>(PlacedParts{std::move(units), parts, ignore});
             check(made->get());
             return made;
           }),
           py::arg("parts"), py::kw_only(), py::arg("units") = "", py::arg("ignore") = py::tuple())
      .def_readonly("parts", &PlacedParts::parts)
      .def_readonly("units", &PlacedParts::units)
      .def_readonly("ignore", &PlacedParts::ignore)
      .def("__len__", [](const PlacedParts& self) { return self.parts.size(); })
      .def(
          "flatten",
          [](const PlacedParts& self) {
            return freely([&] { return std::make_shared<Mesh>(flatten(assembly_of(self))); });
          },
          "One mesh in world coordinates with one named range of triangles per part.")
      .def("__reduce__", &reduce)
      .def("__repr__", [](const PlacedParts& self) {
        return "<tumble.Assembly of " + std::to_string(self.parts.size()) + " parts" +
               (self.units.empty() ? "" : ", in " + self.units) + ">";
      });
  m.def(
      "load_assembly",
      [](const fs::path& file, const py::kwargs& options) {
        const TreeOptions tree = tree_options(options);
        return freely([&] { return load(file, tree); });
      },
      py::arg("file"),
      "Placed parts of a PARTS.json (docs/schemas), a glTF or a GLB; a mesh or a stored model is one part. Parts of "
      "one\n"
      "mesh share a model. Options for the trees are those of Model.\n\n"
      ">>> tumble.load_assembly(\"examples/cell.json\")\n<tumble.Assembly of 2 parts, in m>");
}

void bind_clashes(py::module_& m) {
  m.attr("clash_dtype") = clash_dtype();
  py::class_<FoundClashes>(m, "Clashes", "What clash() found.")
      .def_property_readonly(
          "pairs", [](const FoundClashes& self) { return rows_of(self.found.pairs); },
          "An array of clash_dtype, sorted by a, then b, without pairs that are clear: places of the parts, kind (a\n"
          "ClashClass), contacts, gap and depth (NaN if there is none), a point, and whether a part is not closed, so\n"
          "that it has no inside.")
      .def_property_readonly(
          "names",
          [](const FoundClashes& self) {
            std::vector<std::pair<Name, Name>> names;
            for (const Clash& c : self.found.pairs)
              names.emplace_back(Name{self.parts->parts[c.a]->name}, Name{self.parts->parts[c.b]->name});
            return names;
          },
          "The names of the parts of each pair.")
      .def_property_readonly(
          "clear", [](const FoundClashes& self) { return self.found.clear; }, "How many pairs are clear.")
      .def_property_readonly(
          "finished", [](const FoundClashes& self) { return self.found.finished; },
          "Otherwise progress() stopped it, and some pairs are neither listed nor counted.")
      .def_property_readonly("assembly", [](const FoundClashes& self) { return self.parts; })
      .def("__len__", [](const FoundClashes& self) { return self.found.pairs.size(); })
      .def("__repr__", [](const FoundClashes& self) { return "<tumble.Clashes: " + counts_text(self.found) + ">"; });

  const auto clearance = py::arg("clearance") = 0.0, tolerance = py::arg("tolerance") = 0.0;
  const auto between = py::arg("between") = py::none(), depth_time = py::arg("depth_time") = py::none();
  const auto ignore = py::arg("ignore") = py::tuple();
  const auto depth_node_pairs = py::arg("depth_node_pairs") = py::none();
  const auto depth_precision = py::arg("depth_precision") = 0.0;
  m.def(
      "clash", &clash, py::arg("assembly"), py::kw_only(), clearance, tolerance, between, ignore, depth_precision,
      depth_time, depth_node_pairs, py::arg("threads") = 0, py::arg("progress") = py::none(),
      "Tests every part against every other, but those of one group and those that the assembly ignores.\n\n"
      "clearance: parts at most this far apart are too close; tolerance: an overlap up to this depth counts as\n"
      "touching; between: two patterns, for pairs of a part that fits one and a part that fits the other; ignore: "
      "pairs\n"
      "of lists of parts, by their place in the assembly: those of the one are not tested against those of the other.\n"
      "The search for an overlap depth ends at depth_precision (0: a thousandth of the smaller part), or at a budget\n"
      "of depth_time seconds or depth_node_pairs. progress is called with (done, of); returning False stops it.\n\n"
      ">>> found = tumble.clash(tumble.load_assembly(\"examples/cell.json\"), clearance=1)\n"
      ">>> found\n<tumble.Clashes: 1 too close, 0 clear>\n"
      ">>> tumble.ClashClass(found.pairs[\"kind\"][0]).name\n'too_close'");
  m.def("_clash_candidates", &candidates, py::arg("assembly"), clearance, tolerance, between, ignore);
  m.def("_clash_of", &clash_of, py::arg("assembly"), py::arg("pairs"), clearance, tolerance, between, ignore,
        depth_precision, depth_time, depth_node_pairs);
  m.def(
      "_clashes",
      [](const std::shared_ptr<PlacedParts>& parts, const py::array& rows, std::size_t clear) {
        return FoundClashes{parts, {clashes_from(rows), clear, true}};
      },
      py::arg("assembly"), py::arg("rows"), py::arg("clear"));
}

}  // namespace

Parts PlacedParts::get() const {
  Parts all{units, {}, ignore};
  for (const auto& part : parts)
    all.parts.push_back({part->name, part->model.model, part->pose, part->group, part->moves});
  return all;
}

Assembly assembly_of(const PlacedParts& parts) {
  Assembly assembly;
  std::map<const Triangle*, std::size_t> index;
  for (const auto& part : parts.parts) {
    const auto [at, is_new] = index.try_emplace(part->model.model.triangles().data(), index.size());
    if (is_new) assembly.meshes.push_back(mesh_of(part->model.model));
    assembly.instances.push_back({part->name, static_cast<std::uint32_t>(at->second), part->pose});
  }
  return assembly;
}

void bind_assembly(py::module_& m) {
  bind_parts(m);
  bind_clashes(m);
}

}  // namespace tumble::python
