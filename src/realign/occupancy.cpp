// SPDX-License-Identifier: Apache-2.0
// Fünzig's realignment (Fünzig 2003, section 3). Each direction has a table: how far from the direction, within a cone,
// lie the node's points that are far out, seen from their centre of mass? The table of the nearest old direction
// answers for a new one. Tables need the points; they are made on first use and kept across poses.
//
// Equations 4 to 8 as printed lose points (tests/realign/printed_occupancy_test.cpp): rings uniform in the cosine are
// not uniform in the angle between two directions within them, an empty outer region does not make a·d a bound, and the
// last ring is never read. The code keeps the idea, with bounds that hold. With unit directions D_h, v = p − c, e_h =
// max D_h·v, a the cosine of the cones, rings of cosine a_0 = 1 > … > a_31 = a, and a unit direction u with s = D_h·u
// >= a, q = √(1 − s²):
// - v in the cone with |v| <= a·e_h: u·v <= a·e_h;
// - v in the cone and farther out: up to ring J its part across D_h is at most t_J = √(1 − a_J²)/a_J of its part along
//   D_h, so u·v <= e_h·(s + q·t_J). Of the occupancy bits only the outermost, J, matters;
// - v outside the cone: let l be its projected length on the cone's shell. The angle between v and u is that between v
//   and the shell plus that between the shell and u, so u·v <= l·(a·s + √(1 − a²)·q) if l > 0, and u·v <= 0 otherwise.
#include "bounds/dop.h"
#include "bounds/lanes.h"
#include "math/rounding.h"
#include "realign/clamp_pose.h"
#include "realign/occupancy_cones.h"
#include "realign/strategies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "realign/occupancy.cpp"
#include "simd/foreach_target.h"
#include "simd/lanes-inl.h"

#ifndef TUMBLE_REALIGN_OCCUPANCY_ONCE
#define TUMBLE_REALIGN_OCCUPANCY_ONCE
namespace tumble {

/// Rows of eight lanes for one source direction; the three bounds above are multiples of them.
struct OccupancyRows {
  float extent[node_lanes];      // e_h
  float far_extent[node_lanes];  // e_h, or 0 where no point in the cone is far out
  float far_across[node_lanes];  // e_h·t_J, or 0
  float shell[node_lanes];       // the largest projected length outside the cone, or 0
};

struct OccupancyTables {
  float centre[3][node_lanes];
  std::vector<OccupancyRows> directions;  // of slab i: 2i up, 2i + 1 down
};

/// One target slab: its normal taken back to the source, u, the directions that answer for it, and the shifts.
struct OccupancySlab {
  float direction[3];
  float of_extent, of_far_extent, of_far_across, of_shell;  // times |u|
  float lower, upper;
  std::uint32_t up, down;  // directions nearest to u and −u
};

}  // namespace tumble
#endif

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

HWY_INLINE Lanes<float, node_lanes> occupancy_reach(const OccupancySlab& slab, const OccupancyRows& rows) {
  using Floats = Lanes<float, node_lanes>;
  const Floats near_by = Floats::broadcast(slab.of_extent) * Floats::load(rows.extent);
  const Floats far_out = Floats::broadcast(slab.of_far_extent) * Floats::load(rows.far_extent) +
                         Floats::broadcast(slab.of_far_across) * Floats::load(rows.far_across);
  return max(max(near_by, far_out), Floats::broadcast(slab.of_shell) * Floats::load(rows.shell));
}

