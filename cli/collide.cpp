// SPDX-License-Identifier: Apache-2.0
// tumble collide: where two meshes touch, or whether they are near.
#include "cli/budget_argument.h"
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/listing.h"
#include "cli/pose_argument.h"
#include "cli/progress.h"
#include "cli/text.h"
#include "cli/tree_report.h"
#include "cli/two_bodies.h"

#include <tumble/query.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tumble::cli {
namespace {

constexpr std::array kinds{ContactKind::touch, ContactKind::cross, ContactKind::coplanar, ContactKind::inside};

struct Options {
  TwoBodiesOptions bodies;
  std::optional<double> within;
  std::optional<Budget> budget;
  bool solid = false, ignore_touch = false;
  Listing listing;

  ContactRequest contacts() const { return {.ignore_touch = ignore_touch, .solid = solid}; }
  /// Whether solids overlap is a question of its own: the kinds of their triangles' contacts do not tell.
  bool asks_overlap() const { return solid && ignore_touch; }
  CollideRequest overlap() const { return {.ignore_touch = true, .solid = true}; }
};

struct Answer {
  Contacts contacts;
  bool is_complete = true;             // unless a budget ended the search
  std::optional<bool> overlap;         // of solids, touches ignored, without a budget
  std::optional<bool> near;            // at most `within` apart; none if unknown or not asked for
  std::optional<Certainty> certainty;  // of a query with a budget

  bool colliding() const {
    return certainty ? certainty->verdict == Verdict::colliding : overlap.value_or(!contacts.empty());
  }
};

Answer ask(const TwoBodies& bodies, const Options& options) {
  const auto& [a, b] = bodies;
  const Progress progress("comparing triangles");
  Pair pair(a.model, b.model, options.bodies.comparison.pair);
  Answer answer;
  if (!options.budget) {
    answer.contacts = pair.contacts(a.pose, b.pose, options.contacts());
    if (options.asks_overlap()) answer.overlap = pair.collide(a.pose, b.pose, options.overlap());
    if (options.within)
      answer.near =
          answer.colliding() || pair.is_within(a.pose, b.pose, {.distance = *options.within, .solid = options.solid});
    return answer;
  }
  Purse purse(*options.budget);
  if (options.asks_overlap())
    answer.certainty = purse.pay(pair.start(a.pose, b.pose, options.overlap()).run(purse.left()));
  Query contacts = pair.start(a.pose, b.pose, options.contacts());
  const Certainty listing = purse.pay(contacts.run(purse.left()));
  if (!answer.certainty) answer.certainty = listing;
  answer.contacts = contacts.contacts();
  answer.is_complete = listing.finished;
  if (!options.within) return answer;
  if (answer.colliding()) {
    answer.near = true;
    return answer;
  }
  const WithinRequest within{.distance = *options.within, .at_most = 1, .solid = options.solid};
  const Certainty near = pair.start(a.pose, b.pose, within).run(purse.left());
  if (near.near || near.finished) answer.near = near.near;
  return answer;
}

/// The part that triangle `id` belongs to, if any.
const Part* part_of(const Model& model, std::uint32_t id) {
  const std::span<const Part> parts = model.parts();
  const auto next = std::ranges::upper_bound(parts, id, {}, &Part::first_triangle);
  for (auto part = next; part != parts.begin();)  // empty parts may stand between
    if ((--part)->triangle_count > 0) return id - part->first_triangle < part->triangle_count ? &*part : nullptr;
  return nullptr;
}

std::size_t count_kind(const Contacts& contacts, ContactKind kind) {
  return std::size_t(std::ranges::count(contacts, kind, &Contact::kind));
}

Json to_json(const Contact& contact, const PlacedModel& a, const PlacedModel& b) {
  const auto part = [](const Model& model, std::uint32_t id) {
    const Part* found = part_of(model, id);
    return found ? Json(found->name) : Json();
  };
  Json outline = Json::array();
  for (const Vec3& p : contact.outline()) outline.push_back(json_point(p));
  return {{"triangle_a", contact.triangle_a},
          {"triangle_b", contact.triangle_b},
          {"part_a", part(a.model, contact.triangle_a)},
          {"part_b", part(b.model, contact.triangle_b)},
          {"kind", name(contact.kind)},
          {"depth", contact.depth},
          {"point", json_point(contact.point)},
          {"normal", std::isnan(contact.normal.x) ? Json() : json_point(contact.normal)},
          {"outline", outline}};
}

void write_json(Output& out, const PlacedModel& a, const PlacedModel& b, const Options& options, const Answer& answer) {
  const Contacts& contacts = answer.contacts;
  const std::size_t listed = options.listing.in_json(contacts.size());
  Json by_kind;
  for (const ContactKind kind : kinds) by_kind[name(kind)] = count_kind(contacts, kind);
  JsonDocument document(out, "collide/2");
  document.member("a", cli::to_json(a));
  document.member("b", cli::to_json(b));
  document.member("solid", options.solid);
  document.member("ignore_touch", options.ignore_touch);
  document.member("colliding", answer.colliding());
  document.member("within", or_null(options.within));
  document.member("near", or_null(answer.near));
  document.member("certainty", answer.certainty ? cli::to_json(*answer.certainty) : Json());
  document.member("contact_count", contacts.size());
  document.member("kinds", by_kind);
  document.member("complete", answer.is_complete && listed == contacts.size());
  document.list("contacts", listed, [&](std::size_t i) { return to_json(contacts[i], a, b); });
  document.finish();
}

/// Columns are as wide as their widest cell, except the last.
void print_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], letters(row[i]));
  for (const auto& row : rows) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) fmt::print("  {:<{}}", row[i], widths[i]);
    fmt::print("  {}\n", row.back());
  }
}

