// SPDX-License-Identifier: Apache-2.0
// How tight realigned bounds are: never below what is exact, and equal to it where a strategy claims so.
#include "realign/cones.h"
#include "realign/duality.h"
#include "realign/occupancy_cones.h"
#include "realign/scenario.h"

#include <gtest/gtest.h>

namespace tumble {
namespace {

/// A pose whose roundings are those of unit sizes, so that what is beyond the exact bound is the strategy's.
RelativePose plain_pose(Random& random) {
  RelativePose pose = pose_of(Motion::any, random);
  for (Vec3& row : pose.linear.rows) row = row / pose.scale;
  pose.scale = 1;
  pose.margin = 0;
  pose.translation = random.vector(1);
  return pose;
}

/// Calls `use` with the exact and the realigned bound of every lane and direction of some nodes.
template <class Use>
void compare(Realign strategy, int source_k, int target_k, std::uint64_t seed, int poses, Use&& use) {
  SCOPED_TRACE(std::string(name(strategy)) + " from " + std::to_string(source_k) + " to " + std::to_string(target_k) +
               ", seed " + std::to_string(seed));
  Random random(seed);
  const EveryTriple exact(source_k);
  const std::vector<Node> nodes{node_of({Bound::dop, source_k}, random)};
  PairOptions options;
  options.realign = strategy;
  const auto realigner = make_realigner(options, {Bound::dop, source_k}, {Bound::dop, target_k}, sets_of(nodes));
  std::vector<float> rows(static_cast<std::size_t>(target_k) * node_lanes);
  for (int p = 0; p < poses; ++p) {
    const RelativePose pose = plain_pose(random);
    realigner->set_pose(pose);
    realigner->realign(0, nodes[0].rows.data(), rows.data());
    const Mat3 back = transpose(pose.linear);
    const std::span<const Vec3> normals = directions(target_k);
    for (std::size_t i = 0; i<normals.size(); i += normals.size()> 13 ? 5 : 1)
      for (std::size_t lane = 0; lane < node_lanes; ++lane) {
        const Vec3 u = back * normals[i];
        const double shift = dot(normals[i], pose.translation);
        const float* source = nodes[0].rows.data();
        use(exact.support(u, source, lane) + shift, static_cast<double>(rows[DopRows::upper(i) + lane]));
        use(exact.support(-u, source, lane) - shift, -static_cast<double>(rows[DopRows::lower(i) + lane]));
      }
  }
}

int poses_for(int k) { return k <= 26 ? 8 : 1; }

TEST(Tightness, NothingThatLooksAtBoundsOnlyIsBelowTheDop) {
  for (const Realign strategy : {Realign::affine, Realign::affine_min, Realign::brep_vertices, Realign::sat_lite})
    for (const int source : listed_k)
      compare(strategy, source, 18, 3, poses_for(source),
              [&](double exact, double realigned) { ASSERT_GE(realigned, exact - 1e-12); });
}

TEST(Tightness, CornersGiveTheExactSupportOfTheDop) {
  for (const int source : listed_k)
    for (const int target : {6, 12, 26})
      compare(Realign::brep_vertices, source, target, 4, poses_for(source),
              [&](double exact, double realigned) { ASSERT_NEAR(realigned, exact, 2e-5); });
}

TEST(Tightness, TheSmallestSumIsExactUpTo26) {
  for (const int source : {6, 8, 12, 14, 18, 26})
    for (std::uint64_t seed = 1; seed <= 6; ++seed)
      compare(Realign::affine_min, source, 18, seed, 8,
              [&](double exact, double realigned) { ASSERT_NEAR(realigned, exact, 3e-5); });
}

TEST(Tightness, OneSumIsExactFor6Dops) {
  for (const Realign strategy : {Realign::affine, Realign::affine_min, Realign::sat_lite})
    compare(strategy, 6, 26, 5, 8, [&](double exact, double realigned) { ASSERT_NEAR(realigned, exact, 3e-5); });
}

TEST(Tightness, HillClimbingIsExactForThePointsThemselves) {
  Random random(6);
  const std::vector<Node> nodes{node_of({Bound::dop, 14}, random)};
  PairOptions options;
  options.realign = Realign::hill_climbing;
  const auto realigner = make_realigner(options, {Bound::dop, 14}, {Bound::dop, 26}, sets_of(nodes));
  std::array<float, DopRows::count(26) * node_lanes> rows;
  for (int p = 0; p < 50; ++p) {
    const RelativePose pose = plain_pose(random);
    realigner->set_pose(pose);
    realigner->realign(0, nodes[0].rows.data(), rows.data());
    for (std::size_t lane = 0; lane < node_lanes; ++lane)
      for (std::size_t i = 0; i < 13; ++i) {
        double least = 1e9, most = -1e9;
        for (const Vec3& v : nodes[0].points[lane]) {
          const double along = dot(directions(26)[i], pose.linear * v + pose.translation);
          least = std::min(least, along), most = std::max(most, along);
        }
        ASSERT_NEAR(rows[DopRows::lower(i) + lane], least, 1e-6);
        ASSERT_NEAR(rows[DopRows::upper(i) + lane], most, 1e-6);
      }
  }
}

TEST(Tightness, BoxesStayWhatTheyAre) {
  Random random(7);
  const Node node = node_of({Bound::obb, 0}, random);
  const auto realigner = make_realigner({}, {Bound::obb, 0}, {Bound::obb, 0}, {});
  std::array<float, ObbRows::count * node_lanes> rows;
  for (int p = 0; p < 50; ++p) {
    realigner->set_pose(plain_pose(random));
    realigner->realign(0, node.rows.data(), rows.data());
    for (std::size_t i = ObbRows::half(0); i < ObbRows::half(3); ++i) ASSERT_NEAR(rows[i], node.rows[i], 4e-5);
  }
}

TEST(Cones, EveryDirectionIsASumOfThreeNormals) {
  Random random(8);
  for (const int k : listed_k)
    for (const Cones::Which which : {Cones::Which::own, Cones::Which::all}) {
      const Cones cones(k, which);
      for (int round = 0; round < 2000; ++round) {
        Vec3 u = random.vector(1);
        if (round % 3 == 0) u = {std::round(2 * u.x), std::round(2 * u.y), std::round(2 * u.z)};
        if (u == Vec3{}) continue;
        Cones::Triples storage;
        double last_cost = 0;
        const std::span<const Triple> triples = cones.around(u, storage);
        ASSERT_FALSE(triples.empty());
        for (const Triple& triple : triples) {
          Vec3 sum;
          for (std::size_t i = 0; i < 3; ++i) {
            ASSERT_GE(triple.weights[i], 0);
            sum += directions(k)[triple.slabs[i]] * (triple.flipped[i] ? -triple.weights[i] : triple.weights[i]);
          }
          ASSERT_LT(length(sum - u), 1e-11) << "k = " << k;
          ASSERT_GE(triple.cost, last_cost);
          last_cost = triple.cost;
        }
      }
    }
}

/// A cone that holds a further normal of the set bounds no fitted DOP better than the parts that normal cuts it into:
/// the normal's offset, touched by a point, is at most the sum of the three. So the smallest sum over the cones that
/// hold none is the smallest over all, the exact support, and up to 26 every one of them is listed.
TEST(Cones, EveryEmptyConeIsListedUpTo26) {
  struct Empty {
    std::array<std::size_t, 3> planes;
    std::array<Vec3, 3> weigh;
  };
  Random random(9);
  for (const int k : {6, 8, 12, 14, 18, 26}) {
    std::vector<Vec3> normals;  // slab i: 2i up, 2i + 1 down
    for (const Vec3& n : directions(k)) normals.insert(normals.end(), {n, -n});
    std::vector<Empty> empties;
    for (std::size_t a = 0; a < normals.size(); ++a)
      for (std::size_t b = a + 1; b < normals.size(); ++b)
        for (std::size_t c = b + 1; c < normals.size(); ++c) {
          const double volume = dot(normals[a], cross(normals[b], normals[c]));
          if (std::abs(volume) < 1e-9) continue;
          const Empty cone{{a, b, c},
                           {cross(normals[b], normals[c]) / volume, cross(normals[c], normals[a]) / volume,
                            cross(normals[a], normals[b]) / volume}};
          bool is_empty = true;
          for (std::size_t other = 0; other < normals.size(); ++other) {
            if (other == a || other == b || other == c) continue;
            is_empty &= std::any_of(cone.weigh.begin(), cone.weigh.end(),
                                    [&](Vec3 w) { return dot(w, normals[other]) < -1e-9; });
          }
          if (is_empty) empties.push_back(cone);
        }
    const Cones cones(k, Cones::Which::all);
    for (int round = 0; round < 1000; ++round) {
      const Vec3 u = random.vector(1);
      Cones::Triples storage;
      std::vector<std::array<std::size_t, 3>> listed;
      for (const Triple& triple : cones.around(u, storage)) {
        std::array<std::size_t, 3> planes;
        for (std::size_t i = 0; i < 3; ++i) planes[i] = 2u * triple.slabs[i] + (triple.flipped[i] ? 1u : 0u);
        std::sort(planes.begin(), planes.end());
        listed.push_back(planes);
      }
      for (const Empty& cone : empties) {
        if (std::any_of(cone.weigh.begin(), cone.weigh.end(), [&](Vec3 w) { return dot(w, u) < 1e-9; })) continue;
        ASSERT_NE(std::find(listed.begin(), listed.end(), cone.planes), listed.end())
            << "k = " << k << ", direction " << u.x << ' ' << u.y << ' ' << u.z << ", planes " << cone.planes[0] << ' '
            << cone.planes[1] << ' ' << cone.planes[2];
      }
    }
  }
}

/// The largest circle on the sphere without a direction inside touches three of them.
TEST(Cones, CoverAllDirectionsAndNoMore) {
  for (const int k : listed_k) {
    std::vector<Vec3> units;
    for (std::size_t i = 0; i < directions(k).size(); ++i) {
      units.push_back(directions(k)[i] / direction_lengths(k)[i]);
      units.push_back(-units.back());
    }
    double least = 1;
    for (std::size_t a = 0; a < units.size(); ++a)
      for (std::size_t b = a + 1; b < units.size(); ++b)
        for (std::size_t c = b + 1; c < units.size(); ++c) {
          Vec3 w = cross(units[b] - units[a], units[c] - units[a]);
          const double size = length(w);
          if (size < 1e-9) continue;
          w = w / size;
          double cosine = dot(w, units[a]);
          if (cosine < 0) w = -w, cosine = -cosine;
          if (cosine >= least) continue;
          if (std::all_of(units.begin(), units.end(), [&](Vec3 d) { return dot(d, w) <= cosine + 1e-12; }))
            least = cosine;
        }
    EXPECT_LE(covering_cosine(k), least) << "k = " << k;
    EXPECT_NEAR(covering_cosine(k), least, 1e-7) << "k = " << k;
  }
}

}  // namespace
}  // namespace tumble
