// SPDX-License-Identifier: Apache-2.0
// Ratios of times at one point, and of neighbouring points.
#include "lab/experiments/cliffs_bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace tumble::lab {
namespace {

constexpr double goal = 5;        // everywhere
constexpr double far_from = 1e3;  // radii

/// Families found on the way. They are judged apart from those that the targets were set for.
constexpr std::array beyond{"fans", "needles", "huge", "cad"};

bool is_ours(const std::string& id) { return id.starts_with("tumble"); }
bool is_fcl_double(const std::string& id) { return id.starts_with("fcl-") && !id.starts_with("fcl-float"); }

std::string text(const Row& row, const char* key) { return row.at(key).get<std::string>(); }
double number(const Row& row, const char* key) { return row.at(key).get<double>(); }

std::string place(const Row& lead) {
  return fmt::format("{} {} at {:.3g}", text(lead, "family"), text(lead, "question"), number(lead, "parameter"));
}

/// The quickest of some: those who answered before those who did not.
struct Best {
  std::optional<double> us{};
  bool over = false, wrong = false;
  std::string rival{};

  void add(const Row& row) {
    const bool differs = !text(row, "differs").empty();
    if (!text(row, "failure").empty() || (differs && row.at("question") != "all")) return;
    const bool late = row.at("us").is_null();
    const double time = late ? number(row, "limit_us") : number(row, "us");
    if (us && (*us <= time)) return;
    us = time, over = late, wrong = differs, rival = text(row, "rival");
  }
};

}  // namespace

bool is_judged(const std::string& id) { return is_fcl_double(id) || id == "embree" || id == "ode" || id == "cgal"; }

std::vector<Row> leads(const std::vector<Row>& rows) {
  std::vector<Row> out;
  for (const Row& own : rows) {
    if (own.at("id") != "tumble") continue;
    Best best, fcl, beside;
    for (const Row& row : rows) {
      if (row.at("family") != own.at("family") || row.at("question") != own.at("question") ||
          row.at("parameter") != own.at("parameter"))
        continue;
      const std::string id = text(row, "id");
      if (!is_ours(id)) (is_judged(id) ? best : beside).add(row);
      if (is_fcl_double(id)) fcl.add(row);
    }
    const bool over = own.at("us").is_null();
    const double us = over ? number(own, "limit_us") : number(own, "us");
    out.push_back({{"family", own.at("family")},
                   {"question", own.at("question")},
                   {"parameter", own.at("parameter")},
                   {"triangles", own.at("triangles")},
                   {"contacts", own.at("contacts")},
                   {"us", us},
                   {"ours_over", over},
                   {"ratio", best.us ? Json(*best.us / us) : Json()},
                   {"at_least", best.over},
                   {"best", best.rival},
                   {"wrong", best.wrong},
                   {"beside", beside.us ? Json(*beside.us / us) : Json()},
                   {"beside_at_least", beside.over},
                   {"beside_rival", beside.rival},
                   {"beside_wrong", beside.wrong},
                   {"fcl", fcl.us ? Json(*fcl.us / us) : Json()},
                   {"fcl_at_least", fcl.over},
                   {"fcl_volume", fcl.rival}});
  }
  return out;
}

double unexplained_step(const Row& from, const Row& to) {
  const auto contacts = [](const Row& row) { return row.at("contacts").is_null() ? 0.0 : number(row, "contacts"); };
  double explained = 1;
  if (to.at("question") == "all" && contacts(from) > 0) explained = contacts(to) / contacts(from);
  if (contacts(from) == 0 && contacts(to) == 0) explained = number(to, "triangles") / number(from, "triangles");
  const double decades = std::abs(std::log10(number(to, "parameter") / number(from, "parameter")));
  const double growth = number(to, "us") / number(from, "us") / std::max(explained, 1.0);
  return std::pow(growth, 1 / std::max(decades, 1.0));
}

