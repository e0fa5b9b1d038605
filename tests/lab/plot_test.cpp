// SPDX-License-Identifier: Apache-2.0
// Plots are well-formed XML and show what they are given.
#include "lab/plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>
#include <string>
#include <utility>
#include <vector>

namespace tumble::lab {
namespace {

/// Empty if tags are balanced, attributes quoted and no markup is left in text; otherwise what is wrong.
std::string malformed(const std::string& xml) {
  std::vector<std::string> open;
  std::size_t roots = 0;
  for (std::size_t at = 0; at < xml.size();) {
    if (xml[at] != '<') {
      const std::size_t next = std::min(xml.find('<', at), xml.size());
      const std::string text = xml.substr(at, next - at);
      if (std::regex_search(text, std::regex("&(?!(lt|gt|amp|quot);)"))) return "a bare & in '" + text + "'";
      if (open.empty() && text.find_first_not_of(" \n") != std::string::npos) return "text outside the root";
      at = next;
      continue;
    }
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos) return "a tag without an end";
    const std::string tag = xml.substr(at, end - at + 1);
    std::smatch match;
    if (std::regex_match(tag, match, std::regex("</([a-z]+)>"))) {
      if (open.empty() || open.back() != match[1]) return "unbalanced " + tag;
      open.pop_back();
    } else if (std::regex_match(tag, match, std::regex("<([a-z]+)(\\s+[a-zA-Z][a-zA-Z0-9-]*='[^'<]*')*\\s*(/?)>"))) {
      roots += open.empty();
      if (match[3].length() == 0) open.push_back(match[1]);
    } else {
      return "not a tag: " + tag;
    }
    at = end + 1;
  }
  return !open.empty() ? "left open: " + open.back() : roots != 1 ? "not one root" : "";
}

std::size_t occurrences(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++count;
  return count;
}

TEST(Plot, TheCheckerFindsFaults) {
  EXPECT_EQ(malformed("<a><b x='1'/>text &amp; more</a>"), "");
  for (const char* bad : {"<a><b></a>", "<a", "<a x=1/>", "<a>&</a>", "<a/><a/>", "<a></a></a>", "loose<a/>"})
    EXPECT_NE(malformed(bad), "") << bad;
}

TEST(Plot, CurvesAreWellFormed) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const bool log_x : {false, true})
    for (const bool log_y : {false, true}) {
      Plot plot{"p", "Ours <and> theirs & \"more\"", {"x & y", log_x}, {"µs", log_y}};
      plot.series = {{"ours", {1e-4, 1, 100}, {5, 50, 5e6}, 0},
                     {"theirs <1998>", {1e-4, 1, 100}, {nan, inf, 7}, 0, true},
                     {"nothing above 0", {-1, 0, 0}, {-3, 0, -1}, 3},
                     {"empty", {}, {}, 2, false, false}};
      const std::string svg = to_svg(plot);
      EXPECT_EQ(malformed(svg), "");
      EXPECT_EQ(svg.find("nan"), std::string::npos);
      EXPECT_EQ(svg.find("inf"), std::string::npos);
      EXPECT_NE(svg.find("theirs &lt;1998&gt;"), std::string::npos);
      EXPECT_NE(svg.find("stroke-dasharray"), std::string::npos);
      EXPECT_EQ(occurrences(svg, "r='3.6'"), 6u);  // circles: three points, one more shown, two in the legend
    }
}

TEST(Plot, EveryBarIsDrawn) {
  Plot plot{"p", "Bars", {"flight"}, {"µs", true}, {}, {"pipes", "torus", "a category with a very long name"}};
  plot.series = {{"ours", {}, {1, 20, 300}, 0},
                 {"published", {}, {2, std::numeric_limits<double>::quiet_NaN(), 5}, 0, true}};
  const std::string svg = to_svg(plot);
  EXPECT_EQ(malformed(svg), "");
  EXPECT_EQ(occurrences(svg, "fill-opacity='0.18'"), 2u + 1u);  // two bars and the legend
  EXPECT_NE(svg.find("rotate(-30)"), std::string::npos);        // long names are slanted
}

// Ratios on a log axis grow from 1, half and double by as much; on a linear axis from 0.
TEST(Plot, RatiosGrowUpAndDownFromOne) {
  Plot plot{"p", "Ratios", {"flight"}, {"times as long", true}, {{"ours", {}, {0.5, 1, 2}, 0}}, {"a", "b", "c"}, true};
  const auto bars = [](const std::string& svg) {  // top and height
    std::vector<std::pair<double, double>> found;
    const std::regex bar("<rect x='[0-9.]+' y='([0-9.]+)' width='[0-9.]+' height='([0-9.]+)' fill='#0072b2'");
    for (std::sregex_iterator it(svg.begin(), svg.end(), bar), end; it != end; ++it)
      found.emplace_back(std::stod((*it)[1]), std::stod((*it)[2]));
    return found;
  };
  const auto log = bars(to_svg(plot));
  ASSERT_EQ(log.size(), 3u + 1u);  // and the legend
  EXPECT_NEAR(log[0].second, log[2].second, 0.2);
  EXPECT_EQ(log[1].second, 0);
  EXPECT_NEAR(log[2].first + log[2].second, log[0].first, 0.2);  // where one ends the other begins
  plot.y.log = false;
  const auto linear = bars(to_svg(plot));
  ASSERT_EQ(linear.size(), 3u + 1u);
  EXPECT_NEAR(linear[2].second, 4 * linear[0].second, 0.4);
}

TEST(Plot, NothingToShowIsStillAPlot) {
  EXPECT_EQ(malformed(to_svg({"p", "Empty", {"x"}, {"y"}})), "");
  EXPECT_EQ(malformed(to_svg({"p", "Empty", {"x", true}, {"y", true}})), "");
  EXPECT_EQ(malformed(to_svg({"p", "Constant", {"x"}, {"y"}, {{"c", {1, 1}, {2, 2}}}})), "");
}

TEST(Plot, LargerIsHigherAndFurtherRight) {
  Plot plot{"p", "Points", {"x", true}, {"y", true}};
  plot.series = {{"s", {1, 10, 100}, {3, 30, 300}}};
  const std::string svg = to_svg(plot);
  std::smatch match;
  ASSERT_TRUE(
      std::regex_search(svg, match, std::regex("d='M([0-9.]+) ([0-9.]+)L([0-9.]+) ([0-9.]+)L([0-9.]+) ([0-9.]+)'")));
  std::vector<double> v;
  for (std::size_t i = 1; i <= 6; ++i) v.push_back(std::stod(match[i]));
  EXPECT_LT(v[0], v[2]);
  EXPECT_LT(v[2], v[4]);
  EXPECT_GT(v[1], v[3]);
  EXPECT_GT(v[3], v[5]);
  EXPECT_NEAR(v[2] - v[0], v[4] - v[2], 0.2);  // decades are equally wide
}

}  // namespace
}  // namespace tumble::lab
