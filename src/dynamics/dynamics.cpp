// SPDX-License-Identifier: Apache-2.0
// A step: everything flies; what would then be in contact gets impulses and tries again from where it was; what still
// is in contact stays there.
#include <tumble/dynamics.h>

#include "core/assert.h"
#include "core/plain_arithmetic.h"
#include "dynamics/impulses.h"
#include "dynamics/rigid_body.h"
#include "mesh/disjoint_sets.h"

#include <tumble/error.h>
#include <tumble/manifold.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <utility>

namespace tumble {
namespace {

void require(bool good, const char* what) {
  if (!good) throw Error(ErrorCode::invalid_argument, what);
}

/// Of a triangle in the world, outward of a closed body; 0 if it has no area.
Vec3 outward_normal(const RigidBody& body, std::uint32_t triangle) {
  const Triangle& t = body.model.triangles()[triangle];
  const auto corner = [&](std::size_t i) { return body.tried * body.model.vertices()[t[i]]; };
  const Vec3 first = corner(0), normal = cross(corner(1) - first, corner(2) - first);
  const double size = length(normal);
  return size > 0 ? normal * (body.outward / size) : Vec3{};
}

}  // namespace

struct Dynamics::State {
  explicit State(const DynamicsOptions& its_options) : options(its_options), world(its_options.world) {}

  std::size_t index_of(BodyId id) const {
    require(id.value >= 1 && id.value <= bodies.size(), "no body of this id is in the dynamics");
    return id.value - 1;
  }
  BodyId id_of(std::size_t i) const { return {static_cast<std::uint32_t>(i + 1)}; }

  bool may_rest(std::size_t i) const { return bodies[i].falls() && slow_steps[i] > 60; }
  /// What gravity adds to a velocity in three steps: slower motion may come of the steps alone.
  double resting_speed() const {
    return 3 * (length(options.gravity.uniform) + std::abs(options.gravity.toward_centre)) * options.step;
  }

  void step();
  void check_free();
  void fly();
  void move(std::size_t i, const RigidMotion& to);
  bool meet(const WorldContacts& contacts);
  void meet(std::size_t a, std::size_t b, Contacts& contacts);
  void push();
  void put_back(std::size_t i);
  void hold_what_rests();
  void put_back_what_collides();
  void settle_energy();

  DynamicsOptions options;
  World world;
  std::vector<RigidBody> bodies;  // by id, from 1
  DynamicsStep last;
  std::size_t steps = 0;
  bool checked = false;
  /// Energy that contacts took so far. What gravity adds to a body that cannot move is paid from it.
  double taken = 0;

  std::vector<int> slow_steps;  // by body: how long it has been slow, and all that it met

  // Of one step, by body:
  std::vector<Moving> moving;
  std::vector<bool> touched, is_back;
  std::vector<Meeting> meetings;
  std::set<BodyPair> met;
  Impulses impulses;
};

void Dynamics::State::check_free() {
  if (const std::vector<BodyPair> pairs = world.colliding(); !pairs.empty()) {
    const auto name = [&](BodyId id) { return std::to_string(id.value) + " '" + world.name(id) + "'"; };
    throw Error(ErrorCode::invalid_argument, "bodies must be apart when dynamics begin; " + name(pairs[0].a) + " and " +
                                                 name(pairs[0].b) + " are in contact");
  }
  checked = true;
}

void Dynamics::State::move(std::size_t i, const RigidMotion& to) {
  bodies[i].now = to;
  bodies[i].tried = bodies[i].pose_at(to);
  world.move(id_of(i), bodies[i].tried);
}

void Dynamics::State::fly() {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    RigidBody& body = bodies[i];
    if (!body.moves()) continue;
    body.before = body.now;
    move(i, body.flown(options.gravity, options.step));
  }
}

