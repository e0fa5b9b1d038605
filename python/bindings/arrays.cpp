// SPDX-License-Identifier: Apache-2.0
// Arrays: reading poses, points and meshes from NumPy's arrays and what resembles them.
#include "arrays.h"

#include <tumble/error.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>

namespace tumble::python {
namespace {

std::string shape_of(const py::array& array) { return py::str(array.attr("shape")); }

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::invalid_argument, what); }

/// An array of some kind, from an array, a list, or anything that NumPy makes one from.
py::array array_from(py::handle source, const char* what, const char* kinds, const char* wanted) {
  py::array array;
  try {
    array = py::module_::import("numpy").attr("asarray")(source);
  } catch (const py::error_already_set& error) {
    const bool is_list = py::isinstance<py::list>(source) || py::isinstance<py::tuple>(source);
    if (!is_list || !error.matches(PyExc_ValueError)) throw;
    refuse(std::string(what) + " must be an array of " + wanted +
           "; NumPy says: " + std::string(py::str(error.value())));
  }
  if (std::strchr(kinds, array.dtype().kind()) == nullptr)
    throw py::type_error(std::string(what) + " must be an array of " + wanted + ", not of " +
                         std::string(py::str(array.dtype())));
  return array;
}

std::vector<Vec3> rows_of(const Doubles& array) {
  std::vector<Vec3> rows(static_cast<std::size_t>(array.shape(0)));
  const double* number = array.data();
  for (Vec3& row : rows) {
    row = {number[0], number[1], number[2]};
    number += 3;
  }
  return rows;
}

/// A pose of `rows` rows at `numbers`.
Pose pose_at(const double* numbers, py::ssize_t rows) {
  return rows == 4 ? Pose::from_matrix(std::span<const double, 16>(numbers, 16))
                   : Pose::from_rows(std::span<const double, 12>(numbers, 12));
}

bool is_pose_shape(py::ssize_t rows, py::ssize_t columns) { return columns == 4 && (rows == 3 || rows == 4); }

/// The numbers of a contiguous array of float64, found without a call to NumPy; null if it is anything else.
const double* plain_numbers(py::handle source, int dimensions) {
  using py::detail::npy_api;
  static const npy_api& numpy = npy_api::get();
  if (Py_TYPE(source.ptr()) != numpy.PyArray_Type_) return nullptr;
  const auto* const array = py::detail::array_proxy(source.ptr());
  constexpr int plain = npy_api::NPY_ARRAY_C_CONTIGUOUS_ | npy_api::NPY_ARRAY_ALIGNED_;
  if (array->nd != dimensions || (array->flags & plain) != plain) return nullptr;
  const auto* const type = py::detail::array_descriptor_proxy(array->descr);
  if (type->type_num != npy_api::NPY_DOUBLE_ || type->byteorder != '=') return nullptr;
  return reinterpret_cast<const double*>(array->data);
}

std::vector<Triangle> triangles_from(py::handle source) {
  const py::array array = array_from(source, "faces", "iu", "integers");
  if (array.ndim() != 2 || array.shape(1) != 3)
    refuse("faces must have the shape (M, 3), not " + shape_of(array) + "; divide other polygons into triangles");
  std::vector<Triangle> triangles(static_cast<std::size_t>(array.shape(0)));
  const auto copy = [&](const auto& numbers) {
    const auto from = numbers.template unchecked<2>();
    for (py::ssize_t i = 0; i < array.shape(0); ++i)
      for (py::ssize_t j = 0; j < 3; ++j) {
        const auto index = from(i, j);
        if (!std::in_range<std::uint32_t>(index))
          refuse("faces[" + std::to_string(i) + "] has the index " + std::to_string(index) +
                 ", which is not a vertex's");
        triangles[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = static_cast<std::uint32_t>(index);
      }
  };
  if (array.dtype().kind() == 'u')
    copy(py::array_t<std::uint64_t, py::array::forcecast>(array));
  else
    copy(py::array_t<std::int64_t, py::array::forcecast>(array));
  return triangles;
}

Mesh checked_mesh(py::handle vertices, py::handle faces) {
  Mesh mesh;
  mesh.vertices = vecs_from(vertices, "vertices");
  mesh.triangles = triangles_from(faces);
  check(mesh);
  return mesh;
}

/// What hasattr would find, or nothing; what a property raises, other than AttributeError, is let through.
py::object attribute_of(py::handle source, const char* name) {
  PyObject* const found = PyObject_GetAttrString(source.ptr(), name);
  if (found == nullptr && !PyErr_ExceptionMatches(PyExc_AttributeError)) throw py::error_already_set();
  PyErr_Clear();
  return py::reinterpret_steal<py::object>(found);
}

}  // namespace

