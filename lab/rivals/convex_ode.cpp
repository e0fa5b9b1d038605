// SPDX-License-Identifier: Apache-2.0
// ODE's convex geoms through dCollide. It has no distances.
#include "lab/rivals/convex_rival.h"

#include <ode/ode.h>

#include <cmath>
#include <cstdarg>

namespace tumble::lab {
namespace {

class Ode : public ConvexRival {
 public:
  Ode() {
    dInitODE2(0);
    dSetMessageHandler([](int, const char*, va_list) {});
  }
  ~Ode() override {
    a_.destroy();
    b_.destroy();
    dCloseODE();
  }

  std::string id() const override { return "ode"; }
  std::string name() const override { return "ODE convex (double)"; }
  std::string settings() const override {
    return "ODE " dODE_VERSION
           " of Debian: dCollide of two convex geoms, one contact; it tries every face and every pair of edges as a "
           "separating plane, so it is asked about small bodies only";
  }
  void start(const Mesh& a, const Mesh& b) override {
    a_.make(a);
    b_.make(b);
  }
  bool has_distance() const override { return false; }
  std::size_t most_faces() const override { return 500; }
  bool collide(const Pose& pose) override {
    dMatrix3 rotation{};  // rows of four
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) rotation[4 * i + j] = pose.row(i)[j];
    dGeomSetRotation(b_.geometry, rotation);
    dGeomSetPosition(b_.geometry, pose.translation().x, pose.translation().y, pose.translation().z);
    dContactGeom contact;
    return dCollide(a_.geometry, b_.geometry, 1, &contact, sizeof contact) > 0;
  }

 private:
  struct Body {
    std::vector<dReal> planes, points;  // ODE refers to them
    std::vector<unsigned int> polygons;
    dGeomID geometry = nullptr;

    void make(const Mesh& mesh) {
      destroy();
      for (const Vec3& v : mesh.vertices) points.insert(points.end(), {v.x, v.y, v.z});
      for (const Triangle& t : mesh.triangles) {
        const Vec3 p = mesh.vertices[t[0]];
        Vec3 n = cross(mesh.vertices[t[1]] - p, mesh.vertices[t[2]] - p);
        n = n / length(n);
        planes.insert(planes.end(), {n.x, n.y, n.z, dot(n, p)});
        polygons.insert(polygons.end(), {3, t[0], t[1], t[2]});
      }
      geometry = dCreateConvex(nullptr, planes.data(), static_cast<unsigned>(mesh.triangles.size()), points.data(),
                               static_cast<unsigned>(mesh.vertices.size()), polygons.data());
    }
    void destroy() {
      if (geometry) dGeomDestroy(geometry);
      *this = {};
    }
  };
  Body a_, b_;
};

}  // namespace
}  // namespace tumble::lab

TUMBLE_CONVEX_RIVALS(tumble::lab::ConvexRivals& into) { into.push_back(std::make_unique<tumble::lab::Ode>()); }
