// SPDX-License-Identifier: Apache-2.0
// Bullet's broad phases.
#include "lab/rivals/broad.h"

#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

namespace tumble::lab {
namespace {

btVector3 vector(const Vec3& v) {
  return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}

class Bullet : public BroadRival {
 public:
  explicit Bullet(bool tree) : tree_(tree) {}

  std::string id() const override { return tree_ ? "bullet-tree" : "bullet-sap"; }
  std::string name() const override { return tree_ ? "Bullet btDbvtBroadphase" : "Bullet bt32BitAxisSweep3"; }
  std::string settings() const override {
    return "Bullet " + std::to_string(BT_BULLET_VERSION / 100) + "." + std::to_string(BT_BULLET_VERSION % 100) +
           " of Debian, float; " +
           (tree_ ? "as it comes; the pairs of its cache, which are of enlarged boxes, are tested once more"
                  : "btAxisSweep3 with 32 bits a coordinate, as 16 have room for 32,766 boxes only, without its tree "
                    "for rays; pairs are tested once more");
  }

  void start(std::span<const Box> boxes) override {
    broad_.reset();
    proxies_.clear();
    if (tree_) {
      broad_ = std::make_unique<btDbvtBroadphase>();
    } else {
      Vec3 lower = boxes[0].lower, upper = boxes[0].upper;
      for (const Box& box : boxes)
        for (int axis = 0; axis < 3; ++axis) {
          lower[axis] = std::min(lower[axis], box.lower[axis]);
          upper[axis] = std::max(upper[axis], box.upper[axis]);
        }
      const Vec3 room{1, 1, 1};
      broad_ = std::make_unique<bt32BitAxisSweep3>(vector(lower - room), vector(upper + room),
                                                   static_cast<unsigned>(boxes.size() + 8), nullptr, true);
    }
    for (std::uintptr_t i = 0; i < boxes.size(); ++i)
      proxies_.push_back(broad_->createProxy(vector(boxes[i].lower), vector(boxes[i].upper), 0,
                                             reinterpret_cast<void*>(i), 1, -1, nullptr));
  }

  void step(std::span<const Box> boxes, std::vector<PairOfBoxes>& into) override {
    for (std::size_t i = 0; i < boxes.size(); ++i)
      broad_->setAabb(proxies_[i], vector(boxes[i].lower), vector(boxes[i].upper), nullptr);
    broad_->calculateOverlappingPairs(nullptr);
    into.clear();
    btOverlappingPairCache* const cache = broad_->getOverlappingPairCache();
    const btBroadphasePair* const pairs = cache->getOverlappingPairArrayPtr();
    for (int i = 0; i < cache->getNumOverlappingPairs(); ++i) {
      const btBroadphaseProxy &a = *pairs[i].m_pProxy0, &b = *pairs[i].m_pProxy1;
      if (TestAabbAgainstAabb2(a.m_aabbMin, a.m_aabbMax, b.m_aabbMin, b.m_aabbMax))
        into.push_back(ordered(number(a), number(b)));
    }
  }

 private:
  static std::uint32_t number(const btBroadphaseProxy& proxy) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(proxy.m_clientObject));
  }

  bool tree_;
  std::unique_ptr<btBroadphaseInterface> broad_;  // frees the proxies, too
  std::vector<btBroadphaseProxy*> proxies_;
};

}  // namespace
}  // namespace tumble::lab

TUMBLE_BROAD_RIVALS(tumble::lab::BroadRivals& into) {
  for (const bool tree : {false, true}) into.push_back(std::make_unique<tumble::lab::Bullet>(tree));
}
