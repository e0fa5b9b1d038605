// SPDX-License-Identifier: Apache-2.0
// Reads the pairs of an earlier run.
#include "cli/baseline.h"

#include "cli/input.h"
#include "io/json.h"
#include "io/source.h"

#include <algorithm>

namespace tumble::cli {
namespace {

std::tuple<std::string, std::string, std::string> key(const std::string& a, const std::string& b,
                                                      const std::string& kind) {
  return {std::min(a, b), std::max(a, b), kind};
}

}  // namespace

Baseline::Baseline(const std::string& file) {
  const std::string contents = read_all(file);
  const io::Source source{file == "-" ? "standard input" : file, contents, {}};
  const io::Json root = io::parse_strict_json(source, source.bytes);
  const auto text = [](const io::Json& object, const char* name) -> const std::string* {
    const auto found = object.find(name);
    return found == object.end() ? nullptr : found->get_ptr<const std::string*>();
  };
  const std::string* schema = root.is_object() ? text(root, "schema") : nullptr;
  if (!schema || !schema->starts_with("clash/")) source.fail("it was not written by tumble clash --json");
  if (*schema != "clash/1") source.fail("its layout is " + *schema + ", and this tumble reads clash/1");
  const auto pairs = root.find("pairs");
  if (pairs == root.end() || !pairs->is_array()) source.fail("pairs: there must be a list of this name");
  for (std::size_t i = 0; i < pairs->size(); ++i) {
    const io::Json& pair = (*pairs)[i];
    const auto member = [&](const char* name) -> const std::string& {
      const std::string* found = pair.is_object() ? text(pair, name) : nullptr;
      if (!found) source.fail("pairs[" + std::to_string(i) + "]: there must be a text named " + name);
      return *found;
    };
    pairs_.insert(key(member("a"), member("b"), member("class")));
  }
}

bool Baseline::knows(const std::string& a, const std::string& b, const std::string& kind) const {
  return pairs_.contains(key(a, b, kind));
}

}  // namespace tumble::cli
