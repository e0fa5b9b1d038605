// SPDX-License-Identifier: Apache-2.0
// What is wrong with a command line, in one line.
#pragma once

#include <CLI/CLI.hpp>

#include <span>
#include <string>

namespace tumble::cli {

/// What an error of parsing says to a person: what was not understood, quoted as it was typed, what may have been
/// meant, and where to read more. `words` is the command line without the program's name.
std::string in_words(const CLI::ParseError& error, const CLI::App& tumble, std::span<const std::string> words);

/// An option that took another option of its command for its value, as in --json --quiet: says so. Empty if there is
/// none.
std::string option_for_a_value(const CLI::App& tumble, std::span<const std::string> words);

/// The command of the program with this name, or an option of a command, is not there: says so, with a suggestion.
std::string no_such_command(const std::string& word, const CLI::App& tumble);
std::string no_such_option(const std::string& word, const CLI::App& command);

/// Adds where to read more.
std::string with_help(const std::string& what, const std::string& command);

}  // namespace tumble::cli
