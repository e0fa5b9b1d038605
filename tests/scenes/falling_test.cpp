// SPDX-License-Identifier: Apache-2.0
#include "scenes/falling.h"

#include "scenes/meshes.h"

#include <tumble/error.h>
#include <tumble/mass.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tumble::scenes {
namespace {

TEST(Falling, MakesWhatItLists) {
  EXPECT_EQ(list_falling().size(), 3u);
  for (const SceneInfo& info : list_falling()) {
    SCOPED_TRACE(info.name);
    const auto scene = make_falling(info.name);
    ASSERT_TRUE(scene);
    EXPECT_EQ(scene->env.triangles.size(), info.env_triangles);
    EXPECT_EQ(scene->object.triangles.size(), info.object_triangles);
    EXPECT_GT(mass_properties(scene->object).volume, 0);
  }
  EXPECT_FALSE(make_falling("pipes"));
}

TEST(Falling, TouchesAndNeverGainsEnergy) {
  for (const SceneInfo& info : list_falling()) {
    SCOPED_TRACE(info.name);
    const Fall done = fall(*make_falling(info.name, {.triangles = 8'000, .steps = 300}));
    EXPECT_EQ(done.tried.size(), 300u);
    EXPECT_GT(std::accumulate(done.contacts.begin(), done.contacts.end(), std::size_t{0}), 0u);
    EXPECT_LE(*std::ranges::max_element(done.energy), done.energy.front() + 1e-9 * std::abs(done.energy.front()));
  }
}

TEST(Falling, TheTorpedoComesToRestAmongItsRollers) {
  const Fall done = fall(*make_falling("torpedo", {.steps = 250}));
  EXPECT_EQ(done.kinetic.back(), 0);
  EXPECT_GE(done.contacts.back(), 8u);  // along its length
  EXPECT_NEAR(done.poses.back().translation().z, 0, 0.01);
}

TEST(Falling, RefusesOtherMeshesAndTooFewTriangles) {
  EXPECT_THROW(make_falling("torpedo", {.env = replacement("torpedo", torpedo())}), Error);
  EXPECT_THROW(torpedo(599), Error);
  EXPECT_THROW(torpedo(601), Error);
  EXPECT_THROW(pivot(100), Error);
}

}  // namespace
}  // namespace tumble::scenes
