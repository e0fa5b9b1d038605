// SPDX-License-Identifier: Apache-2.0
// Qhull's facets as plain arrays. Qhull reports errors by longjmp. qh_new_qhull catches it inside, and nothing called
// afterwards can fail, so no jump crosses our frames.
#include "geometry/qhull.h"

#include <libqhull_r/qhull_ra.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>

namespace tumble {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// One run of Qhull, freed with the object.
class Run {
 public:
  Run(std::span<const Vec3> points, bool joggled) : messages_(std::fopen("/dev/null", "w")) {
    if (!messages_) return;  // without it Qhull would write to stderr
    coordinates_.reserve(3 * points.size());
    for (const Vec3& p : points) coordinates_.insert(coordinates_.end(), {p.x, p.y, p.z});
    std::array<char, 16> merged{"qhull Pp"}, moved{"qhull QJ Pp"};
    qh_zero(&qh_, messages_.get());
    started_ = true;
    succeeded_ = qh_new_qhull(&qh_, 3, static_cast<int>(points.size()), coordinates_.data(), False,
                              joggled ? moved.data() : merged.data(), nullptr, messages_.get()) == 0;
  }
  ~Run() {
    if (!started_) return;
    qh_.NOerrexit = True;
    qh_freeqhull(&qh_, !qh_ALL);
    int blocks = 0, bytes = 0;
    qh_memfreeshort(&qh_, &blocks, &bytes);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  explicit operator bool() const { return succeeded_; }
  qhT* qh() { return &qh_; }

 private:
  std::unique_ptr<std::FILE, CloseFile> messages_;
  std::vector<coordT> coordinates_;
  qhT qh_;
  bool started_ = false, succeeded_ = false;
};

using Edge = std::array<std::uint32_t, 2>;

/// Chains the edges of a facet into its ring; false if they are not one cycle.
bool chain(std::vector<Edge>& edges, std::vector<std::uint32_t>& ring) {
  ring.clear();
  if (edges.size() < 3) return false;
  ring.push_back(edges[0][0]);
  std::uint32_t end = edges[0][1];
  for (std::size_t done = 1; done < edges.size(); ++done) {
    ring.push_back(end);
    const auto next = std::find_if(edges.begin() + static_cast<std::ptrdiff_t>(done), edges.end(),
                                   [end](const Edge& e) { return e[0] == end || e[1] == end; });
    if (next == edges.end()) return false;
    std::swap(edges[done], *next);
    end = edges[done][0] == end ? edges[done][1] : edges[done][0];
  }
  if (end != ring[0]) return false;
  std::vector<std::uint32_t> sorted = ring;
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

/// Whether every directed edge has its opposite, once, and the numbers of corners, edges and facets are a sphere's.
bool is_closed(const HullFacets& facets) {
  std::vector<Edge> edges;
  for (std::size_t f = 0; f < facets.planes.size(); ++f) {
    const auto ring = facets.ring(f);
    for (std::size_t i = 0; i < ring.size(); ++i) edges.push_back({ring[i], ring[(i + 1) % ring.size()]});
  }
  std::sort(edges.begin(), edges.end());
  if (std::adjacent_find(edges.begin(), edges.end()) != edges.end()) return false;
  for (const Edge& e : edges)
    if (!std::binary_search(edges.begin(), edges.end(), Edge{e[1], e[0]})) return false;
  std::vector<std::uint32_t> corners = facets.corners;
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  return corners.size() + facets.planes.size() == edges.size() / 2 + 2;
}

}  // namespace

std::optional<HullFacets> hull_facets(std::span<const Vec3> points, bool joggled) {
  Run run(points, joggled);
  if (!run) return std::nullopt;
  qhT* qh = run.qh();
  HullFacets facets;
  facets.begin.push_back(0);
  std::vector<Edge> edges;
  std::vector<std::uint32_t> ring;
  facetT* facet;  // the names Qhull's loops want
  FORALLfacets {
    const auto number = [qh](const vertexT* v) { return static_cast<std::uint32_t>(qh_pointid(qh, v->point)); };
    edges.clear();
    if (facet->simplicial) {
      std::array<std::uint32_t, 3> three{};
      std::size_t count = 0;
      vertexT *vertex, **vertexp;
      FOREACHvertex_(facet->vertices) {
        if (count == 3) return std::nullopt;
        three[count++] = number(vertex);
      }
      if (count != 3) return std::nullopt;
      edges = {{three[0], three[1]}, {three[1], three[2]}, {three[2], three[0]}};
    } else {
      ridgeT *ridge, **ridgep;
      FOREACHridge_(facet->ridges) edges.push_back(
          {number(SETfirstt_(ridge->vertices, vertexT)), number(SETsecondt_(ridge->vertices, vertexT))});
    }
    if (!chain(edges, ring)) return std::nullopt;
    const Vec3 normal{facet->normal[0], facet->normal[1], facet->normal[2]};
    Vec3 around;  // twice the ring's area vector
    for (std::size_t i = 2; i < ring.size(); ++i)
      around += cross(points[ring[i - 1]] - points[ring[0]], points[ring[i]] - points[ring[0]]);
    if (dot(around, normal) < 0) std::reverse(ring.begin(), ring.end());
    facets.planes.push_back({normal, -facet->offset});
    facets.corners.insert(facets.corners.end(), ring.begin(), ring.end());
    facets.begin.push_back(static_cast<std::uint32_t>(facets.corners.size()));
  }
  facets.thickness = std::max(qh->max_outside, 0.0) + std::max(-qh->min_vertex, 0.0);
  if (joggled) facets.thickness += 2 * qh->JOGGLEmax;
  if (!is_closed(facets)) return std::nullopt;
  return facets;
}

}  // namespace tumble