Table judge_cliffs(const std::vector<Row>& all, bool judged) {
  Table table{"bars",
              "Targets that we set ourselves: times of the others divided by ours, and ours against itself",
              {{"bar", "target"},
               {"required", "required"},
               {"measured", "measured", "", 3},
               {"where", "where"},
               {"verdict", "verdict"}}};
  const auto add = [&](const std::string& bar, const char* sense, double required, std::optional<double> measured,
                       const std::string& where, bool open) {
    const bool met =
        measured && (std::string_view(sense) == "at least" ? *measured >= required : *measured <= required);
    const char* verdict = !measured ? "not measured"
                          : !judged ? "not judged"
                          : met     ? "met"
                          : open    ? "open: the limit is too low"
                                    : "MISSED";
    table.rows.push_back({{"bar", bar},
                          {"required", fmt::format("{} {:g}", sense, required)},
                          {"measured", measured ? Json(*measured) : Json()},
                          {"where", where},
                          {"verdict", verdict}});
  };
  using Which = std::function<bool(const Row&)>;
  // The least ratio under a key, of the leads chosen.
  const auto least = [&](const std::string& bar, double required, const std::string& key, const Which& which) {
    std::optional<double> measured;
    std::string where;
    bool open = false;
    for (const Row& lead : all)
      if (which(lead) && !lead.at(key).is_null() && (!measured || number(lead, key.c_str()) < *measured)) {
        measured = number(lead, key.c_str());
        open = lead.at(key == "fcl" ? "fcl_at_least" : "at_least").get<bool>() && !lead.at("ours_over").get<bool>();
        where = fmt::format("{}, {}", place(lead), text(lead, key == "fcl" ? "fcl_volume" : "best"));
      }
    add(bar, "at least", required, measured, where, open);
  };
  const auto is_beyond = [](const Row& lead) {
    return std::ranges::find(beyond, text(lead, "family")) != beyond.end();
  };
  const auto is_named = [&](const Row& lead) { return !is_beyond(lead); };
  least("no rival ahead", 1, "ratio", is_named);
  least("the goal: best rival over ours", goal, "ratio", is_named);
  least("fans, needles, huge and cad: no rival ahead either", 1, "ratio", is_beyond);
  for (const char* question : {"any", "all"})
    least(fmt::format("plates, {}, clearance 1e-6 and below: FCL (double) over ours", question), 100, "fcl",
          [&](const Row& lead) {
            return lead.at("family") == "plates" && lead.at("question") == question &&
                   number(lead, "parameter") < 1.5e-6;
          });
  least("plates, distance: FCL (double) over ours", 20, "fcl",
        [](const Row& lead) { return lead.at("family") == "plates" && lead.at("question") == "distance"; });
  least(fmt::format("far bodies, {:g} radii and more: FCL (double) over ours", far_from), 10, "fcl",
        [](const Row& lead) { return lead.at("family") == "far" && number(lead, "parameter") >= far_from; });
  struct Meeting {
    const char *family, *title;
    double required;
  };
  for (const Meeting& meeting : {Meeting{"coincident", "coincident meshes", 5}, Meeting{"mated", "mated faces", 10}})
    for (const char* question : {"any", "all"})
      least(fmt::format("{}, {}: FCL (double) over ours", meeting.title, question), meeting.required, "fcl",
            [&](const Row& lead) { return lead.at("family") == meeting.family && lead.at("question") == question; });

  const Row* nearest = nullptr;
  const Row* dearest = nullptr;
  for (const Row& lead : all)
    if (lead.at("family") == "far") {
      if (!nearest || number(lead, "parameter") < number(*nearest, "parameter")) nearest = &lead;
      if (!dearest || number(lead, "us") > number(*dearest, "us")) dearest = &lead;
    }
  add("far bodies: our largest time over that at 3 radii", "at most", 2,
      nearest ? std::optional(number(*dearest, "us") / number(*nearest, "us")) : std::nullopt,
      dearest ? place(*dearest) : "", false);
  std::optional<double> step;
  std::string where;
  std::map<std::pair<std::string, std::string>, const Row*> last;
  for (const Row& lead : all) {
    const Row*& before = last[{text(lead, "family"), text(lead, "question")}];
    if (before)
      if (const double growth = unexplained_step(*before, lead); !step || growth > *step) {
        step = growth;
        where = fmt::format("{}, from {:.3g}", place(lead), number(*before, "parameter"));
      }
    before = &lead;
  }
  add("our largest step per decade that contacts do not explain", "at most", 3, step, where, false);
  table.notes.push_back(
      "Judged are FCL in double precision with its best volume, Embree with our exact test, ODE's OPCODE and CGAL. "
      "Open: the rival needed more than the limit, so that it is only known to be slower than measured. A step is "
      "explained by contacts (all) or, where neither point has any, by triangles.");
  if (!judged)
    table.notes.push_back("At reduced sizes (--quick) and for a choice of families or rivals nothing is judged.");
  return table;
}

