// SPDX-License-Identifier: Apache-2.0
// Draws triangles into a small grid of shades, the nearest on top, and writes rows of equal shades as lines. Pictures
// of hundreds of thousands of triangles stay small that way, and need no library.
#include "lab/film_strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>

namespace tumble::lab {
namespace {

constexpr int width = 220, height = 180, columns = 4, margin = 8, caption_height = 16;
constexpr int shades = 8;  // of each body, from dark to light
constexpr double infinity = std::numeric_limits<double>::infinity();

/// 0 is the background; then those of the environment, then those of the object.
using Cell = std::uint8_t;

std::string color(Cell cell) {
  constexpr std::array<std::array<double, 3>, 2> lightest{{{225, 228, 232}, {255, 150, 40}}};
  const auto& light = lightest[cell > shades ? 1 : 0];
  const double part = 0.35 + 0.65 * ((cell - 1) % shades) / (shades - 1);
  return fmt::format("#{:02x}{:02x}{:02x}", static_cast<int>(light[0] * part), static_cast<int>(light[1] * part),
                     static_cast<int>(light[2] * part));
}

/// Directions of the picture: right, up, and away from the camera.
struct Camera {
  Vec3 right, up, away;
  double left = 0, bottom = 0, front = 0;  // of what it shows; nothing before `front` is drawn
  double per_cell = 1;

  Camera(Vec3 along, Vec3 upward) {
    away = along / length(along);
    right = cross(away, upward);
    right = right / length(right);
    up = cross(right, away);
  }
  Vec3 seen(const Vec3& p) const { return {dot(p, right), dot(p, up), dot(p, away)}; }
};

Camera camera_for(const Mesh& object, std::span<const Frame> frames, Vec3 along, Vec3 up) {
  Camera camera(along, up);
  Vec3 low{infinity, infinity, infinity}, high = -low;
  for (const Frame& frame : frames)
    for (const Vec3& vertex : object.vertices) {
      const Vec3 p = camera.seen(frame.pose * vertex);
      for (int axis = 0; axis < 3; ++axis)
        low[axis] = std::min(low[axis], p[axis]), high[axis] = std::max(high[axis], p[axis]);
    }
  constexpr double room = 1.25;
  camera.per_cell = room * std::max((high.x - low.x) / width, (high.y - low.y) / height);
  camera.left = (low.x + high.x) / 2 - camera.per_cell * width / 2;
  camera.bottom = (low.y + high.y) / 2 - camera.per_cell * height / 2;
  camera.front = low.z - 0.02 * (high.z - low.z);
  return camera;
}

class Drawing {
 public:
  explicit Drawing(const Camera& camera) : camera_(camera) {}

  void draw(const Mesh& mesh, const Pose& pose, bool is_object) {
    std::vector<Vec3> seen;
    seen.reserve(mesh.vertices.size());
    for (const Vec3& vertex : mesh.vertices) {
      const Vec3 p = camera_.seen(pose * vertex);
      seen.push_back({(p.x - camera_.left) / camera_.per_cell, (p.y - camera_.bottom) / camera_.per_cell, p.z});
    }
    for (const Triangle& t : mesh.triangles) draw({seen[t[0]], seen[t[1]], seen[t[2]]}, is_object);
  }

  /// Lines of equal cells of one body.
  std::string to_svg(bool of_object) const {
    std::array<std::string, 2 * shades + 1> lines;
    for (int row = 0; row < height; ++row)
      for (int column = 0; column < width;) {
        const Cell here = cell(column, row);
        int end = column + 1;
        while (end < width && cell(end, row) == here) ++end;
        if (here != 0 && (here > shades) == of_object)
          fmt::format_to(std::back_inserter(lines[here]), "M{} {}h{}", column, height - 1 - row, end - column);
        column = end;
      }
    std::string out;
    for (std::size_t i = 1; i < lines.size(); ++i)
      if (!lines[i].empty())
        out += fmt::format("<path stroke=\"{}\" d=\"{}\"/>\n", color(static_cast<Cell>(i)), lines[i]);
    return out;
  }

