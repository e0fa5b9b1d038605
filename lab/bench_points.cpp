// SPDX-License-Identifier: Apache-2.0
// How fast closest points and first hits of rays are beside CGAL's AABB tree and Embree's rays: one thread, the same
// points and rays, the rivals interleaved in one process. What counts are the ratios printed at the end; docs/results
// has them.
#include "lab/bench_output.h"
#include "scenes/meshes.h"
#include "scenes/random.h"

#include <tumble/point.h>

#include <benchmark/benchmark.h>

#if TUMBLE_LAB_CGAL
#include <CGAL/AABB_face_graph_triangle_primitive.h>
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>
#endif
#if TUMBLE_LAB_EMBREE
#include <embree3/rtcore.h>
#endif

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace {

using tumble::Mesh;
using tumble::Model;
using tumble::Ray;
using tumble::Vec3;

constexpr std::uint64_t seed = 7;
constexpr std::size_t count = 10'000;

struct Scene {
  std::string name;
  Mesh mesh;
  std::vector<Vec3> points;
  std::vector<Ray> rays, aimed;

  /// Points in the box of the mesh, half as large again; rays from such points in all directions, and to a point of the
  /// box.
  Scene(std::string n, Mesh m) : name(std::move(n)), mesh(std::move(m)) {
    const tumble::Box box = tumble::bounding_box(mesh);
    const Vec3 wider = (box.upper - box.lower) * 0.25;
    tumble::scenes::Random random(seed);
    for (std::size_t i = 0; i < count; ++i) {
      points.push_back(random.in_box(box.lower - wider, box.upper + wider));
      rays.push_back({points.back(), random.direction()});
      const Vec3 way = random.in_box(box.lower, box.upper) - points.back();
      aimed.push_back({points.back(), way / length(way)});
    }
  }
};

/// Times `ask_all`, which asks `count` questions and adds up the answers: a check that all libraries did the same.
template <class AskAll>
void add_batch(const std::string& name, const AskAll& ask_all) {
  benchmark::RegisterBenchmark(name.c_str(), [ask_all](benchmark::State& state) {
    double sum = 0;
    std::size_t done = 0;
    for (auto _ : state) {
      sum = ask_all();
      done += count;
    }
    state.counters["sum"] = sum;
    state.counters["ns"] =
        benchmark::Counter(static_cast<double>(done) * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  });
}

template <class Ask>
void add(const std::string& name, const Ask& ask) {
  add_batch(name, [ask] {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += ask(i);
    return sum;
  });
}

/// `first(ray)`: how far it goes; 0 if it hits nothing.
template <class First>
void add_rays(const Scene& scene, const std::string& library, const First& first) {
  add(scene.name + "/ray/" + library, [&scene, first](std::size_t i) { return first(scene.rays[i]); });
  add(scene.name + "/aimed/" + library, [&scene, first](std::size_t i) { return first(scene.aimed[i]); });
}

double distance_of(const std::optional<tumble::ClosestPoint>& closest) { return closest ? closest->distance : 0; }
double distance_of(const std::optional<tumble::Hit>& hit) { return hit ? hit->t : 0; }

double sum_of(const auto& answers) {
  double sum = 0;
  for (const auto& answer : answers) sum += distance_of(answer);
  return sum;
}

void add_tumble(const Scene& scene, const std::string& library, const tumble::TreeOptions& options) {
  const Model model(scene.mesh, options);
  add(scene.name + "/closest/" + library,
      [&scene, model](std::size_t i) { return distance_of(tumble::closest_point(model, {}, scene.points[i])); });
  add_rays(scene, library, [model](const Ray& ray) { return distance_of(tumble::first_hit(model, {}, ray)); });
}

/// In one call, but on one thread like the others.
void add_tumble_batches(const Scene& scene) {
  const Model model(scene.mesh);
  const tumble::PointBatchOptions one_thread{.threads = 1};
  add_batch(scene.name + "/closest/tumble-batch", [&scene, model, one_thread] {
    return sum_of(tumble::closest_point_many(model, {}, scene.points, {}, one_thread));
  });
  add_batch(scene.name + "/ray/tumble-batch",
            [&scene, model, one_thread] { return sum_of(tumble::first_hit_many(model, {}, scene.rays, one_thread)); });
  add_batch(scene.name + "/aimed/tumble-batch",
            [&scene, model, one_thread] { return sum_of(tumble::first_hit_many(model, {}, scene.aimed, one_thread)); });
}

#if TUMBLE_LAB_CGAL
struct Cgal {
  using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
  using Surface = CGAL::Surface_mesh<Kernel::Point_3>;
  using Primitive = CGAL::AABB_face_graph_triangle_primitive<Surface>;
  using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;

  Surface surface;
  Tree tree;

  static Kernel::Point_3 point(const Vec3& p) { return {p.x, p.y, p.z}; }

  explicit Cgal(const Mesh& mesh) {
    // Every triangle with corners of its own: not every mesh is a manifold.
    for (const tumble::Triangle& t : mesh.triangles)
      surface.add_face(surface.add_vertex(point(mesh.vertices[t[0]])), surface.add_vertex(point(mesh.vertices[t[1]])),
                       surface.add_vertex(point(mesh.vertices[t[2]])));
    tree.insert(faces(surface).first, faces(surface).second, surface);
    tree.build();
    tree.accelerate_distance_queries();
  }
};

void add_cgal(const Scene& scene) {
  const auto cgal = std::make_shared<Cgal>(scene.mesh);
  add(scene.name + "/closest/cgal",
      [&scene, cgal](std::size_t i) { return std::sqrt(cgal->tree.squared_distance(Cgal::point(scene.points[i]))); });
  add_rays(scene, "cgal", [cgal](const Ray& ray) {
    const Cgal::Kernel::Point_3 origin = Cgal::point(ray.origin);
    const auto hit = cgal->tree.first_intersection(
        Cgal::Kernel::Ray_3(origin, Cgal::Kernel::Direction_3(ray.direction.x, ray.direction.y, ray.direction.z)));
    if (!hit) return 0.0;
    const auto* const at = boost::get<Cgal::Kernel::Point_3>(&hit->first);
    return at ? std::sqrt(CGAL::squared_distance(*at, origin)) : 0.0;
  });
}
#endif

#if TUMBLE_LAB_EMBREE
class Embree {
 public:
  explicit Embree(const Mesh& mesh) : device_(rtcNewDevice("threads=1,set_affinity=0")), scene_(rtcNewScene(device_)) {
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_HIGH);
    RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* v = static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                                          3 * sizeof(float), mesh.vertices.size()));
    for (const Vec3& p : mesh.vertices)
      for (int axis = 0; axis < 3; ++axis) *v++ = static_cast<float>(p[axis]);
    auto* t = static_cast<std::uint32_t*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                                                  3 * sizeof(std::uint32_t), mesh.triangles.size()));
    for (const tumble::Triangle& triangle : mesh.triangles)
      for (const std::uint32_t index : triangle) *t++ = index;
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
  }
  ~Embree() {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }
  Embree(const Embree&) = delete;
  Embree& operator=(const Embree&) = delete;

  double first_hit(const Ray& ray) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit query{};
    query.ray.org_x = static_cast<float>(ray.origin.x);
    query.ray.org_y = static_cast<float>(ray.origin.y);
    query.ray.org_z = static_cast<float>(ray.origin.z);
    query.ray.dir_x = static_cast<float>(ray.direction.x);
    query.ray.dir_y = static_cast<float>(ray.direction.y);
    query.ray.dir_z = static_cast<float>(ray.direction.z);
    query.ray.tfar = std::numeric_limits<float>::infinity();
    query.ray.mask = ~0u;
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene_, &context, &query);
    return query.hit.geomID == RTC_INVALID_GEOMETRY_ID ? 0 : query.ray.tfar;
  }

 private:
  RTCDevice device_;
  RTCScene scene_;
};

