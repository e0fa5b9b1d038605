// SPDX-License-Identifier: Apache-2.0
// Rings of vertices woven into closed surfaces, and the shapes made that way.
#include "scenes/shapes.h"

#include "scenes/trigonometry.h"

#include <tumble/error.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace tumble::scenes {
namespace {

std::uint32_t id(std::size_t n) { return static_cast<std::uint32_t>(n); }

/// Consecutive ids of one ring or row; `closed` ones run around.
struct Run {
  std::size_t first = 0, size = 0;
  bool closed = true;

  std::size_t segments() const { return closed ? size : size - 1; }
  std::uint32_t operator[](std::size_t i) const { return id(first + (i == size ? 0 : i)); }
};

/// The band between two runs: one triangle per segment of either, taken in the order of their parameters.
void add_band(Mesh& mesh, const Run& lower, const Run& upper) {
  std::size_t i = 0, j = 0;
  const std::size_t p = lower.segments(), q = upper.segments();
  while (i < p || j < q) {
    // Advance the run whose next point comes first; compared exactly as whole numbers.
    const bool advance_lower = j == q || (i < p && (i + 1) * q <= (j + 1) * p);
    if (advance_lower) {
      mesh.triangles.push_back({lower[i], lower[i + 1], upper[j]});
      ++i;
    } else {
      mesh.triangles.push_back({lower[i], upper[j + 1], upper[j]});
      ++j;
    }
  }
}

std::vector<Run> add_runs(Mesh& mesh, const std::vector<Ring>& rings, bool closed) {
  std::vector<Run> runs;
  for (const Ring& ring : rings) {
    runs.push_back({mesh.vertices.size(), ring.size(), closed});
    mesh.vertices.insert(mesh.vertices.end(), ring.begin(), ring.end());
  }
  return runs;
}

Vec3 middle(const Ring& ring) {
  Vec3 sum{};
  for (const Vec3& p : ring) sum += p;
  return sum / static_cast<double>(ring.size());
}

Ring circle(const Frame& frame, double radius, std::size_t sides) {
  Ring ring;
  for (std::size_t j = 0; j < sides; ++j) {
    const auto [s, c] = sin_cos(static_cast<double>(j) / static_cast<double>(sides));
    ring.push_back(frame * Vec3{radius * c, radius * s, 0});
  }
  return ring;
}

}  // namespace

Vec3 normalized(Vec3 v) { return v / length(v); }

