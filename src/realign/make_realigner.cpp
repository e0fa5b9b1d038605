// SPDX-License-Identifier: Apache-2.0
// Chooses the realigner that the options ask for.
#include "core/assert.h"
#include "realign/strategies.h"

#include <utility>

namespace tumble {

std::unique_ptr<Realigner> make_realigner(const PairOptions& options, BoundKind source, BoundKind target,
                                          SourceSets sets) {
  if (source.bound == Bound::obb) return target.bound == Bound::obb ? make_obb_to_obb() : make_obb_to_dop(target.k);
  TUMBLE_ASSERT(target.bound == Bound::dop);
  switch (options.realign) {
    case Realign::affine: return make_affine(source.k, target.k);
    case Realign::affine_min: return make_affine_min(source.k, target.k);
    case Realign::brep_vertices: return make_brep_vertices(source.k, target.k, sets.node_count);
    case Realign::hill_climbing:
      return make_hill_climbing(source.k, target.k, std::move(sets), options.paper.hill_climbing_levels);
    case Realign::occupancy: return make_occupancy(source.k, target.k, std::move(sets));
    case Realign::sat_lite: break;
  }
  return make_sat_lite(source.k, target.k);
}

}  // namespace tumble
