// SPDX-License-Identifier: Apache-2.0
// Neighbours among many moving boxes: the time of a step against their number, beside every other broad phase.
#include "lab/entrants.h"
#include "lab/experiments/all.h"
#include "lab/found_set.h"
#include "lab/moving_boxes.h"
#include "lab/rivals/broad_ours.h"
#include "lab/rivals/limited.h"
#include "lab/rivals/roster.h"

#include <fmt/format.h>

#include <time.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>

namespace tumble::lab {
namespace {

constexpr std::uint64_t seed = 1;
constexpr int warm_steps = 4, least_steps = 12;  // before times count; then at least
constexpr std::size_t brute_force_up_to = 10'000;
constexpr double lead_wanted = 3;        // over the best rival, at every point
constexpr double exponent_wanted = 1.2;  // at most, from each number of boxes to the next: close to linear

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// In the last step before times count, and in the last that everybody takes.
bool compared(int step) { return step == warm_steps || step == warm_steps + least_steps; }

/// What must be found in the steps that are compared.
std::vector<FoundSet> truth(std::size_t count, double motion) {
  MovingBoxes world(count, motion, seed);
  std::vector<FoundSet> found;
  for (int step = 1; step <= warm_steps + least_steps; ++step) {
    world.step();
    if (!compared(step)) continue;
    const std::vector<Box>& boxes = world.boxes();
    FoundSet& all = found.emplace_back();
    std::vector<std::uint32_t> order(count);
    for (std::uint32_t i = 0; i < count; ++i) order[i] = i;
    const bool every_pair = count <= brute_force_up_to;
    if (!every_pair) std::ranges::sort(order, {}, [&](std::uint32_t i) { return boxes[i].lower.x; });
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = i + 1; j < count; ++j) {
        if (!every_pair && boxes[order[j]].lower.x > boxes[order[i]].upper.x) break;
        if (!overlap(boxes[order[i]], boxes[order[j]])) continue;
        const PairOfBoxes pair = ordered(order[i], order[j]);
        all.add({pair.first, pair.second});
      }
  }
  return found;
}

/// One entrant, from its start to so many seconds of steps: microseconds a step, and what it found, as text.
std::string fly(BroadRival& entrant, std::size_t count, double motion, double seconds) {
  MovingBoxes world(count, motion, seed);
  entrant.start(world.boxes());
  std::vector<PairOfBoxes> pairs;
  double spent = 0;
  int steps = 0;
  std::string text;
  while (steps < warm_steps + least_steps || spent < seconds) {
    world.step();
    const double before = processor_seconds();
    entrant.step(world.boxes(), pairs);
    if (++steps > warm_steps) spent += processor_seconds() - before;
    if (compared(steps)) {
      FoundSet found;
      for (const PairOfBoxes& pair : pairs) found.add({pair.first, pair.second});
      text += fmt::format(" {} {}", found.count, found.hash);
    }
  }
  return fmt::format("{}{}", spent / (steps - warm_steps) * 1e6, text);
}

struct Score {
  std::optional<double> us{};
  std::string differs{}, failure{};
};

/// All entrants in turn, and again: the best round counts.
std::vector<Score> contest(const BroadRivals& entrants, std::size_t count, double motion, double limit, double seconds,
                           int rounds, const std::function<void(double)>& on_share) {
  const std::vector<FoundSet> expected = truth(count, motion);
  std::vector<Score> scores(entrants.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t e = 0; e < entrants.size(); ++e) {
      on_share(static_cast<double>(static_cast<std::size_t>(round) * entrants.size() + e) /
               static_cast<double>(static_cast<std::size_t>(rounds) * entrants.size()));
      Score& score = scores[e];
      if (round > 0 && !score.us) continue;  // too slow, or failed
      const Limited limited = run_limited(limit, [&] { return fly(*entrants[e], count, motion, seconds); });
      if (limited.end == Limited::End::failed) score.failure = limited.text;
      if (limited.end != Limited::End::finished) {
        if (round == 0) score.us = std::nullopt;
        continue;
      }
      std::istringstream text(limited.text);
      double us = 0;
      text >> us;
      score.us = std::min(us, score.us.value_or(us));
      for (const FoundSet& right : expected) {
        FoundSet found;
        text >> found.count >> found.hash;
        if (found == right || !score.differs.empty()) continue;
        score.differs = found.count == right.count ? fmt::format("{} pairs, not all of them right", found.count)
                                                   : fmt::format("{} pairs for {}", found.count, right.count);
      }
    }
  return scores;
}

/// What an entrant that counts does in the steps that everybody takes, in all.
std::optional<Work> work_of_steps(BroadRival& entrant, std::size_t count, double motion) {
  MovingBoxes world(count, motion, seed);
  entrant.start(world.boxes());
  return work_of(entrant, [&](BroadRival& counting) {
    std::vector<PairOfBoxes> pairs;
    for (int step = 0; step < warm_steps + least_steps; ++step) {
      world.step();
      counting.step(world.boxes(), pairs);
    }
  });
}

std::string percent(double motion) { return fmt::format("{:g} %", motion * 100); }

bool ours(const Json& score) { return score.at("id").get<std::string>().starts_with("tumble"); }

struct Lead {
  double us = 0, sap_us = 0;             // of our two ways
  std::optional<double> best, best_sap;  // others; those that sort, too
  std::string who, who_sap;
};

Lead lead_of(const Row& row) {
  Lead lead;
  for (const Json& score : row.at("scores")) {
    if (!score.at("us").is_number()) continue;
    const double us = score.at("us");
    const std::string id = score.at("id");
    if (id == "tumble-tree") lead.us = us;
    if (id == "tumble-sap") lead.sap_us = us;
    if (ours(score)) continue;
    if (!lead.best || us < *lead.best) lead.best = us, lead.who = score.at("rival");
    if (id.ends_with("sap") && (!lead.best_sap || us < *lead.best_sap))
      lead.best_sap = us, lead.who_sap = score.at("rival");
  }
  return lead;
}

std::string at(const Row& row) {
  return fmt::format("{} boxes at {}", cell_text(row.at("boxes")), percent(row.at("motion")));
}

/// Of time over the number of boxes.
double exponent(double boxes, double more_boxes, double us, double more_us) {
  return std::log(more_us / us) / std::log(more_boxes / boxes);
}

void tell(const Context& context, const std::vector<Row>& rows, bool rivals, Report& report) {
  std::string ahead, sap_behind;
  double least = std::numeric_limits<double>::infinity();
  std::string least_at;
  int sap_first = 0;
  for (const Row& row : rows) {
    const Lead lead = lead_of(row);
    if (lead.sap_us < lead.us) ++sap_first;
    if (lead.best_sap && *lead.best_sap < lead.sap_us)
      sap_behind += fmt::format("{}{} ({}: {:.2g} of its time)", sap_behind.empty() ? "" : ", ", at(row), lead.who_sap,
                                *lead.best_sap / lead.sap_us);
    if (!lead.best) continue;
    const double ratio = *lead.best / lead.us;
    if (ratio < 1)
      ahead +=
          fmt::format("{}{} takes {:.2g} of our time with {}", ahead.empty() ? "" : "; ", lead.who, ratio, at(row));
    if (ratio < least) {
      least = ratio;
      least_at = fmt::format("{}, {}", at(row), lead.who);
    }
  }
  if (!rivals) {
    report.findings.emplace_back("No other library took part.");
  } else {
    report.findings.push_back(
        fmt::format("{} The nearest takes {:.2g} times as long ({}). The target is {:g} times: {}.",
                    ahead.empty() ? std::string("No rival is ahead of the box tree.")
                                  : fmt::format("A rival is ahead of the box tree: {}.", ahead),
                    least, least_at, lead_wanted, context.verdict(least >= lead_wanted)));
  }
  report.findings.push_back(
      sap_first == 0
          ? fmt::format("Sweep and prune is behind the box tree at each of {} points: each list has all boxes that "
                        "overlap along one axis, and in three dimensions their number grows faster than that of boxes.",
                        rows.size())
          : fmt::format("Sweep and prune is ahead of the box tree at {} of {} points.", sap_first, rows.size()));
  if (!sap_behind.empty())
    report.findings.push_back(fmt::format("Another library's sweep and prune is ahead of ours: {}.", sap_behind));

  // How the time grows with the number of boxes.
  double steepest = 0;
  std::string how;
  for (const double motion : {0.01, 0.1, 0.5}) {
    const Row* before = nullptr;
    std::string tree, sap;
    for (const Row& row : rows) {
      if (row.at("motion") != motion) continue;
      if (before) {
        const auto growth = [&](double Lead::*us) {
          return exponent(before->at("boxes"), row.at("boxes"), lead_of(*before).*us, lead_of(row).*us);
        };
        steepest = std::max(steepest, growth(&Lead::us));
        tree += fmt::format("{}{:.2f}", tree.empty() ? "" : ", ", growth(&Lead::us));
        sap += fmt::format("{}{:.2f}", sap.empty() ? "" : ", ", growth(&Lead::sap_us));
      }
      before = &row;
    }
    if (!tree.empty())
      how +=
          fmt::format("{}at {} a step {} (sweep and prune: {})", how.empty() ? "" : "; ", percent(motion), tree, sap);
  }
  if (!how.empty())
    report.findings.push_back(
        fmt::format("From each number of boxes to ten times as many, the time of the box tree grows with the exponent "
                    "{}. The target is close to linear, at most {:g} in each decade: {}.",
                    how, exponent_wanted, context.verdict(steepest <= exponent_wanted)));
}

void run_neighbours(Context& context, Report& report) {
  const Settings& settings = context.settings();
  BroadRivals entrants = broad_ours();
  BroadRoster roster = load_broad_rivals(rivals_folder());
  std::vector<std::string> known;
  for (const auto& rival : roster.rivals) known.push_back(rival->id());
  check_words(settings.rivals, known, "rival");
  for (auto& rival : roster.rivals)
    if (settings.rivals.empty() || std::ranges::find(settings.rivals, rival->id()) != settings.rivals.end())
      entrants.push_back(std::move(rival));

  const std::vector<std::size_t> counts =
      context.pick(std::vector<std::size_t>{1'000, 10'000, 100'000}, std::vector<std::size_t>{100, 1'000});
  const std::vector<double> motions = context.pick(std::vector<double>{0.01, 0.1, 0.5}, std::vector<double>{0.01, 0.5});
  const double limit = context.pick(5.0, 0.1), seconds = context.pick(0.2, 0.001);
  const int rounds = context.pick(2, 1);
  context.plan(counts.size() * motions.size());
  std::vector<Row> rows;
  for (const double motion : motions)
    for (const std::size_t count : counts) {
      Row key{{"motion", motion}, {"boxes", count}, {"entrants", Json::array()}};
      for (const auto& entrant : entrants) key["entrants"].push_back(entrant->id());
      rows.push_back(context.row(key, Json{limit, seconds, rounds, seed}, [&] {
        const std::vector<Score> scores =
            contest(entrants, count, motion, limit, seconds, rounds, [&](double share) { context.part(share); });
        Row row{{"pairs", truth(count, motion).back().count}, {"scores", Json::array()}};
        for (std::size_t e = 0; e < entrants.size(); ++e) {
          row["scores"].push_back({{"id", entrants[e]->id()},
                                   {"rival", entrants[e]->name()},
                                   {"us", scores[e].us ? Json(*scores[e].us) : Json()},
                                   {"failure", scores[e].failure},
                                   {"differs", scores[e].differs}});
          if (!context.quick()) continue;
          if (const std::optional<Work> work = work_of_steps(*entrants[e], count, motion))
            row["scores"].back()["looks"] = work->looks;  // pairs of boxes are all it knows
        }
        return row;
      }));
    }

  for (const Row& row : rows)
    for (const Json& score : row.at("scores"))
      if (ours(score))
        context.must_hold(
            score.at("differs") == "" && score.at("failure") == "" && (context.quick() || score.at("us").is_number()),
            fmt::format("{} finds the pairs of {}: {}{}", score.at("rival").get<std::string>(), at(row),
                        score.at("differs").get<std::string>(), score.at("failure").get<std::string>()));

  tell(context, rows, entrants.size() > 2, report);
  for (const double motion : motions) {
    const std::string name = fmt::format("motion-{:g}", motion * 100);
    const std::string title = fmt::format("Motion of {} of a box's side a step", percent(motion));
    Table table{name, title, {{"boxes", "boxes"}, {"pairs", "pairs"}}};
    Plot plot{name, title, {"boxes", true}, {"µs a step", true}};
    for (std::size_t e = 0; e < entrants.size(); ++e) {
      table.columns.push_back({entrants[e]->id(), entrants[e]->name(), "µs", 3});
      plot.series.push_back({entrants[e]->name(), {}, {}, static_cast<int>(e)});
    }
    table.columns.push_back({"ratio", "best other / box tree", "", 3});
    table.columns.push_back({"best", "who"});
    table.columns.push_back({"differs", "who differs, and how"});
    for (const Row& row : rows) {
      if (row.at("motion") != motion) continue;
      Row line{{"boxes", row.at("boxes")}, {"pairs", row.at("pairs")}};
      std::string differs;
      std::size_t e = 0;
      for (const Json& score : row.at("scores")) {
        const std::string failure = score.at("failure"), wrong = score.at("differs");
        line[score.at("id").get<std::string>()] =
            score.at("us").is_number() ? score.at("us")
                                       : Json(failure.empty() ? fmt::format("> {:g} s in all", limit) : "failed");
        for (const std::string& why : {wrong, failure})
          if (!why.empty())
            differs += fmt::format("{}{}: {}", differs.empty() ? "" : "; ", score.at("rival").get<std::string>(), why);
        plot.series[e].x.push_back(row.at("boxes"));
        plot.series[e].y.push_back(score.at("us").is_number() ? score.at("us").get<double>()
                                                              : std::numeric_limits<double>::quiet_NaN());
        ++e;
      }
      if (const Lead lead = lead_of(row); lead.best) {
        line["ratio"] = *lead.best / lead.us;
        line["best"] = lead.who;
      }
      line["differs"] = differs.empty() ? "nobody" : differs;
      table.rows.push_back(std::move(line));
    }
    if (report.tables.empty())
      table.notes.push_back(fmt::format(
          "Processor time of a step on one thread: all boxes are moved, then all overlapping pairs written to a list. "
          "Boxes have sides of 3/4 to 5/4 and fly straight on in a cube that grows with their number, so that each "
          "overlaps about three others. The mean of at least {} steps over {:g} s, the best of {} rounds in which all "
          "take turns, each in a process of its own; whoever needs more than {:g} s for start and steps is stopped. "
          "The "
          "pairs of two steps are compared with brute force (from {} boxes on, of those that overlap along x).",
          least_steps, seconds, rounds, limit, cell_text(brute_force_up_to + 1)));
    report.tables.push_back(std::move(table));
    report.plots.push_back(std::move(plot));
  }
  report.tables.push_back(entrants_table(entrants, roster.absent, "rival"));
}

}  // namespace

Experiment neighbours() {
  return {"neighbours",
          "Neighbours among many moving boxes",
          "Question: how does the time to find overlapping boxes grow with their number and motion, beside every other "
          "broad phase? (Lin 1996, section 3, for sweep and prune)",
          "neighbours.cpp",
          run_neighbours,
          {.rivals = true}};
}

}  // namespace tumble::lab
