// SPDX-License-Identifier: Apache-2.0
// Guards the parser against deep nesting and names the place of what is malformed.
#include "io/json.h"

#include "io/text.h"

#include <algorithm>
#include <string>
#include <utility>
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

/// Builds the value from what the parser finds, and may refuse names that are there twice in one object. The library's
/// own parser with a callback looks at all elements before each element that ends, which is quadratic in their number.
class Builder : public nlohmann::json_sax<Json> {
 public:
  enum class Repeated { last_counts, refused };

  Builder(const Source& source, std::string_view text, Repeated repeated)
      : source_(source), text_(text), repeated_(repeated) {}

  Json take() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t& value) override { return add(std::move(value)); }  // of other formats than JSON
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    const auto [member, is_new] = opened_.back()->emplace(name, nullptr);
    if (!is_new && repeated_ == Repeated::refused)
      source_.fail("the member " + in_quotes(name) + " is there twice in one object");
    member_ = &*member;
    return true;
  }

  bool parse_error(std::size_t byte, const std::string&, const Json::exception& error) override {
    if (dynamic_cast<const Json::parse_error*>(&error))
      source_.fail_at_byte(text_.data() + std::min(byte, text_.size()), "malformed JSON");
    source_.fail("malformed JSON: a number is too large");
  }

 private:
  /// Where the next value belongs.
  Json& put(Json value) {
    if (opened_.empty()) return root_ = std::move(value);
    Json& parent = *opened_.back();
    if (parent.is_object()) return *member_ = std::move(value);
    parent.push_back(std::move(value));
    return parent.back();
  }
  bool add(Json value) {
    put(std::move(value));
    return true;
  }
  bool open(Json value) {  // what it lies in gets no further element before it is closed, so the pointer stays good
    opened_.push_back(&put(std::move(value)));
    return true;
  }
  bool close() {
    opened_.pop_back();
    return true;
  }

  const Source& source_;
  std::string_view text_;
  Repeated repeated_;
  Json root_;
  std::vector<Json*> opened_;  // the objects and lists around the next value
  Json* member_ = nullptr;     // of the innermost object, whose value comes next
};

Json parse(const Source& source, std::string_view text, Builder::Repeated repeated) {
  if (is_utf16(text)) source.fail("its JSON is UTF-16; save it as UTF-8", ErrorCode::unsupported);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (const char* at = too_deep(text))
    source.fail_at_byte(at, "JSON nested deeper than " + std::to_string(deepest_json) + " levels");
  Builder builder(source, text, repeated);
  Json::sax_parse(text, &builder);
  return builder.take();
}

}  // namespace

bool is_utf16(std::string_view text) {
  return text.starts_with("\xFE\xFF") || text.starts_with("\xFF\xFE") ||
         (text.size() > 1 && (text[0] == '\0') != (text[1] == '\0'));
}

Json parse_json(const Source& source, std::string_view text) {
  return parse(source, text, Builder::Repeated::last_counts);
}

Json parse_strict_json(const Source& source, std::string_view text) {
  if (text.empty()) source.fail("the file is empty");
  return parse(source, text, Builder::Repeated::refused);
}

}  // namespace tumble::io
