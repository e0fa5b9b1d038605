// SPDX-License-Identifier: Apache-2.0
// Bullet's GJK on two btConvexHullShapes.
#include "lab/rivals/convex_rival.h"

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

namespace tumble::lab {
namespace {

class Bullet : public ConvexRival {
 public:
  std::string id() const override { return "bullet"; }
  std::string name() const override { return "Bullet GJK (float)"; }
  std::string settings() const override {
    return "Bullet " + std::to_string(BT_BULLET_VERSION / 100) + "." + std::to_string(BT_BULLET_VERSION % 100) +
           " of Debian in float: btGjkPairDetector on btConvexHullShapes with margin 0, no penetration solver; it "
           "looks "
           "at all vertices for each farthest one, and remembers nothing";
  }
  void start(const Mesh& a, const Mesh& b) override {
    a_ = shape(a);
    b_ = shape(b);
  }
  bool collide(const Pose& pose) override {
    const btPointCollector found = ask(pose);
    return !found.m_hasResult || found.m_distance <= 0;
  }
  double distance(const Pose& pose) override {
    const btPointCollector found = ask(pose);
    return found.m_hasResult ? static_cast<double>(found.m_distance) : 0;
  }

 private:
  static std::unique_ptr<btConvexHullShape> shape(const Mesh& mesh) {
    auto made = std::make_unique<btConvexHullShape>();
    made->setMargin(0);
    for (const Vec3& v : mesh.vertices)
      made->addPoint({static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)}, false);
    made->recalcLocalAabb();
    return made;
  }
  btPointCollector ask(const Pose& pose) {
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA.setIdentity();
    const auto n = [](double x) { return static_cast<btScalar>(x); };
    const Vec3 &r0 = pose.row(0), &r1 = pose.row(1), &r2 = pose.row(2), &t = pose.translation();
    input.m_transformB.setBasis({n(r0.x), n(r0.y), n(r0.z), n(r1.x), n(r1.y), n(r1.z), n(r2.x), n(r2.y), n(r2.z)});
    input.m_transformB.setOrigin({n(t.x), n(t.y), n(t.z)});
    btGjkPairDetector detector(a_.get(), b_.get(), &simplex_, nullptr);
    btPointCollector found;
    detector.getClosestPoints(input, found, nullptr);
    return found;
  }

  std::unique_ptr<btConvexHullShape> a_, b_;
  btVoronoiSimplexSolver simplex_;
};

}  // namespace
}  // namespace tumble::lab

TUMBLE_CONVEX_RIVALS(tumble::lab::ConvexRivals& into) { into.push_back(std::make_unique<tumble::lab::Bullet>()); }
