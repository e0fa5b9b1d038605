// SPDX-License-Identifier: Apache-2.0
// Whole numbers, names and files, from Python's integers and strings, and back.
#include "scalars.h"

#include <tumble/error.h>

#include <utility>

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

py::object index_of(py::handle source, const char* what) {
  if (PyIndex_Check(source.ptr()) == 0)
    throw py::type_error(std::string(what) + " must be an integer, not " + type_name(source));
  return made(PyNumber_Index(source.ptr()));
}

[[noreturn]] void refuse(const char* what, py::handle number, std::uint64_t most) {
  PyErr_Clear();
  throw Error(ErrorCode::invalid_argument, std::string(what) + " is " + std::string(py::str(number)) +
                                               "; it must be a whole number from 0 to " + std::to_string(most));
}

}  // namespace

int int_from(py::handle source, const char* what) {
  const py::object index = index_of(source, what);
  const long number = PyLong_AsLong(index.ptr());
  constexpr int most = std::numeric_limits<int>::max();
  if (PyErr_Occurred() != nullptr || !std::in_range<int>(number)) refuse(what, index, most);
  return static_cast<int>(number);
}

std::uint64_t whole_from(py::handle source, const char* what, std::uint64_t most) {
  const py::object index = index_of(source, what);
  const std::uint64_t number = PyLong_AsUnsignedLongLong(index.ptr());
  if (PyErr_Occurred() != nullptr || number > most) refuse(what, index, most);
  return number;
}

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
