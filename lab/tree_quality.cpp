// SPDX-License-Identifier: Apache-2.0
// How good the splitting rules are: total volume per level and the pair tests of a walk, as Klosowski 1998, section 5.4
// compared them: binary 18-DOP trees with single triangles in the leaves.
#include "bounds/directions.h"
#include "scenes/meshes.h"
#include "scenes/random.h"
#include "tree/lanes.h"
#include "tree/model_data.h"

#include <tumble/model.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using namespace tumble;

/// A walk over the tree and a copy of it moved by `by` (tree coordinates): from the two roots, both sides of a pair
/// that overlaps are opened until both are leaves. Counts the interval tests.
std::size_t pair_tests(const Tree& tree, Vec3 by) {
  std::vector<double> offset;
  for (const Vec3& n : directions(tree.k)) offset.push_back(dot(n, by));
  struct Place {
    std::uint32_t node, lane;
  };
  struct PairOfPlaces {
    Place here, moved;
  };
  std::size_t tests = 0;
  std::vector<PairOfPlaces> pending{{{0, 0}, {0, 0}}};
  while (!pending.empty()) {
    const auto [here, moved] = pending.back();
    pending.pop_back();
    ++tests;
    const NodeView a = tree.node(here.node), b = tree.node(moved.node);
    bool apart = false;
    for (std::size_t i = 0; i < offset.size() && !apart; ++i) {
      const float *const lower = a.rows + 16 * i, *const other = b.rows + 16 * i;
      apart = double{lower[here.lane]} > other[8 + moved.lane] + offset[i] ||
              double{lower[8 + here.lane]} < other[moved.lane] + offset[i];
    }
    if (apart) continue;
    const Child of_here = a.children[here.lane], of_moved = b.children[moved.lane];
    if (of_here.is_leaf() && of_moved.is_leaf()) continue;
    const auto below = [&](Place place, Child child) {
      std::vector<Place> places{place};
      if (!child.is_leaf()) {
        places.clear();
        const int used = tree.node(child.index()).used_lanes();
        for (int lane = 0; lane < used; ++lane) places.push_back({child.index(), static_cast<std::uint32_t>(lane)});
      }
      return places;
    };
    for (const Place p : below(here, of_here))
      for (const Place q : below(moved, of_moved)) pending.push_back({p, q});
  }
  return tests;
}

void table(const char* scene, const Mesh& mesh, int translations) {
  std::printf(
      "\n%s, %zu triangles: volume of all nodes at a level against the root's, and mean interval tests of a walk\n"
      "over the tree and a copy moved at random so that the boxes of the roots overlap (%d moves, seed 1)\n",
      scene, mesh.triangles.size(), translations);
  std::printf("  %-22s", "rule");
  for (const int level : {4, 8, 12, 16}) std::printf("  level %2d", level);
  std::printf("   depth      tests\n");
  for (const Split split :
       {Split::min_sum, Split::min_max, Split::splatter, Split::longest_side, Split::far_pair, Split::binned})
    for (const Pivot pivot : {Pivot::mean, Pivot::median}) {
      const bool own_place = split == Split::far_pair || split == Split::binned;
      if (own_place && pivot == Pivot::median) continue;
      TreeOptions options;
      options.bound = Bound::dop;
      options.arity = 2;
      options.leaf_size = 1;
      options.split = split;
      options.pivot = pivot;
      const Model model(mesh, options);
      const Tree& tree = model.data().tree;
      const TreeStatistics s = statistics(model);
      const LaneSlabs root = lane_slabs(tree, tree.node(0), 0);
      Vec3 size;
      for (int axis = 0; axis < 3; ++axis)
        size[axis] = double{root.upper[static_cast<std::size_t>(axis)]} - root.lower[static_cast<std::size_t>(axis)];
      scenes::Random random(1);
      double tests = 0;
      for (int i = 0; i < translations; ++i)
        tests += static_cast<double>(pair_tests(tree, random.in_box(size * -1, size))) / translations;
      std::printf("  %-22s", (std::string(name(split)) + (own_place ? "" : std::string("/") + name(pivot))).c_str());
      for (const std::size_t level : {4u, 8u, 12u, 16u})
        std::printf("%10.5f", level < s.volume_at_depth.size() ? s.volume_at_depth[level] / s.volume_at_depth[0] : 0);
      std::printf("%8zu %10.0f\n", s.volume_at_depth.size() - 1, tests);
      std::fflush(stdout);
    }
}

}  // namespace

/// tree_quality [TRIANGLES [TRANSLATIONS]]
int main(int argc, char** argv) {
  const std::size_t triangles = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 20'000;
  const int translations = argc > 2 ? std::atoi(argv[2]) : 100;
  table("pipes", scenes::pipes(triangles), translations);
  table("wrinkled torus", scenes::wrinkled_torus(triangles), translations);
  table("landscape", scenes::landscape(triangles), translations);
}
