// SPDX-License-Identifier: Apache-2.0
// Pipes: random walks on a lattice that never share a node, clothed as pipelines.
#include "scenes/meshes.h"
#include "scenes/random.h"
#include "scenes/shapes.h"
#include "scenes/trigonometry.h"

#include <tumble/error.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace tumble::scenes {
namespace {

constexpr std::size_t published = 143'690;
constexpr std::size_t published_lattice = 10;  // nodes along a side: a copy 15 times smaller fits through the gaps
constexpr std::size_t fewest_fine_pipes = 10'000;
constexpr double filled = 0.62;  // of the lattice, before we stop adding pipelines

using Node = std::array<int, 3>;
struct Pipeline {
  std::vector<Node> nodes;
  double radius = 0;  // in lattice cells
};

Node step(Node node, std::size_t direction) {
  node[direction / 2] += direction % 2 == 0 ? 1 : -1;
  return node;
}

class Lattice {
 public:
  explicit Lattice(std::size_t side) : side_(static_cast<int>(side)), used_(side * side * side) {}

  bool free(Node n) const {
    for (const int c : n)
      if (c < 0 || c >= side_) return false;
    return !used_[index(n)];
  }
  void take(Node n) { used_[index(n)] = true; }
  void give_back(Node n) { used_[index(n)] = false; }
  Vec3 position(Node n) const {
    const auto coordinate = [this](int c) { return (2.0 * c + 1) / side_ - 1; };
    return {coordinate(n[0]), coordinate(n[1]), coordinate(n[2])};
  }
  double cell() const { return 2.0 / side_; }
  std::size_t nodes() const { return used_.size(); }

 private:
  std::size_t index(Node n) const { return static_cast<std::size_t>((n[2] * side_ + n[1]) * side_ + n[0]); }

  int side_;
  std::vector<bool> used_;
};

std::vector<Pipeline> lay(Lattice& lattice, std::size_t side, Random& random) {
  std::vector<Pipeline> pipelines;
  const auto target = static_cast<std::size_t>(filled * static_cast<double>(lattice.nodes()));
  std::size_t taken = 0;
  for (std::size_t tries = 0; taken < target && tries < 20 * lattice.nodes(); ++tries) {
    Node at{};
    for (int& c : at) c = static_cast<int>(random.index(side));
    if (!lattice.free(at)) continue;
    Pipeline pipeline;
    pipeline.radius = random.between(0.10, 0.19);
    std::size_t direction = random.index(6);
    const std::size_t longest = 2 * side + random.index(2 * side);
    for (;;) {
      pipeline.nodes.push_back(at);
      lattice.take(at);
      if (pipeline.nodes.size() >= longest) break;
      if (!lattice.free(step(at, direction)) || random.unit() < 0.3) {
        std::array<std::size_t, 4> turns{};
        std::size_t count = 0;
        for (std::size_t d = 0; d < 6; ++d)
          if (d / 2 != direction / 2 && lattice.free(step(at, d))) turns[count++] = d;
        if (count > 0) direction = turns[random.index(count)];
      }
      if (!lattice.free(step(at, direction))) break;
      at = step(at, direction);
    }
    if (pipeline.nodes.size() >= 4) {
      taken += pipeline.nodes.size();
      pipelines.push_back(std::move(pipeline));
    } else {
      for (const Node& n : pipeline.nodes) lattice.give_back(n);
    }
  }
  return pipelines;
}

/// Where a flange or a valve sits, looking along the pipe.
struct Fitting {
  Vec3 centre, along;
  double radius = 0;
};

struct Clothes {
  std::vector<std::vector<Station>> tubes;
  std::vector<Fitting> flanges, valves;
  std::size_t stations = 0;
};

/// Centre lines with radii: quarter-circle elbows at the corners, flanges after them, bulges where valves sit.
Clothes clothe(const std::vector<Pipeline>& pipelines, const Lattice& lattice, std::size_t elbow_steps) {
  Clothes clothes;
  const double cell = lattice.cell();
  for (const Pipeline& pipeline : pipelines) {
    const double r = pipeline.radius * cell, bend = 0.42 * cell;
    std::vector<Station> tube;
    const auto flange = [&](Vec3 centre, Vec3 along) {
      const Vec3 half = along * (0.035 * cell);
      tube.insert(tube.end(),
                  {{centre - half, r}, {centre - half, r * 1.55}, {centre + half, r * 1.55}, {centre + half, r}});
      clothes.flanges.push_back({centre + half, along, r});
    };
    const std::size_t count = pipeline.nodes.size();
    std::size_t straight = 0;  // nodes since the last corner
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3 here = lattice.position(pipeline.nodes[i]);
      if (i == 0 || i + 1 == count) {
        const Vec3 other = lattice.position(pipeline.nodes[i == 0 ? 1 : count - 2]);
        flange(here, normalized(i == 0 ? other - here : here - other));
        continue;
      }
      const Vec3 in = normalized(here - lattice.position(pipeline.nodes[i - 1]));
      const Vec3 out = normalized(lattice.position(pipeline.nodes[i + 1]) - here);
      if (dot(in, out) > 0.5) {
        if (++straight % 4 == 2) {
          const Vec3 body = in * (0.16 * cell);
          tube.insert(tube.end(), {{here - body, r},
                                   {here - body * 0.7, r * 1.4},
                                   {here, r * 1.7},
                                   {here + body * 0.7, r * 1.4},
                                   {here + body, r}});
          clothes.valves.push_back({here, in, r});
        }
        continue;
      }
      straight = 0;
      const Vec3 centre = here - in * bend + out * bend;
      for (std::size_t k = 0; k <= elbow_steps; ++k) {
        const auto [s, c] = sin_cos(0.25 * static_cast<double>(k) / static_cast<double>(elbow_steps));
        tube.push_back({centre - out * (bend * c) + in * (bend * s), r});
      }
      flange(here + out * (bend + 0.06 * cell), out);
    }
    clothes.stations += tube.size();
    clothes.tubes.push_back(std::move(tube));
  }
  return clothes;
}

