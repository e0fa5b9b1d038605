// SPDX-License-Identifier: Apache-2.0
// Names and files, from Python's strings and back.
#include "scalars.h"

namespace tumble::python {
namespace {

/// An object that a call of Python's has made; throws what the call has raised if it made none.
py::object made(PyObject* object) {
  if (object == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(object);
}

std::string type_name(py::handle source) { return py::str(py::type::of(source).attr("__name__")); }

std::string bytes_of(py::handle bytes) {
  return {PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

}  // namespace

py::str str_of(std::string_view name) {
  return made(PyUnicode_DecodeUTF8(name.data(), static_cast<py::ssize_t>(name.size()), "surrogateescape"));
}

Name name_from(py::handle source) {
  if (PyBytes_Check(source.ptr())) return {bytes_of(source)};
  if (!PyUnicode_Check(source.ptr())) throw py::type_error("a name is a string, not " + type_name(source));
  return {bytes_of(made(PyUnicode_AsEncodedString(source.ptr(), "utf-8", "surrogateescape")))};
}

std::string repr_of(std::string_view name) { return py::str(made(PyObject_Repr(str_of(name).ptr()))); }

py::str str_of(const std::filesystem::path& file) {
  const std::string& bytes = file.native();
  return made(PyUnicode_DecodeFSDefaultAndSize(bytes.data(), static_cast<py::ssize_t>(bytes.size())));
}

std::filesystem::path file_from(py::handle source) {
  PyObject* bytes = nullptr;
  if (PyUnicode_FSConverter(source.ptr(), &bytes) == 0) throw py::error_already_set();
  return bytes_of(made(bytes));
}

}  // namespace tumble::python
