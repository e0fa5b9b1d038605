// SPDX-License-Identifier: Apache-2.0
// Deciding the pairs that wait.
#include "query/sinks.h"

#include <bit>

namespace tumble {

bool AllSink::decide_waiting() {
  const EightPairs pairs = bodies_.side_by_side({waiting_.data(), waiting_count_});
  const EightLooks looks = first_look(pairs, bodies_.environment.pose, bodies_.object.pose);
  std::uint32_t open = (looks.cross | looks.touch | looks.unsure) & ((1u << waiting_count_) - 1);
  waiting_count_ = 0;
  for (; open != 0; open &= open - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(open));
    const TrianglePair& pair = waiting_[lane];
    std::optional<ContactKind> kind = (looks.cross >> lane & 1) != 0 ? ContactKind::cross : ContactKind::touch;
    if ((looks.unsure >> lane & 1) != 0)
      kind = classify_exactly(bodies_.environment.corners(pair.environment), bodies_.object.corners(pair.object));
    if (!kind) continue;
    if (ignore_touch_ && *kind == ContactKind::touch) {
      ignored_touch = true;
      continue;
    }
    found_.push_back({pair, *kind});
    if (found_.size() >= at_most_) return true;
  }
  return false;
}

}  // namespace tumble
