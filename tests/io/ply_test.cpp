// SPDX-License-Identifier: Apache-2.0
#include "io/helpers.h"

#include <limits>

namespace tumble::test {
namespace {

Mesh ply(std::string_view text) { return read(text, MeshFormat::ply); }
Error ply_error(std::string_view text) { return error_of(text, MeshFormat::ply); }

const std::string plain =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
    "element face 2\nproperty list uchar int vertex_indices\nend_header\n";
const Mesh square{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}, {}};

TEST(Ply, ReadsText) {
  EXPECT_EQ(ply(plain + "0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n"), square);
  EXPECT_EQ(ply(plain + "0 0 0\n\n1 0 0 \n  1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3"), square);
  std::string returns = plain + "0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n";
  for (char& c : returns) c = c == '\n' ? '\r' : c;
  EXPECT_EQ(ply(returns), square);
}

TEST(Ply, SkipsWhatItDoesNotKnow) {
  EXPECT_EQ(
      ply("ply\nformat ascii 1.0\ncomment property float y\nobj_info anything\n"
          "element camera 2\nproperty float a\nproperty list int double b\n"
          "element nothing 1000000000000\n"
          "element face 1\nproperty uchar red\nproperty list char uint vertex_index\nproperty list uchar float uv\n"
          "element vertex 4\nproperty double z\nproperty list uchar int ring\nproperty int x\nproperty short "
          "y\nproperty int id\n"
          "element edge 1\nproperty int a\nproperty int b\nend_header\n"
          "1 2 0.5 0.25\n1 0\n"
          "255 4 0 1 2 3 2 0.5 0.5\n"
          "0 0 0 0 7\n0 1 5 1 0 7\n0 2 5 6 1 1 7\n0 0 0 1 7\n"
          "0 1\n"),
      square);
}

template <class Index, class Count>
std::string binary_square(const char* index_name, const char* count_name, bool big) {
  const auto put = [big](auto value) { return big ? pack_big_endian(value) : pack(value); };
  std::string text =
      std::string("ply\nformat binary_") + (big ? "big" : "little") +
      "_endian 1.0\nelement vertex 4\nproperty uchar red\nproperty float x\nproperty double y\nproperty short z\n"
      "property list uchar int extra\nelement face 1\nproperty list " +
      count_name + " " + index_name + " vertex_indices\nproperty float quality\nend_header\n";
  for (const Vec3& v : square.vertices) {
    text += put(std::uint8_t{10}) + put(static_cast<float>(v.x)) + put(v.y) + put(static_cast<std::int16_t>(v.z));
    text += put(std::uint8_t{2}) + put(std::int32_t{-1}) + put(std::int32_t{-1});
  }
  text += put(Count{4});
  for (int i = 0; i < 4; ++i) text += put(static_cast<Index>(i));
  return text + put(1.0f);
}

TEST(Ply, ReadsBinaryOfAllTypesInBothOrders) {
  for (const bool big : {false, true}) {
    EXPECT_EQ(ply(binary_square<std::int8_t, std::uint8_t>("char", "uchar", big)), square);
    EXPECT_EQ(ply(binary_square<std::uint8_t, std::int8_t>("uint8", "int8", big)), square);
    EXPECT_EQ(ply(binary_square<std::int16_t, std::uint16_t>("short", "ushort", big)), square);
    EXPECT_EQ(ply(binary_square<std::uint16_t, std::int16_t>("uint16", "int16", big)), square);
    EXPECT_EQ(ply(binary_square<std::int32_t, std::uint32_t>("int", "uint", big)), square);
    EXPECT_EQ(ply(binary_square<std::uint32_t, std::int32_t>("uint32", "int32", big)), square);
    EXPECT_EQ(ply(binary_square<float, double>("float", "double", big)), square);
    EXPECT_EQ(ply(binary_square<double, float>("float64", "float32", big)), square);
  }
}

TEST(Ply, DataMayBeginWithANewlineByte) {
  const std::string header =
      "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty char x\nproperty char y\nproperty char z\n"
      "element face 1\nproperty list uchar uchar vertex_indices\nend_header";
  const std::string data{"\n\0\0\1\0\0\0\1\0\3\0\1\2", 13};
  std::string returns = header;
  for (char& c : returns) c = c == '\n' ? '\r' : c;
  for (const std::string& head : {header + "\n", header + "\r\n", returns + "\r"})
    EXPECT_EQ(ply(head + data).vertices[0], (Vec3{10, 0, 0}));
}

TEST(Ply, ReadsTriangleStrips) {
  const Mesh mesh =
      ply("ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n"
          "element tristrips 1\nproperty list int int vertex_indices\nend_header\n"
          "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n12 0 1 2 3 4 -1 2 3 4 4 2 3\n");
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {2, 1, 3}, {2, 3, 4}, {2, 3, 4}, {2, 4, 3}}));
}

