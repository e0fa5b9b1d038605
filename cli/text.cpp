// SPDX-License-Identifier: Apache-2.0
// Formats numbers, points, names and error lines.
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tumble::cli {
namespace {

/// Whether a character of two or three bytes ends a line or turns the direction of what is shown around it (Unicode:
/// U+2028, U+2029 and the property Bidi_Control).
bool controls_lines(std::string_view character) {
  constexpr std::array<std::string_view, 14> known{"\u061c", "\u200e", "\u200f", "\u2028", "\u2029",
                                                   "\u202a", "\u202b", "\u202c", "\u202d", "\u202e",
                                                   "\u2066", "\u2067", "\u2068", "\u2069"};
  return std::ranges::find(known, character) != known.end();
}

/// The bytes of the character that `text` begins with; 0 if it is not UTF-8 (RFC 3629, 4) or a control character.
std::size_t printable_character(std::string_view text) {
  const auto byte = [text](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto follows = [byte](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
  const unsigned lead = byte(0), second = byte(1);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7f ? 1 : 0;
  if (lead < 0xe0)
    return lead >= 0xc2 && follows(1) && (lead > 0xc2 || second >= 0xa0) ? 2 : 0;  // C1 controls are C2 80..9F
  if (lead < 0xf0) {
    const bool overlong = lead == 0xe0 && second < 0xa0, surrogate = lead == 0xed && second >= 0xa0;
    return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
  }
  const bool overlong = lead == 0xf0 && second<0x90, too_large = lead> 0xf4 || (lead == 0xf4 && second >= 0x90);
  return follows(1) && follows(2) && follows(3) && !overlong && !too_large ? 4 : 0;
}

std::string escaped(std::string_view text, bool also_what_controls_lines) {
  std::string shown;
  while (!text.empty()) {
    std::size_t length = printable_character(text);
    if (also_what_controls_lines && controls_lines(text.substr(0, length))) length = 0;
    if (length == 0) shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    shown += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shown;
}

bool quiet = false;  // of the whole program, set while its options are read

}  // namespace

std::string number(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.6g}", value + 0.0);
}  // −0 + 0 is 0

std::string short_number(double value) {
  const double size = std::abs(value);
  return size >= 999.5 && size < 1e9 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

std::string milliseconds(double ms) { return ms < 999.5 ? short_number(ms) + " ms" : short_number(ms / 1000) + " s"; }

std::string percent(double share) { return std::isnan(share) ? "-" : fmt::format("{:.0f} %", share * 100); }

std::string point(Vec3 p) { return fmt::format("({}, {}, {})", number(p.x), number(p.y), number(p.z)); }

std::string count(std::size_t n, std::string_view noun) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); }

std::string joined(std::initializer_list<std::string_view> texts) {
  std::string all;
  for (const std::string_view text : texts) all += text;
  return all;
}

std::size_t letters(std::string_view text) {
  return std::size_t(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string without_controls(std::string_view text) { return escaped(text, false); }
std::string printable(std::string_view text) { return escaped(text, true); }

void print_row(std::string_view label, std::string_view value) { fmt::print("  {:<20}{}\n", label, value); }

void be_quiet() { quiet = true; }
bool is_quiet() { return quiet; }

void note(std::string_view message) {
  if (!quiet) complain(fmt::format("note: {}", message));
}

void complain(std::string_view message) {
  const std::string line = fmt::format("tumble: {}\n", printable(message));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace tumble::cli
