// SPDX-License-Identifier: Apache-2.0
// Flown: a scene with the poses of its flight, and what a configuration of trees costs along them.
#pragma once

#include "lab/table.h"
#include "scenes/catalog.h"

#include <tumble/presets.h>
#include <tumble/query.h>

#include <cstddef>
#include <string_view>
#include <vector>

namespace tumble::lab {

struct Flown {
  scenes::Scene scene;
  scenes::Flight path;
};

/// Makes a scene of the catalog or one that falls; a billiard is steered by exact answers, and so is a fall, so the
/// poses do not depend on any configuration.
Flown fly(std::string_view name, const scenes::SceneOptions& options = {});

/// How trees are built and compared.
struct Configuration {
  TreeOptions environment, object;
  PairOptions pair;

  Configuration(const TreeOptions& both, const PairOptions& pair_options = {})  // NOLINT(google-explicit-constructor)
      : environment(both), object(both), pair(pair_options) {}
  Configuration(const Preset& preset)  // NOLINT(google-explicit-constructor)
      : environment(preset.environment), object(preset.object), pair(preset.pair) {}

  Configuration with_k(int k) const;
};

enum class Asked { any, all };

struct Measurement {
  double microseconds = 0;        // per pose: processor time of the fastest pass over the poses
  Counters counters;              // over all poses
  std::size_t contacts = 0;       // Asked::all: over all poses
  std::size_t colliding = 0;      // poses
  double build_ms = 0;            // processor time of one thread for the environment's tree
  std::size_t bytes = 0;          // of the environment's model
  std::vector<double> step_us{};  // if asked for: by the clock, the smallest of the passes
};

struct Effort {
  double seconds = 0.3;  // passes are repeated until so much processor time is spent on them
  int passes = 2;        // at least
  bool each_step = false;
};

/// Both models of a scene, built for a configuration.
struct Trees {
  Model environment, object;
  double build_ms = 0;  // of the environment, as above
};
Trees build(const Flown& flown, const Configuration& configuration);

/// Counts in one pass and times the others.
Measurement measure(const Flown& flown, const Trees& trees, const PairOptions& options, Asked query,
                    const Effort& effort = {});
inline Measurement measure(const Flown& flown, const Configuration& configuration, Asked query,
                           const Effort& effort = {}) {
  return measure(flown, build(flown, configuration), configuration.pair, query, effort);
}

/// Every choice in it, and a scene's: what a journal tells rows apart by.
Json to_json(const Configuration& configuration);
Json to_json(const scenes::SceneOptions& options);

/// What most tables show: us, nv, nu, np per pose; contacts, colliding, build_ms and bytes in all.
Row to_row(const Measurement& measured, std::size_t poses);
/// Their columns, without the key's.
std::vector<Column> flight_columns();

/// Processor time of this thread, in seconds: others on the machine count little.
double thread_seconds();

}  // namespace tumble::lab
