// SPDX-License-Identifier: Apache-2.0
// Upper bounds: the hulls' least translation separates the bodies, too. Shorter ones are looked for along many
// directions, each by a scan outward and a bisection, and around the best by turning the direction, as in a pattern
// search (Hooke & Jeeves 1961). Lower bounds: if a ball around a point is inside a and another around it inside b, no
// translation shorter than both radii together keeps the two apart.
#include "convex/separating_search.h"

#include "convex/convex_data.h"
#include "core/plain_arithmetic.h"
#include "math/sum_norm.h"
#include "query/check_requests.h"

#include <tumble/error.h>
#include <tumble/point.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tumble {
namespace {

/// For each of the two depths from which the lower bound starts.
constexpr std::uint64_t searches_for_depth = std::uint64_t{1} << 13;
constexpr int most_steps_of_climb = 200;
constexpr std::size_t refined = 3;
/// The squares of shorter lengths lose digits: they are not told from it.
constexpr double least_length = 1e-150;

Mesh mesh_of(const Model& model) {
  return {{model.vertices().begin(), model.vertices().end()}, {model.triangles().begin(), model.triangles().end()}, {}};
}

}  // namespace

SeparatingSearch::SeparatingSearch(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                                   const SeparatingTranslationRequest& request)
    : pair_(a, b),
      pose_a_(pose_a),
      pose_b_(pose_b),
      request_(request),
      a_(extent_of(a, pose_a)),
      b_(extent_of(b, pose_b)),
      precision_(
          std::max(request.precision > 0 ? request.precision : 2e-3 * std::min(a_.radius, b_.radius), least_length)) {}

SeparatingSearch::Extent SeparatingSearch::extent_of(const Model& model, const Pose& pose) {
  Box box{pose * model.vertices()[0], pose * model.vertices()[0]};
  Extent extent;
  for (const Vec3& v : model.vertices()) {
    const Vec3 p = pose * v;
    for (int axis = 0; axis < 3; ++axis) {
      box.lower[axis] = std::min(box.lower[axis], p[axis]);
      box.upper[axis] = std::max(box.upper[axis], p[axis]);
    }
    extent.reach = std::max(extent.reach, sum_norm(v) + sum_norm(pose.translation()));
  }
  extent.middle = box.lower + (box.upper - box.lower) * 0.5;
  extent.radius = std::max(length(box.upper - box.lower) * 0.5, least_length);
  return extent;
}

SeparatingTranslation SeparatingSearch::run() {
  if (!pair_.collide(pose_a_, pose_b_, {.solid = true})) return {};
  if (!overlaps_at({})) return {.in_contact = true};
  start();
  if (!is_done()) raise_lower();
  struct Found {
    double length;
    Vec3 direction;
  };
  std::vector<Found> found{{upper_, translation_ / upper_}};
  for (const Vec3& direction : is_done() ? std::vector<Vec3>{} : directions()) {
    const double free = scan(direction, 1.25 * upper_);
    if (std::isfinite(free)) found.push_back({free, direction});
    if (is_done()) break;
  }
  std::ranges::stable_sort(found, {}, &Found::length);
  for (std::size_t i = 0; i < std::min(found.size(), refined) && !is_done(); ++i)
    refine(found[i].direction, found[i].length);
  if (!is_done()) shorten(translation_ / upper_, upper_, 1e-6, 1e-11);
  return {true, translation_, std::min(lower_, upper_), upper_};
}

bool SeparatingSearch::overlaps_at(Vec3 translation) {
  ++asked_;
  return pair_.collide(pose_a_, Pose::from_translation(translation) * pose_b_, {.ignore_touch = true, .solid = true});
}

/// Whether the bodies are separate there, as long as there are questions left. Keeps the shortest.
bool SeparatingSearch::is_free(Vec3 direction, double length) {
  if (is_done()) return false;
  const Vec3 translation = direction * length;
  if (overlaps_at(translation)) return false;
  if (const double most = tumble::length(translation) * (1 + 1e-15); most < upper_) {
    translation_ = translation;
    upper_ = most;
  }
  return true;
}

