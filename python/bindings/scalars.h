// SPDX-License-Identifier: Apache-2.0
// Whole numbers, names and files: how they come in and go out. What does not fit is refused in one line.
#pragma once

#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace tumble::python {

namespace py = pybind11;

/// An integer of any type that fits an int, or is from 0 to `most`. What is no integer throws TypeError, another value
/// Error; both name the argument.
int int_from(py::handle source, const char* what);
std::uint64_t whole_from(py::handle source, const char* what, std::uint64_t most);

/// The name of an argument as a part of its type.
template <std::size_t N>
struct ArgumentName {
  consteval ArgumentName(const char (&name)[N]) { std::copy_n(name, N, text); }
  char text[N] = {};
};

/// An argument that is a whole number.
template <class T, ArgumentName name>
struct Whole {
  T value{};
  operator T() const { return value; }
};

using Threads = Whole<int, "threads">;
using AtMost = std::optional<Whole<std::size_t, "at_most">>;
using NodePairs = std::optional<Whole<std::uint64_t, "node_pairs">>;
using Categories = Whole<std::uint32_t, "categories">;
using CaresAbout = Whole<std::uint32_t, "cares_about">;

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

template <class T, tumble::python::ArgumentName argument>
struct type_caster<tumble::python::Whole<T, argument>> {
  using Number = tumble::python::Whole<T, argument>;
  PYBIND11_TYPE_CASTER(Number, const_name("int"));
  bool load(handle source, bool) {
    if constexpr (std::is_signed_v<T>)
      value.value = tumble::python::int_from(source, argument.text);
    else
      value.value = static_cast<T>(tumble::python::whole_from(source, argument.text, std::numeric_limits<T>::max()));
    return true;
  }
};

template <>
struct type_caster<tumble::python::Name> {
  PYBIND11_TYPE_CASTER(tumble::python::Name, const_name("str"));
  bool load(handle source, bool) {
    value = tumble::python::name_from(source);
    return true;
  }
  static handle cast(const tumble::python::Name& text, return_value_policy, handle) {
    return tumble::python::str_of(std::string_view(text.bytes)).release();
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
