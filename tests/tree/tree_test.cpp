// SPDX-License-Identifier: Apache-2.0
#include "bounds/dop_measure.h"
#include "bounds/lanes.h"
#include "pairwise.h"
#include "real_meshes.h"
#include "scenes/meshes.h"
#include "scenes/random.h"
#include "tree/model_data.h"
#include "tree/tree_choices.h"
#include "tree/validate.h"

#include <tumble/error.h>
#include <tumble/io.h>
#include <tumble/model.h>
#include <tumble/presets.h>

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <numeric>

namespace tumble {
namespace {

using testing::describe;

Mesh soup(std::size_t count, std::uint64_t seed, double triangle_size) {
  scenes::Random random(seed);
  Mesh mesh;
  for (std::size_t t = 0; t < count; ++t) {
    const Vec3 at = random.in_box({-1, -1, -1}, {1, 1, 1});
    for (int corner = 0; corner < 3; ++corner)
      mesh.vertices.push_back(at + random.in_box({-1, -1, -1}, {1, 1, 1}) * triangle_size);
    const auto first = static_cast<std::uint32_t>(3 * t);
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

Mesh repeated(const Mesh& one, std::size_t times) {
  Mesh mesh;
  mesh.vertices = one.vertices;
  for (std::size_t i = 0; i < times; ++i)
    mesh.triangles.insert(mesh.triangles.end(), one.triangles.begin(), one.triangles.end());
  return mesh;
}

Mesh moved(Mesh mesh, double scale, Vec3 by) {
  for (Vec3& v : mesh.vertices) v = v * scale + by;
  return mesh;
}

Mesh one_triangle() { return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, {}}; }

/// Equal bit for bit, all arrays.
void expect_same_tree(const Tree& a, const Tree& b) {
  ASSERT_EQ(a.node_count, b.node_count);
  EXPECT_EQ(std::memcmp(a.nodes, b.nodes, a.node_count * a.node_bytes()), 0);
  EXPECT_TRUE(std::ranges::equal(a.leaf_first, b.leaf_first));
  EXPECT_TRUE(std::ranges::equal(a.triangle_ids, b.triangle_ids));
  EXPECT_TRUE(std::ranges::equal(a.corners, b.corners));
  EXPECT_EQ(a.frame, b.frame);
}

TEST(Tree, EveryPairOfOptionsIsSound) {
  const Mesh scattered = soup(50, 1, 0.1);
  const Mesh surface = scenes::wrinkled_torus(200);
  for (const auto& row : testing::pairwise(testing::tree_choice_sizes())) {
    const TreeOptions options = testing::tree_options(row);
    SCOPED_TRACE(describe(options));
    EXPECT_EQ(validate(Model(scattered, options)), "");
    EXPECT_EQ(validate(Model(surface, options)), "");
  }
}

TEST(Tree, TheSameForAnyNumberOfThreads) {
  const Mesh mesh = scenes::wrinkled_torus(20'000);
  for (const auto& row : testing::pairwise(testing::tree_choice_sizes())) {
    TreeOptions options = testing::tree_options(row);
    if (options.pivot == Pivot::best || options.pivot == Pivot::sampled) continue;  // slow, and sequential in a set
    if (options.k > 26 || options.paper.obb_fit != ObbFit::smallest) continue;
    SCOPED_TRACE(describe(options));
    options.threads = 1;
    const Model one(mesh, options);
    options.threads = 3;
    const Model three(mesh, options);
    expect_same_tree(data_of(one).tree, data_of(three).tree);
  }
}

TEST(Tree, LargeTreesAreTheSameForAnyNumberOfThreads) {
  const Mesh mesh = scenes::pipes(150'000);
  for (const Bound bound : {Bound::dop, Bound::obb}) {
    TreeOptions options;
    options.bound = bound;
    options.threads = 1;
    const Model one(mesh, options);
    for (const int threads : {2, 5}) {
      SCOPED_TRACE(threads);
      options.threads = threads;
      expect_same_tree(data_of(one).tree, data_of(Model(mesh, options)).tree);
    }
  }
}

TEST(Tree, DegenerateMeshesBuild) {
  const Mesh identical = repeated(one_triangle(), 20);
  Mesh points = one_triangle();
  for (Vec3& v : points.vertices) v = {3, 4, 5};
  points = repeated(points, 20);
  Mesh slivers;
  for (int i = 0; i < 20; ++i) {
    const auto first = static_cast<std::uint32_t>(slivers.vertices.size());
    slivers.vertices.insert(slivers.vertices.end(), {{i * 1e-9, 0, 0}, {1, i * 1e-12, 0}, {0.5, 0, 1e-14 * i}});
    slivers.triangles.push_back({first, first + 1, first + 2});
  }
  Mesh flat = soup(20, 3, 0.2);
  for (Vec3& v : flat.vertices) v.z = 0;
  Mesh geometric;  // ever smaller towards a corner: a mean splits off one at a time
  for (int i = 0; i < 80; ++i) {
    const double size = std::ldexp(1.0, -i);
    const auto first = static_cast<std::uint32_t>(geometric.vertices.size());
    geometric.vertices.insert(geometric.vertices.end(), {{size, 0, 0}, {size, size / 2, 0}, {size, 0, size / 2}});
    geometric.triangles.push_back({first, first + 1, first + 2});
  }
  const std::vector<std::pair<const char*, Mesh>> meshes{{"one triangle", one_triangle()},
                                                         {"identical", identical},
                                                         {"points", points},
                                                         {"slivers", slivers},
                                                         {"flat", flat},
                                                         {"geometric", geometric},
                                                         {"two", repeated(one_triangle(), 2)}};
  std::size_t next =
      0;  // flat volumes of many slabs take many digits: rows that measure them have one mesh each, in turn
  for (const auto& row : testing::pairwise(testing::tree_choice_sizes())) {
    const TreeOptions options = testing::tree_options(row);
    const bool measures = options.split == Split::min_sum || options.split == Split::min_max ||
                          options.pivot == Pivot::best || options.pivot == Pivot::sampled || options.paper.orient;
    const bool slow = measures && options.k > 8;
    const std::size_t first = slow ? next++ % meshes.size() : 0;
    for (std::size_t i = first; i < (slow ? first + 1 : meshes.size()); ++i) {
      SCOPED_TRACE(std::string(meshes[i].first) + ": " + describe(options));
      EXPECT_EQ(validate(Model(meshes[i].second, options)), "");
    }
  }
}

// Lin 1996, 4.2.1: "If the group of polygons cannot be partitioned along any axis by this criterion, then the group is
// considered indivisible."
TEST(Tree, WhatNoAxisDividesIsALeafIfAskedFor) {
  Mesh mesh = repeated(one_triangle(), 300);  // more than any leaf size
  Mesh other = one_triangle();
  for (Vec3& v : other.vertices) v.x += 5;
  mesh.triangles.push_back({});
  for (std::size_t c = 0; c < 3; ++c) {
    mesh.triangles.back()[c] = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.push_back(other.vertices[c]);
  }
  for (const Split split : testing::tree_splits)
    for (const Bound bound : testing::tree_bounds) {
      TreeOptions options = presets::rapid1996.object;
      options.split = split, options.bound = bound;
      SCOPED_TRACE(describe(options));
      const Model kept(mesh, options);
      EXPECT_EQ(validate(kept), "");
      EXPECT_EQ(data_of(kept).tree.leaf_count(), 2u);
      options.paper.indivisible_leaves = false;
      EXPECT_EQ(data_of(Model(mesh, options)).tree.leaf_count(), 301u);
    }
  // Where the split divides everything, the option changes nothing.
  const Mesh surface = scenes::wrinkled_torus(2'000);
  TreeOptions options = presets::rapid1996.object;
  const Model with(surface, options);
  options.paper.indivisible_leaves = false;
  expect_same_tree(data_of(with).tree, data_of(Model(surface, options)).tree);
}

// Klosowski 1998, 4.3: a node is a leaf once its number of triangles falls below the threshold, 40 for flying trees.
TEST(Tree, FlyingTreesOfKlosowskiDivide40TrianglesAndKeep39) {
  const TreeOptions& options = presets::klosowski1998.object;
  EXPECT_EQ(data_of(Model(soup(39, 1, 0.1), options)).tree.leaf_count(), 1u);
  EXPECT_GT(data_of(Model(soup(40, 1, 0.1), options)).tree.leaf_count(), 1u);
}

TEST(Tree, AMillionIdenticalTrianglesBuild) {
  for (const Bound bound : {Bound::dop, Bound::obb}) {
    TreeOptions options;
    options.bound = bound;
    EXPECT_EQ(validate(Model(repeated(one_triangle(), 1'000'000), options)), "");
  }
}

TEST(Tree, AnySizeAndPlace) {
  const Mesh mesh = soup(200, 5, 0.1);
  for (const double scale : {1e-300, 1e-12, 1.0, 1e12, 1e99})
    for (const double place : {0.0, 1.0, 1e8}) {
      if (scale * place > 1e99) continue;
      for (const Bound bound : {Bound::dop, Bound::obb}) {
        TreeOptions options;
        options.bound = bound;
        SCOPED_TRACE(std::to_string(scale) + " at " + std::to_string(place));
        EXPECT_EQ(validate(Model(moved(mesh, scale, Vec3{1, -1, 0.5} * (scale * place)), options)), "");
      }
    }
}

/// Coordinates so small beside the object's size that they vanish from tree coordinates are still inside.
TEST(Tree, VanishingCoordinatesAreInside) {
  for (const double tiny : {1e-300, -1e-300, 1e-322, 1e-220}) {
    Mesh mesh{{{0, 0, 0}, {tiny, 0, 0}, {tiny, tiny / 2, -tiny}, {1e100, 1e100, 1e100}, {-1e100, -1e100, -1e100}},
              {{0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 3, 4}},
              {}};
    for (const Bound bound : {Bound::dop, Bound::obb}) {
      TreeOptions options;
      options.bound = bound;
      options.leaf_size = 1;
      const Model model(mesh, options);
      const Tree& tree = data_of(model).tree;
      ASSERT_EQ(tree.frame.center, (Vec3{0, 0, 0}));
      for (std::uint32_t n = 0; n < tree.node_count; ++n) {
        const NodeView node = tree.node(n);
        for (std::size_t lane = 0; lane < static_cast<std::size_t>(node.used_lanes()); ++lane) {
          if (!node.children[lane].is_leaf()) continue;
          if (tree.triangle_ids[tree.leaf(node.children[lane].index()).first] == 5) continue;
          if (bound == Bound::dop) {
            const LaneSlabs slabs = lane_slabs(node.rows, tree.k, lane);
            for (std::size_t i = 0; i < slabs.count; ++i) {
              double low = 0, high = 0;  // of the exact corners, in units of `tiny`
              for (const Vec3& corner : {Vec3{1, 0, 0}, Vec3{1, 0.5, -1}}) {
                const double along = dot(directions(tree.k)[i], corner) * (tiny > 0 ? 1 : -1);
                low = std::min(low, along);
                high = std::max(high, along);
              }
              EXPECT_TRUE(low == 0 || slabs.lower[i] < 0) << tiny << ", slab " << i;
              EXPECT_TRUE(high == 0 || slabs.upper[i] > 0) << tiny << ", slab " << i;
            }
          } else {
            for (const float half : lane_obb(node.rows, lane).half) EXPECT_GT(half, 0) << tiny;
          }
        }
      }
      EXPECT_EQ(validate(model), "");
    }
  }
}

TEST(Tree, LeavesAndArityAreAsAsked) {
  const Mesh mesh = scenes::wrinkled_torus(2'000);
  for (const int arity : {2, 3, 4, 8})
    for (const int leaf_size : {1, 4, 40}) {
      TreeOptions options;
      options.arity = arity;
      options.leaf_size = leaf_size;
      const Model model(mesh, options);
      const Tree& tree = data_of(model).tree;
      for (std::uint32_t leaf = 0; leaf < tree.leaf_count(); ++leaf)
        EXPECT_LE(tree.leaf(leaf).size(), static_cast<std::uint32_t>(leaf_size));
      for (std::uint32_t n = 1; n < tree.node_count; ++n) {
        EXPECT_GE(tree.node(n).used_lanes(), 2);
        EXPECT_LE(tree.node(n).used_lanes(), arity);
      }
    }
}

/// Zachmann 1998, section 4.2: the 6-DOP tree of a sphere of about 20,000 polygons has its leaves at depths 12 to 16.
TEST(Tree, FarPairIsAsBalancedAsPublished) {
  TreeOptions options;
  options.bound = Bound::dop;
  options.k = 6;
  options.split = Split::far_pair;
  options.arity = 2;
  options.leaf_size = 1;
  const TreeStatistics s = statistics(Model(scenes::zachmann_sphere(), options));
  EXPECT_LE(s.leaves_at_depth.size(), 21u);
  const std::size_t published =
      std::accumulate(s.leaves_at_depth.begin() + 12, s.leaves_at_depth.begin() + 17, std::size_t{0});
  EXPECT_GT(published, s.leaves * 9 / 10);
}

/// Against dividing at every centroid along every axis.
TEST(Tree, TheBestPivotIsTheBest) {
  for (const Split split : {Split::min_sum, Split::min_max})
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      SCOPED_TRACE(std::string(name(split)) + ", seed " + std::to_string(seed));
      const Mesh mesh = soup(40, seed, 0.3);
      const auto cost = [&](double left, double right) {
        return split == Split::min_sum ? left + right : std::max(left, right);
      };
      TreeOptions options;
      options.bound = Bound::dop;
      options.arity = 2;
      options.leaf_size = 1;
      options.split = split;
      options.pivot = Pivot::best;
      options.axes = seed % 2 == 0 ? Axes::all : Axes::coordinate;
      const Model model(mesh, options);
      const Tree& tree = data_of(model).tree;
      const NodeView top = tree.node(1);
      std::array<double, 2> volumes;
      for (std::size_t lane = 0; lane < 2; ++lane) {
        const LaneSlabs slabs = lane_slabs(top.rows, tree.k, lane);
        volumes[lane] = volume(slabs.lowers(), slabs.uppers(), tree.k);
      }

      double least = std::numeric_limits<double>::infinity();
      for (const Vec3& direction : directions(18).first(options.axes == Axes::all ? 9 : 3)) {
        const auto along = [&](const Triangle& t) {
          return dot(direction,
                     tree.frame.to_tree((mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]) / 3));
        };
        for (const Triangle& pivot : mesh.triangles) {
          std::array<DopFit<18>, 2> sides;
          for (const Triangle& t : mesh.triangles)
            for (const std::uint32_t v : t)
              sides[along(t) <= along(pivot) ? 0 : 1].add(tree.frame.to_tree(mesh.vertices[v]));
          const std::array<Dop<18>, 2> dops{sides[0].finish(), sides[1].finish()};
          if (!dops[1].is_empty()) least = std::min(least, cost(volume(dops[0]), volume(dops[1])));
        }
      }
      EXPECT_NEAR(cost(volumes[0], volumes[1]), least, 1e-6 * least);
    }
}

TEST(Tree, ValidateFindsDamage) {
  const Model model(scenes::wrinkled_torus(400));
  const ModelData& data = data_of(model);
  ASSERT_EQ(fault_of(data.tree, data.vertices, data.triangles), "");
  std::vector<Vec3> vertices(data.vertices.begin(), data.vertices.end());
  vertices[7] += Vec3{0.5, 0, 0};
  EXPECT_NE(fault_of(data.tree, vertices, data.triangles), "");

  std::vector<std::byte> nodes(data.tree.nodes, data.tree.nodes + data.tree.node_count * data.tree.node_bytes());
  Tree shrunk = data.tree;
  shrunk.nodes = nodes.data();
  const std::size_t half_extent = shrunk.node_bytes() + ObbRows::half(0) * sizeof(float);  // node 1, lane 0
  float value;
  std::memcpy(&value, nodes.data() + half_extent, sizeof value);
  value *= 0.9f;
  std::memcpy(nodes.data() + half_extent, &value, sizeof value);
  EXPECT_NE(fault_of(shrunk, data.vertices, data.triangles), "");
}

TEST(Tree, StatisticsAddUp) {
  TreeOptions options;
  options.bound = Bound::dop;
  const Model model(scenes::wrinkled_torus(2'000), options);
  const TreeStatistics s = statistics(model);
  EXPECT_EQ(std::accumulate(s.leaves_at_depth.begin(), s.leaves_at_depth.end(), std::size_t{0}), s.leaves);
  EXPECT_EQ(s.triangles, 2'000u);
  EXPECT_EQ(s.leaves_at_depth[0], 0u);
  EXPECT_GT(s.volume_at_depth[0], s.volume_at_depth.back());
  EXPECT_LE(s.model_bytes, 120u * 2'000u);
}

TEST(Tree, JoinsRepeatedVerticesWithoutMovingAny) {
  const Mesh mesh = scenes::wrinkled_torus(2'000);
  Mesh soup_of_it;
  for (const Triangle& t : mesh.triangles) {
    const auto first = static_cast<std::uint32_t>(soup_of_it.vertices.size());
    for (const std::uint32_t v : t) soup_of_it.vertices.push_back(mesh.vertices[v]);
    soup_of_it.triangles.push_back({first, first + 1, first + 2});
  }
  const Model model(soup_of_it);
  EXPECT_EQ(model.vertices().size(), mesh.vertices.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_EQ(model.vertices()[model.triangles()[t][i]], mesh.vertices[mesh.triangles[t][i]]);
}

void expect_refused(const TreeOptions& options) {
  try {
    Model(one_triangle(), options);
    ADD_FAILURE() << "accepted: " << describe(options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  }
}

TEST(Tree, OptionsOutOfRangeAreRefused) {
  expect_refused({.k = 7});
  expect_refused({.k = 0});
  expect_refused({.leaf_size = -1});
  expect_refused({.leaf_size = 256});
  expect_refused({.arity = 5});
  expect_refused({.threads = -1});
  TreeOptions options;
  options.split = static_cast<Split>(77);
  EXPECT_THROW(Model(one_triangle(), options), Error);
}

TEST(Tree, AMeshWithoutTrianglesIsRefused) {
  EXPECT_THROW(Model(Mesh{}), Error);
  EXPECT_THROW(Model(Mesh{{{0, 0, 0}}, {}, {}}), Error);
  EXPECT_THROW(Model(Mesh{{{0, 0, 0}}, {{0, 0, 1}}, {}}), Error);
}

TEST(Tree, RealMeshesAreSound) {
  std::vector<std::filesystem::path> files{testing::part_file(), testing::nut_file()};
  if (const auto folder = testing::further_meshes())
    for (const char* file : {"cad-trimesh/cycloidal.ply", "classic-cgal/elephant.off", "cad-trimesh/featuretype.STL",
                             "classic-cgal/dino.off", "watch/parts/Bezel_Frame.obj"})
      if (std::filesystem::exists(*folder / file)) files.push_back(*folder / file);
  for (const std::filesystem::path& file : files)
    for (const Bound bound : {Bound::dop, Bound::obb}) {
      TreeOptions options;
      options.bound = bound;
      EXPECT_EQ(validate(Model(load_mesh(file), options)), "") << file;
    }
}

/// Rows of the covering array in turn on all small files that can be read, the nasty ones among them.
TEST(Tree, SmallRealMeshesAreSoundWithAllKindsOfOptions) {
  std::vector<std::filesystem::path> folders{testing::repository() / "tests/data",
                                             testing::repository() / "tests/fuzz/corpus"};
  if (const auto folder = testing::further_meshes()) folders.push_back(*folder);
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& folder : folders)
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (entry.is_regular_file() && entry.file_size() < 60'000) files.push_back(entry.path());
  std::ranges::sort(files);
  const auto rows = testing::pairwise(testing::tree_choice_sizes());
  std::size_t next = 0, built = 0;
  for (const std::filesystem::path& file : files) {
    Mesh mesh;
    try {
      mesh = load_mesh(file);
    } catch (const Error&) {
      continue;
    }
    if (mesh.triangles.empty()) continue;
    ++built;
    for (int i = 0; i < 3;) {
      const TreeOptions options = testing::tree_options(rows[next++ % rows.size()]);
      if (options.k > 26) continue;  // minutes of volumes
      ++i;
      SCOPED_TRACE(file.string() + ": " + describe(options));
      EXPECT_EQ(validate(Model(mesh, options)), "");
    }
  }
  EXPECT_GT(built, folders.size() > 2 ? 20u : 10u);
}

}  // namespace
}  // namespace tumble
