// SPDX-License-Identifier: Apache-2.0
// The ways to realign, one file each; make_realigner chooses among them.
#pragma once

#include "realign/realigner.h"

#include <memory>

namespace tumble {

std::unique_ptr<Realigner> make_obb_to_obb();
std::unique_ptr<Realigner> make_obb_to_dop(int target_k);
std::unique_ptr<Realigner> make_affine(int source_k, int target_k);
std::unique_ptr<Realigner> make_affine_min(int source_k, int target_k);
std::unique_ptr<Realigner> make_brep_vertices(int source_k, int target_k, std::uint32_t node_count);
std::unique_ptr<Realigner> make_hill_climbing(int source_k, int target_k, SourceSets sets, int levels);
std::unique_ptr<Realigner> make_occupancy(int source_k, int target_k, SourceSets sets);
std::unique_ptr<Realigner> make_sat_lite(int source_k, int target_k);

}  // namespace tumble
