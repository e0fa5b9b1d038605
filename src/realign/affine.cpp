// SPDX-License-Identifier: Apache-2.0
// Zachmann's realignment (Zachmann 1998, section 4.1): each new plane offset is an affine map of three old ones, whose
// coefficients are the same for all nodes. The three planes are those of the cone around the direction, so that the sum
// bounds every DOP; taking planes that meet at a corner of one particular DOP does not.
#include "bounds/directions.h"
#include "realign/cones.h"
#include "realign/offsets.h"
#include "realign/strategies.h"
#include "realign/tame_pose.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "realign/affine.cpp"
#include "simd/foreach_target.h"
#include "simd/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

void affine(const OffsetSum* sums, const SlabShift* shifts, int slabs, const float* source, float* target) {
  using Floats = Lanes<float, 8>;
  for (int i = 0; i < slabs; ++i) {
    const OffsetSum& sum = sums[i];
    const Floats w0 = Floats::broadcast(sum.weights[0]), w1 = Floats::broadcast(sum.weights[1]),
                 w2 = Floats::broadcast(sum.weights[2]);
    const Floats lower =
        mul_add(w0, Floats::load(source + sum.lower_from[0]),
                mul_add(w1, Floats::load(source + sum.lower_from[1]),
                        mul_add(w2, Floats::load(source + sum.lower_from[2]), Floats::broadcast(shifts[i].lower))));
    const Floats upper =
        mul_add(w0, Floats::load(source + sum.upper_from[0]),
                mul_add(w1, Floats::load(source + sum.upper_from[1]),
                        mul_add(w2, Floats::load(source + sum.upper_from[2]), Floats::broadcast(shifts[i].upper))));
    lower.store(target + 16 * i);
    upper.store(target + 16 * i + 8);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {
namespace {

HWY_EXPORT(affine);

class Affine final : public Realigner {
 public:
  Affine(int source_k, int target_k)
      : source_normals_(directions(source_k)),
        target_normals_(directions(target_k)),
        target_lengths_(direction_lengths(target_k)),
        cones_(source_k, Cones::Of::set) {}

  void set_pose(const RelativePose& given) override {
    const RelativePose pose = tame(given);
    const Mat3 back = transpose(pose.linear);
    for (std::size_t i = 0; i < target_normals_.size(); ++i) {
      const Vec3 direction = back * target_normals_[i];
      Cones::Triples storage;
      const std::span<const Triple> cheapest = cones_.around(direction, storage).first(1);
      sums_[i] = offset_sum(cheapest[0]);
      shifts_[i] = slab_shift(pose, target_normals_[i], target_lengths_[i], direction, cheapest, source_normals_);
    }
    kernel_ = &HWY_DYNAMIC_DISPATCH(affine);
  }

  void realign(std::uint32_t, const float* source_rows, float* target_rows) override {
    kernel_(sums_.data(), shifts_.data(), static_cast<int>(target_normals_.size()), source_rows, target_rows);
  }

 private:
  std::span<const Vec3> source_normals_, target_normals_;
  std::span<const double> target_lengths_;
  Cones cones_;
  std::array<OffsetSum, max_k / 2> sums_;
  std::array<SlabShift, max_k / 2> shifts_;
  void (*kernel_)(const OffsetSum*, const SlabShift*, int, const float*, float*) = nullptr;
};

}  // namespace

std::unique_ptr<Realigner> make_affine(int source_k, int target_k) {
  return std::make_unique<Affine>(source_k, target_k);
}

}  // namespace tumble
#endif
