// SPDX-License-Identifier: Apache-2.0
// Which hulls are looked at, and what is counted.
#include "world/hull_stage.h"

#include "tree/model_data.h"

#include <memory>
#include <optional>

namespace tumble {

SeenByHulls HullLooks::look(const Member& a, const Member& b, LivePair* live, const WorldOptions& options,
                            RedContacts contacts) {
  if (options.hulls == HullStage::off) return {};
  HullMemory guest;
  const bool is_kept = live && options.pair.coherent != Coherent::off;
  if (is_kept && !live->hulls) live->hulls = std::make_unique<HullMemory>();
  const std::optional<SeenByHulls> seen = look_at_hulls(
      {data_of(a.body.model()), a.pose}, {data_of(b.body.model()), b.pose}, is_kept ? *live->hulls : guest, contacts);
  if (!seen) return {};
  ++counters_.asked;
  ++(seen->are_apart ? counters_.apart : seen->contact ? counters_.red : counters_.to_trees);
  return *seen;
}

}  // namespace tumble