 private:
  Cell cell(int column, int row) const { return cells_[static_cast<std::size_t>(row * width + column)]; }

  /// Corners in cells and, as z, their distances from the camera. Both sides are drawn.
  void draw(const std::array<Vec3, 3>& c, bool is_object) {
    const Vec3 u = c[1] - c[0], v = c[2] - c[0];
    const double area = u.x * v.y - u.y * v.x;
    if (!(std::abs(area) > 1e-12)) return;
    const auto [low_x, high_x] = std::minmax({c[0].x, c[1].x, c[2].x});
    const auto [low_y, high_y] = std::minmax({c[0].y, c[1].y, c[2].y});
    if (high_x < 0 || low_x > width || high_y < 0 || low_y > height) return;
    // Lit from the camera's upper left.
    Vec3 normal = cross(Vec3{u.x, u.y, u.z / camera_.per_cell}, Vec3{v.x, v.y, v.z / camera_.per_cell});
    normal = normal / (length(normal) * (normal.z > 0 ? -1 : 1));
    const double light = std::max(0.0, dot(normal, Vec3{-0.4, 0.5, -0.768}));
    const auto shade =
        static_cast<Cell>((is_object ? shades : 0) + 1 + std::min(shades - 1, static_cast<int>(light * shades)));
    const auto first = [](double at) { return std::max(0, static_cast<int>(std::ceil(at - 0.5))); };
    for (int row = first(low_y); row < height && row + 0.5 <= high_y; ++row)
      for (int column = first(low_x); column < width && column + 0.5 <= high_x; ++column) {
        const double x = column + 0.5 - c[0].x, y = row + 0.5 - c[0].y;
        const double s = (x * v.y - y * v.x) / area, t = (u.x * y - u.y * x) / area;
        if (s < 0 || t < 0 || s + t > 1) continue;
        const double z = c[0].z + s * u.z + t * v.z;
        double& nearest = depths_[static_cast<std::size_t>(row * width + column)];
        if (z < camera_.front || z >= nearest) continue;
        nearest = z;
        cells_[static_cast<std::size_t>(row * width + column)] = shade;
      }
  }

  Camera camera_;
  std::vector<Cell> cells_ = std::vector<Cell>(std::size_t{width} * height);
  std::vector<double> depths_ = std::vector<double>(std::size_t{width} * height, infinity);
};

}  // namespace

std::string film_strip(const Mesh& env, const Mesh& object, std::span<const Frame> frames, Vec3 along, Vec3 up) {
  const Camera camera = camera_for(object, frames, along, up);
  Drawing background(camera);
  background.draw(env, {}, false);
  const int rows = (static_cast<int>(frames.size()) + columns - 1) / columns;
  const int whole_width = columns * (width + margin) + margin, line = height + caption_height + margin;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#20242a\"/>\n"
      "<defs><g id=\"env\">\n<rect y=\"-0.5\" width=\"{2}\" height=\"{3}\" fill=\"white\"/>\n{4}</g></defs>\n",
      whole_width, rows * line + margin, width, height, background.to_svg(false));
  for (std::size_t i = 0; i < frames.size(); ++i) {
    Drawing frame = background;
    frame.draw(object, frames[i].pose, true);
    const int x = margin + static_cast<int>(i) % columns * (width + margin);
    const int y = margin + static_cast<int>(i) / columns * line;
    out += fmt::format(
        "<g transform=\"translate({} {}.5)\" shape-rendering=\"crispEdges\">\n<use href=\"#env\"/>\n{}</g>\n"
        "<text x=\"{}\" y=\"{}\" fill=\"white\">{}</text>\n",
        x, y, frame.to_svg(true), x, y + height + 12, frames[i].caption);
  }
  return out + "</svg>\n";
}

std::vector<Frame> spread(std::span<const Pose> path, std::size_t count) {
  std::vector<Frame> frames;
  for (std::size_t i = 0; i < count && !path.empty(); ++i) {
    const std::size_t step = count == 1 ? 0 : i * (path.size() - 1) / (count - 1);
    frames.push_back({fmt::format("step {}", step), path[step]});
  }
  return frames;
}

}  // namespace tumble::lab
