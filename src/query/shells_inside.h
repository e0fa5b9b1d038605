// SPDX-License-Identifier: Apache-2.0
// Shells of one body inside the other's solid. Where surfaces do not meet, a shell is on one side as a whole, and two
// solids meet exactly if a shell of one is inside the other: their common part is bounded, by pieces of both surfaces,
// and a shell that bounds it is in the other solid.
#pragma once

#include "traverse/placed_tree.h"
#include "traverse/walk_end.h"

#include <tumble/contact.h>
#include <tumble/model.h>

#include <cstdint>
#include <span>
#include <vector>

namespace tumble {

/// A vertex of a shell, and a triangle it belongs to, inside the other solid.
struct ShellInside {
  bool is_of_a = false;
  std::uint32_t triangle = 0, vertex = 0;
};

/// Whether a vertex of one body is strictly inside the other.
inline bool is_inside(const Body& inner, std::uint32_t vertex, const PlacedTree& outer) {
  const Location location = outer.locate(inner.vertex(vertex));
  return !location.on_surface && location.winding != 0;
}
/// Whether a vertex inside at another pose still is: the solids then meet, whatever their surfaces do.
bool is_still_inside(const ShellInside& shell, const PlacedPair& bodies);

/// The contact that stands for a shell inside the other body: with the nearest of its triangles.
Contact make_inside_contact(const ShellInside& shell, const PlacedPair& bodies);

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
WalkEnd for_each_shell_inside(const Body& inner, const PlacedTree& outer, bool thoroughly, ShellMarks& marks,
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
        if (stop()) return WalkEnd::out_of_budget;
        const std::uint32_t triangle = facts.first_triangle_of_shell[shell];
        const std::uint32_t vertex = triangles[triangle][0];
        if (is_inside(inner, vertex, outer) && use(triangle, vertex)) return WalkEnd::ended_by_sink;
      }
      ++next;
    }
    return WalkEnd::all_seen;
  }
  if (next == 0) marks.forget_vertices(inner.model.vertices.size());
  for (; next < 3 * triangles.size(); ++next) {
    const auto triangle = static_cast<std::uint32_t>(next / 3);
    const std::uint32_t vertex = triangles[triangle][next % 3];
    if (marks.is_marked(facts.shell_of(triangle)) || marks.was_looked_at(vertex)) continue;
    if (stop()) return WalkEnd::out_of_budget;
    marks.look_at(vertex);
    if (!is_inside(inner, vertex, outer)) continue;
    marks.mark(triangle);
    if (use(triangle, vertex)) return WalkEnd::ended_by_sink;
  }
  return WalkEnd::all_seen;
}

/// The search for shells inside the other body, which can stop and go on: first those of a, then those of b.
class ShellSearch {
 public:
  /// Throws Error(not_closed), saying whose mesh it is. No shell is marked.
  void begin(const Model& a, const Model& b);
  bool has_begun() const { return of_b_ || next_ > 0; }
  /// A shell that has contacts is not looked for.
  void mark(const TrianglePair& pair) {
    marks_a_.mark(pair.a);
    marks_b_.mark(pair.b);
  }

  /// Calls use(ShellInside) for every shell inside the other body that is not marked, until it returns true. Asks
  /// stop() before each look; called again it then goes on from there.
  template <class Stop, class Use>
  WalkEnd run(const PlacedPair& bodies, bool thoroughly, const Stop& stop, const Use& use) {
    if (!of_b_) {
      const WalkEnd end = look(bodies.a, bodies.b, thoroughly, marks_a_, stop, use);
      if (end != WalkEnd::all_seen) return end;
      of_b_ = true;
      next_ = 0;
    }
    return look(bodies.b, bodies.a, thoroughly, marks_b_, stop, use);
  }

 private:
  template <class Stop, class Use>
  WalkEnd look(const Body& inner, const Body& outer, bool thoroughly, ShellMarks& marks, const Stop& stop,
               const Use& use) {
    return for_each_shell_inside(inner, PlacedTree(outer), thoroughly, marks, next_, stop,
                                 [&](std::uint32_t triangle, std::uint32_t vertex) {
                                   return use(ShellInside{!of_b_, triangle, vertex});
                                 });
  }

  ShellMarks marks_a_, marks_b_;
  bool of_b_ = false;  // all shells of a were looked at
  std::size_t next_ = 0;
};

}  // namespace tumble
