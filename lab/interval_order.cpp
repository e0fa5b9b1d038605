// SPDX-License-Identifier: Apache-2.0
// In which order the intervals of two k-DOPs are best compared: how many it takes to tell apart volumes that are apart,
// in the order of the table of directions, backward, shuffled, and in the best order that these very pairs suggest.
#include "lab/moved_copy.h"
#include "scenes/meshes.h"
#include "tree/model_data.h"

#include <tumble/model.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

namespace {

using namespace tumble;

/// Bit i: slab i separates the pair.
using Separating = std::uint64_t;
using Order = std::vector<std::size_t>;

std::vector<Separating> pairs_apart(const Mesh& mesh, int k) {
  TreeOptions options;
  options.bound = Bound::dop;
  options.k = k;
  const Model model(mesh, options);
  std::vector<Separating> pairs;
  scenes::Random random(1);
  for (int move = 0; move < 10; ++move) {
    const lab::MovedCopy copy(model.data().tree, random);
    copy.walk([&](lab::MovedCopy::Place here, lab::MovedCopy::Place moved) {
      Separating separating = 0;
      for (std::size_t slab = 0; slab < static_cast<std::size_t>(k) / 2; ++slab)
        separating |= Separating{copy.separates(slab, here, moved)} << slab;
      if (separating != 0) pairs.push_back(separating);
      return separating != 0;
    });
  }
  return pairs;
}

double mean_compared(const std::vector<Separating>& pairs, const Order& order) {
  std::size_t compared = 0;
  for (const Separating pair : pairs)
    compared += static_cast<std::size_t>(
                    std::ranges::find_if(order, [&](std::size_t slab) { return pair >> slab & 1; }) - order.begin()) +
                1;
  return static_cast<double>(compared) / static_cast<double>(pairs.size());
}

/// Always next the slab that separates the most of those not told apart yet.
Order greedy(std::vector<Separating> pairs, std::size_t slabs) {
  Order order;
  while (order.size() < slabs) {
    std::vector<std::size_t> told(slabs);
    for (const Separating pair : pairs)
      for (std::size_t slab = 0; slab < slabs; ++slab) told[slab] += pair >> slab & 1;
    for (const std::size_t slab : order) told[slab] = 0;
    std::size_t next = static_cast<std::size_t>(std::ranges::max_element(told) - told.begin());
    while (std::ranges::find(order, next) != order.end()) next = (next + 1) % slabs;
    order.push_back(next);
    std::erase_if(pairs, [&](Separating pair) { return pair >> next & 1; });
  }
  return order;
}

}  // namespace

int main() {
  std::printf("Intervals compared until volumes that are apart are told apart; 20,000 triangles, 10 moves, seed 1\n");
  std::printf("  %-4s %-10s %9s %8s %8s %9s %8s\n", "k", "scene", "pairs", "table", "backward", "shuffled", "best");
  for (const int k : {14, 18, 26, 50})
    for (const char* scene : {"pipes", "torus", "landscape"}) {
      const auto make = *scene == 'p' ? scenes::pipes : *scene == 't' ? scenes::wrinkled_torus : scenes::landscape;
      const std::vector<Separating> pairs = pairs_apart(make(20'000, 1), k);
      const auto slabs = static_cast<std::size_t>(k) / 2;
      Order order(slabs);
      std::iota(order.begin(), order.end(), std::size_t{0});
      const double in_table = mean_compared(pairs, order);
      const double backward = mean_compared(pairs, Order(order.rbegin(), order.rend()));
      std::mt19937_64 engine(1);
      constexpr int shuffles = 10;
      double shuffled = 0;
      for (int i = 0; i < shuffles; ++i) {
        std::ranges::shuffle(order, engine);
        shuffled += mean_compared(pairs, order) / shuffles;
      }
      std::printf("  %-4d %-10s %9zu %8.3f %8.3f %9.3f %8.3f\n", k, scene, pairs.size(), in_table, backward, shuffled,
                  mean_compared(pairs, greedy(pairs, slabs)));
      std::fflush(stdout);
    }
}