/// Adds the contacts of a pair to the meetings.
void Dynamics::State::meet(std::size_t a, std::size_t b, Contacts& contacts) {
  const RigidBody &body_a = bodies[a], &body_b = bodies[b];
  for (const std::size_t i : {a, b}) {
    if (touched[i]) continue;
    touched[i] = true;
    RigidBody& body = bodies[i];
    // As it flew, but from where it was: what flight did to keep the energy belongs to the place it did not reach.
    body.now.velocity = body.before.velocity;
    if (body.falls()) body.now.velocity += acceleration(options.gravity, body.before.place) * options.step;
    body.now.angular_momentum = body.before.angular_momentum;
    moving[i] = {body.now.velocity, body.spin(body.before), body.inverse_mass, body.inverse_inertia_at(body.before)};
  }
  // A contact's normal is that of one of its triangles, to either side. Outward is the side to part to, however small
  // the triangles are beside the depth.
  for (Contact& contact : contacts) {
    const Vec3 of_a = outward_normal(body_a, contact.triangle_a), of_b = outward_normal(body_b, contact.triangle_b);
    contact.normal = std::abs(dot(contact.normal, of_a)) > std::abs(dot(contact.normal, of_b)) ? -of_a : of_b;
  }
  const std::size_t first = meetings.size();
  const double restitution = std::max(body_a.restitution, body_b.restitution);
  const double friction = std::sqrt(body_a.friction * body_b.friction);
  for (const ManifoldPoint& point : manifold(contacts))
    meetings.push_back(
        {a, b, body_a.arm_to(point.point), body_b.arm_to(point.point), point.normal, restitution, friction});
  if (!met.insert({id_of(a), id_of(b)}).second) return;
  // They came into contact, so they approached. If no normal says so, as where a face enters a body as wide as itself
  // and only edges meet, the way they came must do.
  const auto velocity = [&](const Meeting& m) { return moving[a].at(m.arm_a) - moving[b].at(m.arm_b); };
  const auto begin = meetings.begin() + static_cast<std::ptrdiff_t>(first);
  if (std::any_of(begin, meetings.end(), [&](const Meeting& m) { return dot(velocity(m), m.normal) < 0; })) return;
  for (auto m = begin; m != meetings.end(); ++m)
    if (const Vec3 u = velocity(*m); length_sq(u) > 0) m->normal = u / -length(u);
}

bool Dynamics::State::meet(const WorldContacts& contacts) {
  Contacts of_pair;
  for (auto first = contacts.begin(); first != contacts.end();) {
    of_pair.clear();
    auto next = first;
    for (; next != contacts.end() && next->a == first->a && next->b == first->b; ++next)
      of_pair.push_back(next->contact);
    meet(index_of(first->a), index_of(first->b), of_pair);
    first = next;
  }
  return !contacts.empty();
}

/// Lets the impulses act on the velocities of all that met.
void Dynamics::State::push() {
  impulses.apply(
      moving, meetings,
      {.iterations = options.iterations, .resting_speed = resting_speed(), .parting_speed = resting_speed() / 60});
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    RigidBody& body = bodies[i];
    if (!touched[i] || !body.falls()) continue;
    body.now.velocity = moving[i].velocity;
    body.now.angular_momentum = inverse(moving[i].inverse_inertia) * moving[i].spin;
  }
}

void Dynamics::State::put_back(std::size_t i) {
  is_back[i] = true;
  bodies[i].now.place = bodies[i].before.place, bodies[i].now.turn = bodies[i].before.turn;
  world.move(id_of(i), bodies[i].pose);
}

/// Finds out which bodies have been slow for a while. One in contact then stays where it is: impulses alone would let
/// it creep.
void Dynamics::State::hold_what_rests() {
  const auto is_slow = [&](std::size_t i) {
    const RigidBody& body = bodies[i];
    if (!body.falls()) return body.now.velocity == Vec3{} && body.spin(body.now) == Vec3{};
    const double speed = resting_speed();
    return body.kinetic_energy(body.now) <= 0.5 * body.mass.volume * (speed * speed);
  };
  std::vector<bool> slow(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) slow[i] = is_slow(i);
  for (std::size_t i = 0; i < bodies.size(); ++i) slow_steps[i] = slow[i] ? slow_steps[i] + 1 : 0;
  for (const Meeting& m : meetings) {
    if (!slow[m.a]) slow_steps[m.b] = 0;
    if (!slow[m.b]) slow_steps[m.a] = 0;
  }
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (touched[i] && may_rest(i)) put_back(i);
}

