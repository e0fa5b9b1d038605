// SPDX-License-Identifier: Apache-2.0
// How many triangles a leaf should hold: flights over trees with leaves of fixed sizes and with leaves closed by the
// cost model (src/build/leaf_rule.h), and what lanes and pairs cost as these flights show it.
#include "lab/flown.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using namespace tumble;
using lab::Measurement;

constexpr std::array leaf_sizes{1, 2, 3, 4, 6, 8, 12, 0};
constexpr std::array scene_names{"pipes", "torus", "airplane", "swept", "interior"};
/// Cv, Cp and what a pose of each scene costs beside: contacts, above all, the same for any leaf size. Nu rises and
/// falls with Nv in all flights, so that Cu cannot be told from Cv: what is found for Cv holds its share of Cu.
constexpr std::size_t unknowns = 2 + scene_names.size();

/// A flight: its counts and its nanoseconds, per pose.
struct Equation {
  std::array<double, unknowns> counts;
  double time;
};

/// Least squares of relative errors, by elimination on the normal equations.
std::array<double, unknowns> solve(const std::vector<Equation>& equations) {
  std::array<std::array<double, unknowns + 1>, unknowns> m{};
  for (const Equation& e : equations)
    for (std::size_t i = 0; i < unknowns; ++i) {
      const double weight = e.counts[i] / (e.time * e.time);
      for (std::size_t j = 0; j < unknowns; ++j) m[i][j] += weight * e.counts[j];
      m[i][unknowns] += weight * e.time;
    }
  for (std::size_t i = 0; i < unknowns; ++i)
    for (std::size_t row = 0; row < unknowns; ++row) {
      if (row == i || m[i][i] == 0) continue;
      const double factor = m[row][i] / m[i][i];
      for (std::size_t j = 0; j <= unknowns; ++j) m[row][j] -= factor * m[i][j];
    }
  std::array<double, unknowns> solution{};
  for (std::size_t i = 0; i < unknowns; ++i) solution[i] = m[i][i] == 0 ? 0 : m[i][unknowns] / m[i][i];
  return solution;
}

}  // namespace

/// leaf_sizes [SECONDS]: of processor time for each flight, 0.3 if not said.
int main(int argc, char** argv) {
  const lab::Effort effort{.seconds = argc > 1 ? std::atof(argv[1]) : 0.3};
  std::vector<lab::Flown> flights;
  for (const char* scene : scene_names) flights.push_back(lab::fly(scene));
  for (const Bound bound : {Bound::obb, Bound::dop}) {
    std::vector<Equation> equations;
    std::vector<double> product(leaf_sizes.size(), 1);
    for (const lab::Flown& flown : flights) {
      std::printf("\n%s, %s: per pose, all contacts, nothing carried over\n  %-10s %8s %9s %9s %9s %9s\n",
                  flown.scene.info.name.c_str(), name(bound), "leaf size", "us", "nv", "nu", "np", "MB");
      for (std::size_t i = 0; i < leaf_sizes.size(); ++i) {
        TreeOptions options;
        options.bound = bound;
        options.leaf_size = leaf_sizes[i];
        const Measurement m =
            measure(flown, lab::Configuration(options, {.coherent = Coherent::off}), lab::Asked::all, effort);
        const auto poses = static_cast<double>(flown.path.size());
        const double nv = static_cast<double>(m.counters.nv) / poses, nu = static_cast<double>(m.counters.nu) / poses,
                     np = static_cast<double>(m.counters.np) / poses;
        Equation equation{{nv, np}, 1e3 * m.microseconds};
        equation.counts[2 + static_cast<std::size_t>(&flown - flights.data())] = 1;
        equations.push_back(equation);
        product[i] *= m.microseconds;
        std::printf("  %-10s %8.3f %9.1f %9.1f %9.1f %9.2f\n",
                    leaf_sizes[i] == 0 ? "cost model" : std::to_string(leaf_sizes[i]).c_str(), m.microseconds, nv, nu,
                    np, 1e-6 * static_cast<double>(m.bytes));
        std::fflush(stdout);
      }
    }
    std::printf("%s: geometric mean of the times:", name(bound));
    for (std::size_t i = 0; i < leaf_sizes.size(); ++i)
      std::printf("  %d: %.3f", leaf_sizes[i], std::pow(product[i], 1.0 / static_cast<double>(scene_names.size())));
    const auto cost = solve(equations);
    std::printf("\n%s: fitted, in ns: Cv with its Cu %.2f, Cp %.2f; a pose beside that", name(bound), cost[0], cost[1]);
    for (std::size_t i = 0; i < scene_names.size(); ++i) std::printf("  %s %.0f", scene_names[i], cost[2 + i]);
    std::printf("\n");
  }
}
