// SPDX-License-Identifier: Apache-2.0
// Where the time of a query goes and what is left to gain: the kernels alone, the floor they set, batches on all cores,
// and queries against the size of the meshes.
#include "lab/experiments/all.h"
#include "lab/instruction_limit.h"
#include "lab/kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <string_view>

namespace tumble::lab {
namespace {

struct Course {
  const char* name;
  const char* scene;
  scenes::SceneOptions options{}, reduced{};
};
const std::array<Course, 7> courses{
    {{"pipes", "pipes", {}, {.triangles = 6'000, .steps = 200}},
     {"torus", "torus", {}, {.triangles = 6'000, .steps = 200}},
     {"airplane", "airplane", {}, {.steps = 200}},
     {"swept", "swept", {}, {.steps = 50}},
     {"interior", "interior", {}, {.steps = 100}},
     {"spheres 0.01", "nested", {.triangles = 20'000, .alpha = 0.01}, {.triangles = 2'000, .alpha = 0.01}},
     {"two tori 1.5", "zachmann_torus", {.distance = 1.5}, {.distance = 1.5}}}};

/// Every so-many-th pose, so that each scene takes about as long.
Flown thinned(const Flown& flown, std::size_t most) {
  Flown few{flown.scene, {}};
  const std::size_t step = std::max<std::size_t>(1, flown.path.size() / most);
  for (std::size_t i = 0; i < flown.path.size(); i += step) few.path.push_back(flown.path[i]);
  return few;
}

Table kernels(Context& context) {
  Table table{"kernels",
              "Kernels alone, operands in the first-level cache",
              {{"set", "instruction set"},
               {"bound", "bound"},
               {"set_up", "a pose set up", "ns", 3},
               {"realign", "a node realigned", "ns", 3},
               {"overlap", "one volume against eight", "ns", 3},
               {"meeting", "4 x 4 triangles", "ns", 3},
               {"pair", "an exact pair", "ns", 3},
               {"of_eight", "an exact pair of eight", "ns", 3}}};
  const std::vector<InstructionSet> sets = available();
  for (auto set = sets.rbegin(); set != sets.rend(); ++set)
    for (const Bound bound : {Bound::obb, Bound::dop}) {
      const InstructionLimit only(*set);
      table.rows.push_back(context.row({{"part", "kernels"}, {"set", name(*set)}, {"bound", name(bound)}}, [&] {
        const scenes::Scene scene = scenes::make("torus", {.triangles = context.pick<std::size_t>(20'000, 4'000)});
        const KernelCosts k = kernel_costs(scene, bound, context.pick(60, 3));
        const PairCosts p = pair_costs(scene, context.pick(60, 3));
        return Row{{"set_up", k.set_up},   {"realign", k.realign}, {"overlap", k.overlap},
                   {"meeting", k.meeting}, {"pair", p.one},        {"of_eight", p.of_eight}};
      }));
    }
  table.notes = {
      "Each the fastest of many passes, on neighbouring nodes and leaves of the torus scene's landscape: about half of "
      "the volumes overlap, so most overlap tests go through all axes. An exact pair: classify() of two triangles; one "
      "of eight: the first look at eight pairs, corners fetched and moved to the world."};
  return table;
}

Table floors(Context& context, const Table& kernel_table, Plot& plot) {
  Table table{"floors",
              "Measured, and what the counted operations take at kernel speed",
              {{"scene", "scene"},
               {"bound", "bound"},
               {"query", "query"},
               {"nodes", "nodes opened", "", 3},
               {"nu", "Nu", "", 3},
               {"np", "Np", "", 3},
               {"us", "measured", "µs", 3},
               {"floor", "floor", "µs", 3},
               {"headroom", "measured / floor", "", 3}}};
  for (const Course& course : courses) {
    plot.categories.emplace_back(course.name);
    for (const Bound bound : {Bound::obb, Bound::dop})
      for (const Asked query : {Asked::any, Asked::all}) {
        const char* const asked = query == Asked::any ? "any" : "all";
        Row row =
            context.row({{"part", "floors"}, {"scene", course.name}, {"bound", name(bound)}, {"query", asked}}, [&] {
              const Flown flown =
                  thinned(context.scene(course.scene, context.quick() ? course.reduced : course.options),
                          context.pick<std::size_t>(500, 50));
              const Measurement m =
                  measure(flown, Configuration({.bound = bound}, {.coherent = Coherent::off}), query, context.effort());
              Row measured = to_row(m, flown.path.size());
              measured["nodes"] = static_cast<double>(m.counters.nodes) / static_cast<double>(flown.path.size());
              return measured;
            });
        const Row& kernel = kernel_table.rows[bound == Bound::obb ? 0 : 1];
        const auto ns = [&](const char* key) { return kernel.at(key).get<double>(); };
        const auto count = [&](const char* key) { return row.at(key).get<double>(); };
        const double floor = 1e-3 * (ns("set_up") + count("nodes") * ns("overlap") + count("nu") / 8 * ns("realign") +
                                     count("np") / 16 * ns("meeting"));
        row["floor"] = floor;
        row["headroom"] = count("us") / floor;
        table.rows.push_back(std::move(row));
      }
  }
  must_agree(context, table, {"scene"}, {"colliding"});
  must_agree(context, table, {"scene", "query"}, {"contacts"});
  for (std::size_t i = 0; i < 4; ++i) {
    Series series{
        fmt::format("{}, {}", i < 2 ? "OBB" : "18-DOP", i % 2 == 0 ? "any" : "all"), {}, {}, static_cast<int>(i)};
    for (std::size_t c = 0; c < courses.size(); ++c) series.y.push_back(table.rows[4 * c + i].at("headroom"));
    plot.series.push_back(std::move(series));
  }
  table.notes = {
      "The floor: one set-up, the nodes opened, realigned volumes by eights and triangle pairs by sixteens, each at "
      "the "
      "cost of its kernel above on the best instruction set. It leaves out the stack, the choice of what to open, "
      "memory "
      "beyond the first-level cache, exact tests of pairs the filter leaves open, and handing contacts over."};
  return table;
}

double seconds_by_the_clock(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Table batches(Context& context) {
  Table table{"batches",
              "Batches: poses in any order on one core and on two",
              {{"scene", "scene"},
               {"query", "query"},
               {"poses", "poses"},
               {"one", "one core", "µs per pose", 3},
               {"two", "two cores", "µs per pose", 3},
               {"speedup", "speedup", "", 3},
               {"pair", "one Pair, in the given order", "µs per pose", 3}}};
  for (const Course& course : courses) {
    if (std::string_view(course.scene) == "nested") continue;  // one pose
    for (const char* query : {"any", "all"}) {
      table.rows.push_back(context.row({{"part", "batches"}, {"scene", course.name}, {"query", query}}, [&] {
        const Flown& flown = context.scene(course.scene, context.quick() ? course.reduced : course.options);
        const Model env(flown.scene.env), object(flown.scene.object);
        const bool all = std::string_view(query) == "all";
        const std::size_t most = all ? context.pick<std::size_t>(3'000, 40) : context.pick<std::size_t>(20'000, 100);
        std::vector<Pose> poses;  // shuffled by a step that shares no factor with their number
        std::size_t step = flown.path.size() * 5 / 8 | 1;
        while (std::gcd(step, flown.path.size()) != 1) step += 2;
        for (std::size_t i = 0; i < most; ++i) poses.push_back(flown.path[i * step % flown.path.size()]);
        std::vector<std::uint8_t> hits;
        std::vector<Contacts> contacts;
        const auto run = [&](int threads) {
          if (all)
            contacts = contacts_many(env, object, poses, {.geometry = false}, {.threads = threads});
          else
            hits = collide_many(env, object, poses, {}, {.threads = threads});
        };
        const auto found_in_all = [&] {
          std::size_t sum = 0;
          for (const std::uint8_t hit : hits) sum += hit;
          for (const Contacts& of_pose : contacts) sum += of_pose.size();
          return sum;
        };
        double one = 1e300, two = 1e300, pair = 1e300;
        std::set<std::size_t> found_by;  // contacts, or poses with any
        for (int pass = 0; pass < context.pick(7, 1); ++pass) {
          one = std::min(one, seconds_by_the_clock([&] { run(1); }));
          found_by.insert(found_in_all());
          two = std::min(two, seconds_by_the_clock([&] { run(2); }));
          found_by.insert(found_in_all());
          std::size_t sum = 0;
          pair = std::min(pair, seconds_by_the_clock([&] {
                            Pair flight(env, object);
                            for (const Pose& pose : poses)
                              if (all) {
                                Query found = flight.start({}, pose, ContactRequest{.geometry = false});
                                found.run();
                                sum += found.contacts().size();
                              } else {
                                sum += flight.collide({}, pose);
                              }
                          }));
          found_by.insert(sum);
        }
        const double us = 1e6 / static_cast<double>(poses.size());
        return Row{{"poses", poses.size()},        {"one", one * us},   {"two", two * us},
                   {"speedup", one / two},         {"pair", pair * us}, {"found", *found_by.begin()},
                   {"agree", found_by.size() == 1}};
      }));
      const Row& row = table.rows.back();
      context.must_hold(
          row.at("agree").get<bool>(),
          fmt::format("batches of {} on {}: one core, two cores and a Pair find the same", query, course.name));
    }
  }
  table.notes = {"By the clock, which on a machine others use, too, tells less than the cores would give."};
  return table;
}

struct Growth {
  const char *scene, *by;
  bool same_shape;  // so that all sizes can fly the same path
};
constexpr std::array<Growth, 3> growths{
    {{"torus", "finer", true}, {"fine_pipes", "finer", true}, {"pipes", "denser", false}}};

std::vector<std::size_t> sizes_flown(const Context& context) {
  return context.quick() ? std::vector<std::size_t>{8'000, 16'000}
                         : std::vector<std::size_t>{10'000, 100'000, 1'000'000, 4'000'000};
}

Table sizes(Context& context, Plot& plot) {
  Table table{"sizes",
              "Queries against the size of the meshes",
              {{"scene", "scene"},
               {"growth", "with more triangles"},
               {"env_triangles", "triangles of the environment"},
               {"object_triangles", "of the object"},
               {"any_us", "any", "µs", 3},
               {"all_us", "all", "µs", 3},
               {"contacts", "contacts per pose", "", 3},
               {"per_contact", "(all - any) per contact", "ns", 3},
               {"nodes", "nodes opened (any)", "", 3},
               {"build_ms", "environment built", "ms", 3}}};
  plot = {
      "sizes", "A query against the size of the meshes", {"triangles of the environment", true}, {"µs per pose", true}};
  int color = 0;
  for (const auto& [scene, by, same_shape] : growths) {
    Series any{fmt::format("{} ({}), any", scene, by), {}, {}, color};
    Series all{fmt::format("{} ({}), all", scene, by), {}, {}, color++, true};
    for (const std::size_t triangles : sizes_flown(context)) {
      Row row = context.row({{"part", "sizes"}, {"scene", scene}, {"triangles", triangles}}, [&, name = scene] {
        const scenes::SceneOptions smallest{.triangles = sizes_flown(context).front(),
                                            .steps = context.pick<std::size_t>(500, 100)};
        scenes::SceneOptions own = smallest;
        own.triangles = triangles;
        const Flown flown =
            same_shape ? Flown{scenes::make(name, own), context.scene(name, smallest).path} : fly(name, own);
        const Configuration configuration({}, {.coherent = Coherent::off});
        const auto poses = static_cast<double>(flown.path.size());
        const Measurement a = measure(flown, configuration, Asked::any, context.effort());
        const Measurement b = measure(flown, configuration, Asked::all, context.effort());
        return Row{{"env_triangles", flown.scene.env.triangles.size()},
                   {"object_triangles", flown.scene.object.triangles.size()},
                   {"any_us", a.microseconds},
                   {"all_us", b.microseconds},
                   {"contacts", static_cast<double>(b.contacts) / poses},
                   {"nodes", static_cast<double>(a.counters.nodes) / poses},
                   {"build_ms", a.build_ms}};
      });
      row["growth"] = by;
      const auto number = [&row](const char* key) { return row.at(key).get<double>(); };
      if (number("contacts") > 0) row["per_contact"] = 1e3 * (number("all_us") - number("any_us")) / number("contacts");
      any.x.push_back(number("env_triangles")), any.y.push_back(number("any_us"));
      all.x.push_back(number("env_triangles")), all.y.push_back(number("all_us"));
      table.rows.push_back(std::move(row));
    }
    plot.series.push_back(std::move(any));
    plot.series.push_back(std::move(all));
  }
  table.notes = {fmt::format(
      "{} poses each, every query afresh. Finer: the torus over its landscape and the fine pipes keep their shapes at "
      "every size, and all sizes fly the same poses; the fine pipes are the pipelines that pipes has at 10,000 "
      "triangles, since the published lattice needs more at its coarsest. Denser: the lattice of pipes grows instead, "
      "so that there are more and thinner pipes to pass and to hit, on a flight of its own.",
      context.pick(500, 100))};
  return table;
}

/// How one kind of scene takes to growing.
std::string against_size(const Table& table, const Growth& growth) {
  const auto largest_over_least = [&](const char* key) {
    double least = 1e300, most = 0;
    for (const Row& row : table.rows)
      if (row.at("scene") == growth.scene) {
        least = std::min(least, row.at(key).get<double>());
        most = std::max(most, row.at(key).get<double>());
      }
    return most / least;
  };
  const auto contacts = [&](bool last) {
    double at = 0;
    for (const Row& row : table.rows)
      if (row.at("scene") == growth.scene) {
        at = row.at("contacts");
        if (!last) break;
      }
    return cell_text(at, 3);
  };
  const auto told = [](double spread) {
    return fmt::format("{} ({:.2f}x)", spread <= 2 ? "flat" : "NOT flat", spread);
  };
  return fmt::format("{} ({}): any is {}, all {} while contacts per pose go from {} to {}", growth.scene, growth.by,
                     told(largest_over_least("any_us")), told(largest_over_least("all_us")), contacts(false),
                     contacts(true));
}

void run_speed(Context& context, Report& report) {
  const std::size_t kernel_rows = 2 * available().size();
  context.plan(kernel_rows + 4 * courses.size() + 2 * (courses.size() - 1) +
               growths.size() * sizes_flown(context).size());
  Table kernel_table = kernels(context);
  Plot headroom{"floors", "How many times the kernels' floor a query takes", {}, {"measured / floor"}}, size_plot;
  Table floor_table = floors(context, kernel_table, headroom), batch_table = batches(context),
        size_table = sizes(context, size_plot);

  const auto extreme = [](const Table& table, const char* key, bool least) {
    const auto by_key = [key](const Row& a, const Row& b) { return a.at(key).get<double>() < b.at(key).get<double>(); };
    return least ? *std::ranges::min_element(table.rows, by_key) : *std::ranges::max_element(table.rows, by_key);
  };
  const Row low = extreme(floor_table, "headroom", true), high = extreme(floor_table, "headroom", false);
  const auto label = [](const Row& row) {
    return fmt::format("{} {} {}", row.at("scene").get<std::string>(), row.at("bound").get<std::string>(),
                       row.at("query").get<std::string>());
  };
  const Row worst = extreme(batch_table, "speedup", true);
  double logs = 0;
  for (const Row& row : batch_table.rows) logs += std::log(row.at("speedup").get<double>());
  report.findings = {
      fmt::format(
          "Queries take {:.2f} ({}) to {:.2f} ({}) times what their counted operations take at kernel speed: that "
          "much is left for the walk around them.",
          low.at("headroom").get<double>(), label(low), high.at("headroom").get<double>(), label(high)),
      fmt::format("Two cores are {:.2f} times as fast as one in the geometric mean over the batches (target: 1.8), "
                  "least {:.2f} "
                  "({} {}).",
                  std::exp(logs / static_cast<double>(batch_table.rows.size())), worst.at("speedup").get<double>(),
                  worst.at("scene").get<std::string>(), worst.at("query").get<std::string>()),
      fmt::format(
          "From {} to {} triangles (target: flat within 2x). {}. {}. {}. What all takes beyond any goes with the "
          "contacts, whose number grows with the triangles: see the time per contact.",
          cell_text(sizes_flown(context).front()), cell_text(sizes_flown(context).back()),
          against_size(size_table, growths[0]), against_size(size_table, growths[1]),
          against_size(size_table, growths[2]))};
  for (Table* table : {&kernel_table, &floor_table, &batch_table, &size_table})
    report.tables.push_back(std::move(*table));
  report.plots = {std::move(headroom), std::move(size_plot)};
}

}  // namespace

Experiment speed() {
  return {"speed", "Where the time goes: kernels, floors, batches and sizes", "how fast, and how much is left?",
          "speed.cpp", run_speed};
}

}  // namespace tumble::lab
