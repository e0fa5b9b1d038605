// SPDX-License-Identifier: Apache-2.0
// Building, holding and opening trees: against FCL, against the papers' figures, and each splitting rule's price.
#include "build/topology.h"
#include "lab/bench_output.h"
#include "lab/table.h"
#include "scenes/meshes.h"
#include "scenes/shapes.h"

#include <tumble/model.h>

#ifdef TUMBLE_LAB_FCL
#include <fcl/geometry/bvh/BVH_model.h>
#endif

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using tumble::Bound;
using tumble::Mesh;
using tumble::Model;
using tumble::Pivot;
using tumble::Split;
using tumble::TreeOptions;
using tumble::lab::BenchOutput;
using tumble::lab::Plot;

struct Scale {
  std::size_t small = 100'000, large = 1'000'000;
  int repeats = 5;
};

bool good = true;

void judge(bool met) {
  std::printf("  %s\n", met ? "met" : "MISSED");
  good &= met;
}

/// Processor time of this process for work on one thread: other programs on the machine do not count.
double processor_ms() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}
double wall_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// Something to time; what `prepare` and the result cost is outside of the time.
struct Contestant {
  std::string name;
  std::function<std::shared_ptr<void>(Mesh)> build;
};

/// The medians of all contestants, each given its own copy of the mesh, in turns.
std::vector<double> race(const std::vector<Contestant>& contestants, const Mesh& mesh, int repeats,
                         double (*now)() = processor_ms) {
  std::vector<std::vector<double>> times(contestants.size());
  for (int round = 0; round < repeats; ++round)
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      Mesh copy = mesh;
      const double start = now();
      const std::shared_ptr<void> built = contestants[i].build(std::move(copy));
      times[i].push_back(now() - start);
    }
  std::vector<double> medians;
  for (const auto& t : times) medians.push_back(median(t));
  return medians;
}

TreeOptions with_bound(Bound bound, int threads = 1) {
  TreeOptions options;
  options.bound = bound;
  options.threads = threads;
  return options;
}

Contestant ours(const std::string& name, const TreeOptions& options) {
  return {name, [options](Mesh mesh) { return std::make_shared<Model>(std::move(mesh), options); }};
}

TreeOptions splatter_mean() {
  TreeOptions options = with_bound(Bound::dop);
  options.split = Split::splatter;
  return options;
}

/// Which triangles lie together, without bounds: what the other libraries' trees of boxes come down to, less the boxes.
std::shared_ptr<void> splatter_topology(const Mesh& mesh) {
  return tumble::with_threads(1, [&] {
    tumble::BuildInput input{mesh.triangles, tumble::RawArray<tumble::Vec3>(mesh.vertices.size()),
                             tumble::frame_of(tumble::bounding_box(mesh)), splatter_mean()};
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) input.points[v] = input.frame.to_tree(mesh.vertices[v]);
    return std::make_shared<tumble::BinaryTree>(tumble::split_by_rule(input));
  });
}

