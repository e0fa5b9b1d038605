// SPDX-License-Identifier: Apache-2.0
// What the operations of a walk cost, in nanoseconds: the constants of T = Nv·Cv + Np·Cp + Nu·Cu (Klosowski 1998,
// section 3.1; Gottschalk 1996).
#pragma once

namespace tumble::cost_model {

// Measured per pair on an AVX-512 machine by the kernel benchmarks of the lab; their ratio is what matters.
inline constexpr double overlap = 3.0;        // Cv: one volume against one of eight lanes
inline constexpr double realignment = 2.0;    // Cu: one of eight lanes
inline constexpr double triangle_pair = 1.7;  // Cp: one pair through the leaf filter
inline constexpr int largest_leaf = 16;       // pairs of leaves cost the product of their sizes

}  // namespace tumble::cost_model
