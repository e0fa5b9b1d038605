// SPDX-License-Identifier: Apache-2.0
// The walk itself: volumes are realigned when first met at a pose, leaves end in exact tests of triangles.
#include "lab/plain_walk.h"

#include "bounds/directions.h"
#include "core/assert.h"
#include "geometry/triangle_pair.h"
#include "math/transform.h"

#include <algorithm>

namespace tumble::lab {
namespace {

/// The corners of a leaf's triangles, one after another, in tree coordinates.
std::vector<Vec3> corners(const ModelData& model, Child leaf) {
  std::vector<Vec3> out;
  const LeafView slots = model.tree.leaf(leaf.index());
  for (std::uint32_t slot = slots.first; slot < slots.last; ++slot)
    for (const std::uint32_t v : model.triangles[model.tree.triangle_ids[slot]])
      out.push_back(model.tree.frame.to_tree(model.vertices[v]));
  return out;
}

Corners in_world(const ModelData& model, std::uint32_t triangle, const Pose& pose) {
  const Triangle& t = model.triangles[triangle];
  return {to_world(pose, model.vertices[t[0]]), to_world(pose, model.vertices[t[1]]),
          to_world(pose, model.vertices[t[2]])};
}

}  // namespace

PlainWalk::PlainWalk(const Model& env, const Model& object, const PairOptions& options, bool leaves_have_volumes)
    : setup_(env, object, options), with_volumes_(leaves_have_volumes) {
  TUMBLE_ASSERT(setup_.a_is_target);
  realigned_.resize(setup_.source().tree.node_count);
}

WalkCounts PlainWalk::ask(const Pose& pose, const OnPair& on_pair) {
  counts_ = {};
  pose_ = pose;
  relative_ = setup_.relation.at({}, pose);
  setup_.realigner->set_pose(relative_);
  for (std::vector<float>& rows : realigned_) rows.clear();
  meet({0, 0}, {0, 0}, on_pair);
  return counts_;
}

double PlainWalk::Slabs::lower(int slab) const { return rows[DopRows::lower(slab) + lane]; }
double PlainWalk::Slabs::upper(int slab) const { return rows[DopRows::upper(slab) + lane]; }

PlainWalk::Slabs PlainWalk::moved(Volume v) {
  std::vector<float>& rows = realigned_[v.node];
  if (rows.empty()) {
    rows.resize(static_cast<std::size_t>(env().rows()) * Tree::lanes);
    setup_.realigner->realign(v.node, object().node(v.node).rows, rows.data());
  }
  return {rows.data(), v.lane};
}

bool PlainWalk::overlap(const Slabs& a, const Slabs& b) const {
  for (int slab = 0; slab < env().k / 2; ++slab)
    if (a.lower(slab) > b.upper(slab) || b.lower(slab) > a.upper(slab)) return false;
  return true;
}

/// Whether some of the points may lie within the slabs of a volume, or on either side of them.
bool PlainWalk::reach(const std::vector<Vec3>& points, const Slabs& volume, int k, double margin) {
  const auto normals = directions(k);
  for (int slab = 0; slab < k / 2; ++slab) {
    const Vec3 n = normals[static_cast<std::size_t>(slab)];
    double low = 1e300, high = -1e300;
    for (const Vec3& p : points) low = std::min(low, dot(n, p)), high = std::max(high, dot(n, p));
    const double slack = (margin + 1e-9) * length(n);
    if (low - slack > volume.upper(slab) || high + slack < volume.lower(slab)) return false;
  }
  return true;
}

bool PlainWalk::may_touch(Volume a, Volume b) {
  const Child of_a = env().node(a.node).children[a.lane], of_b = object().node(b.node).children[b.lane];
  const Slabs standing{env().node(a.node).rows, a.lane};
  if (with_volumes_ || (!of_a.is_leaf() && !of_b.is_leaf())) {
    ++counts_.volumes;
    return overlap(standing, moved(b));
  }
  if (of_a.is_leaf() && of_b.is_leaf()) return true;
  ++counts_.faces;
  if (of_b.is_leaf()) {
    std::vector<Vec3> points = corners(setup_.source(), of_b);
    for (Vec3& p : points) p = relative_.linear * p + relative_.translation;
    return reach(points, standing, env().k, relative_.margin);
  }
  std::vector<Vec3> points = corners(setup_.target(), of_a);  // to the moving tree: nothing is realigned
  const double square = relative_.scale * relative_.scale;
  for (Vec3& p : points) p = transpose(relative_.linear) * (p - relative_.translation) / square;
  return reach(points, {object().node(b.node).rows, b.lane}, object().k, relative_.margin / relative_.scale);
}

void PlainWalk::meet(Volume a, Volume b, const OnPair& on_pair) {
  if (!may_touch(a, b)) return;
  const Child of_a = env().node(a.node).children[a.lane], of_b = object().node(b.node).children[b.lane];
  if (of_a.is_leaf() && of_b.is_leaf()) {
    const LeafView slots_a = env().leaf(of_a.index()), slots_b = object().leaf(of_b.index());
    for (std::uint32_t i = slots_a.first; i < slots_a.last; ++i)
      for (std::uint32_t j = slots_b.first; j < slots_b.last; ++j) {
        const std::uint32_t of_env = env().triangle_ids[i], of_object = object().triangle_ids[j];
        ++counts_.np;
        counts_.contacts +=
            intersects(in_world(setup_.target(), of_env, {}), in_world(setup_.source(), of_object, pose_));
        if (on_pair) on_pair(of_env, of_object);
      }
    return;
  }
  const int lanes_a = of_a.is_leaf() ? 1 : env().node(of_a.index()).used_lanes();
  const int lanes_b = of_b.is_leaf() ? 1 : object().node(of_b.index()).used_lanes();
  for (int i = 0; i < lanes_a; ++i)
    for (int j = 0; j < lanes_b; ++j)
      meet(of_a.is_leaf() ? a : Volume{of_a.index(), i}, of_b.is_leaf() ? b : Volume{of_b.index(), j}, on_pair);
}

}  // namespace tumble::lab
