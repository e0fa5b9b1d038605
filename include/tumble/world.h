// SPDX-License-Identifier: Apache-2.0
// World: many bodies that move, and questions about all of them at once.
#pragma once

#include <tumble/budget.h>
#include <tumble/contact.h>
#include <tumble/convex.h>
#include <tumble/distance.h>
#include <tumble/model.h>
#include <tumble/pair_options.h>
#include <tumble/pose.h>
#include <tumble/query.h>
#include <tumble/requests.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tumble {

/// Names a body or a group of a World. Ids grow in the order of adding and are never used again.
struct BodyId {
  std::uint32_t value = 0;  // 0: none

  friend auto operator<=>(const BodyId&, const BodyId&) = default;
};

/// Two bodies or groups, the one added first as a.
struct BodyPair {
  BodyId a, b;

  friend auto operator<=>(const BodyPair&, const BodyPair&) = default;
};

/// What a body is, and which others it is tested against. Two bodies are tested if each cares about a category of the
/// other, at least one of them moves, and the pair is not ignored. A group has its options for all members.
struct BodyOptions {
  std::string name{};               // need not be unique
  bool moves = true;                // two bodies that do not are not tested against each other
  std::uint32_t is = 1;             // categories it belongs to, as bits
  std::uint32_t cares_about = ~0U;  // categories it is tested against
  /// Near means at most the sum of two margins apart; no other answer depends on it. From 0 to 5e99.
  double margin = 0;
};

/// What a body is made of: a mesh, or a convex polytope. Two convex bodies are solids, whatever a request says, and
/// answer as the Models of their hulls, quicker; a convex body and a mesh are what the request says. A group of convex
/// members is a union of convex polytopes.
class BodyModel {
 public:
  BodyModel(Model mesh) : model_(std::move(mesh)) {}
  BodyModel(const ConvexModel& convex) : model_(convex.model()), convex_(convex) {}

  /// The mesh, or the hull with a tree.
  const Model& model() const { return model_; }
  const std::optional<ConvexModel>& convex() const { return convex_; }

 private:
  Model model_;
  std::optional<ConvexModel> convex_;
};

/// A model that is not in the world: would it fit there? It stands for a body with the id 0.
struct Visitor {
  BodyModel model;
  Pose pose{};
  std::uint32_t is = 1;
  std::uint32_t cares_about = ~0U;
};

/// Which pairs of a world a question is about: all of them, those of one body or group, or those of a visitor.
class Subject {
 public:
  Subject() = default;
  Subject(BodyId body) : body_(body) {}
  Subject(Visitor visitor) : visitor_(std::move(visitor)) {}

  const std::optional<BodyId>& body() const { return body_; }
  const std::optional<Visitor>& visitor() const { return visitor_; }

 private:
  std::optional<BodyId> body_;
  std::optional<Visitor> visitor_;
};

/// A contact of two bodies, members of groups by their own ids.
struct WorldContact {
  BodyId a, b;
  Contact contact;
};
using WorldContacts = std::vector<WorldContact>;

/// Two triangles of two bodies that are near.
struct WorldNearPair {
  BodyId a, b;
  NearPair pair;
};
using WorldNearPairs = std::vector<WorldNearPair>;

/// The distance of two bodies or groups. Of groups it is the least over their members, which it names.
struct WorldDistance {
  BodyId a, b;  // members
  Distance distance;
};
using WorldDistances = std::vector<WorldDistance>;

/// How World::run() goes about it.
struct RunOptions {
  Budget budget{};  // for the whole question
  /// Called for each pair of bodies with something to tell, in the order of ids. If it returns false, the question is
  /// finished. It must not call the world.
  std::function<bool(const struct PairOutcome&)> each{};
};

/// What is known of one pair of bodies.
struct PairOutcome {
  BodyId a, b;
  Outcome outcome;
};

/// What is certain about a world.
struct WorldOutcome {
  Verdict verdict = Verdict::unknown;  // colliding if some pair is, free if all are, else unknown
  bool finished = false;
  /// The pairs that collide, are within the distance or have one to tell, and those that are not finished.
  std::vector<PairOutcome> pairs;
};

/// What step() is to find out.
struct StepRequest {
  bool ignore_touch = false;  // as in CollideRequest
  bool solid = false;
  bool contacts = false;  // also lists all contacts
};

/// Pairs of bodies, groups as one, for which something is true now or was before.
struct Changes {
  std::vector<BodyPair> began, persisting, ended;
};

/// A step, and how it differs from the one before.
struct Step {
  Changes colliding;
  Changes near;        // at most their margin apart, or colliding
  Changes neighbours;  // their boxes overlap, grown by the margins
  WorldContacts contacts;
};

/// How neighbours are found: pairs of bodies whose boxes overlap. Both ways find the same pairs.
enum class NeighbourFinding : std::uint8_t {
  box_tree,  // a tree of slightly larger boxes, changed where bodies leave them
  /// Three sorted lists of the boxes' ends (Lin 1996, section 3). A question about one body or a visitor looks at every
  /// box of the world; with a tree it looks at few.
  sweep_and_prune,
};

