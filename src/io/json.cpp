// SPDX-License-Identifier: Apache-2.0
// Guards the parser against deep nesting and names the place of what is malformed.
#include "io/json.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace tumble::io {
namespace {

constexpr std::size_t deepest_json = 128;

/// Finds brackets nested deeper than we allow, without recursion, before anything is built.
const char* too_deep(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > deepest_json) return text.data() + i;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return nullptr;
}

Json parse(const Source& source, std::string_view text, const Json::parser_callback_t& each) {
  if (is_utf16(text)) source.fail("its JSON is UTF-16; save it as UTF-8", ErrorCode::unsupported);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (const char* at = too_deep(text))
    source.fail_at_byte(at, "JSON nested deeper than " + std::to_string(deepest_json) + " levels");
  try {
    return Json::parse(text, each);
  } catch (const Json::parse_error& error) {
    source.fail_at_byte(text.data() + std::min(error.byte, text.size()), "malformed JSON");
  } catch (const Json::exception&) {
    source.fail("malformed JSON: a number is too large");
  }
}

}  // namespace

bool is_utf16(std::string_view text) {
  return text.starts_with("\xFE\xFF") || text.starts_with("\xFF\xFE") ||
         (text.size() > 1 && (text[0] == '\0') != (text[1] == '\0'));
}

Json parse_json(const Source& source, std::string_view text) { return parse(source, text, nullptr); }

Json parse_strict_json(const Source& source, std::string_view text) {
  if (text.empty()) source.fail("the file is empty");
  std::vector<std::set<std::string>> names;  // of the objects that are open
  return parse(source, text, [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) names.emplace_back();
    if (event == Json::parse_event_t::object_end) names.pop_back();
    if (event == Json::parse_event_t::key && !names.back().insert(parsed.get<std::string>()).second)
      source.fail("the member '" + parsed.get<std::string>() + "' is there twice in one object");
    return true;
  });
}

}  // namespace tumble::io
