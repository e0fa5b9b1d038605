// SPDX-License-Identifier: Apache-2.0
// Answers: lists as structured arrays, single answers as small objects, enumerators as Python's own.
#pragma once

#include "arrays.h"

#include <tumble/budget.h>
#include <tumble/contact.h>
#include <tumble/distance.h>
#include <tumble/point.h>
#include <tumble/robot.h>
#include <tumble/solid.h>
#include <tumble/world.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tumble::python {

/// A closest point or a hit of a batch, where one may be missing.
struct MaybeClosestPoint {
  bool found;
  ClosestPoint closest;
};
struct MaybeHit {
  bool found;
  Hit hit;
};

/// The dtypes of the lists that questions return, laid out as the structs are.
struct Records {
  py::dtype contact, near_pair, distance, closest_point, signed_distance, hit, maybe_hit;
  py::dtype world_contact, world_near_pair, world_distance;
};
/// Made by the first call, and never destroyed: arrays may outlive the module.
const Records& records();

/// The numbers of enumerators, as the IntEnum of that name.
py::object enumerator(const char* type, int value);

/// (N, 2) ids.
py::array ids_of(const std::vector<BodyPair>& pairs);
/// (N,) ids.
py::array ids_of(const std::vector<BodyId>& ids);

/// "(1, 2, 3)" for reprs.
std::string text(const Vec3& vector);
std::string text(double number);
std::string text(bool value);

}  // namespace tumble::python

namespace pybind11::detail {

#define TUMBLE_PYTHON_ENUM(Type)                                                   \
  template <>                                                                      \
  struct type_caster<tumble::Type> {                                               \
    PYBIND11_TYPE_CASTER(tumble::Type, const_name(#Type));                         \
    bool load(handle, bool) { return false; }                                      \
    static handle cast(tumble::Type value, return_value_policy, handle) {          \
      return tumble::python::enumerator(#Type, static_cast<int>(value)).release(); \
    }                                                                              \
  }
TUMBLE_PYTHON_ENUM(ContactKind);
TUMBLE_PYTHON_ENUM(Side);
TUMBLE_PYTHON_ENUM(Verdict);
TUMBLE_PYTHON_ENUM(JointType);
#undef TUMBLE_PYTHON_ENUM

}  // namespace pybind11::detail
