// SPDX-License-Identifier: Apache-2.0
// Zachmann 1998, section 4.2, in the order in which it is printed: the far pair itself on either side, then the other
// triangles in turn, from one end of the sorted set to the other. The tree becomes many times as deep as the published
// ones, which is why build/split_far_pair.cpp takes triangles from both ends. tree_test.cpp shows how deep ours are.
#include "scenes/meshes.h"

#include <tumble/mesh.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace tumble {
namespace {

/// A triangle's barycentre and 6-DOP.
struct Item {
  Vec3 centre;
  Box box;
};

std::vector<Item> items_of(const Mesh& mesh) {
  std::vector<Item> items;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
    Item item{(a + b + c) / 3, {a, a}};
    for (const Vec3& v : {b, c})
      for (int axis = 0; axis < 3; ++axis) {
        item.box.lower[axis] = std::min(item.box.lower[axis], v[axis]);
        item.box.upper[axis] = std::max(item.box.upper[axis], v[axis]);
      }
    items.push_back(item);
  }
  return items;
}

Box merged(Box box, const Box& other) {
  for (int axis = 0; axis < 3; ++axis) {
    box.lower[axis] = std::min(box.lower[axis], other.lower[axis]);
    box.upper[axis] = std::max(box.upper[axis], other.upper[axis]);
  }
  return box;
}

using Measure = double (*)(const Box&);
double widths(const Box& box) {
  const Vec3 w = box.upper - box.lower;
  return w.x + w.y + w.z;
}
double volume(const Box& box) {
  const Vec3 w = box.upper - box.lower;
  return w.x * w.y * w.z;
}

/// How far down the leaves are, each of one triangle.
std::size_t depth_as_printed(std::span<Item> set, Measure measure) {
  if (set.size() < 2) return 0;
  Vec3 mean{};
  for (const Item& item : set) mean += item.centre / static_cast<double>(set.size());
  const auto farthest = [&](Vec3 from) {
    return std::ranges::max_element(set, {}, [&](const Item& item) { return length_sq(item.centre - from); });
  };
  const auto first = farthest(mean);
  std::iter_swap(set.begin(), first);
  std::iter_swap(set.end() - 1, farthest(set.front().centre));
  const Vec3 across = set.back().centre - set.front().centre;
  int axis = 0;
  for (const int other : {1, 2})
    if (std::abs(across[other]) > std::abs(across[axis])) axis = other;
  const std::span<Item> others = set.subspan(1, set.size() - 2);
  std::ranges::stable_sort(others, {}, [&](const Item& item) { return item.centre[axis]; });

  std::vector<Item> left{set.front()}, right{set.back()};
  Box of_left = left[0].box, of_right = right[0].box;
  for (const Item& item : others) {
    const double left_growth = measure(merged(of_left, item.box)) - measure(of_left);
    const double right_growth = measure(merged(of_right, item.box)) - measure(of_right);
    const bool is_left = left_growth < right_growth || (left_growth == right_growth && left.size() <= right.size());
    (is_left ? left : right).push_back(item);
    (is_left ? of_left : of_right) = merged(is_left ? of_left : of_right, item.box);
  }
  return 1 + std::max(depth_as_printed(left, measure), depth_as_printed(right, measure));
}

TEST(PrintedFarPair, MakesChains) {
  const Mesh sphere = scenes::zachmann_sphere(992);
  const double balanced = std::log2(static_cast<double>(sphere.triangles.size()));
  for (const Measure measure : {&widths, &volume}) {
    std::vector<Item> items = items_of(sphere);
    const std::size_t depth = depth_as_printed(items, measure);
    EXPECT_GT(static_cast<double>(depth), 3 * balanced);  // the published sphere's deepest leaves: 1.1 times
    RecordProperty(measure == &widths ? "depth_by_widths" : "depth_by_volume", static_cast<int>(depth));
  }
}

}  // namespace
}  // namespace tumble
