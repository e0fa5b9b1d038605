// SPDX-License-Identifier: Apache-2.0
// How tight each way to realign a k-DOP is, and what it costs: volumes of realigned DOPs over those of the moved
// triangles' own, over the nodes of real trees under random rotations. Prints Markdown tables.
#include "bounds/dop.h"
#include "bounds/dop_measure.h"
#include "bounds/lanes.h"
#include "lab/bench_output.h"
#include "realign/realigner.h"
#include "scenes/meshes.h"
#include "scenes/random.h"
#include "simd/dispatch.h"
#include "tree/model_data.h"

#include <tumble/model.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace tumble;

constexpr int poses = 6;
constexpr std::size_t lanes = Tree::lanes;

/// Enough nodes for means that do not move in the second digit; volumes of 98-DOPs take fifty times those of 6-DOPs.
std::size_t node_limit(int k) { return k <= 26 ? 600 : 100; }

RelativePose random_rotation(scenes::Random& random) {
  Vec3 axis;
  double w, size;
  do {
    axis = {random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
    w = random.between(-1, 1);
    size = std::sqrt(length_sq(axis) + w * w);
  } while (size > 1 || size < 0.1);
  const auto [x, y, z] = axis / size;
  w /= size;
  RelativePose pose;
  pose.linear = {{Vec3{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                  Vec3{2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                  Vec3{2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
  return pose;
}

/// The corners below one child, in tree coordinates.
void gather(const ModelData& data, Child child, std::vector<Vec3>& points) {
  const Tree& tree = data.tree;
  if (child.is_leaf()) {
    const LeafView leaf = tree.leaf(child.index());
    for (std::uint32_t slot = leaf.first; slot < leaf.last; ++slot)
      for (const std::uint32_t v : data.triangles[tree.triangle_ids[slot]])
        points.push_back(tree.frame.to_tree(data.vertices[v]));
    return;
  }
  const NodeView node = tree.node(child.index());
  for (int lane = 0; lane < node.used_lanes(); ++lane) gather(data, node.children[lane], points);
}

std::vector<int> node_depths(const Tree& tree) {
  std::vector<int> depth(tree.node_count, 0);
  for (std::uint32_t n = 0; n < tree.node_count; ++n) {
    const NodeView node = tree.node(n);
    for (int lane = 0; lane < node.used_lanes(); ++lane)
      if (!node.children[lane].is_leaf()) depth[node.children[lane].index()] = depth[n] + 1;
  }
  return depth;
}

struct Mean {
  double sum = 0, worst = 0;
  std::size_t count = 0;
  void add(double ratio) {
    sum += ratio;
    worst = std::max(worst, ratio);
    ++count;
  }
  double value() const { return count ? sum / static_cast<double>(count) : 0; }
};

struct Result {
  Mean inner, leaf;
  double realign_ns = 0, pose_ns = 0, first_us = 0;
};

struct Subject {
  const ModelData& data;
  std::vector<std::uint32_t> nodes;  // a sample, the first levels always
  SourceSets sets;
};

using Clock = std::chrono::steady_clock;
double nanoseconds(Clock::duration d) { return std::chrono::duration<double, std::nano>(d).count(); }

Result measure(const Subject& subject, const PairOptions& options, const std::vector<RelativePose>& path,
               const std::vector<std::vector<double>>& exact) {
  const Tree& tree = subject.data.tree;
  const BoundKind kind{Bound::dop, tree.k};
  const auto realigner = make_realigner(options, kind, kind, subject.sets);
  std::vector<float> rows(static_cast<std::size_t>(tree.k) * lanes);
  Result result;

  realigner->set_pose(path[0]);
  const auto before = Clock::now();
  for (const std::uint32_t n : subject.nodes) realigner->realign(n, tree.node(n).rows, rows.data());
  result.first_us = nanoseconds(Clock::now() - before) / 1000 / static_cast<double>(subject.nodes.size());

  for (std::size_t p = 0; p < path.size(); ++p) {
    realigner->set_pose(path[p]);
    std::size_t at = 0;
    for (const std::uint32_t n : subject.nodes) {
      const NodeView node = tree.node(n);
      realigner->realign(n, node.rows, rows.data());
      for (std::size_t lane = 0; lane < static_cast<std::size_t>(node.used_lanes()); ++lane, ++at) {
        const LaneSlabs slabs = lane_slabs(rows.data(), tree.k, lane);
        const double ratio = volume(slabs.lowers(), slabs.uppers(), tree.k) / exact[p][at];
        (node.children[lane].is_leaf() ? result.leaf : result.inner).add(ratio);
      }
    }
  }

  result.realign_ns = result.pose_ns = 1e300;
  for (int pass = 0; pass < 15; ++pass) {
    auto start = Clock::now();
    for (const RelativePose& pose : path) realigner->set_pose(pose);
    result.pose_ns = std::min(result.pose_ns, nanoseconds(Clock::now() - start) / static_cast<double>(path.size()));
    start = Clock::now();
    for (const std::uint32_t n : subject.nodes) realigner->realign(n, tree.node(n).rows, rows.data());
    result.realign_ns =
        std::min(result.realign_ns, nanoseconds(Clock::now() - start) / static_cast<double>(subject.nodes.size()));
  }
  return result;
}

/// Of one object: a curve per strategy.
struct Plots {
  lab::Plot volume, time;

  explicit Plots(const std::string& object)
      : volume{object + "-volume",
               object + ": volume of inner nodes after a rotation",
               {"k", true},
               {"volume / exact volume", true}},
        time{object + "-time", object + ": realigning a node of eight volumes", {"k", true}, {"ns", true}} {}
};

void add(lab::Plot& plot, const std::string& strategy, int k, double value) {
  auto series = std::ranges::find(plot.series, strategy, &lab::Series::name);
  if (series == plot.series.end()) {
    const int color = static_cast<int>(plot.series.size());
    series = plot.series.insert(series, {strategy, {}, {}, color});
  }
  series->x.push_back(k);
  series->y.push_back(value);
}

void run(const std::string& scene, const Mesh& mesh, int k, Plots& plots) {
  TreeOptions tree_options;
  tree_options.bound = Bound::dop;
  tree_options.k = k;
  const Model model(mesh, tree_options);
  const ModelData& data = data_of(model);
  const Tree& tree = data.tree;
  const std::vector<int> depths = node_depths(tree);

  Subject subject{data, {}, {}};
  const std::size_t step = std::max<std::size_t>(1, tree.node_count / node_limit(k));
  for (std::uint32_t n = 0; n < tree.node_count; n += static_cast<std::uint32_t>(n < 10 ? 1 : step))
    subject.nodes.push_back(n);
  subject.sets.node_count = tree.node_count;
  subject.sets.points = [&](std::uint32_t n, int lane) {
    std::vector<Vec3> points;
    gather(data, tree.node(n).children[lane], points);
    return points;
  };
  subject.sets.depth = [&](std::uint32_t n) { return depths[n]; };

  scenes::Random random(1);
  std::vector<RelativePose> path;
  for (int p = 0; p < poses; ++p) path.push_back(random_rotation(random));

  // Volumes of the DOPs of the moved corners themselves.
  std::vector<std::vector<double>> exact(path.size());
  const auto slabs = static_cast<std::size_t>(k) / 2;
  for (std::size_t p = 0; p < path.size(); ++p)
    for (const std::uint32_t n : subject.nodes)
      for (int lane = 0; lane < tree.node(n).used_lanes(); ++lane) {
        std::vector<Vec3> points = subject.sets.points(n, lane);
        for (Vec3& v : points) v = path[p].linear * v;
        std::array<float, max_k / 2> lower, upper;
        fit(points, std::span(lower).first(slabs), std::span(upper).first(slabs), k);
        exact[p].push_back(volume(std::span(lower).first(slabs), std::span(upper).first(slabs), k));
      }

  struct Row {
    const char* title;
    Realign strategy;
    int levels;
  };
  for (const Row& row :
       {Row{"affine", Realign::affine, 1}, Row{"affine_min", Realign::affine_min, 1},
        Row{"brep_vertices", Realign::brep_vertices, 1}, Row{"hill_climbing (every level)", Realign::hill_climbing, 64},
        Row{"occupancy", Realign::occupancy, 1}, Row{"sat_lite", Realign::sat_lite, 1}}) {
    PairOptions options;
    options.realign = row.strategy;
    options.paper.hill_climbing_levels = row.levels;
    const Result r = measure(subject, options, path, exact);
    std::printf("| %s | %d | %s | %.3f | %.2f | %.3f | %.2f | %.0f | %.0f | %.1f |\n", scene.c_str(), k, row.title,
                r.inner.value(), r.inner.worst, r.leaf.value(), r.leaf.worst, r.realign_ns, r.pose_ns, r.first_us);
    std::fflush(stdout);
    add(plots.volume, row.title, k, r.inner.value());
    add(plots.time, row.title, k, r.realign_ns);
  }
}

}  // namespace

/// Usage: tumble_lab_tightness [K...] [--plots DIR]; every listed k without arguments.
int main(int argc, char** argv) {
  const lab::BenchOutput output("tightness", argc, argv);
  std::vector<int> ks;
  for (int i = 1; i < argc; ++i) {
    ks.push_back(std::atoi(argv[i]));
    if (!is_listed(ks.back())) {
      std::fprintf(stderr, "tumble_lab_tightness: k is %s; allowed is 6, 8, 12, 14, 18, 26, 50 or 98\n", argv[i]);
      return 2;
    }
  }
  if (ks.empty()) ks.assign(listed_k.begin(), listed_k.end());
  std::printf("%d rotations, instruction set %s\n\n", poses, name(available().back()));
  std::printf(
      "| object | k | realign | inner: mean | worst | leaves: mean | worst | ns per node | ns per pose | first, µs "
      "|\n");
  std::printf("|---|--:|---|--:|--:|--:|--:|--:|--:|--:|\n");
  const Mesh torus = scenes::wrinkled_torus(), pipes = scenes::pipes(20'000);
  Plots of_torus{"torus"}, of_pipes{"pipes"};
  for (const int k : ks) {
    run("torus", torus, k, of_torus);
    run("pipes", pipes, k, of_pipes);
  }
  for (const Plots* plots : {&of_torus, &of_pipes}) output.write(plots->volume), output.write(plots->time);
  return 0;
}
