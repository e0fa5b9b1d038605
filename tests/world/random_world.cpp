// SPDX-License-Identifier: Apache-2.0
// Random worlds of meshes and convex polytopes: bodies are added, moved, removed, regrouped, ignored and asked about,
// step after step. Worlds with different options are held against a plain list of bodies of which every pair is asked.
// Usage: random_world
// [--bodies N] [--steps N] [--contacts-every N] [--distances-every N] [--unit LENGTH] [--offset UNITS] [--seed S]. Exit
// status 1 if anything is wrong.
#include "math/sum_norm.h"
#include "scenes/random.h"
#include "scenes/shapes.h"
#include "scenes/spheres.h"
#include "world/asking.h"
#include "world/body_shape.h"

#include <tumble/error.h>
#include <tumble/query.h>
#include <tumble/world.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace tumble;

namespace {

std::size_t wrong = 0;
std::size_t step_number = 0;

void require(bool holds, const char* world, const char* what) {
  if (!holds && ++wrong <= 20) std::printf("WRONG at step %zu, %s: %s\n", step_number, world, what);
}

/// A body as the referee knows it.
struct Listed {
  BodyId id, group;
  std::size_t model;
  Pose in_group;
};
struct ListedGroup {
  Pose pose;
  bool is_one_body = true;
  BodyOptions options;
};

BodyPair ordered(BodyId a, BodyId b) { return a < b ? BodyPair{a, b} : BodyPair{b, a}; }

/// Two lists as sets; both must be in order.
void require_equal(const std::vector<BodyPair>& found, const std::vector<BodyPair>& expected, const char* world,
                   const char* what) {
  require(found == expected, world, what);
}

class Referee {
 public:
  std::vector<Model> models;
  std::vector<bool> is_convex;
  std::map<BodyId, Listed> bodies;
  std::map<BodyId, ListedGroup> groups;
  std::set<BodyPair> ignored;
  std::map<BodyPair, double> margins;