/// What is in contact goes back to where it was free, and what then is in its way, too. All that was free together is
/// free again in the end.
void Dynamics::State::put_back_what_collides() {
  for (;;) {
    const std::vector<BodyPair> pairs = world.colliding();
    if (pairs.empty()) return;
    bool changed = false;
    for (const BodyPair& pair : pairs)
      for (const std::size_t i : {index_of(pair.a), index_of(pair.b)}) {
        if (!bodies[i].moves() || is_back[i]) continue;
        put_back(i);
        changed = true;
      }
    TUMBLE_ASSERT(changed);
  }
}

/// Bodies that met share their energy; together they must not gain any. While a body cannot move, gravity may still
/// start to turn it, so it may have what gravity gives in a step if contacts took as much before.
void Dynamics::State::settle_energy() {
  DisjointSets sets(bodies.size());
  for (const Meeting& m : meetings)
    if (bodies[m.a].moves() && bodies[m.b].moves())
      sets.unite(static_cast<std::uint32_t>(m.a), static_cast<std::uint32_t>(m.b));
  struct Group {
    double before = 0, after = 0, kinetic = 0, allowed = 0, factor = 1;
    bool driven = false;
  };
  std::vector<Group> groups(bodies.size());
  const auto group_of = [&](std::size_t i) -> Group& { return groups[sets.find(static_cast<std::uint32_t>(i))]; };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const RigidBody& body = bodies[i];
    if (!touched[i] && !is_back[i]) continue;
    Group& group = group_of(i);
    if (!body.falls()) {
      group.driven |= body.moves();
      continue;
    }
    const double kinetic = body.kinetic_energy(body.before);
    const Vec3 kick = acceleration(options.gravity, body.before.place) * options.step;
    group.before += body.energy(body.before, options.gravity);
    group.after += body.energy(body.now, options.gravity);
    group.kinetic += body.kinetic_energy(body.now);
    group.allowed += std::max(0.0, 0.5 * body.mass.volume * length_sq(kick) - kinetic);
  }
  for (Group& group : groups) {
    if (group.driven) continue;
    const double excess = group.after - (group.before + std::min(taken, group.allowed));
    double after = group.after;
    if (excess > 0 && group.kinetic > 0) {
      const double left = std::max(0.0, group.kinetic - excess);
      group.factor = std::sqrt(left / group.kinetic);
      after -= group.kinetic - left;
    }
    taken = std::max(0.0, taken + (group.before - after));
  }
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (touched[i] || is_back[i]) {
      const double factor = group_of(i).factor;
      if (!bodies[i].falls()) continue;
      bodies[i].now.velocity *= factor;
      bodies[i].now.angular_momentum *= factor;
    }
}

void Dynamics::State::step() {
  const PlainArithmetic plain;
  if (!checked) check_free();
  moving.assign(bodies.size(), {});
  touched.assign(bodies.size(), false);
  is_back.assign(bodies.size(), false);
  slow_steps.resize(bodies.size());
  meetings.clear(), met.clear();
  last.blocked.clear(), last.resting.clear();
  fly();
  std::vector<Pose> first_tried;
  for (const RigidBody& body : bodies) first_tried.push_back(body.tried);
  for (int round = 0; round < options.rounds; ++round) {
    WorldContacts contacts = world.contacts();
    const bool any_met = meet(contacts);
    if (round == 0) last.contacts = std::move(contacts);
    if (!any_met) break;
    push();
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (touched[i] && bodies[i].moves()) move(i, bodies[i].carried(options.step));
  }
  hold_what_rests();
  put_back_what_collides();
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (is_back[i] && bodies[i].falls()) {  // what is stuck must not keep a motion that leads nowhere
      bodies[i].now.velocity *= may_rest(i) ? 0 : 0.5;
      bodies[i].now.angular_momentum *= may_rest(i) ? 0 : 0.5;
    }
  settle_energy();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    RigidBody& body = bodies[i];
    if (!body.moves()) continue;
    if (is_back[i] && may_rest(i)) {
      last.resting.push_back(id_of(i));
    } else if (is_back[i]) {
      last.blocked.push_back(id_of(i));
    } else {
      body.pose = body.tried;
    }
    body.tried = first_tried[i];
  }
  ++steps;
}

