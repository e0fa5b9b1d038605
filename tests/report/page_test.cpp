// SPDX-License-Identifier: Apache-2.0
// Pages: triangles come back from their bytes, few of them; names cannot leave the data; outlines are what they should
// be.
#include "report/page.h"
#include "mesh/shapes.h"
#include "report/flight_page.h"
#include "report/packed.h"

#include <tumble/query.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace tumble {
namespace {

using Grid = std::array<int, 3>;
using GridTriangle = std::array<Grid, 3>;

Mesh sphere(std::uint32_t rings, std::uint32_t around) {
  Mesh mesh;
  for (std::uint32_t i = 0; i <= rings; ++i)
    for (std::uint32_t j = 0; j < around; ++j) {
      const double theta = M_PI * i / rings, phi = 2 * M_PI * j / around;
      mesh.vertices.push_back({std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)});
    }
  for (std::uint32_t i = 0; i < rings; ++i)
    for (std::uint32_t j = 0; j < around; ++j) {
      const std::uint32_t a = i * around + j, b = i * around + (j + 1) % around, c = a + around, d = b + around;
      if (i > 0) mesh.triangles.push_back({a, c, b});
      if (i + 1 < rings) mesh.triangles.push_back({b, c, d});
    }
  return mesh;
}

Mesh box(Vec3 lower, Vec3 upper) {
  Mesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back({i & 1 ? upper.x : lower.x, i & 2 ? upper.y : lower.y, i & 4 ? upper.z : lower.z});
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

/// Written anew from the words in packed.h, to be obvious.
std::multiset<GridTriangle> unpack(const PackedMesh& packed) {
  std::size_t at = 0;
  const auto varint = [&] {
    std::uint32_t value = 0;
    for (int shift = 0;; shift += 7) {
      const std::uint8_t byte = packed.bytes.at(at++);
      value |= std::uint32_t{byte & 127U} << shift;
      if (byte < 128) return value;
    }
  };
  std::vector<Grid> vertices;
  Grid now{};
  for (std::size_t i = 0; i < packed.vertices; ++i) {
    for (int& x : now) {
      const std::uint32_t code = varint();
      x += code % 2 == 1 ? -static_cast<int>((code + 1) / 2) : static_cast<int>(code / 2);
    }
    vertices.push_back(now);
  }
  std::multiset<GridTriangle> triangles;
  std::uint32_t newest = 0;
  for (std::size_t i = 0; i < packed.triangles; ++i) {
    GridTriangle triangle{};
    for (Grid& corner : triangle) {
      const std::uint32_t back = varint();
      corner = vertices.at(newest - back);
      newest += back == 0;
    }
    std::ranges::rotate(triangle, std::ranges::min_element(triangle));
    triangles.insert(triangle);
  }
  EXPECT_EQ(at, packed.bytes.size());
  return triangles;
}

std::multiset<GridTriangle> quantised(const Mesh& mesh, const Box& box) {
  std::multiset<GridTriangle> triangles;
  for (const Triangle& t : mesh.triangles) {
    GridTriangle triangle{};
    for (std::size_t i = 0; i < 3; ++i)
      for (int axis = 0; axis < 3; ++axis)
        triangle[i][static_cast<std::size_t>(axis)] = static_cast<int>(
            std::lround((mesh.vertices[t[i]][axis] - box.lower[axis]) / (box.upper[axis] - box.lower[axis]) * 65535));
    if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0]) continue;
    std::ranges::rotate(triangle, std::ranges::min_element(triangle));
    triangles.insert(triangle);
  }
  return triangles;
}

TEST(Packed, TrianglesComeBackOnTheGridWithTheirSides) {
  for (const Mesh& mesh : {sphere(40, 60), box({-1, 2, 1e90}, {3, 5, 2e90})}) {
    const PackedMesh packed = pack(mesh.vertices, mesh.triangles);
    EXPECT_EQ(unpack(packed), quantised(mesh, packed.box));
  }
}

TEST(Packed, AFlatMeshAndOneTriangleWork) {
  const std::vector<Vec3> vertices{{0, 0, 7}, {1, 0, 7}, {0, 1, 7}};
  const std::vector<Triangle> triangles{{0, 1, 2}, {0, 1, 1}};
  const PackedMesh packed = pack(vertices, triangles);
  EXPECT_EQ(packed.triangles, 1U);  // the other has no area
  EXPECT_EQ(packed.vertices, 3U);
}

