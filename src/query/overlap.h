// SPDX-License-Identifier: Apache-2.0
// OverlapSearch: do two solids have a common volume? Decided exactly, also where their surfaces only touch. It does not
// look for shells without contact (shells_inside.h), but decides whether one that is inside has volume there. It also
// decides whether one solid minus the other has volume (containment.h): all of this holds if zero and nonzero are
// swapped for that other body, as long as the first is bounded.
//
// A common volume is bounded by pieces of both surfaces. So there is one exactly if some face has a point with both
// winding numbers nonzero just above it, or just below it. The triangles of the other body that meet a face cut it into
// cells in which that body's winding numbers are constant, so one point of each cell is enough. Triangles of the face's
// own body cut it further; they matter only if the other body's number is nonzero on a side where the own is zero.
//
// A face without contact is on one side of the other body, together with all such faces that it is connected with
// through vertices, up to a face with contact. If there is a cell inside the other body around that corner, that cell
// answers, unless it bounds nothing: it is of a sheet, two opposite faces in one place. Only behind sheets, and behind
// degenerate faces, are faces without contact looked at one by one.
#pragma once

#include "query/shells_inside.h"
#include "traverse/placed_pair.h"
#include "traverse/placed_tree.h"
#include "traverse/walk_end.h"

#include <tumble/contact.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tumble {

class FaceCells;
struct FaceSample;

/// The volume that is looked for.
enum class Volume : std::uint8_t {
  common,  // in both solids
  only_a,  // in a and not in b
};

class OverlapSearch {
 public:
  OverlapSearch();
  ~OverlapSearch();

  /// `bodies` are closed and must stay as they are until the next call.
  void begin(const PlacedPair& bodies, Volume wanted = Volume::common);

  /// Takes in a contact of any kind, once or more often. Returns true if it proves an overlap: where two triangles
  /// cross and nothing else is near, two of the four wedges around a point of the crossing are inside one body, and one
  /// of these inside the other. Only while a common volume is wanted.
  bool meet(TrianglePair pair, ContactKind kind);
  /// Takes in all contacts at once, each once.
  void meet_all(std::span<const TrianglePair> pairs) { met_.assign(pairs.begin(), pairs.end()); }
  const std::vector<TrianglePair>& met() const { return met_; }
  /// Whether the closed solids are known to have a common point: a contact, or a face inside, with volume or without.
  bool has_common_point() const { return !met_.empty() || sides_[0].looks_at_loose || sides_[1].looks_at_loose; }

  /// Whether there is some of the volume beside the middle of a triangle, which may be any. Not while run() goes on.
  bool is_beside(bool of_a, std::uint32_t triangle);
  /// Makes run() look at a body's faces without contact: some of them may be beside the volume.
  void look_at_loose(bool of_a) { sides_[of_a ? 0 : 1].looks_at_loose = true; }

  /// Once all contacts are taken in: looks at one face after the other. ended_by_sink: there is such a volume;
  /// all_seen: there is none. Asks stop() before each look; called again, it then goes on from there.
  template <class Stop>
  WalkEnd run(const Stop& stop) {
    for (;;) {
      if (!is_open() && !open_next()) return WalkEnd::all_seen;
      if (stop()) return WalkEnd::out_of_budget;
      if (look()) return WalkEnd::ended_by_sink;
    }
  }
  /// After it has ended with an overlap: a corner of the face where it was seen, and whether that has contact.
  ShellInside found() const;
  bool has_contact() const { return step_ == Step::met_a || step_ == Step::met_b; }
  /// After it has ended without an overlap: whether a point of one surface may be inside the other solid all the same,
  /// on a sheet or a degenerate face.
  bool may_reach_inside(bool of_a) const;

 private:
  enum class Step : std::uint8_t { start, met_a, met_b, loose_a, loose_b, end };
  /// One of the two bodies.
  struct Side {
    std::optional<PlacedTree> tree;
    std::vector<bool> has_contact;  // by triangle
    bool looks_at_loose = false;    // faces without contact may count
  };
  struct Windings {
    int above = 0, below = 0;
  };

  /// Whether points where a body has this winding number may be in the volume.
  bool counts(bool of_a, int winding) const { return (winding != 0) == (of_a || wanted_ == Volume::common); }
  bool counts_as_own(int winding) const { return counts(is_of_a(), winding); }
  bool counts_as_other(int winding) const { return counts(!is_of_a(), winding); }
  Side& own() { return sides_[step_ == Step::met_b || step_ == Step::loose_b]; }
  Side& other() { return sides_[step_ == Step::met_a || step_ == Step::loose_a]; }
  bool is_of_a() const { return step_ == Step::met_a || step_ == Step::loose_a; }
  void next_step();
  bool is_open() const { return cells_ != nullptr; }
  bool open_next();
  bool open(std::uint32_t triangle, std::size_t first_cut, std::size_t last_cut);
  bool look();
  bool cut_by_own();
  bool are_alone(TrianglePair pair) const;
  Windings windings(const PlacedTree& tree, const FaceSample& q) const;

  const PlacedPair* bodies_ = nullptr;
  Volume wanted_ = Volume::common;
  std::vector<TrianglePair> met_;
  std::size_t next_look_ = 0;  // at the faces of one contact, when so many are met
  std::array<Side, 2> sides_;

  // How far it has come.
  Step step_ = Step::start;
  std::size_t next_ = 0;  // of met_, or of the loose faces
  std::unique_ptr<FaceCells> cells_;
  std::uint32_t triangle_ = 0;  // being looked at
  std::size_t first_cut_ = 0, last_cut_ = 0;
  bool is_cut_by_own_ = false, may_differ_ = false;
};

}  // namespace tumble
