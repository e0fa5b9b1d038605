// SPDX-License-Identifier: Apache-2.0
// OverlapSearch asked for what is in a and not in b. Shells without contact are on one side of the other body: those of
// a outside b, and those of b inside a, are looked at here.
#include "query/containment.h"

#include "query/overlap.h"
#include "query/shells_inside.h"

#include <cstddef>
#include <cstdint>

namespace tumble {

bool is_contained(const PlacedPair& bodies, std::span<const TrianglePair> met) {
  OverlapSearch search;
  search.begin(bodies, Volume::only_a);
  search.meet_all(met);
  for (const bool of_a : {true, false}) {
    const Body& own = of_a ? bodies.a : bodies.b;
    const PlacedTree other(of_a ? bodies.b : bodies.a);
    const SolidFacts& facts = own.model.solid_facts();
    ShellMarks marks;
    marks.reset(facts);
    for (const TrianglePair& pair : met) marks.mark(of_a ? pair.a : pair.b);
    for (std::uint32_t shell = 0; shell < facts.shells(); ++shell) {
      const std::uint32_t triangle = facts.first_triangle_of_shell[shell];
      if (marks.is_marked(shell) || is_inside(own, own.model.triangles[triangle][0], other) == of_a) continue;
      if (search.is_beside(of_a, triangle)) return false;
      search.look_at_loose(of_a);
    }
  }
  return search.run([] { return false; }) == WalkEnd::all_seen;
}

}  // namespace tumble
