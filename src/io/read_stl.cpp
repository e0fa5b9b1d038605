// SPDX-License-Identifier: Apache-2.0
// STL, ASCII and binary. Each triangle keeps its own three vertices, as in the file: nothing is welded.
#include "core/huge_pages.h"
#include "io/endian.h"
#include "io/readers.h"
#include "io/text.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

namespace tumble::io {
namespace {

constexpr std::size_t header_size = 80, count_end = 84, facet_size = 50, normal_size = 12;

// Many binary files begin with "solid", so the word alone says nothing: the size decides. If that is inconclusive
// (truncated, padded), a text begins with printable characters and has a facet after its first line.
bool is_binary(const Source& source) {
  const std::string_view bytes = source.bytes;
  if (bytes.size() >= count_end &&
      bytes.size() - count_end == facet_size * std::size_t{load<std::uint32_t>(bytes.data() + header_size)})
    return true;
  if (std::ranges::all_of(bytes.substr(0, count_end), [](char c) { return is_space(c) || c >= ' '; })) return false;
  if (bytes.starts_with("\xFE\xFF") || bytes.starts_with("\xFF\xFE")) return false;
  TextCursor text(source);
  text.skip_space();
  if (!is_word(text.word(), "solid")) return true;
  text.skip_to_line_end();
  text.skip_space();
  const std::string_view second = text.word();
  return !is_word(second, "facet") && !is_word(second, "endsolid");
}

Mesh reserved(std::size_t triangles) {
  Mesh mesh;
  reserve_in_huge_pages(mesh.vertices, 3 * triangles);
  reserve_in_huge_pages(mesh.triangles, triangles);
  return mesh;
}

/// Tests exponents without a branch per number, so that it compiles to vector instructions.
bool all_finite(const float* numbers, std::size_t count) {
  std::uint32_t not_finite = 0;
  for (std::size_t i = 0; i < count; ++i) {
    constexpr std::uint32_t exponent = 0x7F800000;
    not_finite |= (std::bit_cast<std::uint32_t>(numbers[i]) & exponent) == exponent ? ~0u : 0u;
  }
  return not_finite == 0;
}

const char* first_not_finite(const char* facet) {
  for (const char* at = facet + normal_size;; at += sizeof(float))
    if (!std::isfinite(load<float>(at))) return at;
}

/// Appends facets stored one after the other. Returns the first coordinate that is not finite, or null. Works in blocks
/// that stay in the cache: growing vectors by one facet at a time takes longer.
const char* append_facets(Mesh& mesh, const char* at, std::size_t count) {
  constexpr std::size_t most = 128;
  float coordinates[9 * most];
  Vec3 vertices[3 * most];
  Triangle triangles[most];
  for (std::size_t size; count > 0; count -= size, at += size * facet_size) {
    size = std::min(most, count);
    for (std::size_t i = 0; i < size; ++i)
      std::memcpy(coordinates + 9 * i, at + facet_size * i + normal_size, 9 * sizeof(float));
    if (!all_finite(coordinates, 9 * size))
      for (const char* facet = at;; facet += facet_size) {
        std::memcpy(coordinates, facet + normal_size, 9 * sizeof(float));
        if (!all_finite(coordinates, 9)) return first_not_finite(facet);
      }
    for (std::size_t i = 0; i < 3 * size; ++i)
      vertices[i] = {coordinates[3 * i], coordinates[3 * i + 1], coordinates[3 * i + 2]};
    auto id = static_cast<std::uint32_t>(mesh.vertices.size());
    for (std::size_t i = 0; i < size; ++i, id += 3) triangles[i] = {id, id + 1, id + 2};
    mesh.vertices.insert(mesh.vertices.end(), vertices, vertices + 3 * size);
    mesh.triangles.insert(mesh.triangles.end(), triangles, triangles + size);
  }
  return nullptr;
}

Mesh read_binary(const Source& source) {
  const char* at = source.begin();
  if (source.bytes.size() < count_end)
    source.fail("not an STL file: it neither begins with 'solid' nor has the 84 bytes of a binary header");
  const std::size_t count = load<std::uint32_t>(at + header_size);
  const std::size_t needed = count_end + facet_size * count;
  // Some exporters pad the file; space for another facet means that the count is wrong.
  if (source.bytes.size() < needed || source.bytes.size() - needed >= facet_size)
    source.fail_at_byte(at + header_size, "the header declares " + std::to_string(count) + " triangles (" +
                                              std::to_string(needed) + " bytes), but the file has " +
                                              std::to_string(source.bytes.size()) + " bytes");
  Mesh mesh = reserved(count);
  if (const char* bad = append_facets(mesh, at + count_end, count))
    source.fail_at_byte(bad, bad_coordinate, ErrorCode::invalid_mesh);
  return mesh;
}

class AsciiReader {
 public:
  // A facet takes about 160 bytes or more.
  explicit AsciiReader(const Source& source) : text_(source), mesh_(reserved(source.bytes.size() / 160)) {}

