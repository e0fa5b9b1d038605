// SPDX-License-Identifier: Apache-2.0
// Clash classes of assemblies of polycubes against their cells: polycubes --pairs N --seed S. Parts are sets of unit
// cubes of a grid, flush, nested, hollow and through each other in every way, so that classes, gaps and bounds of
// depths follow from the sets alone. Parts are also boxes that overlap or touch within one part, wound either way, and
// all stand at exact poses, or at one odd pose that rounds all coordinates. Exit status 1 on any difference.
#include "scenes/random.h"

#include <tumble/clash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace tumble;

namespace {

using Cell = std::array<int, 3>;  // the unit cube from there
using Cells = std::set<Cell>;

/// A unit square: its lower corner and the axis it is upright on.
struct Square {
  Cell corner;
  int axis;

  friend auto operator<=>(const Square&, const Square&) = default;
};

Cell step(Cell cell, int axis, int by) {
  cell[static_cast<std::size_t>(axis)] += by;
  return cell;
}

struct GridBox {
  Cell low, high;
};

Cells cells_of(const GridBox& box) {
  Cells cells;
  for (int x = box.low[0]; x < box.high[0]; ++x)
    for (int y = box.low[1]; y < box.high[1]; ++y)
      for (int z = box.low[2]; z < box.high[2]; ++z) cells.insert({x, y, z});
  return cells;
}

/// What bounds a set of cells: squares with the side on which they are, 1 if the cells are below.
std::map<Square, int> boundary(const Cells& cells) {
  std::map<Square, int> squares;
  for (const Cell& cell : cells)
    for (int axis = 0; axis < 3; ++axis) {
      if (!cells.contains(step(cell, axis, 1))) squares[{step(cell, axis, 1), axis}] = 1;
      if (!cells.contains(step(cell, axis, -1))) squares[{cell, axis}] = -1;
    }
  return squares;
}

/// A part: the cells it fills, the squares that are its surface, and the mesh.
struct Polycube {
  Cells cells;
  std::set<Square> surface;
  Mesh mesh;
};

/// A rectangle upright on an axis; side 1 if what it bounds is below. Cut along one diagonal or the other.
void add_rectangle(scenes::Random& random, Mesh& mesh, const Square& at, int along_u, int along_v, int side) {
  const int u = (at.axis + 1) % 3, v = (at.axis + 2) % 3;
  const std::array<Cell, 4> ring{at.corner, step(at.corner, u, along_u), step(step(at.corner, u, along_u), v, along_v),
                                 step(at.corner, v, along_v)};
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const Cell& corner : ring) mesh.vertices.push_back({double(corner[0]), double(corner[1]), double(corner[2])});
  const auto cut = static_cast<std::uint32_t>(random.index(2));
  const auto corner_of = [&](std::uint32_t i) { return first + (cut + i) % 4; };
  for (Triangle t :
       {Triangle{corner_of(0), corner_of(1), corner_of(2)}, Triangle{corner_of(0), corner_of(2), corner_of(3)}}) {
    if (side < 0) std::swap(t[1], t[2]);
    mesh.triangles.push_back(t);
  }
}

void add_squares(scenes::Random& random, Polycube& to, const Cells& cells, bool inside_out) {
  for (const auto& [square, side] : boundary(cells)) {
    to.surface.insert(square);
    add_rectangle(random, to.mesh, square, 1, 1, inside_out ? -side : side);
  }
}

/// The same surface of six rectangles: parts of one may be wall inside other boxes, others not.
void add_box(scenes::Random& random, Polycube& to, const GridBox& box, bool inside_out) {
  for (const auto& [square, side] : boundary(cells_of(box))) to.surface.insert(square);
  for (int axis = 0; axis < 3; ++axis) {
    const auto size = [&](int of) {
      return box.high[static_cast<std::size_t>(of % 3)] - box.low[static_cast<std::size_t>(of % 3)];
    };
    for (const int side : {-1, 1})
      add_rectangle(random, to.mesh, {step(box.low, axis, side > 0 ? size(axis) : 0), axis}, size(axis + 1),
                    size(axis + 2), inside_out ? -side : side);
  }
}

GridBox any_box(scenes::Random& random, int size) {
  GridBox box;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    box.low[axis] = static_cast<int>(random.index(static_cast<std::size_t>(size)));
    box.high[axis] = box.low[axis] + 1 + static_cast<int>(random.index(static_cast<std::size_t>(size - box.low[axis])));
  }
  return box;
}

