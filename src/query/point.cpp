// SPDX-License-Identifier: Apache-2.0
// Points and rays against one body, one at a time and in batches.
#include <tumble/point.h>

#include "core/parallel.h"
#include "core/plain_arithmetic.h"
#include "math/max_norm.h"
#include "query/check_requests.h"
#include "traverse/placed_tree.h"

#include <tumble/error.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace tumble {
namespace {

constexpr double shortest_direction = 1e-100;  // so that every t is a finite double

[[noreturn, gnu::noinline]] void refuse(const char* what, const char* why) {
  throw Error(ErrorCode::invalid_argument, std::string(what) + why);
}

void check(const Vec3& p, const char* what) {
  const auto is_good = [](double x) { return std::abs(x) <= max_coordinate; };  // false for NaN
  if (!is_good(p.x) || !is_good(p.y) || !is_good(p.z))
    refuse(what, " has a coordinate that is not finite or above 1e100 in magnitude");
}

void check(const Vec3& point) { check(point, "the point"); }

void check(const Ray& ray) {
  check(ray.origin, "the ray's origin");
  check(ray.direction, "the ray's direction");
  if (max_norm(ray.direction) < shortest_direction)
    refuse("the ray's direction", " is zero or shorter than 1e-100; give it any larger length");
}

void check(const LineSegment& segment) {
  check(segment.from, "the segment's start");
  check(segment.to, "the segment's end");
  if (segment.from == segment.to) refuse("the segment's ends", " are equal; ask about a point instead");
}

RayPart part(const Ray& ray) { return {ray.origin, ray.direction, {}}; }
RayPart part(const LineSegment& s) { return {s.from, s.to - s.from, s.to}; }

Hit to_hit(const RayPart& ray, const RayHit& hit) {
  return {hit.triangle, hit.t, ray.end && hit.t == 1 ? *ray.end : ray.origin + ray.direction * hit.t};
}

std::optional<ClosestPoint> closest(const PlacedTree& body, const Vec3& point, const ClosestPointRequest& request) {
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  const SurfacePoint found =
      body.nearest(point, {request.upper_bound * request.upper_bound, none, {}}, exact_point_distance);
  if (found.triangle == none) return std::nullopt;
  return ClosestPoint{found.triangle, found.point, std::sqrt(found.distance_sq)};
}

Side side_of(const Location& location) {
  if (location.on_surface) return Side::on_surface;
  return location.winding == 0 ? Side::outside : Side::inside;
}

SignedDistance signed_distance(const PlacedTree& body, const Vec3& point) {
  const SurfacePoint wall = body.nearest(point, {}, exact_point_distance);
  const double distance = std::sqrt(wall.distance_sq);
  const Side side = distance == 0 ? Side::on_surface : side_of(body.locate(point));
  return {side == Side::inside ? -distance : distance, side, wall.triangle, wall.point};
}

std::optional<Hit> first_hit(const RayTarget& body, const RayPart& ray) {
  const std::optional<RayHit> hit = body.first_hit(ray);
  if (!hit) return std::nullopt;
  return to_hit(ray, *hit);
}

std::vector<Hit> all_hits(const RayTarget& body, const RayPart& ray) {
  std::vector<RayHit> found;
  body.all_hits(ray, found);
  std::vector<Hit> hits;
  hits.reserve(found.size());
  for (const RayHit& hit : found) hits.push_back(to_hit(ray, hit));
  return hits;
}

/// answers[i] = ask(body, asked[i]). What is asked is checked first, so that an error names the first that is wrong.
template <class Answer, class Target, class Asked, class Ask>
std::vector<Answer> for_each(const Model& model, const Pose& pose, std::span<const Asked> asked,
                             const PointBatchOptions& options, const Ask& ask) {
  const PlainArithmetic plain;
  if (options.threads < 0)
    refuse(("threads is " + std::to_string(options.threads)).c_str(), "; it must be 0 (all cores) or more");
  for (std::size_t i = 0; i < asked.size(); ++i) try {
      check(asked[i]);
    } catch (const Error& error) {
      throw Error(error.code(), error.message() + " (number " + std::to_string(i) + " of the batch)");
    }
  std::vector<Answer> answers(asked.size());
  const Target body({data_of(model), pose});
  with_threads(options.threads,
               [&] { parallel_for(asked.size(), 64, [&](std::size_t i) { answers[i] = ask(body, asked[i]); }); });
  return answers;
}

constexpr auto ask_first_hit = [](const RayTarget& body, const auto& ray) { return first_hit(body, part(ray)); };
constexpr auto ask_all_hits = [](const RayTarget& body, const auto& ray) { return all_hits(body, part(ray)); };

template <class Target, class Asked, class Ask>
auto ask_one(const Model& model, const Pose& pose, const Asked& asked, const Ask& ask) {
  const PlainArithmetic plain;
  check(asked);
  return ask(Target({data_of(model), pose}), asked);
}

}  // namespace