  Mesh read() {
    for (std::size_t solid = 1;; ++solid) {
      text_.skip_space();
      if (text_.at_end()) break;
      expect("solid");
      const std::string_view name = text_.rest_of_line();
      const std::size_t first = mesh_.triangles.size();
      read_facets();
      if (const std::size_t count = mesh_.triangles.size() - first)
        mesh_.parts.push_back({name.empty() ? "solid " + std::to_string(solid) : std::string(name),
                               static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count)});
      unnamed_ = unnamed_ && name.empty();
    }
    if (mesh_.parts.size() == 1 && unnamed_) mesh_.parts.clear();
    return std::move(mesh_);
  }

 private:
  void read_facets() {
    for (;;) {
      text_.skip_space();
      const char* at = text_.at();
      const std::string_view word = text_.word();
      if (is_word(word, "endsolid")) {
        text_.skip_to_line_end();
        return;
      }
      if (!is_word(word, "facet")) {
        text_.move_to(at);
        text_.fail_token("'facet' or 'endsolid'");
      }
      read_facet();
    }
  }

  void read_facet() {
    expect("normal");
    for (int i = 0; i < 3; ++i) {  // anything: the normal follows from the vertices, and exporters write NaN
      text_.skip_space();
      text_.word();
    }
    expect("outer"), expect("loop");
    const auto first = static_cast<std::uint32_t>(mesh_.vertices.size());
    for (int i = 0; i < 3; ++i) {
      expect("vertex");
      Vec3 v;
      for (int axis = 0; axis < 3; ++axis) {
        text_.skip_space();
        v[axis] = text_.coordinate();
      }
      mesh_.vertices.push_back(v);
    }
    expect("endloop"), expect("endfacet");
    mesh_.triangles.push_back({first, first + 1, first + 2});
  }

  void expect(std::string_view keyword) {
    text_.skip_space();
    const char* at = text_.at();
    if (is_word(text_.word(), keyword)) return;
    text_.move_to(at);
    text_.fail_token(std::string("'").append(keyword).append("'"));
  }

  TextCursor text_;
  Mesh mesh_;
  bool unnamed_ = true;
};

}  // namespace

std::optional<Mesh> stream_binary_stl(const std::filesystem::path& file) {
  InFile in(file);
  constexpr std::size_t block_facets = 4096;
  std::vector<char> block(block_facets * facet_size);
  if (in.read(block.data(), count_end) != count_end) return std::nullopt;
  const std::size_t count = load<std::uint32_t>(block.data() + header_size);
  if (in.size() != count_end + facet_size * count) return std::nullopt;
  Mesh mesh = reserved(count);
  for (std::size_t done = 0; done < count;) {
    const std::size_t facets = std::min(block_facets, count - done);
    if (in.read(block.data(), facets * facet_size) != facets * facet_size) return std::nullopt;
    if (const char* bad = append_facets(mesh, block.data(), facets))
      throw Error(ErrorCode::invalid_mesh, bad_coordinate,
                  {.file = file.string(),
                   .byte = static_cast<std::int64_t>(count_end + facet_size * done) + (bad - block.data())});
    done += facets;
  }
  return mesh;
}

Mesh read_stl(const Source& source) { return is_binary(source) ? read_binary(source) : AsciiReader(source).read(); }

}  // namespace tumble::io
