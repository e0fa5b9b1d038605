// SPDX-License-Identifier: Apache-2.0
// FCL's test of two triangles, which decides in floating point.
#include "lab/rivals/triangle_rival.h"

#include <fcl/config.h>
#include <fcl/narrowphase/detail/traversal/collision/intersect.h>

namespace tumble::lab {
namespace {

class FclTriangles : public TriangleRival {
 public:
  std::string id() const override { return "fcl"; }
  std::string name() const override { return "FCL"; }
  std::string settings() const override {
    return "FCL " FCL_VERSION " of Debian, Intersect<double>::intersect_Triangle; decides in floating point";
  }
  void start(const std::vector<CornersOfPair>& pairs) override {
    pairs_.clear();
    for (const CornersOfPair& pair : pairs) {
      std::array<fcl::Vector3<double>, 6> corners;
      for (std::size_t i = 0; i < 6; ++i) {
        const Vec3& p = pair[i / 3][i % 3];
        corners[i] = fcl::Vector3<double>(p.x, p.y, p.z);
      }
      pairs_.push_back(corners);
    }
  }
  std::size_t hits() const override {
    std::size_t hits = 0;
    for (const auto& c : pairs_)
      hits += fcl::detail::Intersect<double>::intersect_Triangle(c[0], c[1], c[2], c[3], c[4], c[5]);
    return hits;
  }

 private:
  std::vector<std::array<fcl::Vector3<double>, 6>> pairs_;
};

}  // namespace
}  // namespace tumble::lab

TUMBLE_TRIANGLE_RIVALS(tumble::lab::TriangleRivals& into) {
  into.push_back(std::make_unique<tumble::lab::FclTriangles>());
}
