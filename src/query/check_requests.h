// SPDX-License-Identifier: Apache-2.0
// Requests that make no sense are refused before anything is done.
#pragma once

#include <tumble/point.h>
#include <tumble/requests.h>

namespace tumble {

/// Throws Error(invalid_argument), naming what is out of range and what is allowed.
void check(const DistanceRequest& request);
void check(const WithinRequest& request);
void check(const ClosestPairsRequest& request);
void check(const ClosingPairsRequest& request);
void check(const PenetrationRequest& request);
void check(const ClosestPointRequest& request);
void check(const OverlapDepthRequest& request);
inline void check(const CollideRequest&) {}
inline void check(const ContactRequest&) {}

/// Whether what it asks for are pairs of triangles near each other.
inline bool lists_pairs(const Request& request) {
  return std::holds_alternative<WithinRequest>(request) || std::holds_alternative<ClosestPairsRequest>(request) ||
         std::holds_alternative<ClosingPairsRequest>(request);
}

}  // namespace tumble
