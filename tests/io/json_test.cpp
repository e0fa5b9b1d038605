// SPDX-License-Identifier: Apache-2.0
#include "io/json.h"

#include <tumble/error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

namespace tumble::test {
namespace {

using io::Json;

Json strict(const std::string& text) { return io::parse_strict_json({"test", text, {}}, text); }

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  while (times-- > 0) all += text;
  return all;
}

TEST(Json, IsReadAsTheLibraryReadsIt) {
  for (const char* text : {"null", "true", "-1", "18446744073709551615", "1.5e-3", R"("a\u00e9\n")", "[]", "{}",
                           "[[[]]]", " [1, [2, {}], 3] ", R"({"b": {"a": [{"a": {}}, null]}, "a": {"b": 1}})",
                           R"([{"a": 1}, {"a": 2}])", R"({"": ""})"}) {
    EXPECT_EQ(strict(text), Json::parse(text)) << text;
    EXPECT_EQ(io::parse_json({"test", text, {}}, text), Json::parse(text)) << text;
  }
  const std::string twice = R"({"a": [1], "b": 2, "a": {"c": 3}})";
  EXPECT_EQ(io::parse_json({"test", twice, {}}, twice), Json::parse(twice));
}

TEST(Json, ErrorsAreWhereTheLibrarySeesThem) {
  for (const char* text : {"[", "[1,", "[1 2]", "{\"a\"}", "nul", "[]]", "\"\xff\"", "{\"a\":1,}", "[1]\n[2]", "01"}) {
    std::size_t at = 0;
    try {
      std::ignore = Json::parse(text);
      ADD_FAILURE() << text;
    } catch (const Json::parse_error& error) {
      at = std::min(error.byte, std::string_view(text).size());
    }
    const std::string copy = text;
    try {
      std::ignore = strict(copy);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.message(), "malformed JSON") << text;
      EXPECT_EQ(error.place().byte, static_cast<std::int64_t>(at)) << text;
    }
  }
}

TEST(Json, NamesThatAreThereTwiceAreRefused) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      std::ignore = strict(text);
    } catch (const Error& error) {
      return error.message();
    }
    return "";
  };
  EXPECT_EQ(refusal(R"([{"a": 1}, {"b": {"c": 1, "d": [{}], "c": 2}}])"),
            "the member 'c' is there twice in one object");
  EXPECT_EQ(refusal(R"({"a": {"a": 1}, "\u0061": 2})"), "the member 'a' is there twice in one object");
  const std::string longest(100000, 'x');
  EXPECT_LT(refusal("{\"" + longest + "\": 1, \"" + longest + "\": 2}").size(), 200u);
  EXPECT_EQ(refusal("[1e999]"), "malformed JSON: a number is too large");
}

// With time in the square of their number, each of these would take minutes.
TEST(Json, ManySiblingsTakeTimeInProportion) {
  constexpr std::size_t many = 2'000'000;  // in the square of it, the time would be beyond the limit that ctest sets
  EXPECT_EQ(strict("[" + repeated("{},", many) + "{}]").size(), many + 1);
  EXPECT_EQ(strict("{\"a\":[" + repeated("[1],", many) + "2]}")["a"].size(), many + 1);
  std::string members = "{";
  for (std::size_t i = 0; i < many / 4; ++i) members += "\"" + std::to_string(i) + "\":{},";
  EXPECT_EQ(strict(members + "\"\":0}").size(), many / 4 + 1);
}

}  // namespace
}  // namespace tumble::test
