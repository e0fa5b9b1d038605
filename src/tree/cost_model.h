// SPDX-License-Identifier: Apache-2.0
// What the operations of a walk cost, in nanoseconds: the constants of T = Nv·Cv + Np·Cp + Nu·Cu (Klosowski 1998,
// section 3.1; Gottschalk 1996).
#pragma once

namespace tumble::cost_model {

// As flights over trees with leaves of many sizes show them (lab/leaf_sizes.cpp, AVX-512 machine); their ratio is what
// matters. Realignments rise and fall with overlap tests, so one figure holds both.
inline constexpr double obb_lane = 17;        // Cv + Cu: one of eight lanes of a node that is opened
inline constexpr double dop_lane = 27;        // the same for k-DOPs
inline constexpr double triangle_pair = 2.8;  // Cp: one pair through the leaf filter
inline constexpr int largest_leaf = 16;       // pairs of leaves cost the product of their sizes

}  // namespace tumble::cost_model
