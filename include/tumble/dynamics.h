// SPDX-License-Identifier: Apache-2.0
// Dynamics: rigid bodies that fall, tumble and bounce (Lin 1996, section 5). This is an experiment that drives the
// collision engine, not a physics engine: it has no joints and no constraints but contact, and asks exact questions
// where an engine would approximate.
#pragma once

#include <tumble/mass.h>
#include <tumble/model.h>
#include <tumble/pose.h>
#include <tumble/world.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tumble {

/// An acceleration: the same everywhere, or of the same magnitude everywhere and toward a centre, or both.
struct Gravity {
  Vec3 uniform{0, 0, -9.81};
  Vec3 centre{};
  double toward_centre = 0;
};

enum class RigidKind : std::uint8_t {
  falling,   // moves by gravity and impulses; its mesh is closed
  driven,    // moves with its given velocity and spin and pushes others; it waits while one cannot give way
  standing,  // never moves. If its mesh is open, others must come from the fronts of its triangles
};

struct RigidOptions {
  std::string name{};
  RigidKind kind = RigidKind::falling;
  double density = 1;
  double restitution = 0.5;  // 0 to 1; of two bodies, the larger counts
  double friction = 0.3;     // of two bodies, the geometric mean
  Vec3 velocity{};           // of the centre of mass; of driven bodies, of the origin of their coordinates
  Vec3 spin{};               // about that point, in radians per second, in the world
};

struct DynamicsOptions {
  double step = 1.0 / 240;  // seconds, or whatever unit gravity is in
  Gravity gravity{};
  int iterations = 20;  // sequential impulses: sweeps over the contacts
  int rounds = 4;       // how often bodies in contact try to move in one step
  WorldOptions world{};
};

/// What happened in a step.
struct DynamicsStep {
  /// At the poses that bodies would have taken without contact; sorted.
  WorldContacts contacts;
  // Falling and driven bodies that stayed where they were; ascending.
  std::vector<BodyId> resting;  // in contact, and slow for 60 steps, like all that they were in contact with
  std::vector<BodyId> blocked;  // found no way to move
};

/// Bodies never overlap at the end of a step: surfaces that would meet are put back to where they were free, and move
/// on by what impulses make of their velocities. Without driven bodies the energy never grows: flight keeps it,
/// impulses and friction take from it, and roundings of either are corrected. The state depends on the bodies, the
/// options but for threads, and nothing else: it is the same, to the last bit, on every machine (docs/semantics.md).
class Dynamics {
 public:
  explicit Dynamics(const DynamicsOptions& options = {});
  ~Dynamics();
  Dynamics(Dynamics&&) noexcept;
  Dynamics& operator=(Dynamics&&) noexcept;

  /// Throws Error(not_closed) for a falling body with an open mesh, Error(invalid_mesh) for one without mass, and
  /// Error(invalid_argument) for options out of range.
  BodyId add(const Model& model, const Pose& pose = {}, const RigidOptions& options = {});

  /// Advances by one step. The first throws Error(invalid_argument), naming them, if bodies are in contact.
  const DynamicsStep& step();
  const DynamicsStep& last_step() const;
  std::size_t steps() const;

  // Throw Error(invalid_argument) for an id that add() has not returned.

  const Pose& pose(BodyId id) const;
  /// Where the last step tried to put the body first; contacts are those of these poses.
  const Pose& tried(BodyId id) const;
  Vec3 velocity(BodyId id) const;
  Vec3 spin(BodyId id) const;
  void set_velocity(BodyId id, Vec3 velocity, Vec3 spin);
  /// Of a falling body, with its density in volume and inertia.
  const MassProperties& mass(BodyId id) const;

  double kinetic_energy() const;  // of the falling bodies
  double energy() const;          // with what gravity can still do; 0 is at the origin, and at Gravity::centre
  /// Of all positions, orientations, velocities and momenta, bit by bit.
  std::uint64_t hash() const;
  /// The bodies at their poses, for questions.
  World& world();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tumble
