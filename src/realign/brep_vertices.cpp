// SPDX-License-Identifier: Apache-2.0
// Klosowski's approximation method (Klosowski 1998, section 4.1): the farthest corners of the moved DOP itself. Corners
// are computed once per node, on first use, and kept across poses.
#include "bounds/dop_brep.h"
#include "bounds/lanes.h"
#include "math/rounding.h"
#include "realign/clamp_pose.h"
#include "realign/strategies.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "realign/brep_vertices.cpp"
#include "simd/foreach_target.h"
#include "simd/lanes-inl.h"

#ifndef TUMBLE_REALIGN_BREP_VERTICES_ONCE
#define TUMBLE_REALIGN_BREP_VERTICES_ONCE
namespace tumble {

/// One target slab: its normal taken back to the source, u = Lᵀn, its length, and the shifts of both ends.
struct SupportSlab {
  float direction[3], length, lower, upper;
};

/// The corners of eight DOPs side by side. Lanes with fewer corners repeat some.
struct Corners8 {
  static constexpr std::size_t lanes = node_lanes, corner_floats = 3 * lanes;

  std::vector<float> xyz;                // rows of x, y and z for each corner
  alignas(32) float margin[lanes] = {};  // the most the set reaches beyond its corners
};

}  // namespace tumble
#endif

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

void farthest_corners(const SupportSlab* slabs, std::size_t count, const Corners8& corners, float* target) {
  using Floats = Lanes<float, node_lanes>;
  const float* const first = corners.xyz.data();
  const float* const last = first + corners.xyz.size();
  const Floats margin = Floats::load(corners.margin);
  for (std::size_t i = 0; i < count; ++i) {
    const SupportSlab& slab = slabs[i];
    const Floats ux = Floats::broadcast(slab.direction[0]), uy = Floats::broadcast(slab.direction[1]),
                 uz = Floats::broadcast(slab.direction[2]);
    Floats least = Floats::broadcast(std::numeric_limits<float>::max());
    Floats most = Floats::broadcast(std::numeric_limits<float>::lowest());
    for (const float* corner = first; corner != last; corner += Corners8::corner_floats) {
      const Floats x = Floats::load(corner), y = Floats::load(corner + node_lanes),
                   z = Floats::load(corner + 2 * node_lanes);
      const Floats along = ux * x + (uy * y + uz * z);
      least = min(least, along);
      most = max(most, along);
    }
    const Floats beyond = margin * Floats::broadcast(slab.length);
    ((least - beyond) + Floats::broadcast(slab.lower)).store(target + DopRows::lower(i));
    ((most + beyond) + Floats::broadcast(slab.upper)).store(target + DopRows::upper(i));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {
namespace {

HWY_EXPORT(farthest_corners);

constexpr std::size_t lanes = Corners8::lanes;

/// The corners of a lane. `margin` covers their rounding to float: less than 2^-23 of the largest coordinate.
std::vector<Vec3> corners_of(std::span<const float> lower, std::span<const float> upper, int k, float& margin) {
  if (lower[0] > upper[0]) return {Vec3{}};
  Polytope brep = boundary(lower, upper, k, IntersectBy::clipping);
  if (brep.vertices.empty()) {
    const SlabCentre centre = slab_centre(lower, upper, k);
    brep.vertices = {centre.point};
    brep.margin = centre.reach;
  }
  double size = 0;
  for (const Vec3& v : brep.vertices) size = std::max({size, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  margin = float_above((brep.margin + 0x1p-23 * size) * (1 + 0x1p-20));
  return brep.vertices;
}

class BrepVertices final : public Realigner {
 public:
  BrepVertices(int source_k, int target_k, std::uint32_t node_count)
      : source_k_(source_k),
        normals_(directions(target_k)),
        lengths_(direction_lengths(target_k)),
        corners_(node_count) {}

  // Rounding u to float and three products and sums err by less than 5·2^-24·|u|·|x|, where corners x of an octahedron
  // around a tree reach to 3·tree_reach. Adding the margin and the shift errs by 2·2^-24 of each.
  void set_pose(const RelativePose& given) override {
    const RelativePose pose = clamp_pose(given);
    const Mat3 back = transpose(pose.linear);
    for (std::size_t i = 0; i < normals_.size(); ++i) {
      const Vec3 n = normals_[i], u = back * n, t = pose.translation;
      const double size = length(u), along = dot(n, t);
      const double terms = std::abs(n.x * t.x) + std::abs(n.y * t.y) + std::abs(n.z * t.z);
      const double widen = lengths_[i] * pose.margin * (1 + 0x1p-40) + 8 * 0x1p-24 * 3 * tree_reach * size +
                           2 * 0x1p-24 * std::abs(along) + 0x1p-49 * (terms + size) +
                           static_cast<double>(std::numeric_limits<float>::min());
      slabs_[i] = {{static_cast<float>(u.x), static_cast<float>(u.y), static_cast<float>(u.z)},
                   float_above(size * (1 + 0x1p-20)),
                   float_below(along - widen),
                   float_above(along + widen)};
    }
  }

  void realign(std::uint32_t node, const float* source_rows, float* target_rows) override {
    std::unique_ptr<Corners8>& corners = corners_[node];
    if (!corners) {
      corners = find_corners(source_rows);
      of_nodes_ += sizeof(Corners8) + corners->xyz.capacity() * sizeof(float);
    }
    HWY_DYNAMIC_DISPATCH(farthest_corners)(slabs_.data(), normals_.size(), *corners, target_rows);
  }

  std::size_t bytes() const override { return sizeof(*this) + corners_.capacity() * sizeof(corners_[0]) + of_nodes_; }

 private:
  std::unique_ptr<Corners8> find_corners(const float* rows) const {
    auto found = std::make_unique<Corners8>();
    std::array<std::vector<Vec3>, lanes> each;
    std::size_t most = 1;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const LaneSlabs slabs = lane_slabs(rows, source_k_, lane);
      each[lane] = corners_of(slabs.lowers(), slabs.uppers(), source_k_, found->margin[lane]);
      most = std::max(most, each[lane].size());
    }
    found->xyz.resize(Corners8::corner_floats * most);
    for (std::size_t lane = 0; lane < lanes; ++lane)
      for (std::size_t i = 0; i < most; ++i) {
        const Vec3& v = each[lane][std::min(i, each[lane].size() - 1)];
        for (int axis = 0; axis < 3; ++axis)
          found->xyz[Corners8::corner_floats * i + lanes * static_cast<std::size_t>(axis) + lane] =
              static_cast<float>(v[axis]);
      }
    return found;
  }

  int source_k_;
  std::span<const Vec3> normals_;
  std::span<const double> lengths_;
  std::array<SupportSlab, max_k / 2> slabs_{};
  std::vector<std::unique_ptr<Corners8>> corners_;  // of each node, once needed
  std::size_t of_nodes_ = 0;                        // their bytes
};

}  // namespace

std::unique_ptr<Realigner> make_brep_vertices(int source_k, int target_k, std::uint32_t node_count) {
  return std::make_unique<BrepVertices>(source_k, target_k, node_count);
}

}  // namespace tumble
#endif
