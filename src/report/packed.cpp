// SPDX-License-Identifier: Apache-2.0
// Quantises, orders and writes triangles.
#include "report/packed.h"

#include "mesh/growing_box.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace tumble {
namespace {

using GridPoint = std::array<std::uint16_t, 3>;

GridPoint quantise(Vec3 p, const Box& box) {
  GridPoint point{};
  for (int axis = 0; axis < 3; ++axis) {
    const double side = box.upper[axis] - box.lower[axis];
    const double at = side > 0 ? (p[axis] - box.lower[axis]) / side : 0;
    point[static_cast<std::size_t>(axis)] = static_cast<std::uint16_t>(std::lround(at * 65535));
  }
  return point;
}

/// The low 16 bits, each two places from the next.
std::uint64_t spread(std::uint64_t bits) {
  bits = (bits | bits << 16) & 0x0000'0000'ff00'00ff;
  bits = (bits | bits << 8) & 0x0000'00f0'0f00'f00f;
  bits = (bits | bits << 4) & 0x0000'0c30'c30c'30c3;
  return (bits | bits << 2) & 0x0000'2492'4924'9249;
}

std::uint64_t morton_code(const std::array<GridPoint, 3>& corners) {
  std::uint64_t code = 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
    code |= spread((corners[0][axis] + corners[1][axis] + corners[2][axis]) / 3U) << axis;
  return code;
}

bool has_area(const std::array<GridPoint, 3>& corners) {
  return corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0];
}

void put_varint(std::uint32_t value, std::vector<std::uint8_t>& bytes) {
  for (; value >= 128; value >>= 7) bytes.push_back(static_cast<std::uint8_t>(value | 128));
  bytes.push_back(static_cast<std::uint8_t>(value));
}

std::uint32_t zigzag(int value) {
  return value < 0 ? static_cast<std::uint32_t>(-2 * value - 1) : static_cast<std::uint32_t>(2 * value);
}

std::uint64_t key_of(const GridPoint& p) {
  return std::uint64_t{p[0]} << 32 | std::uint64_t{p[1]} << 16 | std::uint64_t{p[2]};
}

}  // namespace

PackedMesh pack(std::span<const Vec3> vertices, std::span<const Triangle> triangles) {
  PackedMesh packed{box_of(vertices, triangles), 0, 0, {}};
  std::vector<std::pair<std::uint64_t, std::array<GridPoint, 3>>> order;
  order.reserve(triangles.size());
  for (const Triangle& t : triangles) {
    std::array<GridPoint, 3> corners{};
    for (std::size_t i = 0; i < 3; ++i) corners[i] = quantise(vertices[t[i]], packed.box);
    if (has_area(corners)) order.emplace_back(morton_code(corners), corners);
  }
  std::ranges::sort(order);
  std::vector<std::uint8_t> corners;
  std::unordered_map<std::uint64_t, std::uint32_t> met;
  GridPoint before{};
  for (const auto& [code, triangle] : order)
    for (const GridPoint& p : triangle) {
      const auto newest = static_cast<std::uint32_t>(met.size());
      const auto [at, is_new] = met.try_emplace(key_of(p), newest);
      put_varint(newest - at->second, corners);
      if (!is_new) continue;
      for (std::size_t axis = 0; axis < 3; ++axis) put_varint(zigzag(p[axis] - before[axis]), packed.bytes);
      before = p;
    }
  packed.vertices = met.size();
  packed.triangles = order.size();
  packed.bytes.insert(packed.bytes.end(), corners.begin(), corners.end());
  return packed;
}

std::string base64(std::string_view bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j)
      three = three << 8 | (i + j < bytes.size() ? static_cast<std::uint8_t>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j) text += i + j > bytes.size() ? '=' : digits[three >> (18 - 6 * j) & 63];
  }
  return text;
}

}  // namespace tumble
