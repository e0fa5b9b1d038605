// SPDX-License-Identifier: Apache-2.0
// Zachmann's realignment (Zachmann 1998, section 4.1): each new plane offset is an affine map of three old ones, with
// the same coefficients for all nodes. The three planes are those of the cone around the direction, so the sum bounds
// every DOP. The published choice, planes that meet at a corner of one particular DOP, bounds every DOP only if the
// corner has no fourth plane (tests/realign/printed_affine_test.cpp).
#include "realign/offset_map.h"
#include "realign/strategies.h"

namespace tumble {
namespace {

class Affine final : public Realigner {
 public:
  Affine(int source_k, int target_k) : map_(source_k, target_k, Cones::Which::own, 1) {}

  void set_pose(const RelativePose& pose) override { map_.set_pose(pose); }
  void realign(std::uint32_t, const float* source_rows, float* target_rows) override {
    map_.apply(source_rows, target_rows);
  }

  std::size_t bytes() const override { return sizeof(*this) + map_.bytes(); }

 private:
  OffsetMap map_;
};

}  // namespace

std::unique_ptr<Realigner> make_affine(int source_k, int target_k) {
  return std::make_unique<Affine>(source_k, target_k);
}

}  // namespace tumble
