// SPDX-License-Identifier: Apache-2.0
// Meshes, models and assemblies: from arrays and files, to arrays and files, and through pickle.
#include "answers.h"
#include "assembly.h"
#include "bind.h"

#include <tumble/io.h>
#include <tumble/mass.h>

#include <cstring>
#include <fstream>
#include <memory>

namespace tumble::python {
namespace {

namespace fs = std::filesystem;

py::array vertices_of(std::span<const Vec3> vertices, py::handle owner) {
  return view_of(py::dtype::of<double>(), {static_cast<py::ssize_t>(vertices.size()), 3}, vertices.data(), owner);
}

py::array triangles_of(std::span<const Triangle> triangles, py::handle owner) {
  return view_of(py::dtype::of<std::uint32_t>(), {static_cast<py::ssize_t>(triangles.size()), 3}, triangles.data(),
                 owner);
}

template <class Parts>
std::vector<Part> parts_of(const Parts& parts) {
  return {parts.begin(), parts.end()};
}

/// The checksum in the header of a stored model (docs/formats/tmbl.md).
std::uint64_t checksum_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::uint64_t checksum = 0;
  in.seekg(24);
  in.read(reinterpret_cast<char*>(&checksum), sizeof checksum);
  if (!in) throw Error(ErrorCode::file_access, "cannot be read", {.file = file.string()});
  return checksum;
}

StoredModel open_again(const fs::path& file, std::uint64_t checksum) {
  StoredModel model = freely([&] { return open_stored(file); });
  if (model.checksum != checksum)
    throw Error(ErrorCode::file_format, "is not the stored model that was pickled; it has another checksum",
                {.file = file.string()});
  return model;
}

std::string repr(const StoredModel& self) {
  const TreeStatistics tree = statistics(self.model);
  const std::string bound = tree.k == 0 ? "obb" : std::to_string(tree.k) + "-dop";
  return "<tumble.Model: " + std::to_string(self.model.triangles().size()) + " triangles, " + bound + " tree" +
         (self.file.empty() ? "" : ", from " + repr_of(self.file)) + ">";
}

void save_any(py::handle what, const fs::path& file) {
  if (py::isinstance<PlacedParts>(what)) {
    const auto& parts = what.cast<const PlacedParts&>();
    freely([&] { save_assembly(assembly_of(parts), file); });
  } else if (py::isinstance<StoredModel>(what)) {
    const auto& stored = what.cast<const StoredModel&>();
    freely([&] { is_stored(file) ? save(stored.model, file) : save_mesh(mesh_of(stored.model), file); });
  } else {
    const Mesh mesh = mesh_from(what);
    freely([&] { is_stored(file) ? save(Model(mesh), file) : save_mesh(mesh, file); });
  }
}

void bind_mesh_class(py::module_& m) {
  py::class_<Part>(m, "Part", "A named range of a mesh's triangles.")
      .def(py::init([](Name name, Whole<std::uint32_t, "first_triangle"> first,
                       Whole<std::uint32_t, "triangle_count"> count) {
             return Part{std::move(name.bytes), first, count};
           }),
           py::arg("name"), py::arg("first_triangle"), py::arg("triangle_count"))
      .def_property_readonly("name", [](const Part& self) { return Name{self.name}; })
      .def_readonly("first_triangle", &Part::first_triangle)
      .def_readonly("triangle_count", &Part::triangle_count)
      .def(
          "__eq__", [](const Part& self, const Part& other) { return self == other; }, py::is_operator())
      .def("__reduce__",
           [](py::object self) {
             return py::make_tuple(py::type::of(self), py::make_tuple(self.attr("name"), self.attr("first_triangle"),
                                                                      self.attr("triangle_count")));
           })
      .def("__repr__", [](const Part& self) {
        return "Part(" + repr_of(self.name) + ", " + std::to_string(self.first_triangle) + ", " +
               std::to_string(self.triangle_count) + ")";
      });

  py::class_<Mesh, std::shared_ptr<Mesh>>(
      m, "Mesh",
      "A triangle soup with named parts. It never changes; its arrays are views.\n\n"
      "vertices: (N, 3) real numbers; triangles: (M, 3) integers, counter-clockwise seen from the front.\n\n"
      ">>> mesh = tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])\n"
      ">>> mesh\n<tumble.Mesh: 3 vertices, 1 triangles>\n>>> mesh.vertices.shape\n(3, 3)")
      .def(py::init([](py::handle vertices, py::handle triangles, const std::vector<Part>& parts) {
             Mesh mesh = mesh_from(py::make_tuple(vertices, triangles));
             mesh.parts = parts;
             check(mesh);
             return std::make_shared<Mesh>(std::move(mesh));
           }),
           py::arg("vertices"), py::arg("triangles"), py::arg("parts") = py::tuple())
      .def_static(
          "of", [](py::handle source) { return std::make_shared<Mesh>(mesh_from(source)); }, py::arg("source"),
          "The mesh of anything that holds one: vertices and faces, vertices and triangles, or points and "
          "cells_dict.")
      .def_property_readonly(
          "vertices", [](py::object self) { return vertices_of(self.cast<const Mesh&>().vertices, self); },
          "(N, 3) float64, a view that cannot be written to.")
      .def_property_readonly(
          "triangles", [](py::object self) { return triangles_of(self.cast<const Mesh&>().triangles, self); },
          "(M, 3) uint32, a view that cannot be written to.")
      .def_property_readonly(
          "faces", [](py::object self) { return triangles_of(self.cast<const Mesh&>().triangles, self); },
          "The triangles, by the name that others use.")
      .def_property_readonly(
          "parts", [](const Mesh& self) { return self.parts; }, "Named ranges of triangles.")
      .def(
          "__eq__", [](const Mesh& self, const Mesh& other) { return self == other; }, py::is_operator())
      .def("__reduce__",
           [](py::object self) {
             return py::make_tuple(py::type::of(self),
                                   py::make_tuple(self.attr("vertices"), self.attr("triangles"), self.attr("parts")));
           })
      .def("__repr__", [](const Mesh& self) {
        return "<tumble.Mesh: " + std::to_string(self.vertices.size()) + " vertices, " +
               std::to_string(self.triangles.size()) + " triangles" +
               (self.parts.empty() ? "" : ", " + std::to_string(self.parts.size()) + " parts") + ">";
      });

  py::class_<MeshSummary>(m, "MeshSummary", "Facts about a mesh's faces and edges.")
      .def_readonly("degenerate_faces", &MeshSummary::degenerate_faces, "Faces of exactly zero area.")
      .def_readonly("points", &MeshSummary::points, "Distinct positions of vertices.")
      .def_readonly("edges", &MeshSummary::edges, "Edges after welding.")
      .def_readonly("open_edges", &MeshSummary::open_edges, "Not used as often in one direction as in the other.")
      .def_readonly("non_manifold_edges", &MeshSummary::non_manifold_edges, "Used by more than two faces.")
      .def_readonly("shells", &MeshSummary::shells, "Sets of faces connected through vertices.")
      .def_readonly("closed", &MeshSummary::closed, "No open edge, and at least one face with area.")
      .def("__repr__", [](const MeshSummary& self) {
        return "MeshSummary(closed=" + text(self.closed) + ", shells=" + std::to_string(self.shells) +
               ", open_edges=" + std::to_string(self.open_edges) +
               ", degenerate_faces=" + std::to_string(self.degenerate_faces) + ")";
      });
  m.def(
      "summarize", [](py::handle mesh) { return summarize(mesh_from(mesh)); }, py::arg("mesh"),
      "Facts about a mesh's faces and edges.\n\n"
      ">>> tumble.summarize(tumble.load_mesh(\"examples/cube.obj\")).closed\nTrue");

  py::class_<MassProperties>(m, "MassProperties", "Volume, centre and inertia of a body of density 1.")
      .def_readonly("volume", &MassProperties::volume)
      .def_readonly("centre", &MassProperties::centre)
      .def_property_readonly(
          "inertia",
          [](const MassProperties& self) {
            py::array_t<double> inertia({3, 3});
            for (int i = 0; i < 3; ++i)
              for (int j = 0; j < 3; ++j) inertia.mutable_at(i, j) = self.inertia[static_cast<std::size_t>(i)][j];
            return inertia;
          },
          "(3, 3), about the centre.")
      .def_readonly("inside_out", &MassProperties::inside_out, "The fronts of the triangles look inward.")
      .def("__repr__", [](const MassProperties& self) {
        return "MassProperties(volume=" + text(self.volume) + ", centre=" + text(self.centre) + ")";
      });
  m.def(
      "mass_properties", [](py::handle mesh) { return mass_properties(mesh_from(mesh)); }, py::arg("mesh"),
      "Volume, centre and inertia of the solid that a closed mesh encloses.\n\n"
      ">>> tumble.mass_properties(tumble.load_mesh(\"examples/cube.obj\")).volume\n8.0");
}

void bind_model_class(py::module_& m) {
  py::class_<StoredModel>(
      m, "Model",
      "A mesh with its tree, ready to be asked questions. It never changes; threads may share it.\n\n"
      "mesh: a tumble.Mesh, a tuple (vertices, faces), or anything with vertices and faces (trimesh), vertices and\n"
      "triangles (Open3D), or points and cells_dict (meshio). Options are those of TreeOptions: bound, k, split, "
      "pivot,\n"
      "axes, build, leaf_size, arity, threads; k asks for a dop tree. It pickles as its stored form, or as path and\n"
      "checksum if it was opened from a stored file.\n\n"
      ">>> model = tumble.Model(tumble.load_mesh(\"examples/cube.obj\"), bound=\"dop\", k=18)\n"
      ">>> model\n<tumble.Model: 12 triangles, 18-dop tree>")
      .def(py::init([](py::handle mesh, const py::kwargs& options) {
             const TreeOptions tree = tree_options(options);
             Mesh read = mesh_from(mesh);
             return freely([&] { return StoredModel{Model(std::move(read), tree)}; });
           }),
           py::arg("mesh"))
      .def_property_readonly(
          "vertices",
          [](py::object self) { return vertices_of(self.cast<const StoredModel&>().model.vertices(), self); },
          "(N, 3) float64, a view; vertices at equal positions may have been merged.")
      .def_property_readonly(
          "triangles",
          [](py::object self) { return triangles_of(self.cast<const StoredModel&>().model.triangles(), self); },
          "(M, 3) uint32, a view, in the order they were given.")
      .def_property_readonly(
          "faces",
          [](py::object self) { return triangles_of(self.cast<const StoredModel&>().model.triangles(), self); },
          "The triangles, by the name that others use.")
      .def_property_readonly(
          "parts", [](const StoredModel& self) { return parts_of(self.model.parts()); }, "Named ranges of triangles.")
      .def_property_readonly(
          "bytes", [](const StoredModel& self) { return self.model.bytes(); }, "What mesh and tree occupy.")
      .def_property_readonly(
          "file",
          [](const StoredModel& self) -> py::object {
            if (self.file.empty()) return py::none();
            return str_of(fs::path(self.file));
          },
          "The stored file it was opened from, or None.")
      .def("__reduce__",
           [](const StoredModel& self) {
             const py::module_ here = py::module_::import("tumble._pickle");
             if (!self.file.empty())
               return py::make_tuple(here.attr("open_stored"), py::make_tuple(fs::path(self.file), self.checksum));
             const std::vector<std::byte> stored = freely([&] { return write_model(self.model); });
             const py::bytes bytes(reinterpret_cast<const char*>(stored.data()), stored.size());
             return py::make_tuple(here.attr("read_stored"), py::make_tuple(bytes));
           })
      .def("__copy__", [](const StoredModel& self) { return self; })
      .def(
          "__deepcopy__", [](const StoredModel& self, py::handle) { return self; }, py::arg("memo"))
      .def("__repr__", &repr);
  m.def("_open_stored", &open_again, py::arg("file"), py::arg("checksum"));
  m.def(
      "_read_stored",
      [](const py::bytes& bytes) {
        const std::string_view text = bytes;
        return freely([&] { return StoredModel{read_model(std::as_bytes(std::span(text)), "pickle")}; });
      },
      py::arg("bytes"));

  py::class_<TreeStatistics>(m, "TreeStatistics", "The size and shape of a tree.")
      .def_property_readonly(
          "bound", [](const TreeStatistics& self) { return name(self.bound); }, "obb or dop.")
      .def_readonly("k", &TreeStatistics::k, "0 for boxes.")
      .def_readonly("arity", &TreeStatistics::arity, "Children per node.")
      .def_readonly("triangles", &TreeStatistics::triangles)
      .def_readonly("nodes", &TreeStatistics::nodes)
      .def_readonly("leaves", &TreeStatistics::leaves)
      .def_readonly("tree_bytes", &TreeStatistics::tree_bytes)
      .def_readonly("model_bytes", &TreeStatistics::model_bytes)
      .def_readonly("leaves_at_depth", &TreeStatistics::leaves_at_depth, "The root's children are at depth 1.")
      .def("__repr__", [](const TreeStatistics& self) {
        return "TreeStatistics(bound=" + std::string(name(self.bound)) + ", nodes=" + std::to_string(self.nodes) +
               ", leaves=" + std::to_string(self.leaves) + ")";
      });
  m.def(
      "statistics", [](const StoredModel& model) { return statistics(model.model); }, py::arg("model"),
      "The size and shape of a model's tree.\n\n"
      ">>> tumble.statistics(tumble.load(\"examples/cube.obj\")).triangles\n12");
  m.def(
      "validate", [](const StoredModel& model) { return freely([&] { return validate(model.model); }); },
      py::arg("model"),
      "What is wrong with a model's tree: an empty string.\n\n"
      ">>> tumble.validate(tumble.load(\"examples/cube.obj\"))\n''");
  m.def(
      "bounds_at_depth",
      [](const StoredModel& model, Whole<int, "depth"> depth) {
        return std::make_shared<Mesh>(bounds_at_depth(model.model, depth));
      },
      py::arg("model"), py::arg("depth"),
      "The bounding volumes at one depth of the tree as a mesh with one part each.\n\n"
      ">>> len(tumble.bounds_at_depth(tumble.load(\"examples/cube.obj\"), 0).parts)\n1");
}

void bind_files(py::module_& m) {
  m.def(
      "load_mesh", [](const fs::path& file) { return freely([&] { return std::make_shared<Mesh>(load_mesh(file)); }); },
      py::arg("file"),
      "Reads STL, OBJ, PLY, OFF, glTF or GLB.\n\n"
      ">>> tumble.load_mesh(\"examples/cube.obj\")\n<tumble.Mesh: 8 vertices, 12 triangles>");
  m.def(
      "load",
      [](const fs::path& file, const py::kwargs& options) {
        const TreeOptions tree = tree_options(options);
        if (is_stored(file) && py::len(options) != 0)
          throw Error(ErrorCode::invalid_argument, "a stored model has its tree; options cannot change it",
                      {.file = file.string()});
        return freely([&] { return is_stored(file) ? open_stored(file) : StoredModel{Model(load_mesh(file), tree)}; });
      },
      py::arg("file"),
      "A model from a mesh file, or from a model stored by save() or `tumble build` (.tmbl), which is mapped.\n"
      "Options for the tree are those of Model.\n\n"
      ">>> tumble.load(\"examples/cube.obj\")\n<tumble.Model: 12 triangles, obb tree>");
  m.def("save", &save_any, py::arg("what"), py::arg("file"),
        "Writes a model with its tree (.tmbl), a mesh (OBJ, PLY, STL or GLB, by extension), or an assembly (GLB).\n"
        "The file appears whole or not at all.\n\n"
        ">>> import tempfile, os\n"
        ">>> with tempfile.TemporaryDirectory() as folder:\n"
        "...     file = os.path.join(folder, \"cube.tmbl\")\n"
        "...     tumble.save(tumble.load(\"examples/cube.obj\"), file)\n"
        "...     len(tumble.load(file).triangles)\n12");
}

}  // namespace

