// SPDX-License-Identifier: Apache-2.0
#include "lab/plain_walk.h"

#include "brute_force.h"
#include "scenes/flight.h"
#include "scenes/meshes.h"

#include <tumble/presets.h>

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace tumble::lab {
namespace {

// Whatever the volumes, and with or without them in the leaves: all contacts are found, and told of.
TEST(PlainWalk, FindsWhatBruteForceFinds) {
  const Mesh torus = scenes::zachmann_torus(400);
  for (const Preset* preset : {&presets::zachmann1998, &presets::fuenzig2003})
    for (const bool leaves_have_volumes : {true, false})
      for (const double distance : {0.8, 1.6, 2.4}) {
        const Pose pose = scenes::full_turn(distance, 8)[3];
        const Model model(torus, preset->environment);
        std::set<std::pair<std::uint32_t, std::uint32_t>> tested;
        const WalkCounts counts =
            PlainWalk(model, model, preset->pair, leaves_have_volumes).ask(pose, [&](std::uint32_t a, std::uint32_t b) {
              EXPECT_TRUE(tested.insert({a, b}).second);
            });
        const Contacts contacts = brute_force_contacts(torus, {}, torus, pose);
        EXPECT_EQ(counts.contacts, contacts.size()) << preset->name << " " << distance;
        EXPECT_EQ(counts.np, tested.size());
        EXPECT_LT(counts.np, torus.triangles.size() * torus.triangles.size() / 10);
        for (const Contact& contact : contacts) EXPECT_TRUE(tested.contains({contact.triangle_a, contact.triangle_b}));
      }
}

}  // namespace
}  // namespace tumble::lab
