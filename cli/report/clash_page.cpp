// SPDX-License-Identifier: Apache-2.0
// A row for each listed pair, in their order, so that the page's clash-12 is the twelfth pair of the JSON.
#include "cli/report/clash_page.h"

#include "cli/report/world_page.h"

#include <tumble/query.h>

#include <array>
#include <cstddef>

namespace tumble::cli {

Page clash_page(const ClashFindings& findings) {
  Page page{.title = page_title(findings.inputs), .command = "clash", .units = findings.parts.units};
  for (const PlacedPart& part : findings.parts.parts)
    page.parts.push_back({part.name, part.model, part.pose, part.group});
  std::size_t segments = 0, cut_off = 0;
  for (const Finding& finding : findings.pairs) {
    const Clash& clash = finding.clash;
    PageClash row{.a = clash.a,
                  .b = clash.b,
                  .kind = name(clash.kind),
                  .contacts = clash.contacts,
                  .gap = clash.gap,
                  .point = clash.point,
                  .allowed = finding.allowed || finding.known};
    if (clash.depth) row.depth = std::array{clash.depth->lower, clash.depth->upper};
    if (clash.contacts > 0) {
      const PagePart &a = page.parts[clash.a], &b = page.parts[clash.b];
      row.outline = contact_row(clash.a, clash.b, contacts(a.model, a.pose, b.model, b.pose)).outline;
      segments += row.outline.size();
      if (segments > most_segments) row.outline.clear(), ++cut_off;
    }
    page.clashes.push_back(std::move(row));
  }
  if (cut_off > 0) page.notes.emplace_back("Some outlines of contacts are left out: there are too many.");
  return page;
}

}  // namespace tumble::cli
