// SPDX-License-Identifier: Apache-2.0
// OFF (Object File Format of Geomview), text form, with its C, N and ST headers; colours and normals are skipped.
#include "io/polygons.h"
#include "io/readers.h"
#include "io/text.h"

namespace tumble::io {
namespace {

// The format is a stream of numbers, but files disagree with their headers on how many follow a vertex's coordinates
// or a face's indices. All write one vertex or face per line, so the rest of its last line is skipped.
class OffReader {
 public:
  explicit OffReader(const Source& source) : source_(source), text_(source), polygons_(mesh_) {}

  Mesh read() {
    read_header();
    const std::size_t vertices = read_count("vertices", 6);  // "0 0 0\n"
    const std::size_t faces = read_count("faces", 2);        // "0\n"
    text_.skip_to_line_end();                                // the number of edges is not used
    mesh_.vertices.reserve(vertices);
    for (std::size_t i = 0; i < vertices; ++i) read_vertex();
    for (std::size_t i = 0; i < faces; ++i) read_face();
    text_.skip_space_and_comments();
    if (!text_.at_end()) text_.fail("there is more data than the vertices and faces that the header declares");
    polygons_.finish();
    return std::move(mesh_);
  }

 private:
  /// [ST][C][N][4][n]OFF, or nothing at all.
  void read_header() {
    text_.skip_space_and_comments();
    if (!is_letter(text_.peek()) && text_.peek() != '4') return;
    const char* at = text_.at();
    const std::string_view rest = source_.bytes.substr(static_cast<std::size_t>(at - source_.begin()));
    std::size_t length = 0;
    for (const std::string_view prefix : {"ST", "C", "N", "4", "n"})
      if (rest.substr(length).starts_with(prefix)) length += prefix.size();
    const std::string_view prefix = rest.substr(0, length);
    if (!rest.substr(length).starts_with("OFF")) {
      if (prefix == "4") return;  // no keyword: four vertices
      text_.fail_token("'OFF'");
    }
    if (prefix.find_first_of("4n") != std::string_view::npos)
      source_.fail_at_line(at, "only three-dimensional OFF files are read", ErrorCode::unsupported);
    text_.move_to(at + length + 3);
    text_.skip_space_and_comments();
    if (source_.bytes.substr(static_cast<std::size_t>(text_.at() - source_.begin())).starts_with("BINARY"))
      source_.fail_at_line(at, "binary OFF files are not read; save it as text OFF or as PLY", ErrorCode::unsupported);
  }

  std::size_t read_count(const char* what, std::size_t least_bytes_each) {
    text_.skip_space_and_comments();
    const char* at = text_.at();
    const std::int64_t count = text_.whole_number();
    if (count < 0 || static_cast<std::size_t>(count) > text_.bytes_left() / least_bytes_each + 1)
      source_.fail_at_line(at, "the header declares " + std::to_string(count) + " " + what +
                                   ", more than the rest of the file can hold");
    return static_cast<std::size_t>(count);
  }

  void read_vertex() {
    Vec3 v;
    bool in_one_line = true;
    for (int axis = 0; axis < 3; ++axis) {
      text_.skip_blanks();
      if (axis == 2 && in_one_line && text_.at_line_end())
        text_.fail("a vertex has two coordinates; only three-dimensional OFF files are read");
      in_one_line = axis == 0 || !text_.at_line_end();
      text_.skip_space_and_comments();
      v[axis] = text_.coordinate();
    }
    text_.skip_to_line_end();
    mesh_.vertices.push_back(v);
  }

  void read_face() {
    text_.skip_space_and_comments();
    const char* at = text_.at();
    const std::int64_t count = text_.whole_number();
    if (count < 0 || static_cast<std::size_t>(count) > text_.bytes_left() / 2 + 1)
      source_.fail_at_line(at, "a face declares " + std::to_string(count) + " corners, more than the file can hold");
    corners_.clear();
    for (std::int64_t i = 0; i < count; ++i) {
      text_.skip_space_and_comments();
      at = text_.at();
      const std::int64_t index = text_.whole_number();
      if (index < 0 || static_cast<std::size_t>(index) >= mesh_.vertices.size())
        source_.fail_at_line(at,
                             "vertex index " + std::to_string(index) + " is out of range: there are " +
                                 std::to_string(mesh_.vertices.size()) + " vertices, counted from 0",
                             ErrorCode::invalid_mesh);
      corners_.push_back(static_cast<std::uint32_t>(index));
    }
    text_.skip_to_line_end();
    polygons_.add(corners_);
  }

  const Source& source_;
  TextCursor text_;
  Mesh mesh_;
  Polygons polygons_;
  std::vector<std::uint32_t> corners_;
};

}  // namespace

Mesh read_off(const Source& source) { return OffReader(source).read(); }

}  // namespace tumble::io
