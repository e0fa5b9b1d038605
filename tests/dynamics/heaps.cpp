// SPDX-License-Identifier: Apache-2.0
// Lets a heap fall, and fails if energy grows, bodies overlap or the heap does not come to rest.
#include "dynamics/heap.h"

#include <cstdio>
#include <cstdlib>
#include <string>

using namespace tumble;

int main(int argc, char** argv) {
  test::HeapOptions options;
  std::size_t steps = 2'000, print_every = 100;
  bool must_rest = true;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    const double value = std::atof(argv[i + 1]);
    if (option == "--bodies") options.bodies = static_cast<std::size_t>(value);
    if (option == "--steps") steps = static_cast<std::size_t>(value);
    if (option == "--seed") options.seed = static_cast<std::uint64_t>(value);
    if (option == "--threads") options.threads = static_cast<int>(value);
    if (option == "--restitution") options.restitution = value;
    if (option == "--friction") options.friction = value;
    if (option == "--step") options.step = value;
    if (option == "--speed") options.speed = value;
    if (option == "--every") print_every = static_cast<std::size_t>(value);
    if (option == "--rest") must_rest = value != 0;
  }
  std::printf("seed %llu\n", static_cast<unsigned long long>(options.seed));
  Dynamics heap = test::heap(options);
  const double first = heap.energy();
  double most = first;
  std::vector<Vec3> places(options.bodies);
  double moved = 0;
  for (std::size_t step = 1; step <= steps; ++step) {
    const DynamicsStep& done = heap.step();
    most = std::max(most, heap.energy());
    if (step % print_every == 0) {
      moved = 0;
      for (std::size_t i = 0; i < options.bodies; ++i) {
        const Vec3 now = heap.pose({std::uint32_t(i + 2)}).translation();
        moved = std::max(moved, length(now - places[i]));
        places[i] = now;
      }
      std::printf("%6zu energy %.9g kinetic %.3g contacts %zu blocked %zu resting %zu moved %.3g\n", step,
                  heap.energy(), heap.kinetic_energy(), done.contacts.size(), done.blocked.size(), done.resting.size(),
                  moved);
    }
    if (step % 50 == 0 && heap.world().collide()) return std::printf("bodies overlap at step %zu\n", step), 1;
  }
  std::printf("hash %016llx, energy at most %.12g of the first\n", static_cast<unsigned long long>(heap.hash()),
              most / first);
  if (most > first * 1.001) return std::printf("energy grew\n"), 1;
  if (must_rest && moved > 1e-3) return std::printf("the heap is not at rest\n"), 1;
  return 0;
}
