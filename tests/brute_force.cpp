// SPDX-License-Identifier: Apache-2.0
// Two nested loops over triangles in world coordinates. The boxes of single triangles rule pairs out; nothing else.
#include "brute_force.h"

#include "geometry/contact.h"
#include "geometry/triangle_pair.h"
#include "math/transform.h"
#include "query/answer_order.h"

#include <algorithm>
#include <optional>

namespace tumble {
namespace {

struct Placed {
  std::uint32_t id;
  Corners corners;  // in the world
  Box box;
};

Box box_of(const Corners& corners) {
  Box box{corners[0], corners[0]};
  for (const Vec3& p : corners)
    for (int axis = 0; axis < 3; ++axis) {
      box.lower[axis] = std::min(box.lower[axis], p[axis]);
      box.upper[axis] = std::max(box.upper[axis], p[axis]);
    }
  return box;
}

bool overlap(const Box& a, const Box& b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y && b.lower.y <= a.upper.y &&
         a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

std::vector<Placed> place(const Mesh& mesh, const Pose& pose) {
  std::vector<Placed> placed;
  placed.reserve(mesh.triangles.size());
  for (std::uint32_t id = 0; id < mesh.triangles.size(); ++id) {
    const Triangle& t = mesh.triangles[id];
    const auto corner = [&](std::size_t i) { return to_world(pose, mesh.vertices[t[i]]); };
    const Corners corners{corner(0), corner(1), corner(2)};
    placed.push_back({id, corners, box_of(corners)});
  }
  return placed;
}

/// Calls visit(a, b) for every pair with overlapping boxes until it returns true.
template <class Visit>
void for_each_pair(const Mesh& mesh_a, const Pose& pose_a, const Mesh& mesh_b, const Pose& pose_b, Visit visit) {
  const std::vector<Placed> all_a = place(mesh_a, pose_a);
  std::vector<Placed> all_b = place(mesh_b, pose_b);

  // Sorted along x, the boxes of b that can reach a given one are a run: those after it begin beyond its upper end,
  // and before the run not even the largest upper end so far, `reach`, comes up to its lower end.
  std::ranges::sort(all_b, {}, [](const Placed& b) { return b.box.lower.x; });
  std::vector<double> reach;
  reach.reserve(all_b.size());
  for (const Placed& b : all_b) reach.push_back(std::max(b.box.upper.x, reach.empty() ? b.box.upper.x : reach.back()));

  for (const Placed& a : all_a) {
    const auto first = std::ranges::lower_bound(reach, a.box.lower.x) - reach.begin();
    for (auto b = all_b.begin() + first; b != all_b.end() && b->box.lower.x <= a.box.upper.x; ++b)
      if (overlap(a.box, b->box) && visit(a, *b)) return;
  }
}

}  // namespace

Contacts brute_force_contacts(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b) {
  Contacts contacts;
  for_each_pair(a, pose_a, b, pose_b, [&contacts](const Placed& ta, const Placed& tb) {
    if (const std::optional<ContactKind> kind = classify(ta.corners, tb.corners)) {
      Contact contact = make_contact(ta.corners, tb.corners, *kind, ta.id, tb.id);
      contact.triangle_a = ta.id;
      contact.triangle_b = tb.id;
      contacts.push_back(contact);
    }
    return false;
  });
  std::ranges::sort(contacts, {}, contact_order);
  return contacts;
}

bool brute_force_collide(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b) {
  bool found = false;
  for_each_pair(a, pose_a, b, pose_b,
                [&found](const Placed& ta, const Placed& tb) { return found = intersects(ta.corners, tb.corners); });
  return found;
}

}  // namespace tumble