  Pose pose(const Listed& body) const {
    const ListedGroup& group = groups.at(body.group);
    return group.is_one_body ? group.pose : group.pose * body.in_group;
  }
  double margin(BodyId group_a, BodyId group_b) const {
    const auto set = margins.find(ordered(group_a, group_b));
    if (set != margins.end()) return set->second;
    return groups.at(group_a).options.margin + groups.at(group_b).options.margin;
  }
  bool is_of_interest(const Listed& a, const Listed& b) const {
    if (a.group == b.group) return false;
    const BodyOptions &of_a = groups.at(a.group).options, &of_b = groups.at(b.group).options;
    if (!of_a.moves && !of_b.moves) return false;
    if (!(of_a.is & of_b.cares_about) || !(of_b.is & of_a.cares_about)) return false;
    for (const BodyId i : {a.id, a.group})
      for (const BodyId j : {b.id, b.group})
        if (ignored.count(ordered(i, j))) return false;
    return true;
  }
  /// Whatever is asked.
  bool are_solid(const Listed& a, const Listed& b) const { return is_convex[a.model] && is_convex[b.model]; }
  template <class Each>
  void each_pair(const Each& each) const {
    for (auto a = bodies.begin(); a != bodies.end(); ++a)
      for (auto b = std::next(a); b != bodies.end(); ++b)
        if (is_of_interest(a->second, b->second)) each(a->second, b->second);
  }
  double growth(BodyId group) const {
    double largest = groups.at(group).options.margin;
    for (const auto& [pair, margin] : margins)
      if (pair.a == group || pair.b == group) largest = std::max(largest, margin / 2);
    return largest;
  }
};

struct Candidate {
  const char* name;
  World world;
};

class Run {
 public:
  /// All lengths are in units of `unit`, and the world is `offset` units from the origin.
  Run(std::size_t bodies, double unit, double offset, std::uint64_t seed)
      : count_(bodies), unit_(unit), offset_(offset), random_(seed) {
    least_microseconds_to_share = 0;  // else worlds as small as these would use one thread
    add_model(scenes::box({0.5, 0.3, 0.2}));
    add_model(scenes::torus(0.5, 0.2, 12, 8));
    add_model(scenes::bipyramid(0.4, 0.7, 7));
    add_model(scenes::cylinder(0.2, 1.5, 9));
    add_model(scenes::tetrahedron({0, 0, 0}, {0.9, 0, 0}, {0, 0.8, 0}, {0.1, 0.1, 0.7}));
    add_model(scenes::box({0.5, 0.4, 1e-12}));
    add_model(scenes::box({0.9, 1e-9, 1e-9}));
    add_model(scenes::scaled(scenes::box({0.5, 0.5, 0.5}), 0.05));
    add_model(scenes::scaled(scenes::torus(0.5, 0.2, 16, 8), 6));
    add_hull(scenes::box({0.5, 0.3, 0.2}));
    add_hull(scenes::sphere(60));
    add_hull(scenes::bipyramid(0.4, 0.7, 7));
    add_hull(scenes::cylinder(0.2, 1.5, 9));
    add_hull(scenes::box({0.9, 1e-9, 1e-9}));
    add_hull(scenes::box({0.5, 0.4, 0}));  // flat
    add_hull(scenes::scaled(scenes::box({0.5, 0.5, 0.5}), 0.05));
    add_hull(scenes::scaled(scenes::torus(0.5, 0.2, 16, 8), 2));
    for (const NeighbourFinding neighbours : {NeighbourFinding::box_tree, NeighbourFinding::sweep_and_prune})
      for (const BodyBoxes boxes : {BodyBoxes::dynamic, BodyBoxes::fixed})
        for (const int threads : {1, boxes == BodyBoxes::dynamic ? 2 : 5}) {
          if (threads == 5 && neighbours == NeighbourFinding::sweep_and_prune) continue;
          names_.push_back(std::string(neighbours == NeighbourFinding::box_tree ? "box tree" : "sweep and prune") +
                           (boxes == BodyBoxes::dynamic ? ", dynamic" : ", fixed") +
                           (threads == 1 ? ", one thread" : ", " + std::to_string(threads) + " threads, hulls"));
          worlds_.emplace_back(WorldOptions{
              .threads = threads,
              .neighbours = neighbours,
              .boxes = boxes,
              .memory = neighbours == NeighbourFinding::box_tree ? std::size_t{1} << 26 : std::size_t{1} << 14,
              .hulls = threads == 1 ? HullStage::off : HullStage::on});
        }
    side_ = std::cbrt(static_cast<double>(bodies)) * 1.1;
    while (referee_.bodies.size() < count_) add();
  }

  void step(bool contacts, bool distances) {
    const std::size_t moves = 1 + random_.index(count_);
    for (std::size_t i = 0; i < moves; ++i) move_one(random_.index(50) == 0);
    for (int i = 0; i < 3; ++i) change();
    if (random_.index(100) == 0) {  // a copy is as good as the world
      const std::size_t i = random_.index(worlds_.size());
      World copy = worlds_[i];
      worlds_[i] = std::move(copy);
    }
    check_neighbours();
    if (contacts) check_contacts();
    if (distances) check_distances_and_events();
  }

 private:
  void add_model(const Mesh& mesh) { add_body_model(Model(scenes::scaled(mesh, unit_))); }
  void add_hull(const Mesh& mesh) { add_body_model(ConvexModel::hull_of(scenes::scaled(mesh, unit_))); }
  void add_body_model(const BodyModel& model) {
    bodies_.push_back(model);
    referee_.models.push_back(model.model());
    referee_.is_convex.push_back(model.convex().has_value());
    shapes_.push_back(shape_of(model.model()));
  }

