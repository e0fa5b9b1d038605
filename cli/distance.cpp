// SPDX-License-Identifier: Apache-2.0
// tumble distance: how far apart two meshes are, and which triangles are near each other.
#include "cli/budget_argument.h"
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/distance_errors.h"
#include "cli/listing.h"
#include "cli/pose_argument.h"
#include "cli/progress.h"
#include "cli/text.h"
#include "cli/two_bodies.h"

#include <tumble/query.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace tumble::cli {
namespace {

/// Fünzig 2003, section 5: the approximate minimum distance and its weak form.
enum class Pairs : std::uint8_t { closest, closing };
constexpr std::array pairs_words{"closest", "closing"};

struct Options {
  TwoBodiesOptions bodies;
  DistanceErrors errors;
  std::optional<double> upper_bound, within;
  std::optional<Pairs> pairs;
  std::optional<Budget> budget;
  bool solid = false, last_bit = false;
  Listing listing;

  DistanceRequest request() const {
    DistanceRequest request{.rel_error = errors.rel(), .abs_error = errors.abs(), .solid = solid, .last_bit = last_bit};
    if (upper_bound) request.upper_bound = *upper_bound;
    return request;
  }
  /// Of --pairs, closest or closing.
  template <class PairsRequest>
  PairsRequest pairs_request() const {
    const DistanceRequest d = request();
    return {.rel_error = d.rel_error, .abs_error = d.abs_error, .upper_bound = d.upper_bound, .solid = d.solid};
  }
  Request list_request() const {
    if (within) return WithinRequest{.distance = *within, .solid = solid};
    if (*pairs == Pairs::closest) return pairs_request<ClosestPairsRequest>();
    return pairs_request<ClosingPairsRequest>();
  }
  bool lists() const { return within || pairs; }
};

struct Answer {
  Distance distance;
  std::optional<NearPairs> near;       // of --within or --pairs
  bool near_finished = true;           // whether the list is complete
  std::optional<Certainty> certainty;  // of the distance, with a budget

  bool found(const Options& options) const { return distance.distance == 0 || (options.within && !near->empty()); }
};

/// With errors allowed, the list may hold a nearer pair than the one that the first question ended with.
void take_nearest(Answer& answer) {
  const auto nearest = std::ranges::min_element(*answer.near, {}, &NearPair::distance);
  if (nearest == answer.near->end() || answer.distance.farther || nearest->distance >= answer.distance.distance) return;
  const double lower = std::min(answer.distance.lower, nearest->distance);
  answer.distance = {
      nearest->distance, lower,          /*farther=*/false, nearest->triangle_a, nearest->triangle_b, nearest->point_a,
      nearest->point_b,  nearest->inside};
}

Answer ask(const TwoBodies& bodies, const Options& options) {
  const auto& [a, b] = bodies;
  const Progress progress("measuring");
  Pair pair(a.model, b.model, options.bodies.comparison.pair);
  Answer answer;
  Budget left;
  if (options.budget) {
    Purse purse(*options.budget);
    answer.certainty = purse.pay(pair.start(a.pose, b.pose, options.request()).run(purse.left()));
    answer.distance = answer.certainty->closest;
    left = purse.left();
  } else {
    answer.distance = pair.distance(a.pose, b.pose, options.request());
  }
  if (!options.lists()) return answer;
  Query list = pair.start(a.pose, b.pose, options.list_request());
  if (options.pairs == Pairs::closing) {  // in the order in which they are met
    answer.near.emplace();
    const std::function<bool(const NearPair&)> keep = [&](const NearPair& met) {
      answer.near->push_back(met);
      return true;
    };
    answer.near_finished = list.run(left, keep).finished;
  } else {
    answer.near_finished = list.run(left).finished;
    answer.near = list.pairs();
  }
  take_nearest(answer);
  return answer;
}

/// What the pairs listed are: "at most 0.3 apart".
std::string described(const Options& options) {
  if (options.within) return fmt::format("at most {} apart", *options.within);
  return *options.pairs == Pairs::closest ? "within the errors of the least distance"
                                          : "as they were met, each within the errors of the nearest before it";
}

Json to_json(const NearPair& pair) {
  return {{"triangle_a", pair.triangle_a},       {"triangle_b", pair.triangle_b},       {"distance", pair.distance},
          {"point_a", json_point(pair.point_a)}, {"point_b", json_point(pair.point_b)}, {"inside", pair.inside}};
}

void write_json(Output& out, const PlacedModel& a, const PlacedModel& b, const Options& options, const Answer& answer) {
  const std::size_t found = answer.near ? answer.near->size() : 0, listed = options.listing.in_json(found);
  const Distance& d = answer.distance;
  JsonDocument document(out, "distance/2");
  document.member("a", cli::to_json(a));
  document.member("b", cli::to_json(b));
  document.member("options",
                  {{"rel_error", options.errors.rel()},
                   {"abs_error", options.errors.abs()},
                   {"upper_bound", or_null(options.upper_bound)},
                   {"within", or_null(options.within)},
                   {"pairs", options.pairs ? Json(pairs_words[static_cast<std::size_t>(*options.pairs)]) : Json()},
                   {"solid", options.solid},
                   {"last_bit", options.last_bit},
                   {"budget", cli::to_json(options.budget)}});
  document.member("farther", d.farther);
  document.member("lower", d.lower);
  const NearPair closest{d.triangle_a, d.triangle_b, d.distance, d.point_a, d.point_b, d.inside};
  document.member("closest", d.farther ? Json() : to_json(closest));
  document.member("inside", d.inside);
  document.member("certainty", answer.certainty ? cli::to_json(*answer.certainty) : Json());
  document.member("near_count", answer.near ? Json(answer.near->size()) : Json());
  document.member("near_finished", answer.near ? Json(answer.near_finished) : Json());
  document.member("complete", answer.near_finished && listed == found);
  document.list("near", listed, [&](std::size_t i) { return to_json((*answer.near)[i]); });
  document.finish();
}

void print(const PlacedModel& a, const PlacedModel& b, const Options& options, const Answer& answer) {
  const auto print_body = [](const char* role, const PlacedModel& body) {
    print_row(role, fmt::format("{}, {}", printable(body.file), count(body.model.triangles().size(), "triangle")));
  };
  print_body("a", a);
  print_body("b", b);
  const Distance& d = answer.distance;
  if (answer.certainty) print_row("certain", in_words(*answer.certainty));
  if (d.farther) {
    print_row("distance", fmt::format("more than {}", *options.upper_bound));
  } else {
    const bool is_exact = !answer.certainty && options.errors.rel() == 0 && options.errors.abs() == 0;
    print_row("distance", !is_exact && d.lower < d.distance
                              ? fmt::format("{}, and not less than {}", d.distance, d.lower)
                              : fmt::format("{}", d.distance));
    print_row("on a", fmt::format("triangle {} at {}", d.triangle_a, point(d.point_a)));
    print_row("on b", fmt::format("triangle {} at {}", d.triangle_b, point(d.point_b)));
  }
  if (d.inside) print_row("inside", "that is a vertex of one body inside the other");
  if (!answer.near) return;
  print_row("near", fmt::format("{}{} {}", answer.near_finished ? "" : "at least ", count(answer.near->size(), "pair"),
                                described(options)));
  const std::size_t listed = options.listing.in_text(answer.near->size());
  for (const NearPair& p : std::span(*answer.near).first(listed))
    fmt::print("  {} and {}: {} from {} to {}{}\n", p.triangle_a, p.triangle_b, number(p.distance), point(p.point_a),
               point(p.point_b), p.inside ? ", a shell inside" : "");
  if (listed < answer.near->size()) fmt::print("  … and {} more; --all lists them\n", answer.near->size() - listed);
}

Status run(const Options& options, std::optional<Output>& json) {
  const TwoBodies bodies = load(options.bodies, options.solid);
  const Answer answer = ask(bodies, options);
  if (options.bodies.prints()) print(bodies.a, bodies.b, options, answer);
  if (json) write_json(*json, bodies.a, bodies.b, options, answer);
  return answer.found(options) ? Status::found : Status::nothing_found;
}

}  // namespace

