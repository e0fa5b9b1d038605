// SPDX-License-Identifier: Apache-2.0
// Makes a model's hull and colours it.
#include "convex/colored_hull.h"

#include <algorithm>
#include <utility>

namespace tumble {
namespace {

/// Smaller sets have no roundings in proportion to their size.
constexpr double least_reach = 0x1p-900;

KeptHull make(const ModelData& model) {
  std::vector<Vec3> points;
  std::vector<bool> used(model.vertices.size());
  for (const Triangle& t : model.triangles)
    for (const std::uint32_t v : t) {
      if (!used[v]) points.push_back(model.vertices[v]);
      used[v] = true;
    }
  ConvexHull hull = convex_hull(points);
  if (hull.is_box || hull.triangles.empty()) return {};
  auto colored = std::make_shared<ColoredHull>(std::move(hull), model);
  if (!(colored->data.reach > least_reach)) return {};
  const std::size_t bytes = colored->bytes();
  return {std::move(colored), bytes};
}

}  // namespace

ColoredHull::ColoredHull(ConvexHull hull, const ModelData& model) : data(std::move(hull)) {
  // By place: a model may have a vertex twice.
  const std::vector<Vec3>& vertices = data.hull.vertices;
  std::vector<std::uint32_t> order(vertices.size());
  for (std::uint32_t v = 0; v < order.size(); ++v) order[v] = v;
  std::ranges::sort(order, lexicographic_less, [&](std::uint32_t v) { return vertices[v]; });
  constexpr std::uint32_t none = ~0U;
  std::vector<std::uint32_t> on_hull(model.vertices.size(), none);
  for (std::size_t v = 0; v < on_hull.size(); ++v) {
    const Vec3& place = model.vertices[v];
    const auto at = std::ranges::lower_bound(order, place, lexicographic_less,
                                             [&](std::uint32_t of_hull) { return vertices[of_hull]; });
    if (at != order.end() && vertices[*at] == place) on_hull[v] = *at;
  }
  const auto each_corner = [&](const auto& take) {
    for (std::uint32_t t = 0; t < model.triangles.size(); ++t)
      for (const std::uint32_t v : model.triangles[t])
        if (on_hull[v] != none) take(on_hull[v], t);
  };
  first_.assign(vertices.size() + 1, 0);
  each_corner([&](std::uint32_t v, std::uint32_t) { ++first_[v + 1]; });
  for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
  triangles_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  each_corner([&](std::uint32_t v, std::uint32_t t) { triangles_[next[v]++] = t; });

  for (std::uint32_t t = 0; t < data.hull.triangles.size(); ++t) {
    bool is_red = false;
    each_triangle(model, {ConvexFeature::Kind::face, t}, [&](std::uint32_t) { is_red = true; });
    red_faces += is_red ? 1 : 0;
  }
}

bool ColoredHull::has(const ModelData& model, std::uint32_t triangle, std::uint32_t vertex) const {
  const Vec3& place = data.hull.vertices[vertex];
  return std::ranges::any_of(model.triangles[triangle],
                             [&](std::uint32_t corner) { return model.vertices[corner] == place; });
}

std::size_t ColoredHull::bytes() const {
  return sizeof(ColoredHull) - sizeof(ConvexData) + data.bytes() +
         (first_.capacity() + triangles_.capacity()) * sizeof(std::uint32_t);
}

const ColoredHull* hull_of(const ModelData& model) {
  return model.hull.get([&] { return make(model); }).hull.get();
}

}  // namespace tumble
