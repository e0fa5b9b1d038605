// SPDX-License-Identifier: Apache-2.0
// Distances of bodies 3 to 10^13 radii apart, of sizes up to a million times different, with random trees and options
// and with budgets, against all pairs of triangles. Usage: far_bodies [--rounds N] [--seed S]. Exit status 1 if
// anything is wrong.
#include "query/near_scenes.h"
#include "query/pair_choices.h"
#include "require.h"
#include "scenes/shapes.h"
#include "scenes/spheres.h"

#include <tumble/query.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using namespace tumble;

namespace {

using testing::asked, testing::require, testing::wrong;

/// Closed, with a radius of about 1.
Mesh random_body(scenes::Random& random) {
  switch (random.index(5)) {
    case 0: return scenes::torus(1, random.between(0.05, 0.6), 8, 4);
    case 1: return scenes::box({1, random.between(0.01, 1), random.between(0.01, 1)});
    case 2: return scenes::sphere(48);
    case 3: return scenes::bipyramid(random.between(1e-3, 0.1), 1, 7);  // a spike
    default: return scenes::tetrahedron_field(12, 1);
  }
}

Pose random_turn(scenes::Random& random, Vec3 at) {
  if (random.index(3) == 0) return Pose::from_translation(at);
  auto rows = testing::random_pose(random, at, 0).rows();
  if (random.index(3) == 0)  // stretched as much as poses may be
    for (const std::size_t i : {0u, 5u, 10u}) rows[i] *= 1 + random.between(-4e-5, 4e-5);
  return Pose::from_rows(rows);
}

class Round {
 public:
  explicit Round(scenes::Random& random) : random_(random) {
    std::vector<std::size_t> row;
    for (const std::size_t choices : testing::pair_choice_sizes()) row.push_back(random.index(choices));
    choice_ = testing::pair_choice(row);
    const double unit = std::pow(10, random.between(-3, 3)),
                 ratio = random.index(2) ? std::pow(10, random.between(-6, 6)) : 1;
    radius_ = unit * std::max(1.0, ratio);
    a_ = testing::moved(random_body(random), unit, random.in_box({-unit, -unit, -unit}, {unit, unit, unit}));
    b_ = testing::moved(random_body(random), unit * ratio);
    away_ = radius_ * std::pow(10, random.between(0.5, random.index(4) ? 9 : 13));
    Vec3 direction = random.in_box({-1, -1, -1}, {1, 1, 1});
    if (random.index(3) == 0) direction = {0, 0, 1};  // faces of boxes in a line
    pose_a_ = random_turn(random, {});
    pose_b_ = random_turn(random, direction * (away_ / length(direction)));
  }

  void check() {
    char text[300];
    std::snprintf(text, sizeof text, "%zu and %zu triangles, radius %g, %g away: %s", a_.triangles.size(),
                  b_.triangles.size(), radius_, away_, testing::describe(choice_).c_str());
    asked = text;
    Pair pair(Model(a_, choice_.environment), Model(b_, choice_.object), choice_.pair);
    const testing::AllDistances all(a_, pose_a_, b_, pose_b_);
    for (int again = 0; again < 2; ++again) check_distance(pair, all);
    check_bands(pair, all);
    check_budgets(pair, all);
    // A little elsewhere, coming from here.
    pose_b_ = pose_b_ * Pose::from_translation(random_.in_box({-1, -1, -1}, {1, 1, 1}) * (0.1 * radius_));
    const testing::AllDistances moved(a_, pose_a_, b_, pose_b_);
    check_distance(pair, moved);
  }