/// The promise of docs/reports.md, before base64 and after it.
TEST(Packed, AMillionTrianglesTakeAtMostTwelveBytesEach) {
  const Mesh mesh = sphere(500, 1001);
  ASSERT_NEAR(static_cast<double>(mesh.triangles.size()), 1e6, 5000);
  const PackedMesh packed = pack(mesh.vertices, mesh.triangles);
  const double each = static_cast<double>(packed.bytes.size()) / static_cast<double>(packed.triangles);
  RecordProperty("bytes_per_triangle", std::to_string(each));
  EXPECT_LE(each, 7);
  EXPECT_LE(each * 4 / 3, 12);
}

/// Corners are one where they are one on the grid, whether triangles share them or, as in STL files, repeat them.
TEST(Packed, TrianglesWithCornersOfTheirOwnTakeNoMoreIfTheyMeet) {
  const Mesh mesh = sphere(40, 60), loose = test::soup(mesh);
  EXPECT_EQ(loose.vertices.size(), 3 * mesh.triangles.size());
  EXPECT_EQ(pack(loose.vertices, loose.triangles).bytes, pack(mesh.vertices, mesh.triangles).bytes);
}

/// Nothing is shared, and every coordinate is far from the one before: low, high, in the middle, and low again.
TEST(Packed, TheWorstTrianglesTakeThirtyBytesEach) {
  std::mt19937 random(5);
  Mesh mesh;
  const auto add = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    mesh.vertices.push_back({x / 65535.0, y / 65535.0, z / 65535.0});
  };
  add(0, 0, 0);
  add(65535, 65535, 65535);  // the ends of the grid
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (const std::uint32_t from : {0U, 57'344U, 28'672U}) {
      const std::uint32_t x = from + random() % 8192, y = from + random() % 8192;
      add(x, y, from + random() % 8192);
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  mesh.triangles.push_back({0, 0, 1});  // without area, but within the box
  const PackedMesh packed = pack(mesh.vertices, mesh.triangles);
  EXPECT_EQ(packed.triangles, 20'000U);
  const double each = static_cast<double>(packed.bytes.size()) / static_cast<double>(packed.triangles);
  EXPECT_GT(each, 29.9);
  EXPECT_LE(each, 30);
}

TEST(Packed, Base64) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64(std::string("\xff\x00\x80", 3)), "/wCA");
}

