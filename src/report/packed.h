// SPDX-License-Identifier: Apache-2.0
// Packed: the binary part of a page, and how triangles become few bytes.
#pragma once

#include <tumble/mesh.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tumble {

/// Arrays one after the other, little-endian, each beginning at a multiple of four bytes.
class Packed {
 public:
  /// Returns where it begins.
  template <class T>
  std::size_t add(std::span<const T> values) {
    static_assert(std::endian::native == std::endian::little);
    bytes_.resize((bytes_.size() + 3) / 4 * 4);
    const std::size_t offset = bytes_.size();
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    return offset;
  }
  std::string_view bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// A mesh on a grid of 65536 steps along each side of its box.
struct PackedMesh {
  Box box;
  std::size_t vertices = 0, triangles = 0;
  std::vector<std::uint8_t> bytes;
};

/// Vertices that fall on one point of the grid become one, and triangles without area on it are left out. Triangles
/// come in Morton order (Morton 1966), vertices in the order of their first use: neighbours in space are near in the
/// file, so that differences are small. All numbers are varints of seven bits a byte, low bits first. Each
/// vertex: x, y and z less those before, as zigzag. Each corner: how many vertices ago the newest was met; 0: a new
/// one.
PackedMesh pack(std::span<const Vec3> vertices, std::span<const Triangle> triangles);

std::string base64(std::string_view bytes);

}  // namespace tumble
