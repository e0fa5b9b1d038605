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

#ifndef TUMBLE_REALIGN_OFFSET_MAP_ONCE
#define TUMBLE_REALIGN_OFFSET_MAP_ONCE
namespace tumble {

/// Of eight target slabs: the cones their normals lie in when turned back, and the shifts.
struct ChosenCones {
  double weights[3][8], cone[8], lower[8], upper[8];
  std::array<std::uint32_t, 3> sorted{}, negative{};  // bits by lane, as Cones::place() wants them by bit
};

// With float weights w_j, u = Lᵀn = Σ w_j b_j + r, and n·(Lx + t) <= Σ w_j d_j + r·x + n·t, where |x| <= tree_reach.
// - The kernel adds three products to the shift, with at most four roundings on any term, each relative to no more than
//   S = Σ w_j |d_j| + |n·t| with |d_j| <= tree_reach·|b_j|: 6·2^-24·S leaves room for the roundings of S.
// - The weights are rounded to float, which makes |r| at most 2^-24·Σ w_j |b_j|, and where a weight came out negative
//   by its rounding errors 0 was taken, as little as those: together less than another 2·2^-24 of S.
// - n·t is rounded relative to |n||t|; products that underflow are wrong by less than the smallest normal number.
// So a slab is widened by |n|·of_length + of_sum·(tree_reach·Σ w_j |b_j| + |n·t|) + at_least.
constexpr double of_sum = 8 * 0x1p-24, at_least = std::numeric_limits<float>::min();
inline double of_length(const RelativePose& pose) {
  const Vec3 t = pose.translation;
  return pose.margin * (1 + 0x1p-40) + 0x1p-48 * (std::abs(t.x) + std::abs(t.y) + std::abs(t.z));
}

}  // namespace tumble
#endif

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

