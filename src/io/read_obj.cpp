// SPDX-License-Identifier: Apache-2.0
// Wavefront OBJ: vertices, polygons, objects and groups; everything else (normals, materials, curves) is skipped.
#include "core/huge_pages.h"
#include "io/polygons.h"
#include "io/readers.h"
#include "io/text.h"

namespace tumble::io {
namespace {

class ObjReader {
 public:
  explicit ObjReader(const Source& source) : source_(source), text_(source), polygons_(mesh_) {}

  Mesh read() {
    // A triangle mesh without texture takes about 28 bytes for a vertex and 20 for a face, with two faces per vertex.
    // This reserves only address space: unused pages cost nothing.
    reserve_in_huge_pages(mesh_.vertices, source_.bytes.size() / 64);
    reserve_in_huge_pages(mesh_.triangles, source_.bytes.size() / 32);
    for (; skip_to_statement(); skip_statement()) {
      const char first = text_.peek();
      const char second = bytes_left() > 1 ? text_.at()[1] : '\n';
      const bool one_letter = is_space(second) || second == '\\';
      if (first == 'v' && one_letter)
        read_vertex();
      else if (first == 'f' && one_letter)
        read_face();
      else if ((first == 'o' || first == 'g') && one_letter)
        read_name(first == 'o');
      else if (!is_letter(first))
        text_.fail_token("an OBJ statement such as 'v' or 'f'");
    }
    if (largest_index_ > mesh_.vertices.size()) fail_index(largest_at_, static_cast<std::int64_t>(largest_index_));
    polygons_.finish();
    end_part();
    return std::move(mesh_);
  }

 private:
  std::size_t bytes_left() const { return text_.bytes_left(); }

  /// False at the end of the file.
  bool skip_to_statement() {
    text_.skip_space_and_comments();
    return !text_.at_end();
  }

  /// A backslash at the end of a line joins the next one.
  bool skip_continuation() {
    if (text_.peek() != '\\' || bytes_left() < 2 || !is_newline(text_.at()[1])) return false;
    const char newline = text_.at()[1];
    text_.advance(), text_.advance();
    if (newline == '\r' && text_.peek() == '\n') text_.advance();
    return true;
  }

  void skip_gap() {
    do text_.skip_blanks();
    while (skip_continuation());
  }

  bool at_statement_end() const { return text_.at_line_end() || text_.peek() == '#'; }

  void skip_statement() {
    while (!text_.at_line_end())
      if (!skip_continuation()) text_.advance();
  }

  void read_vertex() {
    text_.advance();
    Vec3 v;
    for (int axis = 0; axis < 3; ++axis) {
      skip_gap();
      v[axis] = text_.coordinate();
    }
    mesh_.vertices.push_back(v);  // a weight or a colour may follow
  }

  void read_face() {
    const char* statement = text_.at();
    text_.advance();
    corners_.clear();
    for (skip_gap(); !at_statement_end(); skip_gap()) corners_.push_back(read_corner());
    if (corners_.empty()) source_.fail_at_line(statement, "a face needs vertex indices");
    if (corners_.size() == 3)
      mesh_.triangles.push_back({corners_[0], corners_[1], corners_[2]});
    else
      polygons_.add(corners_);
  }

  /// v, v/vt, v//vn or v/vt/vn; only v is used. Vertices may come after the faces that use them.
  std::uint32_t read_corner() {
    const char* at = text_.at();
    const std::int64_t index = text_.integer();
    while (text_.peek() == '/' || text_.peek() == '-' || is_digit(text_.peek())) text_.advance();
    if (!text_.at_line_end() && !is_blank(text_.peek()) && text_.peek() != '\\' && text_.peek() != '#') {
      text_.move_to(at);
      text_.fail_token("a vertex index such as 7, 7/1, 7//1 or 7/1/1");
    }
    const auto known = static_cast<std::int64_t>(mesh_.vertices.size());
    if (index < 0 && index >= -known) return static_cast<std::uint32_t>(known + index);
    if (index <= 0 || index > most_vertices) fail_index(at, index);
    if (static_cast<std::size_t>(index) > largest_index_)
      largest_index_ = static_cast<std::size_t>(index), largest_at_ = at;
    return static_cast<std::uint32_t>(index - 1);
  }

  [[noreturn]] void fail_index(const char* at, std::int64_t index) const {
    source_.fail_at_line(at,
                         index == 0
                             ? "vertex index 0: OBJ counts from 1"
                             : "vertex index " + std::to_string(index) + " is out of range: there are " +
                                   std::to_string(mesh_.vertices.size()) + " vertices" + (index < 0 ? " so far" : ""),
                         ErrorCode::invalid_mesh);
  }

  /// A part is a run of faces under one "o" and "g": named by either, or "object/group".
  void read_name(bool object) {
    text_.advance();
    const char* first = text_.at();
    skip_statement();
    const std::string_view name = trimmed({first, static_cast<std::size_t>(text_.at() - first)});
    end_part();
    if (object)
      object_ = name, group_ = {};
    else
      group_ = name;
  }

  void end_part() {
    const auto end = static_cast<std::uint32_t>(mesh_.triangles.size());
    if (end > part_begin_ && !(object_.empty() && group_.empty())) {
      std::string name{object_};
      if (!object_.empty() && !group_.empty()) name += '/';
      name += group_;
      if (!mesh_.parts.empty() && mesh_.parts.back().name == name &&
          mesh_.parts.back().first_triangle + mesh_.parts.back().triangle_count == part_begin_)
        mesh_.parts.back().triangle_count = end - mesh_.parts.back().first_triangle;
      else
        mesh_.parts.push_back({std::move(name), part_begin_, end - part_begin_});
    }
    part_begin_ = end;
  }

  static constexpr std::int64_t most_vertices = std::int64_t{1} << 31;

  const Source& source_;
  TextCursor text_;
  Mesh mesh_;
  Polygons polygons_;
  std::vector<std::uint32_t> corners_;
  std::size_t largest_index_ = 0;  // 1-based; checked once all vertices are known
  const char* largest_at_ = nullptr;
  std::string_view object_, group_;
  std::uint32_t part_begin_ = 0;
};

}  // namespace

Mesh read_obj(const Source& source) { return ObjReader(source).read(); }

}  // namespace tumble::io
