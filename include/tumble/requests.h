// SPDX-License-Identifier: Apache-2.0
// Requests: what is asked. PairOptions and BatchOptions say how it is computed, and change no answer.
#pragma once

#include <tumble/cxx20.h>

#include <cstddef>
#include <limits>
#include <variant>

namespace tumble {

/// Is there any contact? Touching counts.
struct CollideRequest {
  bool ignore_touch = false;  // only kinds cross and coplanar count
  bool solid = false;         // a body inside the other is in contact with it (docs/semantics.md, promise 6)
  // Both together ask for overlap: do the solids have a common volume? The kinds of contacts do not matter then.
};

/// Which triangles are in contact, and where? Whether solids overlap is a question for CollideRequest: boxes that stand
/// side by side have coplanar contacts and no common volume.
struct ContactRequest {
  bool ignore_touch = false;                                      // only kinds cross and coplanar count, and inside
  std::size_t at_most = std::numeric_limits<std::size_t>::max();  // stop after so many; which ones is not promised
  bool geometry = true;  // fill in outline, point, normal and depth; ids and kinds are always there
  bool solid = false;    // also a contact of kind inside for each shell of one body inside the other
};

/// How far apart are they?
struct DistanceRequest {
  /// The answer may exceed the minimum m: it is at most m·(1 + rel_error) + abs_error.
  double rel_error = 0, abs_error = 0;
  /// Bodies farther apart than this are "farther", which is quicker to say than how far.
  double upper_bound = std::numeric_limits<double>::infinity();
  bool solid = false;  // a body inside the other is at distance 0
  /// The least of all pairs, to the last bit. Otherwise the distance may exceed it by as little as roundings do, and
  /// faces that lie opposite each other are not measured one by one (docs/semantics.md, promise 7).
  bool last_bit = false;
};

/// Which pairs of triangles are at most `distance` apart? The papers' epsilon; with distance 0 these are the contacts.
struct WithinRequest {
  double distance = 0;
  std::size_t at_most = std::numeric_limits<std::size_t>::max();  // stop after so many; which ones is not promised
  bool solid = false;  // also an entry of distance 0 for each shell of one body inside the other (NearPair::inside)
};

/// Which pairs of triangles are at most m·(1 + rel_error) + abs_error apart, m being the minimum? The approximate
/// minimum distance of Fünzig 2003, section 5. None if m exceeds the upper bound.
struct ClosestPairsRequest {
  double rel_error = 0, abs_error = 0;
  double upper_bound = std::numeric_limits<double>::infinity();
  bool solid = false;  // also an entry of distance 0 for each shell of one body inside the other; m is then 0
};

/// The weak form: pairs as they are met, each at most that much farther than the nearest before it. The nearest of all
/// is among them. Only for Query, which reports each pair as it finds it.
struct ClosingPairsRequest {
  double rel_error = 0, abs_error = 0;
  double upper_bound = std::numeric_limits<double>::infinity();
  bool solid = false;  // also an entry of distance 0 for each shell of one body inside the other, after the pairs
};

/// How deep is the surface of either closed mesh in the other? Not how much room they share: OverlapDepthRequest.
struct PenetrationRequest {
  /// The largest final upper - lower, in the world's units; 0: a thousandth of the smaller body's size. It stays larger
  /// if it is below roundings, or if the search would need more memory than it allows itself.
  double precision = 0;
};

/// How large a ball fits inside both closed meshes? Not how deep their surfaces are: PenetrationRequest.
struct OverlapDepthRequest {
  /// The largest final upper - lower, in the world's units; 0: a thousandth of the smaller body's size.
  double precision = 0;
};

/// Any request. Values out of range throw Error(invalid_argument); a request about solids throws Error(not_closed) if a
/// mesh is not closed.
using Request = std::variant<CollideRequest, ContactRequest, DistanceRequest, WithinRequest, ClosestPairsRequest,
                             ClosingPairsRequest, PenetrationRequest, OverlapDepthRequest>;

}  // namespace tumble
