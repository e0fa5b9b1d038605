// SPDX-License-Identifier: Apache-2.0
// Pictures of meshes: a small software renderer with a depth buffer, and PNG files without any library.
#pragma once

#include <tumble/mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace tumble::lab {

using Color = std::array<std::uint8_t, 3>;

struct Picture {
  std::size_t width = 0, height = 0;
  std::vector<Color> pixels;  // row by row from the top
};

/// One thing in the picture, in world coordinates.
struct Shown {
  const Mesh* mesh = nullptr;
  Pose pose{};
  Color color{200, 200, 205};
  bool color_parts = false;  // each part in a color of its own instead
};

/// Looking at the middle of everything shown, or at a point, z up.
struct View {
  double yaw_degrees = 35, pitch_degrees = 25;  // where the eye stands: around z from +x, and above the ground
  double zoom = 1;                              // 1 shows everything
  bool look_at_point = false;
  Vec3 point{};
  bool cut_front = false;  // leave out triangles seen from behind: a look into a closed room
  std::size_t width = 1000, height = 750;
};

/// Perspective, lit from the eye's upper left; both sides of a triangle are drawn.
Picture render(const std::vector<Shown>& things, const View& view);

/// Pictures of one height from left to right, and of one width from top to bottom.
Picture side_by_side(const std::vector<Picture>& pictures);
Picture stacked(const std::vector<Picture>& pictures);

/// Throws Error(file_access).
void save_png(const Picture& picture, const std::filesystem::path& file);

}  // namespace tumble::lab
