// SPDX-License-Identifier: Apache-2.0
// What tumble clash has found, as its text and its files show it.
#pragma once

#include "cli/json.h"
#include "cli/output.h"

#include <tumble/clash.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tumble::cli {

inline constexpr std::size_t listed_classes = 5;  // all but clear

/// What is told of a part beside its name.
struct PartFacts {
  std::string file;
  bool closed = true;
  std::size_t open_edges = 0;
  double size = 0;  // the diagonal of its box
};

struct Finding {
  Clash clash;
  bool allowed = false;  // by --allow
  bool known = false;    // in the baseline, with this class
  bool fails = false;    // of a class to fail on, and neither allowed nor known
};

struct ClashFindings {
  Parts parts;                      // with names that are unique and can be printed
  std::vector<PartFacts> facts;     // of each part
  std::vector<std::string> inputs;  // as they were given
  std::size_t files = 0, unknown_files = 0;
  std::optional<double> deflection;  // of STEP files
  double clearance = 0, tolerance = 0;
  std::vector<Finding> pairs;  // sorted by a, then b
  std::size_t clear = 0;

  std::array<std::size_t, listed_classes> per_class() const;
  std::size_t count(bool Finding::*which) const;
};

/// For people, on standard output.
void print(const ClashFindings& findings);

// For programs. The outputs are not finished yet, so that all can be put in their places together.

/// docs/schemas/clash.schema.json; `options` as they were given.
void write_json(Output& out, const ClashFindings& findings, const Json& options);
void write_csv(Output& out, const ClashFindings& findings);
/// One test case for each listed pair; those that are allowed or known count as skipped.
void write_junit(Output& out, const ClashFindings& findings);

}  // namespace tumble::cli
