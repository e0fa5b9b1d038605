// SPDX-License-Identifier: Apache-2.0
// ContactSearch: the first contact of any of several pairs of moving bodies on one leg of their motions.
#pragma once

#include "motion/moving_body.h"
#include "traverse/deadline.h"
#include "traverse/placed_pair.h"

#include <cstdint>
#include <vector>

namespace tumble {

/// Two bodies on the same leg, and the gap at which they count as in contact.
struct MovingPair {
  MovingBody a, b;
  double tolerance;

  double left_by_volumes() const;
  double left_by_triangles() const;
};

/// The gap asked for, or what roundings and the smallest squares allow.
double tolerance_of(double asked, const MovingBody& a, const MovingBody& b);

/// Conservative advancement (Mirtich 1996; Tang, Kim and Manocha 2009 walk a tree with it) of pairs of volumes. Each
/// pair has a time before which it is certainly apart; the earliest is taken, advanced or opened. A pair of triangles
/// that comes first and is near enough is the answer: nothing touches before it. So bodies are advanced only where they
/// are near, and each part by its own speed.
class ContactSearch {
 public:
  /// Pairs must be added before run(), for a leg that begins at this time.
  explicit ContactSearch(double begin) : end_(begin + 1), free_until_(begin) {}

  void add(const MovingPair& pair);

  enum class End : std::uint8_t { found, free, out_of_budget };
  /// Goes on until the end of the leg. `used` counts looks at pairs.
  End run(const Deadline& deadline, std::uint64_t& used);

  /// No contact before this time.
  double free_until() const { return free_until_; }
  /// What was found, at free_until().
  std::size_t found_pair() const { return found_.pair; }
  TrianglePair found_triangles() const { return {found_.a, found_.b}; }

 private:
  /// Volumes or triangles that are certainly apart before a time.
  struct Waiting {
    double time;
    std::uint32_t number;  // the last one made comes first where times are equal: it is the nearest to an answer
    std::uint32_t pair, a, b;
    bool are_triangles;

    friend bool operator<(const Waiting& x, const Waiting& y) {
      return x.time != y.time ? x.time > y.time : x.number < y.number;
    }
  };
  struct Look {
    double gap = 0;
    double open_for = 0;
  };

  void push(Waiting waiting);
  Look look(const MovingPair& pair, const PlacedVolume& a, const PlacedVolume& b, double enough) const;
  void advance_or_open(const Waiting& at);
  void open_leaves(const Waiting& at, Child a, Child b);
  /// Returns true if they are near enough.
  bool advance_triangles(const Waiting& at);

  double end_, free_until_;
  std::vector<MovingPair> pairs_;
  std::vector<Waiting> heap_;
  std::uint32_t made_ = 0;
  Waiting found_{};
};

}  // namespace tumble
