// SPDX-License-Identifier: Apache-2.0
// Finished rows outlive the program that made them, whatever ended it.
#include "lab/journal.h"

#include "lab/report.h"
#include "lab/scratch_folder.h"

#include <tumble/error.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace tumble::lab {
namespace {

std::string read(const std::filesystem::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(Journal, RemembersRowsByKeyAndTheLastOneCounts) {
  const ScratchFolder folder;
  const auto file = folder.path() / "new" / "journal.jsonl";
  {
    Journal journal(file);
    EXPECT_EQ(journal.find({{"k", 6}}), nullptr);
    journal.record({{"k", 6}}, {{"nv", 1}});
    journal.record({{"k", 14}}, {{"text", "two\nlines and a \"quote\""}});
    journal.record({{"k", 6}}, {{"nv", 2}});
  }
  const Journal again(file);
  ASSERT_NE(again.find({{"k", 6}}), nullptr);
  EXPECT_EQ(again.find({{"k", 6}})->at("nv"), 2);
  EXPECT_EQ(again.find({{"k", 14}})->at("text"), "two\nlines and a \"quote\"");
  EXPECT_EQ(again.find({{"k", 18}}), nullptr);
  EXPECT_EQ(again.size(), 2u);
}

TEST(Journal, KeepsDoublesToTheBit) {
  const ScratchFolder folder;
  const auto file = folder.path() / "journal.jsonl";
  const double values[] = {0.1, 1e-300, 123456789.123456789, 1.0 / 3};
  for (const double value : values) Journal(file).record({{"v", value}}, {{"value", value}});
  const Journal again(file);
  for (const double value : values) {
    ASSERT_NE(again.find({{"v", value}}), nullptr);
    EXPECT_EQ(again.find({{"v", value}})->at("value").get<double>(), value);
  }
}

TEST(Journal, DropsATruncatedLastLineOnlyAndGoesOn) {
  const ScratchFolder folder;
  const auto file = folder.path() / "journal.jsonl";
  Journal(file).record({{"row", 1}}, {{"nv", 10}});
  const std::string whole = read(file);
  for (std::size_t cut = 1; cut < whole.size(); ++cut) {  // a second copy of the line, cut off everywhere
    std::string second = whole;
    second.replace(second.find("\"row\":1"), 7, "\"row\":2");
    std::ofstream(file, std::ios::trunc) << whole << second.substr(0, cut);
    const bool only_newline_missing = cut + 1 == whole.size();
    {
      Journal journal(file);
      EXPECT_NE(journal.find({{"row", 1}}), nullptr) << cut;
      EXPECT_EQ(journal.find({{"row", 2}}) != nullptr, only_newline_missing) << cut;
      journal.record({{"row", 3}}, {{"nv", 30}});
    }
    const Journal again(file);
    EXPECT_NE(again.find({{"row", 1}}), nullptr) << cut;
    EXPECT_EQ(again.find({{"row", 2}}) != nullptr, only_newline_missing) << cut;
    ASSERT_NE(again.find({{"row", 3}}), nullptr) << cut;
    EXPECT_EQ(again.find({{"row", 3}})->at("nv"), 30) << cut;
  }
}

TEST(Journal, ADamagedLineCostsItsOwnRowOnly) {
  const ScratchFolder folder;
  const auto file = folder.path() / "journal.jsonl";
  Journal(file).record({{"row", 1}}, {{"nv", 1}});
  std::ofstream(file, std::ios::app) << "\x01 nonsense {]\n[1, 2]\n{\"key\": 1}\n{\"key\": {}, \"row\": 7}\n\n";
  Journal(file).record({{"row", 2}}, {{"nv", 2}});
  const Journal again(file);
  EXPECT_EQ(again.size(), 2u);
  EXPECT_NE(again.find({{"row", 1}}), nullptr);
  EXPECT_NE(again.find({{"row", 2}}), nullptr);
}

// A row that somebody cut a member out of must not reach an experiment, which would not find it.
TEST(Journal, RefusesARowThatWasChangedAndSaysWhichLine) {
  const ScratchFolder folder;
  const auto file = folder.path() / "journal.jsonl";
  for (const int n : {1, 2, 3}) Journal(file).record({{"n", n}}, {{"us", 1.5}, {"square", n * n}});
  const std::string whole = read(file);
  for (const auto& [was, is] : {std::pair{",\"square\":4", ""}, {"\"square\":4", "\"square\":5"}}) {
    std::string text = whole;
    text.replace(text.find(was), std::string_view(was).size(), is);
    std::ofstream(file, std::ios::trunc) << text;
    Journal journal(file);
    EXPECT_NE(journal.find({{"n", 1}}), nullptr);
    EXPECT_NE(journal.find({{"n", 3}}), nullptr);
    try {
      journal.find({{"n", 2}});
      FAIL() << "found";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::file_format);
      EXPECT_EQ(error.place().line, 2);
      EXPECT_EQ(error.place().file, file.string());
      EXPECT_NE(error.message().find("delete the line"), std::string::npos);
    }
    journal.record({{"n", 2}}, {{"square", 4}});  // measured again
    EXPECT_NE(journal.find({{"n", 2}}), nullptr);
    EXPECT_NE(Journal(file).find({{"n", 2}}), nullptr);
  }
}

// Neither a row nor a time: something that must hold, and does not, is told everywhere.
TEST(Reports, TellClaimsThatMustHoldAndDoNot) {
  const ScratchFolder folder;
  const auto run_with = [&](int second) {
    static int contacts = 0;
    contacts = second;
    const Experiment experiment{"agree", "Agreeing", "nobody", "fuenzig.cpp", [](Context& context, Report& report) {
                                  Table table{"rows", "Rows", {{"scene", "scene"}, {"contacts", "contacts"}}};
                                  for (const int c : {7, contacts})
                                    table.rows.push_back({{"scene", "torus"}, {"contacts", c}});
                                  table.rows.push_back({{"scene", "pipes"}, {"contacts", 1}});
                                  must_agree(context, table, {"scene"}, {"contacts"});
                                  context.must_hold(true, "two and two is four");
                                  report.tables = {table};
                                }};
    Journal journal(folder.path() / "journal.jsonl");
    Hangar hangar;
    const Report report = run(experiment, {.folder = folder.path()}, journal, hangar);
    EXPECT_EQ(to_json(experiment, report, false).at("broken").size(), report.broken.size());
    return std::pair(report.broken, to_text(experiment, report));
  };
  const auto [none, calm] = run_with(7);
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(calm.find("MUST HOLD"), std::string::npos);
  const auto [one, text] = run_with(8);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0], "Rows: on torus all find the same contacts, but they find 7 or 8");
  EXPECT_NE(text.find("MUST HOLD, AND DOES NOT: " + one[0]), std::string::npos) << text;
}

