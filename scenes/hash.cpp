// SPDX-License-Identifier: Apache-2.0
// FNV-1a over values, byte by byte and independent of the machine's byte order.
#include "scenes/hash.h"

#include <bit>

namespace tumble::scenes {
namespace {

struct Fnv1a {
  std::uint64_t value = 0xcbf29ce484222325u;

  void add(std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte, word >>= 8) value = (value ^ (word & 0xff)) * 0x100000001b3u;
  }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
};

}  // namespace

std::uint64_t hash(const Mesh& mesh) {
  Fnv1a fnv;
  fnv.add(std::uint64_t{mesh.vertices.size()});
  for (const Vec3& v : mesh.vertices) fnv.add(v.x), fnv.add(v.y), fnv.add(v.z);
  fnv.add(std::uint64_t{mesh.triangles.size()});
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t index : t) fnv.add(std::uint64_t{index});
  return fnv.value;
}

std::uint64_t hash(std::span<const Pose> flight) {
  Fnv1a fnv;
  for (const Pose& pose : flight)
    for (const double number : pose.rows()) fnv.add(number);
  return fnv.value;
}

}  // namespace tumble::scenes
