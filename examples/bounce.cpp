// SPDX-License-Identifier: Apache-2.0
// Lets a torus and a tetrahedron fall onto a plate and prints their heights. Nothing ever overlaps, the energy never
// grows, and the last line is the same on every machine. docs/simulate.md explains it.
#include <tumble/tumble.h>

#include <cinttypes>
#include <cstdio>

int main() try {
  tumble::Dynamics dynamics;
  dynamics.add(tumble::Model{tumble::load_mesh("plate.stl")}, {},
               {.name = "plate", .kind = tumble::RigidKind::standing});
  const tumble::BodyId ring =
      dynamics.add(tumble::Model{tumble::load_mesh("torus.stl")},
                   tumble::Pose::from_quaternion(1, 0.2, 0.1, 0, {0, 0, 2}), {.name = "ring", .spin = {1, 0, 0}});
  dynamics.add(tumble::Model{tumble::load_mesh("tetrahedron.off")}, tumble::Pose::from_translation({0, 0, 5}),
               {.name = "tetrahedron"});

  double energy = dynamics.energy();
  std::puts("seconds,height,contacts,energy");
  for (int step = 0; step < 240; ++step) {  // a second
    const tumble::DynamicsStep& now = dynamics.step();
    if (dynamics.world().collide()) return std::puts("bodies overlap"), 1;
    if (dynamics.energy() > energy * (1 + 1e-12)) return std::puts("energy came from nowhere"), 1;
    energy = dynamics.energy();
    if (step % 24 == 0)
      std::printf("%.2f,%.4f,%zu,%.4f\n", step / 240.0, dynamics.pose(ring).translation().z, now.contacts.size(),
                  energy);
  }
  std::printf("hash %016" PRIx64 "\n", dynamics.hash());
  return 0;
} catch (const tumble::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
