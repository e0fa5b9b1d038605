// SPDX-License-Identifier: Apache-2.0
// Placings are made of closed bodies and have the clearance, the contact or the distance that they claim.
#include "scenes/placings.h"

#include "scenes/closed.h"

#include <tumble/query.h>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace tumble::scenes {
namespace {

double gap(const Placing& p, const Pose& pose) { return distance(Model(p.env), {}, Model(p.object), pose).distance; }
double gap(const Placing& p) { return gap(p, p.pose); }

TEST(Placings, AreClosedWithFrontsOutward) {
  const std::pair<const char*, Placing> all[] = {
      {"plates", facing_plates(0.01, 6)}, {"shaft", shaft_in_bore(0.01, 24)}, {"lid", lid_in_groove(0.01, 24)},
      {"gears", meshed_gears(0.01, 2)},   {"nut", nut_on_thread(0.01, 24)},   {"far", far_apart(3, 400)},
      {"coincident", coincident(400)},    {"mated", mated_faces(0.1, 6)},     {"bars", parallel_bars(0.1, 800)},
      {"fans", facing_fans(32)},          {"needles", crossing_needles(20)},  {"huge", small_on_huge(10, 400)},
      {"tori", crossing_tori(800)}};
  for (const auto& [name, placing] : all)
    for (const Mesh* mesh : {&placing.env, &placing.object}) {
      SCOPED_TRACE(name);
      check(*mesh);
      EXPECT_EQ(open_edges(*mesh), 0u);
      EXPECT_EQ(flat_triangles(*mesh), 0u);
      EXPECT_GT(signed_volume(*mesh), 0);
    }
}

TEST(Placings, HaveTheTrianglesTheySay) {
  const Placing plates = facing_plates(0.01);
  EXPECT_EQ(plates.env.triangles.size(), 4u * 60 * 60 + 8 * 60);
  EXPECT_EQ(plates.object.triangles.size(), plates.env.triangles.size());
  EXPECT_EQ(facing_fans(32).env.triangles.size(), 4u * 32);
  EXPECT_EQ(crossing_tori(800).object.triangles.size(), 800u);
  EXPECT_EQ(small_on_huge(10, 400).env.triangles.size(), 412u);
}

// To the rounding of world coordinates: the bodies have size 1 and are turned.
TEST(Placings, HaveTheClearanceTheyClaim) {
  for (const double clearance : {1e-2, 1e-5, 1e-8}) {
    SCOPED_TRACE(clearance);
    EXPECT_NEAR(gap(facing_plates(clearance, 8)), clearance, 2e-14);
    EXPECT_NEAR(gap(shaft_in_bore(clearance, 24)), clearance, 2e-14);
    EXPECT_NEAR(gap(lid_in_groove(clearance, 24)), clearance, 2e-14);
    EXPECT_NEAR(gap(meshed_gears(clearance, 1)), clearance, 2e-14);
    const double flanks = gap(nut_on_thread(clearance, 24));
    EXPECT_GE(flanks, 0.7 * clearance);
    EXPECT_LE(flanks, 0.8 * clearance);
  }
  EXPECT_NEAR(gap(facing_plates(1e-12, 8)), 1e-12, 2e-14);
  EXPECT_NEAR(gap(facing_fans(32)), 1e-3, 2e-14);
  EXPECT_NEAR(gap(parallel_bars(0.1, 800)), 0.1, 2e-14);
  const double beside = gap(small_on_huge(1000, 400));
  EXPECT_GT(beside, 0.005);
  EXPECT_LT(beside, 0.1);
}

TEST(Placings, FarBodiesAreFar) {
  for (const double radii : {3.0, 1e3, 1e6}) {
    const double d = gap(far_apart(radii, 400));
    EXPECT_GT(d, radii - 2);
    EXPECT_LT(d, 1.5 * radii);
  }
}

TEST(Placings, TouchWhereTheyShould) {
  EXPECT_EQ(gap(coincident(400)), 0);
  for (const double shear : {1e-9, 0.1, 1.0}) EXPECT_EQ(gap(mated_faces(shear, 6)), 0);
  EXPECT_EQ(gap(crossing_needles(20)), 0);
  EXPECT_EQ(gap(crossing_needles(2000)), 0);
  EXPECT_EQ(gap(crossing_tori(800)), 0);
}

TEST(Placings, TheStepBeforeIsSmall) {
  for (const Placing& p : {facing_plates(0.01, 6), shaft_in_bore(0.01, 24), meshed_gears(0.01, 1), far_apart(1e3, 400)})
    EXPECT_NEAR(gap(p, p.before), gap(p), 2e-3);
}

}  // namespace
}  // namespace tumble::scenes