Frame frame_along(Vec3 origin, Vec3 direction) {
  const Vec3 z = normalized(direction);
  const Vec3 other = std::abs(z.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 y = normalized(cross(z, other));
  return {origin, cross(y, z), y, z};
}

Frame turned(int axis, double turns, Vec3 origin) {
  const auto [s, c] = sin_cos(turns);
  Frame frame{origin};
  if (axis == 0) frame.y = {0, c, s}, frame.z = {0, -s, c};
  if (axis == 1) frame.z = {s, 0, c}, frame.x = {c, 0, -s};
  if (axis == 2) frame.x = {c, s, 0}, frame.y = {-s, c, 0};
  return frame;
}

Mesh placed(Mesh mesh, const Frame& frame) {
  for (Vec3& v : mesh.vertices) v = frame * v;
  if (dot(frame.x, cross(frame.y, frame.z)) < 0)
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

Mesh quartered(const Mesh& mesh) {
  Mesh out{mesh.vertices, {}, mesh.parts};
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
  const auto middle = [&](std::uint32_t a, std::uint32_t b) {
    const auto [place, fresh] = middles.try_emplace(std::minmax(a, b), id(out.vertices.size()));
    if (fresh) out.vertices.push_back((out.vertices[a] + out.vertices[b]) / 2);
    return place->second;
  };
  for (const auto& [a, b, c] : mesh.triangles) {
    const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    for (const Triangle& quarter : {Triangle{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}})
      out.triangles.push_back(quarter);
  }
  for (Part& part : out.parts) part.first_triangle *= 4, part.triangle_count *= 4;
  return out;
}

Mesh scaled(Mesh mesh, double factor) {
  for (Vec3& v : mesh.vertices) v *= factor;
  return mesh;
}

Mesh fitted_to_cube(Mesh mesh, double side) {
  Vec3 low = mesh.vertices.at(0), high = low;
  for (const Vec3& v : mesh.vertices)
    for (int axis = 0; axis < 3; ++axis) {
      if (v[axis] < low[axis]) low[axis] = v[axis];
      if (v[axis] > high[axis]) high[axis] = v[axis];
    }
  const Vec3 size = high - low;
  const double longest = std::fmax(size.x, std::fmax(size.y, size.z));
  const Vec3 centre = (low + high) * 0.5;
  for (Vec3& v : mesh.vertices) v = (v - centre) * (side / longest);
  return mesh;
}

Mesh fitted_into(Mesh mesh, const Box& box) {
  const Box own = bounding_box(mesh);
  const Vec3 room = box.upper - box.lower, size = own.upper - own.lower;
  double factor = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis)
    if (size[axis] > 0) factor = std::fmin(factor, room[axis] / size[axis]);
  if (!std::isfinite(factor)) factor = 1;
  const Vec3 from = own.lower + size * 0.5, to = box.lower + room * 0.5;
  for (Vec3& v : mesh.vertices) v = (v - from) * factor + to;
  return mesh;
}

void append(Mesh& into, const Mesh& piece, const std::string& name) {
  const std::size_t base = into.vertices.size();
  const std::uint32_t first = id(into.triangles.size());
  if (!name.empty())
    into.parts.push_back({name, first, id(piece.triangles.size())});
  else
    for (const Part& part : piece.parts)
      into.parts.push_back({part.name, first + part.first_triangle, part.triangle_count});
  into.vertices.insert(into.vertices.end(), piece.vertices.begin(), piece.vertices.end());
  for (const Triangle& t : piece.triangles)
    into.triangles.push_back({id(base + t[0]), id(base + t[1]), id(base + t[2])});
}

std::vector<std::size_t> share(std::size_t total, std::span<const double> weights, std::size_t least) {
  const std::size_t count = weights.size();
  if (count == 0 || total < least * count)
    throw Error(ErrorCode::invalid_argument, "too few triangles for this shape: it needs at least " +
                                                 std::to_string(2 * least * (count == 0 ? 1 : count)));
  double sum = 0;
  for (const double w : weights) sum += w;
  // Distributes what exceeds the least by rounding the running sum: no drift, and the last sum is exact.
  const std::size_t spare = total - least * count;
  std::vector<std::size_t> parts;
  double running = 0;
  std::size_t given = 0;
  for (std::size_t i = 0; i < count; ++i) {
    running += weights[i];
    const std::size_t upto =
        i + 1 == count ? spare : static_cast<std::size_t>(std::floor(static_cast<double>(spare) * (running / sum)));
    parts.push_back(least + upto - given);
    given = upto;
  }
  return parts;
}

std::vector<std::size_t> share_evenly(std::size_t total, std::size_t count) {
  std::vector<std::size_t> parts;
  for (std::size_t i = 0; i < count; ++i) parts.push_back(total * (i + 1) / count - total * i / count);
  return parts;
}

Mesh weave(const std::vector<Ring>& rings, Vec3 start_pole, Vec3 end_pole) {
  Mesh mesh;
  const std::vector<Run> runs = add_runs(mesh, rings, true);
  const std::uint32_t start = id(mesh.vertices.size()), end = start + 1;
  mesh.vertices.push_back(start_pole);
  mesh.vertices.push_back(end_pole);
  for (std::size_t j = 0; j < runs.front().size; ++j)
    mesh.triangles.push_back({start, runs.front()[j + 1], runs.front()[j]});
  for (std::size_t i = 0; i + 1 < runs.size(); ++i) add_band(mesh, runs[i], runs[i + 1]);
  for (std::size_t j = 0; j < runs.back().size; ++j)
    mesh.triangles.push_back({end, runs.back()[j], runs.back()[j + 1]});
  return mesh;
}

Mesh weave(const std::vector<Ring>& rings) { return weave(rings, middle(rings.front()), middle(rings.back())); }

Mesh weave_around(const std::vector<Ring>& rings) {
  Mesh mesh;
  const std::vector<Run> runs = add_runs(mesh, rings, true);
  for (std::size_t i = 0; i < runs.size(); ++i) add_band(mesh, runs[i], runs[(i + 1) % runs.size()]);
  return mesh;
}

Mesh weave_open(const std::vector<Ring>& rows) {
  Mesh mesh;
  const std::vector<Run> runs = add_runs(mesh, rows, false);
  for (std::size_t i = 0; i + 1 < runs.size(); ++i) add_band(mesh, runs[i], runs[i + 1]);
  return mesh;
}

Mesh box(Vec3 half_size) {
  Mesh mesh;
  for (const double z : {-half_size.z, half_size.z})
    for (const double y : {-half_size.y, half_size.y})
      for (const double x : {-half_size.x, half_size.x}) mesh.vertices.push_back({x, y, z});
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

Mesh tetrahedron(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
  if (dot(cross(b - a, c - a), d - a) > 0) std::swap(b, c);
  return {{a, b, c, d}, {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {0, 2, 3}}, {}};
}

Mesh cylinder(double radius, double height, std::size_t sides, std::size_t rows) {
  std::vector<Ring> rings;
  for (std::size_t i = 0; i < rows; ++i) {
    const double z = height * static_cast<double>(i) / static_cast<double>(rows - 1);
    rings.push_back(circle(Frame{{0, 0, z}}, radius, sides));
  }
  return weave(rings);
}

Mesh torus(double ring_radius, double tube_radius, std::size_t around, std::size_t across) {
  std::vector<Ring> rings;
  for (std::size_t i = 0; i < around; ++i) {
    const auto [s, c] = sin_cos(static_cast<double>(i) / static_cast<double>(around));
    // x outward, y up, z backward: the ring runs counter-clockwise seen from where the weave is going.
    const Frame frame{{ring_radius * c, ring_radius * s, 0}, {c, s, 0}, {0, 0, -1}, {-s, c, 0}};
    rings.push_back(circle(frame, tube_radius, across));
  }
  return weave_around(rings);
}

Mesh rounded_box(Vec3 half_size, double rounding, std::size_t sides, std::size_t rings) {
  const auto pushed = [&](Vec3 n) {  // a point of the ball, pushed out to its corner of the box
    const auto axis = [&](double v, double half) {
      return v == 0 ? 0 : v > 0 ? (half - rounding) + rounding * v : (rounding - half) + rounding * v;
    };
    return Vec3{axis(n.x, half_size.x), axis(n.y, half_size.y), axis(n.z, half_size.z)};
  };
  std::vector<Ring> woven;
  for (std::size_t i = 0; i < rings; ++i) {
    // Half steps keep every vertex off the planes between corners.
    const auto [up, out] = sin_cos((static_cast<double>(i) + 0.5) / static_cast<double>(rings) * 0.5 - 0.25);
    Ring ring;
    for (std::size_t j = 0; j < sides; ++j) {
      const auto [s, c] = sin_cos((static_cast<double>(j) + 0.5) / static_cast<double>(sides));
      ring.push_back(pushed({out * c, out * s, up}));
    }
    woven.push_back(std::move(ring));
  }
  return weave(woven, {0, 0, -half_size.z}, {0, 0, half_size.z});
}

Mesh bipyramid(double radius, double half_height, std::size_t sides) {
  return weave({circle(Frame{}, radius, sides)}, {0, 0, -half_height}, {0, 0, half_height});
}

namespace {

Mesh woven_tube(std::span<const Station> stations, std::span<const std::size_t> sides) {
  // The direction of the line at each station: away from the last different centre before, or to the first after.
  const std::size_t n = stations.size();
  std::vector<Vec3> tangents(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t before = i, after = i;
    while (before > 0 && stations[before].centre == stations[i].centre) --before;
    while (after + 1 < n && stations[after].centre == stations[i].centre) ++after;
    tangents[i] = normalized(stations[after].centre - stations[before].centre);
  }
  std::vector<Ring> rings;
  Frame frame = frame_along(stations[0].centre, tangents[0]);
  for (std::size_t i = 0; i < n; ++i) {
    frame.origin = stations[i].centre;
    frame.z = tangents[i];
    frame.y = normalized(cross(frame.z, frame.x));  // the old x, freed of its part along the line
    frame.x = cross(frame.y, frame.z);
    rings.push_back(circle(frame, stations[i].radius, sides[i]));
  }
  return weave(rings);
}

}  // namespace

Mesh tube(std::span<const Station> stations, std::size_t sides) {
  return woven_tube(stations, std::vector<std::size_t>(stations.size(), sides));
}

Mesh tube_of(std::span<const Station> stations, std::size_t triangles) {
  const std::vector<double> even(stations.size(), 1.0);
  return woven_tube(stations, share(triangles / 2, even, 3));
}

std::vector<Vec3> spline(std::span<const Vec3> points, std::size_t steps) {
  std::vector<Vec3> curve;
  const std::size_t n = points.size();
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const Vec3 a = points[i == 0 ? 0 : i - 1], b = points[i], c = points[i + 1], d = points[i + 2 < n ? i + 2 : n - 1];
    for (std::size_t k = 0; k < steps; ++k) {
      const double u = static_cast<double>(k) / static_cast<double>(steps);
      const Vec3 slope_b = (c - a) * 0.5, slope_c = (d - b) * 0.5, step = c - b;
      curve.push_back(b + (slope_b + (step * 3 - slope_b * 2 - slope_c + (slope_b + slope_c - step * 2) * u) * u) * u);
    }
  }
  curve.push_back(points[n - 1]);
  return curve;
}

}  // namespace tumble::scenes
