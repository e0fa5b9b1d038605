// SPDX-License-Identifier: Apache-2.0
#include "lab/film_strip.h"
#include "scenes/shapes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tumble::lab {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// Cells of a picture: the lengths of the lines of the last frame's own paths.
std::size_t cells_of_last_object(const std::string& svg) {
  std::size_t cells = 0;
  for (std::size_t at = svg.find('h', svg.rfind("<use href") + 9); at != std::string::npos; at = svg.find('h', at + 1))
    if (svg[at + 1] >= '0' && svg[at + 1] <= '9') cells += std::stoul(svg.substr(at + 1));
  return cells;
}

const Vec3 along{0, 1, 0}, up{0, 0, 1};

TEST(FilmStrip, SpreadsOverTheWholePath) {
  std::vector<Pose> path;
  for (int i = 0; i < 100; ++i) path.push_back(Pose::from_translation({static_cast<double>(i), 0, 0}));
  const std::vector<Frame> frames = spread(path, 5);
  ASSERT_EQ(frames.size(), 5u);
  EXPECT_EQ(frames.front().caption, "step 0");
  EXPECT_EQ(frames.back().caption, "step 99");
  EXPECT_EQ(frames.back().pose, path.back());
  EXPECT_EQ(spread({}, 5).size(), 0u);
}

TEST(FilmStrip, DrawsWhatIsNearestAndCutsAwayWhatIsInFront) {
  const Mesh cube = scenes::box({1, 1, 1});
  const Frame front{"front", Pose::from_translation({0, -5, 0})}, behind{"behind", Pose::from_translation({0, 5, 0})};
  const std::vector<Frame> both{front, behind};
  Mesh far_wall = scenes::box({50, 1, 50}), near_wall = far_wall;
  for (Vec3& v : far_wall.vertices) v.y += 20;
  for (Vec3& v : near_wall.vertices) v.y -= 20;
  const std::size_t seen = cells_of_last_object(film_strip(far_wall, cube, both, along, up));
  EXPECT_GT(seen, 100u);
  EXPECT_EQ(cells_of_last_object(film_strip(near_wall, cube, both, along, up)), seen);               // it is cut away
  EXPECT_EQ(cells_of_last_object(film_strip(scenes::box({50, 1, 50}), cube, both, along, up)), 0u);  // it is between
  const std::string strip = film_strip(far_wall, cube, both, along, up);
  EXPECT_EQ(count(strip, "<use href"), 2u);
  EXPECT_EQ(count(strip, ">behind</text>"), 1u);
}

}  // namespace
}  // namespace tumble::lab
