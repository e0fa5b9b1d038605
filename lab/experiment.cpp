// SPDX-License-Identifier: Apache-2.0
// Rows that are made once, scenes that are flown once.
#include "lab/experiment.h"

#include "lab/kept_counters.h"
#include "lab/machine.h"

#include <tumble/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace tumble::lab {
namespace {

// In the journal only:
constexpr char measured_by[] = "measured by";
constexpr char took[] = "took";  // seconds by the clock

}  // namespace

const Flown& Hangar::get(std::string_view scene, const scenes::SceneOptions& o) {
  std::unique_ptr<Flown>& place = flown_[fmt::format("{} {}", scene, to_json(o).dump())];
  if (!place) place = std::make_unique<Flown>(fly(scene, o));
  return *place;
}

void check_words(const std::vector<std::string>& words, const std::vector<std::string>& known,
                 const std::string& what) {
  for (const std::string& word : words)
    if (std::ranges::find(known, word) == known.end())
      throw Error(ErrorCode::invalid_argument,
                  known.empty()
                      ? fmt::format("{} '{}' is not known: none is installed", what, word)
                      : fmt::format("{} '{}' is not known; there are {}", what, word, fmt::join(known, ", ")));
}

void check_settings(const Experiment& experiment, const Settings& settings) {
  const auto check = [&](bool given, bool Takes::*taken, const char* option) {
    if (!given || experiment.takes.*taken) return;
    std::vector<std::string> others;
    for (const Experiment& e : experiments())
      if (e.takes.*taken) others.push_back(e.name);
    throw Error(ErrorCode::invalid_argument, fmt::format("{} means nothing to {}; leave it out, or name only {}",
                                                         option, experiment.name, fmt::join(others, ", ")));
  };
  check(!settings.scenes.empty(), &Takes::scenes, "--scenes");
  check(!settings.rivals.empty(), &Takes::rivals, "--rivals");
  check(settings.passes != 0, &Takes::passes, "--passes");
  check(settings.search > 0, &Takes::search, "--search");
  check(!settings.situations.empty(), &Takes::search, "--situations");
  check(settings.env != nullptr, &Takes::env, "--env");
  check(settings.object != nullptr, &Takes::object, "--object");
}

Context::Context(const Experiment& experiment, const Settings& settings, Journal& journal, Hangar& hangar,
                 Progress progress)
    : experiment_(experiment),
      settings_(settings),
      journal_(journal),
      hangar_(hangar),
      progress_(std::move(progress)) {}

scenes::SceneOptions Context::with_replacements(scenes::SceneOptions options) const {
  options.env = settings_.env;
  options.object = settings_.object;
  return options;
}

Row Context::row(const Row& key, const Json& options, const std::function<Row()>& measure) {
  const Machine machine = this_machine();
  Json full{{"experiment", experiment_.name},
            {"quick", quick()},
            {"commit", commit()},  // a page is of one; rows of others are measured again
            {"code", code_version(experiment_.source)},
            {"machine", {machine.cpu, machine.instruction_set, machine.compiler, machine.cores}},
            {"row", key},
            {"options", options}};
  for (const auto& [role, other] : {std::pair{"env", &settings_.env}, {"object", &settings_.object}})
    if (*other) full[role] = (*other)->hash;
  const Row* known = journal_.find(full);
  if (!known) {
    const auto start = std::chrono::steady_clock::now();
    Row measured = measure();
    measured[measured_by] = commit();
    measured[took] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    journal_.record(full, measured);
    known = journal_.find(full);
  }
  Row row = key;
  row.update(*known);
  commits_.insert(row.value(measured_by, "unknown"));
  row.erase(measured_by);
  seconds_ += row.value(took, 0.0);
  row.erase(took);
  if (Json exact = exact_part(key, *known);
      !exact.is_null() && std::ranges::find(counters_, exact) == counters_.end())  // visited several times
    counters_.push_back(std::move(exact));
  ++finished_;
  part(0);
  return row;
}

void must_agree(Context& context, const Table& table, const std::vector<std::string>& same,
                const std::vector<std::string>& answers) {
  const auto cells = [](const Row& row, const std::vector<std::string>& keys) {
    std::vector<std::string> texts;
    for (const std::string& key : keys)
      if (row.contains(key)) texts.push_back(cell_text(row.at(key), 9));
    return texts;
  };
  std::map<std::vector<std::string>, std::set<std::vector<std::string>>> groups;
  for (const Row& row : table.rows)
    if (const auto group = cells(row, same), given = cells(row, answers);
        group.size() == same.size() && given.size() == answers.size())
      groups[group].insert(given);
  for (const auto& [group, given] : groups) {
    std::string all;
    for (const auto& one : given) all += fmt::format("{}{}", all.empty() ? "" : " or ", fmt::join(one, " and "));
    context.must_hold(given.size() == 1, fmt::format("{}: on {} all find the same {}, but they find {}", table.title,
                                                     fmt::join(group, ", "), fmt::join(answers, " and "), all));
  }
}

void Context::part(double share) const {
  if (progress_ && planned_ > 0) progress_((static_cast<double>(finished_) + share) / static_cast<double>(planned_));
}

}  // namespace tumble::lab
