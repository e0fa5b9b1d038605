// SPDX-License-Identifier: Apache-2.0
// The referee for distances: every pair of features in exact integers, a hundred digits only for the last root.
#pragma once

#include "geometry/triangle.h"

#include <boost/multiprecision/cpp_bin_float.hpp>

namespace tumble::testing {

using Precise = boost::multiprecision::cpp_bin_float_100;

/// The distance of two triangles (or segments or points given as such) that do not meet.
Precise exact_distance(const Corners& a, const Corners& b);

/// From a point to a triangle, segment or point; zero if it lies on it.
Precise exact_distance(const Vec3& p, const Corners& t);

Precise exact_distance(const Vec3& p, const Vec3& q);

/// The largest coordinate of the pair, seen from the corner of it that is lexicographically smallest.
double recentred_size(const Corners& a, const Corners& b);

/// Half an ulp in each coordinate: what storing a point in doubles costs.
double rounding_of(const Vec3& p);

}  // namespace tumble::testing
