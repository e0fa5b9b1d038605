// SPDX-License-Identifier: Apache-2.0
// Asks for the outlines of clashes, up to as many as a page can show.
#include "report/clash_page.h"

#include <tumble/query.h>

#include <array>
#include <cstddef>
#include <string>
#include <utility>

namespace tumble {

Page clash_page(const Parts& parts, std::span<const Clash> clashes) {
  Page page{.command = "clash", .units = parts.units};
  for (const PlacedPart& part : parts.parts) page.parts.push_back({part.name, part.model, part.pose, part.group});
  std::size_t segments_left = most_segments, without = 0;
  for (const Clash& clash : clashes) {
    PageClash row{.a = clash.a,
                  .b = clash.b,
                  .kind = name(clash.kind),
                  .contacts = clash.contacts,
                  .gap = clash.gap,
                  .point = clash.point};
    if (clash.depth) row.depth = std::array{clash.depth->lower, clash.depth->upper};
    if (clash.contacts > 0) {
      const PagePart &a = page.parts[clash.a], &b = page.parts[clash.b];
      row.outline = contact_row(clash.a, clash.b, contacts(a.model, a.pose, b.model, b.pose)).outline;
      if (!keep_outline(row.outline, segments_left)) ++without;
    }
    page.clashes.push_back(std::move(row));
  }
  if (without > 0)
    page.notes.push_back(std::to_string(without) + " of the pairs in contact have no outlines: there are too many.");
  return page;
}

}  // namespace tumble
