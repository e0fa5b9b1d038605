// SPDX-License-Identifier: Apache-2.0
// A row for each listed pair, in their order, so that the page's clash-12 is the twelfth pair of the JSON.
#include "cli/report/clash_page.h"

#include "cli/report/world_page.h"

#include <tumble/query.h>

#include <fmt/format.h>

#include <array>
#include <cstddef>

namespace tumble::cli {
namespace {

const char* verdict(const Finding& finding) {
  if (finding.allowed) return "allowed";
  if (finding.known) return "known";
  return finding.fails ? "fails" : "passes";
}

}  // namespace

Page clash_page(const ClashFindings& findings) {
  Page page{.title = page_title(findings.inputs), .command = "clash", .units = findings.parts.units};
  for (const PlacedPart& part : findings.parts.parts)
    page.parts.push_back({part.name, part.model, part.pose, part.group});
  std::size_t segments_left = most_segments, without = 0;
  for (const Finding& finding : findings.pairs) {
    const Clash& clash = finding.clash;
    PageClash row{.a = clash.a,
                  .b = clash.b,
                  .kind = name(clash.kind),
                  .contacts = clash.contacts,
                  .gap = clash.gap,
                  .point = clash.point,
                  .verdict = verdict(finding)};
    if (clash.depth) row.depth = std::array{clash.depth->lower, clash.depth->upper};
    if (clash.contacts > 0) {
      const PagePart &a = page.parts[clash.a], &b = page.parts[clash.b];
      row.outline = contact_row(clash.a, clash.b, contacts(a.model, a.pose, b.model, b.pose)).outline;
      if (!keep_outline(row.outline, segments_left)) ++without;
    }
    page.clashes.push_back(std::move(row));
  }
  if (without > 0)
    page.notes.push_back(fmt::format("{} of the pairs in contact have no outlines: there are too many.", without));
  return page;
}

}  // namespace tumble::cli