std::vector<std::string> table_row(const Contact& contact, const PlacedModel& a, const PlacedModel& b) {
  const auto triangle = [](const Model& model, std::uint32_t id) {
    const Part* part = part_of(model, id);
    return fmt::to_string(id) + (part && !part->name.empty() ? " " + printable(part->name) : "");
  };
  return {triangle(a.model, contact.triangle_a), triangle(b.model, contact.triangle_b), name(contact.kind),
          number(contact.depth), point(contact.point)};
}

void print(const PlacedModel& a, const PlacedModel& b, const Options& options, const Answer& answer) {
  const Contacts& contacts = answer.contacts;
  const std::size_t listed = options.listing.in_text(contacts.size());
  const auto size = [](const PlacedModel& body) {
    return count(body.model.triangles().size(), "triangle") + (body.building ? "" : "; " + tree_in_words(body));
  };
  print_table({{"a", printable(a.file), size(a)}, {"b", printable(b.file), size(b)}});
  fmt::print("\n");
  if (options.within)
    fmt::print("{} {} apart\n",
               !answer.near   ? "unknown: whether at most"
               : *answer.near ? "near: at most"
                              : "far: more than",
               *options.within);
  if (answer.certainty) fmt::print("{}\n", in_words(*answer.certainty));
  if (contacts.empty()) {
    if (!answer.certainty)
      fmt::print("{}\n", answer.colliding() ? "colliding: the solids overlap" : "free: no contact");
    return;
  }
  std::string by_kind;
  for (const ContactKind kind : kinds)
    if (const std::size_t n = count_kind(contacts, kind))
      by_kind += fmt::format("{}{} {}", by_kind.empty() ? "" : ", ", n, name(kind));
  const bool is_unknown = answer.certainty && answer.certainty->verdict == Verdict::unknown;
  const char* overlap = is_unknown ? "overlap unknown" : answer.colliding() ? "colliding" : "no overlap";
  fmt::print("{}: {} ({})\n\n", options.asks_overlap() ? overlap : "colliding", count(contacts.size(), "contact"),
             by_kind);

  std::vector<std::vector<std::string>> rows{{"triangle a", "triangle b", "kind", "depth", "point"}};
  for (const Contact& contact : std::span(contacts).first(listed)) rows.push_back(table_row(contact, a, b));
  print_table(rows);
  if (listed < contacts.size()) fmt::print("  … and {} more; --all lists them\n", contacts.size() - listed);
}

Status run(const Options& options, std::optional<Output>& json) {
  const TwoBodies bodies = load(options.bodies, options.solid);
  const Answer answer = ask(bodies, options);
  if (options.bodies.prints()) print(bodies.a, bodies.b, options, answer);
  if (json) write_json(*json, bodies.a, bodies.b, options, answer);
  return answer.colliding() || answer.near.value_or(false) ? Status::found : Status::nothing_found;
}

}  // namespace

Command add_collide(CLI::App& tumble) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = add_command(tumble, "collide", "Find where two meshes touch");
  add_two_bodies(*app, options->bodies);
  add_all(*app, options->listing, "contact");
  add_limit(*app, options->listing, "contact");
  add_distance(*app, "--within", options->within, "Also say whether they are at most D apart");
  add_flag(*app, "--solid", options->solid, solid_help);
  add_flag(*app, "--ignore-touch", options->ignore_touch, ignore_touch_help);
  add_budget(*app, options->budget);
  add_json_and_trees(*app, options->bodies);
  for_few(*app, {"--budget"});
  add_details(*app, details_of_two_bodies() + budget_help);
  add_footer(
      *app,
      joined(
          {pose_help,
           "\n\nTriangles are closed sets: touching is contact. Every answer is exact for the vertices taken to the "
           "world "
           "in\n"
           "double precision. Depth is the least translation along a normal of either triangle that separates the "
           "pair;\n"
           "\"-\" if a triangle is degenerate. Triangles are numbered from 0.\n"
           "Distances are those of the surfaces, with --solid those of the solids: 0 if one is inside the other. With "
           "--solid\n"
           "a contact of kind inside stands for each shell of one body inside the other: its point is a vertex of the "
           "shell,\n"
           "its depth the way from there to the other's surface. With --solid --ignore-touch the answer is whether the "
           "solids\n"
           "overlap; the list is of contacts.\n"
           "Exit status: 0 no contact (--within: nor anything near), 1 contact or near, 2 error.\n\n"
           "Examples:\n"
           "  tumble collide cabin.glb hand.stl\n"
           "  tumble collide a.obj b.obj --pose-b \"translation 0.5 0 0 yaw 90\" --all\n"
           "  tumble collide a.ply b.off --pose-b @pose.txt --json contacts.json\n"
           "  tumble collide cabin.glb hand.stl --within 0.3 --budget 50us\n"
           "  tumble collide housing.stl gear.stl --solid\n"
           "  tumble collide housing.stl gear.stl --ignore-touch --all"}));
  return comparing(*app, options->bodies, [options](std::optional<Output>& json) { return run(*options, json); });
}

}  // namespace tumble::cli
