// SPDX-License-Identifier: Apache-2.0
// The walk over Voronoi cells to the closest features of two hulls (Lin 1996, section 4.1).
#pragma once

#include "convex/placed_hull.h"

#include <tumble/convex.h>

#include <cstdint>

namespace tumble {

/// A vertex, half-edge or triangle by number.
struct Feature {
  ConvexFeature::Kind kind = ConvexFeature::Kind::vertex;
  std::uint32_t id = 0;
};

/// Two features and their closest points, which lie inside both: on no end of an edge and on no edge of a face.
struct FeaturePair {
  Feature a, b;
  Vec3 on_a{}, on_b{};
  double distance_sq = 0;
};

/// Two triangles of the hulls as closed sets, and the features that hold their closest points.
FeaturePair closest_of(const PlacedHull& a, std::uint32_t triangle_a, const PlacedHull& b, std::uint32_t triangle_b);

/// Walks from two features to neighbours for as long as that brings them closer, at most so many steps; the number of
/// steps made. If the hulls are apart, it ends at closest features, up to roundings; if they meet, anywhere.
int walk(const PlacedHull& a, const PlacedHull& b, FeaturePair& pair, int at_most);

/// Computes closest points anew, for features of an earlier question; they may become smaller features.
void refresh(const PlacedHull& a, const PlacedHull& b, FeaturePair& pair);

/// The corners of a feature in the world; a vertex is three times the same, an edge has its end twice.
Corners corners_of(const PlacedHull& hull, const Feature& feature);
/// A vertex of the feature, and a triangle that holds it.
std::uint32_t vertex_of(const ConvexData& data, const Feature& feature);
std::uint32_t triangle_of(const ConvexData& data, const Feature& feature);

/// From a to b, perpendicular to both features, of unit length; computed from the features, which are more exact than
/// their closest points where these are close.
Vec3 direction_between(const PlacedHull& a, const PlacedHull& b, const FeaturePair& pair);

ConvexFeature describe(const ConvexData& data, const Feature& feature);

}  // namespace tumble