/// Some translation that separates. Of convex bodies that is the least, and all there is to find.
void SeparatingSearch::start() {
  const Vec3 between = b_.middle - a_.middle;
  const double far = length(between), apart = a_.radius + b_.radius;
  const double needed = std::max(apart - far, 1e-12 * apart);
  Vec3 translation = far > 0 ? between * (needed / far) : Vec3{needed, 0, 0};
  try {
    const Mesh mesh_a = mesh_of(pair_.a()), mesh_b = mesh_of(pair_.b());
    const ConvexModel a = ConvexModel::hull_of(mesh_a), b = ConvexModel::hull_of(mesh_b);
    const SeparatingTranslation of_hulls = separating_translation(a, pose_a_, b, pose_b_);
    const bool are_convex =
        !convexity_fault(mesh_a, ConvexAccess::data(a)) && !convexity_fault(mesh_b, ConvexAccess::data(b));
    if (const double size = length(of_hulls.translation); size >= least_length && std::isfinite(size)) {
      if (are_convex) lower_ = of_hulls.lower;
      translation = of_hulls.translation;
    }
  } catch (const Error&) {  // Qhull cannot compute a hull: balls around the bodies will do
  }
  double more = 0;  // roundings may make it necessary to go a little farther
  while (overlaps_at(translation * (1 + more))) more = more == 0 ? 0x1p-44 : 16 * more;
  translation_ = translation * (1 + more);
  upper_ = length(translation_) * (1 + 1e-15);
}

void SeparatingSearch::raise_lower() {
  Query overlap = pair_.start(pose_a_, pose_b_, OverlapDepthRequest{.precision = precision_});
  overlap.run({.node_pairs = searches_for_depth});
  const OverlapDepth ball = overlap.overlap_depth();
  const double rounding = 0x1p-46 * (a_.reach + b_.reach + upper_);
  lower_ = std::max(lower_, ball.lower - rounding);
  if (!(ball.lower > 0) || is_done()) return;
  Query depths = pair_.start(pose_a_, pose_b_, PenetrationRequest{.precision = precision_});
  depths.run({.node_pairs = searches_for_depth});
  const Penetration deepest = depths.penetration();
  hints_ = {deepest.b_in_a.nearest - deepest.b_in_a.point, deepest.a_in_b.point - deepest.a_in_b.nearest};
  // The deepest points are on a surface; a little toward the ball they are inside both bodies.
  climb(ball.center);
  for (const Deepest& one : {deepest.a_in_b, deepest.b_in_a})
    for (const double part : {1e-9, 1e-6, 1e-3})
      if (one.lower > 0) climb(one.point + (ball.center - one.point) * part);
}

/// No translation shorter than this separates the bodies, roundings of both set aside. Not above 0 outside of them.
double SeparatingSearch::depth_at(const Vec3& point) const {
  const double in_a = -signed_distance(pair_.a(), pose_a_, point).distance;
  const double in_b = -signed_distance(pair_.b(), pose_b_, point).distance;
  return in_a > 0 && in_b > 0 ? in_a + in_b : std::min(in_a, in_b);
}

void SeparatingSearch::climb(Vec3 from) {
  double depth = depth_at(from), step = 0.25 * upper_;
  for (int i = 0; i < most_steps_of_climb && step > 0.1 * precision_; ++i) {
    bool is_higher = false;
    for (int axis = 0; axis < 3; ++axis)
      for (const double sign : {1.0, -1.0}) {
        Vec3 next = from;
        next[axis] += sign * step;
        const double its = depth_at(next);
        if (!(its > depth)) continue;
        depth = its, from = next, is_higher = true;
      }
    if (!is_higher) step *= 0.5;
  }
  // What signed_distance may err by, and what moving b may round.
  const double rounding = 1e-12 * std::abs(depth) + 4e-14 * (a_.reach + b_.reach + upper_);
  lower_ = std::max(lower_, depth - rounding);
}

