// SPDX-License-Identifier: Apache-2.0
// The one place where options become a way to realign.
#include "core/assert.h"
#include "realign/strategies.h"

namespace tumble {

std::unique_ptr<Realigner> make_realigner(const PairOptions&, BoundKind source, BoundKind target, SourceSets) {
  if (source.bound == Bound::obb) return target.bound == Bound::obb ? make_obb_to_obb() : make_obb_to_dop(target.k);
  TUMBLE_ASSERT(target.bound == Bound::dop);
  return make_affine(source.k, target.k);
}

}  // namespace tumble