  double uniform(double low, double high) { return random_.between(low, high); }
  double a_length(double low, double high) { return uniform(low, high) * unit_; }
  Vec3 a_shift(double low, double high) { return {a_length(low, high), a_length(low, high), a_length(low, high)}; }
  Pose any_pose() {
    const auto q = [&] { return uniform(-1, 1); };
    const double w = q() + 1e-3, x = q(), y = q(), z = q();
    return Pose::from_quaternion(w, x, y, z, a_shift(offset_, offset_ + side_));
  }
  BodyOptions any_options() {
    BodyOptions options;
    options.name = "body " + std::to_string(random_.index(5));
    options.moves = random_.index(5) != 0;
    if (random_.index(4) == 0) options.is = 1U << random_.index(3);
    if (random_.index(4) == 0) options.cares_about = static_cast<std::uint32_t>(random_.index(8));
    if (random_.index(2) == 0) options.margin = a_length(0, 0.2);
    return options;
  }
  template <class Ask>
  void in_all(const Ask& ask) {
    for (World& world : worlds_) ask(world);
  }
  template <class Make>
  BodyId same_in_all(const Make& make) {
    BodyId id;
    in_all([&](World& world) {
      const BodyId made = make(world);
      require(id == BodyId{} || id == made, "all", "ids");
      id = made;
    });
    return id;
  }

  void add() {
    const std::size_t few = random_.index(40);  // of the two that meet most others
    const std::size_t model = few == 0                ? 8
                              : few == 1              ? 16
                              : random_.index(2) == 0 ? random_.index(8)
                                                      : 9 + random_.index(7);
    const Pose pose = any_pose();
    const BodyOptions options = any_options();
    if (random_.index(3) != 0) {
      const BodyId id = same_in_all([&](World& w) { return w.add(bodies_[model], pose, options); });
      referee_.groups[id] = {pose, true, options};
      referee_.bodies[id] = {id, id, model, {}};
      return;
    }
    if (open_group_ == BodyId{} || !referee_.groups.count(open_group_) || random_.index(3) == 0) {
      open_group_ = same_in_all([&](World& w) { return w.add_group(pose, options); });
      referee_.groups[open_group_] = {pose, false, options};
    }
    const Pose inside = Pose::from_translation(a_shift(-1, 1));
    const BodyId id = same_in_all([&](World& w) { return w.add_member(open_group_, bodies_[model], inside, "part"); });
    referee_.bodies[id] = {id, open_group_, model, inside};
  }

  template <class Map>
  BodyId any(const Map& map) {
    auto at = map.begin();
    std::advance(at, static_cast<long>(random_.index(map.size())));
    return at->first;
  }

  /// As if it were moved to another group: a body is removed and added to one, with a new id.
  void regroup() {
    const Listed body = referee_.bodies.at(any(referee_.bodies));
    std::vector<BodyId> others;
    for (const auto& [id, group] : referee_.groups)
      if (!group.is_one_body && id != body.group) others.push_back(id);
    if (others.empty()) return;
    const BodyId group = others[random_.index(others.size())];
    remove(body.id);
    const BodyId id =
        same_in_all([&](World& w) { return w.add_member(group, bodies_[body.model], body.in_group, "part"); });
    referee_.bodies[id] = {id, group, body.model, body.in_group};
  }

  void remove(BodyId id) {
    in_all([&](World& world) { world.remove(id); });
    std::erase_if(referee_.bodies,
                  [&](const auto& entry) { return entry.second.id == id || entry.second.group == id; });
    referee_.groups.erase(id);
    const auto is_gone = [&](BodyId i) { return !referee_.bodies.count(i) && !referee_.groups.count(i); };
    std::erase_if(referee_.ignored, [&](const BodyPair& pair) { return is_gone(pair.a) || is_gone(pair.b); });
    std::erase_if(referee_.margins,
                  [&](const auto& entry) { return is_gone(entry.first.a) || is_gone(entry.first.b); });
    in_all([&](World& world) {
      bool threw = false;
      try {
        world.move(id, {});
      } catch (const Error& error) {
        threw = error.code() == ErrorCode::invalid_argument;
      }
      require(threw, "all", "a removed id is refused");
    });
  }

