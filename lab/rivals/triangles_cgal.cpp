// SPDX-License-Identifier: Apache-2.0
// CGAL's test of two triangles with exact predicates.
#include "lab/rivals/triangle_rival.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/intersections.h>
#include <CGAL/version.h>

namespace tumble::lab {
namespace {

class CgalTriangles : public TriangleRival {
 public:
  std::string id() const override { return "cgal"; }
  std::string name() const override { return "CGAL"; }
  std::string settings() const override {
    return "CGAL " CGAL_VERSION_STR " of Debian, do_intersect, Exact_predicates_inexact_constructions_kernel";
  }
  void start(const std::vector<CornersOfPair>& pairs) override {
    pairs_.clear();
    const auto point = [](const Vec3& p) { return Kernel::Point_3(p.x, p.y, p.z); };
    for (const auto& [a, b] : pairs)
      pairs_.emplace_back(Kernel::Triangle_3(point(a[0]), point(a[1]), point(a[2])),
                          Kernel::Triangle_3(point(b[0]), point(b[1]), point(b[2])));
  }
  std::size_t hits() const override {
    std::size_t hits = 0;
    for (const auto& [a, b] : pairs_) hits += CGAL::do_intersect(a, b);
    return hits;
  }

 private:
  using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
  std::vector<std::pair<Kernel::Triangle_3, Kernel::Triangle_3>> pairs_;
};

}  // namespace
}  // namespace tumble::lab

TUMBLE_TRIANGLE_RIVALS(tumble::lab::TriangleRivals& into) {
  into.push_back(std::make_unique<tumble::lab::CgalTriangles>());
}
