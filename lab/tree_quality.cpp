// SPDX-License-Identifier: Apache-2.0
// How good the splitting rules are: total volume per level and the pair tests of a walk, as Klosowski 1998, section 5.4
// compared them: binary 18-DOP trees with single triangles in the leaves.
#include "lab/moved_copy.h"
#include "scenes/meshes.h"
#include "tree/model_data.h"

#include <tumble/model.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using namespace tumble;

/// The interval tests of a walk over the tree and a copy of it.
std::size_t pair_tests(const Tree& tree, scenes::Random& random) {
  const lab::MovedCopy copy(tree, random);
  std::size_t tests = 0;
  copy.walk([&](lab::MovedCopy::Place here, lab::MovedCopy::Place moved) {
    ++tests;
    bool apart = false;
    for (std::size_t slab = 0; slab < static_cast<std::size_t>(tree.k) / 2 && !apart; ++slab)
      apart = copy.separates(slab, here, moved);
    return apart;
  });
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
  TreeOptions binary;
  binary.bound = Bound::dop;
  binary.arity = 2;
  binary.leaf_size = 1;
  const auto row = [&](const std::string& rule, const TreeOptions& options) {
    const Model model(mesh, options);
    const Tree& tree = data_of(model).tree;
    const TreeStatistics s = statistics(model);
    scenes::Random random(1);
    double tests = 0;
    for (int i = 0; i < translations; ++i) tests += static_cast<double>(pair_tests(tree, random)) / translations;
    std::printf("  %-22s", rule.c_str());
    for (const std::size_t level : {4u, 8u, 12u, 16u})
      std::printf("%10.5f", level < s.volume_at_depth.size() ? s.volume_at_depth[level] / s.volume_at_depth[0] : 0);
    std::printf("%8zu %10.0f\n", s.volume_at_depth.size() - 1, tests);
    std::fflush(stdout);
  };
  for (const Split split : {Split::min_sum, Split::min_max, Split::splatter, Split::longest_side})
    for (const Pivot pivot : {Pivot::mean, Pivot::median, Pivot::best}) {
      TreeOptions options = binary;
      options.split = split;
      options.pivot = pivot;
      row(std::string(name(split)) + "/" + name(pivot), options);
    }
  for (const Split split : {Split::far_pair, Split::binned}) {
    TreeOptions options = binary;
    options.split = split;
    row(name(split), options);
  }
  binary.build = Build::bottom_up;
  row(name(binary.build), binary);
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
