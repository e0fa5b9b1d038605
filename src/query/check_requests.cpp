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

void refuse_unless_distance(const char* what, double value) {
  refuse_unless(value >= 0 && value <= max_coordinate, what, value, "at least 0 and at most 1e100");
}

void refuse_unless_bound(double upper_bound) {
  refuse_unless(upper_bound >= 0, "upper_bound", upper_bound, "at least 0; infinity for none");
}

void refuse_unless_errors(double rel_error, double abs_error, double upper_bound) {
  const auto is_error = [](double value) { return value >= 0 && std::isfinite(value); };
  refuse_unless(is_error(rel_error), "rel_error", rel_error, "at least 0 and finite");
  refuse_unless(is_error(abs_error), "abs_error", abs_error, "at least 0 and finite");
  refuse_unless_bound(upper_bound);
}

}  // namespace

void check(const DistanceRequest& r) { refuse_unless_errors(r.rel_error, r.abs_error, r.upper_bound); }
void check(const ClosestPairsRequest& r) { refuse_unless_errors(r.rel_error, r.abs_error, r.upper_bound); }
void check(const ClosingPairsRequest& r) { refuse_unless_errors(r.rel_error, r.abs_error, r.upper_bound); }
void check(const WithinRequest& r) { refuse_unless_distance("the distance", r.distance); }
void check(const ClosestPointRequest& r) { refuse_unless_bound(r.upper_bound); }
void check(const PenetrationRequest& r) { refuse_unless_distance("the precision", r.precision); }
void check(const OverlapDepthRequest& r) { refuse_unless_distance("the precision", r.precision); }

}  // namespace tumble
