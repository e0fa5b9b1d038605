// SPDX-License-Identifier: Apache-2.0
// Bounds the moved box of each DOP, as SATlite does for an AABB tree (van den Bergen 1997, as described in Fünzig 2003,
// section 2): three of the DOP's slabs bound all of the target's directions.
#include "bounds/directions.h"
#include "bounds/reach.h"
#include "bounds/rows.h"
#include "realign/offset_map.h"
#include "realign/strategies.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numbers>

namespace tumble {
namespace {

constexpr std::size_t lanes = node_lanes;
using BoxRows = std::array<float, 6 * lanes>;

/// No point of a tree has a larger coordinate; the box of a DOP may.
constexpr float beyond_all = static_cast<float>(vertex_reach);

/// Offsets are at most 2·√3, so half the sum of two errs by at most 2^-22; twice that if a factor is rounded, too.
constexpr float rounding = 0x1p-21f;

/// Each axis is half the sum of two diagonals, in two ways: (1,0,0) is ½[(1,1,1) + (1,−1,−1)] and ½[(1,1,−1) +
/// (1,−1,1)]. The tighter one counts.
void box_of_8dop(const float* rows, BoxRows& box) {
  struct Term {
    std::size_t slab;
    bool flipped;
  };
  // Slabs in the order of directions.h: 111, 11−1, 1−11, 1−1−1.
  static constexpr Term pairs[3][2][2] = {{{{0, false}, {3, false}}, {{1, false}, {2, false}}},
                                          {{{0, false}, {2, true}}, {{1, false}, {3, true}}},
                                          {{{0, false}, {1, true}}, {{2, false}, {3, true}}}};
  static_assert(slab_directions<8>[0] == Vec3{1, 1, 1} && slab_directions<8>[1] == Vec3{1, 1, -1} &&
                slab_directions<8>[2] == Vec3{1, -1, 1} && slab_directions<8>[3] == Vec3{1, -1, -1});
  const auto end = [&](const Term& term, bool upper, std::size_t lane) {
    const float value = rows[(upper != term.flipped ? DopRows::upper(term.slab) : DopRows::lower(term.slab)) + lane];
    return term.flipped ? -value : value;
  };
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const auto& [one, other] = pairs[axis];
      box[DopRows::lower(axis) + lane] = std::max(0.5f * (end(one[0], false, lane) + end(one[1], false, lane)),
                                                  0.5f * (end(other[0], false, lane) + end(other[1], false, lane))) -
                                         rounding;
      box[DopRows::upper(axis) + lane] = std::min(0.5f * (end(one[0], true, lane) + end(one[1], true, lane)),
                                                  0.5f * (end(other[0], true, lane) + end(other[1], true, lane))) +
                                         rounding;
    }
}

/// 2φ·(1,0,0) is (φ,0,1) + (φ,0,−1), 2φ·(0,1,0) is (1,φ,0) − (1,−φ,0), and 2φ·(0,0,1) is (0,1,φ) − (0,1,−φ).
void box_of_12dop(const float* rows, BoxRows& box) {
  static_assert(slab_directions<12>[0].z == -slab_directions<12>[3].z &&
                slab_directions<12>[1].x == slab_directions<12>[4].x);
  constexpr auto share = static_cast<float>(0.5 / std::numbers::phi);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const auto lower = [&](std::size_t slab) { return rows[DopRows::lower(slab) + lane]; };
    const auto upper = [&](std::size_t slab) { return rows[DopRows::upper(slab) + lane]; };
    const auto write = [&](std::size_t axis, float from, float to) {
      box[DopRows::lower(axis) + lane] = from - rounding;
      box[DopRows::upper(axis) + lane] = to + rounding;
    };
    write(0, share * (lower(0) + lower(3)), share * (upper(0) + upper(3)));
    write(1, share * (lower(1) - upper(4)), share * (upper(1) - lower(4)));
    write(2, share * (lower(2) - upper(5)), share * (upper(2) - lower(5)));
  }
}

class SatLite final : public Realigner {
 public:
  SatLite(int source_k, int target_k) : source_k_(source_k), map_(6, target_k, Cones::Which::own, 1) {}

  void set_pose(const RelativePose& pose) override { map_.set_pose(pose); }
  void realign(std::uint32_t, const float* source_rows, float* target_rows) override {
    if (has_axes(source_k_)) return map_.apply(source_rows, target_rows);
    BoxRows box;
    source_k_ == 8 ? box_of_8dop(source_rows, box) : box_of_12dop(source_rows, box);
    for (float& end : box) end = std::clamp(end, -beyond_all, beyond_all);
    map_.apply(box.data(), target_rows);
  }

  std::size_t bytes() const override { return sizeof(*this) + map_.bytes(); }

 private:
  int source_k_;
  OffsetMap map_;
};

}  // namespace

std::unique_ptr<Realigner> make_sat_lite(int source_k, int target_k) {
  return std::make_unique<SatLite>(source_k, target_k);
}

}  // namespace tumble
