// SPDX-License-Identifier: Apache-2.0
// Solids of a pair, and contacts of kind inside.
#include "query/shells_inside.h"

#include <tumble/error.h>
#include <tumble/solid.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace tumble {
namespace {

void check_closed(const Model& model, const char* role) {
  try {
    tumble::check_closed(model);
  } catch (const Error& error) {
    throw Error(error.code(), std::string("the ") + role + ": " + error.message());
  }
}

}  // namespace

BodyBall::BodyBall(const PlacedTree& ball, const Body& in) {
  const PlacedBall whole = ball.whole();
  const WorldToTree to_own(Frame{}, in.pose);  // the body's own coordinates
  center_ = to_own.at(whole.center).at;
  radius_ = (whole.radius + ball.rounding() + PlacedTree(in).rounding()) / to_own.least_length();
}

bool BodyBall::reaches(const Box& box) const {
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double gap = std::max({0.0, box.lower[axis] - center_[axis], center_[axis] - box.upper[axis]});
    sum += gap * gap;
  }
  return !(sum > radius_ * radius_);
}

void PairSolids::prepare(const Model& environment, const Model& object) {
  check_closed(environment, "environment");
  check_closed(object, "object");
  environment_marks_.reset(data_of(environment).solid_facts());
  object_marks_.reset(data_of(object).solid_facts());
}

bool PairSolids::is_still_inside(const PlacedPair& bodies) const {
  if (!last) return false;
  const bool is_environments = last->is_environments;
  return is_inside(is_environments ? bodies.environment : bodies.object, last->vertex,
                   PlacedTree(is_environments ? bodies.object : bodies.environment));
}

std::optional<Distance> PairSolids::distance_inside(const PlacedPair& bodies, bool thoroughly) {
  std::optional<Distance> found;
  for_each_inside(bodies, thoroughly, [&](const ShellInside& shell, const Body& inner, const PlacedTree& outer) {
    const Contact contact = make_inside_contact(shell, inner, outer);
    found = {0, 0, false, contact.triangle_a, contact.triangle_b, contact.point, contact.point, true};
    return true;
  });
  return found;
}

void PairSolids::add_contacts(const PlacedPair& bodies, bool thoroughly, std::size_t at_most, Contacts& into) {
  const std::size_t before = into.size();
  if (before >= at_most) return;
  for_each_inside(bodies, thoroughly, [&](const ShellInside& shell, const Body& inner, const PlacedTree& outer) {
    into.push_back(make_inside_contact(shell, inner, outer));
    return into.size() >= at_most;
  });
  if (into.size() > before)
    std::ranges::sort(into, {}, [](const Contact& c) { return std::pair(c.triangle_a, c.triangle_b); });
}

Contact make_inside_contact(const ShellInside& shell, const Body& inner, const PlacedTree& outer) {
  const Vec3 point = inner.vertex(shell.vertex);
  const SurfacePoint wall = outer.nearest(point);
  Contact contact;
  contact.kind = ContactKind::inside;
  contact.triangle_a = shell.is_environments ? shell.triangle : wall.triangle;
  contact.triangle_b = shell.is_environments ? wall.triangle : shell.triangle;
  contact.vertex_count = 1;
  contact.vertices[0] = contact.point = point;
  contact.depth = std::sqrt(wall.distance_sq);
  const Vec3 way_out = (wall.point - point) / contact.depth;
  contact.normal = shell.is_environments ? way_out : -way_out;
  return contact;
}

}  // namespace tumble
