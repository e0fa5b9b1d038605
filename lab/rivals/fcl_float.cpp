// SPDX-License-Identifier: Apache-2.0
// FCL in single precision, compiled here from its headers for x86-64-v4. Queries enter at the traversal that
// fcl::collide would choose for two such trees; its front door would instantiate every pair of shapes FCL knows.
#include "lab/rivals/fcl_types.h"

#include <fcl/math/bv/utility.h>
#include <fcl/narrowphase/detail/traversal/collision/mesh_collision_traversal_node.h>
#include <fcl/narrowphase/detail/traversal/collision_node.h>

namespace tumble::lab {
namespace {

template <class Volume, class Traversal>
class FclFloat : public FclRival<Volume> {
 public:
  FclFloat(std::string id, std::string volume) : id_(std::move(id)), volume_(std::move(volume)) {}

  std::string id() const override { return id_; }
  std::string name() const override { return "FCL " + volume_ + " (float, v4)"; }
  std::string settings() const override {
    return "FCL " FCL_VERSION ", BVHModel<" + volume_ +
           "<float>> compiled from its headers with -O3 -march=x86-64-v4, without contact geometry, entered behind "
           "fcl::collide; any: at most one contact, all: no limit";
  }
  bool yardstick() const override { return true; }

 private:
  void collide(const Pose& pose, const fcl::CollisionRequest<float>& request,
               fcl::CollisionResult<float>& result) const override {
    Traversal traversal;
    fcl::detail::initialize(traversal, *this->environment_, fcl::Transform3<float>::Identity(), *this->object_,
                            fcl_transform<float>(pose), request, result);
    fcl::detail::collide(&traversal);
  }

  std::string id_, volume_;
};

/// Volumes that do not turn: as behind fcl::collide, both models are copied and the moved one's tree is built anew.
template <class Volume>
class FclFloatAligned : public FclRival<Volume> {
 public:
  FclFloatAligned(std::string id, std::string volume) : id_(std::move(id)), volume_(std::move(volume)) {}

  std::string id() const override { return id_; }
  std::string name() const override { return "FCL " + volume_ + " (float, v4)"; }
  std::string settings() const override {
    return "as FCL OBB (float, v4); in every query FCL copies both models and builds the moved one's tree anew";
  }

 private:
  void collide(const Pose& pose, const fcl::CollisionRequest<float>& request,
               fcl::CollisionResult<float>& result) const override {
    fcl::BVHModel<Volume> environment(*this->environment_), object(*this->object_);
    fcl::Transform3<float> rest = fcl::Transform3<float>::Identity(), moved = fcl_transform<float>(pose);
    fcl::detail::MeshCollisionTraversalNode<Volume> traversal;
    fcl::detail::initialize(traversal, environment, rest, object, moved, request, result);
    fcl::detail::collide(&traversal);
  }

  std::string id_, volume_;
};

}  // namespace
}  // namespace tumble::lab

TUMBLE_RIVALS(tumble::lab::Rivals& into) {
  using namespace tumble::lab;
  using fcl::detail::MeshCollisionTraversalNodeOBB;
  using fcl::detail::MeshCollisionTraversalNodeOBBRSS;
  into.push_back(
      std::make_unique<FclFloat<fcl::OBB<float>, MeshCollisionTraversalNodeOBB<float>>>("fcl-float-obb", "OBB"));
  into.push_back(std::make_unique<FclFloat<fcl::OBBRSS<float>, MeshCollisionTraversalNodeOBBRSS<float>>>(
      "fcl-float-obbrss", "OBBRSS"));
  into.push_back(std::make_unique<FclFloatAligned<fcl::AABB<float>>>("fcl-float-aabb", "AABB"));
  into.push_back(std::make_unique<FclFloatAligned<fcl::KDOP<float, 18>>>("fcl-float-kdop18", "KDOP<18>"));
}
