// SPDX-License-Identifier: Apache-2.0
// Names and files: how they come in and go out, with bytes that are no UTF-8 as os.fsdecode has them.
#pragma once

#include <pybind11/pybind11.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace tumble::python {

namespace py = pybind11;

/// A name from a file, which may have any bytes.
struct Name {
  std::string bytes;
};

/// Bytes that are no UTF-8 become lone surrogates, and bytes again in name_from.
py::str str_of(std::string_view name);
Name name_from(py::handle source);
/// As Python writes it in a program: quoted, in ASCII where it must be.
std::string repr_of(std::string_view name);

py::str str_of(const std::filesystem::path& file);
/// A str, bytes or os.PathLike; anything else throws TypeError.
std::filesystem::path file_from(py::handle source);

}  // namespace tumble::python

namespace pybind11::detail {

template <>
struct type_caster<tumble::python::Name> {
  PYBIND11_TYPE_CASTER(tumble::python::Name, const_name("str"));
  bool load(handle source, bool) {
    value = tumble::python::name_from(source);
    return true;
  }
  static handle cast(const tumble::python::Name& name, return_value_policy, handle) {
    return tumble::python::str_of(std::string_view(name.bytes)).release();
  }
};

// Instead of the one of pybind11/stl/filesystem.h, which says of a name that is none only that nothing fits.
template <>
struct type_caster<std::filesystem::path> {
  PYBIND11_TYPE_CASTER(std::filesystem::path, const_name("os.PathLike"));
  bool load(handle source, bool) {
    value = tumble::python::file_from(source);
    return true;
  }
  static handle cast(const std::filesystem::path& file, return_value_policy, handle) {
    return tumble::python::str_of(file).release();
  }
};

}  // namespace pybind11::detail
