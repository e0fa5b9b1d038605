// SPDX-License-Identifier: Apache-2.0
// ODE's spaces.
#include "lab/rivals/broad.h"

#include <ode/ode.h>

namespace tumble::lab {
namespace {

class Ode : public BroadRival {
 public:
  enum class Space { hash, sap, quadtree };

  explicit Ode(Space space) : space_(space) { dInitODE2(0); }
  ~Ode() override {
    clear();
    dCloseODE();
  }

  std::string id() const override {
    return space_ == Space::hash ? "ode-hash" : space_ == Space::sap ? "ode-sap" : "ode-quadtree";
  }
  std::string name() const override {
    return space_ == Space::hash ? "ODE hash space" : space_ == Space::sap ? "ODE sweep and prune" : "ODE quadtree";
  }
  std::string settings() const override {
    const char* const how = space_ == Space::hash  ? "dHashSpace, levels 2^-1 to 2^1"
                            : space_ == Space::sap ? "dSweepAndPruneSpace, axes x, y, z"
                                                   : "dQuadTreeSpace around the world, leaves of about eight boxes";
    return std::string("ODE " dODE_VERSION " of Debian, double; ") + how + "; pairs are tested once more";
  }

  void start(std::span<const Box> boxes) override {
    clear();
    Vec3 lower = boxes[0].lower, upper = boxes[0].upper;
    for (const Box& box : boxes)
      for (int axis = 0; axis < 3; ++axis) {
        lower[axis] = std::min(lower[axis], box.lower[axis]);
        upper[axis] = std::max(upper[axis], box.upper[axis]);
      }
    if (space_ == Space::hash) {
      made_ = dHashSpaceCreate(nullptr);
      dHashSpaceSetLevels(made_, -1, 1);
    } else if (space_ == Space::sap) {
      made_ = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ);
    } else {
      const Vec3 centre = (lower + upper) * 0.5, half = (upper - lower) * 0.5;
      const dVector3 c{centre.x, centre.y, centre.z, 0}, h{half.x, half.y, half.z, 0};
      int depth = 1;
      while ((std::size_t{8} << (2 * depth)) < boxes.size() && depth < 10) ++depth;
      made_ = dQuadTreeSpaceCreate(nullptr, c, h, depth);
    }
    for (std::uintptr_t i = 0; i < boxes.size(); ++i) {
      const Vec3 sides = boxes[i].upper - boxes[i].lower;
      geoms_.push_back(dCreateBox(made_, sides.x, sides.y, sides.z));
      dGeomSetData(geoms_[i], reinterpret_cast<void*>(i));
    }
    place(boxes);
  }

  void step(std::span<const Box> boxes, std::vector<PairOfBoxes>& into) override {
    place(boxes);
    into.clear();
    Near near{boxes, into};
    dSpaceCollide(made_, &near, [](void* data, dGeomID a, dGeomID b) {
      Near& found = *static_cast<Near*>(data);
      const PairOfBoxes pair = ordered(number(a), number(b));
      if (overlap(found.boxes[pair.first], found.boxes[pair.second])) found.into.push_back(pair);
    });
  }

 private:
  struct Near {
    std::span<const Box> boxes;
    std::vector<PairOfBoxes>& into;
  };

  static std::uint32_t number(dGeomID geom) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(dGeomGetData(geom)));
  }
  void place(std::span<const Box> boxes) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const Vec3 middle = (boxes[i].lower + boxes[i].upper) * 0.5;
      dGeomSetPosition(geoms_[i], middle.x, middle.y, middle.z);
    }
  }
  void clear() {
    if (made_) dSpaceDestroy(made_);  // and the boxes with it
    made_ = nullptr;
    geoms_.clear();
  }

  Space space_;
  dSpaceID made_ = nullptr;
  std::vector<dGeomID> geoms_;
};

}  // namespace
}  // namespace tumble::lab

TUMBLE_BROAD_RIVALS(tumble::lab::BroadRivals& into) {
  using tumble::lab::Ode;
  for (const auto space : {Ode::Space::hash, Ode::Space::sap, Ode::Space::quadtree})
    into.push_back(std::make_unique<Ode>(space));
}
