// SPDX-License-Identifier: Apache-2.0
#include "scenes/random.h"
#include "scenes/shapes.h"
#include "scenes/spheres.h"
#include "simd/dispatch.h"

#include <tumble/convex.h>
#include <tumble/error.h>
#include <tumble/query.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace tumble {
namespace {

using Kind = ConvexFeature::Kind;

Pose at(double x, double y, double z) { return Pose::from_translation({x, y, z}); }

TEST(ConvexModel, TakesConvexMeshes) {
  EXPECT_EQ(ConvexModel(scenes::box({1, 2, 3})).triangles().size(), 12u);
  const ConvexModel parts(scenes::quartered(scenes::box({1, 2, 3})));  // corners of faces' parts are not the hull's
  EXPECT_EQ(parts.vertices().size(), 8u);
  EXPECT_EQ(ConvexModel(scenes::sphere(500, scenes::Tessellation::hull)).vertices().size(), 252u);
  Mesh inside_out = scenes::box({1, 1, 1});
  for (Triangle& t : inside_out.triangles) std::swap(t[1], t[2]);
  EXPECT_NO_THROW(ConvexModel{inside_out});
}

TEST(ConvexModel, RefusesOthersByName) {
  Mesh dented = scenes::box({1, 1, 1});
  dented = scenes::quartered(dented);
  // A vertex in the middle of a face, pushed in by a thousandth.
  for (Vec3& v : dented.vertices)
    if (v.z == 1 && v.x == 0 && v.y == 0) v.z = 0.999;
  try {
    ConvexModel{dented};
    FAIL() << "a dented cube is not convex";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_mesh);
    EXPECT_GE(error.place().triangle, 0);
    EXPECT_GE(error.place().vertex, 0);
    EXPECT_NE(error.message().find("not convex"), std::string::npos) << error.message();
  }
  EXPECT_EQ(ConvexModel::hull_of(dented).vertices().size(), 8u);

  EXPECT_THROW(ConvexModel{scenes::torus(1, 0.3, 12, 8)}, Error);
  Mesh open = scenes::box({1, 1, 1});
  open.triangles.pop_back();
  try {
    ConvexModel{open};
    FAIL() << "an open box is not closed";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_closed);
  }
  EXPECT_NO_THROW(ConvexModel::hull_of(open));
  EXPECT_THROW(ConvexModel::hull_of({}), Error);
  EXPECT_THROW(ConvexModel::hull_of({{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}, {{0, 1, 2}}, {}}), Error);
  EXPECT_THROW(ConvexModel::hull_of({{{0, 0, 0}, {1, 0, 0}, {0, std::nan(""), 0}}, {{0, 1, 2}}, {}}), Error);
}

TEST(ConvexPair, NamesTheClosestFeatures) {
  const ConvexModel cube(scenes::box({1, 1, 1}));
  ConvexPair pair(cube, cube);
  const ConvexDistance corner = pair.distance({}, at(3, 4, 5));
  EXPECT_EQ(corner.feature_a.kind, Kind::vertex);
  EXPECT_EQ(corner.feature_b.kind, Kind::vertex);
  EXPECT_DOUBLE_EQ(corner.distance, std::sqrt(1 + 4 + 9));
  EXPECT_EQ(corner.point_a, (Vec3{1, 1, 1}));
  EXPECT_EQ(corner.point_b, (Vec3{2, 3, 4}));

  // On an edge, seen along x: the cube's edge along z and the other's along y.
  const Pose on_edge = Pose::from_quaternion(std::cos(0.5), 0, 0, std::sin(0.5), {4, 0, 0});
  const Pose other_edge = Pose::from_quaternion(std::cos(0.5), 0, std::sin(0.5), 0, {});
  const ConvexDistance edges = pair.distance(other_edge, on_edge);
  EXPECT_EQ(edges.feature_a.kind, Kind::edge);
  EXPECT_EQ(edges.feature_b.kind, Kind::edge);

  const ConvexDistance face = pair.distance({}, Pose::from_quaternion(1, 0.2, 0.3, 0.1, {0.1, 0.2, 4}));
  EXPECT_EQ(face.feature_a.kind, Kind::face);
  EXPECT_EQ(face.feature_b.kind, Kind::vertex);
  EXPECT_EQ(pair.stats().exact, 0u);
}

