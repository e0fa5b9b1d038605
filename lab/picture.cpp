// SPDX-License-Identifier: Apache-2.0
// Triangles to pixels, and pixels to a PNG whose deflate stream is stored, not compressed.
#include "lab/picture.h"

#include <tumble/error.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>

namespace tumble::lab {
namespace {

constexpr std::size_t samples = 2;  // per pixel and direction, averaged at the end

struct Camera {
  Vec3 eye, right, up, back;
  double focal = 1;  // in samples
  double half_width = 0, half_height = 0;

  /// x and y in samples, z the depth in front of the eye.
  Vec3 project(Vec3 p) const {
    const Vec3 d = p - eye;
    const double depth = -dot(d, back);
    return {half_width + focal * dot(d, right) / depth, half_height - focal * dot(d, up) / depth, depth};
  }
};

Camera aim(const std::vector<Shown>& things, const View& view) {
  Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  for (const Shown& thing : things)
    for (const Vec3& v : thing.mesh->vertices) {
      const Vec3 p = thing.pose * v;
      for (int axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], p[axis]);
        high[axis] = std::max(high[axis], p[axis]);
      }
    }
  constexpr double degree = 0.017453292519943295;
  const double yaw = view.yaw_degrees * degree, pitch = view.pitch_degrees * degree;
  Camera camera;
  camera.back = {std::cos(pitch) * std::cos(yaw), std::cos(pitch) * std::sin(yaw), std::sin(pitch)};
  camera.right = {-std::sin(yaw), std::cos(yaw), 0};
  camera.up = cross(camera.back, camera.right);
  const double radius = std::max(length(high - low) / 2, 1e-30) / view.zoom;
  constexpr double distance_in_radii = 3;
  camera.eye = (view.look_at_point ? view.point : (low + high) * 0.5) + camera.back * (distance_in_radii * radius);
  camera.half_width = static_cast<double>(view.width * samples) / 2;
  camera.half_height = static_cast<double>(view.height * samples) / 2;
  camera.focal = std::min(camera.half_width, camera.half_height) * (distance_in_radii - 0.3);
  return camera;
}

struct Canvas {
  std::size_t width, height;
  std::vector<double> depth;
  std::vector<Color> color;
};

void fill(Canvas& canvas, const std::array<Vec3, 3>& t, Color color) {
  const double area = (t[1].x - t[0].x) * (t[2].y - t[0].y) - (t[1].y - t[0].y) * (t[2].x - t[0].x);
  if (!(std::abs(area) > 0)) return;
  const auto range = [](double a, double b, double c, std::size_t size) {
    const double low = std::clamp(std::min({a, b, c}), 0.0, static_cast<double>(size));
    const double high = std::clamp(std::max({a, b, c}) + 1, 0.0, static_cast<double>(size));
    return std::array{static_cast<std::size_t>(low), static_cast<std::size_t>(high)};
  };
  const auto [x0, x1] = range(t[0].x, t[1].x, t[2].x, canvas.width);
  const auto [y0, y1] = range(t[0].y, t[1].y, t[2].y, canvas.height);
  for (std::size_t y = y0; y < y1; ++y)
    for (std::size_t x = x0; x < x1; ++x) {
      const double px = static_cast<double>(x) + 0.5, py = static_cast<double>(y) + 0.5;
      const auto weight = [&](const Vec3& a, const Vec3& b) {
        return ((b.x - a.x) * (py - a.y) - (b.y - a.y) * (px - a.x)) / area;
      };
      const double w0 = weight(t[1], t[2]), w1 = weight(t[2], t[0]), w2 = weight(t[0], t[1]);
      if (w0 < 0 || w1 < 0 || w2 < 0) continue;
      const double depth = 1 / (w0 / t[0].z + w1 / t[1].z + w2 / t[2].z);
      if (depth >= canvas.depth[y * canvas.width + x]) continue;
      canvas.depth[y * canvas.width + x] = depth;
      canvas.color[y * canvas.width + x] = color;
    }
}

/// Parts that are drawn side by side take turns.
constexpr std::array<Color, 8> part_colors{{{230, 126, 60},
                                            {86, 152, 210},
                                            {236, 190, 70},
                                            {110, 178, 110},
                                            {200, 110, 160},
                                            {120, 190, 200},
                                            {196, 90, 80},
                                            {150, 130, 200}}};

/// The color of each triangle.
std::vector<Color> colors_of(const Shown& thing) {
  std::vector<Color> colors(thing.mesh->triangles.size(), thing.color);
  for (std::size_t p = 0; thing.color_parts && p < thing.mesh->parts.size(); ++p) {
    const Part& part = thing.mesh->parts[p];
    std::fill_n(colors.begin() + part.first_triangle, part.triangle_count, part_colors[p % part_colors.size()]);
  }
  return colors;
}

void append_big_endian(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>((value >> shift) & 0xff));
}

void append_chunk(std::string& png, const std::string& type, const std::string& data) {
  append_big_endian(png, static_cast<std::uint32_t>(data.size()));
  const std::string body = type + data;
  std::uint32_t crc = 0xffffffffu;
  for (const char c : body) {
    crc ^= static_cast<std::uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) ? 0xedb88320u : 0);
  }
  png += body;
  append_big_endian(png, ~crc);
}

}  // namespace

