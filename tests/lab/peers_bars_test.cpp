// SPDX-License-Identifier: Apache-2.0
#include "lab/experiments/peers_bars.h"

#include <gtest/gtest.h>

namespace tumble::lab {
namespace {

const char* const scenes_of_bars[] = {"pipes",    "torus",        "airplane",    "swept",
                                      "interior", "spheres 0.01", "two tori 1.5"};

Row row(const std::string& scene, const std::string& id, double any, double all, double build_ms) {
  return {{"scene", scene},       {"rival", id}, {"id", id},    {"any_ratio", any}, {"all_ratio", all},
          {"build_ms", build_ms}, {"wrong", 0},  {"missed", 0}, {"invented", 0},    {"contacts", 7}};
}

/// FCL takes `any` and `all` times as long as we do, everywhere.
std::vector<Row> field(double any, double all) {
  std::vector<Row> rows;
  for (const char* scene : scenes_of_bars) {
    rows.push_back(row(scene, "tumble-obb", 1, 1, 10));
    rows.push_back(row(scene, "tumble-obb-coherent", 1, 1, 10));
    rows.push_back(row(scene, "tumble-dop18", 2, 2, 5));
    rows.push_back(row(scene, "fcl-obb", any, all * 2, 25));
    rows.push_back(row(scene, "fcl-obbrss", any * 2, all, 40));
  }
  return rows;
}

const Row& bar(const Table& table, const std::string& beginning) {
  for (const Row& r : table.rows)
    if (r["bar"].get<std::string>().starts_with(beginning)) return r;
  static const Row none{{"verdict", "no such bar"}};
  ADD_FAILURE() << beginning;
  return none;
}

TEST(PeersBars, AreMeasuredAgainstTheBetterOfTheTwo) {
  const Table table = judge_bars(field(16, 19), {}, true);
  EXPECT_NEAR(bar(table, "any: tumble OBB over FCL's")["measured"].get<double>(), 16, 1e-9);
  EXPECT_EQ(bar(table, "any: tumble OBB over FCL's")["verdict"], "met");
  EXPECT_NEAR(bar(table, "all: tumble OBB over FCL's")["measured"].get<double>(), 19, 1e-9);
  EXPECT_EQ(bar(table, "all: tumble OBB over FCL's")["verdict"], "MISSED");
  EXPECT_EQ(bar(table, "any: the same, the far target")["verdict"], "MISSED");
  EXPECT_NEAR(bar(table, "any: tumble 18-DOP")["measured"].get<double>(), 8, 1e-9);
  EXPECT_EQ(bar(table, "any: tumble 18-DOP")["verdict"], "MISSED");
  EXPECT_EQ(bar(table, "build: tumble OBB")["verdict"], "met");
  EXPECT_NEAR(bar(table, "build: tumble 18-DOP")["measured"].get<double>(), 8, 1e-9);
}

TEST(PeersBars, OneBadSceneIsNamed) {
  std::vector<Row> rows = field(30, 30);
  for (Row& r : rows)
    if (r["scene"] == "swept" && r["id"] == "fcl-obb") r["any_ratio"] = 6.5;
  const Table table = judge_bars(rows, {}, true);
  EXPECT_EQ(bar(table, "any: tumble OBB over FCL's")["verdict"], "met");
  EXPECT_EQ(bar(table, "any: the same, every scene")["verdict"], "MISSED");
  EXPECT_EQ(bar(table, "any: the same, every scene")["where"], "swept");
}

TEST(PeersBars, NothingIsJudgedThatWasNotMeasured) {
  std::vector<Row> rows = field(30, 30);
  const Table whole = judge_bars(rows, {}, true);
  EXPECT_EQ(bar(whole, "any: tumble OBB over FCL in float")["verdict"], "not measured");
  EXPECT_EQ(bar(whole, "any: tumble-obb coherent over fresh, small")["verdict"], "not measured");
  EXPECT_EQ(bar(whole, "any: tumble-obb coherent over fresh, billiard")["verdict"], "met");
  std::erase_if(rows, [](const Row& r) { return r["scene"] == "torus"; });
  EXPECT_EQ(bar(judge_bars(rows, {}, true), "any: tumble OBB over FCL's")["verdict"], "not measured");
  EXPECT_EQ(bar(judge_bars(field(30, 30), {}, false), "any: tumble OBB over FCL's")["verdict"], "not judged");
}

TEST(PeersBars, DifferencesBetweenOurOwnAreCounted) {
  std::vector<Row> rows = field(30, 30);
  rows[1]["missed"] = 3;
  rows[3]["missed"] = 5;  // a rival's
  EXPECT_NE(judge_bars(rows, {}, true).notes.front().find(": 3."), std::string::npos);
}

TEST(PeersFindings, NameTheLossesAndTheWrong) {
  std::vector<Row> rows = field(30, 30);
  rows[3]["all_ratio"] = 0.5;
  rows[4]["invented"] = 2;
  std::string text;
  for (const std::string& finding : peers_findings(rows, {}, {}, judge_bars(rows, {}, true))) text += finding + "\n";
  EXPECT_NE(text.find("all: the same, every scene: 0.5 of 10;"), std::string::npos) << text;
  EXPECT_NE(text.find("Faster than tumble OBB: fcl-obb on pipes, all (0.5 of our time)."), std::string::npos) << text;
  EXPECT_NE(text.find("Differ: fcl-obbrss"), std::string::npos) << text;
  EXPECT_NE(text.find("on every pose flown: fcl-obb."), std::string::npos) << text;
}

TEST(PeersFindings, NameWhereCoherenceCosts) {
  std::vector<Row> rows = field(30, 30);
  rows[1]["all_ratio"] = 1.25;  // pipes, tumble-obb-coherent
  std::vector<Row> distances{{{"scene", "torus"}, {"rival", "a"}, {"id", "tumble-obb"}, {"ratio", 1.0}},
                             {{"scene", "torus"}, {"rival", "b"}, {"id", "tumble-obb-coherent"}, {"ratio", 1.1}},
                             {{"scene", "torus"}, {"rival", "FCL RSS"}, {"id", "fcl-rss"}, {"ratio", 0.5}}};
  std::string text;
  for (const std::string& finding : peers_findings(rows, {}, distances, judge_bars(rows, {}, true)))
    text += finding + "\n";
  EXPECT_NE(text.find("relative to fresh queries: pipes all 1.25 (OBB), torus distance 1.10 (OBB)."), std::string::npos)
      << text;
  EXPECT_NE(text.find("FCL RSS on torus, distance (0.5 of our time)"), std::string::npos) << text;
}

// Nested spheres are a scene of the distance bars like any other.
TEST(PeersBars, DistancesAreJudgedOnAllScenes) {
  std::vector<Row> rows;
  for (const char* scene : {"pipes", "torus", "airplane", "swept", "interior", "spheres 0.01", "two tori 2.5"}) {
    rows.push_back({{"scene", scene}, {"id", "tumble-obb"}, {"ratio", 1.0}});
    for (const char* fcl : {"fcl-rss", "fcl-obbrss"})
      rows.push_back({{"scene", scene}, {"id", fcl}, {"ratio", scene[1] == 'p' ? 4.0 : 16.0}});
  }
  Table bars;
  judge_distance_bars(rows, true, bars);
  EXPECT_EQ(bar(bars, "distance, cold: tumble OBB")["verdict"], "met");
  EXPECT_EQ(bar(bars, "distance, cold: the same, every scene")["where"], "spheres 0.01");
  EXPECT_EQ(bar(bars, "distance, cold: the same, every scene")["verdict"], "MISSED");
}

}  // namespace
}  // namespace tumble::lab