Polycube any_polycube(scenes::Random& random, const Polycube* like) {
  constexpr int size = 4;
  Polycube made;
  const bool inside_out = random.index(4) == 0;
  if (!like && random.index(3) == 0) {  // boxes that may overlap: walls are surface, too
    const std::size_t boxes = 1 + random.index(3);
    for (std::size_t i = 0; i < boxes; ++i) {
      const GridBox box = any_box(random, size);
      random.index(2) == 0 ? add_box(random, made, box, inside_out)
                           : add_squares(random, made, cells_of(box), inside_out);
      made.cells.merge(cells_of(box));
    }
    return made;
  }
  if (like) made.cells = like->cells;
  const std::size_t more = like ? random.index(2) : 1 + random.index(3), less = random.index(like ? 2 : 3);
  for (std::size_t i = 0; i < more; ++i) made.cells.merge(cells_of(any_box(random, size)));
  for (std::size_t i = 0; i < less; ++i) {
    Cells rest = made.cells;
    for (const Cell& cell : cells_of(any_box(random, size))) rest.erase(cell);
    if (!rest.empty()) made.cells = rest;
  }
  add_squares(random, made, made.cells, inside_out);
  return made;
}

/// A turn of the grid onto itself, and a shift.
struct GridPose {
  std::array<std::array<int, 3>, 3> rows{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Cell shift{};

  Cell operator*(const Cell& corner) const {
    Cell moved = shift;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) moved[i] += rows[i][j] * corner[j];
    return moved;
  }
  Pose pose() const {
    std::array<double, 12> numbers{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) numbers[4 * i + j] = rows[i][j];
      numbers[4 * i + 3] = shift[i];
    }
    return Pose::from_rows(numbers);
  }
};

GridPose any_grid_pose(scenes::Random& random) {
  GridPose pose;
  if (random.index(2) == 0)
    for (std::size_t turns = random.index(4); turns > 0; --turns) {
      const std::size_t axis = random.index(3), u = (axis + 1) % 3, v = (axis + 2) % 3;
      std::swap(pose.rows[u], pose.rows[v]);
      for (int& entry : pose.rows[u]) entry = -entry;
    }
  for (int& x : pose.shift) x = static_cast<int>(random.index(3)) - static_cast<int>(random.index(3));
  return pose;
}

/// What a turn makes of a cube or square, by its far corner.
Cell lower_corner(const GridPose& pose, const Cell& near, const Cell& far) {
  const Cell a = pose * near, b = pose * far;
  return {std::min(a[0], b[0]), std::min(a[1], b[1]), std::min(a[2], b[2])};
}

struct Placed {
  Cells cells;
  std::set<Square> surface;
};

Placed placed(const Polycube& part, const GridPose& pose) {
  Placed there;
  for (const Cell& cell : part.cells)
    there.cells.insert(lower_corner(pose, cell, {cell[0] + 1, cell[1] + 1, cell[2] + 1}));
  for (const Square& square : part.surface) {
    Cell far = square.corner;
    for (std::size_t axis = 0; axis < 3; ++axis) far[axis] += axis == static_cast<std::size_t>(square.axis) ? 0 : 1;
    int axis = 0;
    for (std::size_t i = 0; i < 3; ++i)
      if (pose.rows[i][static_cast<std::size_t>(square.axis)] != 0) axis = static_cast<int>(i);
    there.surface.insert({lower_corner(pose, square.corner, far), axis});
  }
  return there;
}

/// The square of the distance of two unit cubes.
int gap_sq(const Cell& a, const Cell& b) {
  int sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const int gap = std::max(0, std::abs(a[i] - b[i]) - 1);
    sum += gap * gap;
  }
  return sum;
}

struct Truth {
  ClashClass kind;
  double gap = 0;
  Cells common;
};

Truth truth(const Placed& a, const Placed& b, double clearance) {
  int least = 1 << 20;
  Truth known{};
  for (const Cell& p : a.cells) {
    for (const Cell& q : b.cells) least = std::min(least, gap_sq(p, q));
    if (b.cells.contains(p)) known.common.insert(p);
  }
  known.gap = std::sqrt(least);
  known.kind = a.surface == b.surface                                                          ? ClashClass::duplicate
               : !known.common.empty() && (known.common == a.cells || known.common == b.cells) ? ClashClass::contained
               : !known.common.empty()                                                         ? ClashClass::piercing
               : least == 0                                                                    ? ClashClass::touching
               : known.gap <= clearance                                                        ? ClashClass::too_close
                                                                                               : ClashClass::clear;
  return known;
}

/// The largest ball in cells with its centre on a grid of quarters; any other centre is within `between` of one of
/// them.
double sampled_depth(const Cells& cells) {
  double most = 0;
  for (const Cell& cell : cells)
    for (int i = 0; i < 64; ++i) {
      const std::array<double, 3> p{cell[0] + (i % 4 + 0.5) / 4, cell[1] + (i / 4 % 4 + 0.5) / 4,
                                    cell[2] + (i / 16 + 0.5) / 4};
      double least = 1e9;
      for (int x = -3; x <= 3; ++x)
        for (int y = -3; y <= 3; ++y)
          for (int z = -3; z <= 3; ++z) {
            const Cell other{cell[0] + x, cell[1] + y, cell[2] + z};
            if (cells.contains(other)) continue;
            double sum = 0;
            for (std::size_t axis = 0; axis < 3; ++axis) {
              const double gap = std::max({0.0, other[axis] - p[axis], p[axis] - other[axis] - 1});
              sum += gap * gap;
            }
            least = std::min(least, sum);
          }
      most = std::max(most, 2 * std::sqrt(least));
    }
  return most;
}
const double between = 2 * std::sqrt(3) / 8 + 1e-6;

