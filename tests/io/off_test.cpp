// SPDX-License-Identifier: Apache-2.0
#include "io/helpers.h"

namespace tumble::test {
namespace {

Mesh off(std::string_view text) { return read(text, MeshFormat::off); }
std::int64_t bad_line(std::string_view text) { return error_of(text, MeshFormat::off).place().line; }

TEST(Off, ReadsAllHeaders) {
  const Mesh expected = off("OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n");
  EXPECT_EQ(expected.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
  for (const char* text : {
           "OFF 4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3",
           "OFF4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3",
           "4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3",
           "4 1\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3",
           "# c\n OFF # c\n# c\n4 1 0 # c\n\n0 0 0 # c\n1 0 0\n1 1 0\n0 1 0\n\n4 0 1 2 3 # c",
           "OFF\r\n4 1 0\r\n0 0 0\r\n1 0 0\r\n1 1 0\r\n0 1 0\r\n4 0 1 2 3\r\n",
           "COFF\n4 1 0\n0 0 0 255 0 0 255\n1 0 0 0 0 0 1\n1 1 0 0.5 1 1\n0 1 0 1\n4 0 1 2 3 0.5 0.5 0.5",
           "NOFF\n4 1 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n1 1 0 0 0 1\n0 1 0 0 0 1\n4 0 1 2 3 255 0 0 255",
           "STCNOFF\n4 1 0\n0 0 0 0 0 1 1 1 1 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3",
           "OFF\n4 1 0\n0\n0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1\n2 3",
       })
    EXPECT_EQ(off(text), expected) << text;
}

TEST(Off, LeavesOutPointsAndLines) {
  EXPECT_EQ(off("OFF 3 4 0\n0 0 0\n1 0 0\n0 1 0\n0\n1 0\n2 0 1\n3 0 1 2\n").triangles.size(), 1u);
}

TEST(Off, RefusesWhatItDoesNotRead) {
  for (const char* text : {"4OFF\n1 1 1\n", "nOFF 3\n1 1 1\n", "C4nOFF 4\n", "OFF BINARY\n\1\2\3"})
    EXPECT_EQ(error_of(text, MeshFormat::off).code(), ErrorCode::unsupported) << text;
  EXPECT_EQ(error_of("OFA\n1 1 1\n", MeshFormat::off).message(), "expected 'OFF', found 'OFA'");
}

TEST(Off, NamesTheLineOfWhatIsWrong) {
  EXPECT_EQ(bad_line("OFF\n353535235358 6 0\n0 0 0\n"), 2);
  EXPECT_EQ(bad_line("OFF\n1 353535235358 0\n0 0 0\n"), 2);
  EXPECT_EQ(bad_line("OFF\n-1 6 0\n0 0 0\n"), 2);
  EXPECT_EQ(bad_line("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 nan\n3 0 1 2\n"), 5);
  EXPECT_EQ(bad_line("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 1e200\n3 0 1 2\n"), 5);
  EXPECT_EQ(bad_line("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"), 6);
  EXPECT_EQ(bad_line("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n"), 6);
  EXPECT_EQ(bad_line("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 1.5\n"), 6);
  EXPECT_EQ(bad_line("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n-3 0 1 2\n"), 6);
  EXPECT_EQ(bad_line("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n1000000000 0 1 2\n"), 6);
  EXPECT_EQ(bad_line("OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2"), 6);
  EXPECT_EQ(bad_line("OFF\n3 1\n0 0 0\n1 0 0\n0 1 0\n3 0 1 x\n"), 6);
}

TEST(Off, RefusesDataLeftOver) {
  const std::string whole = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  EXPECT_NO_THROW(off(whole + "\n# the end\n"));
  EXPECT_EQ(bad_line(whole + "3 0 2 1\n"), 7);
  EXPECT_EQ(bad_line("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n3 0 1 2\n"), 7);  // a vertex more than declared
}

// Found by fuzzing: the digits were added up in a signed number before they were counted.
TEST(Off, RefusesEndlessNumbers) {
  for (std::size_t digits : {18u, 19u, 20u, 32u, 1000u})
    EXPECT_EQ(bad_line(std::string("\n").append(digits, '9').append(" 1 0\n0 0 0\n")), 2) << digits;
}

TEST(Off, SaysThatTwoDimensionsAreTooFew) {
  const Error flat = error_of("OFF\n3 1 0\n0 0\n1 0 \n0 1\n3 0 1 2\n", MeshFormat::off);
  EXPECT_EQ(flat.message(), "a vertex has two coordinates; only three-dimensional OFF files are read");
  EXPECT_EQ(flat.place().line, 3);
  EXPECT_EQ(off("OFF\n3 1 0\n0\n0\n0\n1 0 0\n0 1 0\n3 0 1 2\n").triangles.size(), 1u);  // a stream of numbers
}

TEST(Off, RefusesWhatHasNoTriangles) {
  EXPECT_EQ(error_of("OFF\n0 0 0\n", MeshFormat::off).message(), "it has no triangles");
}

TEST(Off, EveryTruncation) {
  expect_every_truncation_to_be_handled(
      "STCNOFF # c\n4 2 0\n0 0 0 1 2\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n3 0 1 2 255 0 0", MeshFormat::off);
}

}  // namespace
}  // namespace tumble::test
