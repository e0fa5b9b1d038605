// SPDX-License-Identifier: Apache-2.0
// Whether a mesh is closed, and what its shells are.
#include "mesh/solid_facts.h"

#include "mesh/disjoint_sets.h"
#include "mesh/summarize.h"
#include "mesh/weld.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

namespace tumble {
namespace {

std::string text(const Vec3& p) {
  std::string point;
  for (int axis = 0; axis < 3; ++axis) {
    std::array<char, 32> digits;
    const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), p[axis]).ptr;
    point.append(axis == 0 ? "(" : ", ").append(digits.begin(), digits.begin() + (end - digits.data()));
  }
  return point + ")";
}

/// The first triangle with an edge between the two positions.
std::size_t triangle_at(const std::array<Vec3, 2>& edge, std::span<const Vec3> vertices,
                        std::span<const Triangle> triangles) {
  const auto has = [&](const Triangle& t, const Vec3& p) {
    return std::ranges::any_of(t, [&](std::uint32_t v) { return vertices[v] == p; });
  };
  return static_cast<std::size_t>(
      std::ranges::find_if(triangles, [&](const Triangle& t) { return has(t, edge[0]) && has(t, edge[1]); }) -
      triangles.begin());
}

std::string fault_of(const MeshSummary& summary, std::span<const Vec3> vertices, std::span<const Triangle> triangles) {
  if (summary.closed) return {};
  if (summary.degenerate_faces == triangles.size()) return "the mesh has no inside: none of its triangles has area";
  const bool one = summary.open_edges == 1;
  std::string fault = "the mesh is not closed and so has no inside: it has " + std::to_string(summary.open_edges) +
                      (one ? " open edge, " : " open edges, ");
  const std::size_t named = summary.first_open_edges.size();
  if (named < summary.open_edges) fault += "among them ";
  for (std::size_t i = 0; i < named; ++i) {
    const std::array<Vec3, 2>& edge = summary.first_open_edges[i];
    fault += (i == 0 ? "" : ", ") + text(edge[0]) + " to " + text(edge[1]) + " of triangle " +
             std::to_string(triangle_at(edge, vertices, triangles));
  }
  return fault + "; close it, or ask of surfaces";
}

/// Makes blocks by halving sets along their longest side, at a multiple of the block size.
class Blocks {
 public:
  Blocks(SolidFacts& facts, std::span<const Vec3> vertices, std::span<const Triangle> triangles)
      : facts_(facts), vertices_(vertices), triangles_(triangles) {
    facts.shells_in_blocks.resize(facts.shells());
    std::iota(facts.shells_in_blocks.begin(), facts.shells_in_blocks.end(), 0u);
    divide(facts.shells_in_blocks);
  }

 private:
  void divide(std::span<std::uint32_t> shells) {
    Box box{point(shells[0]), point(shells[0])};
    for (const std::uint32_t shell : shells)
      for (int axis = 0; axis < 3; ++axis) {
        box.lower[axis] = std::min(box.lower[axis], point(shell)[axis]);
        box.upper[axis] = std::max(box.upper[axis], point(shell)[axis]);
      }
    if (shells.size() <= SolidFacts::block_size) {
      facts_.block_boxes.push_back(box);
      return;
    }
    const Vec3 size = box.upper - box.lower;
    const int longest = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const std::size_t blocks = (shells.size() + SolidFacts::block_size - 1) / SolidFacts::block_size;
    const std::size_t half = blocks / 2 * SolidFacts::block_size;
    std::ranges::nth_element(shells, shells.begin() + static_cast<std::ptrdiff_t>(half), {},
                             [&](std::uint32_t shell) { return std::pair(point(shell)[longest], shell); });
    divide(shells.first(half));
    divide(shells.subspan(half));
  }

  const Vec3& point(std::uint32_t shell) const {
    return vertices_[triangles_[facts_.first_triangle_of_shell[shell]][0]];
  }

  SolidFacts& facts_;
  std::span<const Vec3> vertices_;
  std::span<const Triangle> triangles_;
};

}  // namespace

SolidFacts solid_facts(std::span<const Vec3> vertices, std::span<const Triangle> triangles) {
  SolidFacts facts;
  facts.fault = fault_of(summarize(vertices, triangles), vertices, triangles);
  if (!facts.fault.empty()) return facts;

  const Weld welded = weld(vertices);
  const auto point = [&](std::uint32_t vertex) { return welded.point_of_vertex[vertex]; };
  DisjointSets sets(welded.vertex_of_point.size());
  for (const Triangle& t : triangles) {
    sets.unite(point(t[0]), point(t[1]));
    sets.unite(point(t[1]), point(t[2]));
  }
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> shell_of_point(welded.vertex_of_point.size(), none);
  facts.shell_of_triangles.reserve(triangles.size());
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    std::uint32_t& shell = shell_of_point[sets.find(point(triangles[t][0]))];
    if (shell == none) {
      shell = static_cast<std::uint32_t>(facts.shells());
      facts.first_triangle_of_shell.push_back(t);
    }
    facts.shell_of_triangles.push_back(shell);
  }
  if (facts.shells() == 1) facts.shell_of_triangles = {};
  Blocks(facts, vertices, triangles);
  return facts;
}

}  // namespace tumble
