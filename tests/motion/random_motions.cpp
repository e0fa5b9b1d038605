// SPDX-License-Identifier: Apache-2.0
// Random motions of small bodies, thin plates, needles and fast spins among them. first_contact() is held against
// sampling: the distance of all pairs of triangles at some times, and a bound of the speed that covers the times
// between. Usage: random_motions [--motions N] [--seed S] [--first N]. Exit status 1 if anything is wrong.
#include "geometry/distance.h"
#include "math/transform.h"
#include "scenes/random.h"

#include <tumble/model.h>
#include <tumble/motion.h>
#include <tumble/query.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

using namespace tumble;
using scenes::Random;

namespace {

/// A motion and a speed that no point of its body exceeds, by reasoning of our own.
struct Known {
  Motion motion;
  double speed;
};

struct Scene {
  Mesh a, b;
  Known of_a, of_b;
  double tolerance = 0;
};

Pose random_pose(Random& random, double spread) {
  const Vec3 axis = random.direction();
  const double w = random.between(-1, 1);
  return Pose::from_quaternion(w, axis.x, axis.y, axis.z,
                               random.in_box({-spread, -spread, -spread}, {spread, spread, spread}));
}

Mesh box(Vec3 half) {
  Mesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back({i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

Mesh random_mesh(Random& random) {
  Mesh mesh;
  switch (random.index(6)) {
    case 0: mesh = box({random.between(0.2, 1), random.between(0.2, 1), 1e-5}); break;  // a thin plate
    case 1: mesh = box({random.between(0.5, 2), 1e-3, 1e-3}); break;                    // a needle
    case 2: mesh = box({random.between(0.2, 1), random.between(0.2, 1), random.between(0.2, 1)}); break;
    case 3:  // a sheet without thickness
      mesh.vertices = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
      mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
      break;
    case 4: {  // scattered triangles, some of them degenerate
      const std::size_t count = 1 + random.index(12);
      for (std::uint32_t i = 0; i < count; ++i) {
        const Vec3 middle = random.in_box({-1, -1, -1}, {1, 1, 1});
        for (int j = 0; j < 3; ++j) mesh.vertices.push_back(middle + random.direction() * 0.3);
        mesh.triangles.push_back({3 * i, 3 * i + 1, random.index(8) == 0 ? 3 * i + 1 : 3 * i + 2});
      }
      break;
    }
    default:
      mesh.vertices = {random.direction(), random.direction(), random.direction(), random.direction()};
      mesh.triangles = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  }
  // Off its origin, and of another size.
  const double size = random.index(4) == 0 ? random.between(0.01, 20) : 1;
  const double off = random.index(3) == 0 ? 3 : 0;
  const Vec3 by = random.direction() * off;
  for (Vec3& v : mesh.vertices) v = v * size + by;
  return mesh;
}

double largest(const Mesh& mesh, const auto& measure) {
  double most = 0;
  for (const Vec3& v : mesh.vertices) most = std::max(most, measure(v));
  return most;
}

double angle_between(const Pose& a, const Pose& b) {
  double trace = 0;
  for (int i = 0; i < 3; ++i) trace += dot(a.row(i), b.row(i));
  return std::acos(std::clamp((trace - 1) / 2, -1.0, 1.0)) * 1.001 + 1e-6;
}

Known random_motion(Random& random, const Mesh& mesh) {
  const double spread = random.index(2) == 0 ? 6 : 2.5;
  const Pose from = random_pose(random, spread);
  const auto leg_speed = [&](const Pose& p, const Pose& q) {
    return length(q.translation() - p.translation()) +
           angle_between(p, q) * largest(mesh, [](Vec3 v) { return length(v); });
  };
  const auto spin = [&] {  // now and then a fast one
    return random.index(5) == 0 ? random.between(-400, 400) : random.between(-8, 8);
  };
  switch (random.index(6)) {
    case 0: return {Motion(from), 0};
    case 1: {  // straight through the middle, possibly very fast
      const double speed = random.index(3) == 0 ? 1000 : 1;
      const Vec3 way = (random.direction() - from.translation() / spread) * (8 * speed);
      return {Motion::steady(from, way, {}), length(way)};
    }
    case 2: {
      const Pose to = random_pose(random, spread);
      return {Motion::line(from, to), leg_speed(from, to)};
    }
    case 3: {
      const Vec3 velocity = (random.direction() * 3 - from.translation()) * random.between(0, 2);
      const Vec3 axis = random.direction();
      const double angle = spin();
      const Vec3 center = random.index(2) == 0 ? Vec3{} : random.direction();
      const double far = largest(mesh, [&](Vec3 v) { return length(v - center); });
      return {Motion::steady(from, velocity, axis * angle, center), length(velocity) + std::abs(angle) * far};
    }
    case 4: {
      const Vec3 point = random.direction() * 2, axis = random.direction() * random.between(0.1, 5);
      const double angle = spin(), advance = random.between(-6, 6);
      const double far = largest(mesh, [&](Vec3 v) { return length(cross(axis / length(axis), from * v - point)); });
      return {Motion::screw(from, point, axis, angle, advance), std::abs(advance) + std::abs(angle) * far};
    }
    default: {
      std::vector<Pose> poses{from};
      double speed = 0;
      const std::size_t legs = 1 + random.index(5);
      for (std::size_t i = 0; i < legs; ++i) {
        poses.push_back(random_pose(random, spread));
        speed = std::max(speed, leg_speed(poses[i], poses[i + 1]));
      }
      return {Motion::path(poses), speed};
    }
  }
}

Scene random_scene(Random& random) {
  Scene scene;
  scene.a = random_mesh(random);
  scene.b = random_mesh(random);
  scene.of_a = random_motion(random, scene.a);
  scene.of_b = random_motion(random, scene.b);
  constexpr double tolerances[] = {0, 1e-2, 1e-4, 1e-7};
  scene.tolerance = tolerances[random.index(4)];
  return scene;
}

TreeOptions random_tree(Random& random) {
  constexpr int ks[] = {6, 8, 12, 14, 18, 26};
  TreeOptions options{.threads = 1};
  if (random.index(2) == 0) options.bound = Bound::dop, options.k = ks[random.index(6)];
  return options;
}

/// The distance of all pairs of triangles.
double least_distance(const Scene& scene, double time) {
  const auto world = [time](const Mesh& mesh, const Motion& motion) {
    const Pose pose = motion.at(time);
    std::vector<Vec3> vertices;
    for (const Vec3& v : mesh.vertices) vertices.push_back(to_world(pose, v));
    return vertices;
  };
  const std::vector<Vec3> a = world(scene.a, scene.of_a.motion), b = world(scene.b, scene.of_b.motion);
  double least = std::numeric_limits<double>::infinity();
  for (const Triangle& t : scene.a.triangles)
    for (const Triangle& u : scene.b.triangles)
      least = std::min(least, distance_sq({a[t[0]], a[t[1]], a[t[2]]}, {b[u[0]], b[u[1]], b[u[2]]}));
  return std::sqrt(least);
}

std::size_t samples = 0, wrong = 0;

/// Whether nothing touches from one time to another, both included. The distance changes by no more than the sum of
/// both speeds.
bool is_free(const Scene& scene, double from, double to) {
  double at = from;
  const double speed = (scene.of_a.speed + scene.of_b.speed) * (1 + 1e-9);
  for (;;) {
    ++samples;
    const double apart = least_distance(scene, at);
    if (apart == 0) return false;
    if (at == to || speed == 0) return true;
    const double next = at + std::max(apart, 1e-12) / speed;
    at = std::min(std::max(next, std::nextafter(at, to)), to);
  }
}

bool require(bool holds, std::size_t number, const char* what, const FirstContact& found) {
  if (!holds && ++wrong <= 20)
    std::printf("WRONG motion %zu: %s (found %d, initial %d, time %.17g, gap %.9g, free until %.17g)\n", number, what,
                int{found.found}, int{found.initial}, found.time, found.gap, found.free_until);
  return holds;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t motions = 1000, seed = 1, first = 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    const auto value = static_cast<std::size_t>(std::strtoull(argv[i + 1], nullptr, 10));
    if (!std::strcmp(argv[i], "--motions")) motions = value;
    if (!std::strcmp(argv[i], "--seed")) seed = value;
    if (!std::strcmp(argv[i], "--first")) first = value;
  }
  std::size_t found_count = 0, initial_count = 0, stopped = 0;
  std::uint64_t looks = 0, most_looks = 0;
  double largest_gap_share = 0;
  for (std::size_t number = first; number < first + motions; ++number) {
    Random random(seed * 1'000'003 + number);
    const Scene scene = random_scene(random);
    const TreeOptions tree_a = random_tree(random), tree_b = random_tree(random);
    const Model a(scene.a, tree_a), b(scene.b, tree_b);
    const Motion &of_a = scene.of_a.motion, &of_b = scene.of_b.motion;
    FirstContactRequest request{.tolerance = scene.tolerance};
    const FirstContact found = first_contact(a, of_a, b, of_b, request);
    found_count += found.found;
    initial_count += found.initial;
    looks += found.node_pairs;
    most_looks = std::max(most_looks, found.node_pairs);

    const double end = std::max(of_a.end(), of_b.end());
    const double size = std::min(largest(scene.a, [](Vec3 v) { return length(v); }),
                                 largest(scene.b, [](Vec3 v) { return length(v); }));
    const double tolerance = scene.tolerance > 0 ? scene.tolerance : 1e-5 * std::max(size, 1.0);
    require(found.finished, number, "it has no budget and must finish", found);
    const bool touches_at_start = least_distance(scene, 0) == 0;
    require(found.initial == touches_at_start, number, "initial contact", found);
    if (found.found) {
      require(found.time == found.free_until, number, "nothing is left open", found);
      const double gap = least_distance(scene, found.time);
      require(gap <= tolerance, number, "the gap exceeds the tolerance", found);
      require(found.gap <= tolerance && found.gap >= gap, number, "the gap is that of the pair it names", found);
      largest_gap_share = std::max(largest_gap_share, gap / tolerance);
      if (!found.initial) {
        require(gap > 0, number, "it comes late: contact at its time", found);
        require(is_free(scene, 0, found.time), number, "it comes late", found);
        require(std::abs(length(found.point_a - found.point_b) - found.gap) <= 1e-9, number, "points", found);
        require(std::abs(length(found.normal) - 1) <= 1e-9, number, "normal", found);
      }
    } else {
      require(is_free(scene, 0, end), number, "a contact was missed", found);
    }
    // With a budget it may stop, and what it says is free is.
    request.budget.node_pairs = random.index(200);
    const FirstContact hurried = first_contact(a, of_a, b, of_b, request);
    stopped += !hurried.finished;
    require(hurried.finished ? hurried.time == found.time : !hurried.found && hurried.free_until <= found.free_until,
            number, "with a budget", hurried);
    if ((number + 1) % 1000 == 0) std::printf("%zu motions\n", number + 1), std::fflush(stdout);
  }
  std::printf(
      "seed %zu: %zu motions, %zu with contact, %zu of them at the start; %zu samples; %.1f looks a motion, at most "
      "%llu; largest gap %.3f of the tolerance; %zu stopped by a budget; %zu wrong\n",
      seed, motions, found_count, initial_count, samples, static_cast<double>(looks) / static_cast<double>(motions),
      static_cast<unsigned long long>(most_looks), largest_gap_share, stopped, wrong);
  return wrong == 0 ? 0 : 1;
}
