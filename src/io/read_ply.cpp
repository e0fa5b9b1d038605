// SPDX-License-Identifier: Apache-2.0
// PLY (Turk 1994), ASCII and binary in both byte orders: vertices, faces and triangle strips; the rest is skipped.
#include "core/huge_pages.h"
#include "io/endian.h"
#include "io/polygons.h"
#include "io/readers.h"
#include "io/text.h"

#include <cmath>
#include <optional>

namespace tumble::io {
namespace {

enum class Type { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

std::size_t size_of(Type type) {
  static constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
  return sizes[static_cast<std::size_t>(type)];
}

std::optional<Type> type_named(std::string_view name) {
  constexpr struct {
    std::string_view name;
    Type type;
  } names[] = {
      {"char", Type::int8},     {"int8", Type::int8},       {"uchar", Type::uint8},    {"uint8", Type::uint8},
      {"short", Type::int16},   {"int16", Type::int16},     {"ushort", Type::uint16},  {"uint16", Type::uint16},
      {"int", Type::int32},     {"int32", Type::int32},     {"uint", Type::uint32},    {"uint32", Type::uint32},
      {"float", Type::float32}, {"float32", Type::float32}, {"double", Type::float64}, {"float64", Type::float64}};
  for (const auto& known : names)
    if (known.name == name) return known.type;
  return std::nullopt;
}

struct Property {
  std::string_view name;
  Type type = Type::float32;
  std::optional<Type> count_type;  // set for lists

  bool is_list() const { return count_type.has_value(); }
};

struct Element {
  std::string_view name;
  std::size_t count = 0;
  std::vector<Property> properties;
  const char* declared_at = nullptr;

  std::size_t index_of(std::string_view property) const {
    std::size_t i = 0;
    while (i < properties.size() && properties[i].name != property) ++i;
    return i;
  }
};

enum class Encoding { ascii, little_endian, big_endian };

struct Header {
  Encoding encoding = Encoding::ascii;
  std::vector<Element> elements;
  const char* data = nullptr;
};

class HeaderReader {
 public:
  explicit HeaderReader(const Source& source) : source_(source), text_(source) {}

  Header read() {
    if (text_.word() != "ply") source_.fail("not a PLY file: it does not begin with 'ply'");
    // Only if lines end with a lone \r can the data right behind the header begin with \n.
    const bool lone_returns = text_.peek() == '\r' && (text_.bytes_left() < 2 || text_.at()[1] != '\n');
    bool has_format = false;
    for (;;) {
      text_.skip_space();
      at_ = text_.at();
      const std::string_view keyword = text_.word();
      if (keyword == "end_header") break;
      if (keyword == "format") {
        read_format();
        has_format = true;
      } else if (keyword == "element") {
        read_element();
      } else if (keyword == "property") {
        read_property();
      } else if (keyword != "comment" && keyword != "obj_info") {
        text_.move_to(at_);
        text_.fail_token("a PLY header line or 'end_header'");
      }
      text_.skip_to_line_end();
    }
    if (!has_format) source_.fail_at_line(at_, "the header has no 'format' line");
    if (text_.peek() == '\r')
      text_.advance();
    else
      text_.skip_blanks();
    if (text_.peek() == '\n' && !(lone_returns && header_.encoding != Encoding::ascii)) text_.advance();
    header_.data = text_.at();
    return std::move(header_);
  }

 private:
  std::string_view next_word() {
    text_.skip_blanks();
    return text_.word();
  }

  void read_format() {
    const std::string_view format = next_word();
    if (format == "ascii")
      header_.encoding = Encoding::ascii;
    else if (format == "binary_little_endian")
      header_.encoding = Encoding::little_endian;
    else if (format == "binary_big_endian")
      header_.encoding = Encoding::big_endian;
    else
      source_.fail_at_line(at_, "unknown PLY format; tumble reads ascii, binary_little_endian and binary_big_endian");
  }

