// SPDX-License-Identifier: Apache-2.0
// A film strip: a body that stands and one that moves, drawn at some of its poses, as an SVG file.
#pragma once

#include <tumble/mesh.h>
#include <tumble/pose.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tumble::lab {

struct Frame {
  std::string caption;
  Pose pose;  // of the object
};

/// All frames are seen by one camera, along a direction in the world, without perspective. It shows what the object
/// passes through; what stands in front of that is cut away.
std::string film_strip(const Mesh& env, const Mesh& object, std::span<const Frame> frames, Vec3 along, Vec3 up);

/// So many of a path's poses, the first and the last among them, spread evenly.
std::vector<Frame> spread(std::span<const Pose> path, std::size_t count);

}  // namespace tumble::lab