/// At a pose that rounds, flush faces may cross a little or be apart. The tolerance makes up for the first, but not for
/// parts that were contained and flush.
bool is_right(const Clash& found, const Truth& known, bool is_rounded) {
  const bool has_gap = known.kind == ClashClass::too_close;
  if (found.kind == known.kind)
    return found.gap.has_value() == has_gap && std::abs(found.gap.value_or(known.gap) - known.gap) <= 1e-12;
  if (!is_rounded) return false;
  if (known.kind == ClashClass::contained) return found.kind == ClashClass::piercing;
  return known.kind == ClashClass::touching &&
         (found.kind == ClashClass::clear || (found.kind == ClashClass::too_close && *found.gap < 1e-12));
}

}  // namespace

int main(int count, char** words) {
  std::size_t pairs = 2000;
  std::uint64_t seed = 1;
  for (int i = 1; i + 1 < count; i += 2) {
    if (words[i] == std::string("--pairs")) pairs = std::strtoull(words[i + 1], nullptr, 10);
    if (words[i] == std::string("--seed")) seed = std::strtoull(words[i + 1], nullptr, 10);
  }
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  std::map<ClashClass, std::size_t> classes;
  std::size_t done = 0, differences = 0, unsure = 0;
  for (std::size_t round = 0; done < pairs; ++round) {
    scenes::Random random(seed + round * 0x9e3779b97f4a7c15u);
    const bool is_rounded = random.index(4) == 0;
    const Pose odd = is_rounded ? Pose::from_quaternion(0.3, -0.5, random.between(0, 1), 0.2, {10, -20, 5}) : Pose();
    const double clearance = std::array{0.0, 1.25, 1.5, 2.125}[random.index(4)];
    Parts parts;
    std::vector<Placed> places;
    std::vector<Polycube> models;
    std::vector<GridPose> poses;  // of the first instances
    for (int i = 0; i < 6; ++i) {
      GridPose pose = any_grid_pose(random);
      std::size_t which = models.empty() ? 0 : random.index(models.size());
      if (models.empty() || random.index(3) > 0) {
        const bool is_like = !models.empty() && random.index(2) == 0;  // with some cells more or less, at its pose
        if (is_like) pose = poses[which];
        models.push_back(any_polycube(random, is_like ? &models[which] : nullptr));
        poses.push_back(pose);
        which = models.size() - 1;
      }
      parts.parts.push_back({std::to_string(i), Model(models[which].mesh), odd * pose.pose()});
      places.push_back(placed(models[which], pose));
    }
    const double tolerance = is_rounded ? 1e-6 : random.index(2) == 0 ? 0 : 0.25;
    const Clashes found = find_clashes(parts, {.clearance = clearance,
                                               .tolerance = tolerance,
                                               .depth_budget = {.node_pairs = 4000},
                                               .threads = 1 + static_cast<int>(random.index(2))});
    std::size_t next = 0;
    for (std::size_t a = 0; a < places.size(); ++a)
      for (std::size_t b = a + 1; b < places.size(); ++b, ++done) {
        const Truth known = truth(places[a], places[b], clearance);
        static const Clash clear;
        const bool is_listed = next < found.pairs.size() && found.pairs[next].a == a && found.pairs[next].b == b;
        const Clash& clash = is_listed ? found.pairs[next++] : clear;
        ++classes[known.kind];
        bool right = is_right(clash, known, is_rounded) && !clash.not_closed;
        right &= clash.depth.has_value() || known.common.empty();
        if (clash.depth && !known.common.empty()) {
          const double sampled = sampled_depth(known.common);
          right &= clash.depth->lower <= sampled + between && clash.depth->upper >= sampled - 1e-6;
          unsure += clash.depth->upper - clash.depth->lower > 0.1;
        }
        if (right) continue;
        ++differences;
        std::printf("round %zu, pair %zu %zu: %s, the cells say %s; gap %g of %g, depth %g to %g%s\n", round, a, b,
                    name(clash.kind), name(known.kind), clash.gap.value_or(-1), known.gap,
                    clash.depth ? clash.depth->lower : -1, clash.depth ? clash.depth->upper : -1,
                    is_rounded ? ", rounded" : "");
      }
    if (next != found.pairs.size() || !found.finished || found.clear + next != 15) {
      ++differences;
      std::printf("round %zu: %zu pairs listed, %zu in order, %zu clear\n", round, found.pairs.size(), next,
                  found.clear);
    }
  }
  std::printf("%zu pairs;", done);
  for (const auto& [kind, number] : classes) std::printf(" %s %zu,", name(kind), number);
  std::printf(" %zu depths wider than 0.1; %zu differences\n", unsure, differences);
  return differences > 0 ? 1 : 0;
}
