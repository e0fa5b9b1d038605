// SPDX-License-Identifier: Apache-2.0
// XmlElement: the elements and attributes of an XML file, with their lines. Text between elements is left out.
#pragma once

#include "io/source.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tumble::io {

struct XmlElement {
  std::string name;
  std::int64_t line = 0;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<XmlElement> children;

  /// Null if there is none.
  const std::string* attribute(std::string_view wanted) const;
  /// The first of that name; null if there is none.
  const XmlElement* child(std::string_view wanted) const;
};

/// The root element. Refuses what is not well-formed, a DOCTYPE (and with it entities), deep nesting and large files.
XmlElement read_xml(const Source& source);

/// Throws, naming the element's line.
[[noreturn]] void fail_at(const Source& source, const XmlElement& element, const std::string& what,
                          ErrorCode code = ErrorCode::file_format);

const std::string& required_attribute(const Source& source, const XmlElement& element, std::string_view name);
/// Exactly values.size() finite numbers between spaces; leaves them as they are if there is no such attribute.
bool read_numbers(const Source& source, const XmlElement& element, std::string_view attribute,
                  std::span<double> values);

}  // namespace tumble::io
