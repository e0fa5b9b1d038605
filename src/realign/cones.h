// SPDX-License-Identifier: Apache-2.0
// Cones of slab directions. They write a direction as a non-negative sum of three normals of a k-DOP, so that the same
// sum of offsets bounds it (linear programming duality; Zachmann 1998, section 4.1, takes one such triple).
#pragma once

#include <tumble/vec.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tumble {

/// Σ weight·normal = direction. Each normal is a slab's or, if `flipped`, its opposite; weights are not negative.
struct Triple {
  std::array<double, 3> weights;
  std::array<std::uint8_t, 3> slabs;
  std::array<bool, 3> flipped;
  double cost;  // Σ weight·|normal|: the bound it gives a unit ball
};

/// Every direction set is closed under changes of sign and, except for k = 12, under permutations of the coordinates.
/// So it is enough to store the cones that meet 0 <= z <= y <= x (for 12: the octant).
class Cones {
 public:
  /// own: the cones divide all directions among them, one for each. all: further cones, too, several for each.
  enum class Which { own, all };

  Cones(int k, Which which);
  /// The own ones of a k, made on first use and shared.
  static const Cones& of(int k);

  static constexpr std::size_t max_triples = 20;
  using Triples = std::array<Triple, max_triples>;

  /// The triples for a direction that is not zero, cheapest first; there is at least one. A weight made negative by
  /// rounding is set to zero, so the sum may miss the direction by a few units in the last place.
  std::span<const Triple> around(Vec3 direction, Triples& storage) const;

  /// A cone for directions whose coordinates were made positive and, if sorts(), sorted.
  struct Cone {
    std::array<Vec3, 3> normals;
    std::array<Vec3, 3> weigh;  // weight i = weigh[i]·direction
    std::array<double, 3> lengths;
  };
  std::span<const Cone> canonical() const { return cones_; }
  bool sorts() const { return sorts_; }

  /// The index in slabs() of a symmetry's first cone. `sorted` has a bit each for |x| >= |y|, |y| >= |z| and |x| >=
  /// |z|, `signs` one for each negative coordinate.
  std::size_t place(std::size_t sorted, std::size_t signs) const { return (order(sorted) * 8 + signs) * cones_.size(); }

  /// By place: the slabs of three normals; those of flipped ones are −1, −2, … for 0, 1, ….
  std::span<const std::array<std::int16_t, 3>> slabs() const { return slabs_; }

  /// Beside its own size.
  std::size_t bytes() const {
    return cones_.capacity() * sizeof(Cone) + slabs_.capacity() * sizeof(std::array<std::int16_t, 3>);
  }

 private:
  std::size_t order(std::size_t sorted) const {
    constexpr std::array<std::uint8_t, 8> order_of{5, 4, 3, 0, 0, 1, 2, 0};  // two of the eight cannot occur
    return sorts_ ? order_of[sorted] : 0;
  }

  bool sorts_;
  std::vector<Cone> cones_;
  /// For each symmetry and each cone: the slabs of its normals, flipped ones from −1 downward.
  std::vector<std::array<std::int16_t, 3>> slabs_;
};

}  // namespace tumble
