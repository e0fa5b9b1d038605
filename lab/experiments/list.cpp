// SPDX-License-Identifier: Apache-2.0
// The experiments in the order of the papers, then the studies.
#include "lab/experiments/all.h"

#include "io/suggest.h"

#include <tumble/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tumble::lab {

std::span<const Experiment> experiments() {
  static const std::vector<Experiment> all = [] {
    std::vector<Experiment> list{table1(),
                                 table2(),
                                 table3(),
                                 table4(),
                                 table5(),
                                 table6(),
                                 table7(),
                                 fig3(),
                                 zachmann1998(),
                                 fuenzig2003(),
                                 fuenzig2003_distance()};
    for (Experiment& study : studies()) list.push_back(std::move(study));
    list.push_back(peers());
    list.push_back(cliffs());
    list.push_back(worlds());
    list.push_back(clash());
    list.push_back(lin1996());
    list.push_back(lin1996_boxes());
    list.push_back(lin1996_hulls());
    list.push_back(robots());
    list.push_back(first_contacts());
    list.push_back(neighbours());
    list.push_back(convex());
    list.push_back(speed());
    for (auto* const part : {loading, triangles, points, trees, tightness}) list.push_back(part());
    return list;
  }();
  return all;
}

const Experiment& experiment(std::string_view name) {
  for (const Experiment& e : experiments())
    if (e.name == name) return e;
  std::vector<std::string> names;
  for (const Experiment& e : experiments()) names.push_back(e.name);
  throw Error(ErrorCode::invalid_argument, fmt::format("no experiment is named '{}'; there are {}{}", name,
                                                       fmt::join(names, ", "), io::did_you_mean(name, names)));
}

}  // namespace tumble::lab
