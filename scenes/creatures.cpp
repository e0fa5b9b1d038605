// SPDX-License-Identifier: Apache-2.0
// Two animals: skeletons of tapering bones, blended into one skin and meshed by surface nets (Gibson 1998).
#include "scenes/meshes.h"
#include "scenes/shapes.h"

#include <tumble/error.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <queue>
#include <string>
#include <tuple>
#include <vector>

namespace tumble::scenes {
namespace {

std::uint32_t id(std::size_t n) { return static_cast<std::uint32_t>(n); }

struct Bone {
  Vec3 from, to;
  double from_radius, to_radius;
};

using Limb = std::vector<Bone>;
using Skeleton = std::vector<Limb>;

/// A chain of joints.
void add_limb(Skeleton& skeleton, const std::vector<Station>& joints) {
  Limb& limb = skeleton.emplace_back();
  for (std::size_t i = 0; i + 1 < joints.size(); ++i)
    limb.push_back({joints[i].centre, joints[i + 1].centre, joints[i].radius, joints[i + 1].radius});
}

/// The same on both sides of the plane y = 0.
void add_limb_pair(Skeleton& skeleton, std::vector<Station> joints) {
  add_limb(skeleton, joints);
  for (Station& joint : joints) joint.centre.y = -joint.centre.y;
  add_limb(skeleton, joints);
}

double distance_to(const Bone& bone, Vec3 p) {
  const Vec3 along = bone.to - bone.from;
  const double u = std::clamp(dot(p - bone.from, along) / length_sq(along), 0.0, 1.0);
  return length(p - (bone.from + along * u)) - (bone.from_radius + (bone.to_radius - bone.from_radius) * u);
}

/// Negative inside the skin. Limbs melt into each other where their distances differ by less than `blend`.
double skin(const Skeleton& skeleton, Vec3 p) {
  constexpr double blend = 0.09;
  double d = 1e9;
  for (const Limb& limb : skeleton) {
    double other = 1e9;
    for (const Bone& bone : limb) other = std::fmin(other, distance_to(bone, p));
    const double h = std::fmax(blend - std::abs(d - other), 0);
    d = std::fmin(d, other) - h * h / (4 * blend);
  }
  return d;
}

/// One vertex in every cell the skin passes through, one quadrilateral across every grid edge it crosses.
Mesh surface_net(const Skeleton& skeleton, std::size_t cells_along_x) {
  Vec3 low{1e9, 1e9, 1e9}, high{-1e9, -1e9, -1e9};
  for (const Limb& limb : skeleton)
    for (const Bone& bone : limb)
      for (const auto& [p, r] : {Station{bone.from, bone.from_radius}, Station{bone.to, bone.to_radius}})
        for (int axis = 0; axis < 3; ++axis) {
          low[axis] = std::fmin(low[axis], p[axis] - r - 0.1);
          high[axis] = std::fmax(high[axis], p[axis] + r + 0.1);
        }
  const double cell = (high.x - low.x) / static_cast<double>(cells_along_x);
  std::array<std::size_t, 3> size{};  // nodes
  for (int axis = 0; axis < 3; ++axis)
    size[static_cast<std::size_t>(axis)] = static_cast<std::size_t>((high[axis] - low[axis]) / cell) + 2;
  const auto index = [&](std::size_t x, std::size_t y, std::size_t z) { return (z * size[1] + y) * size[0] + x; };
  const auto node = [&](std::size_t x, std::size_t y, std::size_t z) {
    return low + Vec3{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)} * cell;
  };
  std::vector<double> field(size[0] * size[1] * size[2]);
  for (std::size_t z = 0; z < size[2]; ++z)
    for (std::size_t y = 0; y < size[1]; ++y)
      for (std::size_t x = 0; x < size[0]; ++x) field[index(x, y, z)] = skin(skeleton, node(x, y, z));

