// SPDX-License-Identifier: Apache-2.0
#include "io/helpers.h"

#include <limits>

namespace tumble::test {
namespace {

constexpr std::string_view ascii =
    "solid two words\n"
    "  facet normal nan 0 1\n    outer loop\n      vertex 0 0 0\n      vertex 1 0 0\n      vertex 0 1.5e0 0\n"
    "    endloop\n  endfacet\n"
    "endsolid two words\n";

std::string binary(std::string header, std::uint32_t declared, std::size_t facets) {
  header.resize(80, '\0');
  std::string bytes = header + pack(declared);
  for (std::size_t i = 0; i < facets; ++i)
    bytes += pack(0.f, 0.f, 1.f, 0.f, 0.f, float(i), 1.f, 0.f, float(i), 0.f, 1.f, float(i), std::uint16_t{7});
  return bytes;
}

Mesh stl(std::string_view text) { return read(text, MeshFormat::stl); }

TEST(Stl, ReadsText) {
  const Mesh mesh = stl(ascii);
  ASSERT_EQ(mesh.triangles.size(), 1u);
  EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1.5, 0}}));
  EXPECT_EQ(mesh.parts, (std::vector<Part>{{"two words", 0, 1}}));
}

TEST(Stl, TextMayShoutAndUseAnyLineEnding) {
  std::string shouted{ascii};
  for (char& c : shouted) c = c >= 'a' && c <= 'z' && c != 'e' ? char(c - 'a' + 'A') : c;
  EXPECT_EQ(stl(shouted).vertices, stl(ascii).vertices);
  std::string returns{ascii};
  for (char& c : returns) c = c == '\n' ? '\r' : c;
  EXPECT_EQ(stl(returns).vertices, stl(ascii).vertices);
}

TEST(Stl, SolidsBecomeParts) {
  const std::string unnamed = "solid\n" + std::string(ascii.substr(16));
  EXPECT_TRUE(stl(unnamed).parts.empty());
  const Mesh mesh = stl(unnamed + "solid empty\nendsolid empty\n" + std::string(ascii));
  EXPECT_EQ(mesh.parts, (std::vector<Part>{{"solid 1", 0, 1}, {"two words", 1, 1}}));
}

TEST(Stl, ReadsBinary) {
  const Mesh mesh = stl(binary("made by hand", 2, 2));
  ASSERT_EQ(mesh.triangles.size(), 2u);
  EXPECT_EQ(mesh.vertices.size(), 6u);  // nothing is welded
  EXPECT_EQ(mesh.vertices[4], (Vec3{1, 0, 1}));
  EXPECT_EQ(mesh.triangles[1], (Triangle{3, 4, 5}));
}

TEST(Stl, BinaryMayBeginWithSolid) {
  EXPECT_EQ(stl(binary("solid made by CAD", 3, 3)).triangles.size(), 3u);
  EXPECT_EQ(stl(binary("solid facet\n", 3, 3)).triangles.size(), 3u);
  EXPECT_EQ(stl(binary("solid made by CAD", 3, 3) + "pad").triangles.size(), 3u);
}

TEST(Stl, TextOfTheRightSizeForBinaryStaysText) {
  // Any text reads as a count of at least 0x20202020 there, so the sizes cannot agree by accident.
  for (std::size_t padding = 0; padding < 50; ++padding)
    EXPECT_EQ(stl(std::string(ascii) + std::string(padding, ' ')).triangles.size(), 1u);
}

TEST(Stl, RefusesWrongCounts) {
  EXPECT_EQ(error_of(binary("x", 3, 2), MeshFormat::stl).place().byte, 80);
  EXPECT_EQ(error_of(binary("x", 2, 3), MeshFormat::stl).place().byte, 80);
  EXPECT_EQ(error_of(binary("x", 0xFFFFFFFF, 3), MeshFormat::stl).place().byte, 80);
  EXPECT_EQ(error_of(binary("solid x", 3, 2), MeshFormat::stl).place().byte, 80);
}

TEST(Stl, NamesTheByteOfABadCoordinate) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    std::string bytes = binary("x", 2, 2);
    const std::size_t at = 84 + 50 + 12 + 4 * 5;
    std::memcpy(bytes.data() + at, &bad, 4);
    const Error error = error_of(bytes, MeshFormat::stl);
    EXPECT_EQ(error.place().byte, std::int64_t(at));
    EXPECT_EQ(error.code(), ErrorCode::invalid_mesh);
  }
}

TEST(Stl, NamesTheLineOfABadNumber) {
  for (const char* bad : {"x", "nan", "inf", "1e101", "-1e300", "1e999", "1.5.2", "0x10", ""}) {
    std::string text{ascii};
    text.replace(text.find("1.5e0"), 5, bad);
    EXPECT_EQ(error_of(text, MeshFormat::stl).place().line, *bad ? 6 : 7) << bad;
  }
}

TEST(Stl, RefusesTextWithoutItsEnd) {
  EXPECT_EQ(error_of(ascii.substr(0, ascii.find("endsolid")), MeshFormat::stl).message(),
            "expected 'facet' or 'endsolid', found the end of the file");
  EXPECT_EQ(error_of("facet normal 0 0 1\n", MeshFormat::stl).message(), "expected 'solid', found 'facet'");
  EXPECT_EQ(error_of("solid x\nfacet normal 0 0 1 outer loop\nvertex 0 0 0 vertex 1 0 0 endloop", MeshFormat::stl)
                .place()
                .line,
            3);
}

TEST(Stl, RefusesFilesWithoutTriangles) {
  for (const std::string& text : {std::string(), std::string("solid x\nendsolid x\n"), binary("x", 0, 0)})
    EXPECT_EQ(error_of(text, MeshFormat::stl).code(), ErrorCode::file_format);
}

TEST(Stl, EveryTruncation) {
  expect_every_truncation_to_be_handled(std::string(ascii) + std::string(ascii), MeshFormat::stl);
  expect_every_truncation_to_be_handled(binary("solid x", 3, 3), MeshFormat::stl);
}

}  // namespace
}  // namespace tumble::test
