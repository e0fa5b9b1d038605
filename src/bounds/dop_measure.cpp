// SPDX-License-Identifier: Apache-2.0
// Volume and area of a k-DOP as sums over the edges of its boundary, found without building that boundary.
//
// By the divergence theorem the volume is a third of the sum of area times height over the faces, and a face's area is
// half the sum of length times height over its edges. So each edge adds a term that depends only on its length and the
// offsets of its two planes. Two planes of different slabs meet in a line; the other slabs cut it to a segment, an edge
// if anything is left. Whatever depends only on directions is tabulated, the four lines of two slabs are computed side
// by side, and no list, search or tolerance is needed.
//
// If three planes share a line (their normals are coplanar, as those of x, y and x + y), it must count as an edge of
// two of them, or as two edges of length zero apart. The code decides as if slab i were widened by e_i on both sides
// with e_0 >> e_1 >> ... > 0. This perturbation leaves at most two planes through a line and does not change volume or
// area (simulation of simplicity, Edelsbrunner and Mücke 1990). It also handles slabs of width zero.
#include "bounds/dop_measure.h"

#include "math/double_double.h"
#include "math/max_norm.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace tumble {
namespace {

/// A slab that crosses the lines of a pair of slabs i, j: with x(t) = x_0 + t·(n_i × n_j) on the line where
/// n_i·x = v_i and n_j·x = v_j, it is n_m·x(t) = at_i·v_i + at_j·v_j + t / inverse.
template <class T>
struct Crossing {
  T at_i, at_j, inverse;
  std::uint8_t low, high;  // which bound, 2m or 2m + 1, limits t from below and from above
};

/// A slab whose normal is coplanar with those of the pair, w_i n_i + w_j n_j + w_m n_m = 0: it keeps or drops whole
/// lines. Weighted offsets are added in the order of slabs. So the three pairs of this triple get the same sign, and
/// decide alike, even when the sum is rounded.
template <class T>
struct Coplanar {
  T w_i, w_j, w_m;
  std::uint8_t m;
  bool at_i_positive;  // whether n_m has a positive part along n_i
};

template <class T>
struct SlabPair {
  std::uint8_t i, j;
  T dot;                            // n_i·n_j
  T inverse_sq_i, inverse_sq_j;     // 1/|n|²
  T inverse_i, inverse_j, lengths;  // 1/|n_i|, 1/|n_j|, |n_i||n_j|
  std::vector<Crossing<T>> crossings;
  std::vector<Coplanar<T>> coplanars;
};

template <class T>
struct Vector {
  T x, y, z;
  explicit Vector(Vec3 v) : x(v.x), y(v.y), z(v.z) {}
  Vector(T a, T b, T c) : x(a), y(b), z(c) {}
};
template <class T>
T dot(const Vector<T>& a, const Vector<T>& b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
template <class T>
Vector<T> cross(const Vector<T>& a, const Vector<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T>
std::vector<SlabPair<T>> make_slab_pairs(std::span<const Vec3> normals) {
  using std::sqrt;
  std::vector<SlabPair<T>> pairs;
  for (std::size_t i = 0; i < normals.size(); ++i)
    for (std::size_t j = i + 1; j < normals.size(); ++j) {
      const Vector<T> n_i(normals[i]), n_j(normals[j]);
      const Vector<T> along = cross(n_i, n_j);
      const T along_sq = dot(along, along);
      SlabPair<T> pair;
      pair.i = static_cast<std::uint8_t>(i);
      pair.j = static_cast<std::uint8_t>(j);
      pair.dot = dot(n_i, n_j);
      pair.inverse_sq_i = T(1) / dot(n_i, n_i);
      pair.inverse_sq_j = T(1) / dot(n_j, n_j);
      pair.inverse_i = T(1) / sqrt(dot(n_i, n_i));
      pair.inverse_j = T(1) / sqrt(dot(n_j, n_j));
      pair.lengths = sqrt(dot(n_i, n_i) * dot(n_j, n_j));
      for (std::size_t m = 0; m < normals.size(); ++m) {
        if (m == i || m == j) continue;
        const Vector<T> n_m(normals[m]);
        const T slope = dot(n_m, along);
        const T at_i = dot(n_m, cross(n_j, along)) / along_sq, at_j = dot(n_m, cross(along, n_i)) / along_sq;
        if (slope == T(0)) {  // exact: the normals that can be coplanar are integers
          // In the order of slabs a < b < c the weights are those of (b×c), (c×a), (a×b) along a×b.
          std::array<std::size_t, 3> order{m, i, j};
          std::sort(order.begin(), order.end());
          const Vector<T> a(normals[order[0]]), b(normals[order[1]]), c(normals[order[2]]);
          const Vector<T> axis = cross(a, b);
          const std::array<T, 3> weights{dot(cross(b, c), axis), dot(cross(c, a), axis), dot(axis, axis)};
          const auto weight = [&](std::size_t slab) {
            return weights[static_cast<std::size_t>(std::find(order.begin(), order.end(), slab) - order.begin())];
          };
          pair.coplanars.push_back({weight(i), weight(j), weight(m), static_cast<std::uint8_t>(m), at_i > T(0)});
        } else {
          const bool rising = slope > T(0);
          pair.crossings.push_back({at_i, at_j, T(1) / slope, static_cast<std::uint8_t>(2 * m + (rising ? 0 : 1)),
                                    static_cast<std::uint8_t>(2 * m + (rising ? 1 : 0))});
        }
      }
      // With many slabs, most lines are cut to nothing, soonest by the slabs they are nearly parallel to.
      std::ranges::stable_sort(pair.crossings, std::greater<>{}, [](const Crossing<T>& crossing) {
        const auto inverse = static_cast<double>(crossing.inverse);
        return inverse * inverse;
      });
      pairs.push_back(std::move(pair));
    }
  return pairs;
}

/// Made on first use, once per k and precision; shared by all threads.
template <class T>
const std::vector<SlabPair<T>>& slab_pairs(int k) {
  return with_k(k, [](auto listed) -> const std::vector<SlabPair<T>>& {
    static const std::vector<SlabPair<T>> pairs = make_slab_pairs<T>(slab_directions<listed()>);
    return pairs;
  });
}

/// Whether line `line` of the pair (bit 0: upper bound of i, bit 1: upper bound of j) lies in the coplanar slab.
template <class T>
bool keeps(const Coplanar<T>& slab, const SlabPair<T>& pair, std::size_t line, const T* bounds) {
  const T of_i = slab.w_i * bounds[2 * pair.i + (line & 1)], of_j = slab.w_j * bounds[2 * pair.j + (line >> 1)];
  const auto slack = [&](T bound) {  // has the sign of `bound` minus n_m·x on the line
    const T of_m = slab.w_m * bound;
    const T sum = slab.m < pair.i   ? (of_m + of_i) + of_j
                  : slab.m < pair.j ? (of_i + of_m) + of_j
                                    : (of_i + of_j) + of_m;
    return slab.w_m > T(0) ? sum : -sum;
  };
  const T above = slack(bounds[2 * slab.m + 1]), below = slack(bounds[2 * slab.m]);
  // On a tie the widest of the three perturbations decides: that of m keeps the line; that of i moves it along ±n_i.
  const bool moves_up = slab.at_i_positive == ((line & 1) == 1);
  const bool keeps_ties = slab.m < pair.i;
  return (above > T(0) || (above == T(0) && (keeps_ties || !moves_up))) &&
         (below < T(0) || (below == T(0) && (keeps_ties || moves_up)));
}

template <class T>
struct Measure {
  T volume, area;
};

/// After this many crossings the code checks whether anything is left of a pair's lines.
constexpr std::size_t crossings_at_once = 8;

/// `bounds`: lower and upper of each slab in turn.
template <class T>
Measure<T> measure(const T* bounds, int k) {
  T six_volumes(0), two_areas(0);
  for (const SlabPair<T>& pair : slab_pairs<T>(k)) {
    unsigned kept = 15;
    for (const Coplanar<T>& slab : pair.coplanars) {
      for (std::size_t line = 0; line < 4; ++line)
        if (!keeps(slab, pair, line, bounds)) kept &= ~(1u << line);
      if (kept == 0) break;
    }
    if (kept == 0) continue;
    const T i_lower = bounds[2 * pair.i], i_upper = bounds[2 * pair.i + 1];
    const T j_lower = bounds[2 * pair.j], j_upper = bounds[2 * pair.j + 1];
    const T v_i[4] = {i_lower, i_upper, i_lower, i_upper};
    const T v_j[4] = {j_lower, j_lower, j_upper, j_upper};
    T start[4], end[4];
    for (int line = 0; line < 4; ++line) {
      start[line] = T(-std::numeric_limits<double>::infinity());
      end[line] = T(std::numeric_limits<double>::infinity());
    }
    bool anything_left = true;
    for (std::size_t next = 0; next < pair.crossings.size() && anything_left;) {
      const std::size_t stop = std::min(next + crossings_at_once, pair.crossings.size());
      for (; next < stop; ++next) {
        const Crossing<T>& slab = pair.crossings[next];
        const T low = bounds[slab.low], high = bounds[slab.high];
        for (int line = 0; line < 4; ++line) {
          const T here = slab.at_i * v_i[line] + slab.at_j * v_j[line];
          const T from = (low - here) * slab.inverse, to = (high - here) * slab.inverse;
          start[line] = start[line] > from ? start[line] : from;
          end[line] = end[line] < to ? end[line] : to;
        }
      }
      anything_left = start[0] < end[0] || start[1] < end[1] || start[2] < end[2] || start[3] < end[3];
    }
    for (unsigned line = 0; line < 4; ++line) {
      if (!(kept >> line & 1) || !(start[line] < end[line])) continue;
      const T length = end[line] - start[line];  // in units of |n_i × n_j|
      const T i = v_i[line], j = v_j[line];
      const T sign_i(line & 1 ? 1 : -1), sign_j(line & 2 ? 1 : -1);  // of the outward normals
      const T sign = sign_i * sign_j;
      six_volumes +=
          length * sign * (T(2) * i * j - pair.dot * (i * i * pair.inverse_sq_i + j * j * pair.inverse_sq_j));
      two_areas +=
          length * (sign_i * i * pair.inverse_i + sign_j * j * pair.inverse_j) * (pair.lengths - sign * pair.dot);
    }
  }
  return {six_volumes / T(6), two_areas / T(2)};
}

/// The slabs of a DOP, moved so that the origin is near its middle. There the sums cancel least.
class Centred {
 public:
  Centred(std::span<const float> lower, std::span<const float> upper, int k) : lower_(lower), upper_(upper), k_(k) {
    const std::span<const Vec3> normals = directions(k);
    Vec3 centre = slab_centre(lower, upper, k).point;
    // On a grid that leaves each coordinate at most 25 bits, sums with integer weights are exact; with the golden ratio
    // they take more digits. A DOP may be tiny compared with its distance from the tree's origin.
    const double largest = max_norm(centre);
    const double grid = largest > 0 ? std::ldexp(1.0, std::ilogb(largest) - 24) : 1;
    for (int axis = 0; axis < 3; ++axis) centre[axis] = std::rint(centre[axis] / grid) * grid;
    for (std::size_t i = 0; i < normals.size(); ++i)
      offsets_[i] = k == 12 ? dot(Vector<DoubleDouble>(normals[i]), Vector<DoubleDouble>(centre))
                            : DoubleDouble(tumble::dot(normals[i], centre));
  }

  bool is_empty() const {
    bool empty = false;
    for (std::size_t i = 0; i < lower_.size(); ++i) empty |= lower_[i] > upper_[i];
    return empty;
  }
  bool is_flat() const {
    bool flat = false;
    for (std::size_t i = 0; i < lower_.size(); ++i) flat |= lower_[i] == upper_[i];
    return flat;
  }

  template <class T>
  Measure<T> measure() const {
    std::array<T, max_k> bounds;
    for (std::size_t i = 0; i < lower_.size(); ++i) {
      bounds[2 * i] = centred<T>(lower_[i], i);
      bounds[2 * i + 1] = centred<T>(upper_[i], i);
    }
    return tumble::measure<T>(bounds.data(), k_);
  }

  /// The largest distance of a slab's bounds from the middle.
  double size() const {
    const std::span<const double> lengths = direction_lengths(k_);
    double largest = 0;
    for (std::size_t i = 0; i < lower_.size(); ++i)
      largest = std::max({largest, std::abs(centred<double>(upper_[i], i)) / lengths[i],
                          std::abs(centred<double>(lower_[i], i)) / lengths[i]});
    return largest;
  }

 private:
  template <class T>
  T centred(float bound, std::size_t slab) const {
    if constexpr (std::is_same_v<T, double>)
      return (bound - offsets_[slab].high) - offsets_[slab].low;
    else
      return T(bound) - offsets_[slab];
  }

  std::span<const float> lower_, upper_;
  int k_;
  std::array<DoubleDouble, max_k / 2> offsets_;
};

// Measured on 20,000 DOPs of every k, fat, thin and needle-like: sums in double err by less than 1e-14 size³ (size² for
// areas), those in DoubleDouble by some 1e-30. A result below the first fraction of size³ is summed again with more
// digits; below the second it is only rounding error.
constexpr double double_suffices = 5e-5;
constexpr double nothing = 1e-28;

double settled(double in_double, double unit, double (*again)(const Centred&), const Centred& dop) {
  if (in_double >= double_suffices * unit) return in_double;
  const double precise = again(dop);
  return precise >= nothing * unit ? precise : 0;
}

}  // namespace

double volume(std::span<const float> lower, std::span<const float> upper, int k) {
  const Centred dop(lower, upper, k);
  if (dop.is_empty() || dop.is_flat()) return 0;
  const double size = dop.size();
  return settled(
      dop.measure<double>().volume, size * size * size,
      [](const Centred& d) { return static_cast<double>(d.measure<DoubleDouble>().volume); }, dop);
}

double quick_volume(std::span<const float> lower, std::span<const float> upper, int k) {
  const Centred dop(lower, upper, k);
  return dop.is_empty() ? 0 : std::max(0.0, dop.measure<double>().volume);
}

double area(std::span<const float> lower, std::span<const float> upper, int k) {
  const Centred dop(lower, upper, k);
  if (dop.is_empty()) return 0;
  const double size = dop.size();
  return settled(
      dop.measure<double>().area, size * size,
      [](const Centred& d) { return static_cast<double>(d.measure<DoubleDouble>().area); }, dop);
}

}  // namespace tumble
