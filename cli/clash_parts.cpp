// SPDX-License-Identifier: Apache-2.0
// Puts the parts of several files together, and looks whether they are closed and how large they are.
#include "cli/clash_parts.h"

#include "cli/model_argument.h"
#include "cli/progress.h"
#include "cli/text.h"

#include <tumble/error.h>
#include <tumble/solid.h>

#include <algorithm>
#include <map>

namespace tumble::cli {
namespace {

PartFacts facts_of(const Model& model) {
  PartFacts facts;
  facts.size = size_of(model);
  try {
    check_closed(model);
  } catch (const Error&) {
    facts.closed = false;
    facts.open_edges = summarize(mesh_of(model)).open_edges;
  }
  return facts;
}

/// The parts that fit a pattern, counted from `first`.
std::vector<std::size_t> fitting(const Parts& parts, const std::string& pattern, std::size_t first) {
  std::vector<std::size_t> fit;
  for (const PlacedPart& part : parts.parts) {
    if (fits(part, pattern)) fit.push_back(first);
    ++first;
  }
  return fit;
}

}  // namespace

ClashParts::ClashParts(const std::vector<std::string>& inputs, const PartFileOptions& options) {
  const FileList list = expand_folders(inputs);
  described_.inputs = inputs;
  described_.unknown_files = list.unknown;
  CommonUnits units;
  for (const std::string& file : list.files) {
    PartFile loaded = load_part_file(file, options);
    units.add(loaded.parts.units, file);
    add(file, std::move(loaded));
  }
  described_.parts.units = units.get();
  UniqueNames unique;
  for (PlacedPart& part : described_.parts.parts) part.name = unique(without_controls(part.name));
  if (described_.parts.parts.size() < 2)
    throw Error(ErrorCode::invalid_argument, "there is only one part, and a clash needs two", {.file = inputs.front()});
  describe();
}

void ClashParts::add(const std::string& file, PartFile loaded) {
  ClashFindings& d = described_;
  const std::size_t first = d.parts.parts.size();
  if (loaded.deflection) d.deflection = std::max(d.deflection.value_or(0), *loaded.deflection);
  std::map<std::string, std::string> groups;  // by their names in this file: those of two files are two
  for (PlacedPart part : loaded.parts.parts) {
    if (!part.group.empty()) {
      const auto [group, is_new] = groups.try_emplace(part.group);
      if (is_new) {
        group->second = unique_group_(part.group);
        if (group->second != part.group) group->second = unique_group_(part.group + " in " + without_controls(file));
      }
      part.group = group->second;
    }
    d.parts.parts.push_back(std::move(part));
    d.facts.emplace_back().file = file;
  }
  for (const auto& patterns : loaded.parts.ignore)
    ignored_.push_back({fitting(loaded.parts, patterns[0], first), fitting(loaded.parts, patterns[1], first)});
}

void ClashParts::describe() {
  Progress progress("looking whether parts are closed");
  std::map<const Triangle*, PartFacts> known;  // of models that parts share
  const std::vector<PlacedPart>& parts = described_.parts.parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto [at, is_new] = known.try_emplace(parts[i].model.triangles().data());
    if (is_new) at->second = facts_of(parts[i].model);
    std::string file = std::move(described_.facts[i].file);
    described_.facts[i] = at->second;
    described_.facts[i].file = std::move(file);
    progress.set_share(static_cast<double>(i) / static_cast<double>(parts.size()));
  }
}

}  // namespace tumble::cli