  Mesh mesh;
  std::vector<std::uint32_t> vertex_of(field.size());
  const std::array<std::size_t, 3> stride{1, size[0], size[0] * size[1]};
  for (std::size_t z = 0; z + 1 < size[2]; ++z)
    for (std::size_t y = 0; y + 1 < size[1]; ++y)
      for (std::size_t x = 0; x + 1 < size[0]; ++x) {
        Vec3 sum{};
        double crossings = 0;
        for (std::size_t corner = 0; corner < 8; ++corner)
          for (std::size_t axis = 0; axis < 3; ++axis) {
            if ((corner >> axis) & 1) continue;
            const std::size_t ax = x + (corner & 1), ay = y + ((corner >> 1) & 1), az = z + (corner >> 2);
            const double a = field[index(ax, ay, az)], b = field[index(ax, ay, az) + stride[axis]];
            if ((a < 0) == (b < 0)) continue;
            Vec3 p = node(ax, ay, az);
            p[static_cast<int>(axis)] += cell * (a / (a - b));
            sum += p;
            crossings += 1;
          }
        if (crossings == 0) continue;
        vertex_of[index(x, y, z)] = id(mesh.vertices.size());
        mesh.vertices.push_back(sum / crossings);
      }
  for (std::size_t z = 1; z + 1 < size[2]; ++z)
    for (std::size_t y = 1; y + 1 < size[1]; ++y)
      for (std::size_t x = 1; x + 1 < size[0]; ++x)
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const std::size_t at = index(x, y, z);
          const bool inside = field[at] < 0;
          if (inside == (field[at + stride[axis]] < 0)) continue;
          const std::size_t u = stride[(axis + 1) % 3], v = stride[(axis + 2) % 3];
          std::array<std::uint32_t, 4> quad{vertex_of[at - u - v], vertex_of[at - v], vertex_of[at], vertex_of[at - u]};
          if (!inside) std::swap(quad[1], quad[3]);
          // Cut along the shorter diagonal.
          const auto diagonal = [&](std::size_t i) {
            return length_sq(mesh.vertices[quad[i]] - mesh.vertices[quad[i + 2]]);
          };
          const std::size_t i = diagonal(0) <= diagonal(1) ? 0 : 1;
          mesh.triangles.push_back({quad[i], quad[i + 1], quad[i + 2]});
          mesh.triangles.push_back({quad[i], quad[i + 2], quad[(i + 3) % 4]});
        }
  return mesh;
}

/// Splits the longest edge in two, again and again; each split adds two triangles to a closed mesh.
void split_longest_edges(Mesh& mesh, std::size_t triangles) {
  using Edge = std::array<std::uint32_t, 2>;  // smaller id first
  std::map<Edge, std::vector<std::uint32_t>> faces;
  using Entry = std::tuple<double, std::uint32_t, std::uint32_t>;  // squared length, then ids: no ties
  std::priority_queue<Entry> queue;
  const auto edge = [](std::uint32_t a, std::uint32_t b) { return a < b ? Edge{a, b} : Edge{b, a}; };
  const auto enlist = [&](std::uint32_t t) {
    for (std::size_t i = 0; i < 3; ++i) {
      const Edge e = edge(mesh.triangles[t][i], mesh.triangles[t][(i + 1) % 3]);
      std::vector<std::uint32_t>& users = faces[e];
      users.push_back(t);
      if (users.size() == 2) queue.emplace(length_sq(mesh.vertices[e[0]] - mesh.vertices[e[1]]), e[0], e[1]);
    }
  };
  const auto delist = [&](std::uint32_t t) {
    for (std::size_t i = 0; i < 3; ++i)
      std::erase(faces[edge(mesh.triangles[t][i], mesh.triangles[t][(i + 1) % 3])], t);
  };
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) enlist(id(t));
  while (mesh.triangles.size() + 2 <= triangles) {
    const auto [unused, a, b] = queue.top();
    queue.pop();
    const std::vector<std::uint32_t> users = faces[{a, b}];
    if (users.size() != 2) continue;  // split before
    const std::uint32_t middle = id(mesh.vertices.size());
    mesh.vertices.push_back((mesh.vertices[a] + mesh.vertices[b]) * 0.5);
    for (const std::uint32_t t : users) {
      delist(t);
      Triangle kept = mesh.triangles[t], added = kept;
      for (std::size_t i = 0; i < 3; ++i) {
        if (kept[i] == b) kept[i] = middle;
        if (added[i] == a) added[i] = middle;
      }
      mesh.triangles[t] = kept;
      mesh.triangles.push_back(added);
      enlist(t);
      enlist(id(mesh.triangles.size() - 1));
    }
  }
}

Mesh skinned(const Skeleton& skeleton, std::size_t triangles, const char* name) {
  if (triangles < 2000 || triangles % 2 != 0)
    throw Error(
        ErrorCode::invalid_argument,
        "the " + std::string(name) + " needs an even number of triangles from 2000, not " + std::to_string(triangles));
  // The finest net with at most the triangles asked for; their number grows with the square of the cells.
  std::size_t cells = 40;
  Mesh net = surface_net(skeleton, cells);
  const double ratio = static_cast<double>(triangles) / static_cast<double>(net.triangles.size());
  cells = static_cast<std::size_t>(40 * std::sqrt(ratio)) + 1;
  net = surface_net(skeleton, cells);
  while (net.triangles.size() > triangles) net = surface_net(skeleton, --cells);
  split_longest_edges(net, triangles);
  return net;
}

}  // namespace

