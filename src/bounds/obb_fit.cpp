// SPDX-License-Identifier: Apache-2.0
// Frames for oriented boxes. The search for the smallest runs in single precision on a few points: a frame that is a
// little off costs a little area. ObbExtents ensures containment afterwards.
#include "bounds/obb_fit.h"

#include "bounds/directions.h"
#include "geometry/convex_hull.h"
#include "math/symmetric_eigen.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace tumble {
namespace {

/// A vector in single precision: enough for choosing, and half the memory of Vec3.
struct Float3 {
  float x = 0, y = 0, z = 0;
};
Float3 operator-(Float3 a, Float3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Float3 operator+(Float3 a, Float3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Float3 operator*(Float3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
float dot(Float3 a, Float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Float3 cross(Float3 a, Float3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

/// Rows of a right-handed frame, orthonormal to single precision.
struct Frame {
  Float3 u{1, 0, 0}, v{0, 1, 0}, w{0, 0, 1};
};

/// Any frame whose w is the given unit vector (Duff et al. 2017).
Frame frame_about(Float3 w) {
  const float sign = std::copysign(1.0f, w.z);
  const float a = -1.0f / (sign + w.z), b = w.x * w.y * a;
  return {{1.0f + sign * w.x * w.x * a, sign * b, -sign * w.x}, {b, sign + w.y * w.y * a, -w.y}, w};
}

Frame turned(const Frame& frame, float cosine, float sine) {
  return {frame.u * cosine + frame.v * sine, frame.v * cosine - frame.u * sine, frame.w};
}

Frame to_float(const Mat3& m) {
  const auto row = [&](std::size_t i) {
    return Float3{static_cast<float>(m.rows[i].x), static_cast<float>(m.rows[i].y), static_cast<float>(m.rows[i].z)};
  };
  return {row(0), row(1), row(2)};
}

/// Orthonormal in double; a frame of this file is far from degenerate.
Mat3 to_double(const Frame& frame) {
  const Vec3 w{frame.w.x, frame.w.y, frame.w.z}, u{frame.u.x, frame.u.y, frame.u.z};
  Mat3 m;
  m.rows[2] = w / length(w);
  const Vec3 across = u - m.rows[2] * dot(m.rows[2], u);
  m.rows[0] = across / length(across);
  m.rows[0] = m.rows[0] - m.rows[2] * dot(m.rows[2], m.rows[0]);
  m.rows[1] = cross(m.rows[2], m.rows[0]);
  m.rows[1] = m.rows[1] / length(m.rows[1]);
  return m;
}

/// Half the surface of a box. The small term of squared edges prefers compact boxes among equals, such as the
/// rectangles around a triangle, all twice its size.
float cost_of(float a, float b, float c) { return a * b + b * c + c * a + 1e-3f * (a * a + b * b + c * c); }

/// Turns are tried eight at a time: lane i is an angle, lane i + 8 the angle a quarter turn further.
constexpr std::size_t turns = 8;
struct Directions {
  std::array<Four, turns / 2> cosine, sine;

  void set(std::size_t turn, float c, float s) {
    set_lane(turn, c, s);
    set_lane(turn + turns, -s, c);
  }

 private:
  void set_lane(std::size_t lane, float c, float s) { cosine[lane / 4][lane % 4] = c, sine[lane / 4][lane % 4] = s; }
};

/// Points relative to their middle, and the best frame for them so far.
class Search {
 public:
  static constexpr std::size_t most = 128;

  explicit Search(std::span<const Vec3> points) : count_(std::min(points.size(), most)) {
    Vec3 lower = points[0], upper = points[0];
    for (const Vec3& p : points.first(count_))
      for (int axis = 0; axis < 3; ++axis) {
        lower[axis] = std::min(lower[axis], p[axis]);
        upper[axis] = std::max(upper[axis], p[axis]);
      }
    const Vec3 middle = (lower + upper) * 0.5, extent = upper - lower;
    const double largest = std::max({extent.x, extent.y, extent.z});
    const double scale = largest > 0 ? 1 / largest : 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const Vec3 p = (points[i] - middle) * scale;
      points_[i] = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
    }
    const Vec3 box = extent * scale;  // in the world's frame, the first best
    cost_ = cost_of(static_cast<float>(box.x), static_cast<float>(box.y), static_cast<float>(box.z));
  }

  std::span<const Float3> points() const { return {points_.data(), count_}; }
  const Frame& best() const { return best_; }
  float cost() const { return cost_; }

  /// The next turns are about the w of `frame`.
  void look_along(const Frame& frame) {
    frame_ = frame;
    float low = std::numeric_limits<float>::infinity(), high = -low;
    for (std::size_t i = 0; i < count_; ++i) {
      a_[i] = dot(frame.u, points_[i]);
      b_[i] = dot(frame.v, points_[i]);
      const float c = dot(frame.w, points_[i]);
      low = c < low ? c : low;
      high = c > high ? c : high;
    }
    depth_ = high - low;
  }

  /// Keeps the best of the turns if it beats the best so far; returns the number of that turn.
  std::size_t try_turns(const Directions& directions) {
    std::array<Four, turns / 2> low, high;
    for (std::size_t i = 0; i < low.size(); ++i)
      low[i] = high[i] = a_[0] * directions.cosine[i] + b_[0] * directions.sine[i];
    for (std::size_t p = 1; p < count_; ++p)
      for (std::size_t i = 0; i < low.size(); ++i) {
        const Four along = a_[p] * directions.cosine[i] + b_[p] * directions.sine[i];
        low[i] = smaller(along, low[i]);
        high[i] = larger(along, high[i]);
      }
    std::array<float, turns> costs;
    for (std::size_t turn = 0; turn < turns; ++turn) {
      const auto width = [&](std::size_t lane) { return high[lane / 4][lane % 4] - low[lane / 4][lane % 4]; };
      costs[turn] = cost_of(width(turn), width(turn + turns), depth_);
    }
    const auto turn = static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin());
    if (costs[turn] < cost_) {
      cost_ = costs[turn];
      best_ = turned(frame_, directions.cosine[turn / 4][turn % 4], directions.sine[turn / 4][turn % 4]);
    }
    return turn;
  }

  /// Tries `turns` angles spread over a quarter turn.
  void try_quarter_turn() {
    static const Directions spread = angles(0, std::numbers::pi / 2 / turns);
    try_turns(spread);
  }

  /// Tries small turns of the best frame about each of its axes, from half a coarse step down to a 64th of one.
  void refine() {
    static const std::array<Directions, 2> fine{angles(-std::numbers::pi / 32, std::numbers::pi / 128),
                                                angles(-std::numbers::pi / 256, std::numbers::pi / 1024)};
    for (const Directions& step : fine)
      for (int axis = 0; axis < 3; ++axis) {
        look_along({best_.v, best_.w, best_.u});
        try_turns(step);
      }
  }

 private:
  static Directions angles(double first, double step) {
    Directions directions;
    for (std::size_t turn = 0; turn < turns; ++turn) {
      const double angle = first + static_cast<double>(turn) * step;
      directions.set(turn, static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)));
    }
    return directions;
  }

  std::size_t count_;
  std::array<Float3, most> points_;
  std::array<float, most> a_, b_;  // along u and v of frame_
  Frame frame_;
  float depth_ = 0;  // of the points along its w
  Frame best_;
  float cost_;
};

Mat3 covariance(const ObbMoments& moments) {
  const Vec3 mean = moments.first / moments.area;
  std::array<double, 6> c;
  for (std::size_t i = 0; i < 6; ++i) c[i] = moments.second[i] / moments.area;
  return symmetric(c[0] - mean.x * mean.x, c[1] - mean.y * mean.y, c[2] - mean.z * mean.z, c[3] - mean.x * mean.y,
                   c[4] - mean.y * mean.z, c[5] - mean.z * mean.x);
}

template <class Point>
Mat3 covariance(std::span<const Point> points) {
  Vec3 sum;
  std::array<double, 6> c{};
  for (const Point& f : points) {
    const Vec3 p{f.x, f.y, f.z};
    sum += p;
    c[0] += p.x * p.x, c[1] += p.y * p.y, c[2] += p.z * p.z;
    c[3] += p.x * p.y, c[4] += p.y * p.z, c[5] += p.z * p.x;
  }
  const auto count = static_cast<double>(points.size());
  const Vec3 mean = sum / count;
  return symmetric(c[0] / count - mean.x * mean.x, c[1] / count - mean.y * mean.y, c[2] / count - mean.z * mean.z,
                   c[3] / count - mean.x * mean.y, c[4] / count - mean.y * mean.z, c[5] / count - mean.z * mean.x);
}

}  // namespace

void ObbMoments::add(Vec3 p, Vec3 q, Vec3 r) {
  const Vec3 normal_2a = cross(q - p, r - p);
  const double twice_area = length(normal_2a);
  if (!(twice_area > 0)) return;
  const double a = 0.5 * twice_area, share = a / 12;
  const Vec3 sum = p + q + r;  // 3m, so that 9mmᵀ is its square
  area += a;
  first += sum * (a / 3);
  const auto entry = [&](int i, int j) { return share * (sum[i] * sum[j] + p[i] * p[j] + q[i] * q[j] + r[i] * r[j]); };
  const double scale = 0.5 / twice_area;
  const auto normal_entry = [&](int i, int j) { return scale * normal_2a[i] * normal_2a[j]; };
  constexpr std::array<std::array<int, 2>, 6> places{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}}};
  for (std::size_t k = 0; k < 6; ++k) {
    second[k] += entry(places[k][0], places[k][1]);
    normal[k] += normal_entry(places[k][0], places[k][1]);
  }
}