/// Of the cones that share out all directions, the one a direction is deepest inside of: without a branch, as which it
/// is cannot be foretold. A weight that its roundings made negative is 0 instead.
void choose_cones(const SlabBatch& slabs, const RelativePose& pose, const Cones& cones, ChosenCones& chosen) {
  using Doubles = Lanes<double, 8>;
  const auto number = [](double x) { return Doubles::broadcast(x); };
  const auto dot3 = [&](Vec3 v, const Doubles(&w)[3]) {
    return mul_add(number(v.x), w[0], mul_add(number(v.y), w[1], number(v.z) * w[2]));
  };
  const Doubles n[3] = {Doubles::load(slabs.normals[0]), Doubles::load(slabs.normals[1]),
                        Doubles::load(slabs.normals[2])};
  const Doubles zero = number(0);
  Doubles size[3];
  for (int axis = 0; axis < 3; ++axis) {
    const Doubles u = dot3(pose.linear.column(axis), n);
    chosen.negative[static_cast<std::size_t>(axis)] = greater(zero, u);
    size[axis] = abs(u);
  }
  if (cones.sorts()) {
    chosen.sorted = {~greater(size[1], size[0]), ~greater(size[2], size[1]), ~greater(size[2], size[0])};
    const Doubles low = min(size[0], size[1]), high = max(size[0], size[1]), z = size[2];
    size[0] = max(high, z), size[1] = max(low, min(high, z)), size[2] = min(low, z);
  }

  const std::span<const Cones::Cone> all = cones.canonical();
  Doubles best[3], depth, which = zero, cost;
  for (std::size_t c = 0; c < all.size(); ++c) {
    const Doubles w0 = dot3(all[c].weigh[0], size), w1 = dot3(all[c].weigh[1], size), w2 = dot3(all[c].weigh[2], size);
    const Doubles least = min(w0, min(w1, w2));
    const Doubles here_cost =
        mul_add(w0, number(all[c].lengths[0]), mul_add(w1, number(all[c].lengths[1]), w2 * number(all[c].lengths[2])));
    if (c == 0) {
      best[0] = w0, best[1] = w1, best[2] = w2, depth = least, cost = here_cost;
      continue;
    }
    const Doubles shallower = depth - least;
    best[0] = if_negative(shallower, w0, best[0]);
    best[1] = if_negative(shallower, w1, best[1]);
    best[2] = if_negative(shallower, w2, best[2]);
    cost = if_negative(shallower, here_cost, cost);
    which = if_negative(shallower, number(static_cast<double>(c)), which);
    depth = max(depth, least);
  }
  for (int i = 0; i < 3; ++i) max(best[i], zero).store(chosen.weights[i]);
  which.store(chosen.cone);

  const Doubles along = dot3(pose.translation, n);
  const Doubles widen = Doubles::load(slabs.lengths) * number(of_length(pose)) +
                        number(of_sum) * (number(tree_reach) * cost + abs(along)) + number(at_least);
  (along - widen).store(chosen.lower);
  (along + widen).store(chosen.upper);
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {
namespace {

HWY_EXPORT(choose_cones);
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

/// The sum of each place of the cones, with weights of one.
std::vector<OffsetSum> sums_by_place(const Cones& cones) {
  std::vector<OffsetSum> sums;
  for (const std::array<std::int16_t, 3>& slabs : cones.slabs()) {
    Triple triple{};
    for (std::size_t i = 0; i < 3; ++i) {
      triple.weights[i] = 1;
      triple.flipped[i] = slabs[i] < 0;
      triple.slabs[i] = static_cast<std::uint8_t>(slabs[i] < 0 ? -1 - slabs[i] : slabs[i]);
    }
    sums.push_back(offset_sum(triple));
  }
  return sums;
}

}  // namespace

OffsetMap::OffsetMap(int source_k, int target_k, Cones::Which cones, std::size_t most)
    : target_normals_(directions(target_k)),
      target_lengths_(direction_lengths(target_k)),
      cones_(source_k, cones),
      most_(most),
      sums_(target_normals_.size() * most) {
  if (most > 1) return;
  by_place_ = sums_by_place(cones_);
  batches_.resize((target_normals_.size() + 7) / 8);
  for (std::size_t i = 0; i < 8 * batches_.size(); ++i) {
    const std::size_t slab = std::min(i, target_normals_.size() - 1);
    for (int axis = 0; axis < 3; ++axis) batches_[i / 8].normals[axis][i % 8] = target_normals_[slab][axis];
    batches_[i / 8].lengths[i % 8] = target_lengths_[slab];
  }
}

void OffsetMap::set_pose(const RelativePose& given) {
  const RelativePose pose = tame(given);
  if (most_ == 1)
    choose_one(pose);
  else
    choose_several(pose);
}

void OffsetMap::choose_one(const RelativePose& pose) {
  ChosenCones chosen;
  for (std::size_t slab = 0; slab < target_normals_.size(); ++slab) {
    const std::size_t lane = slab % 8;
    if (lane == 0) HWY_DYNAMIC_DISPATCH(choose_cones)(batches_[slab / 8], pose, cones_, chosen);
    const auto bits = [lane](const std::array<std::uint32_t, 3>& lanes) {
      return std::size_t{lanes[0] >> lane & 1} | std::size_t{lanes[1] >> lane & 1} << 1 |
             std::size_t{lanes[2] >> lane & 1} << 2;
    };
    OffsetSum& sum = sums_[slab] = by_place_[cones_.place(bits(chosen.sorted), bits(chosen.negative)) +
                                             static_cast<std::size_t>(chosen.cone[lane])];
    for (std::size_t i = 0; i < 3; ++i) sum.weights[i] *= static_cast<float>(chosen.weights[i][lane]);
    shifts_[slab] = {float_below(chosen.lower[lane]), float_above(chosen.upper[lane])};
  }
}

void OffsetMap::choose_several(const RelativePose& pose) {
  const Mat3 back = transpose(pose.linear);
  for (std::size_t slab = 0; slab < target_normals_.size(); ++slab) {
    const Vec3 n = target_normals_[slab];
    Cones::Triples storage;
    std::span<const Triple> triples = cones_.around(back * n, storage);
    triples = triples.first(std::min(triples.size(), most_));
    counts_[slab] = static_cast<std::uint8_t>(triples.size());
    for (std::size_t j = 0; j < triples.size(); ++j) sums_[slab * most_ + j] = offset_sum(triples[j]);
    const double along = dot(n, pose.translation);
    const double widen = target_lengths_[slab] * of_length(pose) +
                         of_sum * (tree_reach * triples.back().cost + std::abs(along)) + at_least;
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
