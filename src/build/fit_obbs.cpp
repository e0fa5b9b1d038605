// SPDX-License-Identifier: Apache-2.0
// OBBs of a tree. Summaries, merged upward, choose the frames; all triangles decide the extents.
#include "bounds/lanes.h"
#include "bounds/obb_fit.h"
#include "build/fit_bounds.h"
#include "build/topology.h"
#include "core/parallel.h"

#include <vector>

namespace tumble {
namespace {

/// For up to this many triangles the frame is chosen from all of them, for more from their summary.
constexpr std::size_t few = 8;

/// Summarises a set of triangles: enough to choose a frame.
struct Summary {
  ObbMoments moments;
  ExtremePoints extremes;                      // numbers of the mesh's vertices
  std::uint32_t leaf_begin = 0, leaf_end = 0;  // the leaves that hold the set

  void merge(const Summary& next) {
    moments.merge(next.moments);
    extremes.merge(next.extremes);
    leaf_end = next.leaf_end;
  }
};

std::vector<CornersOfTriangle> gather(const BuildInput& input, std::span<const std::uint32_t> triangles) {
  std::vector<CornersOfTriangle> corners;
  corners.reserve(triangles.size());
  for (const std::uint32_t t : triangles) corners.push_back(input.corners(t));
  return corners;
}

Obb fit_by_covariance(const BuildInput& input, std::span<const std::uint32_t> triangles) {
  std::vector<Vec3> corners;
  corners.reserve(3 * triangles.size());
  for (const std::uint32_t t : triangles)
    for (const Vec3& corner : input.corners(t)) corners.push_back(corner);
  return fit_covariance(corners, input.options.paper.obb_fit);
}

Obb fit_around(const BuildInput& input, const Mat3& frame, std::span<const std::uint32_t> vertices) {
  ObbExtents extents(frame);
  for (const std::uint32_t v : vertices) extents.add(input.points[v]);
  return extents.finish();
}

/// The frame of a set from its summary; the extreme points represent the set.
Mat3 frame_of_many(const BuildInput& input, const Summary& summary) {
  std::array<std::uint32_t, ExtremePoints::count> storage;
  std::array<Vec3, ExtremePoints::count> points;
  const std::span<const std::uint32_t> numbers = summary.extremes.numbers(storage);
  for (std::size_t i = 0; i < numbers.size(); ++i) points[i] = input.points[numbers[i]];
  return smallest_frame(summary.moments, std::span<const Vec3>(points).first(numbers.size()));
}

Mat3 frame_of_few(const BuildInput& input, std::span<const std::uint32_t> triangles) {
  std::array<CornersOfTriangle, few> corners;
  for (std::size_t i = 0; i < triangles.size(); ++i) corners[i] = input.corners(triangles[i]);
  return smallest_frame(std::span<const CornersOfTriangle>(corners).first(triangles.size()));
}

class ObbFitter {
 public:
  ObbFitter(const FitInput& what, std::byte* nodes) : what_(what), input_(what.input), nodes_(nodes) {}

  /// Fits the lanes of a node and of all nodes below: lanes in parallel, then their summaries merged in order.
  Summary fit(std::uint32_t index) const {
    const WideNode& node = what_.wide.nodes[index];
    const auto used = static_cast<std::size_t>(node.used);
    std::array<Summary, Tree::lanes> summaries;
    parallel_for(used, node.count() >= parallel_threshold ? 1 : Tree::lanes,
                 [&](std::size_t lane) { summaries[lane] = fit_lane(index, lane); });
    for (std::size_t lane = used; lane < Tree::lanes; ++lane) write_empty_obb(rows(index), lane);
    for (std::size_t lane = 1; lane < used; ++lane) summaries[0].merge(summaries[lane]);
    return summaries[0];
  }

 private:
  Summary fit_lane(std::uint32_t index, std::size_t lane) const {
    const WideLane& l = what_.wide.nodes[index].lanes[lane];
    const std::span<const std::uint32_t> triangles = what_.order.subspan(l.first, l.count);
    const Summary summary = l.child.is_leaf() ? of_leaf(l.child.index(), triangles) : fit(l.child.index());
    Obb box;
    if (input_.options.paper.obb_fit != ObbFit::smallest) {
      box = fit_by_covariance(input_, triangles);
    } else {
      box =
          fit_around(input_, triangles.size() <= few ? frame_of_few(input_, triangles) : frame_of_many(input_, summary),
                     what_.vertices.of(summary.leaf_begin, summary.leaf_end));
    }
    write_lane(rows(index), lane, box);
    return summary;
  }

  Summary of_leaf(std::uint32_t leaf, std::span<const std::uint32_t> triangles) const {
    Summary summary;
    summary.leaf_begin = leaf;
    summary.leaf_end = leaf + 1;
    for (const std::uint32_t t : triangles) {
      const CornersOfTriangle c = input_.corners(t);
      summary.moments.add(c[0], c[1], c[2]);
    }
    for (const std::uint32_t v : what_.vertices.of(leaf)) summary.extremes.add(input_.points[v], v);
    return summary;
  }

  float* rows(std::uint32_t index) const {
    return reinterpret_cast<float*>(nodes_ + index * Tree::node_bytes_of(Bound::obb, 0));
  }

  const FitInput& what_;
  const BuildInput& input_;
  std::byte* nodes_;
};

}  // namespace

void fit_obbs(const FitInput& what, std::byte* nodes) { ObbFitter(what, nodes).fit(0); }

Obb fit_obb(const BuildInput& input, std::span<const std::uint32_t> triangles) {
  if (input.options.paper.obb_fit != ObbFit::smallest) return fit_by_covariance(input, triangles);
  return fit_smallest(gather(input, triangles));
}

}  // namespace tumble
