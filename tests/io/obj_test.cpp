// SPDX-License-Identifier: Apache-2.0
#include "io/helpers.h"

#include <clocale>

namespace tumble::test {
namespace {

const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

Mesh obj(std::string_view text) { return read(text, MeshFormat::obj); }
Error obj_error(std::string_view text) { return error_of(text, MeshFormat::obj); }

TEST(Obj, ReadsPolygonsInAllSpellings) {
  for (const char* face : {"f 1 2 3 4", "f 1/1 2/2 3/3 4/4", "f 1//9 2//9 3//9 4//9", "f 1/1/1 2/2/2 3/3/3 4/4/4",
                           "f -4 -3 -2 -1", "f -4/-1/-1 -3//-2 3 4/1", "f 1// 2// 3// 4//", "\t f\t1   2 3\t4  \t",
                           "f 1 2 \\\n 3 4", "f \\\r\n1 2 3\\\r\n 4", "f 1 2 3 4 # comment", "f 1 2 3 4#c"}) {
    const Mesh mesh =
        obj("\xEF\xBB\xBF# a comment \\\nmtllib a b.mtl\r\n" + square + "vt 0 0\nvn 0 0 1\ns off\nvp 1\n" + face);
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}})) << face;
    EXPECT_EQ(mesh.vertices.size(), 4u);
  }
}

TEST(Obj, ReadsNumbersInAllSpellings) {
  const Mesh mesh = obj("v +1 -2. +.5e+1 1.0\nv 1E2 1e-400 -0 0.1 0.2 0.3\nv 0.1 1e100 4.9e-324\nf 1 2 3\n");
  EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{1, -2, 5}, {100, 0, 0}, {0.1, 1e100, 4.9e-324}}));
}

TEST(Obj, IgnoresTheLocale) {
  const char* old = std::setlocale(LC_ALL, nullptr);
  const std::string saved = old ? old : "C";
  for (const char* name : {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"}) std::setlocale(LC_ALL, name);
  EXPECT_EQ(obj("v 0.5 1.25 0\nv 1 0 0\nv 0 1 0\nf 1 2 3").vertices[0], (Vec3{0.5, 1.25, 0}));
  std::setlocale(LC_ALL, saved.c_str());
}

TEST(Obj, NegativeIndicesCountFromTheVerticesSoFar) {
  const Mesh mesh = obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nf -3 -2 -1\nv 5 5 5\nf -4 -2 -1\n");
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
}

TEST(Obj, VerticesMayFollowTheirFaces) {
  // Concave at its fourth corner: a fan would be wrong, and the corners are unknown when the face is read.
  const Mesh mesh = obj("f 1 2 3 4\nv 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 0\n");
  EXPECT_DOUBLE_EQ(area_along(mesh, {0, 0, 1}), 12);
}

TEST(Obj, ObjectsAndGroupsBecomeParts) {
  const Mesh mesh = obj(square +
                        "f 1 2 3\no one two\nf 1 2 3\ng inner #1\nf 1 2 3\ng\nf 1 2 3\no\nf 1 2 3\ng last\ng empty\n"
                        "g last\nf 1 2 3\nusemtl x\ng last\nf 1 2 3 4\n");
  EXPECT_EQ(mesh.parts,
            (std::vector<Part>{{"one two", 1, 1}, {"one two/inner #1", 2, 1}, {"one two", 3, 1}, {"last", 5, 3}}));
}

TEST(Obj, PointsAndLinesAreLeftOut) {
  EXPECT_EQ(obj(square + "p 1\nl 1 2\nf 1\nf 1 2\nf 1 2 3\n").triangles.size(), 1u);
}

TEST(Obj, NamesTheLineOfWhatIsWrong) {
  const auto line = [](const std::string& text) { return obj_error(text).place().line; };
  EXPECT_EQ(line("v 0 0\n"), 1);
  EXPECT_EQ(line("# c\n\nv 0 0 x\n"), 3);
  EXPECT_EQ(line("# c\r\n\r\nv 0 0 nan\r\n"), 3);
  EXPECT_EQ(line("# c\r\rv 0 0 1e101\r"), 3);
  EXPECT_EQ(line(square + "f 1 2 x\n"), 5);
  EXPECT_EQ(line(square + "f 1 2 3x\n"), 5);
  EXPECT_EQ(line(square + "f 1 2 3.5\n"), 5);
  EXPECT_EQ(line(square + "f\n"), 5);
  EXPECT_EQ(line(square + "f 1 2 0\n"), 5);
  EXPECT_EQ(line(square + "f 1 2 -5\n"), 5);
  EXPECT_EQ(line(square + "f 1 2 3\nf 1 2 9\nf 1 2 3\n"), 6);
  EXPECT_EQ(line(square + "f 1 2 99999999999\n"), 5);
  EXPECT_EQ(line(square + "f 1 2 99999999999999999999999999\n"), 5);
  EXPECT_EQ(line(square + "1 2 3\n"), 5);
  EXPECT_EQ(line(square + "v 3.1+e2 0 0\n"), 5);
  EXPECT_EQ(obj_error(square + "f 1 2 9\n").message(), "vertex index 9 is out of range: there are 4 vertices");
}

TEST(Obj, RefusesWhatHasNoTriangles) {
  EXPECT_EQ(obj_error("").message(), "the file is empty");
  EXPECT_EQ(obj_error(square).message(), "it has vertices but no faces, and tumble needs triangles");
  EXPECT_EQ(obj_error({"\xFE\xFF\0v", 4}).code(), ErrorCode::unsupported);
}

TEST(Obj, EveryTruncation) {
  expect_every_truncation_to_be_handled("o a\n" + square + "g b\\\n c\nf 1/1/1 2 \\\n3 -1\nf -1 -2 -3 # x\n\\",
                                        MeshFormat::obj);
}

}  // namespace
}  // namespace tumble::test
