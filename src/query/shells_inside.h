// SPDX-License-Identifier: Apache-2.0
// Shells of one body inside the other's solid. Where surfaces do not meet, a shell is on one side as a whole, and two
// solids meet exactly if a shell of one is inside the other: their common part is bounded, by pieces of both surfaces,
// and a shell that bounds it is in the other solid.
#pragma once

#include "query/deadline.h"
#include "traverse/gap_walk.h"
#include "traverse/placed_tree.h"

#include <tumble/contact.h>
#include <tumble/distance.h>
#include <tumble/model.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tumble {

/// A vertex of a shell, and a triangle it belongs to, inside the other solid.
struct ShellInside {
  bool is_environments = false;
  std::uint32_t triangle = 0, vertex = 0;
};

/// Whether a vertex of one body is strictly inside the other.
inline bool is_inside(const Body& inner, std::uint32_t vertex, const PlacedTree& outer) {
  const Location location = outer.locate(inner.vertex(vertex));
  return !location.on_surface && location.winding != 0;
}

/// Which shells of a body to leave out, as they have contacts; and which of its vertices were looked at.
class ShellMarks {
 public:
  void reset(const SolidFacts& facts) {
    facts_ = &facts;
    marked_.clear();
  }
  void mark(std::uint32_t triangle) {
    if (marked_.empty()) marked_.resize(facts_->shells());  // most questions mark nothing
    marked_[facts_->shell_of(triangle)] = 1;
  }
  bool is_marked(std::uint32_t shell) const { return !marked_.empty() && marked_[shell] != 0; }

  void forget_vertices(std::size_t count) { seen_.assign(count, false); }
  bool was_looked_at(std::uint32_t vertex) const { return seen_[vertex]; }
  void look_at(std::uint32_t vertex) { seen_[vertex] = true; }

 private:
  const SolidFacts* facts_ = nullptr;
  std::vector<std::uint8_t> marked_;
  std::vector<bool> seen_;
};

/// A ball that holds one body, in the other's own coordinates: which of the other's vertices may be inside.
class BodyBall {
 public:
  BodyBall(const PlacedTree& ball, const Body& in);
  bool reaches(const Box& box) const;

 private:
  Vec3 center_;
  double radius_;
};

/// Looks at one vertex of each shell of `inner` that is not marked; at every vertex if `thoroughly`, for shells that
/// may touch the other surface and so be on both sides of it. Calls use(triangle, vertex) for each shell found until
/// it returns true. Asks stop() before each look; then `next` is where to go on.
template <class Stop, class Use>
NearEnd for_each_shell_inside(const Body& inner, const PlacedTree& outer, bool thoroughly, ShellMarks& marks,
                              std::size_t& next, const Stop& stop, const Use& use) {
  const SolidFacts& facts = inner.model.solid_facts();
  const std::span<const Triangle> triangles = inner.model.triangles;
  if (!thoroughly) {
    const BodyBall ball(outer, inner);
    while (next < facts.shells()) {
      if (next % SolidFacts::block_size == 0 && !ball.reaches(facts.block_boxes[next / SolidFacts::block_size])) {
        next += SolidFacts::block_size;
        continue;
      }
      const std::uint32_t shell = facts.shells_in_blocks[next];
      if (!marks.is_marked(shell)) {
        if (stop()) return NearEnd::out_of_budget;
        const std::uint32_t triangle = facts.first_triangle_of_shell[shell];
        const std::uint32_t vertex = triangles[triangle][0];
        if (is_inside(inner, vertex, outer) && use(triangle, vertex)) return NearEnd::ended_by_sink;
      }
      ++next;
    }
    return NearEnd::all_seen;
  }
  if (next == 0) marks.forget_vertices(inner.model.vertices.size());
  for (; next < 3 * triangles.size(); ++next) {
    const auto triangle = static_cast<std::uint32_t>(next / 3);
    const std::uint32_t vertex = triangles[triangle][next % 3];
    if (marks.is_marked(facts.shell_of(triangle)) || marks.was_looked_at(vertex)) continue;
    if (stop()) return NearEnd::out_of_budget;
    marks.look_at(vertex);
    if (!is_inside(inner, vertex, outer)) continue;
    marks.mark(triangle);
    if (use(triangle, vertex)) return NearEnd::ended_by_sink;
  }
  return NearEnd::all_seen;
}

/// How far a look at the shells has come.
struct ShellsSeen {
  bool of_environment = false;  // all of them: now come the object's
  std::size_t next = 0;
};

/// What a pair keeps for questions about solids.
class PairSolids {
 public:
  /// Before each question: throws Error(not_closed), saying whose mesh it is; no shell is marked.
  void prepare(const Model& environment, const Model& object);
  void mark(const TrianglePair& pair) {
    environment_marks_.mark(pair.environment);
    object_marks_.mark(pair.object);
  }

  /// Calls use(ShellInside, inner body, outer tree) for every shell inside the other body that is not marked, first
  /// those of the environment, until it returns true, and returns whether it did.
  template <class Use>
  bool for_each_inside(const PlacedPair& bodies, bool thoroughly, const Use& use) {
    ShellsSeen seen;
    return for_each_inside(
               bodies, thoroughly, seen, [] { return false; }, use) == NearEnd::ended_by_sink;
  }
  /// The same from where `seen` says until stop() does.
  template <class Stop, class Use>
  NearEnd for_each_inside(const PlacedPair& bodies, bool thoroughly, ShellsSeen& seen, const Stop& stop,
                          const Use& use) {
    const auto each = [&](const Body& inner, const Body& outer, ShellMarks& marks, bool is_environments) {
      const PlacedTree tree(outer);
      return for_each_shell_inside(inner, tree, thoroughly, marks, seen.next, stop,
                                   [&](std::uint32_t triangle, std::uint32_t vertex) {
                                     return use(ShellInside{is_environments, triangle, vertex}, inner, tree);
                                   });
    };
    if (!seen.of_environment) {
      const NearEnd end = each(bodies.environment, bodies.object, environment_marks_, true);
      if (end != NearEnd::all_seen) return end;
      seen = {true, 0};
    }
    return each(bodies.object, bodies.environment, object_marks_, false);
  }

  /// The distance 0 of bodies of which one is inside the other, if it is: of a vertex.
  std::optional<Distance> distance_inside(const PlacedPair& bodies, bool thoroughly);
  /// Adds a contact for every shell inside the other body that is not marked, up to `at_most`; keeps the order.
  void add_contacts(const PlacedPair& bodies, bool thoroughly, std::size_t at_most, Contacts& into);

  std::optional<ShellInside> last;  // found by a question that one shell answers
  /// Whether the vertex that was inside then still is: the solids meet, whatever their surfaces do.
  bool is_still_inside(const PlacedPair& bodies) const;

 private:
  ShellMarks environment_marks_, object_marks_;  // shells with contacts
};

/// The contact that stands for a shell inside the other body: with the nearest of its triangles.
Contact make_inside_contact(const ShellInside& shell, const Body& inner, const PlacedTree& outer);

}  // namespace tumble
