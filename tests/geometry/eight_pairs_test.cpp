// SPDX-License-Identifier: Apache-2.0
// A look at eight pairs never contradicts the exact answer, on any instruction set, and leaves over little more
// than what really touches.
#include "geometry/eight_pairs.h"

#include "geometry/pair_generators.h"
#include "geometry/triangle_pair.h"
#include "math/transform.h"
#include "simd/dispatch.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>

namespace tumble {
namespace {

using namespace testing;

constexpr std::uint64_t seed = 71;

Pose some_pose(int which) {
  switch (which) {
    case 0: return {};
    case 1: return Pose::from_quaternion(0.5, 0.5, 0.5, 0.5, {0, 0, 0});
    default: return Pose::from_quaternion(0.9, 0.1, -0.3, 0.2, {0.25, -1, 3});
  }
}

struct Counts {
  int unsure = 0, touch = 0, coplanar = 0, still_unsure = 0;
};

/// Looks at eight pairs and holds what is certain against the exact answer.
template <class Make>
void look_at_eight(const Make& make, const Pose& a_pose, const Pose& b_pose, Counts& counts) {
  EightPairs eight;
  std::array<Corners, 8> a, b;
  for (std::size_t lane = 0; lane < 8; ++lane) {
    const auto pair = make();
    eight.set(lane, pair.a[0], pair.a[1], pair.a[2], pair.b[0], pair.b[1], pair.b[2]);
    for (std::size_t i = 0; i < 3; ++i) {
      a[lane][i] = to_world(a_pose, pair.a[i]);
      b[lane][i] = to_world(b_pose, pair.b[i]);
    }
  }
  const EightLooks first = first_look(eight, a_pose, b_pose), second = second_look(eight, a_pose, b_pose);
  counts.unsure += std::popcount(first.unsure);
  counts.touch += std::popcount(first.touch);
  counts.coplanar += std::popcount(second.coplanar);
  counts.still_unsure += std::popcount(second.unsure);
  for (const bool is_first : {true, false}) {
    const EightLooks& looks = is_first ? first : second;
    EXPECT_EQ(std::popcount(looks.cross) + std::popcount(looks.touch) + std::popcount(looks.coplanar) +
                  std::popcount(looks.unsure),
              std::popcount(looks.cross | looks.touch | looks.coplanar | looks.unsure));
    for (std::size_t lane = 0; lane < 8; ++lane) {
      if ((looks.unsure >> lane & 1) != 0) continue;
      std::optional<ContactKind> seen;
      if ((looks.cross >> lane & 1) != 0) seen = ContactKind::cross;
      if ((looks.touch >> lane & 1) != 0) seen = ContactKind::touch;
      if ((looks.coplanar >> lane & 1) != 0) seen = ContactKind::coplanar;
      ASSERT_EQ(seen, classify(a[lane], b[lane])) << "lane " << lane << (is_first ? ", first look" : ", second look");
    }
  }
}

/// Makes so many rounds on every instruction set, each by round(number, random, counts), and checks what they counted.
template <class Round, class Check>
void on_every_set(int rounds, const Round& round, const Check& check) {
  for (const InstructionSet set : available()) {
    limit_to(set);
    Random random(seed);
    Counts counts;
    for (int i = 0; i < rounds && !::testing::Test::HasFatalFailure(); ++i) {
      SCOPED_TRACE(::testing::Message() << name(set) << ", round " << i << ", seed " << seed);
      round(i, random, counts);
    }
    SCOPED_TRACE(name(set));
    check(counts);
  }
  unlimit();
}

TEST(EightPairs, AgreeWithTheExactAnswer) {
  constexpr int rounds = 400;
  for (const Generator& generator : generators()) {
    SCOPED_TRACE(generator.name);
    const auto round = [&](int i, Random& random, Counts& counts) {
      look_at_eight([&] { return generator.make(random); }, some_pose(i % 3), some_pose(i / 3 % 3), counts);
    };
    on_every_set(rounds, round, [&](const Counts& counts) {
      if (&generator == &generators().front()) {
        EXPECT_LT(counts.unsure, rounds * 8 / 100);
      }
    });
  }
}

TEST(EightPairs, AreSureOfEdgesThatMeetInAPlaneAlongTheAxes) {
  constexpr int rounds = 400;
  const auto round = [](int i, Random& random, Counts& counts) {
    const auto with_edge_in_plane = [&] {
      Corners t;
      for (Vec3& p : t) p = {random.real(), random.real(), random.real()};
      const std::size_t apex = random.index(3);
      t[(apex + 1) % 3][i % 3] = t[(apex + 2) % 3][i % 3] = 0.3;
      return t;
    };
    look_at_eight([&] { return TrianglePair{with_edge_in_plane(), with_edge_in_plane()}; }, {}, {}, counts);
  };
  on_every_set(rounds, round, [](const Counts& counts) {
    EXPECT_GT(counts.touch, rounds / 2);
    EXPECT_LT(counts.unsure, rounds * 8 / 100);
  });
}

TEST(EightPairs, AreSureOfNeighboursWithCornersInCommon) {
  constexpr int rounds = 400;
  const auto round = [](int i, Random& random, Counts& counts) {
    // One or two corners in common, in any order; the rest above a, above and below it, or close to its plane.
    const auto neighbours = [&] {
      TrianglePair pair;
      for (Vec3& p : pair.a) p = {random.real(), random.real(), 0};
      for (Vec3& p : pair.b) p = {random.real(), random.real(), random.real(random.one_in(4) ? -1 : 0, 1)};
      const std::size_t at_a = random.index(3), at_b = random.index(3);
      pair.b[at_b] = pair.a[at_a];
      if (random.one_in(2)) pair.b[(at_b + 1) % 3] = pair.a[(at_a + 1 + random.index(2)) % 3];
      if (random.one_in(9)) pair.b[(at_b + 2) % 3].z *= 1e-17;
      if (random.one_in(20)) pair.b[(at_b + 2) % 3] = pair.b[at_b];
      return pair;
    };
    look_at_eight(neighbours, some_pose(i % 3), some_pose(i % 3), counts);
  };
  on_every_set(rounds, round, [](const Counts& counts) {
    EXPECT_GT(counts.touch, rounds * 8 * 6 / 10);
    EXPECT_LT(counts.unsure, rounds * 8 / 10);
    EXPECT_LT(counts.still_unsure, rounds * 8 / 10);
  });
}

TEST(EightPairs, AreSureOfTheSameTriangleAtTheFirstLook) {
  constexpr int rounds = 400;
  const auto round = [](int i, Random& random, Counts& counts) {
    const auto twice = [&] {
      TrianglePair pair;
      for (Vec3& p : pair.a) p = {random.real(), random.real(), random.real()};
      if (random.one_in(20)) pair.a[1] = pair.a[0];
      if (random.one_in(20)) pair.a[2] = pair.a[0] * 0.5 + pair.a[1] * 0.5;
      const std::size_t first = random.index(3), step = 1 + random.index(2);
      for (std::size_t j = 0; j < 3; ++j) pair.b[j] = pair.a[(first + step * j) % 3];
      return pair;
    };
    look_at_eight(twice, some_pose(i % 3), some_pose(i % 3), counts);
  };
  on_every_set(rounds, round, [](const Counts& counts) { EXPECT_LT(counts.unsure, rounds * 8 / 8); });
}

/// A triangle in the plane z = 0.3, on a lattice of eighths or anywhere.
Corners flat_triangle(Random& random, bool on_lattice) {
  Corners t;
  for (Vec3& p : t) {
    p = {random.real(), random.real(), 0.3};
    if (on_lattice) p = {std::floor(8 * p.x) / 8, std::floor(8 * p.y) / 8, p.z};
  }
  return t;
}

TEST(EightPairs, AreSureOfFlushFacesAtASecondLook) {
  constexpr int rounds = 300;
  for (const bool on_lattice : {false, true}) {
    // Where the pose is the identity, faces are in one plane. Turned, they are all but in one plane: signs come from
    // the last bits of coordinates. Seen from an edge, the other axes take their turns.
    for (const int which : {0, 1, 2}) {
      SCOPED_TRACE(::testing::Message() << "pose " << which << (on_lattice ? ", on a lattice" : ""));
      const auto round = [&](int, Random& random, Counts& counts) {
        const auto flat = [&] { return flat_triangle(random, on_lattice); };
        look_at_eight([&] { return TrianglePair{flat(), flat()}; }, some_pose(which), some_pose(which), counts);
      };
      on_every_set(rounds, round, [&](const Counts& counts) {
        if (which < 2) {
          EXPECT_GT(counts.coplanar, rounds * 8 / 4);
        }
        EXPECT_LT(counts.still_unsure, rounds * 8 / (on_lattice ? 3 : 50));
      });
    }
  }
}

TEST(EightPairs, SecondLooksLeaveCornersThatMayBeOnAnEdge) {
  constexpr int rounds = 400;
  const auto round = [](int, Random& random, Counts& counts) {
    // Two corners of b are on an edge of a, as far as rounding lets them: b is inside, outside, or across it.
    const auto along_edge = [&] {
      TrianglePair pair{flat_triangle(random, false), flat_triangle(random, false)};
      for (std::size_t i = 0; i < 2; ++i)
        pair.b[i] = pair.a[0] + (pair.a[1] - pair.a[0]) * random.real(0, 1), pair.b[i].z = 0.3;
      return pair;
    };
    look_at_eight(along_edge, {}, {}, counts);
  };
  on_every_set(rounds, round, [&](const Counts& counts) { EXPECT_GT(counts.still_unsure, rounds); });
}

TEST(EightPairs, SecondLooksAreRightCloseToTheirBound) {
  const auto round = [](int, Random& random, Counts& counts) {
    // Integers of 50 bits. The corners of b are in a's plane, all but a step that makes heights about 2^-100 of what
    // they are computed from, times 1 to 2^12.
    const auto in_plane = [&] {
      const auto integer = [&] { return std::floor(random.real(-0x1p48, 0x1p48)); };
      const Vec3 a{integer(), integer(), integer()}, u{integer(), integer(), integer()}, v{integer(), 1, 0};
      TrianglePair pair{{a, a + u, a + v}, {}};
      for (Vec3& p : pair.b) {
        p = a + u * random.integer(-1, 2) + v * random.integer(-1, 2);
        p[random.integer(0, 2)] += random.integer(-1, 1) * std::floor(std::exp2(random.integer(0, 12)));
      }
      return pair;
    };
    look_at_eight(in_plane, {}, {}, counts);
  };
  on_every_set(2000, round, [](const Counts& counts) { EXPECT_LT(counts.still_unsure, 2000 * 8); });
}

}  // namespace
}  // namespace tumble
