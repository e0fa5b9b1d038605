// SPDX-License-Identifier: Apache-2.0
// Loading the rivals' modules, and saying why one is missing.
#include "lab/rivals/roster.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <span>

namespace tumble::lab {
namespace {

struct Module {
  const char* file;
  const char* library;
  const char* package;
  bool avx512;  // compiled for it
};

constexpr Module modules[] = {
    {"rival_fcl.so", "FCL (double)", "libfcl-dev", false},
    {"rival_fcl_float.so", "FCL (float, x86-64-v4)", "libfcl-dev", true},
    {"rival_ode.so", "ODE trimesh (OPCODE)", "libode-dev", false},
    {"rival_bullet.so", "Bullet GImpact", "libbullet-dev", false},
    {"rival_cgal.so", "CGAL AABB tree", "libcgal-dev", false},
    {"rival_embree.so", "Embree rtcCollide", "libembree-dev", false},
};

constexpr Module world_modules[] = {
    {"rival_world_fcl.so", "FCL's managers over meshes", "libfcl-dev", false},
};

constexpr Module broad_modules[] = {
    {"rival_broad_fcl.so", "FCL's managers", "libfcl-dev", false},
    {"rival_broad_bullet.so", "Bullet's broad phases", "libbullet-dev", false},
    {"rival_broad_ode.so", "ODE's spaces", "libode-dev", false},
    {"rival_broad_cgal.so", "CGAL box_intersection_d", "libcgal-dev", false},
};

constexpr Module convex_modules[] = {
    {"rival_convex_fcl.so", "FCL's GJK", "libfcl-dev", false},
    {"rival_convex_bullet.so", "Bullet's GJK", "libbullet-dev", false},
    {"rival_convex_ode.so", "ODE convex", "libode-dev", false},
};

constexpr Module motion_modules[] = {
    {"rival_motion_fcl.so", "FCL's conservative advancement", "libfcl-dev", false},
};

constexpr Module file_modules[] = {
    {"rival_file_assimp.so", "assimp", "libassimp-dev", false},
    {"rival_file_tinyobj.so", "tinyobjloader", "libtinyobjloader-dev", false},
};

constexpr Module triangle_modules[] = {
    {"rival_triangles_cgal.so", "CGAL's test of two triangles", "libcgal-dev", false},
    {"rival_triangles_fcl.so", "FCL's test of two triangles", "libfcl-dev", false},
};

constexpr Module point_modules[] = {
    {"rival_points_cgal.so", "CGAL's points and rays", "libcgal-dev", false},
    {"rival_points_embree.so", "Embree's rays", "libembree-dev", false},
};

bool machine_has_avx512() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

/// Empty, or why its rivals cannot take part. They come from the function of this name.
template <class RivalList>
std::string load(const Module& module, const std::filesystem::path& folder, const char* function, RivalList& into) {
  const std::filesystem::path file = folder / module.file;
  if (folder.empty() || !std::filesystem::exists(file))
    return std::string("not installed: needs ") + module.package + " and a build with -DTUMBLE_BUILD_BENCHMARKS=ON";
  if (module.avx512 && !machine_has_avx512()) return "not run: compiled for x86-64-v4, this machine has no AVX-512";
  void* const handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return std::string("not run: ") + ::dlerror();
  void* const symbol = ::dlsym(handle, function);
  if (!symbol) return std::string("not run: ") + ::dlerror();
  RivalList started;
  try {
    reinterpret_cast<void (*)(RivalList&)>(symbol)(started);
  } catch (const std::exception& error) {
    return std::string("not run: ") + error.what();
  }
  std::ranges::move(started, std::back_inserter(into));
  return {};
}

template <class RivalList>
RosterOf<RivalList> load_all(std::span<const Module> from, const std::filesystem::path& folder, const char* function) {
  RosterOf<RivalList> roster;
  for (const Module& module : from)
    if (std::string reason = load(module, folder, function, roster.rivals); !reason.empty())
      roster.absent.push_back({module.library, std::move(reason)});
  return roster;
}

}  // namespace

Roster load_rivals(const std::filesystem::path& folder) { return load_all<Rivals>(modules, folder, "tumble_rivals"); }

WorldRoster load_world_rivals(const std::filesystem::path& folder) {
  return load_all<WorldRivals>(world_modules, folder, "tumble_world_rivals");
}

BroadRoster load_broad_rivals(const std::filesystem::path& folder) {
  return load_all<BroadRivals>(broad_modules, folder, "tumble_broad_rivals");
}

ConvexRoster load_convex_rivals(const std::filesystem::path& folder) {
  return load_all<ConvexRivals>(convex_modules, folder, "tumble_convex_rivals");
}

MotionRoster load_motion_rivals(const std::filesystem::path& folder) {
  return load_all<MotionRivals>(motion_modules, folder, "tumble_motion_rivals");
}

FileRoster load_file_rivals(const std::filesystem::path& folder) {
  return load_all<FileRivals>(file_modules, folder, "tumble_file_rivals");
}

TriangleRoster load_triangle_rivals(const std::filesystem::path& folder) {
  return load_all<TriangleRivals>(triangle_modules, folder, "tumble_triangle_rivals");
}

PointRoster load_point_rivals(const std::filesystem::path& folder) {
  return load_all<PointRivals>(point_modules, folder, "tumble_point_rivals");
}

std::filesystem::path rivals_folder() {
  const char* const chosen = std::getenv("TUMBLE_RIVALS");
  return chosen ? chosen : TUMBLE_RIVALS_FOLDER;
}

}  // namespace tumble::lab
