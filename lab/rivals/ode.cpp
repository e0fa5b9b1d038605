// SPDX-License-Identifier: Apache-2.0
// ODE's triangle meshes, whose trees are OPCODE's, through dCollide.
#include "lab/rivals/rival.h"

#include <ode/ode.h>

#include <cstdarg>

namespace tumble::lab {
namespace {

constexpr int most_contacts = 0xffff;  // what dCollide's flags have room for

class Ode : public Rival {
 public:
  Ode() {
    dInitODE2(0);
    dSetMessageHandler([](int, const char*, va_list) {});  // it tells of every contact it did not merge
  }
  ~Ode() override {
    clear();
    dCloseODE();
  }

  std::string id() const override { return "ode"; }
  std::string name() const override { return "ODE trimesh (OPCODE)"; }
  std::string settings() const override {
    return "ODE " dODE_VERSION
           " of Debian, double outside, OPCODE's trees in float; dCollide always walks the whole trees and makes "
           "contact points; any: one contact, all: at most 65,535, and contacts close to each other are merged, so "
           "pairs of "
           "triangles that were found may be missing";
  }
  void build(const Mesh& environment, const Mesh& object) override {
    clear();
    environment_.make(environment);
    object_.make(object);
  }
  void clear() override {
    environment_.destroy();
    object_.destroy();
  }
  bool any(const Pose& pose) override {
    place(pose);
    dContactGeom contact;
    return dCollide(environment_.geometry, object_.geometry, static_cast<int>(1 | CONTACTS_UNIMPORTANT), &contact,
                    sizeof contact) > 0;
  }
  void all(const Pose& pose, std::vector<PairOfTriangles>& into) override {
    place(pose);
    contacts_.resize(most_contacts);
    const int n =
        dCollide(environment_.geometry, object_.geometry, static_cast<int>(most_contacts | CONTACTS_UNIMPORTANT),
                 contacts_.data(), sizeof(dContactGeom));
    into.clear();
    for (int i = 0; i < n; ++i) {
      const dContactGeom& c = contacts_[static_cast<std::size_t>(i)];
      into.emplace_back(static_cast<std::uint32_t>(c.side1), static_cast<std::uint32_t>(c.side2));
    }
  }

 private:
  struct Body {
    std::vector<Vec3> vertices;  // ODE refers to them
    std::vector<Triangle> triangles;
    dTriMeshDataID data = nullptr;
    dGeomID geometry = nullptr;

    void make(const Mesh& mesh) {
      vertices = mesh.vertices;
      triangles = mesh.triangles;
      data = dGeomTriMeshDataCreate();
      dGeomTriMeshDataBuildDouble(data, vertices.data(), sizeof(Vec3), static_cast<int>(vertices.size()),
                                  triangles.data(), static_cast<int>(3 * triangles.size()), sizeof(Triangle));
      geometry = dCreateTriMesh(nullptr, data, nullptr, nullptr, nullptr);
    }
    void destroy() {
      if (geometry) dGeomDestroy(geometry);
      if (data) dGeomTriMeshDataDestroy(data);
      *this = {};
    }
  };

  void place(const Pose& pose) const {
    dMatrix3 rotation{};  // rows of four
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) rotation[4 * i + j] = pose.row(i)[j];
    dGeomSetRotation(object_.geometry, rotation);
    dGeomSetPosition(object_.geometry, pose.translation().x, pose.translation().y, pose.translation().z);
  }

  Body environment_, object_;
  std::vector<dContactGeom> contacts_;
};

}  // namespace
}  // namespace tumble::lab

TUMBLE_RIVALS(tumble::lab::Rivals& into) { into.push_back(std::make_unique<tumble::lab::Ode>()); }
