// SPDX-License-Identifier: Apache-2.0
// Table: the rows of an experiment, ours beside the published ones, as text, Markdown, CSV and JSON.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tumble::lab {

using Json = nlohmann::ordered_json;
/// An object from column keys to numbers, texts or null.
using Row = Json;

struct Column {
  std::string key, title, unit{};
  int digits = 4;  // significant ones of a number that is no whole one

  friend bool operator==(const Column&, const Column&) = default;
};

/// How people are shown a long table: one line per value of `row`, one column per value of `column`.
struct Grid {
  std::string title;
  std::string row, column;
  std::string value;              // a column's key
  bool against_published = true;  // three lines each: ours, published and their ratio

  friend bool operator==(const Grid&, const Grid&) = default;
};

struct Table {
  std::string name, title;
  std::vector<Column> columns;
  std::vector<Row> rows{};
  std::vector<Grid> grids{};  // shown in the place of the list of rows
  std::vector<std::string> notes{};
  bool shown = true;  // false: too long for people, for files only

  friend bool operator==(const Table&, const Table&) = default;
};

/// The keys under which the published value of a column stands, and ours divided by it.
std::string published_key(std::string_view key);
std::string ratio_key(std::string_view key);

/// Three columns: ours, published, ratio.
void add_compared_columns(std::vector<Column>& columns, const Column& column);
/// Puts the published value beside ours; null where nothing was published or ours is missing.
void compare(Row& row, const std::string& key, std::optional<double> published);

/// Whole numbers with separators, others with so many digits; "–" for null.
std::string cell_text(const Json& cell, int digits = 4);

std::string to_text(const Table& table);
std::string to_markdown(const Table& table);
/// RFC 4180, a line of keys first; numbers read back as the same doubles, null is empty.
std::string to_csv(const Table& table);
Json to_json(const Table& table);
/// Throws what nlohmann::json throws for anything to_json() does not write.
Table table_from_json(const Json& json);

}  // namespace tumble::lab
