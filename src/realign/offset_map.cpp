// SPDX-License-Identifier: Apache-2.0
// Sums of slab offsets, eight nodes at a time.
#include "realign/offset_map.h"

#include "bounds/rows.h"
#include "math/rounding.h"
#include "math/sum_norm.h"
#include "realign/clamp_pose.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "realign/offset_map.cpp"
#include "simd/foreach_target.h"
#include "simd/lanes-inl.h"

#ifndef TUMBLE_REALIGN_OFFSET_MAP_ONCE
#define TUMBLE_REALIGN_OFFSET_MAP_ONCE
namespace tumble {

/// For sixteen target slabs: the cones that hold their normals, turned back to the source.
struct ChosenCones {
  HWY_ALIGN float weights[3][16], code[16], cone[16];
};

/// What choose_cones needs of a pose.
struct FloatPose {
  float columns[3][3], translation[3], of_length, of_sum;
};

// With float weights w_j, u = Lᵀn = Σ w_j b_j + r, and n·(Lx + t) <= Σ w_j d_j + r·x + n·t, where |x| <= tree_reach.
// - The kernel adds three products to the shift, with at most four roundings on any term, each relative to no more than
//   S = Σ w_j |d_j| + Σ |n_i||t_i| with |d_j| <= tree_reach·|b_j|: 6·2^-24·S leaves room for the roundings of S.
// - Weights computed in double are rounded to float, which makes |r| at most 2^-24·Σ w_j |b_j|. A weight made negative
//   by rounding errors is replaced by 0, a change no larger than those. Together that is less than another 2·2^-24 of
//   S, as |u| <= Σ w_j |b_j|.
// - If weights are computed in single precision, u is off by 5·2^-24·√3·|u| (the rounding of L and of three products
//   and sums; √3 because the norm of |L| is not that of L), and weight j by 4·2^-24·|weigh_j||u|, which makes
//   |r| <= 2^-24·(9 + 4·Σ |b_j||weigh_j|)·|u|; n·t, part of the shift, is off by 6·2^-24·Σ |n_i||t_i|.
// - Products that underflow err by less than 2^-126 each; no more than 2^12 of them add up, times 2·tree_reach.
// So a slab is widened by |n|·of_length + of_sum·(tree_reach·Σ w_j |b_j| + Σ |n_i||t_i|) + at_least.
constexpr double of_sum_in_double = 8 * 0x1p-24, at_least = 0x1p-110;
inline double of_length(const RelativePose& pose) {
  return pose.margin * (1 + 0x1p-40) + 0x1p-48 * sum_norm(pose.translation);
}

}  // namespace tumble
#endif

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

using Floats = Lanes<float, node_lanes>;

HWY_INLINE Floats sum_of(const float* source, const float* weights, const std::uint16_t* from, const Floats& shift) {
  return Floats::broadcast(weights[0]) * Floats::load(source + from[0]) +
         (Floats::broadcast(weights[1]) * Floats::load(source + from[1]) +
          (Floats::broadcast(weights[2]) * Floats::load(source + from[2]) + shift));
}

void one_sum(const OffsetSum* sums, const SlabShifts& shifts, std::size_t slabs, const float* source, float* target) {
  for (std::size_t i = 0; i < slabs; ++i) {
    sum_of(source, sums[i].weights, sums[i].lower_from, Floats::broadcast(shifts.lower[i]))
        .store(target + DopRows::lower(i));
    sum_of(source, sums[i].weights, sums[i].upper_from, Floats::broadcast(shifts.upper[i]))
        .store(target + DopRows::upper(i));
  }
}

void smallest_sum(const OffsetSum* sums, std::size_t most, const std::uint8_t* counts, const SlabShifts& shifts,
                  std::size_t slabs, const float* source, float* target) {
  for (std::size_t i = 0; i < slabs; ++i, sums += most) {
    const Floats lower_shift = Floats::broadcast(shifts.lower[i]), upper_shift = Floats::broadcast(shifts.upper[i]);
    Floats lower = sum_of(source, sums->weights, sums->lower_from, lower_shift);
    Floats upper = sum_of(source, sums->weights, sums->upper_from, upper_shift);
    for (std::size_t j = 1; j < counts[i]; ++j) {
      lower = max(lower, sum_of(source, sums[j].weights, sums[j].lower_from, lower_shift));
      upper = min(upper, sum_of(source, sums[j].weights, sums[j].upper_from, upper_shift));
    }
    lower.store(target + DopRows::lower(i));
    upper.store(target + DopRows::upper(i));
  }
}

