// SPDX-License-Identifier: Apache-2.0
// Time against a parameter where collision libraries fall off cliffs: clearances, coincident faces, needles, distance.
#include "lab/entrants.h"
#include "lab/experiments/all.h"

#include "lab/experiments/cliffs_bars.h"
#include "lab/real_parts.h"
#include "lab/rivals/cliff_search.h"
#include "lab/rivals/ours.h"
#include "lab/rivals/point_contest.h"
#include "lab/rivals/roster.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <set>

namespace tumble::lab {
namespace {

struct Family {
  std::string name, title, parameter;  // the parameter with its unit
  std::vector<Question> questions;
  std::vector<double> full, reduced;  // values of the parameter, the hard end last
  std::function<scenes::Placing(double parameter, bool reduced)> make;
  bool on_request = false;  // only if it is named
};

std::vector<double> decades(int from, int to) {
  std::vector<double> values;
  for (int e = from; e != to + (from < to ? 1 : -1); e += from < to ? 1 : -1) {
    const double power = std::stod(fmt::format("1e{}", e));  // as it would be written; std::pow may be a bit off
    values.push_back(power);
  }
  return values;
}

std::size_t count(double parameter) { return static_cast<std::size_t>(parameter + 0.5); }

std::vector<Family> all_families() {
  using enum Question;
  const std::vector<Question> questions{any, all, distance};
  const auto fit = [&](const char* name, const char* title, scenes::Placing (*make)(double, std::size_t),
                       std::size_t fine, std::size_t coarse) {
    return Family{
        name, title, "clearance over size", questions, decades(-2, -8), {1e-2, 1e-6}, [=](double p, bool reduced) {
          return make(p, reduced ? coarse : fine);
        }};
  };
  std::vector<Family> list{{"plates",
                            "Two flat plates, about 7,000 triangles a face",
                            "clearance over size",
                            questions,
                            decades(-1, -12),
                            {1e-2, 1e-8},
                            [](double p, bool reduced) { return scenes::facing_plates(p, reduced ? 12 : 60); }},
                           fit("shaft", "A shaft in its bore", scenes::shaft_in_bore, 96, 24),
                           fit("gears", "Two gears in mesh", scenes::meshed_gears, 3, 1),
                           fit("lid", "A lid in its groove", scenes::lid_in_groove, 64, 12),
                           fit("nut", "A nut on its thread", scenes::nut_on_thread, 48, 12),
                           {"far",
                            "Two bodies far apart",
                            "distance of the middles over radius",
                            {distance},
                            {3, 10, 100, 1e3, 3e3, 1e4, 1e5, 1e6},
                            {3, 1e6},
                            [](double p, bool reduced) { return scenes::far_apart(p, reduced ? 600 : 10'000); }},
                           {"coincident",
                            "The same mesh twice in the same place",
                            "triangles",
                            {any, all},
                            {1e3, 3e3, 1e4, 3e4},
                            {200, 600},
                            [](double p, bool) { return scenes::coincident(count(p)); }},
                           {"mated",
                            "Coplanar faces in contact, one lattice sheared",
                            "shear",
                            {any, all},
                            {1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 1e-1, 1},
                            {1e-6, 1e-1},
                            [](double p, bool reduced) { return scenes::mated_faces(p, reduced ? 8 : 60); }},
                           {"bars",
                            "Two bars side by side: boxes around them are disjoint, spheres are not",
                            "gap over length",
                            {any},
                            decades(-1, -5),
                            {1e-1, 1e-3},
                            [](double p, bool reduced) { return scenes::parallel_bars(p, reduced ? 800 : 8'000); }},
                           {"fans",
                            "Two discs face to face, each a fan about its middle",
                            "triangles in a fan, six times their aspect ratio",
                            questions,
                            {64, 256, 1024, 4096},
                            {32, 128},
                            [](double p, bool) { return scenes::facing_fans(count(p)); }},
                           {"needles",
                            "Two cylinders through each other, strips of needles",
                            "aspect ratio of a needle",
                            {any, all},
                            decades(1, 5),
                            {10, 1000},
                            [](double p, bool reduced) { return scenes::crossing_needles(p, reduced ? 64 : 256); }},
                           {"huge",
                            "Two small bodies on a large flat block",
                            "size of the block over theirs",
                            questions,
                            decades(0, 6),
                            {1, 1e4},
                            [](double p, bool reduced) { return scenes::small_on_huge(p, reduced ? 600 : 5'000); }},
                           {"tori",
                            "Two tori through each other",
                            "triangles of each",
                            {all},
                            {1e4, 1e5, 1e6},
                            {1e3, 4e3},
                            [](double p, bool) { return scenes::crossing_tori(count(p)); }},
                           {"tori-4m",
                            "Two large tori through each other",
                            "triangles of each",
                            {all},
                            {4e6},
                            {1e4},
                            [](double p, bool) { return scenes::crossing_tori(count(p)); },
                            true}};
  return list;
}

/// Of two real parts, if they are there.
std::optional<Family> real_family() {
  const auto parts = std::make_shared<const std::optional<RealParts>>(real_parts());
  if (!*parts) return std::nullopt;
  const RealParts& p = **parts;
  return Family{"cad",
                fmt::format("Real CAD parts: {} and {}", p.first, p.second),
                "how far from touching over size",
                {Question::any, Question::all, Question::distance},
                decades(-1, -8),
                {1e-2, 1e-6},
                [parts](double gap, bool) { return pushed_together(**parts, gap); }};
}

bool chosen(const std::vector<std::string>& list, std::string_view word) {
  return list.empty() || std::ranges::find(list, word) != list.end();
}

/// Not asked unless they are named: FCL builds their trees anew in every query, or they are twins of those that are.
constexpr std::array not_asked{"fcl-aabb", "fcl-kdop18", "fcl-float-obbrss", "fcl-float-aabb", "fcl-float-kdop18"};

/// One row per entrant and question, in one row of the journal.
std::vector<Row> point_rows(Context& context, const Family& family, double parameter, const Rivals& entrants,
                            const PointOptions& options) {
  Row key{{"family", family.name}, {"parameter", parameter}, {"entrants", Json::array()}};
  for (const auto& entrant : entrants) key["entrants"].push_back(entrant->id());
  const Row row = context.row(key, Json{options.limit, options.seconds, options.most_pairs}, [&] {
    const PointResult result = point_contest(family.make(parameter, context.quick()), family.questions, entrants,
                                             options, [&](double share) { context.part(share); });
    Json scores = Json::array();
    for (const PointScore& score : result.scores) {
      scores.push_back({{"question", name(score.question)},
                        {"id", score.id},
                        {"rival", score.name},
                        {"us", score.us ? Json(*score.us) : Json()},
                        {"limit_us", score.limit * 1e6},
                        {"failure", score.failure},
                        {"differs", score.differs}});
      scores.back().update(to_row(score.work));
    }
    return Row{{"triangles", result.env_triangles + result.object_triangles},
               {"contacts", result.contacts ? Json(*result.contacts) : Json()},
               {"refereed", result.refereed},
               {"scores", scores}};
  });
  std::vector<Row> rows;
  for (const Json& score : row.at("scores")) {
    Row one{{"family", family.name},
            {"parameter", parameter},
            {"triangles", row.at("triangles")},
            {"contacts", row.at("contacts")},
            {"refereed", row.at("refereed")}};
    one.update(score);
    rows.push_back(std::move(one));
  }
  return rows;
}

std::string time_text(const Row& row) {
  if (!row.at("failure").get<std::string>().empty()) return "failed";
  return fmt::format("> {:g} s", row.at("limit_us").get<double>() / 1e6);
}

constexpr char fcl_best[] = "fcl";  // the column of FCL's best volume

/// Which column a row's time stands in.
std::string column_of(const std::string& id) {
  return id.starts_with("fcl-") && !id.starts_with("fcl-float") ? fcl_best : id;
}

struct Curves {
  Table table;
  Plot plot;
};

/// Everybody's times on one question along a family.
Curves curves_of(const Family& family, const std::string& question, const std::vector<Row>& rows,
                 const std::vector<Row>& all_leads) {
  Table table{family.name + "-" + question,
              fmt::format("{}: {}", family.title, question),
              {{"parameter", family.parameter, "", 3}, {"triangles", "triangles"}}};
  const bool contacts = question != "distance";
  if (contacts) table.columns.push_back({"contacts", "contacts"});
  std::vector<std::pair<std::string, std::string>> timed;  // columns and their titles
  for (const Row& row : rows)
    if (row.at("family") == family.name && row.at("question") == question) {
      const std::string column = column_of(row.at("id"));
      const std::string title = column == fcl_best ? "FCL (double), best volume" : row.at("rival").get<std::string>();
      if (std::ranges::find(timed, std::pair(column, title)) == timed.end()) timed.emplace_back(column, title);
    }
  for (const auto& [column, title] : timed) {
    table.columns.push_back({column, title, "µs", 3});
    if (column == fcl_best) table.columns.push_back({"fcl_volume", "its volume"});
  }
  table.columns.push_back({"ratio", "best judged / ours", "", 3});
  table.columns.push_back({"best", "who"});
  if (question == "all") table.columns.push_back({"ns_per_contact", "ours per contact", "ns", 3});
  table.columns.push_back({"differs", "who differs, and how"});

  Plot plot{table.name, table.title, {family.parameter, true}, {"µs", true}};
  for (const auto& [column, title] : timed)
    plot.series.push_back({title, {}, {}, static_cast<int>(plot.series.size())});
  for (const Row& lead : all_leads) {
    if (lead.at("family") != family.name || lead.at("question") != question) continue;
    Row line{
        {"parameter", lead.at("parameter")}, {"triangles", lead.at("triangles")}, {"contacts", lead.at("contacts")}};
    std::string differs;
    std::set<std::string> not_drawn;  // columns whose answer is wrong
    bool refereed = true;
    for (const Row& row : rows) {
      if (row.at("family") != family.name || row.at("question") != question ||
          row.at("parameter") != lead.at("parameter"))
        continue;
      refereed = row.at("refereed").get<bool>();
      for (const char* why : {"differs", "failure"})
        if (const std::string text = row.at(why); !text.empty())
          differs += fmt::format("{}{}: {}", differs.empty() ? "" : "; ", row.at("rival").get<std::string>(), text);
      const std::string column = column_of(row.at("id"));
      const bool wrong = question != "all" && !row.at("differs").get<std::string>().empty();
      if (wrong && column == fcl_best) continue;  // its other volumes may be right
      const bool better = !line.contains(column) || line.at(column).is_string() ||
                          (row.at("us").is_number() && row.at("us") < line.at(column));
      if (better && (row.at("us").is_number() || !line.contains(column)))
        line[column] = row.at("us").is_number() ? row.at("us") : Json(time_text(row));
      if (wrong) not_drawn.insert(column);
    }
    if (std::string volume = lead.at("fcl_volume"); !volume.empty()) {  // "FCL OBB (double)"
      volume = volume.substr(volume.find(' ') + 1);
      line["fcl_volume"] = lead.at("fcl_at_least").get<bool>() ? "any" : volume.substr(0, volume.find(' '));
    }
    if (!lead.at("ratio").is_null()) {
      const bool bound = lead.at("at_least").get<bool>();
      line["ratio"] = bound ? Json(fmt::format("> {:.3g}", lead.at("ratio").get<double>())) : lead.at("ratio");
      line["best"] = bound ? Json("nobody in time") : lead.at("best");
    }
    if (question == "all" && lead.at("contacts").is_number() && lead.at("contacts") > 0)
      line["ns_per_contact"] = lead.at("us").get<double>() * 1e3 / lead.at("contacts").get<double>();
    if (!refereed)
      differs += fmt::format("{}too large for brute force: compared with ours", differs.empty() ? "" : "; ");
    line["differs"] = differs.empty() ? "nobody" : differs;
    for (std::size_t i = 0; i < timed.size(); ++i) {
      const std::string& column = timed[i].first;
      plot.series[i].x.push_back(lead.at("parameter"));
      plot.series[i].y.push_back(line.contains(column) && line.at(column).is_number() && !not_drawn.contains(column)
                                     ? line.at(column).get<double>()
                                     : std::numeric_limits<double>::quiet_NaN());
    }
    table.rows.push_back(std::move(line));
  }
  return {std::move(table), std::move(plot)};
}

Row to_row(const Finding& finding) {
  std::string ours_differ, others_differ;
  for (const PointScore& score : finding.result.scores)
    if (const std::string why = score.differs + score.failure; !why.empty()) {
      std::string& who = score.id.starts_with("tumble") ? ours_differ : others_differ;
      who += fmt::format("{}{}: {}", who.empty() ? "" : "; ", score.name, why);
    }
  const bool nobody = finding.best.empty();
  return {{"situation", finding.situation},
          {"triangles", finding.result.env_triangles + finding.result.object_triangles},
          {"contacts", finding.result.contacts ? Json(*finding.result.contacts) : Json()},
          {"us", finding.ours_us},
          {"best_us", nobody ? Json() : Json(finding.best_us)},
          {"best", nobody ? "nobody in time" : finding.best},
          {"ratio", nobody ? Json() : Json(finding.ratio())},
          {"ours_differ", ours_differ},
          {"differs", others_differ.empty() ? "nobody" : others_differ}};
}

/// What a search found, or those situations measured again; in one row of the journal.
void search_and_tell(Context& context, const Rivals& all_entrants, Report& report) {
  const Settings& settings = context.settings();
  const SearchOptions options{.seconds = settings.search, .seed = settings.seed, .counts = is_judged};
  Row key{{"search", settings.search}, {"seed", settings.seed}, {"situations", settings.situations}};
  for (const auto& entrant : all_entrants) key["entrants"].push_back(entrant->id());
  const Row row = context.row(key, [&] {
    Json worst = Json::array(), wrong = Json::array();
    Search search;
    if (settings.situations.empty()) {
      search = search_cliffs(all_entrants, options, [&](double share) { context.part(share); });
      for (const Finding& finding : search.wrong) wrong.push_back(to_row(finding));
    } else {
      for (const std::string& situation : settings.situations)
        search.worst.push_back(measure_situation(situation, all_entrants, options));
    }
    for (const Finding& finding : search.worst) worst.push_back(to_row(finding));
    return Row{{"tried", search.tried}, {"worst", worst}, {"wrong", wrong}};
  });
  for (const char* part : {"worst", "wrong"})
    for (const Json& found : row.at(part))
      context.must_hold(found.at("ours_differ") == "", fmt::format("tumble on {} agrees with brute force: {}",
                                                                   found.at("situation").get<std::string>(),
                                                                   found.at("ours_differ").get<std::string>()));
  const bool searched = settings.situations.empty();
  Table table{"found",
              searched ? fmt::format("What a search of {:g} s with seed {} found", settings.search, settings.seed)
                       : "Situations measured again",
              {{"situation", "situation"},
               {"triangles", "triangles"},
               {"contacts", "contacts"},
               {"us", "tumble", "µs", 3},
               {"best_us", "best judged", "µs", 3},
               {"best", "who"},
               {"ratio", "ours / best judged", "", 3},
               {"differs", "who differs, and how"}}};
  for (const Json& found : row.at("worst")) table.rows.push_back(found);
  if (searched) {
    report.arguments = fmt::format(" --search {:g} --seed {}", settings.search, settings.seed);
    table.notes.push_back(fmt::format(
        "Random situations, and changes of the worst so far: {} tried. Rivals that are not judged do not count; those "
        "that are wrong count only where all contacts are asked for. A name says shape, detail, parameter, "
        "orientation, tilt, scale, shift and question; `tumble lab cliffs --situations NAME` measures it again.",
        row.at("tried").get<std::size_t>()));
    const bool ahead = !table.rows.empty() && table.rows[0].at("ratio").is_number() && table.rows[0].at("ratio") > 1;
    report.findings.push_back(ahead ? fmt::format("The search found a rival ahead: {} takes {:.2g} of our time on {}.",
                                                  table.rows[0].at("best").get<std::string>(),
                                                  1 / table.rows[0].at("ratio").get<double>(),
                                                  table.rows[0].at("situation").get<std::string>())
                                    : "The search found no rival ahead.");
  }
  report.tables.push_back(std::move(table));
}

void run_cliffs(Context& context, Report& report) {
  const Settings& settings = context.settings();
  std::vector<Family> families = all_families();
  bool no_parts = false;
  if (!context.quick()) {  // they have one size
    std::optional<Family> real = real_family();
    no_parts = !real;
    if (real) families.push_back(std::move(*real));
  }
  std::vector<std::string> known;
  for (const Family& family : families) known.push_back(family.name);
  check_words(settings.scenes, known, context.quick() ? "with --quick, family" : "family");
  std::erase_if(families, [&](const Family& family) {
    return !chosen(settings.scenes, family.name) || (family.on_request && settings.scenes.empty());
  });

  Rivals entrants = ours_by_default();
  Roster roster = load_rivals(rivals_folder());
  known.clear();
  for (const auto& rival : roster.rivals) known.push_back(rival->id());
  check_words(settings.rivals, known, "rival");
  for (auto& rival : roster.rivals)
    if (settings.rivals.empty() ? std::ranges::find(not_asked, rival->id()) == not_asked.end()
                                : chosen(settings.rivals, rival->id()))
      entrants.push_back(std::move(rival));

  if (!settings.situations.empty()) {
    context.plan(1);
    return search_and_tell(context, entrants, report);
  }
  const PointOptions options{
      .limit = context.pick(1.0, 0.02), .seconds = context.pick(0.05, 0.001), .count = context.quick()};
  std::size_t points = 0;
  for (const Family& family : families) points += context.pick(family.full, family.reduced).size();
  context.plan(points + (settings.search > 0 ? 1 : 0));
  std::vector<Row> rows;
  for (const Family& family : families)
    for (const double parameter : context.pick(family.full, family.reduced))
      for (Row& row : point_rows(context, family, parameter, entrants, options)) rows.push_back(std::move(row));

  for (const Row& row : rows) {
    if (!row.at("id").get<std::string>().starts_with("tumble")) continue;
    const std::string wrong = row.at("differs").get<std::string>() + row.at("failure").get<std::string>();
    context.must_hold(wrong.empty(),
                      fmt::format("{} on {} at {:g}, {}, agrees with brute force: {}",
                                  row.at("rival").get<std::string>(), row.at("family").get<std::string>(),
                                  row.at("parameter").get<double>(), row.at("question").get<std::string>(), wrong));
  }

  const std::vector<Row> all_leads = leads(rows);
  const bool judged = context.as_published() && settings.scenes.empty() && settings.rivals.empty();
  Table bars = judge_cliffs(all_leads, judged);
  report.findings = cliffs_findings(rows, all_leads, bars);
  if (no_parts)
    report.findings.emplace_back(
        "Not run: real CAD parts, which lie in a folder beside the repository, are not there.");
  bool first = true;
  for (const Family& family : families)
    for (const Question question : family.questions) {
      Curves curves = curves_of(family, name(question), rows, all_leads);
      if (first)
        curves.table.notes.push_back(fmt::format(
            "Processor time of one question on one thread; quick ones are repeated, and the fastest counts. tumble: "
            "without a Pair; coherent: a kept one, back and forth between this pose and one a small step away, the "
            "mean of both. A library that needs more than {:g} s ({:g} s for ours) is stopped. "
            "Curves leave that out, and wrong answers to any and distance. All answers are compared with brute force.",
            options.limit, options.limit * ours_patience));
      first = false;
      report.tables.push_back(std::move(curves.table));
      report.plots.push_back(std::move(curves.plot));
    }
  report.tables.push_back(std::move(bars));
  if (settings.search > 0) search_and_tell(context, entrants, report);
  report.tables.push_back(entrants_table(entrants, roster.absent, "rival"));
}

}  // namespace

Experiment cliffs() {
  return {"cliffs",
          "Time against clearance, size and shape, where collision libraries fall off cliffs",
          "Question: do queries stay fast in the everyday situations of machine design, beside every other library?",
          "cliffs.cpp",
          run_cliffs,
          {.scenes = true, .rivals = true, .search = true}};
}

}  // namespace tumble::lab