nlohmann::json data_of(const std::string& page) {
  const std::string open = R"(<script id="report" type="application/json">)";
  const std::size_t begin = page.find(open) + open.size();
  return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(Page, NamesStayData) {
  const std::string hostile = "</script><script>alert(1)</script><!--\u2028\xff&amp;\"'";
  Page page{.title = hostile, .command = "clash", .parts = {{hostile, Model(box({0, 0, 0}, {1, 1, 1}))}}};
  const std::string text = page_text(page);
  EXPECT_EQ(text.find("alert(1)</script>"), std::string::npos);
  EXPECT_EQ(text.find("\u2028"), std::string::npos);
  const nlohmann::json data = data_of(text);
  EXPECT_EQ(data["title"], "</script><script>alert(1)</script><!--\u2028\ufffd&amp;\"'");
  EXPECT_EQ(data["parts"][0]["name"], data["title"]);
}

TEST(Page, PartsOfOneModelShareItsTriangles) {
  const Model model(sphere(20, 20));
  Page page{.parts = {{"a", model}, {"b", model, Pose::from_translation({3, 0, 0})}, {"c", Model(sphere(20, 20))}}};
  const nlohmann::json data = data_of(page_text(page));
  EXPECT_EQ(data["parts"][0]["mesh"], data["parts"][1]["mesh"]);
  EXPECT_NE(data["parts"][0]["mesh"], data["parts"][2]["mesh"]);
  EXPECT_EQ(data["origin"], nlohmann::json({1.5, 0, 0}));
  for (const nlohmann::json& volume : data["volumes"]) EXPECT_LT(volume["shape"], data["meshes"].size());
  EXPECT_FALSE(data["volumes"].empty());
}

TEST(Page, AnEmptyOneAndOneOfHugeNumbersAreWritten) {
  EXPECT_TRUE(data_of(page_text({}))["parts"].empty());
  const nlohmann::json data = data_of(page_text({.parts = {{"huge", Model(box({-9e99, 0, 0}, {9e99, 1, 1}))}}}));
  EXPECT_TRUE(std::isfinite(data["scale"].get<double>()));
}

double total_length(const std::vector<Segment>& outline) {
  double sum = 0;
  for (const auto& [from, to] : outline) sum += length(to - from);
  return sum;
}

TEST(ContactRow, TheOutlineOfTwoBoxesThatStandOnEachOtherIsTheirCommonFace) {
  const Model low(box({0, 0, 0}, {4, 4, 1})), high(box({1, 1, 1}, {2, 3, 2}));
  const PageClash row = contact_row(0, 1, contacts(low, {}, high, {}));
  // The face of 1 x 2, whatever its triangles, with the diagonals that cross it at most in parts.
  EXPECT_GE(total_length(row.outline), 6 - 1e-9);
  ASSERT_TRUE(row.point);
  EXPECT_EQ(row.point->z, 1);
  for (const Segment& segment : row.outline) EXPECT_EQ(segment[0].z, 1);
}

TEST(ContactRow, TheOutlineOfABarThroughAPlateIsWhereTheyCross) {
  const Model plate(box({0, 0, 0}, {10, 10, 1})), bar(box({3, 4, -5}, {5, 5, 5}));
  const PageClash row = contact_row(0, 1, contacts(plate, {}, bar, {}));
  EXPECT_NEAR(total_length(row.outline), 2 * 6, 1e-9);  // around the bar, on both sides of the plate
  EXPECT_EQ(row.kind, "contact");
  EXPECT_GT(*row.contacts, 0U);
}

TEST(ContactRow, TheOutlineIsTheSameFarFromTheOrigin) {
  const Model cube(box({0, 0, 0}, {1, 1, 1}));
  const auto row_at = [&](double x, Vec3 by) {
    const Vec3 far{x, x, x};
    return contact_row(0, 1, contacts(cube, Pose::from_translation(far), cube, Pose::from_translation(far + by)));
  };
  for (const Vec3 by : {Vec3{0.5, 0, 0}, Vec3{0.5, 0.25, 0.25}}) {  // on each other, and across each other
    const PageClash near = row_at(0, by);
    for (const double x : {0x1p24, 0x1p32}) {  // where single precision has steps of 2 and 512
      const PageClash far = row_at(x, by);
      EXPECT_EQ(far.outline.size(), near.outline.size());
      EXPECT_NEAR(total_length(far.outline), total_length(near.outline), 1e-4);
    }
  }
}

TEST(Outlines, OneThatIsTooLongLeavesThePlaceToShorterOnes) {
  std::size_t left = 10;
  std::vector<Segment> six(6), five(5), four(4);
  EXPECT_TRUE(keep_outline(six, left));
  EXPECT_FALSE(keep_outline(five, left));
  EXPECT_TRUE(five.empty());
  EXPECT_TRUE(keep_outline(four, left));
  EXPECT_EQ(four.size(), 4U);
  EXPECT_EQ(left, 0U);
}

TEST(FlightPage, StretchesInContactBecomeRows) {
  const Model cube(box({0, 0, 0}, {1, 1, 1}));
  std::vector<FlightStep> steps;
  for (const double x : {0.5, 0.75, 3.0, 0.25, 4.0})
    steps.push_back({{}, Pose::from_translation({x, 0.1, 0.1}), x <= 1, x, 1});
  const Page page = flight_page({{"standing", cube}, {"flying", cube}}, steps, "distance",
                                [&](const FlightStep& at) { return contacts(cube, {}, cube, at.object); });
  ASSERT_EQ(page.clashes.size(), 2U);
  EXPECT_EQ(*page.clashes[0].steps, (std::array<std::size_t, 2>{0, 1}));
  EXPECT_EQ(*page.clashes[1].steps, (std::array<std::size_t, 2>{3, 3}));
  ASSERT_TRUE(page.motion);
  EXPECT_EQ(page.motion->moved, std::vector<std::size_t>{1});
  EXPECT_FALSE(page.motion->steps[0].outline.empty());
  EXPECT_TRUE(page.motion->steps[2].outline.empty());
  const nlohmann::json data = data_of(page_text(page));
  EXPECT_EQ(data["motion"]["steps"], 5);
}

}  // namespace
}  // namespace tumble
