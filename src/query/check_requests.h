// SPDX-License-Identifier: Apache-2.0
// Requests that make no sense are refused before anything is done: Error(invalid_argument).
#pragma once

#include <tumble/distance.h>
#include <tumble/solid.h>

namespace tumble {

void check_distance(double distance);
void check(const DistanceRequest& request);
void check(const PenetrationRequest& request);
/// Of a query that lists pairs of triangles.
void refuse_solids(const DistanceRequest& request, const char* query);

}  // namespace tumble
