// SPDX-License-Identifier: Apache-2.0
// FCL as Debian packages it, in double precision, through its front door fcl::collide.
#include "lab/rivals/fcl_types.h"
#include "lab/rivals/rival.h"

#include <fcl/fcl.h>

#include <limits>

namespace tumble::lab {
namespace {

template <class Volume>
class Fcl : public Rival {
 public:
  Fcl(std::string id, std::string volume, bool oriented)
      : id_(std::move(id)), volume_(std::move(volume)), oriented_(oriented) {}

  std::string id() const override { return id_; }
  std::string name() const override { return "FCL " + volume_ + " (double)"; }
  std::string settings() const override {
    return "FCL " FCL_VERSION " of Debian, BVHModel of " + volume_ +
           ", fcl::collide without contact geometry; any: at most one contact, all: no limit" +
           (oriented_ ? "" : "; FCL copies the moving model and refits its tree in every query");
  }
  bool yardstick() const override { return oriented_; }
  void build(const Mesh& environment, const Mesh& object) override {
    clear();
    environment_ = fcl_model<Volume>(environment);
    object_ = fcl_model<Volume>(object);
  }
  void clear() override {
    environment_.reset();
    object_.reset();
  }
  bool any(const Pose& pose) override {
    fcl::CollisionResult<double> result;
    return collide(pose, 1, result) > 0;
  }
  void all(const Pose& pose, std::vector<PairOfTriangles>& into) override {
    fcl::CollisionResult<double> result;
    collide(pose, std::numeric_limits<std::size_t>::max(), result);
    into.clear();
    for (std::size_t i = 0; i < result.numContacts(); ++i) {
      const auto& c = result.getContact(i);
      into.emplace_back(static_cast<std::uint32_t>(c.b1), static_cast<std::uint32_t>(c.b2));
    }
  }

 private:
  std::size_t collide(const Pose& pose, std::size_t at_most, fcl::CollisionResult<double>& result) const {
    const fcl::CollisionRequest<double> request(at_most, false);
    return fcl::collide(environment_.get(), fcl::Transform3d::Identity(), object_.get(), fcl_transform<double>(pose),
                        request, result);
  }

  std::string id_, volume_;
  bool oriented_;
  std::unique_ptr<fcl::BVHModel<Volume>> environment_, object_;
};

}  // namespace
}  // namespace tumble::lab

TUMBLE_RIVALS(tumble::lab::Rivals& into) {
  using namespace tumble::lab;
  into.push_back(std::make_unique<Fcl<fcl::OBB<double>>>("fcl-obb", "OBB", true));
  into.push_back(std::make_unique<Fcl<fcl::OBBRSS<double>>>("fcl-obbrss", "OBBRSS", true));
  into.push_back(std::make_unique<Fcl<fcl::AABB<double>>>("fcl-aabb", "AABB", false));
  into.push_back(std::make_unique<Fcl<fcl::KDOP<double, 18>>>("fcl-kdop18", "KDOP<18>", false));
}
