// SPDX-License-Identifier: Apache-2.0
// Holding a contest and telling its outcome.
#include "lab/contest.h"

#include "core/assert.h"
#include "scenes/stand_ins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <string_view>

namespace tumble::lab {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<std::string_view, 5> klosowskis_flights{"pipes", "torus", "airplane", "swept", "interior"};

double value(const Table& table, const std::string& scene, const std::string& variant, const std::string& key) {
  for (const Row& row : table.rows)
    if (row.at("scene") == scene && row.at("variant") == variant)
      return row.contains(key) && row.at(key).is_number() ? row.at(key).get<double>() : nan;
  return nan;
}

/// Counters are the same in all of them.
Row median_visit(std::vector<Row> visits) {
  const auto us = [](const Row& row) { return row.at("us").get<double>(); };
  std::ranges::sort(visits, {}, us);
  Row row = visits[visits.size() / 2];
  row["us"] = (us(visits[(visits.size() - 1) / 2]) + us(row)) / 2;
  row["spread"] = (us(visits.back()) - us(visits.front())) / us(row);
  row.erase("visit");
  return row;
}

/// Trees as wide as the default ones, which no paper's are.
bool is_today(const Variant& variant) { return variant.configuration.environment.arity == TreeOptions{}.arity; }

bool has_published_times(const Contest& contest) {
  return std::ranges::any_of(contest.variants, [](const Variant& v) { return !v.published_us.empty(); });
}

std::string percent(double share) { return fmt::format("{:.0f} %", share * 100); }

/// Whether two times differ by more than either's visits do.
bool exceeds_spread(double shorter, double spread, double longer, double other_spread) {
  return longer > shorter * (1 + std::max(spread, other_spread));
}

}  // namespace

std::vector<std::string> flights(const Context& context) {
  const std::vector<std::string> all =
      context.quick() ? std::vector<std::string>{"pipes", "torus", "swept"}
                      : std::vector<std::string>(klosowskis_flights.begin(), klosowskis_flights.end());
  const std::vector<std::string>& named = context.settings().scenes;
  check_words(named, all, context.quick() ? "with --quick, scene" : "scene");
  std::vector<std::string> chosen;
  std::ranges::copy_if(all, std::back_inserter(chosen), [&](const std::string& scene) {
    return named.empty() || std::ranges::find(named, scene) != named.end();
  });
  return chosen;
}

double of_flight(const std::array<double, 5>& published, const std::string& scene) {
  const auto* const flight = std::ranges::find(klosowskis_flights, scene);
  TUMBLE_ASSERT(flight != klosowskis_flights.end());
  return published[static_cast<std::size_t>(flight - klosowskis_flights.begin())];
}

