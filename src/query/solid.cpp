// SPDX-License-Identifier: Apache-2.0
// Points and solids.
#include <tumble/solid.h>

#include "core/plain_arithmetic.h"
#include "traverse/placed_tree.h"

#include <tumble/error.h>

#include <cmath>

namespace tumble {

const char* name(Side side) {
  switch (side) {
    case Side::outside: return "outside";
    case Side::on_surface: return "on_surface";
    case Side::inside: return "inside";
  }
  return "unknown";
}

Side locate(const Model& model, const Pose& pose, const Vec3& point) {
  const PlainArithmetic plain;
  for (int axis = 0; axis < 3; ++axis)
    if (!(std::abs(point[axis]) <= max_coordinate))  // false for NaN
      throw Error(ErrorCode::invalid_argument, "a point's coordinate is not finite or above 1e100 in magnitude");
  check_closed(model);
  const Location location = PlacedTree({data_of(model), pose}).locate(point);
  if (location.on_surface) return Side::on_surface;
  return location.winding == 0 ? Side::outside : Side::inside;
}

void check_closed(const Model& model) {
  const PlainArithmetic plain;
  const std::string& fault = data_of(model).solid_facts().fault;
  if (!fault.empty()) throw Error(ErrorCode::not_closed, fault);
}

}  // namespace tumble
