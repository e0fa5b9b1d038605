// SPDX-License-Identifier: Apache-2.0
// Which shells are inside, and the contacts that stand for them.
#include "query/shells_inside.h"

#include <tumble/error.h>
#include <tumble/solid.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace tumble {
namespace {

void check_closed(const Model& model, const char* which) {
  try {
    tumble::check_closed(model);
  } catch (const Error& error) {
    throw Error(error.code(), std::string(which) + ": " + error.message());
  }
}

}  // namespace

BodyBall::BodyBall(const PlacedTree& ball, const Body& in) {
  const PlacedBall whole = ball.whole();
  const WorldToTree to_own(Frame{}, in);  // the body's own coordinates
  center_ = to_own.at(whole.center).at;
  radius_ = (whole.radius + ball.rounding() + PlacedTree(in).rounding()) / to_own.lengths().least;
}

bool BodyBall::reaches(const Box& box) const {
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double gap = std::max({0.0, box.lower[axis] - center_[axis], center_[axis] - box.upper[axis]});
    sum += gap * gap;
  }
  return !(sum > radius_ * radius_);
}

void ShellSearch::begin(const Model& a, const Model& b) {
  check_closed(a, "body a");
  check_closed(b, "body b");
  marks_a_.reset(data_of(a).solid_facts());
  marks_b_.reset(data_of(b).solid_facts());
  of_b_ = false;
  next_ = 0;
}

bool is_still_inside(const ShellInside& shell, const PlacedPair& bodies) {
  return is_inside(shell.is_of_a ? bodies.a : bodies.b, shell.vertex, PlacedTree(shell.is_of_a ? bodies.b : bodies.a));
}

Contact make_inside_contact(const ShellInside& shell, const PlacedPair& bodies) {
  const Vec3 point = (shell.is_of_a ? bodies.a : bodies.b).vertex(shell.vertex);
  const SurfacePoint wall = PlacedTree(shell.is_of_a ? bodies.b : bodies.a).nearest(point);
  Contact contact;
  contact.kind = ContactKind::inside;
  contact.triangle_a = shell.is_of_a ? shell.triangle : wall.triangle;
  contact.triangle_b = shell.is_of_a ? wall.triangle : shell.triangle;
  contact.vertex_count = 1;
  contact.vertices[0] = contact.point = point;
  contact.depth = std::sqrt(wall.distance_sq);
  const Vec3 way_out = (wall.point - point) / contact.depth;
  contact.normal = shell.is_of_a ? way_out : -way_out;
  return contact;
}

}  // namespace tumble