  void read_element() {
    Element element;
    element.declared_at = at_;
    element.name = next_word();
    text_.skip_blanks();
    const std::int64_t count = text_.whole_number();
    if (count < 0) source_.fail_at_line(at_, "an element's count must not be negative");
    element.count = static_cast<std::size_t>(count);
    constexpr std::size_t most_elements = 256;  // real files have two or three
    if (header_.elements.size() == most_elements) source_.fail_at_line(at_, "more than 256 kinds of elements");
    for (const Element& other : header_.elements)
      if (other.name == element.name)
        source_.fail_at_line(at_, "element '" + std::string(other.name) + "' is declared twice");
    header_.elements.push_back(std::move(element));
  }

  void read_property() {
    if (header_.elements.empty()) source_.fail_at_line(at_, "a property before any element");
    Property property;
    std::string_view word = next_word();
    if (word == "list") {
      property.count_type = read_type(next_word());
      word = next_word();
    }
    property.type = read_type(word);
    property.name = next_word();
    if (property.name.empty()) source_.fail_at_line(at_, "a property needs a name");
    header_.elements.back().properties.push_back(property);
  }

  Type read_type(std::string_view word) {
    const std::optional<Type> type = type_named(word);
    if (!type)
      source_.fail_at_line(at_,
                           "unknown property type; PLY has char, uchar, short, ushort, int, uint, float and double");
    return *type;
  }

  const Source& source_;
  TextCursor text_;
  Header header_;
  const char* at_ = nullptr;
};

constexpr char left_over[] = "there is more data than the elements that the header declares";

/// The body as a stream of scalars, in text: one line for each row of an element.
class AsciiScalars {
 public:
  AsciiScalars(const Source& source, const char* data) : source_(source), text_(source) { text_.move_to(data); }

  void begin_row() { text_.skip_space(); }
  void end_row() {
    text_.skip_blanks();
    if (!text_.at_line_end()) source_.fail_at_line(text_.at(), "the line has more numbers than the header declares");
  }
  void end() {
    text_.skip_space();
    if (!text_.at_end()) source_.fail_at_line(text_.at(), left_over);
  }
  double read(Type) {
    text_.skip_blanks();
    at_ = text_.at();
    if (text_.at_line_end() && !text_.at_end())
      source_.fail_at_line(at_, "the line has fewer numbers than the header declares");
    return text_.number();
  }
  void skip(Type type, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) read(type);
  }
  /// Whether the rest of the file can hold `count` scalars of this type.
  bool has_room(double count, Type) const { return 2 * count <= static_cast<double>(text_.bytes_left()) + 1; }
  [[noreturn]] void fail(const std::string& what, ErrorCode code = ErrorCode::file_format) const {
    source_.fail_at_line(at_, what, code);
  }

 private:
  const Source& source_;
  TextCursor text_;
  const char* at_ = nullptr;  // where the last scalar began
};

/// The body as a stream of scalars, in binary.
template <bool big_endian>
class BinaryScalars {
 public:
  BinaryScalars(const Source& source, const char* data) : source_(source), at_(data), last_(data) {}

  void begin_row() {}
  void end_row() {}
  /// Some programs end a file with a newline.
  void end() {
    const char* rest = at_;
    while (rest != source_.end() && is_newline(*rest)) ++rest;
    if (rest != source_.end()) source_.fail_at_byte(at_, left_over);
  }
  double read(Type type) {
    need(size_of(type));
    switch (type) {
      case Type::int8: return take<std::int8_t>();
      case Type::uint8: return take<std::uint8_t>();
      case Type::int16: return take<std::int16_t>();
      case Type::uint16: return take<std::uint16_t>();
      case Type::int32: return take<std::int32_t>();
      case Type::uint32: return take<std::uint32_t>();
      case Type::float32: return static_cast<double>(take<float>());
      case Type::float64: break;
    }
    return take<double>();
  }
  void skip(Type type, std::size_t count) {
    need(count * size_of(type));
    last_ = at_;
    at_ += count * size_of(type);
  }
  bool has_room(double count, Type type) const {
    return count * static_cast<double>(size_of(type)) <= static_cast<double>(source_.end() - at_);
  }
  [[noreturn]] void fail(const std::string& what, ErrorCode code = ErrorCode::file_format) const {
    source_.fail_at_byte(last_, what, code);
  }