  void move_one(bool far) {
    const BodyId id = any(referee_.groups);
    Pose& pose = referee_.groups[id].pose;
    if (far) {
      pose = any_pose();
    } else {
      const Pose turn = Pose::from_quaternion(1, uniform(-0.1, 0.1), uniform(-0.1, 0.1), uniform(-0.1, 0.1), {});
      const Vec3 at = pose.translation() + a_shift(-0.1, 0.1);
      const Pose turned = turn * pose;
      std::array<double, 12> rows = turned.rows();
      rows[3] = at.x, rows[7] = at.y, rows[11] = at.z;
      pose = Pose::from_rows(rows);
      if (random_.index(50) == 0) pose = Pose::from_translation(at);  // poses must not drift from rigid ones
    }
    in_all([&](World& world) { world.move(id, pose); });
  }

  void change() {
    switch (random_.index(8)) {
      case 0:
        if (referee_.bodies.size() > count_ / 2)
          remove(random_.index(2) == 0 ? any(referee_.bodies) : any(referee_.groups));
        if (referee_.bodies.empty()) {  // all were of one group
          check_emptiness();
          add();
        }
        break;
      case 1:
        if (referee_.bodies.size() < count_ + count_ / 2) add();
        break;
      case 2: {
        const BodyId a = random_.index(2) == 0 ? any(referee_.bodies) : any(referee_.groups), b = any(referee_.bodies);
        if (a == b) break;
        const bool on = random_.index(3) != 0;
        in_all([&](World& world) { on ? world.ignore(a, b) : world.unignore(a, b); });
        if (on)
          referee_.ignored.insert(ordered(a, b));
        else
          referee_.ignored.erase(ordered(a, b));
        break;
      }
      case 3: {
        const BodyId id = any(referee_.groups);
        const BodyOptions options = any_options();
        in_all([&](World& world) { world.set_categories(id, options.is, options.cares_about); });
        referee_.groups[id].options.is = options.is;
        referee_.groups[id].options.cares_about = options.cares_about;
        break;
      }
      case 4: {
        const BodyId id = any(referee_.groups);
        bool& moves = referee_.groups[id].options.moves;
        moves = !moves;
        in_all([&](World& world) { world.set_moves(id, referee_.groups[id].options.moves); });
        break;
      }
      case 5: {
        const BodyId id = any(referee_.groups);
        const double margin = a_length(0, 0.3);
        in_all([&](World& world) { world.set_margin(id, margin); });
        referee_.groups[id].options.margin = margin;
        break;
      }
      case 6: regroup(); break;
      default: {
        const BodyId a = any(referee_.groups), b = any(referee_.groups);
        if (a == b) break;
        const double margin = a_length(0, 0.5);
        in_all([&](World& world) { world.set_margin(a, b, margin); });
        referee_.margins[ordered(a, b)] = margin;
      }
    }
  }

  template <class Check>
  void check_each(const Check& check) {
    for (std::size_t i = 0; i < worlds_.size(); ++i) check(worlds_[i], names_[i].c_str());
  }

  void check_emptiness() {
    check_each([&](World& world, const char* name) {
      const bool finds_nothing = world.bodies().empty() && world.neighbours().empty() && !world.collide() &&
                                 world.contacts().empty() && world.distances().empty() && !world.closest() &&
                                 world.run(DistanceRequest{}).verdict == Verdict::free;
      require(finds_nothing, name, "a world without bodies");
    });
  }

  void check_neighbours() {
    for (const BodyBoxes kind : {BodyBoxes::dynamic, BodyBoxes::fixed}) {
      std::map<BodyId, Box> boxes;
      for (const auto& [id, body] : referee_.bodies)
        boxes[id] = box_around(shapes_[body.model], referee_.pose(body), kind, referee_.growth(body.group));
      std::vector<BodyPair> expected;
      referee_.each_pair([&](const Listed& a, const Listed& b) {
        const Box &p = boxes[a.id], &q = boxes[b.id];
        for (int axis = 0; axis < 3; ++axis)
          if (p.lower[axis] > q.upper[axis] || q.lower[axis] > p.upper[axis]) return;
        expected.push_back({a.id, b.id});
      });
      neighbours_seen_ += expected.size();
      std::set<BodyPair>& of_groups = neighbouring_[kind];
      of_groups.clear();
      for (const BodyPair& pair : expected)
        of_groups.insert(ordered(referee_.bodies.at(pair.a).group, referee_.bodies.at(pair.b).group));
      for (std::size_t i = 0; i < worlds_.size(); ++i) {
        if (boxes_of(names_[i]) == kind)
          require_equal(worlds_[i].neighbours(), expected, names_[i].c_str(), "neighbours");
      }
    }
  }

