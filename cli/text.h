// SPDX-License-Identifier: Apache-2.0
// Text for people: numbers, points and names that come from files.
#pragma once

#include <tumble/vec.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace tumble::cli {

/// Six digits; "-" for NaN.
std::string number(double value);
/// Three digits and the unit; times of any size.
std::string milliseconds(double ms);
/// "87 %".
std::string percent(double share);
/// "(1, 2.5, -3)".
std::string point(Vec3 p);
/// "1 face", "12 faces".
std::string count(std::size_t n, std::string_view noun);
/// How many places UTF-8 text takes in a line, by its code points.
std::size_t letters(std::string_view text);
/// Control characters and what is not UTF-8 spelled as \xNN: no name may break a line or drive the terminal.
std::string printable(std::string_view text);
/// A label and what it names, indented under a heading.
void print_row(std::string_view label, std::string_view value);
/// "tumble: …" in one line on standard error.
void complain(std::string_view message);

}  // namespace tumble::cli