Dynamics::Dynamics(const DynamicsOptions& options) {
  require(options.step > 0 && options.step <= 1e50, "the step of dynamics must be positive and at most 1e50");
  require(options.iterations >= 1 && options.iterations <= 10'000, "dynamics take 1 to 10,000 iterations");
  require(options.rounds >= 1 && options.rounds <= 1'000, "dynamics take 1 to 1,000 rounds");
  const Gravity& gravity = options.gravity;
  for (const Vec3& v : {gravity.uniform, gravity.centre, Vec3{gravity.toward_centre, 0, 0}})
    for (int i = 0; i < 3; ++i) require(std::abs(v[i]) <= 1e50, "gravity and its centre must be at most 1e50");
  state_ = std::make_unique<State>(options);
}
Dynamics::~Dynamics() = default;
Dynamics::Dynamics(Dynamics&&) noexcept = default;
Dynamics& Dynamics::operator=(Dynamics&&) noexcept = default;

BodyId Dynamics::add(const Model& model, const Pose& pose, const RigidOptions& options) {
  const PlainArithmetic plain;
  RigidBody body(model, pose, options);
  const BodyId id = state_->world.add(model, pose, {.name = options.name, .moves = body.moves()});
  state_->bodies.push_back(std::move(body));
  TUMBLE_ASSERT(id.value == state_->bodies.size());
  state_->checked = false;
  return id;
}

const DynamicsStep& Dynamics::step() {
  state_->step();
  return state_->last;
}
const DynamicsStep& Dynamics::last_step() const { return state_->last; }
std::size_t Dynamics::steps() const { return state_->steps; }

const Pose& Dynamics::pose(BodyId id) const { return state_->bodies[state_->index_of(id)].pose; }
const Pose& Dynamics::tried(BodyId id) const { return state_->bodies[state_->index_of(id)].tried; }
Vec3 Dynamics::velocity(BodyId id) const { return state_->bodies[state_->index_of(id)].now.velocity; }
Vec3 Dynamics::spin(BodyId id) const {
  const RigidBody& body = state_->bodies[state_->index_of(id)];
  return body.spin(body.now);
}
void Dynamics::set_velocity(BodyId id, Vec3 velocity, Vec3 spin) {
  state_->bodies[state_->index_of(id)].set_velocity(velocity, spin);
}
const MassProperties& Dynamics::mass(BodyId id) const { return state_->bodies[state_->index_of(id)].mass; }

double Dynamics::kinetic_energy() const {
  double sum = 0;
  for (const RigidBody& body : state_->bodies) sum += body.kinetic_energy(body.now);
  return sum;
}
double Dynamics::energy() const {
  double sum = 0;
  for (const RigidBody& body : state_->bodies) sum += body.energy(body.now, state_->options.gravity);
  return sum;
}

std::uint64_t Dynamics::hash() const {
  std::uint64_t value = 0xcbf29ce484222325u;  // FNV-1a, 64 bits
  const auto add = [&](double number) {
    for (auto bits = std::bit_cast<std::uint64_t>(number), byte = std::uint64_t{0}; byte < 8; ++byte, bits >>= 8)
      value = (value ^ (bits & 0xff)) * 0x100000001b3u;
  };
  for (const RigidBody& body : state_->bodies) {
    for (const Vec3& v : {body.now.place, body.now.velocity, body.now.angular_momentum}) add(v.x), add(v.y), add(v.z);
    for (const double component : body.now.turn) add(component);
  }
  return value;
}

World& Dynamics::world() { return state_->world; }

}  // namespace tumble
