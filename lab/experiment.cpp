// SPDX-License-Identifier: Apache-2.0
// Rows that are made once, scenes that are flown once.
#include "lab/experiment.h"

#include "lab/machine.h"

#include <fmt/format.h>

#include <utility>

namespace tumble::lab {
namespace {

constexpr char measured_by[] = "measured by";  // in the journal only

}  // namespace

const Flown& Hangar::get(std::string_view scene, const scenes::SceneOptions& o) {
  const std::string key = fmt::format("{} {} {} {} {} {} {}", scene, o.triangles, o.steps, o.seed, o.alpha, o.distance,
                                      static_cast<int>(o.tessellation));
  std::unique_ptr<Flown>& place = flown_[key];
  if (!place) place = std::make_unique<Flown>(fly(scene, o));
  return *place;
}

Context::Context(const Experiment& experiment, const Settings& settings, Journal& journal, Hangar& hangar,
                 Progress progress)
    : experiment_(experiment),
      settings_(settings),
      journal_(journal),
      hangar_(hangar),
      progress_(std::move(progress)) {}

Row Context::row(const Row& key, const Json& options, const std::function<Row()>& measure) {
  const Json full{{"experiment", experiment_.name},
                  {"revision", experiment_.revision},
                  {"quick", quick()},
                  {"code", code_version()},
                  {"row", key},
                  {"options", options}};
  const Row* known = journal_.find(full);
  if (!known) {
    Row measured = measure();
    measured[measured_by] = commit();
    journal_.record(full, measured);
    known = journal_.find(full);
  }
  Row row = key;
  row.update(*known);
  commits_.insert(row.value(measured_by, "unknown"));
  row.erase(measured_by);
  ++finished_;
  part(0);
  return row;
}

void Context::part(double share) const {
  if (progress_ && planned_ > 0) progress_((static_cast<double>(finished_) + share) / static_cast<double>(planned_));
}

}  // namespace tumble::lab
