// SPDX-License-Identifier: Apache-2.0
// FineLook: how far apart two volumes are in the world, in double precision. Single precision cannot tell parts of
// machines apart that nearly touch, nor which of many faces at the same distance to leave out.
#pragma once

#include "traverse/placed_pair.h"
#include "tree/volume_id.h"

#include <array>

namespace tumble {

class FineLook {
 public:
  explicit FineLook(const PlacedPair& bodies);

  /// No point below one volume is nearer to a point below the other, in the world as it is rounded. Not above 0 where
  /// nothing is certain; not the largest that can be found once it is above `enough`.
  double gap(VolumeId target, VolumeId source, double enough);

  /// One side of the walk. It keeps the box it was asked for last: a volume is tested against several.
  struct Side {
    const Body& body;
    const FineBoxes& boxes;
    double offset;  // |x| + |y| + |z| of the pose's translation
    VolumeId last{0xffffffffu};
    const FineBox* box = nullptr;
    FineBox own{};  // where the model does not keep it yet

    explicit Side(const Body& of);
    Vec3 turned(const Vec3& v) const;
  };

  static constexpr std::size_t axes_of_side = 4;  // three, and one of no length
  /// Side by side, by coordinate: the normals of the target's box in the world, then those of the source's.
  using Axes = std::array<std::array<double, 2 * axes_of_side>, 3>;

 private:
  void take(Side& side, VolumeId volume, std::size_t first_axis);

  Side target_, source_;
  Axes axes_{};
};

}  // namespace tumble
