// SPDX-License-Identifier: Apache-2.0
// A World as a user has it, asked for ids alone, as the others are.
#include "lab/rivals/our_world.h"

#include "lab/rivals/counted.h"
#include "world/world_state.h"

#include <tumble/world.h>

namespace tumble::lab {
namespace {

class OurWorld : public WorldRival, public Counted {
 public:
  OurWorld(std::string id, std::string name, const WorldOptions& options)
      : id_(std::move(id)), name_(std::move(name)), options_(options) {}

  std::string id() const override { return id_; }
  std::string name() const override { return name_; }
  std::string settings() const override {
    return "World, " + std::to_string(options_.threads) + (options_.threads == 1 ? " thread, " : " threads, ") +
           (options_.neighbours == NeighbourFinding::box_tree ? "box tree" : "sweep and prune") +
           ", default options; one move() of all bodies, then collide(), colliding() or contacts() without geometry";
  }

  void start(const BodiesToAsk& bodies, std::span<const Pose> poses) override {
    world_ = World(options_);
    ids_.clear();
    std::vector<Model> models;
    for (const Mesh& mesh : bodies.meshes) models.emplace_back(mesh);
    for (std::size_t i = 0; i < poses.size(); ++i) ids_.push_back(world_.add(models[bodies.mesh_of[i]], poses[i]));
    for (const auto& [a, b] : bodies.ignored) world_.ignore(ids_[a], ids_[b]);
  }

  bool any(std::span<const Pose> poses) override {
    world_.move(ids_, poses);
    return world_.collide();
  }
  std::size_t pairs(std::span<const Pose> poses) override {
    world_.move(ids_, poses);
    return world_.colliding().size();
  }
  std::size_t contacts(std::span<const Pose> poses) override {
    world_.move(ids_, poses);
    return world_.contacts({.geometry = false}).size();
  }

  FoundSet list_pairs(std::span<const Pose> poses) override {
    world_.move(ids_, poses);
    FoundSet found;
    for (const BodyPair& pair : world_.colliding()) found.add({place(pair.a), place(pair.b)});
    return found;
  }
  FoundSet list_contacts(std::span<const Pose> poses) override {
    world_.move(ids_, poses);
    FoundSet found;
    for (const WorldContact& one : world_.contacts({.geometry = false}))
      found.add({place(one.a), place(one.b), one.contact.triangle_a, one.contact.triangle_b});
    return found;
  }

  void count() override {
    world_ = World(world_);  // what pairs keep is not copied
    World::State& state = WorldAccess::state(world_);
    state.asking.count();
    looks_before_ = state.work();
  }
  Work work() const override {
    const World::State& state = WorldAccess::state(world_);
    return {state.asking.counters(), state.work() - looks_before_};
  }

 private:
  std::uint32_t place(BodyId id) const { return id.value - ids_.front().value; }

  std::string id_, name_;
  WorldOptions options_;
  World world_;
  std::vector<BodyId> ids_;
  std::uint64_t looks_before_ = 0;
};

}  // namespace

WorldRivals our_worlds() {
  WorldRivals all;
  const auto add = [&](const char* id, const char* name, int threads, NeighbourFinding neighbours) {
    all.push_back(std::make_unique<OurWorld>(id, name, WorldOptions{.threads = threads, .neighbours = neighbours}));
  };
  add("tumble", "tumble", 1, NeighbourFinding::box_tree);
  add("tumble-sap", "tumble, sweep and prune", 1, NeighbourFinding::sweep_and_prune);
  add("tumble-2", "tumble, two threads", 2, NeighbourFinding::box_tree);
  return all;
}

}  // namespace tumble::lab