std::vector<Vec3> SeparatingSearch::directions() {
  std::vector<Vec3> all;
  const auto add = [&](Vec3 direction) {
    const double size = length(direction);
    if (!(size > 0) || !std::isfinite(size)) return;
    direction = direction / size;
    const auto is_same = [&](const Vec3& other) { return dot(direction, other) > 0.999; };
    if (std::ranges::none_of(all, is_same)) all.push_back(direction);
  };
  for (const Vec3& hint : hints_) add(hint);
  add(translation_);
  for (const Pose* pose : {&pose_a_, &pose_b_})
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 column{pose->row(0)[axis], pose->row(1)[axis], pose->row(2)[axis]};
      add(column), add(-column);
    }
  for (const double x : {-1.0, 0.0, 1.0})
    for (const double y : {-1.0, 0.0, 1.0})
      for (const double z : {-1.0, 0.0, 1.0}) add({x, y, z});
  return all;
}

/// The length of a translation along a unit direction that separates; infinite if none up to `limit` was met.
double SeparatingSearch::scan(Vec3 direction, double limit) {
  const double least = std::max(lower_, 0.25 * precision_);
  const double ratio = std::max(1.25, std::sqrt(std::sqrt(std::sqrt(limit / least))));  // eight steps or fewer
  double overlapping = 0;
  for (double length = least; length < limit * ratio; length *= ratio) {
    const double here = std::min(length, limit);
    if (is_free(direction, here)) return bisect(direction, overlapping, here, 0.02);
    overlapping = here;
  }
  return std::numeric_limits<double>::infinity();
}

/// From a length that separates to shorter ones, by longer and longer steps, parts of it; then by bisection.
double SeparatingSearch::shorten(Vec3 direction, double free, double step, double tolerance) {
  for (; step < 1; step *= 2) {
    const double shorter = free * (1 - step);
    if (!is_free(direction, shorter)) return bisect(direction, shorter, free, tolerance);
    free = shorter;
  }
  return free;
}

double SeparatingSearch::bisect(Vec3 direction, double overlapping, double free, double tolerance) {
  while (free - overlapping > tolerance * free && !is_done()) {
    const double middle = overlapping + 0.5 * (free - overlapping);
    (is_free(direction, middle) ? free : overlapping) = middle;
  }
  return free;
}

/// Turns the direction for as long as that leads to a shorter translation.
void SeparatingSearch::refine(Vec3 direction, double free) {
  for (double turn = 0.25; turn > 1e-4 && !is_done();) {
    int thin = 0;
    for (int axis = 1; axis < 3; ++axis)
      if (std::abs(direction[axis]) < std::abs(direction[thin])) thin = axis;
    Vec3 across;
    across[thin] = 1;
    const Vec3 u = cross(direction, across) / length(cross(direction, across)), v = cross(direction, u);
    bool is_shorter = false;
    for (const Vec3& side : {u, v, -u, -v, u + v, u - v, v - u, -u - v}) {
      const Vec3 turned = direction + side * turn;
      const Vec3 unit = turned / length(turned);
      // What a turn of the best direction is worth grows with its square.
      const double least = 0.05 * turn * turn, shorter = free * (1 - least);
      if (!is_free(unit, shorter)) continue;
      free = shorten(unit, shorter, 2 * least, least);
      direction = unit;
      is_shorter = true;
      break;
    }
    if (!is_shorter) turn *= 0.5;
  }
}

SeparatingTranslation separating_translation(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                                             const SeparatingTranslationRequest& request) {
  const PlainArithmetic plain;
  check(OverlapDepthRequest{.precision = request.precision});
  return SeparatingSearch(a, pose_a, b, pose_b, request).run();
}

}  // namespace tumble
