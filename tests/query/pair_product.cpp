// SPDX-License-Identifier: Apache-2.0
// The full product of k x realignment x descent x split x leaf size, coherence on and off, against brute force: run by
// hand (CONTRIBUTING.md), as it takes a while. Exit status 1 at the first difference.
#include "brute_force.h"
#include "pairwise.h"
#include "query/pair_choices.h"
#include "scenes/flight.h"
#include "scenes/meshes.h"

#include <tumble/query.h>

#include <array>
#include <cstdio>
#include <map>

int main() {
  using namespace tumble;
  using namespace tumble::testing;
  const Mesh environment = scenes::wrinkled_torus(200), object = scenes::zachmann_torus(128);
  const scenes::Flight flight = scenes::approach(1.8, 0.9, 6);
  std::vector<Contacts> expected;
  std::size_t contacts = 0;
  for (const Pose& pose : flight) {
    expected.push_back(brute_force_contacts(environment, {}, object, pose));
    contacts += expected.back().size();
  }
  const auto rows = full_product({tree_ks.size(), tree_ks.size(), pair_realigns.size(), pair_descends.size(),
                                  tree_splits.size(), tree_leaf_sizes.size(), 2});
  // Trees are built once, not once for each of the combinations they take part in.
  std::map<std::array<std::size_t, 4>, Model> models;
  const auto model = [&models](std::size_t role, const Mesh& mesh, const TreeOptions& options, std::size_t k,
                               std::size_t split, std::size_t leaf_size) {
    return models.try_emplace({role, k, split, leaf_size}, mesh, options).first->second;
  };
  std::size_t done = 0;
  for (const auto& row : rows) {
    PairChoice choice;
    choice.environment.bound = choice.object.bound = Bound::dop;
    choice.environment.k = tree_ks[row[0]];
    choice.object.k = tree_ks[row[1]];
    choice.pair.realign = pair_realigns[row[2]];
    choice.pair.descend = pair_descends[row[3]];
    choice.environment.split = choice.object.split = tree_splits[row[4]];
    choice.environment.leaf_size = choice.object.leaf_size = tree_leaf_sizes[row[5]];
    choice.pair.coherent = row[6] == 0 ? Coherent::off : Coherent::on;
    choice.environment.threads = choice.object.threads = 1;
    Pair pair(model(0, environment, choice.environment, row[0], row[4], row[5]),
              model(1, object, choice.object, row[1], row[4], row[5]), choice.pair);
    for (std::size_t i = 0; i < flight.size(); ++i) {
      const Contacts found = pair.contacts({}, flight[i]);
      const auto same = [](const Contact& a, const Contact& b) {
        return a.triangle_a == b.triangle_a && a.triangle_b == b.triangle_b && a.kind == b.kind;
      };
      if (std::ranges::equal(found, expected[i], same) && pair.collide({}, flight[i]) == !expected[i].empty()) continue;
      std::printf("\npose %zu: %zu contacts, brute force finds %zu\n%s\n", i, found.size(), expected[i].size(),
                  describe(choice).c_str());
      return 1;
    }
    if (++done % 500 == 0 || done == rows.size()) {
      std::printf("\r%zu of %zu combinations, %zu contacts each", done, rows.size(), contacts);
      std::fflush(stdout);
    }
  }
  std::printf("\nall equal\n");
}
