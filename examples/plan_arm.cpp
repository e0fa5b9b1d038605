// SPDX-License-Identifier: Apache-2.0
// Plans a way for a robot's arm among obstacles: a tree of free configurations grows at random until it reaches the
// goal (LaValle 1998), then shortcuts are taken. docs/robots.md explains it.
#include <tumble/tumble.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace {

using Configuration = std::vector<double>;  // a value for each free joint

double between(const Configuration& a, const Configuration& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

Configuration blend(const Configuration& a, const Configuration& b, double t) {
  Configuration c = a;
  for (std::size_t i = 0; i < c.size(); ++i) c[i] += t * (b[i] - a[i]);
  return c;
}

class Planner {
 public:
  Planner(const tumble::World& world, const tumble::RobotBodies& arm) : world_(world), arm_(arm) {}

  /// Every 0.02 radians along the straight way, all of them on all cores.
  bool is_free(const Configuration& from, const Configuration& to) const {
    const int steps = std::max(1, static_cast<int>(std::ceil(between(from, to) / 0.02)));
    std::vector<double> values;
    for (int i = 0; i <= steps; ++i) {
      const Configuration c = blend(from, to, double(i) / steps);
      values.insert(values.end(), c.begin(), c.end());
    }
    return std::ranges::count(tumble::collide_configurations(world_, arm_, values), 1) == 0;
  }

  std::vector<Configuration> plan(const Configuration& start, const Configuration& goal) {
    struct Node {
      Configuration at;
      std::size_t parent;
    };
    std::vector<Node> tree{{start, 0}};
    for (int round = 0; round < 5000; ++round) {
      const Configuration wanted = round % 10 == 0 ? goal : random();
      const auto nearest =
          std::ranges::min_element(tree, {}, [&wanted](const Node& node) { return between(node.at, wanted); });
      const auto parent = static_cast<std::size_t>(nearest - tree.begin());
      const double length = between(nearest->at, wanted);
      const Configuration next = length > 0.3 ? blend(nearest->at, wanted, 0.3 / length) : wanted;
      if (!is_free(tree[parent].at, next)) continue;
      tree.push_back({next, parent});
      if (between(next, goal) > 0) continue;
      std::vector<Configuration> path;
      for (std::size_t i = tree.size() - 1; i > 0; i = tree[i].parent) path.push_back(tree[i].at);
      path.push_back(start);
      std::ranges::reverse(path);
      return path;
    }
    return {};
  }

  /// Leaves out what can be left out.
  std::vector<Configuration> shorten(const std::vector<Configuration>& path) const {
    std::vector<Configuration> result{path.front()};
    for (std::size_t at = 0; at + 1 < path.size();) {
      std::size_t next = path.size() - 1;
      while (next > at + 1 && !is_free(path[at], path[next])) --next;
      result.push_back(path[at = next]);
    }
    return result;
  }

 private:
  Configuration random() {
    Configuration c;
    for (const std::size_t joint : arm_.robot().free_joints()) {
      const tumble::Joint& limits = arm_.robot().joints()[joint];
      c.push_back(limits.lower + (limits.upper - limits.lower) * (double(random_()) / double(std::mt19937::max())));
    }
    return c;
  }

  const tumble::World& world_;
  const tumble::RobotBodies& arm_;
  std::mt19937 random_{1};
};

}  // namespace

int main() try {
  tumble::World world;
  const tumble::RobotBodies arm = tumble::add(world, tumble::load_robot("arm.urdf"));
  tumble::add(world, tumble::load_parts("cell.json"));  // a post and a box

  Planner planner(world, arm);
  const Configuration start{0.3, -2.4}, goal{0.3, 0.5};  // the box is in between
  const std::vector<Configuration> path = planner.plan(start, goal);
  if (path.empty()) return std::puts("no way was found"), 1;
  const std::vector<Configuration> way = planner.shorten(path);
  std::printf("a way with %zu stops; the straight one is %s\n", way.size(),
              planner.is_free(start, goal) ? "free, too" : "blocked");
  std::puts("shoulder,elbow");  // as 'tumble world --configurations' reads it
  for (const Configuration& c : way) std::printf("%g,%g\n", c[0], c[1]);
  for (std::size_t i = 1; i < way.size(); ++i)
    if (!planner.is_free(way[i - 1], way[i])) return 1;
  return 0;
} catch (const tumble::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