#ifdef TUMBLE_LAB_FCL
template <class Volume>
std::shared_ptr<fcl::BVHModel<Volume>> fcl_model(const Mesh& mesh) {
  std::vector<fcl::Vector3d> vertices;
  std::vector<fcl::Triangle> triangles;
  vertices.reserve(mesh.vertices.size());
  triangles.reserve(mesh.triangles.size());
  for (const tumble::Vec3& v : mesh.vertices) vertices.emplace_back(v.x, v.y, v.z);
  for (const tumble::Triangle& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
  auto model = std::make_shared<fcl::BVHModel<Volume>>();
  model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
  model->addSubModel(vertices, triangles);
  model->endModel();
  return model;
}
#endif

Mesh torus_and_landscape(std::size_t triangles) {
  const std::size_t torus = triangles / 12 * 2;
  Mesh mesh = tumble::scenes::landscape(triangles - torus);
  tumble::scenes::append(mesh, tumble::scenes::wrinkled_torus(torus));
  return mesh;
}

void against_fcl(const Scale& scale, const BenchOutput& output) {
  Plot plot{"build", "Building a tree, one thread", {"triangles"}, {"ms of processor time", true}};
  std::printf("\nBuilding, one thread: milliseconds of processor time, median of %d, in turns\n", scale.repeats);
#ifdef TUMBLE_LAB_FCL
  const bool have_fcl = true;
#else
  const bool have_fcl = false;
  std::printf("FCL is not installed: no ratios\n");
#endif
  for (const char* scene : {"pipes", "torus+landscape"})
    for (const std::size_t triangles : {scale.small, scale.large}) {
      const Mesh mesh =
          scene == std::string("pipes") ? tumble::scenes::pipes(triangles) : torus_and_landscape(triangles);
      std::vector<Contestant> contestants{
          ours("18-DOP", with_bound(Bound::dop)),
          ours("OBB", with_bound(Bound::obb)),
          ours("18-DOP splatter/mean", splatter_mean()),
          {"splatter/mean topology", [](Mesh m) { return splatter_topology(m); }},
      };
#ifdef TUMBLE_LAB_FCL
      contestants.push_back({"FCL OBBRSS", [](Mesh m) { return fcl_model<fcl::OBBRSS<double>>(m); }});
      contestants.push_back({"FCL OBB", [](Mesh m) { return fcl_model<fcl::OBB<double>>(m); }});
#endif
      const std::vector<double> times = race(contestants, mesh, scale.repeats);
      std::printf("%s, %zu triangles\n", scene, mesh.triangles.size());
      plot.categories.push_back(std::string(scene) + ", " + tumble::lab::cell_text(mesh.triangles.size()));
      plot.series.resize(times.size());
      for (std::size_t i = 0; i < times.size(); ++i) {
        plot.series[i].name = contestants[i].name;
        plot.series[i].color = static_cast<int>(i);
        plot.series[i].y.push_back(times[i]);
      }
      constexpr std::array<double, 4> bars{6, 2, 0, 10};
      for (std::size_t i = 0; i < times.size(); ++i) {
        std::printf("  %-24s %8.1f ms %6.2f M/s", contestants[i].name.c_str(), times[i],
                    static_cast<double>(mesh.triangles.size()) / 1e3 / times[i]);
        if (have_fcl && i < 4) {
          std::printf("  %5.1fx OBBRSS %5.1fx OBB", times[4] / times[i], times[5] / times[i]);
          // The bar of our OBB tree is against both, so against the faster.
          const double ratio = (i == 1 ? std::min(times[4], times[5]) : times[4]) / times[i];
          if (bars[i] > 0) {
            std::printf("  bar %2.0fx", bars[i]);
            judge(ratio >= bars[i]);
            continue;
          }
        }
        std::printf("\n");
      }
    }
  output.write(plot);
}

void two_threads(const Scale& scale) {
  std::printf("\nTwo threads against one, pipes, %zu triangles: milliseconds by the clock, median of %d, in turns\n",
              scale.large, scale.repeats);
  const Mesh mesh = tumble::scenes::pipes(scale.large);
  for (const Bound bound : {Bound::dop, Bound::obb}) {
    const std::vector<double> times =
        race({ours("", with_bound(bound, 1)), ours("", with_bound(bound, 2))}, mesh, scale.repeats, wall_ms);
    std::printf("  %-8s one %8.1f  two %8.1f  %4.2fx  bar 1.6x", tumble::name(bound), times[0], times[1],
                times[0] / times[1]);
    judge(times[0] / times[1] >= 1.6);
  }
}

Mesh cabin_or_smaller(const Scale& scale) {
  return scale.large > 100'000 ? tumble::scenes::cabin() : tumble::scenes::wrinkled_torus(scale.large);
}

void rules(const Scale& scale) {
  const Mesh mesh = cabin_or_smaller(scale);
  std::printf(
      "\nWhat each splitting rule costs: binary 18-DOP trees with single triangles in the leaves, as in "
      "Klosowski 1998;\n%zu triangles, one thread, seconds of processor time (the paper's min_sum/mean: 31 "
      "minutes for 169,944)\n",
      mesh.triangles.size());
  TreeOptions options = with_bound(Bound::dop);
  options.arity = 2;
  options.leaf_size = 1;
  const auto seconds = [&] { return race({ours("", options)}, mesh, 1).front() / 1e3; };
  constexpr std::array pivots{Pivot::mean, Pivot::median, Pivot::midpoint, Pivot::sampled, Pivot::best};
  std::printf("  %-14s", "");
  for (const Pivot pivot : pivots) std::printf("%10s", tumble::name(pivot));
  std::printf("\n");
  double slowest = 0;
  for (const Split split : {Split::min_sum, Split::min_max, Split::splatter, Split::longest_side}) {
    options.split = split;
    std::printf("  %-14s", tumble::name(split));
    for (const Pivot pivot : pivots) {
      options.pivot = pivot;
      const double time = seconds();
      std::printf("%10.2f", time);
      std::fflush(stdout);
      if (split == Split::min_sum || split == Split::min_max) slowest = std::max(slowest, time);
    }
    std::printf("\n");
  }
  options.pivot = Pivot::mean;
  for (const Split split : {Split::far_pair, Split::binned}) {
    options.split = split;
    std::printf("  %-14s%10.2f\n", tumble::name(split), seconds());
  }
  options.build = tumble::Build::bottom_up;
  std::printf("  %-14s%10.2f\n", tumble::name(options.build), seconds());
  std::printf("  min_sum and min_max: at most %.2f  bar 30", slowest);
  judge(slowest <= 30);
}

// Memory. Every row is a process of its own that reads the mesh from a file of raw bytes into arrays of exactly its
// size, so that nothing else has been in its heap.

struct Resident {
  double now = 0, peak = 0;  // bytes
};
Resident resident() {
  Resident r;
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double* const into = word == "VmRSS:" ? &r.now : word == "VmHWM:" ? &r.peak : nullptr;
    double kilobytes = 0;
    if (into && status >> kilobytes) *into = 1024 * kilobytes;
  }
  return r;
}

