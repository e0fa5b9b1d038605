// SPDX-License-Identifier: Apache-2.0
// Every combination of tree options, built and validated on all cores: tree_product [PART PARTS] does all, or every
// PARTS-th from PART on. Names every unsound tree and exits with 1 if there is one.
#include "core/parallel.h"
#include "pairwise.h"
#include "scenes/shapes.h"
#include "tree/tree_choices.h"

#include <tumble/model.h>

#include <unistd.h>

#include <atomic>
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
  const Mesh mesh = scenes::torus(1, 0.4, 4, 3);  // 24 triangles: more than the largest leaf
  const auto rows = testing::full_product(testing::tree_choice_sizes());
  const std::size_t count = (rows.size() - part + parts - 1) / parts;
  std::atomic<std::size_t> done = 0, unsound = 0;
  parallel_for(count, 1, [&](std::size_t i) {
    TreeOptions options = testing::tree_options(rows[part + i * parts]);
    options.threads = 1;
    if (const std::string fault = validate(Model(mesh, options)); !fault.empty()) {
      std::printf("unsound: %s: %s\n", testing::describe(options).c_str(), fault.c_str());
      ++unsound;
    }
    if (++done % 64 == 0 && ::isatty(STDERR_FILENO)) std::fprintf(stderr, "\r%zu of %zu", done.load(), count);
  });
  std::printf("%zu of %zu combinations, %zu unsound\n", count, rows.size(), unsound.load());
  return unsound > 0 ? 1 : 0;
}
