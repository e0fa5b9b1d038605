// SPDX-License-Identifier: Apache-2.0
// Tables keep their values in every form they are written in.
#include "lab/table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tumble::lab {
namespace {

Table example() {
  Table table{"example", "An example", {{"name", "name"}}};
  add_compared_columns(table.columns, {"nv", "Nv"});
  table.columns.push_back({"us", "time", "µs", 3});
  const double times[] = {0.1, 1e-7, 123456.789, 1.0 / 3};
  const char* names[] = {"plain", "comma, quote \" and\nline", "", "Fünzig | 2003"};
  for (std::size_t i = 0; i < 4; ++i) {
    Row row{{"name", names[i]}, {"nv", 1000 * (i + 1)}, {"us", times[i]}};
    compare(row, "nv", i == 2 ? std::nullopt : std::optional(2000.0));
    table.rows.push_back(row);
  }
  table.rows.push_back({{"name", "nothing measured"}});
  table.grids = {{"", "name", "nv", "us", false}};
  table.notes = {"a note"};
  return table;
}

/// RFC 4180, as strict as the writer: every line ends in CRLF.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> lines(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string& cell = lines.back().back();
    if (quoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"')
      cell += text[++i];
    else if (text[i] == '"')
      quoted = !quoted;
    else if (!quoted && text[i] == ',')
      lines.back().emplace_back();
    else if (!quoted && text.compare(i, 2, "\r\n") == 0)
      lines.push_back({""}), ++i;
    else
      cell += text[i];
  }
  lines.pop_back();
  return lines;
}

TEST(Table, ComparesWithThePublished) {
  Row row{{"nv", 50}};
  compare(row, "nv", 100.0);
  EXPECT_EQ(row.at("nv_published"), 100);
  EXPECT_TRUE(row.at("nv_published").is_number_integer());
  EXPECT_EQ(row.at("nv_ratio"), 0.5);
  compare(row, "nv", std::nullopt);
  EXPECT_TRUE(row.at("nv_published").is_null());
  EXPECT_TRUE(row.at("nv_ratio").is_null());
  compare(row, "missing", 3.5);
  EXPECT_EQ(row.at("missing_published"), 3.5);
  EXPECT_TRUE(row.at("missing_ratio").is_null());
}

TEST(Table, ComesBackFromJson) {
  const Table table = example();
  const Json json = Json::parse(to_json(table).dump());
  const Table again = table_from_json(json);
  EXPECT_EQ(to_json(again), json);
  EXPECT_EQ(again.columns, table.columns);
  EXPECT_EQ(again.grids, table.grids);
  EXPECT_EQ(again.notes, table.notes);
  ASSERT_EQ(again.rows.size(), table.rows.size());
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(again.rows[i].at("us").get<double>(), table.rows[i].at("us").get<double>());
  EXPECT_TRUE(again.rows[4].at("us").is_null());  // every column is there
}

TEST(Table, ComesBackFromCsv) {
  const Table table = example();
  const auto lines = parse_csv(to_csv(table));
  ASSERT_EQ(lines.size(), table.rows.size() + 1);
  for (std::size_t c = 0; c < table.columns.size(); ++c) EXPECT_EQ(lines[0].at(c), table.columns[c].key);
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    ASSERT_EQ(lines[r + 1].size(), table.columns.size());
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const std::string& cell = lines[r + 1][c];
      const Row& row = table.rows[r];
      if (!row.contains(table.columns[c].key) || row.at(table.columns[c].key).is_null())
        EXPECT_EQ(cell, "");
      else if (row.at(table.columns[c].key).is_string())
        EXPECT_EQ(cell, row.at(table.columns[c].key).get<std::string>());
      else
        EXPECT_EQ(std::stod(cell), row.at(table.columns[c].key).get<double>());
    }
  }
}

TEST(Table, SpellsNumbersForPeople) {
  EXPECT_EQ(cell_text(1234567), "1,234,567");
  EXPECT_EQ(cell_text(-1234), "-1,234");
  EXPECT_EQ(cell_text(999), "999");
  EXPECT_EQ(cell_text(1234.5678, 3), "1,235");
  EXPECT_EQ(cell_text(0.12345, 3), "0.123");
  EXPECT_EQ(cell_text(12.345, 3), "12.3");
  EXPECT_EQ(cell_text(0.9999, 3), "1.00");  // as many digits as what is not quite 1 has
  EXPECT_EQ(cell_text(1.0001, 3), "1.00");
  EXPECT_EQ(cell_text(-9.996, 3), "-10.0");
  EXPECT_EQ(cell_text(0.0001, 3), "0.0001");
  EXPECT_EQ(cell_text(1.5e-9, 3), "1.5e-09");
  EXPECT_EQ(cell_text(0.0), "0.000");
  EXPECT_EQ(cell_text(Json()), "–");
  EXPECT_EQ(cell_text(std::numeric_limits<double>::quiet_NaN()), "–");
  EXPECT_EQ(cell_text("as it is"), "as it is");
}

TEST(Table, LinesUpColumnsByLettersNotBytes) {
  Table table{
      "t", "T", {{"name", "name"}, {"n", "n"}}, {{{"name", "Fünzig"}, {"n", 5}}, {{"name", "Lin"}, {"n", 1000}}}};
  EXPECT_EQ(to_text(table), "T\n  name        n\n  Fünzig      5\n  Lin     1,000\n");
  EXPECT_EQ(to_markdown(table), "| name | n |\n|---|--:|\n| Fünzig | 5 |\n| Lin | 1,000 |\n");
}

TEST(Table, AGridShowsOursAboveThePublished) {
  Table table{"t", "T", {{"method", "method"}, {"alpha", "alpha"}}};
  add_compared_columns(table.columns, {"nv", "Nv"});
  for (const auto& [method, alpha, ours, theirs] :
       {std::tuple{"a", 0.5, 10, 20.0}, {"a", 0.25, 30, 30.0}, {"b", 0.5, 7, 0.0}}) {
    Row row{{"method", method}, {"alpha", alpha}, {"nv", ours}};
    compare(row, "nv", theirs == 0 ? std::nullopt : std::optional(theirs));
    table.rows.push_back(row);
  }
  table.grids = {{"", "method", "alpha", "nv"}};
  EXPECT_EQ(to_markdown(table),
            "| method |  | alpha 0.5 | 0.25 |\n|---|---|--:|--:|\n| a | ours | 10 | 30 |\n|  | published | 20 | 30 |\n"
            "|  | ratio | 0.500 | 1.00 |\n| b | ours | 7 | – |\n");
}

TEST(Table, AGridHasWholeNumbersInTheirOrder) {
  Table table{"t", "T", {{"object", "object"}, {"depth", "depth"}, {"leaves", "leaves"}}};
  for (const auto& [object, depth] : {std::pair{"a", 10}, {"a", 11}, {"b", 9}})
    table.rows.push_back({{"object", object}, {"depth", depth}, {"leaves", depth * 100}});
  table.grids = {{"", "object", "depth", "leaves", false}};
  EXPECT_EQ(to_markdown(table),
            "| object | depth 9 | 10 | 11 |\n|---|--:|--:|--:|\n| a | – | 1,000 | 1,100 |\n| b | 900 | – | – |\n");
}

}  // namespace
}  // namespace tumble::lab