void write_raw(const Mesh& mesh, const std::filesystem::path& file) {
  std::ofstream out(file, std::ios::binary);
  const std::array<std::size_t, 2> counts{mesh.vertices.size(), mesh.triangles.size()};
  out.write(reinterpret_cast<const char*>(counts.data()), sizeof counts);
  out.write(reinterpret_cast<const char*>(mesh.vertices.data()),
            static_cast<std::streamsize>(mesh.vertices.size() * sizeof(tumble::Vec3)));
  out.write(reinterpret_cast<const char*>(mesh.triangles.data()),
            static_cast<std::streamsize>(mesh.triangles.size() * sizeof(tumble::Triangle)));
}

Mesh read_raw(const char* file) {
  std::ifstream in(file, std::ios::binary);
  std::array<std::size_t, 2> counts{};
  in.read(reinterpret_cast<char*>(counts.data()), sizeof counts);
  Mesh mesh;
  mesh.vertices.resize(counts[0]);
  mesh.triangles.resize(counts[1]);
  in.read(reinterpret_cast<char*>(mesh.vertices.data()),
          static_cast<std::streamsize>(counts[0] * sizeof(tumble::Vec3)));
  in.read(reinterpret_cast<char*>(mesh.triangles.data()),
          static_cast<std::streamsize>(counts[1] * sizeof(tumble::Triangle)));
  return mesh;
}

/// The child: "counted resident peak" in bytes per triangle, on standard output. `what` is k, 0 for an OBB tree, or
/// the name of one of FCL's volumes.
int memory_row(const std::string& what, const char* file) {
  const Resident before = resident();
  double counted = 0;
  std::shared_ptr<void> kept;
  Mesh mesh = read_raw(file);
  const auto triangles = static_cast<double>(mesh.triangles.size());
  if (what == "OBBRSS" || what == "OBB") {
#ifdef TUMBLE_LAB_FCL
    kept = what == "OBB" ? std::shared_ptr<void>(fcl_model<fcl::OBB<double>>(mesh))
                         : std::shared_ptr<void>(fcl_model<fcl::OBBRSS<double>>(mesh));
    mesh = {};
#endif
  } else {
    TreeOptions options = with_bound(what == "0" ? Bound::obb : Bound::dop);
    if (what != "0") options.k = std::atoi(what.c_str());
    auto model = std::make_shared<Model>(std::move(mesh), options);
    counted = static_cast<double>(model->bytes());
    kept = std::move(model);
  }
  const Resident after = resident();
  ::malloc_trim(0);
  std::printf("%.1f %.1f %.1f %.1f\n", counted / triangles, (after.now - before.now) / triangles,
              (resident().now - before.now) / triangles, (after.peak - before.now) / triangles);
  return 0;
}

std::array<double, 4> run_memory_row(const std::string& what, const std::filesystem::path& file) {
  std::array<int, 2> ends{};
  std::array<double, 4> figures{};
  if (::pipe(ends.data()) != 0) return figures;
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    ::execl("/proc/self/exe", "bench_trees", "--memory-row", what.c_str(), file.c_str(), nullptr);
    ::_exit(127);
  }
  ::close(ends[1]);
  std::array<char, 256> line{};
  if (std::FILE* const from = ::fdopen(ends[0], "r")) {
    if (std::fgets(line.data(), line.size(), from) == nullptr) line[0] = '\0';
    std::fclose(from);
  }
  ::waitpid(child, nullptr, 0);
  std::sscanf(line.data(), "%lf %lf %lf %lf", &figures[0], &figures[1], &figures[2], &figures[3]);
  return figures;
}

