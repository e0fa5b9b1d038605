// SPDX-License-Identifier: Apache-2.0
// FCL's managers over meshes: every manager that serves, with either of its fastest trees.
#include "lab/rivals/fcl_types.h"
#include "lab/rivals/world_rival.h"

#include <fcl/fcl.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace tumble::lab {
namespace {

using Object = fcl::CollisionObject<double>;
using Manager = fcl::BroadPhaseCollisionManager<double>;

template <class M, class Volume>
class FclWorld : public WorldRival {
 public:
  FclWorld(std::string id, std::string name) : id_(std::move(id)), name_(std::move(name)) {}

  std::string id() const override { return id_; }
  std::string name() const override { return name_; }
  std::string settings() const override {
    return "FCL " FCL_VERSION " of Debian, double, " + name_ +
           "; update() of all objects, then collide() with fcl::collide in the callback, without contact geometry";
  }

  void start(const BodiesToAsk& bodies, std::span<const Pose> poses) override {
    manager_.reset();
    objects_.clear();
    std::vector<std::shared_ptr<fcl::CollisionGeometry<double>>> models;
    for (const Mesh& mesh : bodies.meshes) models.push_back(fcl_model<Volume>(mesh));
    std::vector<Object*> all;
    for (std::uintptr_t i = 0; i < poses.size(); ++i) {
      objects_.push_back(std::make_unique<Object>(models[bodies.mesh_of[i]], fcl_transform<double>(poses[i])));
      objects_[i]->setUserData(reinterpret_cast<void*>(i));
      all.push_back(objects_[i].get());
    }
    ignored_.assign(bodies.ignored.begin(), bodies.ignored.end());
    manager_ = std::make_unique<M>();
    manager_->registerObjects(all);
    manager_->setup();
  }

  bool any(std::span<const Pose> poses) override { return ask(poses, 1, true).pairs > 0; }
  std::size_t pairs(std::span<const Pose> poses) override { return ask(poses, 1, false).pairs; }
  std::size_t contacts(std::span<const Pose> poses) override {
    return ask(poses, std::numeric_limits<std::size_t>::max(), false).contacts;
  }
  FoundSet list_pairs(std::span<const Pose> poses) override {
    FoundSet found;
    ask(poses, 1, false, [&](std::uint32_t a, std::uint32_t b, const auto&) { found.add({a, b}); });
    return found;
  }
  FoundSet list_contacts(std::span<const Pose> poses) override {
    FoundSet found;
    ask(poses, std::numeric_limits<std::size_t>::max(), false,
        [&](std::uint32_t a, std::uint32_t b, const fcl::Contact<double>& contact) {
          found.add({a, b, static_cast<std::uint32_t>(contact.b1), static_cast<std::uint32_t>(contact.b2)});
        });
    return found;
  }

 private:
  /// Told of each contact, the body with the lesser place first.
  using Listener = std::function<void(std::uint32_t a, std::uint32_t b, const fcl::Contact<double>& contact)>;
  struct Asked {
    const FclWorld& world;
    fcl::CollisionRequest<double> request;
    bool stops;
    const Listener& listener;
    std::size_t pairs = 0, contacts = 0;
  };

  Asked ask(std::span<const Pose> poses, std::size_t most, bool stops, const Listener& listener = {}) {
    for (std::size_t i = 0; i < poses.size(); ++i) {
      objects_[i]->setTransform(fcl_transform<double>(poses[i]));
      objects_[i]->computeAABB();
    }
    manager_->update();
    Asked asked{*this, {}, stops, listener};
    asked.request.num_max_contacts = most;
    manager_->collide(&asked, [](Object* a, Object* b, void* data) {
      auto& it = *static_cast<Asked*>(data);
      if (it.world.is_ignored(a, b)) return false;
      fcl::CollisionResult<double> result;
      fcl::collide(a, b, it.request, result);
      it.pairs += result.isCollision();
      it.contacts += result.numContacts();
      if (it.listener) tell(a, b, result, it.listener);
      return it.stops && it.pairs > 0;
    });
    return asked;
  }

  static std::uint32_t place(const Object* object) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(object->getUserData()));
  }
  static void tell(const Object* a, const Object* b, const fcl::CollisionResult<double>& result,
                   const Listener& listener) {
    for (std::size_t i = 0; i < result.numContacts(); ++i) {
      fcl::Contact<double> contact = result.getContact(i);
      if (place(a) > place(b)) std::swap(contact.b1, contact.b2);
      listener(std::min(place(a), place(b)), std::max(place(a), place(b)), contact);
    }
  }

  bool is_ignored(const Object* a, const Object* b) const {
    if (ignored_.empty()) return false;
    return std::ranges::binary_search(ignored_, std::minmax({place(a), place(b)}));
  }

  std::string id_, name_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ignored_;
  std::vector<std::unique_ptr<Object>> objects_;
  std::unique_ptr<Manager> manager_;
};

template <class M>
void add(WorldRivals& into, const std::string& id, const std::string& name) {
  into.push_back(std::make_unique<FclWorld<M, fcl::OBBRSS<double>>>(id + "-obbrss", name + ", OBBRSS"));
  into.push_back(std::make_unique<FclWorld<M, fcl::OBB<double>>>(id + "-obb", name + ", OBB"));
}

}  // namespace
}  // namespace tumble::lab

TUMBLE_WORLD_RIVALS(tumble::lab::WorldRivals& into) {
  using namespace tumble::lab;
  add<fcl::DynamicAABBTreeCollisionManager<double>>(into, "fcl-tree", "FCL dynamic AABB tree");
  add<fcl::DynamicAABBTreeCollisionManager_Array<double>>(into, "fcl-array", "FCL dynamic AABB tree (array)");
  add<fcl::SaPCollisionManager<double>>(into, "fcl-sap", "FCL SaP");
  add<fcl::SSaPCollisionManager<double>>(into, "fcl-ssap", "FCL SSaP");
}
