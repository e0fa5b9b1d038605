// SPDX-License-Identifier: Apache-2.0
// Loading a million triangles: tumble against assimp and tinyobjloader, the same file, in turns, in one run.
#include "lab/bench_output.h"
#include "lab/table.h"

#include <tumble/io.h>

#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#ifdef TUMBLE_HAVE_TINYOBJ
#include <tiny_obj_loader.h>
#endif

namespace {

/// A torus of about `triangles` triangles with bumps, so that its numbers have digits: six, as most exporters write.
tumble::Mesh bumpy_torus(std::size_t triangles) {
  const auto rings = static_cast<std::uint32_t>(std::lround(std::sqrt(static_cast<double>(triangles))));
  const auto sides = static_cast<std::uint32_t>(triangles / (2 * std::size_t{rings}));
  const auto six_digits = [](double x) { return std::round(x * 1e6) / 1e6; };
  constexpr double turn = 6.283185307179586;
  tumble::Mesh mesh;
  for (std::uint32_t i = 0; i < rings; ++i)
    for (std::uint32_t j = 0; j < sides; ++j) {
      const double u = turn * i / rings, v = turn * j / sides, r = 10 + (3 + 0.1 * std::sin(40 * u)) * std::cos(v);
      mesh.vertices.push_back({six_digits(r * std::cos(u)), six_digits(r * std::sin(u)), six_digits(3 * std::sin(v))});
      const std::uint32_t i1 = (i + 1) % rings, j1 = (j + 1) % sides;
      mesh.triangles.push_back({i * sides + j, i1 * sides + j, i1 * sides + j1});
      mesh.triangles.push_back({i * sides + j, i1 * sides + j1, i * sides + j1});
    }
  return mesh;
}

void write_ascii_stl(const tumble::Mesh& mesh, const std::filesystem::path& file) {
  std::ofstream out(file);
  out.precision(9);
  out << "solid torus\n";
  for (const tumble::Triangle& t : mesh.triangles) {
    out << " facet normal 0 0 0\n  outer loop\n";
    for (const std::uint32_t index : t) {
      const tumble::Vec3 v = mesh.vertices[index];
      out << "   vertex " << v.x << ' ' << v.y << ' ' << v.z << '\n';
    }
    out << "  endloop\n endfacet\n";
  }
  out << "endsolid torus\n";
}

void write_ascii_ply(const tumble::Mesh& mesh, const std::filesystem::path& file) {
  std::ofstream out(file);
  out.precision(9);
  out << "ply\nformat ascii 1.0\nelement vertex " << mesh.vertices.size()
      << "\nproperty float x\nproperty float y\nproperty float z\nelement face " << mesh.triangles.size()
      << "\nproperty list uchar int vertex_indices\nend_header\n";
  for (const tumble::Vec3& v : mesh.vertices) out << v.x << ' ' << v.y << ' ' << v.z << '\n';
  for (const tumble::Triangle& t : mesh.triangles) out << "3 " << t[0] << ' ' << t[1] << ' ' << t[2] << '\n';
}

/// Each loads a file and gives its number of triangles; what was loaded is released outside of the time.
struct Loader {
  std::string name;
  double bar = 0;  // how many times slower than tumble it has to be; 0 for tumble itself
  std::function<std::size_t(const std::string& file, double& milliseconds)> load;
};

/// Milliseconds of this process, all loaders being single-threaded: other programs on the machine do not count.
template <class Load>
double timed(Load load) {
  const auto now = [] {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
  };
  const double start = now();
  load();
  return now() - start;
}

std::size_t load_with_tumble(const std::string& file, double& milliseconds) {
  tumble::Mesh mesh;
  milliseconds = timed([&] { mesh = tumble::load_mesh(file); });
  return mesh.triangles.size();
}

// No post-processing but the triangulation that tumble does, too.
std::size_t load_with_assimp(const std::string& file, double& milliseconds) {
  Assimp::Importer importer;
  const aiScene* scene = nullptr;
  milliseconds = timed([&] { scene = importer.ReadFile(file, aiProcess_Triangulate); });
  std::size_t triangles = 0;
  for (unsigned i = 0; scene && i < scene->mNumMeshes; ++i) triangles += scene->mMeshes[i]->mNumFaces;
  return triangles;
}

#ifdef TUMBLE_HAVE_TINYOBJ
std::size_t load_with_tinyobj(const std::string& file, double& milliseconds) {
  tinyobj::attrib_t attributes;
  std::vector<tinyobj::shape_t> shapes;
  std::vector<tinyobj::material_t> materials;
  std::string warnings, errors;
  milliseconds = timed([&] {
    tinyobj::LoadObj(&attributes, &shapes, &materials, &warnings, &errors, file.c_str(), nullptr, /*triangulate=*/true);
  });
  std::size_t triangles = 0;
  for (const tinyobj::shape_t& shape : shapes) triangles += shape.mesh.num_face_vertices.size();
  return triangles;
}
#endif

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// Prints a row per rival and adds a group of bars; true if every bar to meet is met.
bool compare(tumble::lab::Plot& plot, const char* what, const std::string& file, std::size_t triangles, int repeats,
             bool judged) {
  std::vector<Loader> loaders{{"tumble", 0, load_with_tumble}, {"assimp", 5, load_with_assimp}};
#ifdef TUMBLE_HAVE_TINYOBJ
  if (file.ends_with(".obj")) loaders.push_back({"tinyobjloader", 1, load_with_tinyobj});
#endif
  std::vector<std::vector<double>> times(loaders.size());
  for (int round = 0; round < repeats; ++round)
    for (std::size_t i = 0; i < loaders.size(); ++i) {
      double milliseconds = 0;
      if (loaders[i].load(file, milliseconds) != triangles) {
        std::printf("%s: %s did not load all triangles\n", what, loaders[i].name.c_str());
        return false;
      }
      times[i].push_back(milliseconds);
    }
  bool good = true;
  const double ours = median(times[0]);
  plot.categories.emplace_back(what);
  for (std::size_t i = 0; i < plot.series.size(); ++i)
    plot.series[i].y.push_back(i < loaders.size() ? median(times[i]) : std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 1; i < loaders.size(); ++i) {
    const double theirs = median(times[i]), ratio = theirs / ours;
    const bool met = ratio >= loaders[i].bar;
    std::printf("%-12s %8.1f %8.1f  %-14s %6.1fx  %s\n", what, ours, theirs, loaders[i].name.c_str(), ratio,
                !judged ? ""
                : met   ? "met"
                        : "MISSED");
    good = good && (met || !judged);
  }
  std::fflush(stdout);
  return good;
}

}  // namespace

