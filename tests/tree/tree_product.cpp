// SPDX-License-Identifier: Apache-2.0
// Every combination of tree options, built and validated: tree_product [PART PARTS] does all, or every PARTS-th from
// PART on. Exit status 1 at the first unsound tree.
#include "pairwise.h"
#include "scenes/shapes.h"
#include "tree/tree_choices.h"

#include <tumble/model.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  using namespace tumble;
  const std::size_t part = argc > 2 ? std::strtoul(argv[1], nullptr, 10) : 0;
  const std::size_t parts = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1;
  if ((argc != 1 && argc != 3) || part >= parts) {
    std::fprintf(stderr, "usage: tree_product [PART PARTS], PART < PARTS\n");
    return 2;
  }
  const Mesh mesh = scenes::torus(1, 0.4, 8, 3);  // 48 triangles: more than the largest leaf
  const auto rows = testing::full_product(testing::tree_choice_sizes());
  std::size_t done = 0;
  for (std::size_t i = part; i < rows.size(); i += parts) {
    TreeOptions options = testing::tree_options(rows[i]);
    options.threads = 1;
    if (const std::string fault = validate(Model(mesh, options)); !fault.empty()) {
      std::printf("\nunsound: %s: %s\n", testing::describe(options).c_str(), fault.c_str());
      return 1;
    }
    if (++done % 64 == 0 && ::isatty(STDERR_FILENO))
      std::fprintf(stderr, "\r%zu of %zu", done, (rows.size() - part + parts - 1) / parts);
  }
  std::printf("%zu of %zu combinations, all sound\n", done, rows.size());
  return 0;
}