void occupancy(const OccupancySlab* slabs, std::size_t count, const OccupancyTables& tables, float* target) {
  using Floats = Lanes<float, node_lanes>;
  const Floats x = Floats::load(tables.centre[0]), y = Floats::load(tables.centre[1]),
               z = Floats::load(tables.centre[2]);
  for (std::size_t i = 0; i < count; ++i) {
    const OccupancySlab& slab = slabs[i];
    const Floats centre = Floats::broadcast(slab.direction[0]) * x +
                          (Floats::broadcast(slab.direction[1]) * y + Floats::broadcast(slab.direction[2]) * z);
    const Floats up = occupancy_reach(slab, tables.directions[slab.up]);
    const Floats down = occupancy_reach(slab, tables.directions[slab.down]);
    ((centre - down) + Floats::broadcast(slab.lower)).store(target + DopRows::lower(i));
    ((centre + up) + Floats::broadcast(slab.upper)).store(target + DopRows::upper(i));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {
namespace {

HWY_EXPORT(occupancy);

constexpr std::size_t lanes = node_lanes;
constexpr int rings = 32;

/// Bounds of the roundings of unit vectors, projections and the points themselves: in tree units, and as a factor.
constexpr double build_error = 0x1p-40;
constexpr double float_factor = 1 + 0x1p-20;

class Occupancy final : public Realigner {
 public:
  Occupancy(int source_k, int target_k, SourceSets sets)
      : source_k_(source_k),
        aperture_(covering_cosine(source_k)),
        across_(std::sqrt(1 - aperture_ * aperture_)),
        normals_(directions(target_k)),
        lengths_(direction_lengths(target_k)),
        sets_(std::move(sets)),
        tables_(sets_.node_count) {
    const std::span<const Vec3> source = directions(source_k);
    const std::span<const double> lengths = direction_lengths(source_k);
    for (std::size_t i = 0; i < source.size(); ++i) {
      units_.push_back(source[i] / lengths[i]);
      units_.push_back(-source[i] / lengths[i]);
    }
  }

  // The sums round as in brep_vertices.cpp.
  void set_pose(const RelativePose& given) override {
    const RelativePose pose = clamp_pose(given);
    const Mat3 back = transpose(pose.linear);
    for (std::size_t i = 0; i < normals_.size(); ++i) {
      const Vec3 n = normals_[i], u = back * n, t = pose.translation;
      const double size = length(u), along = dot(n, t);
      std::uint32_t nearest = 0;
      for (std::uint32_t h = 1; h < units_.size(); ++h)
        if (dot(units_[h], u) > dot(units_[nearest], u)) nearest = h;
      const double s = std::min(1.0, dot(units_[nearest], u) / size), q = std::sqrt(1 - s * s);
      const double terms = std::abs(n.x * t.x) + std::abs(n.y * t.y) + std::abs(n.z * t.z);
      const double widen = lengths_[i] * pose.margin * (1 + 0x1p-40) + 8 * 0x1p-24 * 3 * tree_reach * size +
                           2 * 0x1p-24 * std::abs(along) + 0x1p-49 * (terms + size) +
                           static_cast<double>(std::numeric_limits<float>::min());
      const auto times_size = [size](double factor) { return float_above(size * (factor + 0x1p-40) * float_factor); };
      slabs_[i] = {{static_cast<float>(u.x), static_cast<float>(u.y), static_cast<float>(u.z)},
                   times_size(aperture_),
                   times_size(s),
                   times_size(q),
                   times_size(aperture_ * s + across_ * q),
                   float_below(along - widen),
                   float_above(along + widen),
                   nearest,
                   nearest ^ 1u};
    }
  }

  void realign(std::uint32_t node, const float* source_rows, float* target_rows) override {
    std::unique_ptr<OccupancyTables>& tables = tables_[node];
    if (!tables) {
      tables = make_tables(node, source_rows);
      of_nodes_ += sizeof(OccupancyTables) + tables->directions.capacity() * sizeof(OccupancyRows);
    }
    HWY_DYNAMIC_DISPATCH(occupancy)(slabs_.data(), normals_.size(), *tables, target_rows);
  }

  std::size_t bytes() const override {
    return sizeof(*this) + units_.capacity() * sizeof(Vec3) + tables_.capacity() * sizeof(tables_[0]) + of_nodes_;
  }

 private:
  std::unique_ptr<OccupancyTables> make_tables(std::uint32_t node, const float* rows) const {
    auto tables = std::make_unique<OccupancyTables>();
    tables->directions.resize(units_.size());
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const LaneSlabs slabs = lane_slabs(rows, source_k_, lane);
      if (slabs.lower[0] > slabs.upper[0]) continue;
      std::vector<Vec3> points = sets_.points(node, static_cast<int>(lane));
      Vec3 mass;
      for (const Vec3& p : points) mass += p;
      Vec3 centre;
      for (int axis = 0; axis < 3; ++axis) {
        tables->centre[axis][lane] = static_cast<float>(mass[axis] / static_cast<double>(points.size()));
        centre[axis] = tables->centre[axis][lane];
      }
      for (Vec3& p : points) p -= centre;
      for (std::size_t h = 0; h < units_.size(); ++h) fill(tables->directions[h], lane, units_[h], points);
    }
    return tables;
  }

  void fill(OccupancyRows& rows, std::size_t lane, Vec3 unit, const std::vector<Vec3>& points) const {
    double extent = 0, shell = 0;
    for (const Vec3& v : points) extent = std::max(extent, dot(unit, v));
    double least_cosine = 1;  // of points in the cone that are far out
    bool is_any_far = false;
    for (const Vec3& v : points) {
      const double size = length(v), along = dot(unit, v);
      if (along >= aperture_ * size) {
        if (!(size > aperture_ * extent)) continue;
        least_cosine = std::min(least_cosine, along / size);
        is_any_far = true;
      } else {
        const double off = length(cross(unit, v));
        shell = std::max(shell, aperture_ * along + across_ * off);
      }
    }
    const auto stored = [](double value) { return float_above((value + build_error) * float_factor); };
    rows.extent[lane] = stored(extent);
    rows.far_extent[lane] = is_any_far ? stored(extent) : 0;
    rows.far_across[lane] = is_any_far ? stored(extent * tangent(outermost_ring(least_cosine))) : 0;
    rows.shell[lane] = stored(shell);
  }

  double ring_cosine(int ring) const { return 1 - ring * (1 - aperture_) / (rings - 1); }
  int outermost_ring(double cosine) const {
    const double ring = std::ceil((1 - cosine) / (1 - aperture_) * (rings - 1) + 1e-9);
    return static_cast<int>(std::min<double>(ring, rings - 1));
  }
  double tangent(int ring) const {
    const double cosine = ring_cosine(ring);
    return std::sqrt(1 - cosine * cosine) / cosine;
  }

  int source_k_;
  double aperture_, across_;  // cosine and sine of the cones
  std::span<const Vec3> normals_;
  std::span<const double> lengths_;
  std::vector<Vec3> units_;  // source directions and their opposites, in turn
  SourceSets sets_;
  std::array<OccupancySlab, max_k / 2> slabs_{};
  std::vector<std::unique_ptr<OccupancyTables>> tables_;  // of each node, once needed
  std::size_t of_nodes_ = 0;                              // their bytes
};

}  // namespace

std::unique_ptr<Realigner> make_occupancy(int source_k, int target_k, SourceSets sets) {
  return std::make_unique<Occupancy>(source_k, target_k, std::move(sets));
}

}  // namespace tumble
#endif