Picture render(const std::vector<Shown>& things, const View& view) {
  const Camera camera = aim(things, view);
  Canvas canvas{view.width * samples, view.height * samples, {}, {}};
  canvas.depth.assign(canvas.width * canvas.height, std::numeric_limits<double>::infinity());
  canvas.color.assign(canvas.width * canvas.height, Color{255, 255, 255});
  Vec3 light = camera.back + camera.up * 0.8 - camera.right * 0.5;
  light = light / length(light);
  for (const Shown& thing : things) {
    const std::vector<Color> colors = colors_of(thing);
    for (std::size_t t = 0; t < colors.size(); ++t) {
      const Triangle& triangle = thing.mesh->triangles[t];
      std::array<Vec3, 3> world{}, screen{};
      bool in_front = true;
      for (std::size_t i = 0; i < 3; ++i) {
        world[i] = thing.pose * thing.mesh->vertices[triangle[i]];
        screen[i] = camera.project(world[i]);
        if (screen[i].z <= 1e-9) in_front = false;  // behind the eye: left out rather than clipped
      }
      Vec3 normal = cross(world[1] - world[0], world[2] - world[0]);
      const double size = length(normal);
      if (!in_front || !(size > 0)) continue;
      normal = normal / size;
      if (dot(normal, camera.eye - world[0]) < 0) {
        if (view.cut_front) continue;
        normal = -normal;
      }
      const double shade = 0.18 + 0.82 * std::max(0.0, dot(normal, light));
      Color color{};
      for (std::size_t i = 0; i < 3; ++i) color[i] = static_cast<std::uint8_t>(colors[t][i] * shade);
      fill(canvas, screen, color);
    }
  }
  Picture picture{view.width, view.height, {}};
  picture.pixels.resize(view.width * view.height);
  for (std::size_t y = 0; y < view.height; ++y)
    for (std::size_t x = 0; x < view.width; ++x)
      for (std::size_t channel = 0; channel < 3; ++channel) {
        unsigned sum = 0;
        for (std::size_t k = 0; k < samples * samples; ++k)
          sum += canvas.color[(y * samples + k / samples) * canvas.width + x * samples + k % samples][channel];
        picture.pixels[y * view.width + x][channel] = static_cast<std::uint8_t>(sum / (samples * samples));
      }
  return picture;
}

Picture side_by_side(const std::vector<Picture>& pictures) {
  Picture whole{0, pictures.front().height, {}};
  for (const Picture& picture : pictures) whole.width += picture.width;
  for (std::size_t y = 0; y < whole.height; ++y)
    for (const Picture& picture : pictures) {
      const auto row = picture.pixels.begin() + static_cast<std::ptrdiff_t>(y * picture.width);
      whole.pixels.insert(whole.pixels.end(), row, row + static_cast<std::ptrdiff_t>(picture.width));
    }
  return whole;
}

Picture stacked(const std::vector<Picture>& pictures) {
  Picture whole{pictures.front().width, 0, {}};
  for (const Picture& picture : pictures) {
    whole.height += picture.height;
    whole.pixels.insert(whole.pixels.end(), picture.pixels.begin(), picture.pixels.end());
  }
  return whole;
}

void save_png(const Picture& picture, const std::filesystem::path& file) {
  std::string rows;
  for (std::size_t y = 0; y < picture.height; ++y) {
    rows.push_back(0);  // no filter
    for (std::size_t x = 0; x < picture.width; ++x)
      for (const std::uint8_t channel : picture.pixels[y * picture.width + x])
        rows.push_back(static_cast<char>(channel));
  }
  std::string stream = "\x78\x01";
  for (std::size_t at = 0; at < rows.size() || at == 0;) {
    const std::size_t size = std::min<std::size_t>(rows.size() - at, 65535);
    stream.push_back(at + size == rows.size() ? 1 : 0);
    for (const std::size_t word : {size, ~size})
      stream.push_back(static_cast<char>(word & 0xff)), stream.push_back(static_cast<char>((word >> 8) & 0xff));
    stream.append(rows, at, size);
    at += size;
    if (size == 0) break;
  }
  std::uint32_t a = 1, b = 0;
  for (const char c : rows) a = (a + static_cast<std::uint8_t>(c)) % 65521, b = (b + a) % 65521;
  append_big_endian(stream, (b << 16) | a);

  std::string header;
  append_big_endian(header, static_cast<std::uint32_t>(picture.width));
  append_big_endian(header, static_cast<std::uint32_t>(picture.height));
  header += {8, 2, 0, 0, 0};  // 8 bits, RGB
  std::string png = "\x89PNG\r\n\x1a\n";
  append_chunk(png, "IHDR", header);
  append_chunk(png, "IDAT", stream);
  append_chunk(png, "IEND", "");
  std::ofstream out(file, std::ios::binary);
  out.write(png.data(), static_cast<std::streamsize>(png.size()));
  if (!out.flush()) throw Error(ErrorCode::file_access, "cannot write the picture", {.file = file.string()});
}

}  // namespace tumble::lab