/// Finds the one of the `own` cones that a direction is deepest inside of. It does so without branches, because none
/// could be predicted. A weight made negative by rounding is set to 0. A direction's code has a bit each for |x| >=
/// |y|, |y| >= |z|, |x| >= |z| and for negative x, y and z.
void choose_cones(const SlabBatch& slabs, const FloatPose& pose, const float* cones, std::size_t cone_count, bool sorts,
                  ChosenCones& chosen, float* lower, float* upper) {
  using Numbers = Lanes<float, 16>;
  const auto number = [](float x) { return Numbers::broadcast(x); };
  const auto dot3 = [&](const float* v, const Numbers(&w)[3]) {
    return number(v[0]) * w[0] + (number(v[1]) * w[1] + number(v[2]) * w[2]);
  };
  const Numbers n[3] = {Numbers::load(slabs.normals[0]), Numbers::load(slabs.normals[1]),
                        Numbers::load(slabs.normals[2])};
  const Numbers zero = number(0);
  Numbers size[3], code = zero;
  for (int axis = 0; axis < 3; ++axis) {
    const Numbers u = dot3(pose.columns[axis], n) + zero;  // never −0
    code = code + if_negative(u, number(static_cast<float>(8 << axis)), zero);
    size[axis] = abs(u);
  }
  if (sorts) {
    code = code + if_negative(size[0] - size[1], zero, number(1)) + if_negative(size[1] - size[2], zero, number(2)) +
           if_negative(size[0] - size[2], zero, number(4));
    const Numbers low = min(size[0], size[1]), high = max(size[0], size[1]), z = size[2];
    size[0] = max(high, z), size[1] = max(low, min(high, z)), size[2] = min(low, z);
  }
  code.store(chosen.code);

  Numbers best[3], depth, which = zero, cost;
  for (std::size_t c = 0; c < cone_count; ++c, cones += 12) {
    const Numbers w0 = dot3(cones, size), w1 = dot3(cones + 3, size), w2 = dot3(cones + 6, size);
    const Numbers least = min(w0, min(w1, w2));
    const Numbers here_cost = w0 * number(cones[9]) + (w1 * number(cones[10]) + w2 * number(cones[11]));
    if (c == 0) {
      best[0] = w0, best[1] = w1, best[2] = w2, depth = least, cost = here_cost;
      continue;
    }
    const Numbers shallower = depth - least;
    best[0] = if_negative(shallower, w0, best[0]);
    best[1] = if_negative(shallower, w1, best[1]);
    best[2] = if_negative(shallower, w2, best[2]);
    cost = if_negative(shallower, here_cost, cost);
    which = if_negative(shallower, number(static_cast<float>(c)), which);
    depth = max(depth, least);
  }
  for (int i = 0; i < 3; ++i) max(best[i], zero).store(chosen.weights[i]);
  which.store(chosen.cone);

  const Numbers along = dot3(pose.translation, n);
  const float t[3] = {std::abs(pose.translation[0]), std::abs(pose.translation[1]), std::abs(pose.translation[2])};
  const Numbers sizes[3] = {abs(n[0]), abs(n[1]), abs(n[2])};
  const Numbers widen = Numbers::load(slabs.lengths) * number(pose.of_length) +
                        (number(pose.of_sum) * (number(static_cast<float>(tree_reach)) * cost + dot3(t, sizes)) +
                         number(static_cast<float>(at_least)));
  (along - widen).store(lower);
  (along + widen).store(upper);
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
    const auto lower = static_cast<std::uint16_t>(DopRows::lower(triple.slabs[i])),
               upper = static_cast<std::uint16_t>(DopRows::upper(triple.slabs[i]));
    const auto weight = static_cast<float>(triple.weights[i]);
    sum.weights[i] = triple.flipped[i] ? -weight : weight;
    sum.upper_from[i] = triple.flipped[i] ? lower : upper;
    sum.lower_from[i] = triple.flipped[i] ? upper : lower;
  }
  return sum;
}

