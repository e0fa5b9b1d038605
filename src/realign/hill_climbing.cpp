// SPDX-License-Identifier: Apache-2.0
// Klosowski's exact method for the first levels (Klosowski 1998, section 4.1): the farthest vertex of the convex hull
// of the node's points, found by climbing along its edges from where the last pose ended. Below those levels, his
// approximation method.
#include "bounds/directions.h"
#include "bounds/rows.h"
#include "geometry/convex_hull.h"
#include "math/rounding.h"
#include "realign/clamp_pose.h"
#include "realign/strategies.h"

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace tumble {
namespace {

constexpr std::size_t lanes = node_lanes;

/// A lane's hull and, for each target slab, its lowest and highest vertices in the last pose.
struct Climb {
  ConvexHull hull;
  std::vector<std::array<std::uint32_t, 2>> ends;
};

class HillClimbing final : public Realigner {
 public:
  HillClimbing(int source_k, int target_k, SourceSets sets, int levels)
      : normals_(directions(target_k)),
        lengths_(direction_lengths(target_k)),
        below_(make_brep_vertices(source_k, target_k, sets.node_count)),
        sets_(std::move(sets)),
        levels_(levels),
        climbs_(sets_.node_count),
        is_below_(sets_.node_count, unknown) {}

  void set_pose(const RelativePose& given) override {
    below_->set_pose(given);
    pose_ = clamp_pose(given);
    const Mat3 back = transpose(pose_.linear);
    for (std::size_t i = 0; i < normals_.size(); ++i) directions_[i] = back * normals_[i];
  }

  void realign(std::uint32_t node, const float* source_rows, float* target_rows) override {
    if (is_below_[node] == unknown) is_below_[node] = sets_.depth(node) >= levels_ ? yes : no;
    if (is_below_[node] == yes) return below_->realign(node, source_rows, target_rows);
    std::unique_ptr<std::array<Climb, lanes>>& climbs = climbs_[node];
    if (!climbs) {
      climbs = prepare(node, source_rows);
      of_nodes_ += sizeof(*climbs);
      for (const Climb& climb : *climbs)
        of_nodes_ += climb.hull.bytes() + climb.ends.capacity() * sizeof(climb.ends[0]);
    }
    for (std::size_t lane = 0; lane < lanes; ++lane)
      if (!(*climbs)[lane].hull.vertices.empty()) climb((*climbs)[lane], target_rows + lane);
  }

  std::size_t bytes() const override {
    const std::size_t depths = is_below_.size();  // which sets_ looks up
    return sizeof(*this) + below_->bytes() + depths + climbs_.capacity() * sizeof(climbs_[0]) +
           is_below_.capacity() * sizeof(IsBelow) + of_nodes_;
  }

 private:
  enum IsBelow : std::uint8_t { unknown, yes, no };

  std::unique_ptr<std::array<Climb, lanes>> prepare(std::uint32_t node, const float* rows) const {
    auto climbs = std::make_unique<std::array<Climb, lanes>>();
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      if (rows[DopRows::lower(0) + lane] > rows[DopRows::upper(0) + lane]) continue;
      (*climbs)[lane].hull = convex_hull(sets_.points(node, static_cast<int>(lane)));
      (*climbs)[lane].ends.resize(normals_.size());
    }
    return climbs;
  }

  // All in double: a projection errs by at most 2^-49·(|n|₁·|t| + |u|·tree_reach); the points themselves may be off by
  // 2^-47 (tree/frame.h).
  void climb(Climb& climb, float* target) const {
    for (std::size_t i = 0; i < normals_.size(); ++i) {
      const Vec3 n = normals_[i], u = directions_[i], t = pose_.translation;
      auto& [lowest, highest] = climb.ends[i];
      lowest = climb.hull.farthest(-u, lowest);
      highest = climb.hull.farthest(u, highest);
      const double along = dot(n, t);
      const double terms = std::abs(n.x * t.x) + std::abs(n.y * t.y) + std::abs(n.z * t.z);
      const double widen =
          lengths_[i] * pose_.margin * (1 + 0x1p-40) + length(u) * (climb.hull.margin + 0x1p-45) + 0x1p-49 * terms;
      target[DopRows::lower(i)] = float_below((along + dot(u, climb.hull.vertices[lowest])) - widen);
      target[DopRows::upper(i)] = float_above((along + dot(u, climb.hull.vertices[highest])) + widen);
    }
  }

  std::span<const Vec3> normals_;
  std::span<const double> lengths_;
  std::unique_ptr<Realigner> below_;
  SourceSets sets_;
  int levels_;
  RelativePose pose_;
  std::array<Vec3, max_k / 2> directions_;                         // the target's normals taken back to the source
  std::vector<std::unique_ptr<std::array<Climb, lanes>>> climbs_;  // of each node above, once needed
  std::vector<IsBelow> is_below_;
  std::size_t of_nodes_ = 0;  // bytes of climbs_
};

}  // namespace

std::unique_ptr<Realigner> make_hill_climbing(int source_k, int target_k, SourceSets sets, int levels) {
  return std::make_unique<HillClimbing>(source_k, target_k, std::move(sets), levels);
}

}  // namespace tumble
