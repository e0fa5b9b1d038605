// SPDX-License-Identifier: Apache-2.0
// Arrays: how NumPy's arrays become poses, points and meshes, and how answers become arrays.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <tumble/mesh.h>
#include <tumble/pose.h>
#include <tumble/vec.h>

#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace tumble::python {

namespace py = pybind11;

using Doubles = py::array_t<double, py::array::c_style>;

// What is read is copied while the interpreter's lock is held: nobody can change or free it under a question. What is
// not an array of numbers throws TypeError; a wrong shape or value throws Error.

/// Contiguous, aligned, in this machine's byte order: a copy only where the array is not so already.
Doubles doubles_from(py::handle source, const char* what);
/// None (the identity), a 4x4 or a 3x4 array. A contiguous one of float64 takes the quick way.
Pose pose_from(py::handle source);
/// N x 4 x 4 or N x 3 x 4.
std::vector<Pose> poses_from(py::handle source);
/// Three numbers; `what` names them in errors.
Vec3 vec_from(py::handle source, const char* what = "a vector");
/// N x 3.
std::vector<Vec3> vecs_from(py::handle source, const char* what);
/// A Mesh, a pair (vertices, faces), or anything with the attributes of a mesh; checked.
Mesh mesh_from(py::handle source);

py::array array_of(const Vec3& vector);
py::array matrix_of(const Pose& pose);
/// An array that only looks: `owner` keeps its memory.
py::array view_of(const py::dtype& type, std::vector<py::ssize_t> shape, const void* data, py::handle owner);

/// One field of a structured dtype.
struct Field {
  const char* name;
  const char* format;
  std::size_t offset;
};
py::dtype record(std::initializer_list<std::vector<Field>> fields, std::size_t bytes);

/// The array takes the list over; nothing is copied.
template <class T>
py::array adopt(std::vector<T> values, const py::dtype& type) {
  auto* const kept = new std::vector<T>(std::move(values));
  const py::capsule owner(kept, [](void* list) { delete static_cast<std::vector<T>*>(list); });
  return py::array(type, {kept->size()}, {sizeof(T)}, kept->data(), owner);
}

}  // namespace tumble::python

namespace pybind11::detail {

template <>
struct type_caster<tumble::Pose> {
  PYBIND11_TYPE_CASTER(tumble::Pose, const_name("Pose"));
  bool load(handle source, bool) {
    value = tumble::python::pose_from(source);
    return true;
  }
  static handle cast(const tumble::Pose& pose, return_value_policy, handle) {
    return tumble::python::matrix_of(pose).release();
  }
};

template <>
struct type_caster<tumble::Vec3> {
  PYBIND11_TYPE_CASTER(tumble::Vec3, const_name("Vec3"));
  bool load(handle source, bool) {
    value = tumble::python::vec_from(source);
    return true;
  }
  static handle cast(const tumble::Vec3& vector, return_value_policy, handle) {
    return tumble::python::array_of(vector).release();
  }
};

}  // namespace pybind11::detail
