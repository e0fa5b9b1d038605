// SPDX-License-Identifier: Apache-2.0
// The JSON output of all commands; docs/schemas describes it.
#pragma once

#include "cli/output.h"

#include <tumble/vec.h>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace tumble::cli {

using Json = nlohmann::ordered_json;

Json json_point(Vec3 p);

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

/// Adds --json FILE.
void add_json(CLI::App& command, std::optional<std::string>& file);

/// One object, written member by member, so that a long list is never in memory as text. NaN becomes null; bytes that
/// are not UTF-8 become U+FFFD.
class JsonDocument {
 public:
  /// Begins with the version of tumble and the name of the schema.
  JsonDocument(Output& out, std::string_view schema);

  void member(std::string_view key, const Json& value);
  /// An array with one element per line.
  void list(std::string_view key, std::size_t size, const std::function<Json(std::size_t)>& element);
  /// Ends the object.
  void end();
  /// Ends the object and finishes the output.
  void finish();

 private:
  void begin_member(std::string_view key);

  Output& out_;
  bool empty_ = true;
};

}  // namespace tumble::cli