/// The sum for each code and cone, with weights of one.
std::vector<OffsetSum> sums_by_code(const Cones& cones) {
  std::vector<OffsetSum> sums;
  for (std::size_t code = 0; code < 64; ++code)
    for (std::size_t cone = 0; cone < cones.canonical().size(); ++cone) {
      const std::array<std::int16_t, 3>& slabs = cones.slabs()[cones.place(code % 8, code / 8) + cone];
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
  by_code_ = sums_by_code(cones_);
  batches_.resize((target_normals_.size() + 15) / 16);
  for (std::size_t i = 0; i < 16 * batches_.size(); ++i) {
    const std::size_t slab = std::min(i, target_normals_.size() - 1);
    for (int axis = 0; axis < 3; ++axis)
      batches_[i / 16].normals[axis][i % 16] = static_cast<float>(target_normals_[slab][axis]);
    batches_[i / 16].lengths[i % 16] = float_above(target_lengths_[slab]);
  }
  double largest = 0;
  for (const Cones::Cone& cone : cones_.canonical()) {
    double here = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      for (int axis = 0; axis < 3; ++axis) cone_numbers_.push_back(static_cast<float>(cone.weigh[i][axis]));
      here += cone.lengths[i] * length(cone.weigh[i]);
    }
    for (const double length : cone.lengths) cone_numbers_.push_back(float_above(length));
    largest = std::max(largest, here);
  }
  of_sum_ = float_above((8 + 9 + 4 * largest) * 0x1p-24);
}

std::size_t OffsetMap::bytes() const {
  return cones_.bytes() + batches_.capacity() * sizeof(SlabBatch) +
         (by_code_.capacity() + sums_.capacity()) * sizeof(OffsetSum) + cone_numbers_.capacity() * sizeof(float);
}

void OffsetMap::set_pose(const RelativePose& given) {
  const RelativePose pose = clamp_pose(given);
  if (most_ == 1)
    choose_one(pose);
  else
    choose_several(pose);
}

void OffsetMap::choose_one(const RelativePose& pose) {
  FloatPose rounded;
  for (int axis = 0; axis < 3; ++axis) {
    for (std::size_t row = 0; row < 3; ++row)
      rounded.columns[axis][row] = static_cast<float>(pose.linear.rows[row][axis]);
    rounded.translation[axis] = static_cast<float>(pose.translation[axis]);
  }
  rounded.of_length = float_above(of_length(pose));
  rounded.of_sum = of_sum_;
  const std::size_t cones = cones_.canonical().size();
  for (std::size_t batch = 0; batch < batches_.size(); ++batch) {
    const std::size_t first = 16 * batch;
    ChosenCones chosen;
    HWY_DYNAMIC_DISPATCH(choose_cones)
    (batches_[batch], rounded, cone_numbers_.data(), cones, cones_.sorts(), chosen, &shifts_.lower[first],
     &shifts_.upper[first]);
    const std::size_t count = std::min<std::size_t>(16, target_normals_.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      OffsetSum& sum = sums_[first + i];
      sum = by_code_[static_cast<std::size_t>(chosen.code[i]) * cones + static_cast<std::size_t>(chosen.cone[i])];
      for (std::size_t j = 0; j < 3; ++j) sum.weights[j] *= chosen.weights[j][i];
    }
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
                         of_sum_in_double * (tree_reach * triples.back().cost + std::abs(along)) + at_least;
    shifts_.lower[slab] = float_below(along - widen);
    shifts_.upper[slab] = float_above(along + widen);
  }
}

void OffsetMap::apply(const float* source, float* target) const {
  if (most_ == 1)
    HWY_DYNAMIC_DISPATCH(one_sum)(sums_.data(), shifts_, target_normals_.size(), source, target);
  else
    HWY_DYNAMIC_DISPATCH(smallest_sum)
  (sums_.data(), most_, counts_.data(), shifts_, target_normals_.size(), source, target);
}

}  // namespace tumble
#endif