std::vector<std::string> cliffs_findings(const std::vector<Row>& rows, const std::vector<Row>& all, const Table& bars) {
  std::vector<std::string> findings;
  // Leads below a bound by family and question: how many, and the worst.
  struct Keys {
    const char *ratio, *at_least, *rival, *wrong;
  };
  constexpr Keys judged{"ratio", "at_least", "best", "wrong"};
  constexpr Keys others{"beside", "beside_at_least", "beside_rival", "beside_wrong"};
  const auto below = [&](double from, double to, const Keys& keys) {
    struct Group {
      std::size_t points = 0, of = 0;
      const Row* worst = nullptr;
    };
    std::map<std::pair<std::string, std::string>, Group> groups;
    for (const Row& lead : all) {
      Group& group = groups[{text(lead, "family"), text(lead, "question")}];
      ++group.of;
      if (lead.at(keys.ratio).is_null() || lead.at(keys.at_least).get<bool>()) continue;
      const double ratio = number(lead, keys.ratio);
      if (ratio < from || ratio >= to) continue;
      ++group.points;
      if (!group.worst || ratio < number(*group.worst, keys.ratio)) group.worst = &lead;
    }
    std::vector<std::pair<double, std::string>> lines;
    for (const auto& [key, group] : groups)
      if (group.worst) {
        const double ratio = number(*group.worst, keys.ratio);
        lines.emplace_back(
            ratio, fmt::format("{} ({} of {} points): {} takes {:.2g} of our time{}{}", place(*group.worst),
                               group.points, group.of, text(*group.worst, keys.rival), ratio,
                               group.worst->at("ours_over").get<bool>() ? " or less" : "",
                               group.worst->at(keys.wrong).get<bool>() ? ", with other contacts than there are" : ""));
      }
    std::ranges::sort(lines);
    std::string out;
    for (const auto& [ratio, line] : lines) out += (out.empty() ? "" : "; ") + line;
    return out;
  };
  const bool anybody = std::ranges::any_of(all, [](const Row& lead) { return !lead.at("ratio").is_null(); });
  if (!anybody) {
    findings.emplace_back("No other library takes part here.");
  } else {
    const std::string ahead = below(0, 1, judged), close = below(1, goal, judged), beside = below(0, 1, others);
    findings.push_back(ahead.empty() ? "No rival that the targets name is ahead of tumble anywhere."
                                     : fmt::format("A rival is ahead of tumble, worst first: {}.", ahead));
    if (!beside.empty())
      findings.push_back(fmt::format("Ahead of tumble, but not judged (single precision): {}.", beside));
    if (!close.empty())
      findings.push_back(fmt::format("Ahead of every judged rival, but by less than {:g} times: {}.", goal, close));
  }
  std::size_t met = 0;
  std::string missed;
  for (const Row& bar : bars.rows) {
    met += bar.at("verdict") == "met";
    if (bar.at("verdict") == "MISSED")
      missed += fmt::format("{}{}: {:.3g}, {} required ({})", missed.empty() ? "" : "; ", text(bar, "bar"),
                            number(bar, "measured"), text(bar, "required"), text(bar, "where"));
  }
  if (met > 0 || !missed.empty())
    findings.push_back(fmt::format("Targets met: {}. Targets missed: {}.", met, missed.empty() ? "none" : missed));

  struct Record {
    std::size_t asked = 0, over = 0, failed = 0, differs = 0;
    std::string example{};
  };
  std::vector<std::pair<std::string, Record>> records;
  for (const Row& row : rows) {
    auto found = std::ranges::find(records, text(row, "rival"), &std::pair<std::string, Record>::first);
    if (found == records.end()) found = records.insert(found, {text(row, "rival"), {}});
    Record& record = found->second;
    ++record.asked;
    const bool failed = !text(row, "failure").empty();
    record.failed += failed;
    record.over += !failed && row.at("us").is_null();
    if (text(row, "differs").empty() && !failed) continue;
    record.differs += !failed;
    if (record.example.empty())
      record.example = fmt::format("{}: {}", place(row), failed ? text(row, "failure") : text(row, "differs"));
  }
  std::string over, differ, agree;
  for (const auto& [name, record] : records) {
    if (record.over > 0) over += fmt::format("{}{} {}", over.empty() ? "" : ", ", name, record.over);
    if (record.differs + record.failed > 0)
      differ += fmt::format("{}{} ({} of {} answers{}; first {})", differ.empty() ? "" : ", ", name, record.differs,
                            record.asked, record.failed > 0 ? fmt::format(", {} failures", record.failed) : "",
                            record.example);
    else
      agree += (agree.empty() ? "" : ", ") + name;
  }
  if (!over.empty()) findings.push_back(fmt::format("Questions not answered within the limit: {}.", over));
  if (!differ.empty()) findings.push_back(fmt::format("Answers that differ from brute force: {}.", differ));
  if (!agree.empty()) findings.push_back(fmt::format("No answer differs from brute force, of: {}.", agree));
  return findings;
}

}  // namespace tumble::lab