 private:
  void need(std::size_t bytes) {
    if (static_cast<std::size_t>(source_.end() - at_) < bytes) fail_truncated();
  }
  [[noreturn]] void fail_truncated() const {
    source_.fail_at_byte(source_.end(), "the file ends before the elements its header declares");
  }
  template <class T>
  T take() {
    last_ = at_;
    at_ += sizeof(T);
    if constexpr (big_endian)
      return load_big_endian<T>(last_);
    else
      return load<T>(last_);
  }

  const Source& source_;
  const char* at_;
  const char* last_;  // where the last scalar began
};

template <class Scalars>
class BodyReader {
 public:
  BodyReader(const Source& source, const Header& header)
      : source_(source), header_(header), scalars_(source, header.data), polygons_(mesh_) {}

  Mesh read() {
    for (const Element& element : header_.elements) {
      check_count(element);
      if (element.name == "vertex") vertex_count_ = element.count;
    }
    for (const Element& element : header_.elements) {
      if (element.name == "vertex")
        read_vertices(element);
      else if (element.name == "face")
        read_faces(element);
      else if (element.name == "tristrips")
        read_strips(element);
      else
        skip(element);
    }
    scalars_.end();
    polygons_.finish();
    return std::move(mesh_);
  }

 private:
  // Each scalar and each list takes space, so an impossible count is refused before anything is reserved.
  void check_count(const Element& element) const {
    if (element.properties.empty() && element.name != "vertex") return;  // skipped without reading its rows
    constexpr std::size_t most = std::size_t{1} << 31;
    const double scalars = static_cast<double>(element.count) * static_cast<double>(element.properties.size());
    if (element.count <= most && scalars_.has_room(scalars, Type::uint8)) return;
    source_.fail_at_line(element.declared_at, "the header declares " + std::to_string(element.count) + " elements '" +
                                                  std::string(element.name) +
                                                  "', more than the rest of the file can hold");
  }

  void read_vertices(const Element& element) {
    constexpr int none = -1;
    std::vector<int> axes(element.properties.size(), none);
    for (int axis = 0; axis < 3; ++axis) {
      const std::size_t property = element.index_of(axis == 0 ? "x" : axis == 1 ? "y" : "z");
      if (property == element.properties.size() || element.properties[property].is_list())
        source_.fail_at_line(element.declared_at, "the vertices need properties x, y and z");
      axes[property] = axis;
    }
    reserve_in_huge_pages(mesh_.vertices, element.count);
    for (std::size_t i = 0; i < element.count; ++i) {
      Vec3 v;
      scalars_.begin_row();
      for (std::size_t p = 0; p < element.properties.size(); ++p) {
        if (axes[p] == none)
          skip(element.properties[p]);
        else
          v[axes[p]] = coordinate(element.properties[p].type);
      }
      scalars_.end_row();
      mesh_.vertices.push_back(v);
    }
  }

  double coordinate(Type type) {
    const double value = scalars_.read(type);
    if (!(std::abs(value) <= max_coordinate)) scalars_.fail(bad_coordinate, ErrorCode::invalid_mesh);  // NaN, too
    return value;
  }

  void read_faces(const Element& element) {
    if (!element.properties.empty()) reserve_in_huge_pages(mesh_.triangles, element.count);  // see check_count
    read_index_lists(element, [this](std::size_t length, Type type) {
      const auto next = [&] { return checked_index(scalars_.read(type)); };
      if (length == 3) {
        Triangle& t = mesh_.triangles.emplace_back();
        for (std::uint32_t& corner : t) corner = next();
        return;
      }
      corners_.clear();
      for (std::size_t i = 0; i < length; ++i) corners_.push_back(next());
      polygons_.add(corners_);
    });
  }

