// SPDX-License-Identifier: Apache-2.0
// How fast tumble's exact triangle test is beside FCL's and CGAL's filtered one, on pairs whose boxes overlap. The
// rivals run interleaved in one process; what counts are the ratios printed at the end.
#include "geometry/triangle_pair.h"
#include "lab/bench_output.h"

#include <benchmark/benchmark.h>

#if TUMBLE_LAB_FCL
#include <fcl/narrowphase/detail/traversal/collision/intersect.h>
#endif
#if TUMBLE_LAB_CGAL
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/intersections.h>
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using tumble::Corners;
using tumble::Vec3;

struct Pairs {
  std::vector<Corners> a, b;

  std::size_t size() const { return a.size(); }
};

constexpr std::uint32_t seed = 20031;

bool boxes_overlap(const Corners& a, const Corners& b) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto [a_low, a_high] = std::minmax({a[0][axis], a[1][axis], a[2][axis]});
    const auto [b_low, b_high] = std::minmax({b[0][axis], b[1][axis], b[2][axis]});
    if (a_high < b_low || b_high < a_low) return false;
  }
  return true;
}

/// A torus with bumps, turned and moved: neighbouring triangles of differing shape, as in a scanned or tessellated
/// part.
std::vector<Corners> bumpy_torus(int around, int across, double turn, const Vec3& offset) {
  const auto point = [&](int i, int j) {
    const double u = 2 * M_PI * i / around, v = 2 * M_PI * j / across;
    const double thick = 0.35 + 0.05 * std::sin(5 * u) * std::cos(3 * v), ring = 1 + thick * std::cos(v);
    const Vec3 p{ring * std::cos(u), ring * std::sin(u), thick * std::sin(v)};
    const double c = std::cos(turn), s = std::sin(turn);
    return Vec3{p.x, c * p.y - s * p.z, s * p.y + c * p.z} + offset;
  };
  std::vector<Corners> triangles;
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      triangles.push_back({point(i, j), point(i + 1, j), point(i + 1, j + 1)});
      triangles.push_back({point(i, j), point(i + 1, j + 1), point(i, j + 1)});
    }
  return triangles;
}

/// Pairs of two interlocked tori in many poses, in random order: so many that no branch predictor learns them.
Pairs mesh_pairs() {
  std::vector<std::pair<Corners, Corners>> found;
  const auto env = bumpy_torus(72, 30, 0, {});
  for (int pose = 0; pose < 40; ++pose)
    for (const Corners& b : bumpy_torus(60, 28, 0.15 * pose, {0.5 + 0.01 * pose, 0.1, 0.05}))
      for (const Corners& a : env)
        if (boxes_overlap(a, b)) found.emplace_back(a, b);
  std::shuffle(found.begin(), found.end(), std::mt19937(seed));
  Pairs pairs;
  for (const auto& [a, b] : found) {
    pairs.a.push_back(a);
    pairs.b.push_back(b);
  }
  return pairs;
}

/// Random triangles in the unit cube, kept if their boxes overlap.
Pairs soup_pairs() {
  Pairs pairs;
  std::mt19937 engine(seed);
  const auto real = [&engine] { return static_cast<double>(engine()) * 0x1p-32; };
  const auto triangle = [&] {
    const Vec3 centre{real(), real(), real()};
    Corners t;
    for (Vec3& p : t) p = centre + (Vec3{real(), real(), real()} - Vec3{0.5, 0.5, 0.5}) * 0.8;
    return t;
  };
  while (pairs.size() < 50000) {
    const Corners a = triangle(), b = triangle();
    if (!boxes_overlap(a, b)) continue;
    pairs.a.push_back(a);
    pairs.b.push_back(b);
  }
  return pairs;
}

