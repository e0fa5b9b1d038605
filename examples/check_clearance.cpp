// SPDX-License-Identifier: Apache-2.0
// Checks an assembly: which parts are in each other or closer than a clearance. docs/clash.md explains the classes.
// Usage: check_clearance [PARTS.json [CLEARANCE]]
#include <tumble/tumble.h>

#include <cstdio>
#include <cstdlib>

int main(int count, char** words) try {
  const tumble::Parts parts = tumble::load_parts(count > 1 ? words[1] : "cell.json");
  tumble::ClashOptions options;
  options.clearance = count > 2 ? std::atof(words[2]) : 2;

  const tumble::Clashes clashes = tumble::find_clashes(parts, options);
  for (const tumble::Clash& clash : clashes.pairs) {
    std::printf("%s and %s: %s", parts.parts[clash.a].name.c_str(), parts.parts[clash.b].name.c_str(),
                tumble::name(clash.kind));
    if (clash.gap) std::printf(", %g apart", *clash.gap);
    if (clash.depth) std::printf(", %g to %g deep", clash.depth->lower, clash.depth->upper);
    std::printf(", at %g %g %g\n", clash.point.x, clash.point.y, clash.point.z);
  }
  std::printf("pairs to look at: %zu; clear: %zu\n", clashes.pairs.size(), clashes.clear);
  return clashes.pairs.size() + clashes.clear > 0 ? 0 : 1;
} catch (const tumble::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
