// SPDX-License-Identifier: Apache-2.0
#include "io/helpers.h"

namespace tumble::test {
namespace {

const Mesh one{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, {}};
const Mesh two{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}}, {{"p", 0, 1}, {"q", 2, 1}}};

TEST(Flatten, PlacesInstancesAndNamesTheirParts) {
  const Mesh flat = flatten({{one, two}, {{"a", 0, {}}, {"b", 0, Pose::from_translation({10, 0, 0})}, {"c", 1, {}}}});
  check(flat);
  EXPECT_EQ(flat.vertices.size(), 9u);
  EXPECT_EQ(flat.vertices[4], (Vec3{11, 0, 0}));
  EXPECT_EQ(flat.triangles[1], (Triangle{3, 4, 5}));
  EXPECT_EQ(flat.parts, (std::vector<Part>{{"a", 0, 1}, {"b", 1, 1}, {"c/p", 2, 1}, {"c", 3, 1}, {"c/q", 4, 1}}));
}

TEST(Flatten, RefusesWhatCannotBeOneMesh) {
  EXPECT_THROW(flatten({{one}, {{"a", 1, {}}}}), Error);
  const Mesh far{{{1e100, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, {}};
  EXPECT_THROW(flatten({{far}, {{"a", 0, Pose::from_translation({1e100, 0, 0})}}}), Error);
  EXPECT_EQ(flatten({{far}, {{"a", 0, {}}}}).vertices, far.vertices);
}

}  // namespace
}  // namespace tumble::test