bool is_stored(const fs::path& file) {
  std::string extension = file.extension().string();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return extension == ".tmbl";
}

StoredModel open_stored(const fs::path& file) {
  const fs::path whole = fs::absolute(file);
  Model model = load_model(file);
  return {std::move(model), whole.string(), checksum_of(whole)};
}

Mesh mesh_of(const Model& model) {
  Mesh mesh;
  mesh.vertices.assign(model.vertices().begin(), model.vertices().end());
  mesh.triangles.assign(model.triangles().begin(), model.triangles().end());
  mesh.parts = parts_of(model.parts());
  return mesh;
}

TreeOptions tree_options(const py::kwargs& options) {
  TreeOptions tree;
  for (const auto& [key, value] : options) {
    const std::string option = py::str(key);
    const auto number = [&value = value, &option] { return int_from(value, option.c_str()); };
    const auto word = [&value = value, &option] {
      if (!py::isinstance<py::str>(value)) throw py::type_error(option + " must be a string");
      return value.cast<std::string>();
    };
    if (option == "bound")
      tree.bound = named<Bound>("bound", word(), 3);
    else if (option == "k")
      tree.k = number();
    else if (option == "split")
      tree.split = named<Split>("split", word(), 6);
    else if (option == "pivot")
      tree.pivot = named<Pivot>("pivot", word(), 5);
    else if (option == "axes")
      tree.axes = named<Axes>("axes", word(), 3);
    else if (option == "build")
      tree.build = named<Build>("build", word(), 2);
    else if (option == "leaf_size")
      tree.leaf_size = number();
    else if (option == "arity")
      tree.arity = number();
    else if (option == "threads")
      tree.threads = number();
    else
      throw py::type_error("there is no option '" + option +
                           "'; a tree has bound, k, split, pivot, axes, build, leaf_size, arity and threads");
  }
  if (options.contains("k")) {  // as for the command line
    if (tree.bound == Bound::obb)
      throw Error(ErrorCode::invalid_argument, "k is for dop trees, and obb was asked for; bound=\"dop\" changes that");
    tree.bound = Bound::dop;
  }
  check(tree);
  return tree;
}

void bind_mesh(py::module_& m) {
  bind_mesh_class(m);
  bind_model_class(m);
  bind_files(m);
}

}  // namespace tumble::python
