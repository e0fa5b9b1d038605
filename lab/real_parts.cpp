// SPDX-License-Identifier: Apache-2.0
// Reading and placing them. The only file of the lab that is compiled for one checkout alone: it knows where that is.
#include "lab/real_parts.h"

#include "scenes/shapes.h"

#include <tumble/io.h>
#include <tumble/query.h>

#include <filesystem>

namespace tumble::lab {
namespace {

constexpr const char* files[] = {"assembly-dynamixel2r/assets/first_segment_mix.stl",
                                 "assembly-dynamixel2r/assets/sw_mx64_segment.stl"};

}  // namespace

std::optional<std::filesystem::path> real_data(const std::filesystem::path& part) {
  const std::filesystem::path folder = std::filesystem::path(TUMBLE_SOURCE_DIR) / "../shared/data";
  return std::filesystem::exists(folder / part) ? std::optional(folder) : std::nullopt;
}

std::optional<RealParts> real_parts() {
  for (const char* file : files)
    if (!real_data(file)) return std::nullopt;
  const std::filesystem::path folder = *real_data(files[0]);
  return RealParts{files[0], files[1], scenes::fitted_to_cube(load_mesh(folder / files[0]), 1),
                   scenes::fitted_to_cube(load_mesh(folder / files[1]), 1)};
}

scenes::Placing pushed_together(const RealParts& parts, double gap) {
  const Model env(parts.env, {.threads = 1}), object(parts.object, {.threads = 1});
  const Vec3 direction = scenes::normalized({0.3, 0.5, 0.81});
  const auto at = [&](double way) { return Pose::from_quaternion(1, 0.1, 0.2, 0.15, direction * way); };
  double touching = 0, free = 3;  // at 3 they cannot touch; both lie about the origin
  for (int i = 0; i < 100; ++i) {
    const double middle = (touching + free) / 2;
    if (middle == touching || middle == free) break;
    (collide(env, {}, object, at(middle)) ? touching : free) = middle;
  }
  return {parts.env, parts.object, at(free + gap), at(free + gap + 1e-3)};
}

}  // namespace tumble::lab
