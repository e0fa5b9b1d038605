// SPDX-License-Identifier: Apache-2.0
// Sums of slab offsets, eight nodes at a time.
#include "realign/offset_map.h"

#include "math/rounding.h"
#include "realign/tame_pose.h"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "realign/offset_map.cpp"
#include "simd/foreach_target.h"
#include "simd/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

using Floats = Lanes<float, 8>;

HWY_INLINE Floats sum_of(const float* source, const float* weights, const std::uint16_t* from, const Floats& shift) {
  return mul_add(Floats::broadcast(weights[0]), Floats::load(source + from[0]),
                 mul_add(Floats::broadcast(weights[1]), Floats::load(source + from[1]),
                         mul_add(Floats::broadcast(weights[2]), Floats::load(source + from[2]), shift)));
}

void one_sum(const OffsetSum* sums, const SlabShift* shifts, std::size_t slabs, const float* source, float* target) {
  for (std::size_t i = 0; i < slabs; ++i, target += 16) {
    sum_of(source, sums[i].weights, sums[i].lower_from, Floats::broadcast(shifts[i].lower)).store(target);
    sum_of(source, sums[i].weights, sums[i].upper_from, Floats::broadcast(shifts[i].upper)).store(target + 8);
  }
}

void smallest_sum(const OffsetSum* sums, std::size_t most, const std::uint8_t* counts, const SlabShift* shifts,
                  std::size_t slabs, const float* source, float* target) {
  for (std::size_t i = 0; i < slabs; ++i, sums += most, target += 16) {
    const Floats lower_shift = Floats::broadcast(shifts[i].lower), upper_shift = Floats::broadcast(shifts[i].upper);
    Floats lower = sum_of(source, sums->weights, sums->lower_from, lower_shift);
    Floats upper = sum_of(source, sums->weights, sums->upper_from, upper_shift);
    for (std::size_t j = 1; j < counts[i]; ++j) {
      lower = max(lower, sum_of(source, sums[j].weights, sums[j].lower_from, lower_shift));
      upper = min(upper, sum_of(source, sums[j].weights, sums[j].upper_from, upper_shift));
    }
    lower.store(target);
    upper.store(target + 8);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {
namespace {

HWY_EXPORT(one_sum);
HWY_EXPORT(smallest_sum);

OffsetSum offset_sum(const Triple& triple) {
  OffsetSum sum;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto lower = static_cast<std::uint16_t>(16 * triple.slabs[i]), upper = static_cast<std::uint16_t>(lower + 8);
    const auto weight = static_cast<float>(triple.weights[i]);
    sum.weights[i] = triple.flipped[i] ? -weight : weight;
    sum.upper_from[i] = triple.flipped[i] ? lower : upper;
    sum.lower_from[i] = triple.flipped[i] ? upper : lower;
  }
  return sum;
}

}  // namespace

OffsetMap::OffsetMap(int source_k, int target_k, Cones::Which cones, std::size_t most)
    : source_normals_(directions(source_k)),
      target_normals_(directions(target_k)),
      target_lengths_(direction_lengths(target_k)),
      cones_(source_k, cones),
      most_(most),
      sums_(target_normals_.size() * most) {}

// With float weights w_j, u = Lᵀn = Σ w_j b_j + r, and n·(Lx + t) <= Σ w_j d_j + r·x + n·t, where |x| <= tree_reach.
// The kernel adds three products to the shift, with at most four roundings on any term, each relative to no more than
// S = Σ w_j |d_j| + |shift| with |d_j| <= tree_reach·|b_j|; 6·2^-24·S leaves room for the roundings of S and of r.
// Products that underflow are wrong by less than the smallest normal number.
void OffsetMap::set_pose(const RelativePose& given) {
  const RelativePose pose = tame(given);
  const Mat3 back = transpose(pose.linear);
  for (std::size_t slab = 0; slab < target_normals_.size(); ++slab) {
    const Vec3 n = target_normals_[slab], u = back * n, t = pose.translation;
    Cones::Triples storage;
    std::span<const Triple> triples = cones_.around(u, storage);
    triples = triples.first(std::min(triples.size(), most_));
    counts_[slab] = static_cast<std::uint8_t>(triples.size());

    double unexplained = 0, size = 0;
    for (std::size_t j = 0; j < triples.size(); ++j) {
      sums_[slab * most_ + j] = offset_sum(triples[j]);
      Vec3 rest = u;
      for (std::size_t i = 0; i < 3; ++i)
        rest -= source_normals_[triples[j].slabs[i]] * static_cast<double>(sums_[slab * most_ + j].weights[i]);
      unexplained = std::max(unexplained, std::abs(rest.x) + std::abs(rest.y) + std::abs(rest.z));
      size = std::max(size, triples[j].cost);
    }
    const double along = dot(n, t);
    const double terms = std::abs(n.x * t.x) + std::abs(n.y * t.y) + std::abs(n.z * t.z);
    const double widen = target_lengths_[slab] * pose.margin * (1 + 0x1p-40) + tree_reach * unexplained +
                         6 * 0x1p-24 * (tree_reach * size + std::abs(along)) + 0x1p-49 * (terms + size) +
                         static_cast<double>(std::numeric_limits<float>::min());
    shifts_[slab] = {float_below(along - widen), float_above(along + widen)};
  }
}

void OffsetMap::apply(const float* source, float* target) const {
  if (most_ == 1)
    HWY_DYNAMIC_DISPATCH(one_sum)(sums_.data(), shifts_.data(), target_normals_.size(), source, target);
  else
    HWY_DYNAMIC_DISPATCH(smallest_sum)
  (sums_.data(), most_, counts_.data(), shifts_.data(), target_normals_.size(), source, target);
}

}  // namespace tumble
#endif
