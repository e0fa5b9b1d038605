// SPDX-License-Identifier: Apache-2.0
// Integrals over the tetrahedra between a reference point and the triangles, with the sign of each tetrahedron.
#include <tumble/mass.h>

#include "core/plain_arithmetic.h"
#include "math/max_norm.h"
#include "math/power_of_two.h"
#include "mesh/solid_facts.h"

#include <tumble/error.h>

#include <cmath>
#include <cstddef>

namespace tumble {
namespace {

/// Integrals of 1, x and x·xᵀ, relative to the reference point.
struct Moments {
  double volume = 0, absolute = 0;  // absolute: of the tetrahedra without their signs
  Vec3 first{};
  std::array<Vec3, 3> second{};  // rows

  /// The tetrahedron of the reference point and a triangle: ∫x = V·s/4 and ∫x·xᵀ = V·(s·sᵀ + a·aᵀ + b·bᵀ + c·cᵀ)/20
  /// with s = a + b + c.
  void add(Vec3 a, Vec3 b, Vec3 c) {
    const double v = dot(a, cross(b, c)) / 6;
    const Vec3 s = (a + b) + c;
    volume += v;
    absolute += std::abs(v);
    first += s * (v / 4);
    for (int i = 0; i < 3; ++i)
      second[static_cast<std::size_t>(i)] += ((s * s[i] + a * a[i]) + (b * b[i] + c * c[i])) * (v / 20);
  }
};

Vec3 scaled(Vec3 v, int exponent) {
  return {times_power_of_two(v.x, exponent), times_power_of_two(v.y, exponent), times_power_of_two(v.z, exponent)};
}

bool positive_definite(const std::array<Vec3, 3>& m) {
  return m[0].x > 0 && m[0].x * m[1].y - m[0].y * m[0].y > 0 && dot(m[0], cross(m[1], m[2])) > 0;
}

}  // namespace

MassProperties mass_properties(const Mesh& mesh) {
  const PlainArithmetic plain;
  check(mesh);
  if (const SolidFacts facts = solid_facts(mesh.vertices, mesh.triangles); !facts.fault.empty())
    throw Error(ErrorCode::not_closed, facts.fault);
  const Box box = bounding_box(mesh);
  const Vec3 reference = box.lower * 0.5 + box.upper * 0.5;
  // In units of a power of two near the size, so that nothing overflows or vanishes on the way.
  const int exponent = fraction_of(max_norm(box.upper - reference)).exponent;
  const auto local = [&](std::uint32_t vertex) { return scaled(mesh.vertices[vertex] - reference, -exponent); };
  Moments moments;
  for (const Triangle& t : mesh.triangles) moments.add(local(t[0]), local(t[1]), local(t[2]));

  MassProperties mass;
  mass.inside_out = moments.volume < 0;
  const double sign = mass.inside_out ? -1 : 1;
  const double volume = moments.volume * sign;
  // Sums of rounded terms know a volume only if it is not lost among them.
  if (!(volume > 1e-12 * moments.absolute))
    throw Error(ErrorCode::invalid_mesh, "the mesh encloses no volume, so it has no mass");
  const Vec3 centre = moments.first * (sign / volume);
  for (int i = 0; i < 3; ++i)
    moments.second[static_cast<std::size_t>(i)] =
        moments.second[static_cast<std::size_t>(i)] * sign - centre * (volume * centre[i]);
  const double trace = (moments.second[0].x + moments.second[1].y) + moments.second[2].z;
  for (int i = 0; i < 3; ++i) {
    Vec3& row = mass.inertia[static_cast<std::size_t>(i)];
    row = -moments.second[static_cast<std::size_t>(i)];
    row[i] += trace;
  }
  if (!positive_definite(mass.inertia))
    throw Error(ErrorCode::invalid_mesh, "the mesh has no inertia of a solid: its shells are wound against each other");
  mass.volume = times_power_of_two(volume, 3 * exponent);
  mass.centre = reference + scaled(centre, exponent);
  for (Vec3& row : mass.inertia) row = scaled(row, 5 * exponent);
  const double least = std::fmin(mass.volume, std::fmin(mass.inertia[0].x, mass.inertia[1].y));
  if (!(least >= 1e-290) || !(max_norm(mass.inertia[0] + mass.inertia[1] + mass.inertia[2]) <= 1e290))
    throw Error(ErrorCode::invalid_mesh, "the mesh is too large or too small for its mass to be a number; scale it");
  return mass;
}

double surface_area(const Mesh& mesh) {
  const PlainArithmetic plain;
  check(mesh);
  const Box box = bounding_box(mesh);
  if (mesh.triangles.empty()) return 0;
  const int exponent = fraction_of(std::fmax(max_norm(box.upper), max_norm(box.lower))).exponent;
  double sum = 0;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = scaled(mesh.vertices[t[0]], -exponent);
    sum += length(cross(scaled(mesh.vertices[t[1]], -exponent) - a, scaled(mesh.vertices[t[2]], -exponent) - a)) / 2;
  }
  return times_power_of_two(sum, 2 * exponent);
}

}  // namespace tumble
