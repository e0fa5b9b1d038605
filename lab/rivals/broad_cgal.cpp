// SPDX-License-Identifier: Apache-2.0
// CGAL's intersection of sequences of boxes.
#include "lab/rivals/broad.h"

#include <CGAL/box_intersection_d.h>
#include <CGAL/version.h>

namespace tumble::lab {
namespace {

using Handle = const Box*;
using CgalBox =
    CGAL::Box_intersection_d::Box_with_handle_d<double, 3, Handle, CGAL::Box_intersection_d::ID_FROM_HANDLE>;

class Cgal : public BroadRival {
 public:
  std::string id() const override { return "cgal"; }
  std::string name() const override { return "CGAL box_intersection_d"; }
  std::string settings() const override {
    return "CGAL " CGAL_VERSION_STR
           " of Debian, double; box_self_intersection_d of all boxes in each step, as it keeps "
           "nothing";
  }
  void start(std::span<const Box>) override {}
  void step(std::span<const Box> boxes, std::vector<PairOfBoxes>& into) override {
    into.clear();
    boxes_.clear();
    for (const Box& box : boxes)
      boxes_.emplace_back(CGAL::Bbox_3(box.lower.x, box.lower.y, box.lower.z, box.upper.x, box.upper.y, box.upper.z),
                          &box);
    CGAL::box_self_intersection_d(boxes_.begin(), boxes_.end(), [&](const CgalBox& a, const CgalBox& b) {
      into.push_back(ordered(static_cast<std::uint32_t>(a.handle() - boxes.data()),
                             static_cast<std::uint32_t>(b.handle() - boxes.data())));
    });
  }

 private:
  std::vector<CgalBox> boxes_;
};

}  // namespace
}  // namespace tumble::lab

TUMBLE_BROAD_RIVALS(tumble::lab::BroadRivals& into) { into.push_back(std::make_unique<tumble::lab::Cgal>()); }
