// SPDX-License-Identifier: Apache-2.0
#include "lab/solid_among_lines.h"
#include "scenes/shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tumble::lab {
namespace {

TEST(SolidAmongLines, DrawsEveryEdgeOnceAndSolidTrianglesFromFarToNear) {
  const Mesh cube = scenes::box({1, 1, 1});
  const std::vector<LineBody> bodies{{&cube, {}}, {&cube, Pose::from_translation({0, 5, 0})}};
  const std::vector<SolidPanel> panels{{"none", {{}, {}}}, {"two", {{0}, {1}}}};
  const std::string svg = solid_among_lines(bodies, panels, {0, 1, 0}, {0, 0, 1});
  const std::string lines = svg.substr(0, svg.find("</defs>"));
  EXPECT_EQ(std::ranges::count(lines, 'l') - std::ranges::count(lines.substr(0, lines.find(" d=\"")), 'l'), 36);
  EXPECT_NE(svg.find(">none</text>"), std::string::npos);
  const std::size_t of_first = svg.find("#1f77b4"), of_second = svg.find("#ff7f0e");  // which is behind
  ASSERT_NE(of_first, std::string::npos);
  ASSERT_NE(of_second, std::string::npos);
  EXPECT_GT(of_second, svg.find(">none</text>"));
  EXPECT_LT(of_second, of_first);
}

}  // namespace
}  // namespace tumble::lab
