// SPDX-License-Identifier: Apache-2.0
// One layout serves text and Markdown: lines of cells, numbers to the right.
#include "lab/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tumble::lab {
namespace {

struct Layout {
  std::vector<std::string> heads;
  std::vector<bool> numbers;  // by column
  std::vector<std::vector<std::string>> lines;
};

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string head(const Column& column) {
  return column.unit.empty() ? column.title : column.title + ", " + column.unit;
}

Json value_of(const Row& row, const std::string& key) {
  const auto found = row.find(key);
  return found == row.end() ? Json() : *found;
}

const Column* find(const Table& table, const std::string& key) {
  const auto found = std::ranges::find(table.columns, key, &Column::key);
  return found == table.columns.end() ? nullptr : &*found;
}

Layout layout(const Table& table) {
  Layout out;
  for (const Column& column : table.columns) {
    out.heads.push_back(head(column));
    out.numbers.push_back(
        std::ranges::none_of(table.rows, [&](const Row& r) { return value_of(r, column.key).is_string(); }));
  }
  for (const Row& row : table.rows) {
    std::vector<std::string> line;
    for (const Column& column : table.columns) line.push_back(cell_text(value_of(row, column.key), column.digits));
    out.lines.push_back(std::move(line));
  }
  return out;
}

/// In the order of the rows; whole numbers in theirs.
std::vector<Json> distinct(const Table& table, const std::string& key) {
  std::vector<Json> values;
  for (const Row& row : table.rows)
    if (const Json value = value_of(row, key); !value.is_null() && std::ranges::find(values, value) == values.end())
      values.push_back(value);
  if (std::ranges::all_of(values, [](const Json& v) { return v.is_number_integer(); })) std::ranges::sort(values);
  return values;
}

Layout layout(const Table& table, const Grid& grid) {
  const Column* const shown = find(table, grid.value);
  const std::vector<Json> across = distinct(table, grid.column);
  const Column* const across_column = find(table, grid.column);
  Layout out;
  out.heads = {find(table, grid.row) ? find(table, grid.row)->title : grid.row};
  out.numbers = {false};
  if (grid.against_published) out.heads.emplace_back(""), out.numbers.push_back(false);
  for (const Json& value : across) {
    std::string text = value.is_number_float() ? fmt::format("{:g}", value.get<double>()) : cell_text(value);
    if (out.heads.size() == (grid.against_published ? 2u : 1u) && across_column && value.is_number())
      text = across_column->title + " " + text;
    out.heads.push_back(text);
    out.numbers.push_back(true);
  }
  const auto cell = [&](const Json& down, const Json& over, const std::string& key) {
    for (const Row& row : table.rows)
      if (value_of(row, grid.row) == down && value_of(row, grid.column) == over && !value_of(row, key).is_null())
        return value_of(row, key);
    return Json();
  };
  const int digits = shown ? shown->digits : 4;
  for (const Json& down : distinct(table, grid.row)) {
    const auto line = [&](const std::string& first, const std::string& label, const std::string& key, int precision) {
      std::vector<std::string> cells{first};
      if (grid.against_published) cells.push_back(label);
      for (const Json& over : across) cells.push_back(cell_text(cell(down, over, key), precision));
      out.lines.push_back(std::move(cells));
    };
    line(cell_text(down), "ours", grid.value, digits);
    if (!grid.against_published) continue;
    const std::string published = published_key(grid.value);
    if (std::ranges::all_of(across, [&](const Json& over) { return cell(down, over, published).is_null(); })) continue;
    line("", "published", published, digits);
    line("", "ratio", ratio_key(grid.value), 3);
  }
  return out;
}

std::string text(const Layout& layout) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < layout.heads.size(); ++i) {
    std::size_t widest = width(layout.heads[i]);
    for (const auto& line : layout.lines) widest = std::max(widest, width(line[i]));
    widths.push_back(widest);
  }
  std::string out;
  const auto put = [&](const std::vector<std::string>& cells) {
    std::string line = " ";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string space(widths[i] - width(cells[i]), ' ');
      line += fmt::format(" {}{} ", layout.numbers[i] ? space : cells[i], layout.numbers[i] ? cells[i] : space);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  };
  put(layout.heads);
  for (const auto& line : layout.lines) put(line);
  return out;
}

std::string markdown(const Layout& layout) {
  const auto line = [](const std::vector<std::string>& cells) {
    std::string out = "|";
    for (std::string cell : cells) {
      for (std::size_t at = 0; (at = cell.find('|', at)) != std::string::npos; at += 2) cell.insert(at, 1, '\\');
      out += fmt::format(" {} |", cell);
    }
    return out + "\n";
  };
  std::string out = line(layout.heads) + "|";
  for (const bool number : layout.numbers) out += number ? "--:|" : "---|";
  out += "\n";
  for (const auto& cells : layout.lines) out += line(cells);
  return out;
}

