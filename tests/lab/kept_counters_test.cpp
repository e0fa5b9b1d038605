// SPDX-License-Identifier: Apache-2.0
// Counters that were kept beside a page, and what shows that the page is out of date.
#include "lab/kept_counters.h"
#include "lab/instruction_limit.h"
#include "lab/machine.h"
#include "lab/report.h"
#include "lab/scratch_folder.h"

#include <tumble/error.h>

#include <fstream>

namespace tumble::lab {
namespace {

TEST(KeptCounters, HoldWhatIsTheSameOnEveryMachine) {
  const Row key{{"scene", "torus"}, {"visit", 2}, {"entrants", {"tumble", "fcl"}}};
  EXPECT_EQ(exact_part(key, {{"us", 1.5}, {"nv", 3.25}, {"contacts", 7}}),
            (Json{{"row", {{"scene", "torus"}}}, {"counted", {{"nv", 3.25}, {"contacts", 7}}}}));
  EXPECT_TRUE(exact_part(key, {{"us", 1.5}, {"spread", 0.1}}).is_null());
  EXPECT_TRUE(exact_part({{"scene", "torus"}, {"rival", "FCL OBB (double)"}}, {{"found", 7}}).is_null());
  // A rival, and ours on a set that other machines do not have, count for nothing in a list, either.
  const Json scores = {{{"id", "tumble-obb"}, {"us", 1}, {"hits", 5}},
                       {{"id", "tumble-obb-avx2"}, {"us", 1}, {"hits", 5}},
                       {{"id", "fcl-obb"}, {"us", 9}, {"hits", 5}}};
  EXPECT_EQ(exact_part(key, {{"scores", scores}}).at("counted").at("scores"),
            (Json{{{"hits", 5}, {"id", "tumble-obb"}}}));
}

TEST(KeptCounters, TellWhatDiffers) {
  const auto row = [](const char* scene, int nv) {
    return Json{{"row", {{"scene", scene}}}, {"counted", {{"nv", nv}}}};
  };
  const Json kept = {row("torus", 3), row("pipes", 4)};
  EXPECT_TRUE(differences(kept, kept, false).empty());
  EXPECT_TRUE(differences(kept, {row("pipes", 4), row("torus", 3)}, false).empty());
  const auto changed = differences(kept, {row("torus", 2), row("pipes", 4)}, false);
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_EQ(changed[0], "{\"scene\":\"torus\"}: nv was 3 and is 2");
  EXPECT_EQ(differences(kept, Json::array({row("torus", 3)}), false).size(), 1u);  // one is missing
  const Json twice = {row("torus", 3), row("torus", 4)};                           // of two tables
  EXPECT_TRUE(differences(twice, twice, false).empty());
  const auto second = differences(twice, {row("torus", 3), row("torus", 5)}, false);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(second[0], "{\"scene\":\"torus\"} (2): nv was 4 and is 5");
  EXPECT_EQ(differences(kept, Json::array({row("torus", 3)}), true).size(), 0u);  // for want of real meshes
  EXPECT_EQ(differences(kept, {row("torus", 3), row("pipes", 4), row("swept", 1)}, true).size(), 1u);
}

TEST(KeptCounters, SurviveTheDisk) {
  const ScratchFolder folder;
  EXPECT_FALSE(kept(folder.path(), "table2"));
  const KeptCounters counters{{{{"row", {{"scene", "torus"}}}, {"counted", {{"nv", 1.0 / 3}}}},
                               {{"row", {{"k", 6}}}, {"counted", {{"np", 4}}}}},
                              734};
  keep(folder.path(), "table2", counters);
  const std::optional<KeptCounters> back = kept(folder.path(), "table2");
  ASSERT_TRUE(back);
  EXPECT_EQ(back->rows, counters.rows);
  EXPECT_EQ(back->seconds, 734);
  std::ofstream(kept_file(folder.path(), "table2")) << "{\"rows\": [1]}";
  EXPECT_THROW(kept(folder.path(), "table2"), Error);
}

TEST(KeptCounters, StandBesideAPageThatNamesItsCode) {
  const ScratchFolder folder;
  EXPECT_FALSE(code_of_page(folder.path(), "table2"));
  const std::filesystem::path page = folder.path() / "results" / "table2.md";
  write_text(page, "# Code, code and times\n\n> **Out of date.** Said, code and all.\n\nText.\n");
  EXPECT_FALSE(code_of_page(folder.path(), "table2"));
  const Experiment& table2 = experiment("table2");
  Report report;
  report.commits = {"67f20172a4"};
  write_page(table2, report, folder.path());
  EXPECT_EQ(code_of_page(folder.path(), "table2"), code_version(table2.source));
  std::ofstream(page, std::ios::app) << "\nMeasured by commit x, code y, too.\n";
  EXPECT_EQ(code_of_page(folder.path(), "table2"), code_version(table2.source));
}

TEST(KeptCounters, AreMarkedOnThePageTheyContradict) {
  const ScratchFolder folder;
  mark_stale(folder.path(), "table2");  // there is no page
  EXPECT_FALSE(is_stale(folder.path(), "table2"));
  write_text(folder.path() / "results" / "table2.md", "# Times\n\nText.\n");
  EXPECT_FALSE(is_stale(folder.path(), "table2"));
  mark_stale(folder.path(), "table2");
  mark_stale(folder.path(), "table2");  // once is enough
  EXPECT_TRUE(is_stale(folder.path(), "table2"));
  std::ifstream in(folder.path() / "results" / "table2.md");
  std::string line;
  int marks = 0;
  for (int number = 0; std::getline(in, line); ++number) {
    marks += line.starts_with("> **Out of date.**");
    if (number == 0) {
      EXPECT_EQ(line, "# Times");
    }
  }
  EXPECT_EQ(marks, 1);
}

// Counters are of one instruction set that every machine has, whatever an experiment does in between.
TEST(KeptCounters, ComeFromScalarKernels) {
  static std::vector<InstructionSet> seen;
  seen.clear();
  const Experiment experiment{"limits", "Limits", "nobody", "fuenzig.cpp", [](Context&, Report&) {
                                seen.push_back(InstructionLimit::in_use());
                                {
                                  const InstructionLimit other(available().back());
                                  seen.push_back(InstructionLimit::in_use());
                                }
                                seen.push_back(InstructionLimit::in_use());
                              }};
  const ScratchFolder folder;
  Journal journal(folder.path() / "journal.jsonl");
  Hangar hangar;
  run(experiment, {.quick = true, .folder = folder.path()}, journal, hangar);
  EXPECT_EQ(seen, (std::vector{quick_instructions(), available().back(), quick_instructions()}));
  EXPECT_EQ(InstructionLimit::in_use(), available().back());
  seen.clear();
  run(experiment, {.folder = folder.path()}, journal, hangar);
  EXPECT_EQ(seen, (std::vector(3, available().back())));
}

}  // namespace
}  // namespace tumble::lab
