// SPDX-License-Identifier: Apache-2.0
// tumble penetration: how deep two solids are in each other, how much they overlap, and what separates them.
#include "cli/budget_argument.h"
#include "cli/choices.h"
#include "cli/depths.h"
#include "cli/pose_argument.h"
#include "cli/progress.h"
#include "cli/text.h"
#include "cli/two_bodies.h"

#include <tumble/convex.h>
#include <tumble/query.h>

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

namespace tumble::cli {
namespace {

struct Options {
  TwoBodiesOptions bodies;
  std::optional<double> precision;
  std::optional<Budget> budget;
  bool separate = false;
};

struct Answer : Depths {
  std::optional<SeparatingTranslation> separation{};
};

Answer ask(const TwoBodies& bodies, const Options& options) {
  const Progress progress("measuring depths");
  Pair pair(bodies.a.model, bodies.b.model, options.bodies.comparison.pair);
  const auto& [a, b] = bodies;
  const double precision = options.precision.value_or(0);
  Answer answer{ask_depths(pair, a.pose, b.pose, precision, options.budget.value_or(Budget{}))};
  if (options.separate)
    answer.separation = separating_translation(a.model, a.pose, b.model, b.pose, {.precision = precision});
  return answer;
}

Json to_json(const std::optional<SeparatingTranslation>& separation) {
  if (!separation) return {};
  return {
      {"lower", separation->lower}, {"upper", separation->upper}, {"translation", json_point(separation->translation)}};
}

void write_json(Output& out, const TwoBodies& bodies, const Options& options, const Answer& answer) {
  JsonDocument document(out, "penetration/2");
  document.member("a", cli::to_json(bodies.a));
  document.member("b", cli::to_json(bodies.b));
  document.member("options", {{"precision", or_null(options.precision)}, {"budget", cli::to_json(options.budget)}});
  document.member("colliding", answer.certainty.verdict == Verdict::colliding);
  document.member("certainty", options.budget ? cli::to_json(answer.certainty) : Json());
  document.member("overlap_depth", cli::to_json(answer.overlap));
  document.member("a_in_b", cli::to_json(answer.penetration.a_in_b));
  document.member("b_in_a", cli::to_json(answer.penetration.b_in_a));
  document.member("separating_translation", to_json(answer.separation));
  document.finish();
}

void print(const TwoBodies& bodies, const Options& options, const Answer& answer) {
  const auto print_body = [](const char* role, const PlacedModel& body) {
    print_row(role, fmt::format("{}, {}", printable(body.file), count(body.model.triangles().size(), "triangle")));
  };
  print_body("a", bodies.a);
  print_body("b", bodies.b);
  const auto& [overlap, penetration, certainty] = static_cast<const Depths&>(answer);
  print_row("solids", certainty.verdict == Verdict::free ? "free: no contact" : name(certainty.verdict));
  if (options.budget) print_row("finished", certainty.finished ? "yes" : "no: the budget is used up");
  if (certainty.verdict == Verdict::free) return;
  const auto print_depth = [](const char* role, const Deepest& deepest) {
    print_row(role, fmt::format("from {} to {}", number(deepest.lower), number(deepest.upper)));
    if (deepest.lower > 0)
      print_row("", fmt::format("{} on triangle {}; nearest {} on triangle {}", point(deepest.point), deepest.triangle,
                                point(deepest.nearest), deepest.other_triangle));
  };
  print_row("overlap", fmt::format("from {} to {}{}", number(overlap.lower), number(overlap.upper),
                                   overlap.precise || !certainty.finished ? "" : "; not as near as asked for"));
  if (overlap.lower > 0) print_row("", "a ball around " + point(overlap.center));
  print_depth("a in b", penetration.a_in_b);
  print_depth("b in a", penetration.b_in_a);
  if (!answer.separation) return;
  print_row("separate",
            fmt::format("from {} to {}", number(answer.separation->lower), number(answer.separation->upper)));
  print_row("", "b moved by " + point(answer.separation->translation));
}

Status run(const Options& options, std::optional<Output>& json) {
  const TwoBodies bodies = load(options.bodies, true);
  const Answer answer = ask(bodies, options);
  if (options.bodies.prints()) print(bodies, options, answer);
  if (json) write_json(*json, bodies, options, answer);
  return answer.certainty.verdict == Verdict::colliding ? Status::found : Status::nothing_found;
}

}  // namespace

Command add_penetration(CLI::App& tumble) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = add_command(tumble, "penetration",
                              "Measure how deep two closed meshes are in each other, and what separates them");
  add_two_bodies(*app, options->bodies);
  add_distance(*app, "--precision", options->precision,
               "How far apart the bounds of a depth may be; a thousandth of the smaller body by default");
  add_budget(*app, options->budget);
  add_flag(*app, "--separate", options->separate, "Look for a short translation of b that separates them, too");
  add_json_and_trees(*app, options->bodies);
  for_few(*app, {"--budget"});
  add_details(*app,
              details_of_two_bodies() +
                  "A budget, for all of it, is a number of searches for a point (500) or a time (20us, 1.5ms, 2s). "
                  "When it is\nused up the bounds are as near to each other as they are; whether there is contact "
                  "may then be unknown.");
  add_footer(
      *app,
      joined(
          {pose_help,
           "\n\noverlap: the diameter of the largest ball that fits inside both; 0 if they only touch.\n"
           "a in b:  how far the deepest point of a's surface inside b is from b's surface; 0 for bodies that "
           "coincide.\n"
           "b in a:  the same the other way round.\n"
           "separate: with --separate, how far b must be moved so that they overlap no more, and a translation as long "
           "as the\nupper bound that does it. Of convex bodies it is the least. This search has a limit of its own, "
           "beside "
           "any budget.\n"
           "Each lies between its two bounds, with certainty; the ball and the point are as large and as deep as the "
           "lower "
           "one.\n"
           "Where shells of one body meet each other, the overlap's bounds may stay farther apart. A mesh that is not "
           "closed "
           "is an\nerror.\n"
           "Exit status: 0 no contact, or unknown, 1 contact, 2 error.\n\n"
           "Examples:\n"
           "  tumble penetration housing.stl gear.stl\n"
           "  tumble penetration housing.stl gear.stl --precision 1e-4 --budget 20ms --json -"}));
  return comparing(*app, options->bodies, [options](std::optional<Output>& json) { return run(*options, json); });
}

}  // namespace tumble::cli
