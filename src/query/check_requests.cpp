// SPDX-License-Identifier: Apache-2.0
// What requests may hold.
#include "query/check_requests.h"

#include <tumble/error.h>
#include <tumble/mesh.h>

#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace tumble {
namespace {

/// As few digits as tell it from every other number.
std::string shortest(double value) {
  std::array<char, 32> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

void refuse_unless(bool holds, const char* what, double value, const char* allowed) {
  if (!holds)
    throw Error(ErrorCode::invalid_argument, std::string(what) + " is " + shortest(value) + "; it must be " + allowed);
}

}  // namespace

void check_distance(double distance) {
  refuse_unless(distance >= 0 && distance <= max_coordinate, "the distance", distance, "at least 0 and at most 1e100");
}

void check(const DistanceRequest& request) {
  const auto is_error = [](double value) { return value >= 0 && std::isfinite(value); };
  refuse_unless(is_error(request.rel_error), "rel_error", request.rel_error, "at least 0 and finite");
  refuse_unless(is_error(request.abs_error), "abs_error", request.abs_error, "at least 0 and finite");
  refuse_unless(request.upper_bound >= 0, "upper_bound", request.upper_bound, "at least 0; infinity for none");
}

void check(const PenetrationRequest& request) {
  refuse_unless(request.tolerance >= 0 && request.tolerance <= max_coordinate, "the tolerance", request.tolerance,
                "at least 0 and at most 1e100");
}

void refuse_solids(const DistanceRequest& request, const char* query) {
  if (request.solid)
    throw Error(ErrorCode::invalid_argument,
                std::string(query) + " lists pairs of triangles and knows no solids; ask distance() for them");
}

}  // namespace tumble