constexpr std::size_t wheel_around = 20, wheel_across = 6, stem_sides = 8, bolt_sides = 6, bolts_per_flange = 8;
constexpr std::size_t bolt_triangles = 4 * bolt_sides;
constexpr std::size_t smallest_filler = 6;

/// How finely a valve is made.
struct ValveFacets {
  std::size_t around = wheel_around, across = wheel_across, sides = stem_sides, rows = 2;

  std::size_t triangles() const { return 2 * (around * across + sides * rows); }
};

/// A stem and a hand wheel standing off the pipe.
Mesh valve(const Fitting& at, const ValveFacets& facets = {}) {
  const Frame across = frame_along(at.centre, at.along);
  const Frame up = frame_along(at.centre, across.x);
  Mesh mesh = placed(cylinder(at.radius * 0.3, at.radius * 2.5, facets.sides, facets.rows), up);
  Frame wheel = up;
  wheel.origin += up.z * (at.radius * 2.3);
  append(mesh, placed(torus(at.radius * 1.1, at.radius * 0.17, facets.around, facets.across), wheel));
  return mesh;
}

/// Places one after the other around the flanges.
Frame bolt_place(const std::vector<Fitting>& flanges, std::size_t n) {
  const Fitting& flange = flanges[n / bolts_per_flange % flanges.size()];
  const Frame frame = frame_along(flange.centre, flange.along);
  const auto [s, c] = sin_cos(static_cast<double>(n % bolts_per_flange) / static_cast<double>(bolts_per_flange));
  return frame_along(frame * Vec3{1.28 * flange.radius * c, 1.28 * flange.radius * s, 0}, flange.along);
}

/// Pipelines and valves whose facets are about as long as they are wide, with `sides` facets around a pipe.
struct FineClothes {
  std::vector<std::vector<Station>> tubes;
  std::vector<double> stations;  // of each tube
  std::vector<Fitting> valves;
  ValveFacets valve_facets;

  FineClothes(const std::vector<Pipeline>& pipelines, const Lattice& lattice, std::size_t sides)
      : valve_facets{std::max<std::size_t>(8, sides), std::max<std::size_t>(4, sides / 6),
                     std::max<std::size_t>(4, sides / 3), std::max<std::size_t>(2, sides * 2 / 5)} {
    Clothes coarse = clothe(pipelines, lattice, std::max<std::size_t>(2, sides / 2));
    valves = std::move(coarse.valves);
    for (std::vector<Station>& tube : coarse.tubes) {
      const double radius = tube.front().radius, facet = full_circle * radius / static_cast<double>(sides);
      if (facet < radius) {  // rings on the end caps, too
        tube.insert(tube.begin(), {tube.front().centre, facet});
        tube.push_back({tube.back().centre, facet});
      }
      tubes.push_back({tube.front()});
      for (std::size_t i = 1; i < tube.size(); ++i) {
        const Station &from = tube[i - 1], &to = tube[i];
        const Vec3 way = to.centre - from.centre;
        const double wider = to.radius - from.radius;
        const double pieces = std::ceil(std::sqrt(dot(way, way) + wider * wider) / facet - 1e-9);
        for (double piece = 1; piece < pieces; ++piece)
          tubes.back().push_back({from.centre + way * (piece / pieces), from.radius + wider * (piece / pieces)});
        tubes.back().push_back(to);
      }
      stations.push_back(static_cast<double>(tubes.back().size()));
    }
  }