void ObbMoments::merge(const ObbMoments& other) {
  area += other.area;
  first += other.first;
  for (std::size_t k = 0; k < 6; ++k) second[k] += other.second[k];
  for (std::size_t k = 0; k < 6; ++k) normal[k] += other.normal[k];
}

ExtremePoints::ExtremePoints() : numbers_{} {
  for (Four& reach : reach_) reach = Four{} - std::numeric_limits<float>::infinity();
}

void ExtremePoints::add(Vec3 p, std::uint32_t number) {
  struct Normals {
    std::array<Four, groups> x{}, y{}, z{};
    Normals() {
      for (std::size_t i = 0; i < count; ++i) {
        const Vec3 n = slab_directions<count>[i / 2] * (i % 2 == 0 ? 1 : -1);
        x[i / 4][i % 4] = static_cast<float>(n.x);
        y[i / 4][i % 4] = static_cast<float>(n.y);
        z[i / 4][i % 4] = static_cast<float>(n.z);
      }
    }
  };
  static const Normals normals;
  const auto x = static_cast<float>(p.x), y = static_cast<float>(p.y), z = static_cast<float>(p.z);
  const FourIntegers same = FourIntegers{} + static_cast<std::int32_t>(number);
  for (std::size_t i = 0; i < groups; ++i) {
    const Four along = normals.x[i] * x + normals.y[i] * y + normals.z[i] * z;
    const FourIntegers farther = along > reach_[i];
    reach_[i] = farther ? along : reach_[i];
    numbers_[i] = farther ? same : numbers_[i];
  }
}