TEST(Journal, SaysWhereItCannotWrite) {
  const ScratchFolder folder;
  std::ofstream(folder.path() / "file") << "in the way";
  try {
    Journal(folder.path() / "file" / "journal.jsonl");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::file_access);
    EXPECT_NE(std::string(error.what()).find("journal.jsonl"), std::string::npos);
  }
}

// An experiment that is broken off in its third row, then asked again.
int measured = 0, fails_at = 0;

void count_rows(Context& context, Report& report) {
  context.plan(5);
  Table table{"rows", "Rows", {{"n", "n"}, {"square", "square"}}};
  for (int n = 1; n <= 5; ++n)
    table.rows.push_back(context.row({{"n", n}}, "same", [n] {
      if (n == fails_at) throw std::runtime_error("broken off");
      ++measured;
      return Row{{"square", n * n}};
    }));
  report.tables = {table};
}

TEST(Journal, ARunThatWasBrokenOffContinuesWithTheMissingRows) {
  const ScratchFolder folder;
  const Settings settings{.quick = true, .folder = folder.path()};
  Experiment experiment{"count", "Counting", "nobody", "fuenzig.cpp", count_rows};
  Hangar hangar;
  measured = 0, fails_at = 3;
  {
    Journal journal(folder.path() / "journal.jsonl");
    EXPECT_THROW(run(experiment, settings, journal, hangar), std::runtime_error);
  }
  EXPECT_EQ(measured, 2);
  fails_at = 0;
  std::vector<double> shares;
  Report report;
  {
    Journal journal(folder.path() / "journal.jsonl");
    report = run(experiment, settings, journal, hangar, [&](double share) { shares.push_back(share); });
  }
  EXPECT_EQ(measured, 5);  // rows 1 and 2 were not measured again
  ASSERT_EQ(report.tables.at(0).rows.size(), 5u);
  for (int n = 1; n <= 5; ++n) EXPECT_EQ(report.tables[0].rows[static_cast<std::size_t>(n - 1)].at("square"), n * n);
  ASSERT_FALSE(shares.empty());
  EXPECT_DOUBLE_EQ(shares.back(), 1);
  EXPECT_TRUE(std::ranges::is_sorted(shares));

  Journal journal(folder.path() / "journal.jsonl");
  run(experiment, settings, journal, hangar);
  EXPECT_EQ(measured, 5);
  run(experiment, {.quick = false, .folder = folder.path()}, journal, hangar);
  EXPECT_EQ(measured, 10);  // the full size is another thing
  experiment.source = "zachmann.cpp";
  run(experiment, settings, journal, hangar);
  EXPECT_EQ(measured, 15);  // and so are other sources
}

}  // namespace
}  // namespace tumble::lab
