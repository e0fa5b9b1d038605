// SPDX-License-Identifier: Apache-2.0
// The smallest of several sums of three plane offsets: every cone around a direction gives a bound, and the best cone
// depends on the node. All possible cones together would give the DOP's exact support, as its corners do.
#include "realign/offset_map.h"
#include "realign/strategies.h"

namespace tumble {
namespace {

class AffineMin final : public Realigner {
 public:
  AffineMin(int source_k, int target_k) : map_(source_k, target_k, Cones::Which::all, Cones::max_triples) {}

  void set_pose(const RelativePose& pose) override { map_.set_pose(pose); }
  void realign(std::uint32_t, const float* source_rows, float* target_rows) override {
    map_.apply(source_rows, target_rows);
  }

  std::size_t bytes() const override { return sizeof(*this) + map_.bytes(); }

 private:
  OffsetMap map_;
};

}  // namespace

std::unique_ptr<Realigner> make_affine_min(int source_k, int target_k) {
  return std::make_unique<AffineMin>(source_k, target_k);
}

}  // namespace tumble