  /// −1 starts a new strip; every second triangle of a strip is turned back. Triangles that repeat a vertex join
  /// strips; they do not belong to the surface.
  void read_strips(const Element& element) {
    read_index_lists(element, [this](std::size_t length, Type type) {
      std::uint32_t a = 0, b = 0;
      std::size_t corner = 0;
      for (std::size_t i = 0; i < length; ++i) {
        const double value = scalars_.read(type);
        if (value == -1) {
          corner = 0;
          continue;
        }
        const std::uint32_t c = checked_index(value);
        if (corner >= 2 && a != b && b != c && c != a)
          mesh_.triangles.push_back(corner % 2 == 0 ? Triangle{a, b, c} : Triangle{b, a, c});
        a = b, b = c, ++corner;
      }
    });
  }

  template <class ReadList>
  void read_index_lists(const Element& element, ReadList read_list) {
    std::size_t indices = element.index_of("vertex_indices");
    if (indices == element.properties.size()) indices = element.index_of("vertex_index");
    if (indices == element.properties.size()) return skip(element);
    if (!element.properties[indices].is_list())
      source_.fail_at_line(element.declared_at, "the vertex indices of a face must be a list");
    for (std::size_t i = 0; i < element.count; ++i) {
      scalars_.begin_row();
      for (std::size_t p = 0; p < element.properties.size(); ++p) {
        if (p != indices)
          skip(element.properties[p]);
        else
          read_list(list_length(element.properties[p]), element.properties[p].type);
      }
      scalars_.end_row();
    }
  }

  std::uint32_t checked_index(double value) const {
    const bool in_range = value >= 0 && value < static_cast<double>(vertex_count_);  // false for NaN
    const std::uint32_t index = in_range ? static_cast<std::uint32_t>(value) : 0;
    if (!in_range || static_cast<double>(index) != value)
      scalars_.fail("vertex index " + shown(value) + " is out of range: there are " + std::to_string(vertex_count_) +
                        " vertices, counted from 0",
                    ErrorCode::invalid_mesh);
    return index;
  }

  static std::string shown(double value) {
    return std::abs(value) < 1e15 && value == std::floor(value) ? std::to_string(static_cast<std::int64_t>(value))
                                                                : std::to_string(value);
  }

  std::size_t list_length(const Property& list) {
    const double length = scalars_.read(*list.count_type);
    const bool fits = length >= 0 && scalars_.has_room(length, list.type);  // false for NaN
    const std::size_t items = fits ? static_cast<std::size_t>(length) : 0;
    if (!fits || static_cast<double>(items) != length)
      scalars_.fail("a list declares " + shown(length) + " items, which the rest of the file cannot hold");
    return items;
  }

  void skip(const Property& property) {
    if (property.is_list())
      scalars_.skip(property.type, list_length(property));
    else
      scalars_.skip(property.type, 1);
  }

  void skip(const Element& element) {
    if (element.properties.empty()) return;  // takes no space, whatever its count
    for (std::size_t i = 0; i < element.count; ++i) {
      scalars_.begin_row();
      for (const Property& property : element.properties) skip(property);
      scalars_.end_row();
    }
  }

  const Source& source_;
  const Header& header_;
  Scalars scalars_;
  Mesh mesh_;
  Polygons polygons_;
  std::vector<std::uint32_t> corners_;
  std::size_t vertex_count_ = 0;  // declared: faces may come first
};

}  // namespace

Mesh read_ply(const Source& source) {
  const Header header = HeaderReader(source).read();
  switch (header.encoding) {
    case Encoding::ascii: return BodyReader<AsciiScalars>(source, header).read();
    case Encoding::little_endian: return BodyReader<BinaryScalars<false>>(source, header).read();
    case Encoding::big_endian: break;
  }
  return BodyReader<BinaryScalars<true>>(source, header).read();
}

}  // namespace tumble::io
