// SPDX-License-Identifier: Apache-2.0
// Reading, writing and comparing counters.
#include "lab/kept_counters.h"

#include "lab/instruction_limit.h"
#include "lab/machine.h"
#include "lab/report.h"

#include <tumble/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

namespace tumble::lab {
namespace {

/// Whole numbers that follow from the meshes, the poses and the code alone, and means of them.
constexpr std::array exact_keys{
    "nv",         "nu",          "np",       "mixed",    "nodes", "tests", "looks",    "contacts", "colliding",
    "hits",       "found",       "pairs",    "contact",  "ways",  "poses", "steps",    "free",     "hash",
    "triangles",  "bytes",       "apart",    "to_trees", "red",   "table", "backward", "volumes",  "leaves_at_depth",
    "walk_steps", "cold_starts", "to_models"};
/// Of a key: which rivals there are, and how often something was measured.
constexpr std::array not_of_the_key{"entrants", "rivals", "visit", "passes"};

template <std::size_t n>
bool among(const std::array<const char*, n>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

bool is_rivals(const Json& row) {
  for (const char* key : {"id", "rival"})
    if (const auto who = row.find(key); who != row.end() && who->is_string()) {
      const std::string_view name = who->get_ref<const std::string&>();
      // Ours on a certain instruction set is not there on every machine.
      return !name.starts_with("tumble") || name.ends_with("-avx2") || name.ends_with("-sse4");
    }
  return false;
}

/// The exact members of an object, and of the objects in its lists.
Json exact_members(const Json& row) {
  Json out = Json::object();
  if (is_rivals(row)) return out;
  for (const auto& [key, value] : row.items()) {
    if (among(exact_keys, key)) {
      out[key] = value;
    } else if (value.is_array()) {
      Json list = Json::array();
      for (const Json& one : value)
        if (one.is_object())
          if (Json exact = exact_members(one); !exact.empty()) {
            for (const char* name : {"id", "question"})
              if (one.contains(name)) exact[name] = one[name];
            list.push_back(std::move(exact));
          }
      if (!list.empty()) out[key] = std::move(list);
    }
  }
  return out;
}

/// Rows by their keys as text, the second and further ones of the same key with a number: two tables of an experiment
/// may have the same.
std::vector<std::pair<std::string, const Json*>> named(const Json& rows) {
  std::map<std::string, int> seen;
  std::vector<std::pair<std::string, const Json*>> out;
  for (const Json& row : rows) {
    const std::string key = row.at("row").dump();
    const int before = seen[key]++;
    out.emplace_back(before == 0 ? key : fmt::format("{} ({})", key, before + 1), &row.at("counted"));
  }
  return out;
}

constexpr std::string_view stale_mark = "> **Out of date.**";
constexpr std::string_view code_mark = ", code ";  // as lab/report.cpp writes it

std::filesystem::path page_file(const std::filesystem::path& docs, const std::string& experiment) {
  return docs / "results" / (experiment + ".md");
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

Json exact_part(const Row& key, const Row& measured) {
  if (is_rivals(key)) return {};
  Json counted = exact_members(measured);
  if (counted.empty()) return {};
  Json name = key;
  for (const char* member : not_of_the_key) name.erase(member);
  return {{"row", std::move(name)}, {"counted", std::move(counted)}};
}

std::filesystem::path kept_file(const std::filesystem::path& docs, const std::string& experiment) {
  return docs / "results" / "quick" / (experiment + ".json");
}

std::optional<KeptCounters> kept(const std::filesystem::path& docs, const std::string& experiment) {
  const std::filesystem::path file = kept_file(docs, experiment);
  if (!std::filesystem::exists(file)) return std::nullopt;
  const Json json = Json::parse(text_of(file), nullptr, false);
  if (!json.is_object() || !json.contains("rows") || !json["rows"].is_array() ||
      !std::ranges::all_of(json["rows"],
                           [](const Json& row) { return row.contains("row") && row.contains("counted"); }))
    throw Error(ErrorCode::file_format, "holds no counters; delete it, and write the page anew",
                {.file = file.string()});
  return KeptCounters{json["rows"], json.value("seconds", 0.0)};
}

void keep(const std::filesystem::path& docs, const std::string& experiment, const KeptCounters& counters) {
  // A line per row, for readers of differences between versions.
  std::string rows;
  for (const Json& row : counters.rows) rows += fmt::format("{}\n  {}", rows.empty() ? "" : ",", row.dump());
  write_text(kept_file(docs, experiment),
             fmt::format(
                 "{{\n \"experiment\": {},\n \"instruction_set\": {},\n \"seconds\": {:.0f},\n \"rows\": [{}\n ]\n}}\n",
                 Json(experiment).dump(), Json(name(quick_instructions())).dump(), counters.seconds, rows));
}

std::vector<std::string> differences(const Json& kept, const Json& now, bool some_missing) {
  std::map<std::string, const Json*> by_name;
  for (const auto& [row_name, counted] : named(now)) by_name[row_name] = counted;
  std::vector<std::string> out;
  for (const auto& [row_name, counted] : named(kept)) {
    const auto found = by_name.find(row_name);
    if (found == by_name.end()) {
      if (!some_missing) out.push_back(fmt::format("{} is no longer measured", row_name));
      continue;
    }
    const Json &was = *counted, &is = *found->second;
    by_name.erase(found);
    if (was == is) continue;
    std::string what;
    for (const auto& [key, value] : was.items())
      if (const Json& other = is.contains(key) ? is[key] : Json(); other != value)
        what += fmt::format("{}{} was {} and is {}", what.empty() ? "" : ", ", key, value.dump(), other.dump());
    for (const auto& [key, value] : is.items())
      if (!was.contains(key))
        what += fmt::format("{}{} is {} and was not kept", what.empty() ? "" : ", ", key, value.dump());
    out.push_back(fmt::format("{}: {}", row_name, what));
  }
  for (const auto& [row_name, counted] : by_name) out.push_back(fmt::format("{} was not measured before", row_name));
  return out;
}

void mark_stale(const std::filesystem::path& docs, const std::string& experiment) {
  const std::filesystem::path file = page_file(docs, experiment);
  if (!std::filesystem::exists(file) || is_stale(docs, experiment)) return;
  std::string text = text_of(file);
  const std::size_t heading = text.find('\n');
  text.insert(heading == std::string::npos ? text.size() : heading + 1,
              fmt::format("\n{} Since this page was written its quick run has come to count otherwise (seen at commit "
                          "{}). `make lab LAB={}` writes it anew.\n",
                          stale_mark, commit(), experiment));
  write_text(file, text);
}

std::optional<std::string> code_of_page(const std::filesystem::path& docs, const std::string& experiment) {
  const std::filesystem::path file = page_file(docs, experiment);
  if (!std::filesystem::exists(file)) return std::nullopt;
  const std::string text = text_of(file);
  const std::size_t line = text.find("\nMeasured by commit ");
  if (line == std::string::npos) return std::nullopt;
  const std::size_t mark = text.find(code_mark, line), from = mark + code_mark.size();
  if (mark == std::string::npos || mark > text.find('\n', line + 1)) return std::nullopt;
  return text.substr(from, text.find(',', from) - from);
}

bool is_stale(const std::filesystem::path& docs, const std::string& experiment) {
  const std::filesystem::path file = page_file(docs, experiment);
  return std::filesystem::exists(file) && text_of(file).find(stale_mark) != std::string::npos;
}

}  // namespace tumble::lab
