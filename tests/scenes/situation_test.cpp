// SPDX-License-Identifier: Apache-2.0
#include "scenes/situation.h"

#include "scenes/closed.h"

#include <tumble/error.h>

#include <gtest/gtest.h>

#include <set>

namespace tumble::scenes {
namespace {

constexpr std::uint64_t seed = 11;

TEST(Situation, IsWrittenAndReadBack) {
  SCOPED_TRACE(seed);
  Random random(seed);
  std::set<std::string> shapes;
  for (int i = 0; i < 300; ++i) {
    const Situation situation = i % 2 == 0 ? random_situation(random) : mutated(random_situation(random), random);
    EXPECT_EQ(situation_from(to_text(situation)), situation) << to_text(situation);
    shapes.insert(situation.shape);
  }
  EXPECT_EQ(shapes.size(), 13u);
  EXPECT_EQ(to_text({"lid", 1, 2, 3, 4, -5, 6}), "lid-1-2-3-4-m5-6");
}

TEST(Situation, RefusesOtherText) {
  for (const char* text : {"", "plates", "moon-1-2-3-4-5-6", "plates-1-2-3-4-5", "plates-1-2-3-4-5-6-7",
                           "plates-10-2-3-4-5-6", "plates-1-2-3-4-m10-6", "plates-1-x-3-4-5-6", "plates-1--2-3-4-5-6"})
    EXPECT_THROW(situation_from(text), Error) << text;
}

TEST(Situation, AllArePlacedClosed) {
  SCOPED_TRACE(seed);
  Random random(seed);
  for (int i = 0; i < 60; ++i) {
    Situation situation = random_situation(random);
    situation.detail = i % 2;
    SCOPED_TRACE(to_text(situation));
    const Placing placing = place(situation);
    for (const Mesh* mesh : {&placing.env, &placing.object}) {
      check(*mesh);
      EXPECT_EQ(open_edges(*mesh), 0u);
    }
    EXPECT_EQ(place(situation).env.vertices, placing.env.vertices);
    EXPECT_EQ(place(situation).pose.rows(), placing.pose.rows());
  }
}

TEST(Situation, ScaleShiftAndOrientationMoveBothBodies) {
  const auto width = [](const Situation& situation) {
    const Placing p = place(situation);
    return length(p.pose * p.object.vertices[0] - p.env.vertices[0]);
  };
  const double plain = width({"plates", 0, 40, 0, 0, 0, 0});
  EXPECT_NEAR(width({"plates", 0, 40, 7, 0, 0, 0}), plain, 1e-12);
  EXPECT_NEAR(width({"plates", 0, 40, 7, 0, 0, 3}), plain, 1e-9);
  EXPECT_NEAR(width({"plates", 0, 40, 7, 0, 5, 3}), 1e5 * plain, 1e-4);
}

}  // namespace
}  // namespace tumble::scenes
