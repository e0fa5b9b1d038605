// SPDX-License-Identifier: Apache-2.0
// FCL's broad-phase managers.
#include "lab/rivals/broad.h"

#include <fcl/broadphase/broadphase_SSaP.h>
#include <fcl/broadphase/broadphase_SaP.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree_array.h>
#include <fcl/broadphase/broadphase_interval_tree.h>
#include <fcl/broadphase/broadphase_spatialhash.h>
#include <fcl/config.h>
#include <fcl/geometry/shape/box.h>

#include <functional>

namespace tumble::lab {
namespace {

using Manager = fcl::BroadPhaseCollisionManager<double>;
using Object = fcl::CollisionObject<double>;

fcl::Vector3<double> vector(const Vec3& v) { return {v.x, v.y, v.z}; }
Vec3 middle(const Box& box) { return (box.lower + box.upper) * 0.5; }

class Fcl : public BroadRival {
 public:
  using Make = std::function<std::unique_ptr<Manager>(std::span<const Box> boxes)>;

  Fcl(std::string id, std::string name, std::string how, Make make)
      : id_(std::move(id)), name_(std::move(name)), how_(std::move(how)), make_(std::move(make)) {}

  std::string id() const override { return id_; }
  std::string name() const override { return name_; }
  std::string settings() const override { return "FCL " FCL_VERSION " of Debian, double; " + how_; }

  void start(std::span<const Box> boxes) override {
    manager_.reset();
    objects_.clear();
    std::vector<Object*> all;
    for (std::uintptr_t i = 0; i < boxes.size(); ++i) {
      const Vec3 sides = boxes[i].upper - boxes[i].lower;
      objects_.push_back(std::make_unique<Object>(std::make_shared<fcl::Box<double>>(vector(sides))));
      objects_[i]->setUserData(reinterpret_cast<void*>(i));
      place(i, boxes[i]);
      all.push_back(objects_[i].get());
    }
    manager_ = make_(boxes);
    manager_->registerObjects(all);
    manager_->setup();
  }

  void step(std::span<const Box> boxes, std::vector<PairOfBoxes>& into) override {
    into.clear();
    for (std::size_t i = 0; i < boxes.size(); ++i) place(i, boxes[i]);
    manager_->update();
    manager_->collide(&into, [](Object* a, Object* b, void* data) {
      if (a->getAABB().overlap(b->getAABB()))
        static_cast<std::vector<PairOfBoxes>*>(data)->push_back(ordered(number(a), number(b)));
      return false;
    });
  }

 private:
  static std::uint32_t number(const Object* object) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(object->getUserData()));
  }
  void place(std::size_t i, const Box& box) {
    objects_[i]->setTranslation(vector(middle(box)));
    objects_[i]->computeAABB();
  }

  std::string id_, name_, how_;
  Make make_;
  std::vector<std::unique_ptr<Object>> objects_;
  std::unique_ptr<Manager> manager_;
};

template <class M>
std::unique_ptr<Manager> plain(std::span<const Box>) {
  return std::make_unique<M>();
}

std::unique_ptr<Manager> spatial_hash(std::span<const Box> boxes) {
  Vec3 lower = boxes[0].lower, upper = boxes[0].upper;
  for (const Box& box : boxes)
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = std::min(lower[axis], box.lower[axis]);
      upper[axis] = std::max(upper[axis], box.upper[axis]);
    }
  return std::make_unique<fcl::SpatialHashingCollisionManager<double>>(1.25, vector(lower), vector(upper),
                                                                       static_cast<unsigned>(boxes.size()));
}

}  // namespace
}  // namespace tumble::lab

TUMBLE_BROAD_RIVALS(tumble::lab::BroadRivals& into) {
  using namespace tumble::lab;
  const auto add = [&](const char* id, const char* name, const char* how, Fcl::Make make) {
    into.push_back(std::make_unique<Fcl>(id, name, how, std::move(make)));
  };
  add("fcl-sap", "FCL SaP", "SaPCollisionManager, update() of all objects", plain<fcl::SaPCollisionManager<double>>);
  add("fcl-ssap", "FCL SSaP", "SSaPCollisionManager", plain<fcl::SSaPCollisionManager<double>>);
  add("fcl-interval", "FCL interval tree", "IntervalTreeCollisionManager",
      plain<fcl::IntervalTreeCollisionManager<double>>);
  add("fcl-tree", "FCL dynamic AABB tree", "DynamicAABBTreeCollisionManager, update() of all objects",
      plain<fcl::DynamicAABBTreeCollisionManager<double>>);
  add("fcl-array", "FCL dynamic AABB tree (array)", "DynamicAABBTreeCollisionManager_Array",
      plain<fcl::DynamicAABBTreeCollisionManager_Array<double>>);
  add("fcl-hash", "FCL spatial hash",
      "SpatialHashingCollisionManager, cells as large as the largest box, as many "
      "buckets as boxes",
      spatial_hash);
}
