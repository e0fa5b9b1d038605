// SPDX-License-Identifier: Apache-2.0
// The extension module: its exception, and the order in which the other files add to it.
#include "bind.h"

#include <tumble/version.h>

namespace tumble::python {
namespace {

const char* word(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument: return "invalid_argument";
    case ErrorCode::invalid_mesh: return "invalid_mesh";
    case ErrorCode::invalid_pose: return "invalid_pose";
    case ErrorCode::not_closed: return "not_closed";
    case ErrorCode::file_access: return "file_access";
    case ErrorCode::file_format: return "file_format";
    case ErrorCode::unsupported: return "unsupported";
  }
  return "unknown";
}

py::object place_or_none(std::int64_t place) {
  if (place == Place::unset) return py::none();
  return py::int_(place);
}

PyObject* error_type = nullptr;

void raise(const Error& error) {
  try {
    const py::object raised = py::reinterpret_borrow<py::object>(error_type)(str_of(std::string_view(error.what())));
    raised.attr("code") = word(error.code());
    const std::filesystem::path file = error.place().file;
    raised.attr("file") = file.empty() ? py::object(py::none()) : str_of(file);
    raised.attr("line") = place_or_none(error.place().line);
    raised.attr("byte") = place_or_none(error.place().byte);
    raised.attr("triangle") = place_or_none(error.place().triangle);
    raised.attr("vertex") = place_or_none(error.place().vertex);
    PyErr_SetObject(error_type, raised.ptr());
  } catch (py::error_already_set& worse) {
    worse.restore();
  }
}

/// Where pybind11 would give memory to an object that is used but was never made, with nothing in it.
void* refuse_unmade(std::size_t) { throw py::type_error("this object was never made: call its class, not __new__"); }

/// For classes that do not pickle. Python's own way, in old protocols, makes an object of pybind11's base class, which
/// ends the process.
[[noreturn]] void refuse_to_pickle(const py::object& self) {
  throw py::type_error("cannot pickle a " + std::string(py::str(py::type::of(self).attr("__name__"))));
}

/// What pybind11 leaves to chance, for all classes of the module.
void guard_classes(const py::module_& m) {
  for (const auto& [name, value] : m.attr("__dict__").cast<py::dict>()) {
    if (!PyType_Check(value.ptr())) continue;
    auto* const type = py::detail::get_type_info(reinterpret_cast<PyTypeObject*>(value.ptr()));
    if (type == nullptr) continue;
    type->operator_new = refuse_unmade;
    if (!value.attr("__dict__").contains("__reduce__"))
      value.attr("__reduce__") = py::cpp_function(&refuse_to_pickle, py::name("__reduce__"), py::is_method(value));
  }
}

}  // namespace
}  // namespace tumble::python

PYBIND11_MODULE(_tumble, m) {
  namespace py = pybind11;
  using namespace tumble::python;
  m.doc() = "The bindings of tumble; the package tumble has everything in it.";
  m.attr("__version__") = tumble::version();
  error_type = PyErr_NewExceptionWithDoc(
      "tumble.Error",
      "Bad data. The message says where and what to do; code is one of invalid_argument, invalid_mesh, invalid_pose,\n"
      "not_closed, file_access, file_format and unsupported; file, line, byte, triangle and vertex are the place or "
      "None.\n\n"
      ">>> try:\n...     tumble.load(\"missing.stl\")\n... except tumble.Error as error:\n...     print(error.code)\n"
      "file_access",
      PyExc_ValueError,
      py::dict(py::arg("code") = "invalid_argument", py::arg("file") = py::none(), py::arg("line") = py::none(),
               py::arg("byte") = py::none(), py::arg("triangle") = py::none(), py::arg("vertex") = py::none())
          .ptr());
  m.attr("Error") = py::reinterpret_borrow<py::object>(error_type);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const tumble::Error& error) {
      raise(error);
    }
  });
  bind_answers(m);
  bind_mesh(m);
  bind_pair(m);
  bind_points(m);
  bind_world(m);
  bind_convex(m);
  bind_motion(m);
  bind_assembly(m);
  bind_robot(m);
  bind_page(m);
  guard_classes(m);
}
