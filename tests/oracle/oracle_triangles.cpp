// SPDX-License-Identifier: Apache-2.0
// oracle_triangles --pairs N --seed S: N random and N adversarial pairs through tumble and through CGAL's exact
// kernel. Stops with status 1 at the first pair on which they differ.
#include "geometry/pair_generators.h"
#include "geometry/triangle_pair.h"
#include "oracle/exact_reference.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <utility>

namespace {

using namespace tumble;
using namespace tumble::testing;

const char* name_of(const std::optional<ContactKind>& kind) { return kind ? name(*kind) : "apart"; }

void print(const char* which, const Corners& t) {
  for (const Vec3& p : t) std::printf("  %s {%a, %a, %a}\n", which, p.x, p.y, p.z);
}

void shuffle(Corners& t, Random& random) {
  std::swap(t[0], t[random.index(3)]);
  std::swap(t[1], t[1 + random.index(2)]);
}

/// True if tumble gives the referee's answer, whichever way round it is asked.
bool agree(const Generator& generator, TrianglePair pair, Random& random, std::map<std::string, long>& counts) {
  const auto expected = reference_classify(pair.a, pair.b);
  ++counts[name_of(expected)];
  for (const bool swapped : {false, true}) {
    shuffle(pair.a, random);
    shuffle(pair.b, random);
    const Corners &first = swapped ? pair.b : pair.a, &second = swapped ? pair.a : pair.b;
    const auto got = classify(first, second);
    if (got == expected && intersects(first, second) == expected.has_value()) continue;
    std::printf("DISAGREEMENT on a pair of \"%s\": tumble says %s, the oracle %s\n", generator.name, name_of(got),
                name_of(expected));
    print("a", first);
    print("b", second);
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  long pairs = 20000;
  std::uint64_t seed = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--pairs") == 0) pairs = std::atol(argv[i + 1]);
    if (std::strcmp(argv[i], "--seed") == 0) seed = std::strtoull(argv[i + 1], nullptr, 10);
  }
  if (argc % 2 == 0 || pairs <= 0) {
    std::fprintf(stderr, "usage: oracle_triangles [--pairs N] [--seed S]\n");
    return 2;
  }
  std::printf("%ld random and %ld adversarial pairs, seed %llu\n", pairs, pairs, static_cast<unsigned long long>(seed));
  const auto all = generators();
  std::map<std::string, long> total;
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t g = 0; g < all.size(); ++g) {
    const long share = g == 0 ? pairs : (pairs + static_cast<long>(all.size()) - 2) / static_cast<long>(all.size() - 1);
    Random random(seed * 1000 + g);
    std::map<std::string, long> counts;
    for (long i = 0; i < share; ++i)
      if (!agree(all[g], all[g].make(random), random, counts)) {
        std::printf("pair %ld of seed %llu\n", i, static_cast<unsigned long long>(seed));
        return 1;
      }
    std::printf("%-17s %8ld pairs: apart %ld, touch %ld, cross %ld, coplanar %ld\n", all[g].name, share,
                counts["apart"], counts["touch"], counts["cross"], counts["coplanar"]);
    std::fflush(stdout);
    for (const auto& [key, count] : counts) total[key] += count;
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  std::printf("all: apart %ld, touch %ld, cross %ld, coplanar %ld; 0 disagreements in %.1f s\n", total["apart"],
              total["touch"], total["cross"], total["coplanar"], elapsed.count());
  return 0;
}