TEST(Ply, FacesWithoutPropertiesTakeNoMemory) {
  const Mesh mesh =
      ply("ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
          "element face 2444444444444440\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n"
          "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  EXPECT_EQ(mesh.triangles.size(), 1u);
}

TEST(Ply, NamesTheLineOrByteOfWhatIsWrong) {
  EXPECT_EQ(ply_error(plain + "0 0 0\n1 0 nan\n1 1 0\n0 1 0\n3 0 1 2\n").place().line, 11);
  EXPECT_EQ(ply_error(plain + "0 0 0\n1 0 1e200\n1 1 0\n0 1 0\n3 0 1 2\n").place().line, 11);
  EXPECT_EQ(ply_error(plain + "0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 4\n").place().line, 14);
  EXPECT_EQ(ply_error(plain + "0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 -1\n").place().line, 14);
  EXPECT_EQ(ply_error(plain + "0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 0.5\n").place().line, 14);
  EXPECT_EQ(ply_error(plain + "0 0 0\n1 0 0\n1 1 0\n0 1 0\n-3 0 1 0\n").place().line, 14);
  EXPECT_EQ(ply_error(plain + "0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n").place().line, 15);
  std::string bytes = binary_square<std::int32_t, std::uint8_t>("int", "uchar", false);
  const std::size_t face = bytes.size() - 4 - 16;
  std::string bad = bytes;
  bad[face + 4] = 9;
  EXPECT_EQ(ply_error(bad).place().byte, std::int64_t(face + 4));
  bad = bytes;
  bad[face - 1] = char(255);
  EXPECT_EQ(ply_error(bad).place().byte, std::int64_t(face - 1));
  bad = bytes;
  const std::size_t x = bytes.find("end_header\n") + 11 + 1;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(bad.data() + x, &nan, 4);
  EXPECT_EQ(ply_error(bad).place().byte, std::int64_t(x));
}

/// A line with more numbers than the header says would shift everything behind it.
TEST(Ply, RefusesLinesThatDoNotFit) {
  const std::string rows = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n";
  EXPECT_EQ(ply(plain + rows).triangles.size(), 2u);
  EXPECT_EQ(ply(plain + rows + "\n  \n").triangles.size(), 2u);
  const auto expect_bad = [](const std::string& body, std::int64_t line, const char* what) {
    const Error error = ply_error(plain + body);
    EXPECT_EQ(error.place().line, line) << body;
    EXPECT_NE(error.message().find(what), std::string::npos) << error.message();
  };
  expect_bad("0 0 0 7\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n", 10, "more numbers");
  expect_bad("0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2 3\n3 0 2 3\n", 14, "more numbers");
  expect_bad("0 0 0\n1 0 0\n1 1 0\n0 1\n0\n3 0 1 2\n3 0 2 3\n", 13, "fewer numbers");
  expect_bad("0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1\n2\n3 0 2 3\n", 14, "fewer numbers");
  expect_bad(rows + "3 0 1 3\n", 16, "more data");
  const std::string binary = binary_square<std::int32_t, std::uint8_t>("int", "uchar", false);
  EXPECT_NO_THROW(ply(binary + "\n"));
  EXPECT_EQ(ply_error(binary + "x").place().byte, std::int64_t(binary.size()));
}

TEST(Ply, RefusesBadHeaders) {
  const std::string head = "ply\nformat ascii 1.0\n";
  const std::string xyz = "property float x\nproperty float y\nproperty float z\n";
  EXPECT_EQ(ply_error("").message(), "the file is empty");
  EXPECT_EQ(ply_error("plyx\n").message(), "not a PLY file: it does not begin with 'ply'");
  EXPECT_EQ(ply_error("ply\nformat ebcdic 1.0\n").place().line, 2);
  EXPECT_EQ(ply_error("ply\nend_header\n").message(), "the header has no 'format' line");
  EXPECT_EQ(ply_error(head + "property float x\n").place().line, 3);
  EXPECT_EQ(ply_error(head + "element vertex x\n").place().line, 3);
  EXPECT_EQ(ply_error(head + "element vertex -1\n").place().line, 3);
  EXPECT_EQ(ply_error(head + "element vertex 1\nproperty quad x\n").place().line, 4);
  EXPECT_EQ(ply_error(head + "element vertex 1\nproperty float\n").place().line, 4);
  EXPECT_EQ(ply_error(head + "element vertex 1\nelement vertex 1\n").place().line, 4);
  EXPECT_EQ(ply_error(head + "nonsense\n").place().line, 3);
  EXPECT_EQ(ply_error(head + "element vertex 1\nproperty float x\nproperty float y\nend_header\n0 0").message(),
            "the vertices need properties x, y and z");
  EXPECT_EQ(ply_error(head + "element vertex 99999999999\n" + xyz + "end_header\n0 0 0").place().line, 3);
  EXPECT_EQ(ply_error("ply\nformat binary_little_endian 1.0\nelement vertex 99999999999\n" + xyz + "end_header\n0 0 0")
                .place()
                .line,
            3);
  EXPECT_EQ(ply_error(head + "element vertex 1\n" + xyz +
                      "element face 99999999999\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n")
                .place()
                .line,
            7);
  EXPECT_EQ(ply_error(head + "element vertex 1\n" + xyz +
                      "element face 1\nproperty int vertex_indices\nend_header\n0 0 0\n0\n")
                .place()
                .line,
            7);
  EXPECT_EQ(ply_error(head + "element vertex 99999999999\nend_header\n").place().line, 3);
}

TEST(Ply, RefusesPointClouds) {
  EXPECT_EQ(ply_error("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float "
                      "z\nend_header\n1 2 3\n")
                .message(),
            "it has vertices but no faces, and tumble needs triangles");
}

TEST(Ply, EveryTruncation) {
  expect_every_truncation_to_be_handled(plain + "0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n", MeshFormat::ply);
  expect_every_truncation_to_be_handled(binary_square<std::int32_t, std::uint8_t>("int", "uchar", false),
                                        MeshFormat::ply);
  expect_every_truncation_to_be_handled(binary_square<double, float>("double", "float", true), MeshFormat::ply);
}

}  // namespace
}  // namespace tumble::test