/// bench_io [TRIANGLES [REPEATS]] [--plots DIR]; exit status 1 if a bar is missed. With an option, such as those of
/// Google Benchmark, it only shows that it works.
int main(int argc, char** argv) {
  const tumble::lab::BenchOutput output("loading", argc, argv);
  const bool smoke = argc > 1 && argv[1][0] == '-';
  const std::size_t wanted = smoke ? 20000 : argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000000;
  const int repeats = smoke ? 1 : argc > 2 ? std::atoi(argv[2]) : 9;
  const tumble::Mesh mesh = bumpy_torus(wanted);
  std::string pattern = (std::filesystem::temp_directory_path() / "tumble-bench-XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(pattern.data());
  const auto file = [&folder](const char* name) { return (folder / name).string(); };
  for (const char* name : {"torus.stl", "torus.ply", "torus.obj"}) tumble::save_mesh(mesh, file(name));
  write_ascii_stl(mesh, file("ascii.stl"));
  write_ascii_ply(mesh, file("ascii.ply"));

  std::printf("loading %zu triangles, median of %d, in milliseconds of processor time\n", mesh.triangles.size(),
              repeats);
  std::printf("%-12s %8s %8s  %-14s %7s  %s\n", "format", "tumble", "rival", "", "ratio",
              "bar: 5x assimp, 1x tinyobjloader");
  tumble::lab::Plot plot{"times", "Loading a file", {"format"}, {"ms of processor time"}};
  plot.series = {{"tumble", {}, {}, 0}, {"assimp", {}, {}, 1}, {"tinyobjloader", {}, {}, 2}};
  bool good = compare(plot, "STL binary", file("torus.stl"), mesh.triangles.size(), repeats, !smoke);
  good = compare(plot, "PLY binary", file("torus.ply"), mesh.triangles.size(), repeats, !smoke) && good;
  good = compare(plot, "OBJ", file("torus.obj"), mesh.triangles.size(), repeats, !smoke) && good;
  compare(plot, "STL text", file("ascii.stl"), mesh.triangles.size(), repeats, false);
  compare(plot, "PLY text", file("ascii.ply"), mesh.triangles.size(), repeats, false);
  std::filesystem::remove_all(folder);
  plot.title = "Loading " + tumble::lab::cell_text(mesh.triangles.size()) + " triangles";
  output.write(plot);
  return good ? 0 : 1;
}