std::optional<ClosestPoint> closest_point(const Model& model, const Pose& pose, const Vec3& point,
                                          const ClosestPointRequest& request) {
  check(request);
  return ask_one<PlacedTree>(model, pose, point,
                             [&](const PlacedTree& body, const Vec3& p) { return closest(body, p, request); });
}

SignedDistance signed_distance(const Model& model, const Pose& pose, const Vec3& point) {
  check_closed(model);
  return ask_one<PlacedTree>(model, pose, point,
                             [](const PlacedTree& body, const Vec3& p) { return signed_distance(body, p); });
}

Side locate(const Model& model, const Pose& pose, const Vec3& point) {
  check_closed(model);
  return ask_one<RayTarget>(model, pose, point,
                            [](const RayTarget& body, const Vec3& p) { return side_of(body.locate(p)); });
}

std::optional<Hit> first_hit(const Model& model, const Pose& pose, const Ray& ray) {
  return ask_one<RayTarget>(model, pose, ray, ask_first_hit);
}
std::optional<Hit> first_hit(const Model& model, const Pose& pose, const LineSegment& segment) {
  return ask_one<RayTarget>(model, pose, segment, ask_first_hit);
}

std::vector<Hit> all_hits(const Model& model, const Pose& pose, const Ray& ray) {
  return ask_one<RayTarget>(model, pose, ray, ask_all_hits);
}
std::vector<Hit> all_hits(const Model& model, const Pose& pose, const LineSegment& segment) {
  return ask_one<RayTarget>(model, pose, segment, ask_all_hits);
}

std::vector<std::optional<ClosestPoint>> closest_point_many(const Model& model, const Pose& pose,
                                                            std::span<const Vec3> points,
                                                            const ClosestPointRequest& request,
                                                            const PointBatchOptions& options) {
  check(request);
  return for_each<std::optional<ClosestPoint>, PlacedTree>(
      model, pose, points, options, [&](const PlacedTree& body, const Vec3& p) { return closest(body, p, request); });
}

std::vector<SignedDistance> signed_distance_many(const Model& model, const Pose& pose, std::span<const Vec3> points,
                                                 const PointBatchOptions& options) {
  check_closed(model);
  return for_each<SignedDistance, PlacedTree>(
      model, pose, points, options, [](const PlacedTree& body, const Vec3& p) { return signed_distance(body, p); });
}

std::vector<Side> locate_many(const Model& model, const Pose& pose, std::span<const Vec3> points,
                              const PointBatchOptions& options) {
  check_closed(model);
  return for_each<Side, RayTarget>(model, pose, points, options,
                                   [](const RayTarget& body, const Vec3& p) { return side_of(body.locate(p)); });
}

std::vector<std::optional<Hit>> first_hit_many(const Model& model, const Pose& pose, std::span<const Ray> rays,
                                               const PointBatchOptions& options) {
  return for_each<std::optional<Hit>, RayTarget>(model, pose, rays, options, ask_first_hit);
}
std::vector<std::optional<Hit>> first_hit_many(const Model& model, const Pose& pose,
                                               std::span<const LineSegment> segments,
                                               const PointBatchOptions& options) {
  return for_each<std::optional<Hit>, RayTarget>(model, pose, segments, options, ask_first_hit);
}

std::vector<std::vector<Hit>> all_hits_many(const Model& model, const Pose& pose, std::span<const Ray> rays,
                                            const PointBatchOptions& options) {
  return for_each<std::vector<Hit>, RayTarget>(model, pose, rays, options, ask_all_hits);
}
std::vector<std::vector<Hit>> all_hits_many(const Model& model, const Pose& pose, std::span<const LineSegment> segments,
                                            const PointBatchOptions& options) {
  return for_each<std::vector<Hit>, RayTarget>(model, pose, segments, options, ask_all_hits);
}

}  // namespace tumble