Mesh horse(std::size_t triangles) {
  Skeleton s;
  add_limb(s, {{{-0.62, 0, 0.32}, 0.22}, {{-0.2, 0, 0.28}, 0.235}, {{0.22, 0, 0.29}, 0.23}, {{0.48, 0, 0.36}, 0.2}});
  add_limb(s, {{{0.46, 0, 0.42}, 0.18}, {{0.68, 0, 0.72}, 0.125}, {{0.84, 0, 0.96}, 0.095}});   // neck
  add_limb(s, {{{0.82, 0, 0.98}, 0.105}, {{0.98, 0, 0.9}, 0.085}, {{1.15, 0, 0.72}, 0.06}});    // head
  add_limb_pair(s, {{{0.8, 0.045, 1.06}, 0.03}, {{0.81, 0.06, 1.17}, 0.012}});                  // ears
  add_limb(s, {{{-0.78, 0, 0.46}, 0.05}, {{-0.95, 0, 0.3}, 0.065}, {{-1.0, 0, -0.15}, 0.03}});  // tail
  add_limb(s, {{{0.42, 0, 0.66}, 0.04}, {{0.62, 0, 0.88}, 0.045}, {{0.76, 0, 1.07}, 0.035}});   // mane
  add_limb_pair(s, {{{0.42, 0.12, 0.25}, 0.13},
                    {{0.4, 0.13, -0.08}, 0.075},
                    {{0.42, 0.13, -0.34}, 0.045},
                    {{0.42, 0.13, -0.6}, 0.038},
                    {{0.47, 0.13, -0.7}, 0.05}});
  add_limb_pair(s, {{{-0.62, 0.12, 0.28}, 0.17},
                    {{-0.56, 0.14, -0.02}, 0.095},
                    {{-0.72, 0.14, -0.28}, 0.05},
                    {{-0.66, 0.14, -0.6}, 0.04},
                    {{-0.6, 0.14, -0.7}, 0.05}});
  return skinned(s, triangles, "horse");
}

Mesh dinosaur(std::size_t triangles) {
  Skeleton s;
  add_limb(s, {{{-0.25, 0, 0.1}, 0.25}, {{0.05, 0, 0.12}, 0.27}, {{0.28, 0, 0.18}, 0.2}});
  add_limb(
      s, {{{0.28, 0, 0.24}, 0.17}, {{0.5, 0, 0.5}, 0.1}, {{0.62, 0, 0.82}, 0.075}, {{0.76, 0, 1.02}, 0.065}});  // neck
  add_limb(s, {{{0.76, 0, 1.05}, 0.085}, {{0.9, 0, 1.03}, 0.07}, {{1.02, 0, 0.98}, 0.045}});                    // head
  add_limb(s, {{{-0.3, 0, 0.08}, 0.21},
               {{-0.6, 0, -0.02}, 0.12},
               {{-0.9, 0.08, -0.12}, 0.06},
               {{-1.15, 0.22, -0.1}, 0.025}});  // tail
  add_limb_pair(
      s,
      {{{0.2, 0.17, 0.05}, 0.12}, {{0.24, 0.2, -0.2}, 0.085}, {{0.2, 0.2, -0.42}, 0.07}, {{0.25, 0.2, -0.48}, 0.075}});
  add_limb_pair(s, {{{-0.24, 0.17, 0.02}, 0.15},
                    {{-0.18, 0.21, -0.2}, 0.1},
                    {{-0.26, 0.21, -0.42}, 0.075},
                    {{-0.2, 0.21, -0.48}, 0.08}});
  for (int plate = 0; plate < 9; ++plate) {  // along the back
    const double u = plate / 8.0, x = 0.42 - 1.1 * u, z = 0.42 + 0.04 * u - 0.42 * u * u;
    const double height = 0.16 * (1 - (2 * u - 0.8) * (2 * u - 0.8) * 0.6);
    add_limb(s, {{{x, 0, z - 0.06}, 0.035}, {{x - 0.03, 0, z + height}, 0.014}});
  }
  return skinned(s, triangles, "dinosaur");
}

}  // namespace tumble::scenes
