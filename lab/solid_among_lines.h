// SPDX-License-Identifier: Apache-2.0
// Bodies as lines with some of their triangles solid, as an SVG file.
#pragma once

#include <tumble/mesh.h>
#include <tumble/pose.h>

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace tumble::lab {

struct LineBody {
  const Mesh* mesh;
  Pose pose;
};

/// The same bodies once more, with other triangles solid.
struct SolidPanel {
  std::string caption;
  std::vector<std::set<std::uint32_t>> solid;  // of each body: triangles
};

/// Panels side by side, all seen by one camera, along a direction in the world, without perspective.
std::string solid_among_lines(std::span<const LineBody> bodies, std::span<const SolidPanel> panels, Vec3 along,
                              Vec3 up);

}  // namespace tumble::lab
