// SPDX-License-Identifier: Apache-2.0
// Contest: several configurations on several flights, measured alike. Most tables and studies are one.
#pragma once

#include "lab/experiment.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tumble::lab {

struct Variant {
  std::string name;
  Configuration configuration;
  std::vector<std::optional<double>> published_us{};  // per check, in the order of the scenes; may be empty
};

struct Contest {
  std::string table, title;  // of the table it fills
  std::string what;          // that variants differ in
  std::vector<std::string> scenes;
  std::vector<Variant> variants;
  std::string baseline;  // the variant whose time is 1
  Asked query = Asked::all;

  /// To be planned for: every variant is visited several times on every flight, in turn.
  std::size_t rows(const Context& context) const { return scenes.size() * variants.size() * visits(context); }
  static std::size_t visits(const Context& context) { return context.pick<std::size_t>(3, 2); }
};

/// Klosowski's five flights, or those of them that the settings name; the reduced lab leaves out the cabin, which has
/// one size only, and the airplane's field. Throws Error(invalid_argument) for another name.
std::vector<std::string> flights(const Context& context);
/// What experiments on them take.
inline constexpr Takes takes_flights{.scenes = true, .env = true, .object = true};
/// What was published for one of his five flights, given in his order.
double of_flight(const std::array<double, 5>& published, const std::string& scene);
/// Of one of them, as published or reduced.
scenes::SceneOptions flight_options(const Context& context, const std::string& scene);

/// The columns are scene, variant, us and relative (with what was published), spread, nv, nu, np, contacts, colliding,
/// build_ms and bytes. A time is the median of the visits, each the fastest of its passes; the spread is how far apart
/// the visits are, as a share of it. Contacts must agree.
Table hold(Context& context, const Contest& contest);

/// The flights of a contest: what stands in for what, how many poses were flown, and their contacts beside the
/// published ones, which are told as not reproduced where they differ.
void disclose_flights(const Context& context, const Contest& contest, const Table& table, Report& report);
/// How long the steps of billiards are, and how far they turn; empty if none of the flights is one.
std::string what_a_step_is(const std::vector<std::string>& flights);
/// The machine of the paper that a preset is of.
std::string what_it_ran_on(const Preset& preset);
/// What a paper's configuration is here: its choices in our engine, and how_it_walks().
std::string what_runs(const Preset& preset);
/// What of the walk over two trees is no preset's choice, and not the papers'.
std::string how_it_walks();
/// What of Klosowski's flights is open or ours: how large leaves are, the epsilon, and what a check finds.
std::string what_leaves_are();
std::string what_epsilon_is();
std::string what_is_asked();
/// What "today's defaults" are.
std::string what_today_is();
/// What is called RAPID in tables.
std::string what_rapid_is();
/// A sentence on every flight on which two variants are not in the published order, if that had one, and differ by more
/// than their visits do.
std::vector<std::string> other_orders(const Contest& contest, const Table& table);

/// Whether one is faster than another on a flight, by more than their visits differ.
bool is_faster(const Table& table, const std::string& scene, const std::string& variant, const std::string& other);

/// A variant as people are told of it: "arity 2" where it is only called "2".
std::string label(const Contest& contest, const std::string& variant);
/// Which variant is fastest on each flight, and by how much; within the spread of either there is no difference.
std::string fastest(const Contest& contest, const Table& table);
/// One sentence: a variant against the baseline in one column, in the mean (geometric) and at its best and worst.
std::string against_baseline(const Contest& contest, const Table& table, const std::string& variant,
                             const std::string& key, const std::string& noun);
/// One sentence: all variants in the order of their mean times.
std::string ranking(const Contest& contest, const Table& table);
/// Bars: one group per flight, one bar per variant; the published ones pale beside ours where there are any.
/// The axis is log if asked for, or if the values need it.
Plot bars(const Contest& contest, const Table& table, const std::string& key, const std::string& title,
          const std::string& unit, bool log = false);

}  // namespace tumble::lab