void ExtremePoints::merge(const ExtremePoints& other) {
  for (std::size_t i = 0; i < groups; ++i) {
    const FourIntegers farther = other.reach_[i] > reach_[i];
    reach_[i] = farther ? other.reach_[i] : reach_[i];
    numbers_[i] = farther ? other.numbers_[i] : numbers_[i];
  }
}

std::span<const std::uint32_t> ExtremePoints::numbers(std::array<std::uint32_t, count>& storage) const {
  for (std::size_t i = 0; i < count; ++i) storage[i] = static_cast<std::uint32_t>(numbers_[i / 4][i % 4]);
  std::sort(storage.begin(), storage.end());
  return {storage.begin(), std::unique(storage.begin(), storage.end())};
}

Mat3 smallest_frame(const ObbMoments& moments, std::span<const Vec3> representatives) {
  if (representatives.empty()) return {};
  Search search(representatives);
  // The world's frame, turned about z and the other two axes.
  for (const Frame& frame : {Frame{}, Frame{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, Frame{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}}) {
    search.look_along(frame);
    search.try_quarter_turn();
  }
  const auto try_about_each = [&](const Mat3& axes) {
    const Frame f = to_float(axes);
    for (const Frame& frame : {Frame{f.u, f.v, f.w}, Frame{f.w, f.u, f.v}}) {
      search.look_along(frame);
      search.try_quarter_turn();
    }
  };
  if (moments.area > 0) {
    try_about_each(eigenvectors(covariance(moments)));
    const auto& n = moments.normal;
    try_about_each(eigenvectors(symmetric(n[0], n[1], n[2], n[3], n[4], n[5])));
  } else {
    try_about_each(eigenvectors(covariance(search.points())));
  }
  search.refine();
  return to_double(search.best());
}

Mat3 smallest_frame(std::span<const CornersOfTriangle> triangles) {
  constexpr std::size_t most = 8;
  const auto few = triangles.first(std::min(triangles.size(), most));
  if (few.empty()) return {};
  // Neighbours share corners and edges; each is used once.
  std::array<Vec3, 3 * most> corners;
  std::array<std::array<std::uint8_t, 3>, most> numbers;
  std::size_t corner_count = 0;
  for (std::size_t t = 0; t < few.size(); ++t)
    for (std::size_t c = 0; c < 3; ++c) {
      const auto known = std::find(corners.begin(), corners.begin() + corner_count, few[t][c]) - corners.begin();
      numbers[t][c] = static_cast<std::uint8_t>(known);
      if (numbers[t][c] == corner_count) corners[corner_count++] = few[t][c];
    }
  Search search(std::span<const Vec3>(corners).first(corner_count));
  const std::span<const Float3> points = search.points();

  std::array<Float3, 3 * most> edges;
  std::size_t edge_count = 0;
  std::array<std::uint32_t, 3 * most> joined{};  // bit j of i, i < j: the edge between them is known
  const auto add_edge = [&](std::uint8_t from, std::uint8_t to) {
    const std::uint32_t bit = std::uint32_t{1} << std::max(from, to);
    if ((joined[std::min(from, to)] & bit) == 0) edges[edge_count++] = points[to] - points[from];
    joined[std::min(from, to)] |= bit;
  };
  std::array<Float3, most + 1> normals;
  std::size_t normal_count = 0;
  Float3 sum;
  for (std::size_t t = 0; t < few.size(); ++t) {
    const auto [p, q, r] = numbers[t];
    add_edge(p, q), add_edge(q, r), add_edge(r, p);
    const Float3 n = cross(points[q] - points[p], points[r] - points[q]);
    const float size = dot(n, n);
    if (!(size > 1e-14f)) continue;
    sum = sum + (dot(n, sum) < 0 ? n * -1.0f : n);
    const Float3 unit = n * (1 / std::sqrt(size));
    const bool known = std::any_of(normals.begin(), normals.begin() + normal_count,
                                   [&](Float3 other) { return std::abs(dot(unit, other)) > 0.99999f; });
    if (!known) normals[normal_count++] = unit;
  }
  if (normal_count > 1 && dot(sum, sum) > 1e-14f) normals[normal_count++] = sum * (1 / std::sqrt(dot(sum, sum)));
  if (normal_count == 0) {  // segments and points: along the longest edge
    const Float3 longest = *std::max_element(edges.begin(), edges.begin() + edge_count,
                                             [](Float3 a, Float3 b) { return dot(a, a) < dot(b, b); });
    if (!(dot(longest, longest) > 0)) return {};
    const Frame along = frame_about(longest * (1 / std::sqrt(dot(longest, longest))));
    normals[normal_count++] = along.u;
  }

  for (std::size_t n = 0; n < normal_count; ++n) {
    const Frame frame = frame_about(normals[n]);
    search.look_along(frame);
    Directions directions;
    for (std::size_t turn = 0; turn < turns; ++turn) directions.set(turn, 1, 0);
    std::size_t used = 0;
    for (std::size_t e = 0; e < edge_count; ++e) {
      const float c = dot(edges[e], frame.u), s = dot(edges[e], frame.v), square = c * c + s * s;
      if (!(square > 1e-12f)) continue;
      const float scale = 1 / std::sqrt(square);
      directions.set(used++, c * scale, s * scale);
      if (used == turns) {
        search.try_turns(directions);
        used = 0;
      }
    }
    if (used > 0) search.try_turns(directions);
  }
  return to_double(search.best());
}

Obb fit_smallest(const ObbMoments& moments, std::span<const Vec3> representatives, std::span<const Vec3> points) {
  ObbExtents extents(smallest_frame(moments, representatives));
  for (const Vec3& p : points) extents.add(p);
  return extents.finish();
}

Obb fit_smallest(std::span<const CornersOfTriangle> triangles) {
  constexpr std::size_t few = 4;
  Mat3 frame;
  if (triangles.size() <= few) {
    frame = smallest_frame(triangles);
  } else {
    ObbMoments moments;
    ExtremePoints extremes;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      const CornersOfTriangle& corners = triangles[t];
      moments.add(corners[0], corners[1], corners[2]);
      for (std::size_t c = 0; c < 3; ++c) extremes.add(corners[c], static_cast<std::uint32_t>(3 * t + c));
    }
    std::array<std::uint32_t, ExtremePoints::count> storage;
    const std::span<const std::uint32_t> numbers = extremes.numbers(storage);
    std::array<Vec3, ExtremePoints::count> representatives;
    for (std::size_t i = 0; i < numbers.size(); ++i) representatives[i] = triangles[numbers[i] / 3][numbers[i] % 3];
    frame = smallest_frame(moments, std::span<const Vec3>(representatives).first(numbers.size()));
  }
  ObbExtents extents(frame);
  for (const CornersOfTriangle& t : triangles)
    for (const Vec3& p : t) extents.add(p);
  return extents.finish();
}