 private:
  void check_distance(Pair& pair, const testing::AllDistances& all) {
    for (const bool solid : {false, true}) {
      const Distance d = pair.distance(pose_a_, pose_b_, {.solid = solid});
      require(d.distance == all.least && d.lower == all.least && !d.farther, "distance");
      require(d.distance == std::sqrt(all.squares[d.triangle_a * all.columns + d.triangle_b]), "triangles named");
    }
    const double error = random_.between(0, 2 * radius_);
    const Distance rough = pair.distance(pose_a_, pose_b_, {.abs_error = error});
    require(rough.distance >= all.least && rough.distance <= (all.least + error) * (1 + 1e-15), "absolute error");
    require(rough.lower <= all.least && rough.lower >= (rough.distance - error) * (1 - 1e-15), "lower bound");
    const Distance rougher = pair.distance(pose_a_, pose_b_, {.rel_error = 0.1});
    require(rougher.distance >= all.least && rougher.distance <= all.least * 1.1 * (1 + 1e-15), "relative error");
    const double bound = all.least * (1 + (random_.index(2) ? 1e-15 : -1e-15));
    require(pair.distance(pose_a_, pose_b_, {.upper_bound = bound}).farther == (all.least > bound), "upper bound");
    require(!pair.collide(pose_a_, pose_b_) && !pair.collide(pose_a_, pose_b_, {.solid = true}), "collide");
  }

  void check_bands(Pair& pair, const testing::AllDistances& all) {
    const auto same = [&](const NearPairs& found, const auto& belongs) {
      std::vector<std::size_t> numbers;
      for (const NearPair& p : found) numbers.push_back(all.number(p));
      return numbers == all.where(belongs);
    };
    for (const double d : {all.least, all.least + random_.between(0, radius_)}) {
      const auto near = [d](double sq) { return sq <= d * d; };
      require(same(pair.within(pose_a_, pose_b_, {.distance = d}), near), "pairs within a distance");
      require(pair.is_within(pose_a_, pose_b_, {.distance = d}) == near(all.least_sq), "whether within a distance");
    }
    require(!pair.is_within(pose_a_, pose_b_, {.distance = all.least * (1 - 1e-15)}), "within less than the distance");
    const double error = random_.between(0, radius_);
    require(same(pair.closest_pairs(pose_a_, pose_b_, {.abs_error = error}),
                 [&](double sq) { return std::sqrt(sq) <= all.least + error; }),
            "closest pairs");
  }

  void check_budgets(Pair& pair, const testing::AllDistances& all) {
    const auto run = [&](const Request& request, auto&& at_end) {
      Query query = pair.start(pose_a_, pose_b_, request);
      for (;;) {
        const Certainty c = query.run({.node_pairs = 1 + random_.index(200)});
        require(c.lower <= all.least && c.closest.distance >= all.least, "interval");
        require(c.verdict != Verdict::colliding && c.separation == 0, "verdict and separation");
        if (c.finished) return at_end(c, query);
      }
    };
    run(DistanceRequest{}, [&](const Certainty& c, Query&) {
      require(c.closest.distance == all.least && c.lower == all.least, "distance in the end");
    });
    run(ContactRequest{}, [&](const Certainty& c, Query& query) {
      require(c.verdict == Verdict::free && query.contacts().empty(), "no contact in the end");
      require(c.lower > 0, "an interval without 0");
    });
    const double d = all.least + random_.between(0, 0.1 * radius_);
    run(WithinRequest{.distance = d}, [&](const Certainty&, Query& query) {
      require(query.pairs().size() == all.where([d](double sq) { return sq <= d * d; }).size(), "within in the end");
    });
  }

  scenes::Random& random_;
  testing::PairChoice choice_;
  Mesh a_, b_;
  double radius_, away_;  // of the larger
  Pose pose_a_, pose_b_;
};

}  // namespace

int main(int argc, char** argv) {
  long rounds = 1000;
  std::uint64_t seed = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--rounds") == 0) rounds = std::atol(argv[i + 1]);
    if (std::strcmp(argv[i], "--seed") == 0) seed = std::strtoull(argv[i + 1], nullptr, 10);
  }
  scenes::Random random(seed);
  for (long i = 0; i < rounds; ++i) Round(random).check();
  std::printf("%ld rounds, seed %llu: %zu wrong\n", rounds, static_cast<unsigned long long>(seed), wrong);
  return wrong > 0;
}
