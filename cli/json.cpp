// SPDX-License-Identifier: Apache-2.0
// Writes JSON documents.
#include "cli/json.h"

#include "cli/choices.h"

#include <tumble/version.h>

#include <string>

namespace tumble::cli {
namespace {

std::string one_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

Json json_point(Vec3 p) { return Json::array({p.x, p.y, p.z}); }

void add_json(CLI::App& command, std::optional<std::string>& file) {
  add_word(command, "--json", file, "FILE", "Write JSON to this file; - for standard output, and nothing else there");
}

JsonDocument::JsonDocument(Output& out, std::string_view schema) : out_(out) {
  member("tumble", version());
  member("schema", schema);
}

void JsonDocument::begin_member(std::string_view key) {
  out_.write(empty_ ? "{\n  " : ",\n  ");
  out_.write(one_line(key) + ": ");
  empty_ = false;
}

void JsonDocument::member(std::string_view key, const Json& value) {
  begin_member(key);
  out_.write(one_line(value));
}

void JsonDocument::list(std::string_view key, std::size_t size, const std::function<Json(std::size_t)>& element) {
  begin_member(key);
  out_.write("[");
  for (std::size_t i = 0; i < size; ++i) out_.write((i ? ",\n    " : "\n    ") + one_line(element(i)));
  out_.write(size ? "\n  ]" : "]");
}

void JsonDocument::end() { out_.write("\n}\n"); }

void JsonDocument::finish() {
  end();
  out_.finish();
}

}  // namespace tumble::cli
