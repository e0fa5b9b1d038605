// SPDX-License-Identifier: Apache-2.0
// FCL as Debian packages it, in double precision, through its front door fcl::collide.
#include "lab/rivals/fcl_types.h"

#include <fcl/fcl.h>

#include <type_traits>

namespace tumble::lab {
namespace {

template <class Volume>
class Fcl : public FclRival<Volume> {
 public:
  Fcl(std::string id, std::string volume, bool oriented)
      : id_(std::move(id)), volume_(std::move(volume)), oriented_(oriented) {}

  std::string id() const override { return id_; }
  std::string name() const override { return "FCL " + volume_ + " (double)"; }
  std::string settings() const override {
    return "FCL " FCL_VERSION " of Debian, BVHModel of " + volume_ +
           ", fcl::collide without contact geometry; any: at most one contact, all: no limit" +
           (has_distance() ? "; fcl::distance without nearest points" : "") +
           (oriented_ ? "" : "; in every query FCL copies both models and builds the moved one's tree anew");
  }
  bool yardstick() const override { return oriented_; }
  // FCL measures distances by these three volumes; RSS and kIOS are made for little else.
  bool has_distance() const override { return std::is_same_v<Volume, fcl::OBBRSS<double>> || only_distance(); }
  bool only_distance() const override {
    return std::is_same_v<Volume, fcl::RSS<double>> || std::is_same_v<Volume, fcl::kIOS<double>>;
  }
  double distance(const Pose& pose) override {
    fcl::DistanceRequest<double> request(false);
    fcl::DistanceResult<double> result;
    return fcl::distance(this->environment_.get(), fcl::Transform3d::Identity(), this->object_.get(),
                         fcl_transform<double>(pose), request, result);
  }

 private:
  void collide(const Pose& pose, const fcl::CollisionRequest<double>& request,
               fcl::CollisionResult<double>& result) const override {
    fcl::collide(this->environment_.get(), fcl::Transform3d::Identity(), this->object_.get(),
                 fcl_transform<double>(pose), request, result);
  }

  std::string id_, volume_;
  bool oriented_;
};

}  // namespace
}  // namespace tumble::lab

TUMBLE_RIVALS(tumble::lab::Rivals& into) {
  using namespace tumble::lab;
  into.push_back(std::make_unique<Fcl<fcl::OBB<double>>>("fcl-obb", "OBB", true));
  into.push_back(std::make_unique<Fcl<fcl::OBBRSS<double>>>("fcl-obbrss", "OBBRSS", true));
  into.push_back(std::make_unique<Fcl<fcl::RSS<double>>>("fcl-rss", "RSS", true));
  into.push_back(std::make_unique<Fcl<fcl::kIOS<double>>>("fcl-kios", "kIOS", true));
  into.push_back(std::make_unique<Fcl<fcl::AABB<double>>>("fcl-aabb", "AABB", false));
  into.push_back(std::make_unique<Fcl<fcl::KDOP<double, 18>>>("fcl-kdop18", "KDOP<18>", false));
}
