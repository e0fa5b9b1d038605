// SPDX-License-Identifier: Apache-2.0
// Convex polytopes: closest features, whether they meet, and the least translation that separates them. They answer as
// solid Models of the same hull, and quicker. Also translations that separate closed meshes of any shape.
#pragma once

#include <tumble/mesh.h>
#include <tumble/model.h>
#include <tumble/pose.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace tumble {

struct ConvexData;

/// A cheap handle to constant, shared data: copy it freely, use it from any thread.
class ConvexModel {
 public:
  /// The hull of a mesh that must be convex: closed, and no vertex above the plane of a face by more than 1e-9 of the
  /// mesh's size. Throws Error(not_closed) or Error(invalid_mesh), which names a vertex and a triangle; also for a mesh
  /// without area.
  explicit ConvexModel(const Mesh& mesh);
  /// The hull of any mesh. Throws Error(invalid_mesh) if its triangles have no area at all.
  static ConvexModel hull_of(const Mesh& mesh);

  /// The corners of the hull, some of the mesh's vertices.
  std::span<const Vec3> vertices() const;
  /// Its faces cut into triangles, outward. A flat hull has both sides.
  std::span<const Triangle> triangles() const;
  /// The hull with a tree, for questions that are not asked here; triangles have the same numbers. Made by the first
  /// call.
  const Model& model() const;
  /// Everything it occupies, without the tree.
  std::size_t bytes() const;

 private:
  friend struct ConvexAccess;
  ConvexModel() = default;

  std::shared_ptr<const ConvexData> data_;
};

/// A vertex, an edge or a face of a hull.
struct ConvexFeature {
  enum class Kind : std::uint8_t { vertex, edge, face };

  Kind kind = Kind::vertex;
  std::array<std::uint32_t, 3> vertices{};  // one, two, or three of the face's; others repeat the last
};

/// How far apart two convex bodies are, and where.
struct ConvexDistance {
  double distance = 0;  // 0 exactly when they have a point in common
  double lower = 0;     // the true distance is at least this
  /// The closest features and a triangle each that holds them; meaningless if the distance is 0.
  ConvexFeature feature_a{}, feature_b{};
  std::uint32_t triangle_a = 0, triangle_b = 0;
  Vec3 point_a{}, point_b{};  // where it is attained; a common point, up to roundings, if the distance is 0
};

/// A translation of b that separates two bodies: none of their inner points meet after it.
struct SeparatingTranslation {
  bool in_contact = false;      // exact; if false, all else is 0
  Vec3 translation{};           // of b, in the world; its length is `upper`
  double lower = 0, upper = 0;  // the least such translation has a length between these
};

// One question, one plain answer. Touching counts, and so does a body inside the other.

bool collide(const ConvexModel& a, const Pose& pose_a, const ConvexModel& b, const Pose& pose_b);
ConvexDistance distance(const ConvexModel& a, const Pose& pose_a, const ConvexModel& b, const Pose& pose_b);
SeparatingTranslation separating_translation(const ConvexModel& a, const Pose& pose_a, const ConvexModel& b,
                                             const Pose& pose_b);

/// How long to look for a short translation that separates closed meshes.
struct SeparatingTranslationRequest {
  /// Enough once upper - lower is at most this, in the world's units; 0: a thousandth of the smaller body's size.
  double precision = 0;
  /// The most places of b at which the search asks whether the bodies overlap.
  std::size_t at_most = 1000;
};

/// Of two closed meshes. It need not be the least, except for convex ones (docs/semantics.md, "Separating
/// translations"): the bodies do not overlap once b stands at Pose::from_translation(translation) * pose_b, exactly.
/// Solids that touch and do not overlap need none: 0. Throws Error(not_closed) for a mesh that is not closed,
/// Error(invalid_argument) for a precision out of range, and Error(invalid_pose) if b would have to go beyond 1e100.
SeparatingTranslation separating_translation(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                                             const SeparatingTranslationRequest& request = {});

/// What the questions to a ConvexPair took, since it was made.
struct ConvexCounters {
  std::uint64_t questions = 0;
  std::uint64_t walk_steps = 0;   // from one pair of features to the next
  std::uint64_t cold_starts = 0;  // the last features were of no use
  std::uint64_t exact = 0;        // roundings could have mattered: the Models of the hulls decided
};

struct ConvexPairState;

/// Two convex models for many questions. Each starts from the features at which the last one ended. One thread at a
/// time; models may be shared.
class ConvexPair {
 public:
  ConvexPair(ConvexModel a, ConvexModel b);
  ~ConvexPair();
  ConvexPair(ConvexPair&&) noexcept;
  ConvexPair& operator=(ConvexPair&&) noexcept;

  const ConvexModel& a() const;
  const ConvexModel& b() const;

  // The questions above.
  bool collide(const Pose& pose_a, const Pose& pose_b);
  ConvexDistance distance(const Pose& pose_a, const Pose& pose_b);
  SeparatingTranslation separating_translation(const Pose& pose_a, const Pose& pose_b);

  const ConvexCounters& stats() const;
  /// Drops the features from which the next question would start.
  void forget();

 private:
  ConvexPairState& state() const;

  std::unique_ptr<ConvexPairState> state_;
};

}  // namespace tumble