void memory(const Scale& scale, const BenchOutput& output) {
  const Mesh mesh = tumble::scenes::pipes(scale.large);
  std::string pattern = (std::filesystem::temp_directory_path() / "tumble-memory-XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(pattern.data());
  write_raw(mesh, folder / "mesh");
  std::printf("\nMemory, mesh included, in bytes per triangle: pipes, %zu triangles; each row a fresh process\n",
              mesh.triangles.size());
  std::printf("  %-12s %10s %10s %10s %10s   %s\n", "tree", "counted", "resident", "trimmed", "peak", "in the papers");
  const auto row = [&](const std::string& name, const std::string& what, const std::string& paper) {
    const std::array<double, 4> f = run_memory_row(what, folder / "mesh");
    std::printf("  %-12s %10.1f %10.1f %10.1f %10.1f   %s", name.c_str(), f[0], f[1], f[2], f[3], paper.c_str());
    std::fflush(stdout);
    return f;
  };
  const std::array<double, 4> obb = row("OBB", "0", "RAPID 412 (Klosowski 1998); bar 120");
  judge(obb[0] > 0 && obb[0] <= 120 && obb[1] <= 120);
  Plot plot{"memory", "Memory of a model, mesh included", {"k", true}, {"bytes per triangle", true}};
  plot.series = {{"k-DOPs, resident"}, {"k-DOPs, Klosowski 1998", {}, {}, 0, true}};
  for (const int k : {6, 8, 12, 14, 18, 26, 50, 98}) {
    const int published = 16 * k + 108;
    const std::array<double, 4> dop = row(std::to_string(k) + "-DOP", std::to_string(k),
                                          "16k + 108 = " + std::to_string(published) + " (Klosowski 1998)");
    for (const auto& [series, bytes] :
         {std::pair{&plot.series[0], dop[1]}, {&plot.series[1], static_cast<double>(published)}})
      series->x.push_back(k), series->y.push_back(bytes);
    std::printf("\n");
  }
  const auto level = [&plot](const char* name, double bytes, bool published) {  // of trees without a k
    const int color = static_cast<int>(plot.series.size()) - 1;
    plot.series.push_back({name, {6, 98}, {bytes, bytes}, published ? color - 1 : color, published});
  };
  level("OBBs, resident", obb[1], false);
  level("OBBs, RAPID in Klosowski 1998", 412, true);
#ifdef TUMBLE_LAB_FCL
  const double fcl_obb = row("FCL OBB", "OBB", "")[1];
  std::printf("\n");
  const double fcl_obbrss = row("FCL OBBRSS", "OBBRSS", "")[1];
  std::printf("\n");
  level("FCL OBB, resident", fcl_obb, false);
  level("FCL OBBRSS, resident", fcl_obbrss, false);
#endif
  output.write(plot);
  std::filesystem::remove_all(folder);
}

void stored(const Scale& scale) {
  const Mesh mesh = cabin_or_smaller(scale);
  std::string pattern = (std::filesystem::temp_directory_path() / "tumble-stored-XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(pattern.data());
  std::printf(
      "\nOpening a stored tree of %zu triangles, all checks, file in the cache: "
      "median of %d (paper: 10 s)\n",
      mesh.triangles.size(), 5 * scale.repeats);
  for (const Bound bound : {Bound::dop, Bound::obb}) {
    tumble::save(Model(mesh, with_bound(bound, 0)), folder / "tree.tmbl");
    std::vector<double> wall, processor;
    for (int i = 0; i < 5 * scale.repeats; ++i) {
      const double wall_start = wall_ms(), start = processor_ms();
      const Model model = tumble::load_model(folder / "tree.tmbl");
      processor.push_back(processor_ms() - start);
      wall.push_back(wall_ms() - wall_start);
    }
    std::printf("  %-4s %6.2f ms of processor time, %6.2f by the clock, %5.1f MB, bar 15 ms of processor time",
                tumble::name(bound), median(processor), median(wall),
                static_cast<double>(std::filesystem::file_size(folder / "tree.tmbl")) / 1e6);
    judge(median(processor) <= 15);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace

/// bench_trees [build|threads|rules|memory|stored ...] [--plots DIR]: the tables named, or all; exit status 1 if a bar
/// is missed. With an option, such as those of Google Benchmark, it only shows that it works.
int main(int argc, char** argv) {
  if (argc == 4 && argv[1] == std::string("--memory-row")) return memory_row(argv[2], argv[3]);
  const BenchOutput output("trees", argc, argv);
  const bool smoke = argc > 1 && argv[1][0] == '-';
  const Scale scale = smoke ? Scale{2'000, 4'000, 1} : Scale{};
  const auto asked = [&](const char* table) {
    return smoke || argc == 1 ||
           std::any_of(argv + 1, argv + argc, [&](const char* a) { return !std::strcmp(a, table); });
  };
  if (asked("build")) against_fcl(scale, output);
  if (asked("threads")) two_threads(scale);
  if (asked("rules")) rules(scale);
  if (asked("memory")) memory(scale, output);
  if (asked("stored")) stored(scale);
  return smoke || good ? 0 : 1;
}