Command add_distance(CLI::App& tumble) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = add_command(tumble, "distance", "Measure how far apart two meshes are");
  add_two_bodies(*app, options->bodies);
  add_errors(*app, options->errors);
  add_distance(*app, "--upper-bound", options->upper_bound, "Bodies farther apart are just that, which is quicker");
  add_distance(*app, "--within", options->within, "Also list the pairs of triangles at most D apart");
  add_choice(*app, "Options", "--pairs", {pairs_words.begin(), pairs_words.end()}, "none",
             "Also list the closest pairs, or those met on the way; see below",
             [options](std::size_t chosen) { options->pairs = static_cast<Pairs>(chosen); });
  exclude(*app, "--pairs", "--within");
  add_all(*app, options->listing, "such pair");
  add_limit(*app, options->listing, "such pair");
  add_flag(*app, "--solid", options->solid, solid_help);
  add_flag(*app, "--last-bit", options->last_bit,
           "The least distance itself, not one that ties with it but for roundings");
  add_budget(*app, options->budget);
  add_json_and_trees(*app, options->bodies);
  for_few(*app, {"--rel-error", "--abs-error", "--upper-bound", "--last-bit", "--budget"});
  add_details(*app, details_of_two_bodies() + budget_help);
  add_footer(
      *app,
      joined({pose_help,
              "\n\nDistances are those of the surfaces, 0 exactly when they are in contact; with --solid, those of "
              "the solids, and\n--within lists an entry of distance 0 for each shell of one body inside the other. The "
              "points are "
              "where the distance\nis attained; triangles are numbered from 0. With --within or --pairs, what a budget "
              "leaves over goes into the list.\n"
              "--pairs closest lists the pairs within the errors of the least distance; --pairs closing lists pairs as "
              "they "
              "are met,\neach within the errors of the nearest before it (Fünzig 2003, section 5).\n"
              "Exit status: 0 no contact (--within: nor anything near), 1 contact or near, 2 error.\n\n"
              "Examples:\n"
              "  tumble distance cabin.glb hand.stl\n"
              "  tumble distance cabin.glb hand.stl --rel-error 0.05 --upper-bound 10\n"
              "  tumble distance cabin.glb hand.stl --within 0.3 --all --json near.json\n"
              "  tumble distance cabin.glb hand.stl --rel-error 0.1 --pairs closest --all\n"
              "  tumble distance cabin.glb hand.stl --budget 50us"}));
  return comparing(*app, options->bodies, [options](std::optional<Output>& json) { return run(*options, json); });
}

}  // namespace tumble::cli