  static bool equal(const WorldContacts& a, const WorldContacts& b) {
    return std::ranges::equal(a, b, [](const WorldContact& p, const WorldContact& q) {
      return p.a == q.a && p.b == q.b && p.contact.triangle_a == q.contact.triangle_a &&
             p.contact.triangle_b == q.contact.triangle_b && p.contact.kind == q.contact.kind &&
             p.contact.point == q.contact.point;
    });
  }

  BodyPair groups(const Listed& a, const Listed& b) const { return ordered(a.group, b.group); }

  void check_contacts() {
    WorldContacts expected;
    std::set<BodyPair> colliding, overlapping;
    referee_.each_pair([&](const Listed& a, const Listed& b) {
      const Model &p = referee_.models[a.model], &q = referee_.models[b.model];
      const Pose at_p = referee_.pose(a), at_q = referee_.pose(b);
      for (const Contact& contact : tumble::contacts(p, at_p, q, at_q, {.solid = true}))
        expected.push_back({a.id, b.id, contact});
      if (!expected.empty() && expected.back().a == a.id && expected.back().b == b.id) {
        colliding.insert(groups(a, b));
        if (tumble::collide(p, at_p, q, at_q, {.ignore_touch = true, .solid = true})) overlapping.insert(groups(a, b));
      }
    });
    contacts_seen_ += expected.size();
    const std::vector<BodyPair> pairs(colliding.begin(), colliding.end()),
        overlaps(overlapping.begin(), overlapping.end());
    const BodyId one = any(referee_.bodies);
    WorldContacts of_one;
    for (const WorldContact& contact : expected)
      if (contact.a == one || contact.b == one) of_one.push_back(contact);
    check_each([&](World& world, const char* name) {
      require(equal(world.contacts({.solid = true}), expected), name, "contacts");
      require(world.colliding({.solid = true}) == pairs, name, "colliding");
      require(world.colliding({.ignore_touch = true, .solid = true}) == overlaps, name, "overlapping");
      require(world.collide({.solid = true}) == !pairs.empty(), name, "collide");
      const std::size_t few = random_.index(expected.size() + 2);
      require(world.contacts({.at_most = few, .solid = true}).size() == std::min(few, expected.size()), name,
              "at most");
      if (!referee_.groups.count(one) || referee_.groups[one].is_one_body)
        require(equal(world.contacts({.solid = true}, one), of_one), name, "contacts of one body");
      // The same body as a visitor, beside itself.
      const Listed& body = referee_.bodies[one];
      const Visitor visitor{bodies_[body.model], referee_.pose(body)};
      std::set<BodyPair> of_visitor;
      for (const auto& [id, other] : referee_.bodies)
        if ((referee_.groups[other.group].options.cares_about & 1) != 0 &&
            tumble::collide(visitor.model.model(), visitor.pose, referee_.models[other.model], referee_.pose(other),
                            {.solid = referee_.are_solid(body, other)}))
          of_visitor.insert({{}, other.group});
      require(world.colliding({}, visitor) == std::vector<BodyPair>(of_visitor.begin(), of_visitor.end()), name,
              "a visitor");
      const WorldOutcome all = world.run(ContactRequest{.solid = true});
      WorldContacts of_all;
      for (const PairOutcome& pair : all.pairs)
        for (const Contact& contact : pair.outcome.contacts) of_all.push_back({pair.a, pair.b, contact});
      require(all.finished && equal(of_all, expected), name, "run");
      check_budget(world, name, pairs.empty());
    });
  }

