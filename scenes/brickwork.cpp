// SPDX-License-Identifier: Apache-2.0
// Bricks are boxes of square cells; a boss is a block of a face's inner vertices, moved outward. All numbers are few
// binary digits long.
#include "scenes/brickwork.h"

#include "scenes/random.h"
#include "scenes/shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace tumble::scenes {
namespace {

constexpr double joint = 1.0 / 16;
constexpr std::array<double, 3> pitch{2, 1, 1};
/// Cells along the short edges of a brick; 20 r² triangles.
constexpr std::array<std::size_t, 4> finenesses{3, 4, 5, 6};

double height(Fit fit) {
  return fit == Fit::close ? joint - Brickwork::gap : fit == Fit::flush ? joint : joint + Brickwork::depth;
}

/// The four neighbours to which a brick has a boss: beside it, behind it, and above it to the left and to the right.
enum Way : std::size_t { beside, behind, above_left, above_right, ways };

struct Kind {
  std::array<Fit, ways> fits;
  std::size_t fineness;
  bool is_fine;  // each triangle cut into four

  friend auto operator<=>(const Kind&, const Kind&) = default;
};

/// From the origin to the pitch less the joint.
Mesh brick(const Kind& kind) {
  const std::size_t r = kind.fineness;
  const std::array<std::size_t, 3> cells{2 * r, r, r};
  Mesh mesh;
  std::map<std::array<std::size_t, 3>, std::uint32_t> known;
  const auto coordinate = [&](std::size_t axis, std::size_t i) {
    // In cells of whole 1/256, so that they are exact; the last takes what is left.
    const double size = pitch[axis] - joint;
    return i == cells[axis] ? size
                            : std::floor(256 * size / static_cast<double>(cells[axis])) / 256 * static_cast<double>(i);
  };
  const auto vertex = [&](const std::array<std::size_t, 3>& at) {
    const auto [found, is_new] = known.try_emplace(at, static_cast<std::uint32_t>(mesh.vertices.size()));
    if (is_new) {
      Vec3 p{coordinate(0, at[0]), coordinate(1, at[1]), coordinate(2, at[2])};
      const auto is_inner = [&](std::size_t axis, std::size_t from, std::size_t to) {
        return at[axis] > from && at[axis] < to;
      };
      const bool x = is_inner(0, 0, 2 * r), y = is_inner(1, 0, r), z = is_inner(2, 0, r);
      if (at[0] == 2 * r && y && z) p.x += height(kind.fits[beside]);
      if (at[1] == r && x && z) p.y += height(kind.fits[behind]);
      if (at[2] == r && y && is_inner(0, 0, r)) p.z += height(kind.fits[above_left]);
      if (at[2] == r && y && is_inner(0, r, 2 * r)) p.z += height(kind.fits[above_right]);
      mesh.vertices.push_back(p);
    }
    return found->second;
  };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (const bool is_upper : {false, true})
      for (std::size_t i = 0; i < cells[u]; ++i)
        for (std::size_t j = 0; j < cells[v]; ++j) {
          const auto corner = [&](std::size_t di, std::size_t dj) {
            std::array<std::size_t, 3> at{};
            at[axis] = is_upper ? cells[axis] : 0;
            at[u] = i + di;
            at[v] = j + dj;
            return vertex(at);
          };
          const std::uint32_t a = corner(0, 0), b = corner(1, 0), c = corner(1, 1), d = corner(0, 1);
          mesh.triangles.push_back(is_upper ? Triangle{a, b, c} : Triangle{a, c, b});
          mesh.triangles.push_back(is_upper ? Triangle{a, c, d} : Triangle{a, d, c});
        }
  }
  return kind.is_fine ? quartered(mesh) : mesh;
}

Fit any_fit(Random& random) {
  const std::size_t percent = random.index(100);
  return percent < 20 ? Fit::flush : percent < 25 ? Fit::piercing : Fit::close;
}

}  // namespace

Brickwork brickwork(std::size_t bricks, std::uint64_t seed) {
  Random random(seed);
  const auto side = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(bricks))));
  Brickwork work;
  std::map<Kind, std::uint32_t> meshes;
  const auto place = [&](const Kind& kind, const Vec3& at) {
    const auto [found, is_new] = meshes.try_emplace(kind, static_cast<std::uint32_t>(work.assembly.meshes.size()));
    if (is_new) work.assembly.meshes.push_back(brick(kind));
    const std::size_t number = work.assembly.instances.size();
    work.assembly.instances.push_back({"brick " + std::to_string(number), found->second, Pose::from_translation(at)});
    return number;
  };

  std::map<std::array<std::ptrdiff_t, 3>, std::vector<std::size_t>> at;  // by column, row and layer
  std::vector<std::pair<std::array<std::ptrdiff_t, 3>, std::array<Fit, ways>>> placed;
  for (std::size_t i = 0; work.assembly.instances.size() < bricks; ++i) {
    const std::array<std::ptrdiff_t, 3> cell{static_cast<std::ptrdiff_t>(i % side),
                                             static_cast<std::ptrdiff_t>(i / side % side),
                                             static_cast<std::ptrdiff_t>(i / side / side)};
    Kind kind{{}, finenesses[random.index(finenesses.size())], false};
    for (Fit& fit : kind.fits) fit = any_fit(random);
    const Vec3 corner{pitch[0] * static_cast<double>(cell[0]) + static_cast<double>(cell[2] % 2),
                      pitch[1] * static_cast<double>(cell[1]), pitch[2] * static_cast<double>(cell[2])};
    std::vector<std::size_t>& here = at[cell];
    here.push_back(place(kind, corner));
    placed.emplace_back(cell, kind.fits);
    if (random.index(25) > 0 || work.assembly.instances.size() == bricks) continue;
    kind.is_fine = random.index(2) == 0;
    here.push_back(place(kind, corner));
    work.links.push_back({here[0], here[1], Fit::duplicate});
  }
  for (const auto& [cell, fits] : placed) {
    const std::ptrdiff_t left = cell[2] % 2 - 1;  // of the brick above to the left, relative to this one
    const std::array<std::array<std::ptrdiff_t, 3>, ways> to{{{1, 0, 0}, {0, 1, 0}, {left, 0, 1}, {left + 1, 0, 1}}};
    for (std::size_t way = 0; way < ways; ++way) {
      const auto other = at.find({cell[0] + to[way][0], cell[1] + to[way][1], cell[2] + to[way][2]});
      if (other == at.end()) continue;
      for (const std::size_t a : at[cell])
        for (const std::size_t b : other->second) work.links.push_back({std::min(a, b), std::max(a, b), fits[way]});
    }
  }
  std::ranges::sort(work.links, {}, [](const Brickwork::Link& link) { return std::pair(link.a, link.b); });
  return work;
}

}  // namespace tumble::scenes
