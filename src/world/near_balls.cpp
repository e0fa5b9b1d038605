// SPDX-License-Identifier: Apache-2.0
// One ball against eight.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "world/near_balls.cpp"
#include "simd/foreach_target.h"

#include "core/assert.h"
#include "simd/lanes-inl.h"
#include "world/near_balls.h"

#include <bit>

HWY_BEFORE_NAMESPACE();
namespace tumble {
namespace HWY_NAMESPACE {

void near_balls_here(const FewBalls& balls, std::span<const std::uint64_t> tested, std::span<std::uint64_t> near) {
  using Double8 = Lanes<double, 8>;
  constexpr std::size_t lanes = 8;
  const double *const x = balls.x.data(), *const y = balls.y.data(), *const z = balls.z.data(),
                      *const radius = balls.radius.data();
  const Double8 certainly = Double8::broadcast(1 + 1e-12);  // balls hold more than roundings
  for (std::size_t a = 0; a < tested.size(); ++a) {
    if (tested[a] == 0) {
      near[a] = 0;
      continue;
    }
    const auto of_a = [a](const double* row) HWY_ATTR { return Double8::broadcast(row[a]); };
    const Double8 ax = of_a(x), ay = of_a(y), az = of_a(z), reach_of_a = of_a(radius);
    std::uint64_t left = tested[a];
    for (std::uint64_t eights = left; eights != 0;) {
      const auto b = static_cast<std::size_t>(std::countr_zero(eights)) / lanes * lanes;
      const Double8 dx = Double8::load(x + b) - ax, dy = Double8::load(y + b) - ay, dz = Double8::load(z + b) - az;
      const Double8 reach = Double8::load(radius + b) + reach_of_a;
      left &= ~(std::uint64_t{greater((dx * dx + dy * dy) + dz * dz, reach * reach * certainly)} << b);
      eights &= ~(std::uint64_t{0xff} << b);
    }
    near[a] = left;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tumble
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tumble {

HWY_EXPORT(near_balls_here);

void near_balls(const FewBalls& balls, std::span<const std::uint64_t> tested, std::span<std::uint64_t> near) {
  TUMBLE_ASSERT(tested.size() <= most_balls && near.size() == tested.size());
  HWY_DYNAMIC_DISPATCH(near_balls_here)(balls, tested, near);
}

}  // namespace tumble
#endif