  void check_budget(World& world, const char* name, bool is_free) {
    const WorldOutcome some =
        world.run(CollideRequest{.solid = true}, {.budget = {.node_pairs = random_.index(20 * count_)}, .each = {}});
    require(some.verdict == Verdict::unknown || some.verdict == (is_free ? Verdict::free : Verdict::colliding), name,
            "a budget");
    const bool has_open =
        std::ranges::any_of(some.pairs, [](const PairOutcome& pair) { return !pair.outcome.certainty.finished; });
    require(some.finished != has_open, name, "a budget says what it leaves open");
    std::size_t told = 0;
    const WorldOutcome ended = world.run(CollideRequest{.solid = true}, {.budget = {}, .each = [&](const PairOutcome&) {
                                                                           ++told;
                                                                           return false;
                                                                         }});
    require(told == (is_free ? 0u : 1u) && ended.pairs.size() == told, name, "a function that ends the question");
  }

  /// What is to be said of two bodies.
  struct Answered {
    Listed a, b;
    double distance;
    NearPairs within;
  };

  std::vector<Answered> answers_about(const Visitor& visitor, const Listed& like, double bound) const {
    std::vector<Answered> all;
    for (const auto& [id, other] : referee_.bodies) {
      if ((referee_.groups.at(other.group).options.cares_about & 1) == 0) continue;
      const Model &p = visitor.model.model(), &q = referee_.models[other.model];
      const Pose at_q = referee_.pose(other);
      const bool solid = referee_.are_solid(like, other);
      all.push_back({{{}, {}, like.model, {}},
                     other,
                     tumble::distance(p, visitor.pose, q, at_q, {.solid = solid, .last_bit = true}).distance,
                     {}});
      if (all.back().distance <= bound)
        all.back().within = tumble::within(p, visitor.pose, q, at_q, {.distance = bound, .solid = solid});
    }
    return all;
  }

  /// Near pairs, distances and the closest pair of a subject, entry by entry.
  void require_answers(World& world, const Subject& subject, const std::vector<Answered>& pairs, double bound,
                       const char* name, const std::string& about) {
    WorldNearPairs near;
    std::map<BodyPair, double> least;
    double closest = std::numeric_limits<double>::infinity();
    for (const Answered& pair : pairs) {
      for (const NearPair& entry : pair.within) near.push_back({pair.a.id, pair.b.id, entry});
      closest = std::min(closest, pair.distance);
      if (pair.distance > bound) continue;
      const auto [entry, is_new] = least.insert({groups(pair.a, pair.b), pair.distance});
      if (!is_new) entry->second = std::min(entry->second, pair.distance);
    }
    require(std::ranges::equal(world.within({.distance = bound}, subject), near,
                               [](const WorldNearPair& p, const WorldNearPair& q) {
                                 return p.a == q.a && p.b == q.b && p.pair.triangle_a == q.pair.triangle_a &&
                                        p.pair.triangle_b == q.pair.triangle_b && p.pair.inside == q.pair.inside &&
                                        p.pair.distance == q.pair.distance;
                               }),
            name, ("within, of " + about).c_str());
    const auto group_of = [&](BodyId id) { return id == BodyId{} ? id : world.group_of(id); };
    require(std::ranges::equal(world.distances({.upper_bound = bound, .last_bit = true}, subject), least,
                               [&](const WorldDistance& one, const auto& entry) {
                                 return ordered(group_of(one.a), group_of(one.b)) == entry.first &&
                                        one.distance.distance == entry.second;
                               }),
            name, ("distances, of " + about).c_str());
    const auto nearest = world.closest({.last_bit = true}, subject);
    require(nearest.has_value() == !pairs.empty() && (!nearest || nearest->distance.distance == closest), name,
            ("the closest pair, of " + about).c_str());
  }

