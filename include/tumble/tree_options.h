// SPDX-License-Identifier: Apache-2.0
// TreeOptions: how a model's bounding-volume tree is built. The defaults are what measures fastest.
#pragma once

#include <tumble/cxx20.h>

#include <cstdint>

namespace tumble {

/// The bounding volume of a tree's nodes.
enum class Bound : std::uint8_t {
  automatic,  // obb, the fastest for models that are built once and queried often
  dop,        // k-DOP: k half-spaces with fixed normals (Klosowski 1998); builds fastest
  obb,        // oriented box (Lin 1996)
};

/// How a set of triangles is divided in two.
enum class Split : std::uint8_t {
  binned,        // our own: least box area times triangles over 16 bins on each coordinate axis
  min_sum,       // the axis with the least sum of the halves' volumes (Klosowski 1998, 3.3.4)
  min_max,       // the axis with the least larger volume
  splatter,      // the axis along which centroids vary most
  longest_side,  // the axis along which the volume is longest
  far_pair,      // from two far centroids, each triangle to the side that grows less (Zachmann 1998, 4.2)
};

/// Where along the axis; not used by binned and far_pair, which find their own place.
enum class Pivot : std::uint8_t {
  mean,      // of the centroids
  median,    // of the centroids
  midpoint,  // of the bounding volume
  best,      // the centroid with the least sum of volumes
  sampled,   // the best of a random subset of the centroids
};

/// The axes a split chooses from; not used by binned and far_pair.
enum class Axes : std::uint8_t {
  coordinate,  // x, y and z
  all,         // all k/2 directions of the DOP
  box,         // the axes of the set's own oriented box (Lin 1996)
};

enum class Build : std::uint8_t { top_down, bottom_up };

/// How an oriented box finds its frame.
enum class ObbFit : std::uint8_t {
  smallest,                // the smallest surface among several candidate frames
  vertex_covariance,       // the principal axes of the triangles' corners (Lin 1996, 4.2.1)
  hull_vertex_covariance,  // of the convex hull's vertices (Lin 1996, 4.2.1, improved)
  hull_covariance,         // of the convex hull's surface (Gottschalk 1996, the reference of Lin 1996)
  surface_covariance,      // of the triangles' own surface (the program RAPID, version 2)
};

/// What only the papers' configurations and research questions need.
struct PaperTreeOptions {
  ObbFit obb_fit = ObbFit::smallest;
  bool orient = false;              // turn the tree's own axes to make its volumes tight (dop)
  bool indivisible_leaves = false;  // a set that the split does not divide is a leaf of any size (Lin 1996, 4.2.1);
                                    // otherwise it is halved as it stands. Not used by bottom_up
  std::uint64_t seed = 1;           // of the random subset of Pivot::sampled

  friend bool operator==(const PaperTreeOptions&, const PaperTreeOptions&) = default;
};

/// Three of these are worth knowing: `bound` and `k` choose the volume (boxes answer fastest, k-DOPs build fastest),
/// and `threads` limits the cores that build. The others trade one published rule for another.
struct TreeOptions {
  Bound bound = Bound::automatic;
  int k = 18;  // of a dop: 6, 8, 12, 14, 18, 26, 50 or 98
  Split split = Split::binned;
  Pivot pivot = Pivot::mean;
  Axes axes = Axes::coordinate;
  Build build = Build::top_down;
  int leaf_size = 0;  // a set of up to this many triangles is a leaf; 0: of up to 4, unless dividing it pays
  int arity = 8;      // children per node: 2, 3, 4 or 8
  int threads = 0;    // to build with; 0: all cores. The tree is the same for any number
  PaperTreeOptions paper{};

  friend bool operator==(const TreeOptions&, const TreeOptions&) = default;
};

/// Throws Error(invalid_argument), naming the option, its value and what is allowed.
void check(const TreeOptions& options);

const char* name(Bound);
const char* name(Split);
const char* name(Pivot);
const char* name(Axes);
const char* name(Build);
const char* name(ObbFit);

}  // namespace tumble
