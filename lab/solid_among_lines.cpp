// SPDX-License-Identifier: Apache-2.0
// Lines are drawn once and used in every panel; solid triangles over them, the farthest first.
#include "lab/solid_among_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace tumble::lab {
namespace {

constexpr int width = 320, margin = 8, caption_height = 18;
constexpr int steps = 10;  // to a pixel: whole numbers make small files
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::array<const char*, 2> colors{"#1f77b4", "#ff7f0e"};

/// A corner in the picture, y downward, and its distance from the camera.
struct Seen {
  int x, y;
  double away;
};

class Camera {
 public:
  Camera(std::span<const LineBody> bodies, Vec3 along, Vec3 upward) {
    away_ = along / length(along);
    right_ = cross(away_, upward);
    right_ = right_ / length(right_);
    up_ = cross(right_, away_);
    double low_x = infinity, high_x = -infinity, low_y = infinity, high_y = -infinity;
    for (const LineBody& body : bodies)
      for (const Vec3& vertex : body.mesh->vertices) {
        const Vec3 p = body.pose * vertex;
        low_x = std::min(low_x, dot(p, right_)), high_x = std::max(high_x, dot(p, right_));
        low_y = std::min(low_y, dot(p, up_)), high_y = std::max(high_y, dot(p, up_));
      }
    left_ = low_x, top_ = high_y;
    scale_ = (width - 2) * steps / std::max(high_x - low_x, 1e-300);
    height_ = static_cast<int>(std::ceil((high_y - low_y) * scale_ / steps)) + 2;
  }
  Seen operator()(const Vec3& p) const {
    return {static_cast<int>(std::lround((dot(p, right_) - left_) * scale_)) + steps,
            static_cast<int>(std::lround((top_ - dot(p, up_)) * scale_)) + steps, dot(p, away_)};
  }
  int height() const { return height_; }

 private:
  Vec3 right_, up_, away_;
  double left_ = 0, top_ = 0, scale_ = 1;
  int height_ = 0;
};

std::vector<Seen> seen(const LineBody& body, const Camera& camera) {
  std::vector<Seen> out;
  for (const Vec3& vertex : body.mesh->vertices) out.push_back(camera(body.pose * vertex));
  return out;
}

/// Every edge once.
std::string lines(const LineBody& body, const std::vector<Seen>& corners) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const Triangle& t : body.mesh->triangles)
    for (std::size_t i = 0; i < 3; ++i) edges.insert(std::minmax(t[i], t[(i + 1) % 3]));
  std::string out;
  for (const auto& [a, b] : edges)
    fmt::format_to(std::back_inserter(out), "M{} {}l{} {}", corners[a].x, corners[a].y, corners[b].x - corners[a].x,
                   corners[b].y - corners[a].y);
  return out;
}

}  // namespace

std::string solid_among_lines(std::span<const LineBody> bodies, std::span<const SolidPanel> panels, Vec3 along,
                              Vec3 up) {
  const Camera camera(bodies, along, up);
  std::vector<std::vector<Seen>> corners;
  std::string background;
  for (const LineBody& body : bodies) {
    corners.push_back(seen(body, camera));
    background += lines(body, corners.back());
  }
  const int whole_width = static_cast<int>(panels.size()) * (width + margin) + margin;
  const int whole_height = camera.height() + caption_height + 2 * margin;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
      "<defs><path id=\"lines\" fill=\"none\" stroke=\"#b8bcc2\" stroke-width=\"{2}\" d=\"{3}\"/></defs>\n",
      whole_width, whole_height, 0.4 * steps, background);
  int x = margin;
  for (const SolidPanel& panel : panels) {
    struct Face {
      double away;
      std::string path;
    };
    std::vector<Face> faces;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      for (const std::uint32_t triangle : panel.solid[i]) {
        const Triangle& t = bodies[i].mesh->triangles[triangle];
        const Seen &a = corners[i][t[0]], &b = corners[i][t[1]], &c = corners[i][t[2]];
        faces.push_back(
            {a.away + b.away + c.away, fmt::format("<path fill=\"{}\" d=\"M{} {}L{} {}L{} {}z\"/>\n",
                                                   colors[i % colors.size()], a.x, a.y, b.x, b.y, c.x, c.y)});
      }
    std::ranges::stable_sort(faces, std::ranges::greater{}, &Face::away);
    out += fmt::format(
        "<g transform=\"translate({} {}) scale({})\" stroke=\"white\" stroke-width=\"{}\" stroke-linejoin=\"round\">\n"
        "<use href=\"#lines\"/>\n",
        x, margin, 1.0 / steps, 0.3 * steps);
    for (const Face& face : faces) out += face.path;
    out += fmt::format("</g>\n<text x=\"{}\" y=\"{}\">{}</text>\n", x + width / 2,
                       margin + camera.height() + caption_height - 4, panel.caption);
    x += width + margin;
  }
  return out + "</svg>\n";
}

}  // namespace tumble::lab
