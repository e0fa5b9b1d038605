// SPDX-License-Identifier: Apache-2.0
// Embree's rtcCollide: two trees over boxes of triangles, the object's moved vertex by vertex and refitted per pose.
// Embree leaves the test of triangles to the caller; it gets our exact one.
#include "geometry/triangle_pair.h"
#include "lab/rivals/rival.h"

#include <embree3/rtcore.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace tumble::lab {
namespace {

float rounded_down(double x) { return std::nextafterf(static_cast<float>(x), -std::numeric_limits<float>::infinity()); }
float rounded_up(double x) { return std::nextafterf(static_cast<float>(x), std::numeric_limits<float>::infinity()); }

class Embree : public Rival {
 public:
  Embree() : device_(rtcNewDevice("threads=1,set_affinity=0")) {
    if (!device_)
      throw std::runtime_error(std::string("it makes no device, error ") + std::to_string(rtcGetDeviceError(nullptr)));
    rtcSetDeviceMemoryMonitorFunction(device_, &count_bytes, this);
  }
  ~Embree() override {
    clear();
    rtcReleaseDevice(device_);
  }

  std::string id() const override { return "embree"; }
  std::string name() const override { return "Embree rtcCollide"; }
  std::string settings() const override {
    return "Embree " RTC_VERSION_STRING
           " of Debian on one thread, boxes in float; per pose the object's vertices are moved and its tree refitted; "
           "pairs of triangles decided by tumble's exact test; rtcCollide has no early exit, any only skips the tests";
  }
  bool exact() const override { return true; }
  void build(const Mesh& environment, const Mesh& object) override {
    clear();
    environment_.make(device_, environment, RTC_BUILD_QUALITY_MEDIUM);
    object_.make(device_, object, RTC_BUILD_QUALITY_REFIT);
    rest_ = object.vertices;
  }
  void clear() override {
    environment_.release();
    object_.release();
    rest_.clear();
  }
  std::optional<std::size_t> counted_bytes() const override {
    return static_cast<std::size_t>(bytes_.load()) + environment_.bytes() + object_.bytes() +
           rest_.size() * sizeof(Vec3);
  }
  bool any(const Pose& pose) override {
    move(pose);
    Query query{this, nullptr, false};
    rtcCollide(environment_.scene, object_.scene, &test, &query);
    return query.hit;
  }
  void all(const Pose& pose, std::vector<PairOfTriangles>& into) override {
    into.clear();
    move(pose);
    Query query{this, &into, false};
    rtcCollide(environment_.scene, object_.scene, &test, &query);
  }

 private:
  struct Body {
    std::vector<Vec3> vertices;  // in the world
    std::vector<Triangle> triangles;
    RTCGeometry geometry = nullptr;
    RTCScene scene = nullptr;

    void make(RTCDevice device, const Mesh& mesh, RTCBuildQuality quality) {
      vertices = mesh.vertices;
      triangles = mesh.triangles;
      geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
      rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(triangles.size()));
      rtcSetGeometryUserData(geometry, this);
      rtcSetGeometryBoundsFunction(geometry, &bound, nullptr);
      rtcSetGeometryBuildQuality(geometry, quality);
      rtcCommitGeometry(geometry);
      scene = rtcNewScene(device);
      if (quality == RTC_BUILD_QUALITY_REFIT) {  // only a dynamic scene of low quality refits; others build anew
        rtcSetSceneFlags(scene, RTC_SCENE_FLAG_DYNAMIC);
        rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_LOW);
      }
      rtcAttachGeometry(scene, geometry);
      rtcCommitScene(scene);
    }
    void release() {
      if (scene) rtcReleaseScene(scene);
      if (geometry) rtcReleaseGeometry(geometry);
      *this = {};
    }
    std::size_t bytes() const { return vertices.size() * sizeof(Vec3) + triangles.size() * sizeof(Triangle); }
    Corners corners(unsigned triangle) const {
      const Triangle& t = triangles[triangle];
      return {vertices[t[0]], vertices[t[1]], vertices[t[2]]};
    }
    static void bound(const RTCBoundsFunctionArguments* arguments) {
      const Corners c = static_cast<const Body*>(arguments->geometryUserPtr)->corners(arguments->primID);
      RTCBounds& box = *arguments->bounds_o;
      box.lower_x = rounded_down(std::min({c[0].x, c[1].x, c[2].x}));
      box.lower_y = rounded_down(std::min({c[0].y, c[1].y, c[2].y}));
      box.lower_z = rounded_down(std::min({c[0].z, c[1].z, c[2].z}));
      box.upper_x = rounded_up(std::max({c[0].x, c[1].x, c[2].x}));
      box.upper_y = rounded_up(std::max({c[0].y, c[1].y, c[2].y}));
      box.upper_z = rounded_up(std::max({c[0].z, c[1].z, c[2].z}));
    }
  };

  struct Query {
    const Embree* self;
    std::vector<PairOfTriangles>* into;  // null: any
    bool hit;
  };

  static bool count_bytes(void* self, ssize_t bytes, bool) {
    static_cast<Embree*>(self)->bytes_ += bytes;
    return true;
  }
  static void test(void* pointer, RTCCollision* pairs, unsigned n) {
    Query& query = *static_cast<Query*>(pointer);
    for (unsigned i = 0; i < n && !(query.hit && !query.into); ++i) {
      if (!intersects(query.self->environment_.corners(pairs[i].primID0),
                      query.self->object_.corners(pairs[i].primID1)))
        continue;
      query.hit = true;
      if (query.into) query.into->emplace_back(pairs[i].primID0, pairs[i].primID1);
    }
  }
  void move(const Pose& pose) {
    for (std::size_t i = 0; i < rest_.size(); ++i) object_.vertices[i] = pose * rest_[i];
    rtcCommitGeometry(object_.geometry);
    rtcCommitScene(object_.scene);
  }

  RTCDevice device_;
  Body environment_, object_;
  std::vector<Vec3> rest_;
  std::atomic<ssize_t> bytes_{0};
};

}  // namespace
}  // namespace tumble::lab

TUMBLE_RIVALS(tumble::lab::Rivals& into) { into.push_back(std::make_unique<tumble::lab::Embree>()); }
