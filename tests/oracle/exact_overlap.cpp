// SPDX-License-Identifier: Apache-2.0
// Slices in place of cells and rays: the plane x = c, in it the line y = d, on that the crossings in the order of z. A
// volume has a range of x between two of the points in which three planes of triangles meet, and its slice a range of y
// likewise; so the middles of all such ranges will do.
#include "oracle/exact_overlap.h"

#include <boost/multiprecision/gmp.hpp>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace tumble::testing {
namespace {

using Rational = boost::multiprecision::mpq_rational;
using Numbers = std::vector<Rational>;
using Point = std::array<Rational, 3>;

struct Range {
  Rational low, high;
  bool holds(const Rational& x) const { return low <= x && x <= high; }
};

/// A triangle, with its plane n·x = d.
struct Face {
  std::array<Point, 3> corners;
  Point normal;
  Rational offset;
  std::array<Range, 3> box;
  bool of_a;
};

Rational product(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Point vector_product(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

std::vector<Face> faces_of(const Surface& surface, bool of_a) {
  std::vector<Face> faces;
  for (const auto& t : surface) {
    Face face;
    face.of_a = of_a;
    Point u, v;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const int i = static_cast<int>(axis);
      for (std::size_t c = 0; c < 3; ++c) face.corners[c][axis] = Rational(t[c][i]);
      u[axis] = face.corners[1][axis] - face.corners[0][axis];
      v[axis] = face.corners[2][axis] - face.corners[0][axis];
      face.box[axis] = {Rational(std::min({t[0][i], t[1][i], t[2][i]})),
                        Rational(std::max({t[0][i], t[1][i], t[2][i]}))};
    }
    face.normal = vector_product(u, v);
    face.offset = product(face.normal, face.corners[0]);
    if (product(face.normal, face.normal) != 0) faces.push_back(face);
  }
  return faces;
}

/// Where three planes meet, if that is in the boxes of the three triangles.
std::optional<Rational> meeting(const Face& a, const Face& b, const Face& c) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (std::max({a.box[axis].low, b.box[axis].low, c.box[axis].low}) >
        std::min({a.box[axis].high, b.box[axis].high, c.box[axis].high}))
      return std::nullopt;
  const Point bc = vector_product(b.normal, c.normal), ca = vector_product(c.normal, a.normal),
              ab = vector_product(a.normal, b.normal);
  const Rational det = product(a.normal, bc);
  if (det == 0) return std::nullopt;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Rational at = (a.offset * bc[axis] + b.offset * ca[axis] + c.offset * ab[axis]) / det;
    if (!a.box[axis].holds(at) || !b.box[axis].holds(at) || !c.box[axis].holds(at)) return std::nullopt;
  }
  return (a.offset * bc[0] + b.offset * ca[0] + c.offset * ab[0]) / det;
}

/// The middles between neighbouring numbers inside a range.
Numbers middles(Numbers numbers, const Range& range) {
  numbers.push_back(range.low);
  numbers.push_back(range.high);
  std::erase_if(numbers, [&](const Rational& x) { return !range.holds(x); });
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  Numbers between;
  for (std::size_t i = 0; i + 1 < numbers.size(); ++i) between.push_back((numbers[i] + numbers[i + 1]) / 2);
  return between;
}

/// A face's part of a slice: the segment from (y, z) to (y, z).
struct Cut {
  std::array<Rational, 2> from, to;
  int step;  // of the winding number on the way up
  bool of_a;
};

std::optional<Cut> cut_at(const Face& face, const Rational& x) {
  std::vector<std::array<Rational, 2>> ends;
  for (std::size_t i = 0; i < 3; ++i) {
    const Point &p = face.corners[i], &q = face.corners[(i + 1) % 3];
    if ((p[0] < x) == (q[0] < x)) continue;  // x is no corner's
    const Rational part = (x - p[0]) / (q[0] - p[0]);
    ends.push_back({p[1] + part * (q[1] - p[1]), p[2] + part * (q[2] - p[2])});
  }
  if (ends.size() != 2 || face.normal[2] == 0) return std::nullopt;
  return Cut{ends[0], ends[1], face.normal[2] > 0 ? -1 : 1, face.of_a};
}