  void check_distances_and_events() {
    const double bound = a_length(0, 0.6);
    std::map<BodyPair, double> least;
    std::set<BodyPair> colliding, near;
    double closest = std::numeric_limits<double>::infinity(), reach = 0;
    std::vector<Answered> all;
    WorldContacts contacts;
    referee_.each_pair([&](const Listed& a, const Listed& b) {
      const Model &p = referee_.models[a.model], &q = referee_.models[b.model];
      const Pose at_p = referee_.pose(a), at_q = referee_.pose(b);
      const bool solid = referee_.are_solid(a, b);
      const double distance = tumble::distance(p, at_p, q, at_q, {.solid = solid, .last_bit = true}).distance;
      for (const Pose& pose : {at_p, at_q}) reach = std::max(reach, 10 * unit_ + 2 * sum_norm(pose.translation()));
      const auto [entry, is_new] = least.insert({groups(a, b), distance});
      if (!is_new) entry->second = std::min(entry->second, distance);
      closest = std::min(closest, distance);
      if (distance == 0) colliding.insert(groups(a, b));
      if (distance <= referee_.margin(a.group, b.group)) near.insert(groups(a, b));
      all.push_back({a, b, distance, {}});
      if (distance <= bound) all.back().within = tumble::within(p, at_p, q, at_q, {.distance = bound, .solid = solid});
      if (distance == 0)
        for (const Contact& contact : tumble::contacts(p, at_p, q, at_q, {.solid = solid}))
          contacts.push_back({a.id, b.id, contact});
    });
    std::vector<std::pair<BodyPair, double>> expected;
    for (const auto& entry : least)
      if (entry.second <= bound) expected.push_back(entry);
    const auto has = [](const std::vector<BodyPair>& list, const BodyPair& pair) {
      return std::ranges::binary_search(list, pair);
    };
    const BodyId one = random_.index(2) == 0 ? any(referee_.bodies) : any(referee_.groups);
    std::vector<Answered> of_one;
    for (const Answered& pair : all)
      for (const BodyId id : {pair.a.id, pair.b.id, pair.a.group, pair.b.group})
        if (id == one) {
          of_one.push_back(pair);
          break;
        }
    const Listed& like = referee_.bodies.at(any(referee_.bodies));
    Pose beside = referee_.pose(like);
    beside = Pose::from_translation(a_shift(-1, 1)) * beside;
    const Visitor visitor{bodies_[like.model], beside};
    const std::vector<Answered> of_visitor = answers_about(visitor, like, bound);
    check_each([&](World& world, const char* name) {
      require_answers(world, one, of_one, bound, name, "one body");
      require_answers(world, visitor, of_visitor, bound, name, "a visitor");
      const auto is_as_promised = [&](double found_distance, double least_distance) {
        return (found_distance == 0) == (least_distance == 0) &&
               std::abs(found_distance - least_distance) <= 1e-12 * least_distance + 1e-14 * reach;
      };
      require(std::ranges::equal(world.distances({.upper_bound = bound}), expected,
                                 [&](const WorldDistance& d, const auto& entry) {
                                   return ordered(world.group_of(d.a), world.group_of(d.b)) == entry.first &&
                                          is_as_promised(d.distance.distance, entry.second) &&
                                          d.distance.lower <= entry.second * (1 + 1e-12) + 1e-14 * reach;
                                 }),
              name, "plain distances");
      const auto plain_nearest = world.closest();
      require(plain_nearest.has_value() == !least.empty() &&
                  (!plain_nearest || is_as_promised(plain_nearest->distance.distance, closest)),
              name, "the closest pair, plainly");
      if (step_number % 16 == 0)
        require(world.distances({.abs_error = unit_}).size() == least.size(), name, "all distances");
      require_answers(world, {}, all, bound, name, "all");
      require(world.colliding() == std::vector<BodyPair>(colliding.begin(), colliding.end()), name, "surfaces");
      require(world.collide() == !colliding.empty(), name, "any surfaces");
      require(equal(world.contacts(), contacts), name, "contacts of surfaces");
      require(world.run(CollideRequest{}).verdict == (colliding.empty() ? Verdict::free : Verdict::colliding), name,
              "run, of surfaces");
      const bool lists = random_.index(2) == 0;
      const Step& step = world.step({.contacts = lists});
      require(!lists || equal(step.contacts, contacts), name, "contacts of a step");
      const auto check_changes = [&](const Changes& changes, const std::set<BodyPair>& before,
                                     const std::set<BodyPair>& now, const char* what) {
        bool holds = changes.began.size() + changes.persisting.size() == now.size();
        for (const BodyPair& pair : now)
          holds = holds && has(before.count(pair) ? changes.persisting : changes.began, pair);
        std::size_t gone = 0;
        for (const BodyPair& pair : before)
          if (!now.count(pair)) ++gone, holds = holds && has(changes.ended, pair);
        require(holds && gone == changes.ended.size(), name, what);
      };
      check_changes(step.colliding, colliding_before_, colliding, "events of contact");
      check_changes(step.near, near_before_, near, "events of nearness");
      const BodyBoxes kind = boxes_of(name);
      check_changes(step.neighbours, neighbouring_before_[kind], neighbouring_[kind], "events of neighbours");
    });
    events_seen_ += colliding.size();
    colliding_before_ = colliding;
    near_before_ = near;
    neighbouring_before_ = neighbouring_;
  }