TEST(ConvexPair, TouchingIsContactAndHalfAnUlpIsNot) {
  const ConvexModel cube(scenes::box({1, 1, 1}));
  ConvexPair pair(cube, cube);
  const double apart = std::nextafter(2.0, 3.0);
  for (int round = 0; round < 2; ++round) {  // with and without memory of the last
    EXPECT_TRUE(pair.collide({}, at(2, 0.5, 0)));
    EXPECT_EQ(pair.distance({}, at(2, 0.5, 0)).distance, 0);
    EXPECT_FALSE(pair.collide({}, at(apart, 0.5, 0)));
    EXPECT_EQ(pair.distance({}, at(apart, 0.5, 0)).distance, apart - 2);
    EXPECT_TRUE(pair.collide({}, at(2, 2, 2)));
    EXPECT_FALSE(pair.collide({}, at(2, apart, 2)));
    EXPECT_TRUE(pair.collide({}, {}));
    EXPECT_TRUE(pair.collide({}, at(0.25, 0, 0)));
  }
}

TEST(ConvexPair, BodiesInsideOthersAreInContact) {
  const ConvexModel cube(scenes::box({1, 1, 1})),
      ball(scenes::scaled(scenes::sphere(320, scenes::Tessellation::geodesic), 0.1));
  EXPECT_TRUE(collide(cube, {}, ball, at(0.2, 0.3, -0.4)));
  EXPECT_EQ(distance(cube, {}, ball, at(0.2, 0.3, -0.4)).distance, 0);
  EXPECT_FALSE(collide(cube, {}, ball, at(0, 0, 1.2)));
}

TEST(ConvexPair, TheLeastTranslationSeparates) {
  const ConvexModel cube(scenes::box({1, 1, 1}));
  const SeparatingTranslation aside = separating_translation(cube, {}, cube, at(0.5, 0.25, -1.75));
  EXPECT_TRUE(aside.in_contact);
  EXPECT_NEAR(aside.upper, 0.25, 1e-8);
  EXPECT_LE(aside.lower, 0.25);
  EXPECT_NEAR(aside.lower, 0.25, 1e-8);
  EXPECT_NEAR(aside.translation.z, -0.25, 1e-8);
  const SeparatingTranslation same = separating_translation(cube, {}, cube, {});
  EXPECT_NEAR(same.upper, 2, 1e-8);
  const SeparatingTranslation flush = separating_translation(cube, {}, cube, at(2, 0, 0));
  EXPECT_TRUE(flush.in_contact);
  EXPECT_NEAR(flush.upper, 0, 1e-8);
  EXPECT_FALSE(separating_translation(cube, {}, cube, at(2.5, 0, 0)).in_contact);
}

