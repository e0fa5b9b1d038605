// SPDX-License-Identifier: Apache-2.0
// Names the bodies of a world as its other reports do, and finds stretches of configurations in contact.
#include "report/world_page.h"

#include "assembly/unique_names.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tumble {
namespace {

using PartPair = std::pair<std::size_t, std::size_t>;

/// One row for each stretch of steps in which a pair is in the same class: with most contacts, the least gap, and the
/// place of its first step.
std::vector<PageClash> stretches(const std::vector<WorldSight>& sights) {
  std::vector<PageClash> rows;
  std::map<std::pair<PartPair, std::string>, std::size_t> latest;  // index in rows
  for (std::size_t step = 0; step < sights.size(); ++step)
    for (const PageClash& clash : sights[step].clashes) {
      const auto [at, is_new] = latest.try_emplace({{clash.a, clash.b}, clash.kind}, rows.size());
      if (is_new || (*rows[at->second].steps)[1] + 1 != step) {
        at->second = rows.size();
        rows.push_back(clash);
        rows.back().outline.clear();  // steps have them
        rows.back().steps = {step, step};
        continue;
      }
      PageClash& row = rows[at->second];
      row.steps->back() = step;
      if (clash.contacts) row.contacts = std::max(*row.contacts, *clash.contacts);
      if (clash.gap) row.gap = std::min(*row.gap, *clash.gap);
    }
  return rows;
}

PageStep step_of(const WorldSight& sight, const std::vector<std::size_t>& moved, double microseconds) {
  PageStep step{{}, 0, microseconds, false, {}};
  for (const std::size_t part : moved) step.poses.push_back(sight.poses[part]);
  for (const PageClash& clash : sight.clashes) {
    step.value += static_cast<double>(clash.contacts.value_or(0));
    step.outline.insert(step.outline.end(), clash.outline.begin(), clash.outline.end());
  }
  step.colliding = step.value > 0;
  return step;
}

}  // namespace

std::vector<PagePart> page_parts(const World& world) {
  std::map<BodyId, std::string> solos;  // bodies in no group, and groups
  UniqueNames unique_solos, unique;
  std::vector<PagePart> parts;
  for (const BodyId body : world.bodies()) {
    const BodyId id = world.group_of(body);
    if (!solos.contains(id)) solos.emplace(id, unique_solos(world.name(id)));
    const std::string& solo = solos.at(id);
    const bool is_member = id != body;
    parts.push_back({unique(is_member ? solo + "/" + world.name(body) : solo), world.model(body), world.pose(body),
                     is_member ? solo : ""});
  }
  return parts;
}

WorldSight look(World& world, const SightRequest& request) {
  WorldSight sight;
  std::map<BodyId, std::size_t> part;
  for (const BodyId body : world.bodies()) {
    part.emplace(body, part.size());
    sight.poses.push_back(world.pose(body));
  }
  std::map<PartPair, Contacts> contacts;
  for (const WorldContact& c : world.contacts({.solid = request.solid}))
    contacts[std::minmax(part.at(c.a), part.at(c.b))].push_back(c.contact);
  std::size_t segments_left = request.most_segments;
  for (const auto& [pair, list] : contacts) {
    sight.clashes.push_back(contact_row(pair.first, pair.second, list));
    if (!keep_outline(sight.clashes.back().outline, segments_left)) sight.cut_off = true;
  }
  if (!request.near) return sight;
  for (const WorldDistance& d : world.distances(*request.near)) {
    const auto [a, b] = std::minmax(part.at(d.a), part.at(d.b));
    if (!(d.distance.distance > 0)) continue;
    sight.clashes.push_back({.a = a,
                             .b = b,
                             .kind = "near",
                             .gap = d.distance.distance,
                             .point = d.distance.point_a * 0.5 + d.distance.point_b * 0.5,
                             .outline = {{d.distance.point_a, d.distance.point_b}}});
  }
  return sight;
}

Page world_page(const World& world, std::vector<WorldSight> sights, const std::vector<double>& microseconds) {
  Page page{.command = "world", .parts = page_parts(world)};
  for (std::size_t part = 0; part < page.parts.size(); ++part) page.parts[part].pose = sights[0].poses[part];
  if (std::ranges::any_of(sights, &WorldSight::cut_off))
    page.notes.emplace_back("Some outlines of contacts are left out: there are too many.");
  if (sights.size() == 1) {
    page.clashes = std::move(sights[0].clashes);
    return page;
  }
  page.clashes = stretches(sights);
  page.motion.emplace();
  page.motion->value = "contacts";
  for (std::size_t part = 0; part < page.parts.size(); ++part)
    if (std::ranges::any_of(sights, [&](const WorldSight& s) { return s.poses[part] != page.parts[part].pose; }))
      page.motion->moved.push_back(part);
  for (std::size_t i = 0; i < sights.size(); ++i)
    page.motion->steps.push_back(step_of(sights[i], page.motion->moved, microseconds[i]));
  return page;
}

}  // namespace tumble