scenes::SceneOptions flight_options(const Context& context, const std::string& scene) {
  if (!context.quick()) return {};
  // Short flights with contacts: pipes 150 at 3 poses, torus 129 at 12; swept has none by design.
  if (scene == "pipes") return {.triangles = 6'000, .steps = 300, .seed = 3};
  if (scene == "torus") return {.triangles = 6'000, .steps = 200};
  return {.triangles = scene == "swept" ? 2'000u : 6'000u, .steps = 100};
}

Table hold(Context& context, const Contest& contest) {
  Table table{contest.table, contest.title, {{"scene", "flight"}, {"variant", contest.what}}};
  const bool published = has_published_times(contest);
  for (Column column : {Column{"us", "time", "µs", 3}, Column{"relative", "relative time", "", 3}})
    if (published)
      add_compared_columns(table.columns, column);
    else
      table.columns.push_back(column);
  table.columns.push_back({"spread", "spread of the visits", "", 2});
  for (const Column& column : flight_columns())
    if (column.key != "us") table.columns.push_back(column);

  Table every_visit{contest.table, contest.title, {}};
  for (std::size_t s = 0; s < contest.scenes.size(); ++s) {
    const std::string& scene = contest.scenes[s];
    const scenes::SceneOptions options = flight_options(context, scene);
    const std::size_t visits = Contest::visits(context);
    Effort effort = context.effort();
    effort.seconds /= static_cast<double>(visits);
    std::vector<std::vector<Row>> visited(contest.variants.size());
    std::vector<std::optional<Trees>> trees(contest.variants.size());  // some take long to build: once for all visits
    for (std::size_t visit = 0; visit < visits; ++visit)  // in turn, so that all see the same of the machine's moods
      for (std::size_t v = 0; v < contest.variants.size(); ++v) {
        const Variant& variant = contest.variants[v];
        visited[v].push_back(
            context.row({{"scene", scene}, {"variant", variant.name}, {"visit", visit}},
                        {to_json(options), to_json(variant.configuration), contest.query == Asked::all}, [&] {
                          const Flown& flown = context.scene(scene, options);
                          if (!trees[v]) trees[v] = build(flown, variant.configuration);
                          return to_row(measure(flown, *trees[v], variant.configuration.pair, contest.query, effort),
                                        flown.path.size());
                        }));
      }
    for (std::size_t v = 0; v < contest.variants.size(); ++v) {
      every_visit.rows.insert(every_visit.rows.end(), visited[v].begin(), visited[v].end());
      Row row = median_visit(std::move(visited[v]));
      const auto& of_paper = contest.variants[v].published_us;
      if (published) compare(row, "us", s < of_paper.size() ? of_paper[s] : std::nullopt);
      table.rows.push_back(std::move(row));
    }
  }
  must_agree(context, every_visit, {"scene"}, {"contacts", "colliding"});
  for (Row& row : table.rows) {
    const double base = value(table, row.at("scene"), contest.baseline, "us");
    row["relative"] = row.at("us").get<double>() / base;
    if (!published) continue;
    const double published_base = value(table, row.at("scene"), contest.baseline, published_key("us"));
    const Json& own = row.at(published_key("us"));
    compare(row, "relative",
            own.is_number() && published_base > 0 ? std::optional(own.get<double>() / published_base) : std::nullopt);
  }
  table.grids = {{"Time relative to " + label(contest, contest.baseline), "variant", "scene", "relative", published},
                 {"Time per check, µs", "variant", "scene", "us", published},
                 {"Overlap tests per check, Nv", "variant", "scene", "nv", false},
                 {"Realignments per check, Nu", "variant", "scene", "nu", false},
                 {"Triangle pairs per check, Np", "variant", "scene", "np", false}};
  table.notes = {fmt::format("A time is the median of {} visits, each the fastest of its passes over the flight.{}",
                             Contest::visits(context),
                             published ? " The paper reports averages of repeated runs." : "")};
  return table;
}

void disclose_flights(const Context& context, const Contest& contest, const Table& table, Report& report) {
  if (std::ranges::find(report.tables, "flights", &Table::name) != report.tables.end()) return;  // told already
  Table flown{"flights", "The flights", {{"scene", "flight"}}};
  flown.columns.insert(flown.columns.end(), {{"env_triangles", "triangles of the environment, as published"},
                                             {"object_triangles", "of the object, as published"},
                                             {"steps", "published steps"},
                                             {"poses", "poses flown"},
                                             {"colliding", "colliding poses"}});
  add_compared_columns(flown.columns, {"contacts", "contacts"});
  for (const scenes::SceneInfo& info : scenes::list()) {
    if (std::ranges::find(contest.scenes, info.name) == contest.scenes.end()) continue;
    const auto first =
        std::ranges::find(table.rows, info.name, [](const Row& r) { return r.at("scene").get<std::string>(); });
    if (first == table.rows.end()) continue;
    Row row{{"scene", info.name}};
    for (const char* key : {"poses", "colliding", "contacts"}) row[key] = first->value(key, Json());
    if (context.as_published())
      row.update(
          {{"env_triangles", info.env_triangles}, {"object_triangles", info.object_triangles}, {"steps", info.steps}});
    if (contest.query != Asked::all) row["contacts"] = nullptr;
    const bool counted = context.as_published() && contest.query == Asked::all;
    compare(row, "contacts", counted ? std::optional(static_cast<double>(info.contacts)) : std::nullopt);
    if (const double ours = row["contacts"].is_number() ? row["contacts"].get<double>() : 0;
        counted && std::abs(ours - static_cast<double>(info.contacts)) > 0.05 * static_cast<double>(info.contacts))
      report.not_reproduced.push_back(fmt::format("the contacts of {}: {} for the published {}", info.name,
                                                  cell_text(row["contacts"]), cell_text(info.contacts)));
    flown.rows.push_back(std::move(row));
  }
  report.tables.push_back(std::move(flown));

  const std::vector<std::string> told = scenes::stand_ins(contest.scenes);
  if (!context.settings().replaced()) {
    report.stand_ins.insert(report.stand_ins.end(), told.begin(), told.end());
    if (std::string step = what_a_step_is(contest.scenes); !step.empty()) report.stand_ins.push_back(std::move(step));
  }
  if (std::ranges::any_of(contest.variants, [](const Variant& v) { return v.name == "RAPID"; }))
    report.stand_ins.push_back(what_rapid_is());
  if (std::ranges::any_of(contest.variants, is_today)) report.stand_ins.push_back(what_today_is());
  if (std::ranges::any_of(contest.variants, [](const Variant& v) {
        return v.configuration.pair.realign == presets::klosowski1998.pair.realign;
      })) {
    if (has_published_times(contest)) report.stand_ins.push_back(what_it_ran_on(presets::klosowski1998));
    report.stand_ins.push_back(what_runs(presets::klosowski1998));
    report.stand_ins.push_back(what_leaves_are());
    report.stand_ins.push_back(what_epsilon_is());
    if (contest.query == Asked::all) report.stand_ins.push_back(what_is_asked());
  }
}

std::string what_a_step_is(const std::vector<std::string>& flights) {
  std::string out;
  for (const scenes::SceneInfo& info : scenes::list()) {
    if (!info.scalable || std::ranges::find(flights, info.name) == flights.end()) continue;
    // The rules are the same at every size.
    if (const auto rules = scenes::make(info.name, {.triangles = 6'000, .steps = 100}).rules)
      out += fmt::format("{}of {} {:g} and {:g} of a turn, in a box {:g} wide", out.empty() ? "" : "; ", info.name,
                         rules->step, rules->turns, rules->room.upper.x - rules->room.lower.x);
  }
  return out.empty() ? out : "The length of a step and its rotation: " + out + ".";
}

std::string what_leaves_are() {
  return fmt::format(
      "Leaves: in both prints of the paper a node is a leaf once its number of triangles 'falls below' a threshold, 40 "
      "for the flying object and 1 for the environment. So leaves of our flying object have at most {}; those of our "
      "environment have {}, since none has fewer.",
      presets::klosowski1998.object.leaf_size, presets::klosowski1998.environment.leaf_size);
}

std::string what_epsilon_is() {
  return "The paper keeps an epsilon, set by the user, so as not to miss contacts; what it was is not published. Ours "
         "has none: volumes are rounded outward, and contacts are decided exactly.";
}

std::string what_is_asked() {
  return "Every check finds all contacts. The paper says so of interior, and counts contacts on every flight; whether "
         "its times on the others are of finding them all, or the first alone, it does not say.";
}

std::string what_today_is() {
  return fmt::format(
      "Today's defaults are this library's own (TreeOptions and PairOptions without a choice): up to {} children per "
      "node, chosen by a surface-area rule over bins; up to 4 triangles per leaf, fewer where dividing them pays; "
      "k-DOPs realigned by affine sums; the larger volume opened first; and a check that starts from where the last "
      "one ended where that pays. OBB stands for oriented boxes, the default volume.",
      TreeOptions{}.arity);
}

std::string what_it_ran_on(const Preset& preset) {
  static const std::map<std::string_view, const char*> machines{
      {presets::klosowski1998.name, "a Silicon Graphics Indigo² with one R10000 processor of 195 MHz (section 5.1)"},
      {presets::zachmann1998.name, "a Silicon Graphics machine with an R10000 processor of 194 MHz (section 5)"},
      {presets::fuenzig2003.name, "a PC with a processor of 1 GHz, under Windows (section 6)"}};
  return fmt::format("The paper measured on {}.", machines.at(preset.name));
}

std::string what_runs(const Preset& preset) {
  return fmt::format(
      "The paper's configuration is our engine with the preset {} (include/tumble/presets.h). Its choices are the "
      "paper's, but for what else is said here; its code is ours: k-DOPs in single precision, rounded outward, in "
      "nodes of eight lanes, of which a binary tree uses two; vector instructions for an overlap test, which ask after "
      "every third interval whether to go on; triangles filtered sixteen pairs at a time and decided exactly. {}",
      preset.name, how_it_walks());
}

std::string how_it_walks() {
  return "Four things in the walk are our engine's, not the paper's; they hold for what is called RAPID, too. Objects "
         "whose bounding balls are apart are not walked at all. The two roots are tested on a pair's first check only; "
         "other checks begin one level below. Where several volumes are apart but for the margins of single precision, "
         "they are compared once more in double precision, which is not counted. Where a check ends at the first "
         "contact, the deepest overlap is opened first; where all are about 0 deep, the nearest volume. After 64 such "
         "choices the order is that of other checks.";
}

std::string what_rapid_is() {
  const TreeOptions& tree = presets::rapid1996.environment;
  return fmt::format(
      "RAPID, and OBB beside published figures of RAPID: the library itself was not run. It is our own engine with the "
      "preset rapid1996 (include/tumble/presets.h): binary trees of oriented boxes, whose axes are those of the "
      "covariance of the triangles' corners ({}); a box is split across the longest of its own axes ({}) at the {}; a "
      "leaf has {} triangle unless no axis divides more; of two boxes the larger is opened first ({}), and {} axes of "
      "separation are tested. Boxes are in single precision and compared by our vector kernels, triangles by our exact "
      "test. RAPID 2.01, which Zachmann 1998 ran and the other papers may have run, takes the covariance of the "
      "triangles' surface and splits across the axis of greatest variance. What that changes, and what the other "
      "covariances that Lin 1996 and Gottschalk 1996 name change, is in the tables 'Which RAPID was it?' of table6 and "
      "table7.",
      name(tree.paper.obb_fit), name(tree.axes), name(tree.pivot), tree.leaf_size,
      name(presets::rapid1996.pair.descend), presets::rapid1996.pair.paper.all_box_axes ? 15 : 9);
}

std::vector<std::string> other_orders(const Contest& contest, const Table& table) {
  struct Time {
    double us, spread, published;
    std::string who;
  };
  std::vector<std::string> out;
  for (const std::string& scene : contest.scenes) {
    std::vector<Time> times;
    for (const Variant& v : contest.variants)
      if (const double published = value(table, scene, v.name, published_key("us")); published > 0)
        times.push_back({value(table, scene, v.name, "us"), value(table, scene, v.name, "spread"), published,
                         label(contest, v.name)});
    std::string inverted;
    for (const Time& ours : times)
      for (const Time& theirs : times)
        if (theirs.published < ours.published && exceeds_spread(ours.us, ours.spread, theirs.us, theirs.spread))
          inverted +=
              fmt::format("{}{} before {}, in {:.2f} of its time (published: {:.2f})", inverted.empty() ? "" : "; ",
                          ours.who, theirs.who, ours.us / theirs.us, ours.published / theirs.published);
    if (!inverted.empty()) out.push_back(fmt::format("the order on {}. Ours: {}", scene, inverted));
  }
  return out;
}

bool is_faster(const Table& table, const std::string& scene, const std::string& variant, const std::string& other) {
  const auto of = [&](const std::string& who, const char* key) { return value(table, scene, who, key); };
  return exceeds_spread(of(variant, "us"), of(variant, "spread"), of(other, "us"), of(other, "spread"));
}

std::string label(const Contest& contest, const std::string& variant) {
  const bool bare = std::ranges::all_of(variant, [](char c) { return c >= '0' && c <= '9'; });
  return bare ? contest.what + " " + variant : variant;
}

std::string fastest(const Contest& contest, const Table& table) {
  struct Time {
    double us, spread;
    std::string who;
  };
  std::string out;
  std::vector<double> spreads;
  for (const std::string& scene : contest.scenes) {
    std::vector<Time> order;
    for (const Variant& v : contest.variants)
      if (const double us = value(table, scene, v.name, "us"); us > 0) {
        order.push_back({us, value(table, scene, v.name, "spread"), label(contest, v.name)});
        spreads.push_back(order.back().spread);
      }
    std::ranges::sort(order, {}, &Time::us);
    if (order.empty()) continue;
    const Time& first = order[0];
    std::string winners = first.who;
    std::size_t next = 1;
    for (; next < order.size(); ++next) {
      if (exceeds_spread(first.us, first.spread, order[next].us, order[next].spread)) break;
      winners += " and " + order[next].who;
    }
    out += out.empty() ? "Fastest: " : "; ";
    if (next == order.size())
      out += fmt::format("no difference on {}", scene);
    else
      out += fmt::format("{} on {} ({} before {})", winners, scene, percent(order[next].us / first.us - 1),
                         order[next].who);
  }
  if (spreads.empty()) return "Nothing was measured.";
  std::ranges::sort(spreads);
  return out + fmt::format(
                   ". What is within the spread of a variant's repeated visits is no difference; it is {} in the "
                   "median, {} at most.",
                   percent(spreads[spreads.size() / 2]), percent(spreads.back()));
}

namespace {

struct Ratio {
  std::string scene;
  double value;
};
/// Of the flights on which both did anything at all.
std::vector<Ratio> ratios(const Contest& contest, const Table& table, const std::string& variant,
                          const std::string& key) {
  std::vector<Ratio> all;
  for (const std::string& scene : contest.scenes) {
    const double own = value(table, scene, variant, key), base = value(table, scene, contest.baseline, key);
    if (own > 0 && base > 0) all.push_back({scene, own / base});
  }
  return all;
}

double geometric_mean(const std::vector<Ratio>& all) {
  double sum = 0;
  for (const Ratio& r : all) sum += std::log(r.value);
  return std::exp(sum / static_cast<double>(all.size()));
}

}  // namespace

std::string against_baseline(const Contest& contest, const Table& table, const std::string& variant,
                             const std::string& key, const std::string& noun) {
  const std::vector<Ratio> all = ratios(contest, table, variant, key);
  if (all.empty())
    return fmt::format("{} against {}: no {} to compare.", label(contest, variant), label(contest, contest.baseline),
                       noun);
  const auto [best, worst] = std::ranges::minmax_element(all, {}, &Ratio::value);
  return fmt::format("{} against {}: {:.2f} times {} in the mean, from {:.2f} ({}) to {:.2f} ({}).",
                     label(contest, variant), label(contest, contest.baseline), geometric_mean(all), noun, best->value,
                     best->scene, worst->value, worst->scene);
}

std::string ranking(const Contest& contest, const Table& table) {
  std::vector<std::pair<double, std::string>> order;
  for (const Variant& v : contest.variants)
    if (const auto all = ratios(contest, table, v.name, "us"); !all.empty())
      order.emplace_back(geometric_mean(all), label(contest, v.name));
  std::ranges::sort(order);
  std::string out;
  for (const auto& [mean, name] : order) out += fmt::format("{}{} ({:.2f})", out.empty() ? "" : ", ", name, mean);
  return fmt::format("Geometric mean over the flights of the time relative to {}: {}.",
                     label(contest, contest.baseline), out);
}

Plot bars(const Contest& contest, const Table& table, const std::string& key, const std::string& title,
          const std::string& unit, bool log) {
  Plot plot{contest.table + "-" + key, title, {"flight"}, {unit, log}, {}, contest.scenes};
  int color = 0;
  for (const Variant& variant : contest.variants) {
    const std::string shown = label(contest, variant.name);
    // On a log axis a bar of 1 has no height.
    Series ours{key == "relative" && variant.name == contest.baseline ? shown + " (= 1)" : shown, {}, {}, color};
    Series published{shown + ", published", {}, {}, color, true};
    for (const std::string& scene : contest.scenes) {
      ours.y.push_back(value(table, scene, variant.name, key));
      published.y.push_back(value(table, scene, variant.name, published_key(key)));
    }
    plot.series.push_back(ours);
    if (std::ranges::any_of(published.y, [](double v) { return std::isfinite(v); })) plot.series.push_back(published);
    ++color;
  }
  double least = std::numeric_limits<double>::infinity(), largest = 0;
  for (const Series& series : plot.series)
    for (const double v : series.y)
      if (v > 0) least = std::min(least, v), largest = std::max(largest, v);
  plot.ratios = key == "relative";
  plot.y.log = log || largest > 20 * least;  // on a linear axis the small ones would not be seen
  return plot;
}

}  // namespace tumble::lab
