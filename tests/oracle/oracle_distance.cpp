// SPDX-License-Identifier: Apache-2.0
// oracle_distance --pairs N --seed S: N pairs of every generator through tumble's distance, common set and an exact
// referee. Stops with status 1 at the first value or witness that breaks promise 7.
#include "geometry/common_set.h"
#include "geometry/distance.h"
#include "geometry/pair_generators.h"
#include "geometry/triangle_pair.h"
#include "oracle/exact_distance.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

using namespace tumble;
using namespace tumble::testing;

struct Worst {
  double value = 0, witness = 0, common = 0;  // in units of the tolerance
};

void require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

/// |error| over what is allowed.
double share(const Precise& error, const Precise& allowed) {
  return static_cast<double>(Precise(abs(error) / allowed));
}

void check_common_set(const Corners& a, const Corners& b, Worst& worst) {
  const CommonSet set = common_set(a, b);
  require(set.count >= 1 && set.count <= 6, "the common set has no corner or too many");
  const Precise size = recentred_size(a, b);
  for (const Vec3& p : set.outline()) {
    const Precise allowed = size * Precise(1e-14) + rounding_of(p);
    worst.common = std::max(worst.common, share(std::max(exact_distance(p, a), exact_distance(p, b)), allowed));
  }
}

void check_pair(const Corners& a, const Corners& b, Worst& worst) {
  const TriangleDistance got = distance(a, b), mirrored = distance(b, a);
  require(got.distance_sq == mirrored.distance_sq && got.on_a == mirrored.on_b && got.on_b == mirrored.on_a,
          "swapping the triangles changes the distance");
  require(distance_sq({a[1], a[2], a[0]}, {b[2], b[1], b[0]}) == got.distance_sq, "the order of corners matters");
  require((got.distance_sq == 0) == intersects(a, b), "zero must mean contact");
  const bool meet = got.distance_sq == 0;
  if (meet) check_common_set(a, b, worst);
  const Precise d = meet ? Precise(0) : exact_distance(a, b);
  const Precise allowed = d * Precise(1e-12) + recentred_size(a, b) * Precise(1e-14);
  // Below 1.5e-154 the square of the distance is no longer a normal double.
  const Precise floor = Precise(1.5e-154);
  if (!meet) {
    const Precise off = sqrt(Precise(got.distance_sq)) - d;
    const Precise value_allowed = off < 0 ? Precise(recentred_size(a, b) * Precise(1e-14)) : allowed;
    worst.value = std::max(worst.value, share(off, d < floor ? Precise(value_allowed + floor) : value_allowed));
  }
  const Precise rounding = Precise(rounding_of(got.on_a)) + rounding_of(got.on_b);
  const Precise off = std::max(
      {exact_distance(got.on_a, a), exact_distance(got.on_b, b), Precise(abs(exact_distance(got.on_a, got.on_b) - d))});
  worst.witness = std::max(worst.witness, share(off, allowed + rounding));
  require(worst.value <= 1, "the distance is out of tolerance");
  require(worst.witness <= 1, "a witness is out of tolerance");
  require(worst.common <= 1, "a corner of the common set is out of tolerance");
}

void print(const char* which, const Corners& t) {
  for (const Vec3& p : t) std::printf("  %s {%a, %a, %a}\n", which, p.x, p.y, p.z);
}

}  // namespace

int main(int argc, char** argv) {
  long pairs = 100;
  std::uint64_t seed = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--pairs") == 0) pairs = std::atol(argv[i + 1]);
    if (std::strcmp(argv[i], "--seed") == 0) seed = std::strtoull(argv[i + 1], nullptr, 10);
  }
  if (argc % 2 == 0 || pairs <= 0) {
    std::fprintf(stderr, "usage: oracle_distance [--pairs N] [--seed S]\n");
    return 2;
  }
  std::printf("%ld pairs per generator, seed %llu; errors in units of promise 7's tolerance\n", pairs,
              static_cast<unsigned long long>(seed));
  const auto start = std::chrono::steady_clock::now();
  for (const Generator& generator : generators()) {
    Random random(seed);
    Worst worst;
    long apart = 0;
    for (long i = 0; i < pairs; ++i) {
      const auto [a, b] = generator.make(random);
      try {
        check_pair(a, b, worst);
      } catch (const std::runtime_error& failure) {
        std::printf("pair %ld of \"%s\": %s (value %g, witness %g, common set %g)\n", i, generator.name, failure.what(),
                    worst.value, worst.witness, worst.common);
        print("a", a);
        print("b", b);
        return 1;
      }
      apart += !intersects(a, b);
    }
    std::printf("%-17s apart %ld of %ld: distance %.3f, witnesses %.3f, common set %.3f\n", generator.name, apart,
                pairs, worst.value, worst.witness, worst.common);
    std::fflush(stdout);
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  std::printf("no violation in %.1f s\n", elapsed.count());
  return 0;
}