  static BodyBoxes boxes_of(std::string_view name) {
    return name.find("fixed") != std::string_view::npos ? BodyBoxes::fixed : BodyBoxes::dynamic;
  }

 public:
  void print() const {
    std::printf("%zu bodies, %zu neighbours, %zu contacts, %zu colliding pairs seen, %zu wrong\n",
                referee_.bodies.size(), neighbours_seen_, contacts_seen_, events_seen_, wrong);
  }

 private:
  std::size_t count_;
  double unit_, offset_;
  scenes::Random random_;
  double side_ = 1;
  Referee referee_;
  std::vector<BodyModel> bodies_;  // beside the referee's models
  std::vector<BodyShape> shapes_;
  std::vector<World> worlds_;
  std::vector<std::string> names_;
  BodyId open_group_;
  std::set<BodyPair> colliding_before_, near_before_;
  std::map<BodyBoxes, std::set<BodyPair>> neighbouring_, neighbouring_before_;  // groups, now and at the last step
  std::size_t neighbours_seen_ = 0, contacts_seen_ = 0, events_seen_ = 0;
};

}  // namespace

int main(int count, char** words) {
  std::uint64_t bodies = 60, steps = 200, contacts_every = 50, distances_every = 1, seed = std::random_device{}();
  double unit = 1, offset = 0;
  for (int i = 1; i < count; i += 2) {
    double* const length = std::strcmp(words[i], "--unit") == 0     ? &unit
                           : std::strcmp(words[i], "--offset") == 0 ? &offset
                                                                    : nullptr;
    if (length && i + 1 < count) {
      *length = std::strtod(words[i + 1], nullptr);
      continue;
    }
    std::uint64_t* const option = std::strcmp(words[i], "--bodies") == 0            ? &bodies
                                  : std::strcmp(words[i], "--steps") == 0           ? &steps
                                  : std::strcmp(words[i], "--contacts-every") == 0  ? &contacts_every
                                  : std::strcmp(words[i], "--distances-every") == 0 ? &distances_every
                                  : std::strcmp(words[i], "--seed") == 0            ? &seed
                                                                                    : nullptr;
    if (!option || i + 1 >= count)
      return std::fprintf(stderr,
                          "usage: %s [--bodies N] [--steps N] [--contacts-every N] [--distances-every N] "
                          "[--unit LENGTH] [--offset UNITS] [--seed S]; 0 is never\n",
                          words[0]),
             2;
    *option = std::strtoull(words[i + 1], nullptr, 10);
  }
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  Run run(bodies, unit, offset, seed);
  for (step_number = 0; step_number < steps && wrong == 0; ++step_number)
    run.step(contacts_every != 0 && step_number % contacts_every == 0,
             distances_every != 0 && step_number % distances_every == 0);
  run.print();
  return wrong == 0 ? 0 : 1;
}