/// Whether both windings are nonzero on some part of the line.
bool on_line(const std::vector<Cut>& cuts, const Rational& y) {
  std::vector<std::tuple<Rational, int, bool>> steps;
  for (const Cut& cut : cuts) {
    if ((cut.from[0] < y) == (cut.to[0] < y)) continue;
    const Rational part = (y - cut.from[0]) / (cut.to[0] - cut.from[0]);
    steps.emplace_back(cut.from[1] + part * (cut.to[1] - cut.from[1]), cut.step, cut.of_a);
  }
  std::sort(steps.begin(), steps.end());
  int in_a = 0, in_b = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    (std::get<2>(steps[i]) ? in_a : in_b) += std::get<1>(steps[i]);
    const bool goes_on = i + 1 < steps.size() && std::get<0>(steps[i]) < std::get<0>(steps[i + 1]);
    if (goes_on && in_a != 0 && in_b != 0) return true;
  }
  return false;
}

bool in_slice(const std::vector<Cut>& cuts, const Range& range) {
  Numbers at;
  for (const Cut& cut : cuts) {
    at.push_back(cut.from[0]);
    at.push_back(cut.to[0]);
  }
  for (std::size_t i = 0; i < cuts.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Cut &a = cuts[i], &b = cuts[j];
      const Rational ay = a.to[0] - a.from[0], az = a.to[1] - a.from[1];
      const Rational by = b.to[0] - b.from[0], bz = b.to[1] - b.from[1];
      const Rational det = ay * bz - az * by;
      if (det == 0) continue;
      const Rational part = ((b.from[0] - a.from[0]) * bz - (b.from[1] - a.from[1]) * by) / det;
      if (part >= 0 && part <= 1) at.push_back(a.from[0] + part * ay);
    }
  const Numbers lines = middles(std::move(at), range);
  return std::any_of(lines.begin(), lines.end(), [&](const Rational& y) { return on_line(cuts, y); });
}

/// What both surfaces reach along an axis, if that is more than a point.
std::optional<Range> common_range(const std::vector<Face>& faces, std::size_t axis) {
  std::array<std::optional<Range>, 2> of;
  for (const Face& face : faces) {
    std::optional<Range>& all = of[face.of_a];
    if (!all) all = face.box[axis];
    all = Range{std::min(all->low, face.box[axis].low), std::max(all->high, face.box[axis].high)};
  }
  if (!of[0] || !of[1]) return std::nullopt;
  const Range common{std::max(of[0]->low, of[1]->low), std::min(of[0]->high, of[1]->high)};
  if (common.low >= common.high) return std::nullopt;
  return common;
}

}  // namespace

bool have_common_volume(const Surface& a, const Surface& b) {
  std::vector<Face> faces = faces_of(a, true);
  for (Face& face : faces_of(b, false)) faces.push_back(std::move(face));
  const auto xs = common_range(faces, 0), ys = common_range(faces, 1), zs = common_range(faces, 2);
  if (!xs || !ys || !zs) return false;
  Numbers at;
  for (const Face& face : faces)
    for (const Point& corner : face.corners) at.push_back(corner[0]);
  for (std::size_t i = 0; i < faces.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      for (std::size_t k = 0; k < j; ++k)
        if (const auto x = meeting(faces[i], faces[j], faces[k])) at.push_back(*x);
  for (const Rational& x : middles(std::move(at), *xs)) {
    std::vector<Cut> cuts;
    for (const Face& face : faces)
      if (auto cut = cut_at(face, x)) cuts.push_back(std::move(*cut));
    if (in_slice(cuts, *ys)) return true;
  }
  return false;
}

}  // namespace tumble::testing
