// SPDX-License-Identifier: Apache-2.0
// SeparatingSearch: a short translation that separates two closed meshes of any shape, and how short it could be at
// best.
#pragma once

#include <tumble/convex.h>
#include <tumble/query.h>

#include <cstddef>
#include <limits>
#include <vector>

namespace tumble {

/// What is found never depends on a guess: that a place is free is asked exactly, and each lower bound is proven.
class SeparatingSearch {
 public:
  SeparatingSearch(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                   const SeparatingTranslationRequest& request);

  SeparatingTranslation run();

 private:
  struct Extent {
    Vec3 middle{};
    double radius = 0;  // of a ball around it
    double reach = 0;   // at least |x| + |y| + |z| of every vertex
  };
  static Extent extent_of(const Model& model, const Pose& pose);

  // Lengths that certainly do, or are enough.
  void start();
  void raise_lower();
  double depth_at(const Vec3& point) const;
  void climb(Vec3 from);

  // Lengths that may be shorter.
  std::vector<Vec3> directions();
  double scan(Vec3 direction, double limit);
  double shorten(Vec3 direction, double free, double step, double tolerance);
  double bisect(Vec3 direction, double overlapping, double free, double tolerance);
  void refine(Vec3 direction, double free);

  bool overlaps_at(Vec3 translation);
  bool is_free(Vec3 direction, double length);
  bool is_done() const { return asked_ >= request_.at_most || upper_ - lower_ <= precision_; }

  Pair pair_;
  const Pose &pose_a_, &pose_b_;
  SeparatingTranslationRequest request_;
  Extent a_, b_;
  double precision_;
  std::size_t asked_ = 0;
  Vec3 translation_{};
  double lower_ = 0, upper_ = std::numeric_limits<double>::infinity();
  std::vector<Vec3> hints_;  // directions along which bodies may come apart
};

}  // namespace tumble