/// The boxes of bodies.
enum class BodyBoxes : std::uint8_t {
  dynamic,  // as small as the turned body's bounds allow; computed anew when it moves
  fixed,    // a cube in which the body can turn
};

/// Whether convex hulls are looked at before trees are opened (Lin 1996, section 4.1). No answer depends on it.
enum class HullStage : std::uint8_t {
  off,
  on,
};

/// What looking at hulls saved, since the world was made: asked = apart + red + to_trees.
struct HullCounters {
  std::uint64_t asked = 0;     // pairs of bodies whose hulls were looked at
  std::uint64_t apart = 0;     // the hulls are apart: no contact
  std::uint64_t red = 0;       // the hulls had just met, at triangles of the meshes themselves, which are in contact
  std::uint64_t to_trees = 0;  // the trees had to decide
};

struct WorldOptions {
  int threads = 0;  // 0: all cores. Answers are the same for any number, but for what a budget of time leaves open
  NeighbourFinding neighbours = NeighbourFinding::box_tree;
  BodyBoxes boxes = BodyBoxes::dynamic;
  std::size_t memory = std::size_t{64} << 20;  // bytes for what pairs keep between questions, for speed only
  PairOptions pair{};
  HullStage hulls = HullStage::off;
};

/// Bodies and their poses. Questions are exact: they answer as Pair does for every two bodies. Lists are sorted by the
/// ids of the bodies, then by triangle. One thread at a time; models may be shared. A copy has the same bodies, ids and
/// events.
class World {
 public:
  explicit World(const WorldOptions& options = {});
  ~World();
  World(const World&);
  World& operator=(const World&);
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  // Bodies. An id that was never given out, or was removed, throws Error(invalid_argument).

  BodyId add(const BodyModel& model, const Pose& pose = {}, const BodyOptions& options = {});
  /// A group moves as one, and its members are never tested against each other.
  BodyId add_group(const Pose& pose = {}, const BodyOptions& options = {});
  /// `pose` is in the coordinates of the group: the member stands at (pose of the group) * pose.
  BodyId add_member(BodyId group, const BodyModel& model, const Pose& pose = {}, std::string name = {});
  /// A group goes with its members.
  void remove(BodyId id);
  /// A member moves with its group only.
  void move(BodyId id, const Pose& pose);
  /// All of them, or none if an id or a pose is refused.
  void move(std::span<const BodyId> ids, std::span<const Pose> poses);

  bool contains(BodyId id) const;
  std::vector<BodyId> bodies() const;  // all with a model, members included
  std::vector<BodyId> members(BodyId group) const;
  BodyId group_of(BodyId id) const;  // itself if it is no member
  std::vector<BodyId> find(std::string_view name) const;
  const std::string& name(BodyId id) const;
  const Model& model(BodyId id) const;
  /// None if it was added as a mesh.
  const std::optional<ConvexModel>& convex(BodyId id) const;
  const Pose& pose(BodyId id) const;  // in the world
  BodyOptions options(BodyId id) const;

  // Collision interest. Of a group it concerns all members.

  void ignore(BodyId a, BodyId b);  // never tested
  void unignore(BodyId a, BodyId b);
  void set_categories(BodyId id, std::uint32_t is, std::uint32_t cares_about);
  void set_moves(BodyId id, bool moves);
  void set_margin(BodyId id, double margin);
  /// Instead of the sum of theirs.
  void set_margin(BodyId a, BodyId b, double margin);

  // Questions, as in query.h.

  bool collide(const CollideRequest& request = {}, const Subject& subject = {});
  /// Groups as one.
  std::vector<BodyPair> colliding(const CollideRequest& request = {}, const Subject& subject = {});
  WorldContacts contacts(const ContactRequest& request = {}, const Subject& subject = {});
  WorldNearPairs within(const WithinRequest& request, const Subject& subject = {});
  /// Of each pair, groups as one, that is at most request.upper_bound apart; without a bound, of all.
  WorldDistances distances(const DistanceRequest& request = {}, const Subject& subject = {});
  /// The least of these; none if there is no pair.
  std::optional<WorldDistance> closest(const DistanceRequest& request = {}, const Subject& subject = {});
  /// Pairs whose boxes overlap, members by their own ids.
  std::vector<BodyPair> neighbours(const Subject& subject = {});

  /// Any question with a budget, or with a function to call for each pair.
  WorldOutcome run(const Request& request, const RunOptions& options = {}, const Subject& subject = {});

  /// Finds out what collides and what changed since the last step. A pair that was removed, or is ignored now, ends
  /// once. The answer is valid until the next call; once bodies have settled, nothing is allocated.
  const Step& step(const StepRequest& request = {});
  const Step& last_step() const;
  const std::vector<BodyPair>& began() const { return last_step().colliding.began; }
  const std::vector<BodyPair>& ended() const { return last_step().colliding.ended; }

  HullCounters hull_counters() const;

  struct State;  // inside the library only

 private:
  friend struct WorldAccess;
  State& state() const;
  State& changing();

  std::unique_ptr<State> state_;
};

}  // namespace tumble
