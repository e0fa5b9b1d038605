// SPDX-License-Identifier: Apache-2.0
// Embree's rays, which decide in single precision.
#include "lab/rivals/point_rival.h"

#include <embree3/rtcore.h>

#include <cstdint>
#include <limits>

namespace tumble::lab {
namespace {

class EmbreeRays : public PointRival {
 public:
  EmbreeRays() : device_(rtcNewDevice("threads=1,set_affinity=0")) {}
  ~EmbreeRays() override {
    clear();
    rtcReleaseDevice(device_);
  }
  EmbreeRays(const EmbreeRays&) = delete;
  EmbreeRays& operator=(const EmbreeRays&) = delete;

  std::string id() const override { return "embree"; }
  std::string name() const override { return "Embree"; }
  std::string settings() const override {
    return "Embree " RTC_VERSION_STRING
           " of Debian, rtcIntersect1, robust, high build quality, one thread; decides in single precision";
  }
  bool has_distance() const override { return false; }
  void build(const Mesh& mesh) override {
    clear();
    scene_ = rtcNewScene(device_);
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_HIGH);
    RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* v = static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                                          3 * sizeof(float), mesh.vertices.size()));
    for (const Vec3& p : mesh.vertices)
      for (int axis = 0; axis < 3; ++axis) *v++ = static_cast<float>(p[axis]);
    auto* t = static_cast<std::uint32_t*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                                                  3 * sizeof(std::uint32_t), mesh.triangles.size()));
    for (const Triangle& triangle : mesh.triangles)
      for (const std::uint32_t index : triangle) *t++ = index;
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
  }
  double first_hit(const Ray& ray) override {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit query{};
    query.ray.org_x = static_cast<float>(ray.origin.x);
    query.ray.org_y = static_cast<float>(ray.origin.y);
    query.ray.org_z = static_cast<float>(ray.origin.z);
    query.ray.dir_x = static_cast<float>(ray.direction.x);
    query.ray.dir_y = static_cast<float>(ray.direction.y);
    query.ray.dir_z = static_cast<float>(ray.direction.z);
    query.ray.tfar = std::numeric_limits<float>::infinity();
    query.ray.mask = ~0u;
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene_, &context, &query);
    return query.hit.geomID == RTC_INVALID_GEOMETRY_ID ? 0 : query.ray.tfar;
  }

 private:
  void clear() {
    if (scene_) rtcReleaseScene(scene_);
    scene_ = nullptr;
  }

  RTCDevice device_;
  RTCScene scene_ = nullptr;
};

}  // namespace
}  // namespace tumble::lab

TUMBLE_POINT_RIVALS(tumble::lab::PointRivals& into) { into.push_back(std::make_unique<tumble::lab::EmbreeRays>()); }
