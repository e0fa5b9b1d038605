// SPDX-License-Identifier: Apache-2.0
// Bullet's GImpact: its quantised box trees and its triangle test, without the contact manifold around them.
#include "lab/rivals/rival.h"

#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>

namespace tumble::lab {
namespace {

class Bullet : public Rival {
 public:
  std::string id() const override { return "bullet"; }
  std::string name() const override { return "Bullet GImpact (float)"; }
  std::string settings() const override {
    return "Bullet " + std::to_string(BT_BULLET_VERSION / 100) + "." + std::to_string(BT_BULLET_VERSION % 100) +
           " of Debian in float, btGImpactMeshShape with margin 0: all overlapping boxes from its trees, then "
           "GImpact's overlap and clipping test of each pair of triangles, no contact manifold; any stops at the first "
           "pair, but the trees are always walked to the end; to GImpact a triangle is the skin of a solid, so that "
           "pairs below a surface count, too";
  }
  void build(const Mesh& environment, const Mesh& object) override {
    clear();
    environment_ = std::make_unique<Body>(environment);
    object_ = std::make_unique<Body>(object);
  }
  void clear() override {
    environment_.reset();
    object_.reset();
  }
  bool any(const Pose& pose) override {
    return visit(pose, [](std::uint32_t, std::uint32_t) { return false; });
  }
  void all(const Pose& pose, std::vector<PairOfTriangles>& into) override {
    into.clear();
    visit(pose, [&](std::uint32_t a, std::uint32_t b) {
      into.emplace_back(a, b);
      return true;
    });
  }

 private:
  struct Body {
    explicit Body(const Mesh& mesh) {
      for (const Vec3& v : mesh.vertices)
        for (int i = 0; i < 3; ++i) vertices.push_back(static_cast<btScalar>(v[i]));
      for (const Triangle& t : mesh.triangles)
        for (const auto corner : t) indices.push_back(static_cast<int>(corner));
      view = std::make_unique<btTriangleIndexVertexArray>(
          static_cast<int>(mesh.triangles.size()), indices.data(), static_cast<int>(3 * sizeof(int)),
          static_cast<int>(mesh.vertices.size()), vertices.data(), static_cast<int>(3 * sizeof(btScalar)));
      shape = std::make_unique<btGImpactMeshShape>(view.get());
      shape->setMargin(0);
      shape->updateBound();
      part = shape->getMeshPart(0);
      part->lockChildShapes();  // until it is destroyed: getPrimitiveTriangle() reads the vertices through the lock
    }
    std::vector<btScalar> vertices;  // Bullet refers to them
    std::vector<int> indices;
    std::unique_ptr<btTriangleIndexVertexArray> view;
    std::unique_ptr<btGImpactMeshShape> shape;
    btGImpactMeshShapePart* part = nullptr;
  };

  /// Tells `hit` each pair that meets until it answers false; whether there was any.
  template <class Hit>
  bool visit(const Pose& pose, const Hit& hit) {
    btTransform still, moved;
    still.setIdentity();
    const auto n = [](double x) { return static_cast<btScalar>(x); };
    const Vec3 &r0 = pose.row(0), &r1 = pose.row(1), &r2 = pose.row(2), &t = pose.translation();
    moved.setBasis({n(r0.x), n(r0.y), n(r0.z), n(r1.x), n(r1.y), n(r1.z), n(r2.x), n(r2.y), n(r2.z)});
    moved.setOrigin({n(t.x), n(t.y), n(t.z)});
    pairs_.resize(0);
    btGImpactQuantizedBvh::find_collision(environment_->part->getBoxSet(), still, object_->part->getBoxSet(), moved,
                                          pairs_);
    bool any = false;
    for (int i = 0; i < pairs_.size(); ++i) {
      btPrimitiveTriangle a, b;
      environment_->part->getPrimitiveTriangle(pairs_[i].m_index1, a);
      object_->part->getPrimitiveTriangle(pairs_[i].m_index2, b);
      b.applyTransform(moved);
      a.buildTriPlane();
      b.buildTriPlane();
      GIM_TRIANGLE_CONTACT contact;
      if (!a.overlap_test_conservative(b) || !a.find_triangle_collision_clip_method(b, contact)) continue;
      any = true;
      if (!hit(static_cast<std::uint32_t>(pairs_[i].m_index1), static_cast<std::uint32_t>(pairs_[i].m_index2))) break;
    }
    return any;
  }

  std::unique_ptr<Body> environment_, object_;
  btPairSet pairs_;
};

}  // namespace
}  // namespace tumble::lab

TUMBLE_RIVALS(tumble::lab::Rivals& into) { into.push_back(std::make_unique<tumble::lab::Bullet>()); }
