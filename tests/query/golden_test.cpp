// SPDX-License-Identifier: Apache-2.0
// One hash of the sorted contacts per scene, equal for every bound, instruction set and number of threads.
#include "scenes/catalog.h"
#include "simd/dispatch.h"

#include <tumble/query.h>

#include <gtest/gtest.h>

#include <bit>

namespace tumble {
namespace {

struct Golden {
  const char* scene;
  std::size_t triangles, steps;
  std::uint64_t hash;
};

/// FNV-1a over ids, kinds and the bits of the outlines.
class ContactHash {
 public:
  void add(const Contacts& contacts) {
    mix(contacts.size());
    for (const Contact& c : contacts) {
      mix(c.triangle_a);
      mix(c.triangle_b);
      mix(static_cast<std::uint64_t>(c.kind));
      for (const Vec3& v : c.outline())
        for (int axis = 0; axis < 3; ++axis) mix(std::bit_cast<std::uint64_t>(v[axis]));
    }
  }
  std::uint64_t value() const { return hash_; }

 private:
  void mix(std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte) hash_ = (hash_ ^ (word >> (8 * byte) & 0xff)) * 0x100000001b3u;
  }
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

std::uint64_t hash_of(const Model& environment, const Model& object, const scenes::Flight& flight) {
  Pair pair(environment, object);
  ContactHash hash;
  std::size_t count = 0;
  for (const Pose& pose : flight) {
    const Contacts contacts = pair.contacts({}, pose);
    hash.add(contacts);
    count += contacts.size();
  }
  EXPECT_GT(count, 5u);
  return hash.value();
}

constexpr Golden goldens[] = {
    {"pipes", 8'000, 150, 5554791392868389264u},
    {"torus", 8'000, 150, 10458038246365703912u},
    {"airplane", 0, 100, 16671357331458380696u},
    {"interior", 0, 40, 12507507882121774390u},
};

TEST(Golden, ContactsPerScene) {
  for (const Golden& golden : goldens) {
    const scenes::Scene scene = scenes::make(golden.scene, {.triangles = golden.triangles, .steps = golden.steps});
    const Model boxes(scene.env), object_boxes(scene.object);
    const TreeOptions dop{.bound = Bound::dop};
    const Model dops(scene.env, dop), object_dops(scene.object, dop);
    Pair steering(boxes, object_boxes);
    const scenes::Flight flight = scenes::fly(scene, [&](const Pose& pose) { return steering.collide({}, pose); });
    for (const InstructionSet set : available()) {
      limit_to(set);
      EXPECT_EQ(hash_of(boxes, object_boxes, flight), golden.hash) << golden.scene << ", boxes, " << name(set);
      EXPECT_EQ(hash_of(dops, object_dops, flight), golden.hash) << golden.scene << ", DOPs, " << name(set);
    }
    unlimit();
  }
}

}  // namespace
}  // namespace tumble
