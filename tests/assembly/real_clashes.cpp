// SPDX-License-Identifier: Apache-2.0
// Clashes of real assemblies against brute force: real_clashes [NAME...] of rig, robot, building, watch; none: all.
// Contacts and gaps are counted over all pairs of triangles that their boxes leave. What contacts alone do not decide
// (overlap, containment, duplicates) must agree with points inside the parts and on their surfaces, each located by
// itself. Exit status 1 on any difference, 77 if nothing of it is beside the repository; says what it skips.
#include "geometry/distance.h"
#include "geometry/triangle_pair.h"
#include "real_meshes.h"
#include "scenes/random.h"

#include <tumble/clash.h>
#include <tumble/io.h>
#include <tumble/point.h>
#include <tumble/solid.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <vector>

using namespace tumble;

namespace {

/// The largest of each is a few of its units.
struct Named {
  const char* name;
  const char* file;  // of poses, or a folder of meshes in common coordinates
  double clearance, tolerance;
};
constexpr Named assemblies[] = {{"building", "bim-building/parts", 20, 1e-3},
                                {"rig", "assembly-dynamixel2r/poses_dynamixel_2r.json", 1e-4, 1e-6},
                                {"robot", "robot-iiwa14/poses_iiwa14.json", 1e-3, 1e-5},
                                {"watch", "watch/parts", 1e-2, 1e-4}};

Parts load(const std::filesystem::path& file) {
  Parts parts;
  if (std::filesystem::is_directory(file)) {
    for (const auto& entry : std::filesystem::directory_iterator(file))
      if (entry.path().extension() == ".obj")
        parts.parts.push_back({entry.path().stem().string(), Model(load_mesh(entry.path()))});
    std::ranges::sort(parts.parts, {}, &PlacedPart::name);
    return parts;
  }
  std::ifstream stream(file);
  const nlohmann::json stored = nlohmann::json::parse(stream);
  std::map<std::string, Model> models;
  for (const auto& instance : stored["instances"]) {
    const std::string mesh = instance["mesh"];
    const auto found = models.find(mesh);
    const Model model = found == models.end() ? Model(load_mesh(file.parent_path() / mesh)) : found->second;
    models.emplace(mesh, model);
    std::array<double, 12> rows;
    for (std::size_t i = 0; i < 12; ++i) rows[i] = instance["T_world"][i / 4][i % 4].get<double>();
    parts.parts.push_back({mesh + " " + std::to_string(parts.parts.size()), model, Pose::from_rows(rows)});
  }
  return parts;
}

struct BoxedTriangle {
  Corners corners;
  Box box;
};

bool are_near(const Box& a, const Box& b, double reach) {
  for (int axis = 0; axis < 3; ++axis)
    if (a.lower[axis] - b.upper[axis] > reach || b.lower[axis] - a.upper[axis] > reach) return false;
  return true;
}

bool are_equal(const Box& a, const Box& b, double up_to) {
  for (int axis = 0; axis < 3; ++axis)
    if (std::abs(a.lower[axis] - b.lower[axis]) > up_to || std::abs(a.upper[axis] - b.upper[axis]) > up_to)
      return false;
  return true;
}

double size_of(const Box& box) { return length(box.upper - box.lower); }

void grow(Box& box, const Vec3& p) {
  for (int axis = 0; axis < 3; ++axis) {
    box.lower[axis] = std::min(box.lower[axis], p[axis]);
    box.upper[axis] = std::max(box.upper[axis], p[axis]);
  }
}

constexpr double infinite = std::numeric_limits<double>::infinity();
const Box nothing{{infinite, infinite, infinite}, {-infinite, -infinite, -infinite}};

struct World {
  std::vector<BoxedTriangle> triangles;
  Box box = nothing;
  bool is_closed = true;
};

World world_of(const PlacedPart& part) {
  World world;
  for (const Triangle& t : part.model.triangles()) {
    BoxedTriangle triangle{{}, nothing};
    for (std::size_t i = 0; i < 3; ++i) {
      triangle.corners[i] = part.pose * part.model.vertices()[t[i]];
      grow(triangle.box, triangle.corners[i]);
      grow(world.box, triangle.corners[i]);
    }
    world.triangles.push_back(triangle);
  }
  try {
    check_closed(part.model);
  } catch (const std::exception&) {
    world.is_closed = false;
  }
  return world;
}

struct Met {
  std::size_t contacts = 0;
  bool has_cross = false;
  double gap_sq = infinite;
};

Met brute_force(const World& a, const World& b, double reach) {
  Met met;
  std::vector<const BoxedTriangle*> some;
  for (const BoxedTriangle& t : b.triangles)
    if (are_near(t.box, a.box, reach)) some.push_back(&t);
  for (const BoxedTriangle& s : a.triangles) {
    if (!are_near(s.box, b.box, reach)) continue;
    for (const BoxedTriangle* t : some) {
      if (!are_near(s.box, t->box, reach)) continue;
      const auto kind = are_near(s.box, t->box, 0) ? classify_exactly(s.corners, t->corners) : std::nullopt;
      met.contacts += kind.has_value();
      met.has_cross |= kind == ContactKind::cross;
      if (met.contacts == 0) met.gap_sq = std::min(met.gap_sq, distance_sq(s.corners, t->corners));
    }
  }
  return met;
}

/// Points a little to both sides of each surface, and whether they are in each solid.
struct Sampled {
  bool in_both = false, only_a = false, only_b = false;
};

Vec3 point_on(const Corners& t, scenes::Random& random) {
  const double u = random.unit(), v = random.unit() * (1 - u);
  return t[0] + (t[1] - t[0]) * u + (t[2] - t[0]) * v;
}

/// The i-th point is at the i-th triangle, at a distance of 10^nearest to 10^-0.5 of the part's size.
Sampled sampled(const PlacedPart& a, const World& world_a, const PlacedPart& b, const World& world_b,
                scenes::Random& random, std::size_t points, double nearest) {
  Sampled seen;
  for (const World* world : {&world_a, &world_b})
    for (std::size_t i = 0; i < points; ++i) {
      const std::size_t count = world->triangles.size();
      const Corners& t = world->triangles[points < count ? random.index(count) : i % count].corners;
      const double far = size_of(world->box) * std::pow(10, random.between(nearest, -0.5));
      const Vec3 on = point_on(t, random);
      const Vec3 p = on + random.direction() * far;
      const Side in_a = locate(a.model, a.pose, p), in_b = locate(b.model, b.pose, p);
      seen.in_both |= in_a == Side::inside && in_b == Side::inside;
      seen.only_a |= in_a == Side::inside && in_b == Side::outside;
      seen.only_b |= in_a == Side::outside && in_b == Side::inside;
    }
  return seen;
}

/// The largest distance seen from points of one surface to the other.
double farthest_seen(const World& from, const PlacedPart& to, scenes::Random& random) {
  double most = 0;
  for (int i = 0; i < 300; ++i) {
    const Corners& t = from.triangles[random.index(from.triangles.size())].corners;
    most = std::max(most, closest_point(to.model, to.pose, point_on(t, random))->distance);
  }
  return most;
}

/// Whether all corners of one surface, the middles of its sides and a point in each triangle are that near to the
/// other.
bool is_all_near(const World& from, const PlacedPart& to, double near, scenes::Random& random) {
  return std::ranges::all_of(from.triangles, [&](const BoxedTriangle& triangle) {
    const Corners& t = triangle.corners;
    for (const Vec3& p :
         {t[0], t[1], t[2], (t[0] + t[1]) * 0.5, (t[1] + t[2]) * 0.5, (t[2] + t[0]) * 0.5, point_on(t, random)})
      if (closest_point(to.model, to.pose, p)->distance > near) return false;
    return true;
  });
}

std::size_t differences_of(const Named& named, const Parts& parts) {
  const auto start = std::chrono::steady_clock::now();
  const Clashes found = find_clashes(
      parts, {.clearance = named.clearance, .tolerance = named.tolerance, .depth_budget = {.node_pairs = 3000}});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::vector<World> worlds;
  for (const PlacedPart& part : parts.parts) worlds.push_back(world_of(part));
  scenes::Random random(1);
  std::map<std::string, std::size_t> classes;
  std::size_t next = 0, differences = 0, looked_at = 0, looked_at_again = 0;
  const double reach = std::max(named.clearance, named.tolerance);
  for (std::size_t a = 0; a < worlds.size(); ++a)
    for (std::size_t b = a + 1; b < worlds.size(); ++b) {
      Clash clash{.a = a, .b = b};
      if (next < found.pairs.size() && found.pairs[next].a == a && found.pairs[next].b == b)
        clash = found.pairs[next++];
      const bool closed = worlds[a].is_closed && worlds[b].is_closed;
      ++classes[std::string(name(clash.kind)) + (closed || clash.kind == ClashClass::clear ? "" : " (not closed)")];
      if (!are_near(worlds[a].box, worlds[b].box, reach)) {
        differences += clash.kind != ClashClass::clear;
        continue;
      }
      ++looked_at;
      const Met met = brute_force(worlds[a], worlds[b], reach);
      const PlacedPart &part_a = parts.parts[a], &part_b = parts.parts[b];
      const auto sample = [&](std::size_t points, double nearest) {
        return sampled(part_a, worlds[a], part_b, worlds[b], random, points, nearest);
      };
      const Sampled seen = closed ? sample(200, -4) : Sampled{.only_a = true, .only_b = true};
      std::string wrong;
      // Parts that overlap, or whose surfaces are near: is it more than that? First a few points, then very many.
      if (clash.depth && clash.kind != ClashClass::contained && clash.kind != ClashClass::duplicate &&
          !(seen.only_a && seen.only_b)) {
        const Sampled more = sample(20 * std::max(worlds[a].triangles.size(), worlds[b].triangles.size()), -9);
        ++looked_at_again;
        if (!((seen.only_a || more.only_a) && (seen.only_b || more.only_b))) wrong += " nothing sticks out";
      }
      const double near = std::max(named.tolerance, 1e-9 * std::min(size_of(worlds[a].box), size_of(worlds[b].box)));
      if (clash.kind != ClashClass::duplicate && are_equal(worlds[a].box, worlds[b].box, near)) {
        ++looked_at_again;
        if (is_all_near(worlds[a], part_b, near, random) && is_all_near(worlds[b], part_a, near, random))
          wrong += " in one place";
      }
      const bool is_touched = met.contacts > 0 || seen.in_both;
      if (clash.kind != ClashClass::clear && clash.contacts != met.contacts) wrong += " contacts";
      switch (clash.kind) {
        case ClashClass::duplicate: {
          const double at_most = near * (1 + 1e-9);
          if (farthest_seen(worlds[a], part_b, random) > at_most) wrong += " far";
          if (farthest_seen(worlds[b], part_a, random) > at_most) wrong += " far";
          break;
        }
        case ClashClass::contained:
          if (seen.only_a && seen.only_b) wrong += " sticks out";
          break;
        case ClashClass::piercing:
          if (closed && (!clash.depth || !(clash.depth->upper > named.tolerance))) wrong += " depth";
          if (!closed && !met.has_cross) wrong += " no crossing";
          if (closed && clash.depth->lower > 0 &&
              (locate(part_a.model, part_a.pose, clash.point) != Side::inside ||
               locate(part_b.model, part_b.pose, clash.point) != Side::inside))
            wrong += " point";
          break;
        case ClashClass::touching:
          if (met.contacts == 0) wrong += " no contact";
          if (!closed && met.has_cross) wrong += " crosses";
          if (closed && seen.in_both && !clash.depth) wrong += " overlaps";
          break;
        case ClashClass::too_close:
        case ClashClass::clear:
          if (is_touched) wrong += " in contact";
          if (clash.gap.has_value() != (clash.kind == ClashClass::too_close)) wrong += " gap";
          if (std::abs(clash.gap.value_or(std::sqrt(met.gap_sq)) - std::sqrt(met.gap_sq)) > 1e-9 * named.clearance)
            wrong += " other gap";
          if ((std::sqrt(met.gap_sq) <= named.clearance) != (clash.kind == ClashClass::too_close)) wrong += " class";
          break;
      }
      if (clash.kind != ClashClass::clear && clash.not_closed == closed) wrong += " closed";
      if (wrong.empty()) continue;
      ++differences;
      std::printf("  %s, %s: %s, but%s; contacts %zu of %zu, gap %g of %g\n", part_a.name.c_str(), part_b.name.c_str(),
                  name(clash.kind), wrong.c_str(), clash.contacts, met.contacts, clash.gap ? *clash.gap : -1,
                  std::sqrt(met.gap_sq));
    }
  differences += next != found.pairs.size();
  std::printf("%s: %zu parts, %.2f s; %zu pairs by brute force, %zu with more points, %zu differences;", named.name,
              parts.parts.size(), took.count(), looked_at, looked_at_again, differences);
  for (const auto& [kind, number] : classes) std::printf(" %zu %s,", number, kind.c_str());
  std::printf("\n");
  return differences;
}

}  // namespace

int main(int count, char** words) {
  constexpr int skipped = 77;  // as ctest is told
  const auto folder = testing::further_meshes();
  if (!folder) return skipped;
  std::size_t differences = 0;
  bool is_any_there = false;
  for (const Named& named : assemblies) {
    const auto is_it = [&](const char* word) { return word == std::string(named.name); };
    if (count > 1 && std::none_of(words + 1, words + count, is_it)) continue;
    if (!std::filesystem::exists(*folder / named.file)) {
      std::printf("%s: skipped, as %s is not there\n", named.name, named.file);
      continue;
    }
    is_any_there = true;
    differences += differences_of(named, load(*folder / named.file));
  }
  if (!is_any_there) return skipped;
  return differences > 0 ? 1 : 0;
}
