// SPDX-License-Identifier: Apache-2.0
// Clashes: which parts of an assembly are in each other, in one place, in contact or too close. Link tumble::io.
#pragma once

#include <tumble/budget.h>
#include <tumble/parts.h>
#include <tumble/vec.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tumble {

/// What two parts are to each other: the first that fits (docs/semantics.md, "Clash classes").
enum class ClashClass : std::uint8_t {
  duplicate,  // each surface is within the tolerance, or 1e-9 of the size, of the other
  contained,  // they overlap, and one minus the other has no volume
  piercing,   // they overlap by more than the tolerance
  touching,   // in contact
  too_close,  // the gap is at most the clearance
  clear,
};

/// "too close" has a space.
const char* name(ClashClass kind);

/// One pair of parts.
struct Clash {
  std::size_t a = 0, b = 0;  // by their place in Parts::parts; a < b
  ClashClass kind = ClashClass::clear;
  /// A part is not closed, so it has no inside: nothing is contained or overlaps, a crossing is piercing, and there is
  /// no depth.
  bool not_closed = false;
  std::size_t contacts = 0;  // pairs of triangles in contact
  /// The distance of the solids, or of the surfaces if a part is not closed. None if they have a common point or are
  /// clear.
  std::optional<double> gap{};
  /// Holds the overlap depth: the diameter of the largest ball inside both.
  struct Depth {
    double lower = 0, upper = 0;
  };
  std::optional<Depth> depth{};  // where two closed parts overlap
  Vec3 point{};                  // the centre of a ball in both, else a point of a contact, else between the closest
};

struct ClashOptions {
  double clearance = 0;  // parts at most this far apart are too close
  double tolerance = 0;  // an overlap up to this depth counts as touching
  /// For the overlap depth of one pair, once it is known that they overlap: its node pairs are searches for points and
  /// triangles near a point. All else is decided to the end. A depth that a budget of time leaves open may differ from
  /// run to run.
  Budget depth_budget{};
  /// Of the overlap depth: its largest final upper - lower. 0: a thousandth of the smaller part's size. It is made
  /// finer for a pair whose depth may be on either side of the tolerance.
  double depth_precision = 0;
  int threads = 0;  // 0: all cores
  /// Two patterns: only pairs of a part that fits one and a part that fits the other, by its own name or its group's.
  std::optional<std::array<std::string, 2>> between{};
  /// Pairs that are not tested, beside those that `parts` ignores by name: each part of the one list with each of the
  /// other, by their place in Parts::parts.
  std::vector<std::array<std::vector<std::size_t>, 2>> ignore{};

  // For long work. Calls come from several threads, one at a time.

  /// How many of the pairs that may clash are done. Returns false to stop.
  std::function<bool(std::size_t done, std::size_t of)> progress{};
  /// Told each pair that may clash as soon as it is known, also if it is clear; in any order.
  std::function<void(const Clash&)> each{};
  /// Whether a pair was told to `each` in earlier work. Such a pair is not tested, told, listed or counted again.
  std::function<bool(std::size_t a, std::size_t b)> is_known{};
};

struct Clashes {
  std::vector<Clash> pairs;  // sorted by a, then b, without those that are clear
  std::size_t clear = 0;     // how many pairs are
  bool finished = true;      // otherwise `progress` stopped it, and some pairs are neither listed nor counted
};

/// Tests every part against every other, but those of one group and those that are ignored; whether parts move does not
/// matter. The time grows with the number of pairs that are near, not with that of all pairs. The answer does not
/// depend on the number of threads. Throws Error(invalid_argument) for options out of range, for a pattern of `between`
/// that no part or group fits, for a part to ignore that is not there, and as check(parts) does.
Clashes find_clashes(const Parts& parts, const ClashOptions& options = {});

}  // namespace tumble