TEST(ConvexPair, WalksAFewStepsUnderCoherence) {
  const ConvexModel ball(scenes::sphere(20'000, scenes::Tessellation::hull));
  ConvexPair pair(ball, ball);
  pair.distance({}, at(2.5, 0, 0));
  const std::uint64_t cold = pair.stats().cold_starts, before = pair.stats().walk_steps;
  for (int i = 1; i <= 100; ++i)
    pair.distance({}, Pose::from_quaternion(1, 0.001 * i, 0.0005 * i, 0, {2.5 - 0.002 * i, 0.001 * i, 0}));
  EXPECT_EQ(pair.stats().cold_starts, cold);
  EXPECT_EQ(pair.stats().exact, 0u);
  EXPECT_LT(pair.stats().walk_steps - before, 400u);
}

TEST(ConvexPair, AnswersAsASolidModel) {
  const Mesh mesh = scenes::sphere(320, scenes::Tessellation::geodesic);
  const ConvexModel ball(mesh);
  ConvexPair convex(ball, ball);
  Pair solid(ball.model(), ball.model());
  scenes::Random random(5);
  for (int i = 0; i < 200; ++i) {
    const Vec3 axis = random.direction(), where = random.direction() * random.between(1.5, 2.3);
    const Pose pose = Pose::from_quaternion(random.unit(), axis.x, axis.y, axis.z, where);
    const double expected = solid.distance({}, pose, {.solid = true}).distance;
    EXPECT_NEAR(convex.distance({}, pose).distance, expected, 1e-12 * expected + 1e-14 * 5);
    EXPECT_EQ(convex.collide({}, pose), expected == 0);
  }
}

/// Hulls of every kind on a way through each other.
template <class Each>
void along_ways(const Each& each) {
  const std::vector<ConvexModel> models{
      ConvexModel(scenes::box({1, 0.5, 0.25})), ConvexModel::hull_of(scenes::sphere(60)),
      ConvexModel(scenes::cylinder(0.7, 1.5, 7)), ConvexModel::hull_of(scenes::box({1, 0.8, 0})),
      ConvexModel::hull_of(scenes::box({1, 1e-7, 1e-7}))};
  scenes::Random random(11);
  for (const ConvexModel& a : models)
    for (const ConvexModel& b : models) {
      const Vec3 axis = random.direction();
      const Pose from = at(-3, 0.25, 0.5), to = Pose::from_quaternion(1, axis.x, axis.y, axis.z, {2, -0.5, 0});
      std::vector<Pose> way;
      for (int i = 0; i <= 40; ++i) way.push_back(interpolate(from, to, i / 40.0));
      for (int i = -4; i <= 4; ++i) way.push_back(at(0.5 * i, 0, 0.25));  // faces touch and lie in one plane
      each(a, b, way);
    }
}

TEST(ConvexPair, WarmAnswersAreThoseOfACoolPair) {
  std::size_t meeting = 0, apart = 0;
  along_ways([&](const ConvexModel& a, const ConvexModel& b, const std::vector<Pose>& way) {
    ConvexPair collides(a, b), measures(a, b), mixed(a, b);
    for (const Pose& pose : way) {
      const bool meet = collide(a, {}, b, pose);
      (meet ? meeting : apart) += 1;
      EXPECT_EQ(collides.collide({}, pose), meet);
      EXPECT_EQ(mixed.collide({}, pose), meet);
      const double cool = distance(a, {}, b, pose).distance, tolerance = 1e-12 * cool + 1e-14 * 10;
      EXPECT_EQ(cool == 0, meet);
      for (ConvexPair* warm : {&measures, &mixed}) {
        const double found = warm->distance({}, pose).distance;
        EXPECT_EQ(found == 0, meet);
        EXPECT_NEAR(found, cool, tolerance);
      }
      const SeparatingTranslation s = mixed.separating_translation({}, pose),
                                  alone = separating_translation(a, {}, b, pose);
      EXPECT_EQ(s.in_contact, meet);
      EXPECT_LE(s.lower, alone.upper);
      EXPECT_LE(alone.lower, s.upper);
    }
  });
  EXPECT_GT(meeting, 100u);
  EXPECT_GT(apart, 100u);
}

/// Where roundings could matter the Models decide, which use the instruction set.
TEST(ConvexPair, AnswersAreTheSameOnEveryInstructionSet) {
  std::uint64_t exact = 0;
  const auto answers = [&] {
    std::vector<double> all;
    along_ways([&](const ConvexModel& a, const ConvexModel& b, const std::vector<Pose>& way) {
      ConvexPair pair(a, b);
      for (const Pose& pose : way) {
        const ConvexDistance d = pair.distance({}, pose);
        const SeparatingTranslation s = pair.separating_translation({}, pose);
        all.insert(all.end(), {d.distance, d.lower, d.point_a.x, d.point_b.y, double(d.feature_a.vertices[0]),
                               double(d.feature_b.vertices[0]), pair.collide({}, pose) ? 1.0 : 0.0, s.lower, s.upper,
                               s.translation.x, s.translation.y, s.translation.z});
      }
      exact += pair.stats().exact;
    });
    const Model torus(scenes::torus(1, 0.3, 9, 7)), box(scenes::box({0.5, 0.4, 0.3}));
    const SeparatingTranslation s =
        separating_translation(torus, {}, box, Pose::from_quaternion(3, 1, 2, 1, {0.9, 0.2, 0.1}));
    all.insert(all.end(), {s.lower, s.upper, s.translation.x, s.translation.y, s.translation.z});
    return all;
  };
  unlimit();
  const std::vector<double> expected = answers();
  EXPECT_GT(exact, 10u);
  for (const InstructionSet set : available()) {
    SCOPED_TRACE(name(set));
    limit_to(set);
    EXPECT_EQ(answers(), expected);
  }
  unlimit();
}

TEST(ConvexPair, SizesAtTheEndsOfDoublesAreNoTrouble) {
  for (const double unit : {1e-90, 1e-40, 1e40, 1e90}) {
    const ConvexModel cube(scenes::box({unit, unit, unit}));
    EXPECT_TRUE(collide(cube, {}, cube, at(unit, 0, 0)));
    EXPECT_TRUE(collide(cube, {}, cube, at(2 * unit, 0, 0)));
    EXPECT_FALSE(collide(cube, {}, cube, at(3 * unit, 0, 0)));
    EXPECT_NEAR(distance(cube, {}, cube, at(3 * unit, 0, 0)).distance / unit, 1, 1e-12);
    const Pose inside = Pose::from_quaternion(1, 0.1, 0.2, 0.3, {unit, 0.5 * unit, 0});
    const ConvexModel usual(scenes::box({1, 1, 1}));
    const Pose usual_inside = Pose::from_quaternion(1, 0.1, 0.2, 0.3, {1, 0.5, 0});
    const SeparatingTranslation s = separating_translation(cube, {}, cube, inside),
                                expected = separating_translation(usual, {}, usual, usual_inside);
    EXPECT_TRUE(s.in_contact);
    EXPECT_NEAR(s.lower / unit, expected.lower, 1e-9);
    EXPECT_NEAR(s.upper / unit, expected.upper, 1e-9);
    EXPECT_NEAR(s.translation.x / unit, expected.translation.x, 1e-9);
  }
}

}  // namespace
}  // namespace tumble
