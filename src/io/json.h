// SPDX-License-Identifier: Apache-2.0
// JSON of a file, parsed without recursion into depths that a file chooses.
#pragma once

#include "io/source.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace tumble::io {

using Json = nlohmann::json;

/// Whether a text that begins like this is UTF-16; JSON begins with a character of ASCII.
bool is_utf16(std::string_view text);

/// Parses `text`, which lies in the source's bytes. Refuses nesting deeper than 128 levels. Errors name the byte.
Json parse_json(const Source& source, std::string_view text);
/// The same; also refuses an object with two members of one name, of which a reader would see one.
Json parse_strict_json(const Source& source, std::string_view text);

}  // namespace tumble::io