  std::size_t valve_triangles() const { return valves.size() * valve_facets.triangles(); }
  std::size_t triangles(std::size_t sides) const {
    std::size_t all = valve_triangles();
    for (const std::vector<Station>& tube : tubes) all += 2 * sides * tube.size();
    return all;
  }
};

std::size_t lattice_side(std::size_t triangles) {
  constexpr std::size_t per_cube = published_lattice * published_lattice * published_lattice;
  std::size_t side = 4;
  while (side * side * side * published < triangles * per_cube) ++side;
  return side;
}

}  // namespace

Mesh fine_pipes(std::size_t triangles, std::uint64_t seed) {
  constexpr std::size_t least_sides = 4;
  const std::size_t side = lattice_side(fewest_fine_pipes);
  Random random(seed);
  Lattice lattice(side);
  const std::vector<Pipeline> pipelines = lay(lattice, side, random);
  std::size_t sides = least_sides;
  FineClothes clothes(pipelines, lattice, sides);
  if (triangles % 2 != 0 || clothes.triangles(sides) > triangles)
    throw Error(ErrorCode::invalid_argument, "fine pipes need an even number of triangles from about " +
                                                 std::to_string(clothes.triangles(sides)) + ", not " +
                                                 std::to_string(triangles));
  for (;;) {
    FineClothes finer(pipelines, lattice, sides + 1);
    if (finer.triangles(sides + 1) > triangles) break;
    clothes = std::move(finer);
    ++sides;
  }
  // The remaining triangles make some rings a little finer, in all pipelines alike.
  const std::vector<std::size_t> of_tube = share((triangles - clothes.valve_triangles()) / 2, clothes.stations, 3);
  Mesh mesh;
  for (std::size_t i = 0; i < clothes.tubes.size(); ++i)
    append(mesh, tube_of(clothes.tubes[i], 2 * of_tube[i]), "pipeline " + std::to_string(i));
  for (const Fitting& at : clothes.valves) append(mesh, valve(at, clothes.valve_facets));
  return mesh;
}

Mesh pipes(std::size_t triangles, std::uint64_t seed) {
  if (triangles < 2000 || triangles % 2 != 0)
    throw Error(ErrorCode::invalid_argument,
                "pipes need an even number of triangles from 2000, not " + std::to_string(triangles));
  // The lattice grows with the number of triangles, so that a pipe keeps its own resolution.
  const std::size_t side = lattice_side(triangles);
  Random random(seed);
  Lattice lattice(side);
  const std::vector<Pipeline> pipelines = lay(lattice, side, random);

  // As many elbow steps as it takes to bring the pipes near 18 sides, then as many sides as fit.
  std::size_t elbow_steps = 3, sides = 0;
  Clothes clothes;
  for (;; ++elbow_steps) {
    clothes = clothe(pipelines, lattice, elbow_steps);
    const std::size_t fixed = clothes.valves.size() * ValveFacets{}.triangles() + bolt_triangles + smallest_filler;
    sides = fixed >= triangles ? 0 : (triangles - fixed) / (2 * clothes.stations);
    if (sides <= 18 || elbow_steps == 16) break;
  }
  if (sides < 3)
    throw Error(ErrorCode::invalid_argument, "too few triangles for these pipes; ask for more or try another seed");

  Mesh mesh;
  for (std::size_t i = 0; i < clothes.tubes.size(); ++i)
    append(mesh, tube(clothes.tubes[i], sides), "pipeline " + std::to_string(i));
  for (const Fitting& at : clothes.valves) append(mesh, valve(at));
  // Bolts use up the rest; the last has the number of sides that makes the total exact.
  std::size_t bolts = 0;
  while (mesh.triangles.size() + bolt_triangles + smallest_filler <= triangles) {
    const double r = clothes.flanges[bolts / bolts_per_flange % clothes.flanges.size()].radius;
    append(mesh, placed(cylinder(0.14 * r, 0.14 * r, bolt_sides), bolt_place(clothes.flanges, bolts)));
    ++bolts;
  }
  if (const std::size_t rest = triangles - mesh.triangles.size(); rest > 0) {
    const double r = clothes.flanges[bolts / bolts_per_flange % clothes.flanges.size()].radius;
    append(mesh, placed(bipyramid(0.14 * r, 0.14 * r, rest / 2), bolt_place(clothes.flanges, bolts)));
  }
  return mesh;
}

Mesh zachmann_lock(std::size_t triangles) { return pipes(triangles); }

}  // namespace tumble::scenes