namespace {

/// Relative to the first and scaled by their size, so that squares neither cancel nor underflow; none if all coincide.
std::vector<Vec3> scaled(std::span<const Vec3> points) {
  double size = 0;
  for (const Vec3& p : points) size = std::max(size, length(p - points[0]));
  std::vector<Vec3> local;
  if (!(size > 0)) return local;
  local.reserve(points.size());
  for (const Vec3& p : points) local.push_back((p - points[0]) / size);
  return local;
}

Mat3 hull_covariance_frame(const ConvexHull& hull) {
  const std::vector<Vec3> local = scaled(hull.vertices);
  if (local.empty()) return {};
  ObbMoments moments;
  for (const auto& [p, q, r] : hull.triangles) moments.add(local[p], local[q], local[r]);
  if (moments.area > 0) return eigenvectors(covariance(moments));
  const Vec3 end = local[hull.farthest(hull.vertices.back() - hull.vertices[0])];
  return eigenvectors(
      symmetric(end.x * end.x, end.y * end.y, end.z * end.z, end.x * end.y, end.y * end.z, end.z * end.x));
}

Mat3 vertex_covariance_frame(std::span<const Vec3> points) {
  const std::vector<Vec3> local = scaled(points);
  if (local.empty()) return {};
  return eigenvectors(covariance(std::span<const Vec3>(local)));
}

Mat3 surface_covariance_frame(std::span<const Vec3> corners) {
  const std::vector<Vec3> local = scaled(corners);
  ObbMoments moments;
  for (std::size_t i = 0; i + 2 < local.size(); i += 3) moments.add(local[i], local[i + 1], local[i + 2]);
  return moments.area > 0 ? eigenvectors(covariance(moments)) : vertex_covariance_frame(corners);
}

}  // namespace

Mat3 covariance_frame(std::span<const Vec3> corners, ObbFit fit) {
  if (corners.empty()) return {};
  switch (fit) {
    case ObbFit::vertex_covariance: return vertex_covariance_frame(corners);
    case ObbFit::hull_vertex_covariance: return vertex_covariance_frame(convex_hull(corners).vertices);
    case ObbFit::surface_covariance: return surface_covariance_frame(corners);
    case ObbFit::smallest:
    case ObbFit::hull_covariance: break;
  }
  return hull_covariance_frame(convex_hull(corners));
}

Obb fit_covariance(std::span<const Vec3> corners, ObbFit fit) {
  ObbExtents extents(covariance_frame(corners, fit));
  for (const Vec3& p : corners) extents.add(p);
  return extents.finish();
}

}  // namespace tumble
