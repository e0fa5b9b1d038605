// SPDX-License-Identifier: Apache-2.0
// Klosowski 1998, Tables 6 and 7: overlap tests between concentric spheres that come ever closer.
#include "lab/experiments/all.h"

#include "scenes/spheres.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace tumble::lab {
namespace {

constexpr std::array<double, 8> alphas{0.55, 0.1, 0.055, 0.01, 0.0055, 0.001, 0.00055, 0.0001};

struct Method {
  const char* name;
  int k;  // 0: RAPID
  std::array<double, 8> overlap_tests;
};

// Table 6: spheres of 2,000 triangles.
constexpr std::array<Method, 5> published_2000{{
    {"6-DOP", 6, {388, 49'494, 76'506, 109'086, 113'200, 116'340, 116'710, 116'948}},
    {"14-DOP", 14, {32, 16'888, 41'782, 85'656, 90'896, 95'150, 95'564, 96'056}},
    {"18-DOP", 18, {46, 11'236, 34'744, 79'968, 86'036, 91'482, 92'124, 92'684}},
    {"26-DOP", 26, {22, 4'652, 23'774, 74'052, 81'160, 87'622, 88'322, 88'968}},
    {"RAPID", 0, {121, 3'333, 7'479, 41'645, 60'327, 91'983, 95'717, 100'047}},
}};
// Table 7: spheres of 20,000.
constexpr std::array<Method, 5> published_20000{{
    {"6-DOP", 6, {278, 289'126, 494'278, 1'129'398, 1'223'900, 1'320'158, 1'329'154, 1'337'116}},
    {"14-DOP", 14, {14, 85'012, 239'884, 831'528, 960'952, 1'102'260, 1'115'030, 1'127'908}},
    {"18-DOP", 18, {46, 55'390, 194'414, 762'668, 903'056, 1'063'346, 1'079'676, 1'095'868}},
    {"26-DOP", 26, {14, 12'218, 119'556, 675'152, 831'104, 1'019'272, 1'038'126, 1'058'072}},
    {"RAPID", 0, {117, 2'441, 5'495, 43'589, 87'071, 428'027, 609'843, 932'561}},
}};

/// Section 5.2: splatter, mean, and one triangle per leaf in both trees, as RAPID has.
Configuration configuration(const Method& method) {
  if (method.k == 0) return presets::rapid1996;
  Configuration c = Configuration(presets::klosowski1998).with_k(method.k);
  c.object.leaf_size = 1;
  c.pair.realign = Realign::affine;  // the spheres stand as they were built: every way to realign is exact
  return c;
}

void nested_spheres(Context& context, Report& report, std::size_t triangles, std::span<const Method> methods) {
  using scenes::Tessellation;
  std::vector<Tessellation> tessellations{Tessellation::even, Tessellation::uv, Tessellation::geodesic,
                                          Tessellation::hull};
  context.plan(tessellations.size() * methods.size() * alphas.size());
  for (const Tessellation tessellation : tessellations) {
    Table table{name(tessellation),
                fmt::format("Spheres of {} triangles, tessellation '{}'", triangles, name(tessellation)),
                {{"tessellation", "tessellation"}, {"method", "method"}, {"alpha", "alpha", "", 2}}};
    add_compared_columns(table.columns, {"nv", "Nv"});
    table.columns.push_back({"nu", "Nu"});
    table.columns.push_back({"np", "Np"});
    for (const Method& method : methods)
      for (std::size_t i = 0; i < alphas.size(); ++i) {
        const scenes::SceneOptions options{.triangles = triangles, .alpha = alphas[i], .tessellation = tessellation};
        Row row =
            context.row({{"tessellation", name(tessellation)}, {"method", method.name}, {"alpha", alphas[i]}}, [&] {
              const Measurement m = measure(context.scene("nested", options), configuration(method), Query::all,
                                            {.seconds = 0, .passes = 0});
              return Row{{"nv", m.counters.nv}, {"nu", m.counters.nu}, {"np", m.counters.np}, {"contacts", m.contacts}};
            });
        compare(row, "nv", method.overlap_tests[i]);
        table.rows.push_back(std::move(row));
      }
    table.grids = {{"", "method", "alpha", "nv"}};
    report.tables.push_back(std::move(table));
  }
}

}  // namespace

Experiment table6() {
  return {"table6", "Overlap tests between nested spheres of 2,000 triangles", "Klosowski 1998, Table 6", 1,
          [](Context& c, Report& r) { nested_spheres(c, r, 2'000, published_2000); }};
}

Experiment table7() {
  return {"table7", "Overlap tests between nested spheres of 20,000 triangles", "Klosowski 1998, Table 7", 1,
          [](Context& c, Report& r) { nested_spheres(c, r, 20'000, published_20000); }};
}

}  // namespace tumble::lab
