// SPDX-License-Identifier: Apache-2.0
// OBBs of a tree. Frames are chosen from summaries that merge upward; extents always from all triangles.
#include "bounds/obb_fit.h"
#include "core/parallel.h"
#include "tree/fit_bounds.h"
#include "tree/topology.h"

#include <vector>

namespace tumble {
namespace {

/// Up to so many triangles are looked at one by one; more are known by their summary.
constexpr std::size_t few = 8;

/// What is known of a set of triangles: enough to choose a frame by.
struct Summary {
  ObbMoments moments;
  ExtremePoints extremes;  // numbers of the mesh's vertices

  void add(const BuildInput& input, std::uint32_t triangle) {
    const CornersOfTriangle t = input.corners(triangle);
    moments.add(t[0], t[1], t[2]);
    for (const std::uint32_t v : input.triangles[triangle]) extremes.add(input.points[v], v);
  }
  void merge(const Summary& other) {
    moments.merge(other.moments);
    extremes.merge(other.extremes);
  }
};

std::vector<CornersOfTriangle> gather(const BuildInput& input, std::span<const std::uint32_t> triangles) {
  std::vector<CornersOfTriangle> corners;
  corners.reserve(triangles.size());
  for (const std::uint32_t t : triangles) corners.push_back(input.corners(t));
  return corners;
}

std::vector<Vec3> representatives(const BuildInput& input, const Summary& summary) {
  std::array<std::uint32_t, ExtremePoints::count> storage;
  std::vector<Vec3> points;
  for (const std::uint32_t v : summary.extremes.numbers(storage)) points.push_back(input.points[v]);
  return points;
}

Obb fit_hull(const BuildInput& input, std::span<const std::uint32_t> triangles) {
  std::vector<Vec3> points;
  points.reserve(3 * triangles.size());
  for (const std::uint32_t t : triangles)
    for (const Vec3& corner : input.corners(t)) points.push_back(corner);
  return fit_covariance(points);
}

Obb fit_around(const BuildInput& input, const Mat3& frame, std::span<const std::uint32_t> triangles) {
  ObbExtents extents(frame);
  for (const std::uint32_t t : triangles)
    for (const Vec3& corner : input.corners(t)) extents.add(corner);
  return extents.finish();
}

void write_lane(float* rows, std::size_t lane, const Obb& box) {
  for (std::size_t i = 0; i < 3; ++i) {
    rows[8 * i + lane] = box.center[i];
    rows[8 * (3 + i) + lane] = box.half[i];
    for (std::size_t j = 0; j < 3; ++j) rows[8 * (6 + 3 * i + j) + lane] = box.axes[i][j];
  }
}

/// Far from everything, small, and finite: realigning or measuring an empty lane makes neither NaN nor infinity.
constexpr Obb outside{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {1e15f, 1e15f, 1e15f}, {0, 0, 0}};

class ObbFitter {
 public:
  ObbFitter(const BuildInput& input, const WideTree& wide, std::span<const std::uint32_t> order, std::byte* nodes)
      : input_(input), wide_(wide), order_(order), nodes_(nodes) {}

  /// Fits the lanes of a node and of all below it; lanes in parallel, their summaries merged in order.
  Summary fit(std::uint32_t index) {
    const WideNode& node = wide_.nodes[index];
    const auto used = static_cast<std::size_t>(node.used);
    std::array<Summary, Tree::lanes> summaries;
    std::uint32_t count = 0;
    for (std::size_t lane = 0; lane < used; ++lane) count += node.lanes[lane].count;
    parallel_for(used, count >= parallel_threshold ? 1 : used,
                 [&](std::size_t lane) { summaries[lane] = fit_lane(index, lane); });
    for (std::size_t lane = used; lane < Tree::lanes; ++lane) write_lane(rows(index), lane, outside);
    for (std::size_t lane = 1; lane < used; ++lane) summaries[0].merge(summaries[lane]);
    return summaries[0];
  }

 private:
  Summary fit_lane(std::uint32_t index, std::size_t lane) {
    const WideLane& l = wide_.nodes[index].lanes[lane];
    const std::span<const std::uint32_t> triangles = order_.subspan(l.first, l.count);
    Summary summary;
    if (!l.child.is_leaf()) {
      summary = fit(l.child.index());
    } else {
      for (const std::uint32_t t : triangles) summary.add(input_, t);
    }
    Obb box;
    if (input_.options.obb_fit == ObbFit::hull_covariance) {
      box = fit_hull(input_, triangles);
    } else if (triangles.size() <= few) {
      std::array<CornersOfTriangle, few> corners;
      for (std::size_t i = 0; i < triangles.size(); ++i) corners[i] = input_.corners(triangles[i]);
      box = fit_around(input_, smallest_frame(std::span(corners.data(), triangles.size())), triangles);
    } else {
      box = fit_around(input_, smallest_frame(summary.moments, representatives(input_, summary)), triangles);
    }
    write_lane(rows(index), lane, box);
    return summary;
  }

  float* rows(std::uint32_t index) const {
    return reinterpret_cast<float*>(nodes_ + index * Tree::node_bytes_of(Bound::obb, 0));
  }

  const BuildInput& input_;
  const WideTree& wide_;
  std::span<const std::uint32_t> order_;
  std::byte* nodes_;
};

}  // namespace

void fit_obbs(const BuildInput& input, const WideTree& wide, std::span<const std::uint32_t> order, std::byte* nodes) {
  ObbFitter(input, wide, order, nodes).fit(0);
}

Obb fit_obb(const BuildInput& input, std::span<const std::uint32_t> triangles) {
  if (input.options.obb_fit == ObbFit::hull_covariance) return fit_hull(input, triangles);
  return fit_smallest(gather(input, triangles));
}

}  // namespace tumble