void add_embree(const Scene& scene) {
  const auto embree = std::make_shared<Embree>(scene.mesh);
  add_rays(scene, "embree", [embree](const Ray& ray) { return embree->first_hit(ray); });
}
#endif

/// Prints as usual and keeps the median of each benchmark for the ratios.
class Ratios : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (run.run_type == Run::RT_Aggregate && run.aggregate_name == "median")
        medians_[run.run_name.function_name] = {run.counters.at("ns"), run.counters.at("sum")};
    ConsoleReporter::ReportRuns(runs);
  }

  void print() const {
    std::printf("\nmedian times of one question, and their ratios to tumble's (bar: cgal >= 5)\n");
    for (const auto& [name, median] : medians_) {
      const auto own = medians_.find(name.substr(0, name.rfind('/')) + "/tumble");
      if (own != medians_.end())
        std::printf("%-24s %9.1f ns  ratio %6.2f  mean answer %.6g\n", name.c_str(), median.ns,
                    median.ns / own->second.ns, median.sum / static_cast<double>(count));
    }
  }

 private:
  struct Median {
    double ns, sum;
  };
  std::map<std::string, Median> medians_;
};

}  // namespace

int main(int argc, char** argv) {
  const tumble::lab::BenchOutput output("points", argc, argv);
  std::vector<std::string> defaults{argv[0], "--benchmark_repetitions=5", "--benchmark_enable_random_interleaving=true",
                                    "--benchmark_min_time=0.1", "--benchmark_report_aggregates_only=true"};
  std::vector<char*> arguments;
  for (std::string& argument : defaults) arguments.push_back(argument.data());
  for (int i = 1; i < argc; ++i) arguments.push_back(argv[i]);
  int words = static_cast<int>(arguments.size());
  benchmark::Initialize(&words, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(words, arguments.data())) return 2;

  std::vector<Scene> scenes;
  scenes.emplace_back("horse", tumble::scenes::horse());
  scenes.emplace_back("pipes", tumble::scenes::pipes());
  for (const Scene& scene : scenes) {
    std::printf("%s: %zu triangles, %zu points and rays, seed %llu\n", scene.name.c_str(), scene.mesh.triangles.size(),
                count, static_cast<unsigned long long>(seed));
    add_tumble(scene, "tumble", {});
    add_tumble_batches(scene);
    add_tumble(scene, "tumble-18dop", {.bound = tumble::Bound::dop, .k = 18});
#if TUMBLE_LAB_CGAL
    add_cgal(scene);
#endif
#if TUMBLE_LAB_EMBREE
    add_embree(scene);
#endif
  }
  Ratios ratios;
  benchmark::RunSpecifiedBenchmarks(&ratios);
  ratios.print();
  return 0;
}
