// SPDX-License-Identifier: Apache-2.0
// TextCursor: words and numbers of a text file, one pass, no copies, independent of the locale.
#pragma once

#include "io/source.h"

#include <tumble/mesh.h>

#include <fast_float/fast_float.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace tumble::io {

inline bool is_newline(char c) { return c == '\n' || c == '\r'; }
inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
inline bool is_space(char c) { return is_blank(c) || is_newline(c); }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Equal except for the case of ASCII letters; `lower` is in lower case.
inline bool is_word(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((text[i] >= 'A' && text[i] <= 'Z' ? char(text[i] - 'A' + 'a') : text[i]) != lower[i]) return false;
  return true;
}

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// A word of a file as messages show it: of a long one the beginning, never half a character of UTF-8.
inline std::string shortened(std::string_view word) {
  constexpr std::size_t longest = 60;
  if (word.size() <= longest) return std::string(word);
  std::size_t size = longest;
  while (size > 0 && (static_cast<unsigned char>(word[size]) & 0xC0u) == 0x80u) --size;
  return std::string(word.substr(0, size)) + "…";
}

/// The same in quotes.
inline std::string in_quotes(std::string_view word) {
  std::string text = "'";
  return text.append(shortened(word)).append("'");
}

/// The first characters of a file, for messages; those that are not printable ASCII become question marks.
inline std::string beginning_of(std::string_view bytes) {
  std::string shown(bytes.substr(0, 8));
  for (char& c : shown)
    if (c < ' ' || c > '~') c = '?';
  return shown;
}

class TextCursor {
 public:
  /// Starts behind a UTF-8 byte order mark; refuses UTF-16 and UTF-32.
  explicit TextCursor(const Source& source) : source_(source), at_(source.begin()), end_(source.end()) {
    if (source.bytes.starts_with("\xEF\xBB\xBF")) at_ += 3;
    if (source.bytes.starts_with("\xFE\xFF") || source.bytes.starts_with("\xFF\xFE"))
      source.fail_at_line(at_, "the text is UTF-16; save it as UTF-8 or ASCII", ErrorCode::unsupported);
  }

  const char* at() const { return at_; }
  void move_to(const char* at) { at_ = at; }
  bool at_end() const { return at_ == end_; }
  std::size_t bytes_left() const { return static_cast<std::size_t>(end_ - at_); }
  bool at_line_end() const { return at_ == end_ || is_newline(*at_); }
  char peek() const { return at_ == end_ ? '\0' : *at_; }
  void advance() { ++at_; }

  void skip_blanks() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
  }
  void skip_space() {
    while (at_ != end_ && is_space(*at_)) ++at_;
  }
  /// Stops before the newline.
  void skip_to_line_end() {
    while (at_ != end_ && !is_newline(*at_)) ++at_;
  }
  /// Spaces, newlines and comments from # to the end of the line.
  void skip_space_and_comments() {
    for (skip_space(); peek() == '#' && !at_end(); skip_space()) skip_to_line_end();
  }

  /// Up to the next space; empty at the end of the file.
  std::string_view word() {
    const char* first = at_;
    while (at_ != end_ && !is_space(*at_)) ++at_;
    return {first, static_cast<std::size_t>(at_ - first)};
  }
  std::string_view rest_of_line() {
    const char* first = at_;
    skip_to_line_end();
    return trimmed({first, static_cast<std::size_t>(at_ - first)});
  }

  /// A number that starts here, however large or small; infinity if it overflows.
  double number() {
    double value = 0;
    if (short_decimal(value)) return value;
    const char* first = at_;
    if (first != end_ && *first == '+' && first + 1 != end_ && first[1] != '-') ++first;
    const auto [last, error] = fast_float::from_chars(first, end_, value);
    if (error == std::errc::invalid_argument || !ends_token(last)) fail_token("a number");
    at_ = last;
    return value;
  }

  double coordinate() {
    const char* first = at_;
    const double value = number();
    if (!(std::abs(value) <= max_coordinate))  // false for NaN
      source_.fail_at_line(first, bad_coordinate, ErrorCode::invalid_mesh);
    return value;
  }

  /// A whole number that starts here, of at most 18 digits; stops at the first character that is not a digit.
  std::int64_t integer() {
    const char* p = at_;
    const bool negative = p != end_ && *p == '-';
    if (p != end_ && (*p == '-' || *p == '+')) ++p;
    const char* digits = p;
    std::uint64_t value = 0;  // may wrap after 19 digits; that is refused below
    while (p != end_ && is_digit(*p)) value = value * 10 + static_cast<std::uint64_t>(*p++ - '0');
    if (p == digits || p - digits > 18) fail_token("a whole number of at most 18 digits");
    at_ = p;
    return negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
  }

  /// The same, and nothing but a space may follow.
  std::int64_t whole_number() {
    const char* first = at_;
    const std::int64_t value = integer();
    if (!ends_token(at_)) {
      at_ = first;
      fail_token("a whole number");
    }
    return value;
  }

  [[noreturn]] void fail(const std::string& what) const { source_.fail_at_line(at_, what); }

  /// "expected X, found Y", with Y the word that starts here.
  [[noreturn]] void fail_token(const std::string& expected) const {
    constexpr std::size_t longest = 24;
    std::string found;
    for (const char* p = at_; p != end_ && !is_space(*p) && found.size() < longest; ++p)
      found += *p >= ' ' && *p <= '~' ? *p : '?';
    fail("expected " + expected + ", found " +
         (at_ == end_     ? "the end of the file"
          : found.empty() ? "the end of the line"
                          : "'" + found + "'"));
  }

 private:
  /// Plain decimals of up to 15 digits, which nearly all numbers are. The digits and the power of ten are exact in
  /// double precision, so one division rounds correctly (Clinger 1990). fast_float does the same after more checks,
  /// which show in the time of reading an OBJ.
  bool short_decimal(double& value) {
    const char* p = at_;
    const bool negative = p != end_ && *p == '-';
    p += negative;
    std::uint64_t digits = 0;
    const char* first = p;
    while (p != end_ && is_digit(*p)) digits = digits * 10 + static_cast<std::uint64_t>(*p++ - '0');
    std::ptrdiff_t count = p - first, decimals = 0;
    if (p != end_ && *p == '.') {
      first = ++p;
      while (p != end_ && is_digit(*p)) digits = digits * 10 + static_cast<std::uint64_t>(*p++ - '0');
      decimals = p - first;
      count += decimals;
    }
    if (count == 0 || count > 15 || !(p == end_ || is_space(*p))) return false;
    static constexpr double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                        1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    value = static_cast<double>(digits) / powers[decimals];
    if (negative) value = -value;
    at_ = p;
    return true;
  }

  bool ends_token(const char* p) const { return p == end_ || is_space(*p) || *p == '#' || *p == '\\'; }

  const Source& source_;
  const char* at_;
  const char* end_;
};

}  // namespace tumble::io