std::string csv_cell(const Json& cell) {
  if (cell.is_null()) return {};
  if (!cell.is_string()) return cell.dump();
  const std::string value = cell.get<std::string>();
  if (value.find_first_of(",\"\r\n") == std::string::npos && !value.empty()) return value;
  std::string quoted = "\"";
  for (const char c : value) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string published_key(std::string_view key) { return std::string(key) + "_published"; }
std::string ratio_key(std::string_view key) { return std::string(key) + "_ratio"; }

void add_compared_columns(std::vector<Column>& columns, const Column& column) {
  columns.push_back(column);
  columns.push_back({published_key(column.key), "published", column.unit, column.digits});
  columns.push_back({ratio_key(column.key), "ratio", "", 3});
}

void compare(Row& row, const std::string& key, std::optional<double> published) {
  const Json ours = value_of(row, key);
  const bool whole = published && *published == std::floor(*published) && std::abs(*published) < 1e15;
  row[published_key(key)] = !published ? Json()
                            : whole    ? Json(static_cast<std::int64_t>(*published))
                                       : Json(*published);
  row[ratio_key(key)] =
      published && *published != 0 && ours.is_number() ? Json(ours.get<double>() / *published) : Json();
}

std::string cell_text(const Json& cell, int digits) {
  if (cell.is_string()) return cell.get<std::string>();
  if (cell.is_boolean()) return cell.get<bool>() ? "yes" : "no";
  if (!cell.is_number()) return "–";
  const double value = cell.get<double>();
  if (!std::isfinite(value)) return "–";
  std::string out;
  if (cell.is_number_integer()) {
    out = cell.dump();
  } else {
    const std::string rounded = fmt::format("{:.{}e}", value, digits - 1);  // 0.9999 is 1.00, with one digit before
    const int before = std::stoi(rounded.substr(rounded.find('e') + 1)) + 1;
    out = before > 15 || before < -2 ? fmt::format("{:.{}g}", value, digits)
                                     : fmt::format("{:.{}f}", value, std::clamp(digits - before, 0, 8));
  }
  if (out.find('e') != std::string::npos) return out;
  const std::size_t first = out[0] == '-' ? 1 : 0;
  for (std::size_t i = std::min(out.find('.'), out.size()); i > first + 3; i -= 3) out.insert(i - 3, 1, ',');
  return out;
}

std::string to_text(const Table& table) {
  std::string out = table.title + "\n";
  if (table.grids.empty()) out += text(layout(table));
  for (const Grid& grid : table.grids) {
    if (!grid.title.empty()) out += (&grid == &table.grids.front() ? "" : "\n") + grid.title + "\n";
    out += text(layout(table, grid));
  }
  for (const std::string& note : table.notes) out += fmt::format("  {}\n", note);
  return out;
}

std::string to_markdown(const Table& table) {
  std::string out;
  if (table.grids.empty()) out += markdown(layout(table));
  for (const Grid& grid : table.grids) {
    if (&grid != &table.grids.front()) out += "\n";
    if (!grid.title.empty()) out += grid.title + ":\n\n";
    out += markdown(layout(table, grid));
  }
  for (const std::string& note : table.notes) out += fmt::format("\n{}\n", note);
  return out;
}

std::string to_csv(const Table& table) {
  std::string out;
  const auto put = [&out](bool first, const std::string& cell) {
    if (!first) out += ',';
    out += cell;
  };
  for (const Column& column : table.columns) put(&column == &table.columns.front(), csv_cell(column.key));
  out += "\r\n";
  for (const Row& row : table.rows) {
    for (const Column& column : table.columns)
      put(&column == &table.columns.front(), csv_cell(value_of(row, column.key)));
    out += "\r\n";
  }
  return out;
}

Json to_json(const Table& table) {
  Json columns = Json::array(), rows = Json::array(), grids = Json::array();
  for (const Column& c : table.columns)
    columns.push_back({{"key", c.key}, {"title", c.title}, {"unit", c.unit}, {"digits", c.digits}});
  for (const Row& row : table.rows) {
    Row known = Json::object();
    for (const Column& c : table.columns) known[c.key] = value_of(row, c.key);
    rows.push_back(std::move(known));
  }
  for (const Grid& g : table.grids)
    grids.push_back({{"title", g.title},
                     {"row", g.row},
                     {"column", g.column},
                     {"value", g.value},
                     {"against_published", g.against_published}});
  return {{"name", table.name}, {"title", table.title}, {"columns", columns},  {"rows", rows},
          {"grids", grids},     {"notes", table.notes}, {"shown", table.shown}};
}

Table table_from_json(const Json& json) {
  Table table{json.at("name"), json.at("title"), {}};
  for (const Json& c : json.at("columns"))
    table.columns.push_back({c.at("key"), c.at("title"), c.at("unit"), c.at("digits")});
  for (const Json& row : json.at("rows")) table.rows.push_back(row);
  for (const Json& g : json.at("grids"))
    table.grids.push_back({g.at("title"), g.at("row"), g.at("column"), g.at("value"), g.at("against_published")});
  table.notes = json.at("notes").get<std::vector<std::string>>();
  table.shown = json.at("shown");
  return table;
}

}  // namespace tumble::lab
