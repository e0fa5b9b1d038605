// SPDX-License-Identifier: Apache-2.0
// Points and rays against one body: the closest point, the distance with its sign, what a ray hits. Everything is in
// the world, where `pose` puts the model. docs/semantics.md, "Points and rays", defines the answers.
#pragma once

#include <tumble/model.h>
#include <tumble/pose.h>
#include <tumble/solid.h>
#include <tumble/vec.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace tumble {

// All questions throw Error(invalid_argument) if a coordinate is not finite or above 1e100 in magnitude. Answers do not
// depend on the tree, the instruction set or the number of threads.

/// The point of a surface nearest to another point.
struct ClosestPoint {
  std::uint32_t triangle = 0;  // the first of several at the same distance
  Vec3 point{};                // on this triangle
  double distance = 0;         // 0 exactly when the point asked about is on the surface
};

struct ClosestPointRequest {
  /// Surfaces farther away than this have no closest point, which is quicker to say.
  double upper_bound = std::numeric_limits<double>::infinity();
};

/// Nothing if the surface is farther away than the upper bound.
std::optional<ClosestPoint> closest_point(const Model& model, const Pose& pose, const Vec3& point,
                                          const ClosestPointRequest& request = {});

/// How far a point is from the surface of a closed mesh, and on which side.
struct SignedDistance {
  double distance = 0;  // negative inside, 0 exactly on the surface, positive outside
  Side side = Side::outside;
  std::uint32_t triangle = 0;  // where the surface is nearest
  Vec3 point{};
};

/// The side is exact. Throws Error(not_closed) for a mesh that is not closed.
SignedDistance signed_distance(const Model& model, const Pose& pose, const Vec3& point);

/// The points origin + t·direction with t >= 0. The direction need not have length one; its largest component must be
/// at least 1e-100 in magnitude.
struct Ray {
  Vec3 origin{}, direction{};
};

/// The points from + t·(to - from) with 0 <= t <= 1; `from` and `to` must differ.
struct LineSegment {
  Vec3 from{}, to{};
};

/// Where a ray or segment first meets a triangle. That it does is exact; t and the point are rounded.
struct Hit {
  std::uint32_t triangle = 0;
  double t = 0;
  Vec3 point{};
};

/// The hit with the least t; of several triangles there, the first.
std::optional<Hit> first_hit(const Model& model, const Pose& pose, const Ray& ray);
std::optional<Hit> first_hit(const Model& model, const Pose& pose, const LineSegment& segment);

/// One hit for each triangle met, sorted by t, then by triangle.
std::vector<Hit> all_hits(const Model& model, const Pose& pose, const Ray& ray);
std::vector<Hit> all_hits(const Model& model, const Pose& pose, const LineSegment& segment);

/// How a batch of points or rays is run.
struct PointBatchOptions {
  int threads = 0;  // 0: all cores
};

// One question for every point, ray or segment, on all cores; answers in their order.

std::vector<std::optional<ClosestPoint>> closest_point_many(const Model& model, const Pose& pose,
                                                            std::span<const Vec3> points,
                                                            const ClosestPointRequest& request = {},
                                                            const PointBatchOptions& options = {});
std::vector<SignedDistance> signed_distance_many(const Model& model, const Pose& pose, std::span<const Vec3> points,
                                                 const PointBatchOptions& options = {});
std::vector<Side> locate_many(const Model& model, const Pose& pose, std::span<const Vec3> points,
                              const PointBatchOptions& options = {});
std::vector<std::optional<Hit>> first_hit_many(const Model& model, const Pose& pose, std::span<const Ray> rays,
                                               const PointBatchOptions& options = {});
std::vector<std::optional<Hit>> first_hit_many(const Model& model, const Pose& pose,
                                               std::span<const LineSegment> segments,
                                               const PointBatchOptions& options = {});
std::vector<std::vector<Hit>> all_hits_many(const Model& model, const Pose& pose, std::span<const Ray> rays,
                                            const PointBatchOptions& options = {});
std::vector<std::vector<Hit>> all_hits_many(const Model& model, const Pose& pose, std::span<const LineSegment> segments,
                                            const PointBatchOptions& options = {});

}  // namespace tumble
