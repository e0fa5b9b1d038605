// SPDX-License-Identifier: Apache-2.0
// Text for people: numbers, points, and names from files.
#pragma once

#include <tumble/vec.h>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace tumble::cli {

/// Six digits; "-" for NaN.
std::string number(double value);
/// Three digits, or all of them before the point: how much is seen at a glance.
std::string short_number(double value);
/// Three digits and the unit, for times of any size.
std::string milliseconds(double ms);
/// "87 %".
std::string percent(double share);
/// "(1, 2.5, -3)".
std::string point(Vec3 p);
/// "1 face", "12 faces".
std::string count(std::size_t n, std::string_view noun);
/// One text after the other. Where + joins long literals, g++ 12 warns of bounds that nobody breaks.
std::string joined(std::initializer_list<std::string_view> texts);
/// The width of UTF-8 text in a line, in code points.
std::size_t letters(std::string_view text);
/// Writes control characters and bytes that are not UTF-8 as \xNN. For names that go into files, too.
std::string without_controls(std::string_view text);
/// The same, and what turns the direction of text or breaks lines: no name shows a line in another order. For people.
std::string printable(std::string_view text);
/// Prints a label and its value, indented under a heading.
void print_row(std::string_view label, std::string_view value);
/// Prints "tumble: …" in one line on standard error.
void complain(std::string_view message);
/// Prints "tumble: note: …" likewise, unless quiet: something to know that is no error.
void note(std::string_view message);

/// From now on, nothing is printed but errors and what is asked for by name: --quiet.
void be_quiet();
bool is_quiet();

}  // namespace tumble::cli
