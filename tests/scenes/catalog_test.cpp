// SPDX-License-Identifier: Apache-2.0
#include "scenes/catalog.h"

#include "scenes/hash.h"

#include <tumble/error.h>

#include <gtest/gtest.h>

namespace tumble::scenes {
namespace {

TEST(Catalog, MakesWhatItLists) {
  EXPECT_EQ(list().size(), 12u);
  for (const SceneInfo& info : list()) {
    SCOPED_TRACE(info.name);
    const Scene scene = make(info.name);
    EXPECT_EQ(scene.env.triangles.size(), info.env_triangles);
    EXPECT_EQ(scene.object.triangles.size(), info.object_triangles);
    EXPECT_NE(scene.path.empty(), !scene.rules.has_value());
    std::size_t asked = 0;
    const Flight flight = fly(scene, [&](const Pose&) { return ++asked % 100 == 0; });
    EXPECT_EQ(flight.size(), info.steps);
    EXPECT_EQ(asked > 0, scene.rules.has_value());
    check(scene.env);
    check(scene.object);
  }
}

TEST(Catalog, ScalesWhatCanBeScaled) {
  for (const SceneInfo& info : list()) {
    SCOPED_TRACE(info.name);
    if (!info.scalable) {
      EXPECT_THROW(make(info.name, {.triangles = 8'000}), Error);
      continue;
    }
    const Scene scene = make(info.name, {.triangles = 8'000, .steps = 3});
    EXPECT_EQ(scene.env.triangles.size(), 8'000u);
    EXPECT_EQ(scene.info.env_triangles, 8'000u);
    EXPECT_EQ(scene.info.steps, 3u);
  }
}

TEST(Catalog, HonoursAlphaAndTessellation) {
  const Scene scene = make("nested", {.alpha = 0.25, .tessellation = Tessellation::uv});
  EXPECT_EQ(hash(scene.env), hash(sphere(2'000, Tessellation::uv)));
  EXPECT_EQ(scene.object.vertices[7], scene.env.vertices[7] * 0.75);
  EXPECT_THROW(make("nested", {.alpha = 1}), Error);
}

TEST(Catalog, NamesTheScenesWhenAskedForAnother) {
  try {
    make("teapot");
    FAIL() << "made";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_NE(error.message().find("'teapot'"), std::string::npos);
    for (const SceneInfo& info : list()) EXPECT_NE(error.message().find(info.name), std::string::npos);
  }
}

}  // namespace
}  // namespace tumble::scenes