void run(benchmark::State& state, std::size_t size, auto&& test) {
  std::size_t hits = 0, done = 0;
  for (auto _ : state) {
    hits = 0;
    for (std::size_t i = 0; i < size; ++i) hits += test(i);
    benchmark::DoNotOptimize(hits);
    done += size;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(done));
  state.counters["hits"] = static_cast<double>(hits);
  state.counters["ns_per_pair"] =
      benchmark::Counter(static_cast<double>(done) * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void add(const std::string& set, const Pairs& pairs) {
  const auto name = [&set](const char* library) { return set + "/" + library; };
  benchmark::RegisterBenchmark(name("tumble").c_str(), [&pairs](benchmark::State& state) {
    run(state, pairs.size(), [&pairs](std::size_t i) { return tumble::intersects(pairs.a[i], pairs.b[i]); });
  });
#if TUMBLE_LAB_FCL
  using Fcl = std::vector<std::array<fcl::Vector3<double>, 3>>;
  const auto to_fcl = [](const std::vector<Corners>& triangles) {
    Fcl result;
    for (const Corners& t : triangles)
      result.push_back({fcl::Vector3<double>(t[0].x, t[0].y, t[0].z), fcl::Vector3<double>(t[1].x, t[1].y, t[1].z),
                        fcl::Vector3<double>(t[2].x, t[2].y, t[2].z)});
    return result;
  };
  benchmark::RegisterBenchmark(name("fcl").c_str(), [a = to_fcl(pairs.a), b = to_fcl(pairs.b)](auto& state) {
    run(state, a.size(), [&](std::size_t i) {
      return fcl::detail::Intersect<double>::intersect_Triangle(a[i][0], a[i][1], a[i][2], b[i][0], b[i][1], b[i][2]);
    });
  });
#endif
#if TUMBLE_LAB_CGAL
  using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
  const auto to_cgal = [](const std::vector<Corners>& triangles) {
    std::vector<Kernel::Triangle_3> result;
    for (const Corners& t : triangles)
      result.emplace_back(Kernel::Point_3(t[0].x, t[0].y, t[0].z), Kernel::Point_3(t[1].x, t[1].y, t[1].z),
                          Kernel::Point_3(t[2].x, t[2].y, t[2].z));
    return result;
  };
  benchmark::RegisterBenchmark(name("cgal").c_str(), [a = to_cgal(pairs.a), b = to_cgal(pairs.b)](auto& state) {
    run(state, a.size(), [&](std::size_t i) { return CGAL::do_intersect(a[i], b[i]); });
  });
#endif
}

/// Prints as usual and keeps the median of each benchmark for the ratios.
class Ratios : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (run.run_type == Run::RT_Aggregate && run.aggregate_name == "median")
        medians_[run.run_name.function_name] = run.counters.at("ns_per_pair");
    ConsoleReporter::ReportRuns(runs);
  }

  tumble::lab::Plot plot() const {
    tumble::lab::Plot plot{"times", "Deciding whether two triangles touch", {"pairs"}, {"ns per pair"}};
    constexpr std::array<std::pair<const char*, const char*>, 3> libraries{
        {{"tumble", "tumble"}, {"cgal", "CGAL"}, {"fcl", "FCL"}}};
    for (const auto& [name, ns] : medians_)
      if (name.ends_with("/tumble")) plot.categories.push_back(name.substr(0, name.find('/')));
    for (std::size_t i = 0; i < libraries.size(); ++i) {
      const auto& [id, title] = libraries[i];
      tumble::lab::Series series{title, {}, {}, static_cast<int>(i)};
      for (const std::string& set : plot.categories) {
        const auto own = medians_.find(set + "/" + id);
        if (own != medians_.end()) series.y.push_back(own->second);
      }
      if (!series.y.empty()) plot.series.push_back(std::move(series));
    }
    return plot;
  }

  void print() const {
    std::printf("\nratios of median times, tumble = 1 (bars: fcl >= 1, cgal >= 3)\n");
    for (const auto& [name, ns] : medians_) {
      const std::string set = name.substr(0, name.find('/')), library = name.substr(name.find('/') + 1);
      const auto own = medians_.find(set + "/tumble");
      if (own != medians_.end())
        std::printf("%-8s %-8s %8.1f ns per pair  ratio %.2f\n", set.c_str(), library.c_str(), ns, ns / own->second);
    }
  }

 private:
  std::map<std::string, double> medians_;
};

}  // namespace

int main(int argc, char** argv) {
  const tumble::lab::BenchOutput output("triangles", argc, argv);
  // Interleaved and repeated unless told otherwise: two cores shared with others make a single run worthless.
  std::vector<std::string> defaults{argv[0], "--benchmark_repetitions=9", "--benchmark_enable_random_interleaving=true",
                                    "--benchmark_min_time=0.1", "--benchmark_report_aggregates_only=true"};
  std::vector<char*> arguments;
  for (std::string& argument : defaults) arguments.push_back(argument.data());
  for (int i = 1; i < argc; ++i) arguments.push_back(argv[i]);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;

  const Pairs meshes = mesh_pairs(), soup = soup_pairs();
  for (const auto& [name, pairs] : {std::pair{"meshes", &meshes}, std::pair{"soup", &soup}}) {
    std::size_t hits = 0;
    for (std::size_t i = 0; i < pairs->size(); ++i) hits += tumble::intersects(pairs->a[i], pairs->b[i]);
    std::printf("%s: %zu pairs with overlapping boxes, %.0f %% in contact, seed %u\n", name, pairs->size(),
                100.0 * static_cast<double>(hits) / static_cast<double>(pairs->size()), seed);
    add(name, *pairs);
  }
  Ratios ratios;
  benchmark::RunSpecifiedBenchmarks(&ratios);
  ratios.print();
  output.write(ratios.plot());
  return 0;
}
