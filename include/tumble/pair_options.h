// SPDX-License-Identifier: Apache-2.0
// PairOptions: how two models are compared. They change speed and counters, never answers.
#pragma once

#include <tumble/cxx20.h>

#include <cstdint>

namespace tumble {

/// How k-DOPs of the moving body are bounded along the standing body's directions.
enum class Realign : std::uint8_t {
  affine,         // three plane offsets per direction, chosen once per pose (Zachmann 1998, 4.1)
  affine_min,     // the smallest of several such triples
  brep_vertices,  // the farthest corner of each DOP (Klosowski 1998, 4.1, approximation method)
  hill_climbing,  // the farthest hull vertex on the first levels, brep_vertices below (Klosowski 1998, 4.1)
  occupancy,      // tables of what lies in each direction's cone (Fünzig 2003, section 3, corrected)
  sat_lite,       // the DOP's own box only (Fünzig 2003, section 2)
};

/// Which of two overlapping volumes is opened.
enum class Descend : std::uint8_t {
  larger_first,
  environment_first,  // Klosowski 1998, Algorithm 1
  restart,            // at a leaf of the environment, restart at its root with the children (Klosowski 1998, 4.2)
  both,               // Zachmann 1998, section 3
};

enum class Coherent : std::uint8_t { automatic, on, off };

/// What only the papers' configurations and research questions need.
struct PaperPairOptions {
  int hill_climbing_levels = 1;  // depths with a hull of their own; 1: the root
  bool remember = true;          // realign each node once per pose, not in every test (Fünzig 2003)
  bool all_box_axes = false;     // test two boxes on all 15 axes (Lin 1996, 4.2.2), not on the 9 that tell most apart

  friend bool operator==(const PaperPairOptions&, const PaperPairOptions&) = default;
};

/// One of these is worth knowing: `coherent`. The others trade one published rule for another.
struct PairOptions {
  Realign realign = Realign::affine;
  Descend descend = Descend::larger_first;
  Coherent coherent = Coherent::automatic;  // start from where the last query ended
  PaperPairOptions paper{};

  friend bool operator==(const PairOptions&, const PairOptions&) = default;
};

/// Throws Error(invalid_argument), naming the option, its value and what is allowed.
void check(const PairOptions& options);

const char* name(Realign);
const char* name(Descend);
const char* name(Coherent);

}  // namespace tumble
