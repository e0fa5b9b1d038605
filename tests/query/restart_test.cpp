// SPDX-License-Identifier: Apache-2.0
// Klosowski 1998, 4.2, the variant of the traversal that restarts. Taken literally, "line 9 is replaced by
// TraverseTrees(ν_f, root of the environment hierarchy)" restarts once for every leaf of the environment that a moving
// node overlaps: each restart repeats the others' work, and every level multiplies it. The published 10 to 20 % cannot
// be that. So Descend::restart gives a moving node up at its first such leaf (overlap_walk.cpp).
#include "scenes/flight.h"
#include "scenes/meshes.h"
#include "scenes/shapes.h"

#include <tumble/query.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace tumble {
namespace {

/// A binary tree of boxes, one triangle per leaf: enough to write the published algorithm down.
struct BoxNode {
  std::array<double, 3> lower{1e300, 1e300, 1e300}, upper{-1e300, -1e300, -1e300};
  std::uint32_t triangle = 0;  // of a leaf
  std::unique_ptr<BoxNode> children[2];

  bool is_leaf() const { return !children[0]; }
};

std::unique_ptr<BoxNode> tree_of(const Mesh& mesh, std::span<std::uint32_t> set) {
  auto node = std::make_unique<BoxNode>();
  for (const std::uint32_t t : set)
    for (const std::uint32_t v : mesh.triangles[t])
      for (int axis = 0; axis < 3; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        node->lower[a] = std::min(node->lower[a], mesh.vertices[v][axis]);
        node->upper[a] = std::max(node->upper[a], mesh.vertices[v][axis]);
      }
  node->triangle = set[0];
  if (set.size() == 1) return node;
  int longest = 0;
  for (int axis = 1; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis), l = static_cast<std::size_t>(longest);
    if (node->upper[a] - node->lower[a] > node->upper[l] - node->lower[l]) longest = axis;
  }
  const auto centre = [&](std::uint32_t t) {
    double sum = 0;
    for (const std::uint32_t v : mesh.triangles[t]) sum += mesh.vertices[v][longest];
    return sum;
  };
  std::ranges::sort(set, {}, centre);
  node->children[0] = tree_of(mesh, set.first(set.size() / 2));
  node->children[1] = tree_of(mesh, set.subspan(set.size() / 2));
  return node;
}
std::unique_ptr<BoxNode> tree_of(const Mesh& mesh) {
  std::vector<std::uint32_t> all(mesh.triangles.size());
  for (std::uint32_t t = 0; t < all.size(); ++t) all[t] = t;
  return tree_of(mesh, all);
}

/// Algorithm 1, and the variant with line 9 replaced as printed.
struct Traversal {
  const BoxNode& environment;
  bool restarts;
  std::size_t most = SIZE_MAX;  // overlap tests, then it gives up
  std::size_t overlap_tests = 0, triangle_tests = 0;
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs{};

  void traverse(const BoxNode& fly, const BoxNode& env) {
    if (overlap_tests == most) return;
    ++overlap_tests;
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (fly.lower[axis] > env.upper[axis] || env.lower[axis] > fly.upper[axis]) return;
    if (!env.is_leaf()) {
      for (const auto& child : env.children) traverse(fly, *child);
    } else if (fly.is_leaf()) {
      ++triangle_tests;
      pairs.emplace(env.triangle, fly.triangle);
    } else {
      for (const auto& child : fly.children) traverse(*child, restarts ? environment : env);
    }
  }
};

TEST(Restart, AtEveryLeafTheWorkMultiplies) {
  double last = 1;
  const auto environment = tree_of(scenes::torus(0.75, 0.25, 16, 8));
  for (const std::size_t triangles : {2u, 4u}) {  // trees one and two levels deep
    SCOPED_TRACE(triangles);
    Mesh object = scenes::torus(0.75, 0.25, 4, 3);
    object.triangles.resize(triangles);
    for (Vec3& v : object.vertices) v.x += 0.5, v.y += 0.2;
    const auto fly = tree_of(object);

    Traversal plain{*environment, false};
    plain.traverse(*fly, *environment);
    EXPECT_EQ(plain.triangle_tests, plain.pairs.size());  // none twice

    Traversal literal{*environment, true, 200 * plain.overlap_tests};
    literal.traverse(*fly, *environment);
    EXPECT_GT(literal.triangle_tests, literal.pairs.size());
    const double factor = static_cast<double>(literal.overlap_tests) / static_cast<double>(plain.overlap_tests);
    EXPECT_GT(factor, 1.2 * last);
    last = factor;
  }
  EXPECT_EQ(last, 200);  // where it was stopped
}

TEST(Restart, AtTheFirstLeafItDoesNot) {
  const Mesh environment = scenes::wrinkled_torus(2'000), object = scenes::zachmann_torus(1'152);
  for (const Pose& pose : scenes::approach(1.8, 0.9, 6)) {
    std::array<Counters, 2> counters;
    std::array<std::size_t, 2> contacts;
    for (const bool restarts : {false, true}) {
      TreeOptions tree{.bound = Bound::dop, .split = Split::splatter, .leaf_size = 1, .arity = 2};
      Pair pair(Model(environment, tree), Model(object, tree),
                {.descend = restarts ? Descend::restart : Descend::environment_first, .coherent = Coherent::off});
      pair.count(true);
      contacts[restarts] = pair.contacts({}, pose).size();
      counters[restarts] = pair.stats();
    }
    EXPECT_EQ(contacts[0], contacts[1]);
    EXPECT_LT(counters[1].np, 2 * counters[0].np + 10);
    EXPECT_LT(counters[1].nv, 3 * counters[0].nv);
  }
}

}  // namespace
}  // namespace tumble
