// SPDX-License-Identifier: Apache-2.0
#include "scenes/catalog.h"

#include "scenes/hash.h"
#include "scenes/shapes.h"
#include "scenes/stand_ins.h"

#include <tumble/error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tumble::scenes {
namespace {

TEST(Catalog, MakesWhatItLists) {
  EXPECT_EQ(list().size(), 13u);
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

Mesh crooked_box() {
  Mesh mesh = placed(box({5, 1, 2}), turned(2, 0.1, {40, -7, 3}));
  mesh.vertices.push_back({1e6, 0, 0});  // no triangle uses it
  return mesh;
}

bool inside(const Box& box, const Box& room, double slack) {
  for (int axis = 0; axis < 3; ++axis)
    if (box.lower[axis] < room.lower[axis] - slack || box.upper[axis] > room.upper[axis] + slack) return false;
  return true;
}

// Any mesh can take the place of a generated one: it then fills that one's box as far as one scale allows.
TEST(Catalog, PutsOtherMeshesInTheirPlaces) {
  const auto other = replacement("crooked.off", crooked_box());
  for (const SceneInfo& info : list()) {
    SCOPED_TRACE(info.name);
    SceneOptions options{.triangles = info.scalable ? 8'000u : 0u, .steps = 20};
    const Scene generated = make(info.name, options);
    options.env = options.object = other;
    const Scene replaced = make(info.name, options);
    for (const auto& [now, then] : {std::pair{&replaced.env, &generated.env}, {&replaced.object, &generated.object}}) {
      EXPECT_EQ(now->triangles, other->mesh.triangles);
      const Box box = bounding_box(*now), room = bounding_box(*then);
      // Where the generated object was a copy of the environment, its place is in a copy of the replacement.
      EXPECT_TRUE(inside(box, room, 1e-9));
      if (now == &replaced.env) {
        double fullest = 0;
        for (int axis = 0; axis < 3; ++axis) {
          EXPECT_NEAR(box.lower[axis] + box.upper[axis], room.lower[axis] + room.upper[axis], 1e-9);
          fullest = std::max(fullest, (box.upper[axis] - box.lower[axis]) / (room.upper[axis] - room.lower[axis]));
        }
        EXPECT_NEAR(fullest, 1, 1e-9);
      }
    }
    EXPECT_EQ(replaced.info.env_triangles, 12u);
    EXPECT_EQ(replaced.info.contacts, 0u);
    EXPECT_NE(replaced.info.title.find("crooked.off"), std::string::npos);
    EXPECT_EQ(fly(replaced, [](const Pose&) { return false; }).size(), 20u);
  }
}

TEST(Catalog, CopiesOfAReplacedEnvironmentAreReplacedToo) {
  const Scene nested = make("nested", {.alpha = 0.25, .env = replacement("crooked.off", crooked_box())});
  ASSERT_EQ(nested.object.triangles.size(), 12u);
  EXPECT_EQ(nested.object.vertices[7], nested.env.vertices[7] * 0.75);
  // A hand goes where the replaced surface is.
  const Scene given = make("interior", {.steps = 50, .env = replacement("crooked.off", crooked_box())});
  EXPECT_NE(hash(given.path), hash(make("interior", {.steps = 50}).path));
}

TEST(Catalog, RefusesReplacementsThatCannotBeScaled) {
  EXPECT_THROW(replacement("empty.off", {}), Error);
  EXPECT_THROW(replacement("point.off", {{{1, 2, 3}}, {{0, 0, 0}}, {}}), Error);
  EXPECT_THROW(replacement("index.off", {{{1, 2, 3}}, {{0, 0, 1}}, {}}), Error);
  const auto flat = replacement("flat.off", {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, {}});
  EXPECT_EQ(make("pipes", {.triangles = 8'000, .env = flat}).env.triangles.size(), 1u);
  EXPECT_NE(replacement("a", crooked_box())->hash, flat->hash);
}

TEST(Catalog, SaysWhichOptionsASceneDependsOn) {
  for (const SceneInfo& info : list()) {
    SCOPED_TRACE(info.name);
    SceneOptions options{.triangles = info.scalable ? 8'000u : 0u, .steps = 5};
    const auto fingerprint = [&] {
      const Scene scene = make(info.name, options);
      return std::array{hash(scene.env), hash(scene.object), hash(scene.path)};
    };
    const auto plain = fingerprint();
    options.alpha = 0.2;
    EXPECT_EQ(fingerprint() != plain, info.by_alpha);
    options.alpha = SceneOptions{}.alpha;
    options.distance = 3;
    EXPECT_EQ(fingerprint() != plain, info.by_distance);
  }
}

TEST(Catalog, SaysWhatEverySceneStandsInFor) {
  std::vector<std::string> names;
  for (const SceneInfo& info : list()) {
    EXPECT_FALSE(stand_in(info.name).empty()) << info.name;
    names.push_back(info.name);
  }
  std::vector<std::string> billiards;  // told once, by their names
  for (const std::string& name : names)
    if (name != "fine_pipes" && make(name, {.steps = 1}).rules) billiards.push_back(name);
  const std::vector<std::string> told = stand_ins(names);
  ASSERT_EQ(told.size(), names.size() + 1);
  for (const std::string& name : billiards) EXPECT_NE(told.back().substr(0, 60).find(name), std::string::npos) << name;
  EXPECT_EQ(stand_ins(std::vector<std::string>{"swept", "no such scene"}).size(), 1u);
  EXPECT_EQ(stand_ins(names, Used::meshes_only).size(), names.size());
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
