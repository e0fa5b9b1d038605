// SPDX-License-Identifier: Apache-2.0
// Writers of OBJ, PLY and STL, and the checks of all writers.
#include "core/out_file.h"
#include "io/writers.h"

#include <tumble/error.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace tumble::io {
namespace {

/// The shortest digits that read back as the same number.
template <class Number>
void append(std::string& text, Number value) {
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  text.append(digits, end);
}

/// A name that fits on an OBJ line: no line breaks, and no backslash at its end, which would join the next line.
std::string one_line(std::string name) {
  for (char& c : name)
    if (static_cast<unsigned char>(c) < ' ') c = '_';
  if (name.ends_with('\\')) name.back() = '_';
  return name;
}

/// Scales before squaring, so that tiny and huge vectors neither underflow nor overflow.
Vec3 unit_or_zero(Vec3 v) {
  const double largest = std::fmax(std::abs(v.x), std::fmax(std::abs(v.y), std::abs(v.z)));
  if (largest == 0) return {};
  v = v / largest;
  return v / length(v);
}

}  // namespace

void check_writable(const Mesh& mesh) {
  check(mesh);
  if (mesh.triangles.empty())
    throw Error(ErrorCode::invalid_mesh, "the mesh has no triangles; a file of it could not be read back");
}

float narrowed(double coordinate, const std::filesystem::path& file) {
  if (std::abs(coordinate) > static_cast<double>(std::numeric_limits<float>::max()))
    throw Error(ErrorCode::invalid_mesh,
                "a coordinate is above 3.4e38 in magnitude, too large for this format's single precision; "
                "write .obj or .ply instead",
                {.file = file.string()});
  return static_cast<float>(coordinate);
}

void write_obj(const Mesh& mesh, const std::filesystem::path& file) {
  OutFile out(file);
  std::string line;
  for (const Vec3& v : mesh.vertices) {
    line.assign(1, 'v');
    for (int axis = 0; axis < 3; ++axis) line += ' ', append(line, v[axis]);
    line += '\n';
    out.write(line);
  }
  auto part = mesh.parts.begin();
  bool named = false;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (named && t == std::size_t{part->first_triangle} + part->triangle_count) {
      named = false;
      ++part;
      if (part == mesh.parts.end() || part->first_triangle != t) out.write("g\n");
    }
    while (!named && part != mesh.parts.end() && part->first_triangle == t) {
      named = part->triangle_count > 0;
      if (named)
        out.write("g " + one_line(part->name) + "\n");
      else
        ++part;
    }
    line.assign(1, 'f');
    for (const std::uint32_t index : mesh.triangles[t]) line += ' ', append(line, std::uint64_t{index} + 1);
    line += '\n';
    out.write(line);
  }
  out.commit();
}

void write_ply(const Mesh& mesh, const std::filesystem::path& file) {
  OutFile out(file);
  out.write("ply\nformat binary_little_endian 1.0\ncomment written by tumble\nelement vertex " +
            std::to_string(mesh.vertices.size()) +
            "\nproperty double x\nproperty double y\nproperty double z\nelement face " +
            std::to_string(mesh.triangles.size()) + "\nproperty list uchar int vertex_indices\nend_header\n");
  for (const Vec3& v : mesh.vertices) out.write_value(v);
  for (const Triangle& t : mesh.triangles) {
    out.write_value(std::uint8_t{3});
    out.write_value(t);
  }
  out.commit();
}

void write_stl(const Mesh& mesh, const std::filesystem::path& file) {
  if (mesh.triangles.size() > std::numeric_limits<std::uint32_t>::max())
    throw Error(ErrorCode::invalid_mesh, "too many triangles for STL", {.file = file.string()});
  OutFile out(file);
  std::string header = "binary STL written by tumble";  // not "solid": some readers decide by that word alone
  header.resize(80, ' ');
  out.write(header);
  out.write_value(static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
    const Vec3 normal = unit_or_zero(cross(b - a, c - a));
    for (const Vec3& v : {normal, a, b, c})
      for (int axis = 0; axis < 3; ++axis) out.write_value(narrowed(v[axis], file));
    out.write_value(std::uint16_t{0});
  }
  out.commit();
}

}  // namespace tumble::io
