// SPDX-License-Identifier: Apache-2.0
// FCL's conservative advancement, and one that takes FCL's distances.
#include "lab/rivals/fcl_types.h"
#include "lab/rivals/motion_rival.h"

#include <fcl/fcl.h>

#include <algorithm>
#include <cmath>

namespace tumble::lab {
namespace {

template <class Volume>
class FclModels : public MotionRival {
 public:
  FclModels(std::string id, std::string volume) : id_(std::move(id)), volume_(std::move(volume)) {}

  std::string id() const override { return id_; }
  void build(const Mesh& environment, const Mesh& object) override {
    environment_ = fcl_model<Volume>(environment);
    object_ = fcl_model<Volume>(object);
    reach_ = 0;
    for (const Vec3& v : object.vertices) reach_ = std::max(reach_, length(v));
  }

 protected:
  std::string id_, volume_;
  std::unique_ptr<fcl::BVHModel<Volume>> environment_, object_;
  double reach_ = 0;  // of the object, from its origin
};

/// The motions must be made so: InterpMotion's shorter constructors, and with them the front door that takes
/// transforms, leave its reference point uninitialised or compute no velocity.
fcl::InterpMotion<double> straight(const Pose& from, const Pose& to) {
  const fcl::Transform3d begin = fcl_transform<double>(from), end = fcl_transform<double>(to);
  return {begin.linear(), begin.translation(), end.linear(), end.translation(), fcl::Vector3d::Zero()};
}

template <class Volume>
class FclAdvancement : public FclModels<Volume> {
 public:
  using FclModels<Volume>::FclModels;

  std::string name() const override { return "FCL's advancement, " + this->volume_; }
  std::string settings() const override {
    return "FCL " FCL_VERSION " of Debian, double, BVHModel of " + this->volume_ +
           ", fcl::continuousCollide with CCDC_CONSERVATIVE_ADVANCEMENT and an InterpMotion; it ends when a step is "
           "below "
           "1e-5 of the time, which no setting changes, and names neither triangles nor points";
  }
  std::optional<double> first_contact(const Pose& from, const Pose& to, double) override {
    const fcl::ContinuousCollisionRequest<double> request(10, 1e-5, fcl::CCDM_LINEAR, fcl::GST_LIBCCD,
                                                          fcl::CCDC_CONSERVATIVE_ADVANCEMENT);
    fcl::ContinuousCollisionResult<double> result;
    const fcl::InterpMotion<double> stands = straight({}, {}), moves = straight(from, to);
    stands.integrate(0);
    moves.integrate(0);
    fcl::continuousCollide<double>(this->environment_.get(), &stands, this->object_.get(), &moves, request, result);
    if (!result.is_collide) return std::nullopt;
    return result.time_of_contact;
  }
};

/// What a user of FCL can do: ask how far the bodies are, and go on by as much as the fastest point takes for it.
template <class Volume>
class FclDistances : public FclModels<Volume> {
 public:
  using FclModels<Volume>::FclModels;

  std::string name() const override { return "FCL's distances, " + this->volume_; }
  std::string settings() const override {
    return "FCL " FCL_VERSION " of Debian, double, BVHModel of " + this->volume_ +
           ", fcl::distance; a loop of the lab goes on by the distance over the object's top speed until it is at most "
           "the "
           "tolerance";
  }
  std::optional<double> first_contact(const Pose& from, const Pose& to, double tolerance) override {
    const fcl::InterpMotion<double> moves = straight(from, to);
    const double speed = length(to.translation() - from.translation()) + moves.getAngularVelocity() * this->reach_;
    fcl::Transform3d at;
    for (double time = 0;;) {
      moves.integrate(time);
      moves.getCurrentTransform(at);
      const fcl::DistanceRequest<double> request(false);
      fcl::DistanceResult<double> result;
      const double apart = fcl::distance(this->environment_.get(), fcl::Transform3d::Identity(), this->object_.get(),
                                         at, request, result);
      if (apart <= tolerance) return time;
      time += (apart - tolerance / 2) / speed;
      if (!(time <= 1)) return std::nullopt;
    }
  }
};

}  // namespace
}  // namespace tumble::lab

TUMBLE_MOTION_RIVALS(tumble::lab::MotionRivals& into) {
  using namespace tumble::lab;
  into.push_back(std::make_unique<FclAdvancement<fcl::OBBRSS<double>>>("fcl-ca-obbrss", "OBBRSS"));
  into.push_back(std::make_unique<FclAdvancement<fcl::RSS<double>>>("fcl-ca-rss", "RSS"));
  into.push_back(std::make_unique<FclDistances<fcl::RSS<double>>>("fcl-distance-rss", "RSS"));
}