Doubles doubles_from(py::handle source, const char* what) {
  const py::array array = array_from(source, what, "fiu", "real numbers");
  return py::module_::import("numpy").attr("require")(array, "f8", "CA").cast<Doubles>();
}

Pose pose_from(py::handle source) {
  if (source.is_none()) return {};
  if (const double* const numbers = plain_numbers(source, 2)) {
    const py::ssize_t* const shape = py::detail::array_proxy(source.ptr())->dimensions;
    if (is_pose_shape(shape[0], shape[1])) return pose_at(numbers, shape[0]);
  }
  const Doubles array = doubles_from(source, "a pose");
  if (array.ndim() != 2 || !is_pose_shape(array.shape(0), array.shape(1)))
    refuse("a pose must have the shape (4, 4) or (3, 4), not " + shape_of(array));
  return pose_at(array.data(), array.shape(0));
}

std::vector<Pose> poses_from(py::handle source) {
  const Doubles array = doubles_from(source, "poses");
  if (array.ndim() != 3 || !is_pose_shape(array.shape(1), array.shape(2)))
    refuse("poses must have the shape (N, 4, 4) or (N, 3, 4), not " + shape_of(array));
  const py::ssize_t rows = array.shape(1);
  std::vector<Pose> poses;
  poses.reserve(static_cast<std::size_t>(array.shape(0)));
  for (py::ssize_t i = 0; i < array.shape(0); ++i) {
    try {
      poses.push_back(pose_at(array.data() + i * rows * 4, rows));
    } catch (const Error& error) {
      throw Error(error.code(), "poses[" + std::to_string(i) + "]: " + error.message());
    }
  }
  return poses;
}

Vec3 vec_from(py::handle source, const char* what) {
  if (const double* const numbers = plain_numbers(source, 1);
      numbers != nullptr && *py::detail::array_proxy(source.ptr())->dimensions == 3)
    return {numbers[0], numbers[1], numbers[2]};
  const Doubles array = doubles_from(source, what);
  if (array.ndim() != 1 || array.shape(0) != 3)
    refuse(std::string(what) + " must have three numbers, not the shape " + shape_of(array));
  return {array.at(0), array.at(1), array.at(2)};
}

std::vector<Vec3> vecs_from(py::handle source, const char* what) {
  const Doubles array = doubles_from(source, what);
  if (array.ndim() != 2 || array.shape(1) != 3)
    refuse(std::string(what) + " must have the shape (N, 3), not " + shape_of(array));
  return rows_of(array);
}

Mesh mesh_from(py::handle source) {
  if (py::isinstance<Mesh>(source)) return source.cast<const Mesh&>();
  if (py::isinstance<py::tuple>(source) && py::len(source) == 2) {
    const auto both = py::reinterpret_borrow<py::tuple>(source);
    return checked_mesh(both[0], both[1]);
  }
  if (const py::object vertices = attribute_of(source, "vertices"))
    for (const char* const name : {"faces", "triangles"})
      if (const py::object faces = attribute_of(source, name)) return checked_mesh(vertices, faces);
  if (const py::object points = attribute_of(source, "points"))
    if (const py::object cells = attribute_of(source, "cells_dict")) {
      if (cells.contains("triangle")) return checked_mesh(points, cells["triangle"]);
      refuse("the mesh has no cells of the type triangle");
    }
  throw py::type_error(
      "a mesh is a tumble.Mesh, a tuple (vertices, faces), or an object with the attributes vertices "
      "and faces, vertices and triangles, or points and cells_dict; not " +
      std::string(py::str(py::type::of(source).attr("__name__"))));
}

py::array array_of(const Vec3& vector) {
  py::array_t<double> array(3);
  for (int i = 0; i < 3; ++i) array.mutable_at(i) = vector[i];
  return array;
}

py::array matrix_of(const Pose& pose) {
  py::array_t<double> matrix({4, 4});
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) matrix.mutable_at(i, j) = pose.row(i)[j];
    matrix.mutable_at(i, 3) = pose.translation()[i];
    matrix.mutable_at(3, i) = 0;
  }
  matrix.mutable_at(3, 3) = 1;
  return matrix;
}

py::array view_of(const py::dtype& type, std::vector<py::ssize_t> shape, const void* data, py::handle owner) {
  py::array view(type, std::move(shape), data, owner);
  py::detail::array_proxy(view.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return view;
}

py::dtype record(std::initializer_list<std::vector<Field>> groups, std::size_t bytes) {
  py::list names, formats, offsets;
  for (const std::vector<Field>& fields : groups)
    for (const Field& field : fields) {
      names.append(field.name);
      formats.append(field.format);
      offsets.append(field.offset);
    }
  return py::dtype::from_args(py::dict(py::arg("names") = names, py::arg("formats") = formats,
                                       py::arg("offsets") = offsets, py::arg("itemsize") = bytes));
}

}  // namespace tumble::python
