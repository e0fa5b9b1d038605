// SPDX-License-Identifier: Apache-2.0
// Zachmann 1998: two identical objects at a distance, one of them turning; DOP-trees by k, and against OBB-trees.
#include "lab/contest.h"
#include "lab/experiments/all.h"
#include "lab/plain_walk.h"
#include "lab/solid_among_lines.h"
#include "scenes/meshes.h"
#include "scenes/shapes.h"
#include "scenes/stand_ins.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tumble::lab {
namespace {

struct Method {
  const char* name;
  int k;  // 0: OBB
};
constexpr std::array<Method, 4> methods{{{"6-DOP", 6}, {"8-DOP", 8}, {"14-DOP", 14}, {"OBB", 0}}};

Configuration configuration(const Method& method) {
  return method.k == 0 ? Configuration(presets::rapid1996) : Configuration(presets::zachmann1998).with_k(method.k);
}

/// Published for one method of one object; 0 where there is nothing.
struct Published {
  double ms = 0, build_s = 0, megabytes = 0;
};

struct Object {
  std::string name, what;  // what ours is made of
  std::size_t triangles;
  Mesh (*make)(std::size_t triangles);   // null: the one in the settings
  std::array<Published, 4> published{};  // by method
};

/// 0.1 MB in Table 5: 8 bytes a polygon, where the offsets of one 6-DOP take 24.
constexpr const char* memory_misprinted = "tori 12,544";

Mesh car(std::size_t) { return scenes::zachmann_car(); }
Mesh pipes(std::size_t triangles) { return scenes::pipes(triangles); }

// Tables 1 to 6. The CAD models are not public; ours of like size and kind stand in for them.
const std::vector<Object>& objects() {
  static const std::vector<Object> all{
      {"door",
       "the landscape with dimples and stalagmites of table2's torus flight, with 3,391 triangles, in the place of a "
       "car door's skin of about 3,000 polygons",
       3'391,
       scenes::zachmann_door,
       {{{0.27, 0.14, 0.1}, {1.81, 0.17, 0.1}, {0.38, 0.19, 0.1}, {0.34, 0.4, 1}}}},
      {"lock",
       "20,898 triangles of generated pipelines in the place of a door lock of as many polygons, most of which are "
       "inside; lock and pipes are made by one generator, at two sizes",
       20'898,
       scenes::zachmann_lock,
       {{{3.02, 1.3, 1}, {24.6, 1.4, 1}, {3.10, 1.8, 2}, {2.2, 4.5, 8}}}},
      {"car",
       "our generated airplane, every triangle cut into four: 58,584 in the place of a car's skin and seats of 60,755",
       60'755,
       car,
       {{{0.42, 4.2, 5}, {5.25, 4.7, 6}, {0.59, 6.4, 9}, {1.1, 10.5, 21}}}},
      {"pipes",
       "124,736 triangles of generated pipelines in the place of a section of pipes of as many polygons",
       124'736,
       pipes,
       {{{1.69, 9.4, 11}, {232, 10.3, 13}, {23.7, 13.8, 19}, {1.04, 18.4, 44}}}},
      {"tori 12,544",
       "the same kind of torus",
       12'544,
       scenes::zachmann_torus,
       {{{0.28, 0.6, 0.1}, {}, {}, {0.33, 2.4, 9}}}},
      {"spheres 22,952",
       "the same kind of sphere",
       22'952,
       scenes::zachmann_sphere,
       {{{0.48, 1.3, 1}, {}, {}, {0.56, 5.4, 17}}}},
      {"tori 73,984",
       "the same kind of torus",
       73'984,
       scenes::zachmann_torus,
       {{{0.47, 4.8, 6}, {}, {}, {0.43, 16.1, 60}}}},
      {"spheres 97,032",
       "the same kind of sphere",
       97'032,
       scenes::zachmann_sphere,
       {{{1.02, 6.7, 9}, {}, {}, {0.73, 25.6, 73}}}},
      // Section 5: spheres, tori and cylinders from 1,000 polygons to 100,000. Only tori have figures: 4 (53,824)
      // and 6.
      {"tori 1,024", "a torus", 1'024, scenes::zachmann_torus},
      {"tori 4,096", "a torus", 4'096, scenes::zachmann_torus},
      {"tori 26,896", "a torus", 26'896, scenes::zachmann_torus},
      {"tori 53,824", "a torus", 53'824, scenes::zachmann_torus},
      {"tori 99,856", "a torus", 99'856, scenes::zachmann_torus},
      {"spheres 1,056", "a sphere", 1'056, scenes::zachmann_sphere},
      {"spheres 9,900", "a sphere", 9'900, scenes::zachmann_sphere},
      {"cylinders 1,000", "a cylinder", 1'000, scenes::zachmann_cylinder},
      {"cylinders 10,000", "a cylinder", 10'000, scenes::zachmann_cylinder},
      {"cylinders 30,000", "a cylinder", 30'000, scenes::zachmann_cylinder},
      {"cylinders 100,000", "a cylinder", 100'000, scenes::zachmann_cylinder},
  };
  return all;
}

std::vector<double> distances(const Context& context) {
  if (context.quick()) return {0.8, 1.6};
  return {0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.2, 2.4};
}

/// The same objects, none larger than the smallest of the paper's, under names that say so.
std::vector<Object> reduced(std::vector<Object> all) {
  for (Object& object : all) {
    object.triangles = std::min<std::size_t>(object.triangles, 3'392) / 2 * 2;
    if (const std::size_t space = object.name.find(' '); space != std::string::npos)
      object.name = object.name.substr(0, space + 1) + cell_text(object.triangles);
  }
  return all;
}

/// Rotations of one turn.
std::size_t rotations(const Context& context) { return context.pick<std::size_t>(2'000, 20); }

/// The mean over all distances and rotations; the curves over the distances besides.
Row turn(Context& context, const Object& object, const Method& method) {
  const std::size_t steps = rotations(context);
  Flown flown;
  flown.scene.env = flown.scene.object =
      scenes::fitted_to_cube(object.make ? object.make(object.triangles) : context.settings().object->mesh, 2);
  const Configuration c = configuration(method);
  TreeOptions alone = c.environment;
  alone.threads = 1;
  const double start = thread_seconds();
  const Model model(flown.scene.env, alone);
  const double build = thread_seconds() - start;
  Pair pair(model, model, c.pair);
  std::vector<double> us, nv, nu, np;
  std::size_t colliding = 0;
  for (const double distance : distances(context)) {
    const scenes::Flight path = scenes::full_turn(distance, steps);
    pair.count(true);
    pair.reset_stats();
    for (const Pose& pose : path) colliding += pair.collide({}, pose);
    const Counters counters = pair.stats();
    pair.count(false);
    const auto per_step = [steps](double n) { return n / static_cast<double>(steps); };
    nv.push_back(per_step(static_cast<double>(counters.nv)));
    nu.push_back(per_step(static_cast<double>(counters.nu)));
    np.push_back(per_step(static_cast<double>(counters.np)));
    const double before = thread_seconds();
    for (const Pose& pose : path) pair.collide({}, pose);
    us.push_back(per_step((thread_seconds() - before) * 1e6));
  }
  const auto mean = [](const std::vector<double>& values) {
    double sum = 0;
    for (const double v : values) sum += v;
    return sum / static_cast<double>(values.size());
  };
  const TreeStatistics tree = statistics(model);
  return {{"triangles", model.triangles().size()},
          {"ms", mean(us) / 1e3},
          {"nv", mean(nv)},
          {"nu", mean(nu)},
          {"np", mean(np)},
          {"colliding", colliding},
          {"build_s", build},
          {"megabytes", static_cast<double>(tree.model_bytes) / 1e6},
          {"us_by_distance", us},
          {"nv_by_distance", nv},
          {"nu_by_distance", nu},
          {"np_by_distance", np},
          {"leaves_at_depth", tree.leaves_at_depth}};
}

std::optional<double> given(double value) { return value == 0 ? std::nullopt : std::optional(value); }

const Row* find(const Table& table, const std::string& object, const std::string& method) {
  for (const Row& row : table.rows)
    if (row.at("object") == object && row.at("method") == method) return &row;
  return nullptr;
}

/// What the figures' curves are drawn from: every object and method, distance by distance. The lines of `drawn` objects
/// are shown, the others are in the files.
Table by_distance(const Context& context, const Table& table, const std::vector<std::string>& drawn) {
  Table out{"distances",
            "The curves of Figs. 4, 5, 7 and 8 over the distance between the centres of objects of size 2",
            {{"curve", "object and method"},
             {"object", "object"},
             {"method", "method"},
             {"distance", "distance", "", 2},
             {"us", "time", "µs", 3},
             {"nv", "Nv"},
             {"nu", "Nu"},
             {"np", "Np"}}};
  for (const Row& row : table.rows) {
    const std::vector<double> all = distances(context);
    for (std::size_t i = 0; i < all.size(); ++i) {
      Row at{{"curve", nullptr}, {"object", row.at("object")}, {"method", row.at("method")}, {"distance", all[i]}};
      if (std::ranges::find(drawn, row.at("object").get<std::string>()) != drawn.end())
        at["curve"] = fmt::format("{}, {}", row.at("object").get<std::string>(), row.at("method").get<std::string>());
      for (const std::string key : {"us", "nv", "nu", "np"}) at[key] = row.at(key + "_by_distance").at(i);
      out.rows.push_back(std::move(at));
    }
  }
  out.grids = {{"Time per check, µs", "curve", "distance", "us", false},
               {"Overlap tests per check, Nv", "curve", "distance", "nv", false},
               {"Realignments per check, Nu", "curve", "distance", "nu", false},
               {"Triangle pairs per check, Np", "curve", "distance", "np", false}};
  out.notes = {
      "Published as curves without numbers, and not read off. The means over the distances are in Tables 1 and 4 for "
      "Figs. 5, 7 and 8, beside ours; for the tori of Fig. 4 no number is published. Under Fig. 5 the paper speaks of "
      "an 'inversion' of the curve's shape for its locks, and not of what is inverted: that is not judged."};
  return out;
}

Plot over_distance(const Table& curves, const std::string& name, const std::string& title, const std::string& object,
                   std::initializer_list<const char*> shown) {
  Plot plot{name, title, {"distance between the centres of objects of size 2"}, {"µs per check", true}};
  for (const char* method : shown) {
    Series series{method, {}, {}, static_cast<int>(plot.series.size())};
    for (const Row& row : curves.rows)
      if (row.at("object") == object && row.at("method") == method)
        series.x.push_back(row.at("distance")), series.y.push_back(row.at("us"));
    if (!series.x.empty()) plot.series.push_back(std::move(series));
  }
  return plot;
}

/// The objects of one kind by their number of polygons.
Plot by_complexity(const Table& table, const std::vector<Object>& objects, const std::string& name,
                   const std::string& title, Mesh (*kind)(std::size_t)) {
  Plot plot{name, title + " by number of polygons", {"polygons", true}, {"µs per check", true}};
  for (std::size_t m = 0; m < methods.size(); ++m) {
    std::vector<std::pair<double, double>> points;
    for (const Object& object : objects)
      if (object.make == kind)
        if (const Row* row = find(table, object.name, methods[m].name))
          points.emplace_back(row->at("triangles").get<double>(), row->at("ms").get<double>() * 1e3);
    std::ranges::sort(points);
    Series series{methods[m].name, {}, {}, static_cast<int>(m)};
    for (const auto& [x, y] : points) series.x.push_back(x), series.y.push_back(y);
    plot.series.push_back(std::move(series));
  }
  return plot;
}

double ratio(const Table& table, const std::string& object, const std::string& a, const std::string& b,
             const std::string& key) {
  const Row *of_a = find(table, object, a), *of_b = find(table, object, b);
  return of_a && of_b ? of_a->at(key).get<double>() / of_b->at(key).get<double>() : std::nan("");
}

/// The geometric mean over objects of one method's time over that of 6-DOPs; of the published times with their key.
double mean_over_6(const Table& table, const std::vector<Object>& objects, const std::string& method,
                   const std::string& key = "ms") {
  double logs = 0;
  for (const Object& object : objects) logs += std::log(ratio(table, object.name, method, "6-DOP", key));
  return std::exp(logs / static_cast<double>(objects.size()));
}

/// Fig. 1: which polygons come to be tested if nothing ends the walk early. The paper does not say of which objects its
/// picture is; ours are the smallest of its tori, so that single polygons can be seen.
constexpr std::size_t fig1_triangles = 1'024;
constexpr double fig1_distance = 1.6;

Table considered(Context& context, Report& report) {
  Table table{"fig1",
              "Fig. 1: polygons considered for intersection in the worst case",
              {{"method", "method"},
               {"polygons", "polygons of both objects"},
               {"considered", "considered"},
               {"touching", "in contact"},
               {"np", "Np"},
               {"contacts", "contacts"}}};
  const Mesh torus = scenes::zachmann_torus(fig1_triangles);
  constexpr std::size_t steps = 2'000;
  const Pose pose = scenes::full_turn(fig1_distance, steps)[steps / 8];
  std::vector<SolidPanel> panels;
  for (const Method& method : methods) {
    if (method.k == 0) continue;  // the plain walk knows k-DOPs only
    Row row = context.row({{"figure", "fig1"}, {"method", method.name}}, to_json(configuration(method)), [&] {
      const Configuration c = configuration(method);
      const Model model(torus, c.environment);
      std::set<std::uint32_t> standing, turning, touching, touching_turned;
      const WalkCounts counts =
          PlainWalk(model, model, c.pair).ask(pose, [&](std::uint32_t of_env, std::uint32_t of_object) {
            standing.insert(of_env), turning.insert(of_object);
          });
      const Contacts contacts = Pair(model, model, c.pair).contacts({}, pose);
      for (const Contact& contact : contacts)
        touching.insert(contact.triangle_a), touching_turned.insert(contact.triangle_b);
      return Row{{"polygons", 2 * torus.triangles.size()},
                 {"considered", standing.size() + turning.size()},
                 {"touching", touching.size() + touching_turned.size()},
                 {"np", counts.np},
                 {"contacts", counts.contacts},
                 {"of_engine", contacts.size()},
                 {"standing", standing},
                 {"turning", turning}};
    });
    context.must_hold(row.at("contacts") == row.at("of_engine"),
                      fmt::format("Fig. 1, {}: the plain walk finds the engine's contacts", method.name));
    panels.push_back(
        {fmt::format("{}s: {} of {} polygons", method.name, cell_text(row.at("considered")),
                     cell_text(row.at("polygons"))),
         {row.at("standing").get<std::set<std::uint32_t>>(), row.at("turning").get<std::set<std::uint32_t>>()}});
    for (const char* list : {"standing", "turning"}) row.erase(list);
    table.rows.push_back(std::move(row));
  }
  must_agree(context, table, {"polygons"}, {"contacts"});
  table.notes = {
      fmt::format("Two tori of {} polygons each at distance {}, one turned by an eighth of a circle; a walk over the "
                  "preset's trees, one pair of volumes at a time, that no contact ends.",
                  cell_text(fig1_triangles), fig1_distance)};
  report.pictures.push_back(
      {"fig1", "Fig. 1: polygons considered for intersection in the worst case, solid among the lines of all",
       solid_among_lines(std::vector<LineBody>{{&torus, {}}, {&torus, pose}}, panels, {0.1, 0.7, -1}, {0, 0, 1})});
  return table;
}

/// The share of checks that found contact, which all methods agree on.
Table in_contact(const Context& context, const Table& table) {
  Table out{"contact",
            "How many of the checks found contact",
            {{"object", "object"}, {"checks", "checks"}, {"colliding", "in contact"}, {"percent", "share", "%", 3}}};
  const std::size_t checks = distances(context).size() * rotations(context);
  for (const Row& row : table.rows)
    if (row.at("method") == methods.front().name)
      out.rows.push_back({{"object", row.at("object")},
                          {"checks", checks},
                          {"colliding", row.at("colliding")},
                          {"percent", 100 * row.at("colliding").get<double>() / static_cast<double>(checks)}});
  return out;
}

/// Section 4.2: how many leaves are how deep.
struct PublishedDepths {
  const char* object;  // of ours
  std::size_t first;   // depth
  std::vector<std::size_t> leaves;

  std::size_t last() const { return first + leaves.size() - 1; }
};
const std::vector<PublishedDepths>& published_depths() {
  static const std::vector<PublishedDepths> all{{"spheres 22,952", 12, {1, 375, 8'853, 13'233, 642}},
                                                {"door", 10, {92, 740, 1'639, 659, 162, 42, 26}}};
  return all;
}

struct Depths {
  std::size_t first, last, leaves;
  double mean;
};
Depths depths_of(const std::vector<std::size_t>& leaves, std::size_t first) {
  Depths out{first, first, 0, 0};
  double sum = 0;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i] == 0) continue;
    if (out.leaves == 0) out.first = first + i;
    out.last = first + i;
    out.leaves += leaves[i];
    sum += static_cast<double>(leaves[i] * (first + i));
  }
  out.mean = sum / static_cast<double>(out.leaves);
  return out;
}

Table leaves_by_depth(const Context& context, const Table& table) {
  Table out{"depths", "Leaves by depth of the 6-DOP-tree (section 4.2)", {{"object", "object"}, {"depth", "depth"}}};
  add_compared_columns(out.columns, {"leaves", "leaves"});
  std::string sums;
  for (const PublishedDepths& published : published_depths()) {
    const Row* row = find(table, published.object, "6-DOP");
    if (!row) continue;
    const auto ours = row->at("leaves_at_depth").get<std::vector<std::size_t>>();
    for (std::size_t depth = 0; depth < std::max(ours.size(), published.last() + 1); ++depth) {
      const bool is_published = context.as_published() && depth >= published.first && depth <= published.last();
      if (!is_published && (depth >= ours.size() || ours[depth] == 0)) continue;
      Row one{{"object", published.object}, {"depth", depth}, {"leaves", depth < ours.size() ? ours[depth] : 0}};
      compare(
          one, "leaves",
          is_published ? std::optional(static_cast<double>(published.leaves[depth - published.first])) : std::nullopt);
      out.rows.push_back(std::move(one));
    }
    const Depths theirs = depths_of(published.leaves, published.first);
    sums +=
        fmt::format("{}{} leaves for its {}, {:.1f} deep in the mean", sums.empty() ? "" : " and ",
                    cell_text(theirs.leaves), published.object == std::string("door") ? "door" : "sphere", theirs.mean);
  }
  out.grids = {{"", "object", "depth", "leaves", context.as_published()}};
  if (out.rows.empty()) return out;
  out.notes = {fmt::format(
      "The root is at depth 0. The paper does not say where it begins to count, but the leaves of a balanced binary "
      "tree of so many are about as deep from there. The published numbers add up to {}. Its text says 'approximately "
      "20,000' and 'approximately 3,300 polygons'; ours have as many as in its other tables, 22,952 and 3,391.",
      sums)};
  return out;
}

/// Section 4.2: the average depth "is almost the same for all sets of orientations".
void tell_depths_by_k(const Table& table, const std::vector<Object>& objects, Report& report) {
  std::string told;
  bool same = true;
  for (const char* method : {"8-DOP", "14-DOP"}) {
    double least = 1e300, most = 0;
    for (const Object& object : objects) {
      const auto mean_depth = [&](const char* of) {
        return depths_of(find(table, object.name, of)->at("leaves_at_depth").get<std::vector<std::size_t>>(), 0).mean;
      };
      const double here = mean_depth(method) / mean_depth("6-DOP");
      least = std::min(least, here), most = std::max(most, here);
    }
    same = same && least > 0.9 && most < 1.1;
    told += fmt::format("{}{:.2f} to {:.2f} times with {}s", told.empty() ? "" : " and ", least, most, method);
  }
  told =
      "the average depth of leaves is 'almost the same for all sets of orientations' (section 4.2). Over that of "
      "6-DOP-trees, ours is " +
      told;
  if (same) {
    told[0] = 'T';
    report.findings.push_back(told + ".");
  } else {
    report.not_reproduced.push_back(told);
  }
}

/// The least and the most over the objects of one method's column over another's.
std::pair<double, double> range(const Table& table, const std::vector<Object>& objects, const std::string& a,
                                const std::string& b, const char* key) {
  double least = 1e300, most = 0;
  for (const Object& object : objects) {
    const double here = ratio(table, object.name, a, b, key);
    least = std::min(least, here), most = std::max(most, here);
  }
  return {least, most};
}

/// The objects for which the paper has a time of this method and of 6-DOPs.
std::vector<Object> with_published_time(const Table& table, const std::vector<Object>& objects,
                                        const std::string& method) {
  std::vector<Object> chosen;
  const auto has_time = [&](const Object& object, const std::string& of) {
    return find(table, object.name, of)->at(published_key("ms")).is_number();
  };
  std::ranges::copy_if(objects, std::back_inserter(chosen),
                       [&](const Object& object) { return has_time(object, method) && has_time(object, "6-DOP"); });
  return chosen;
}

/// Tables 1 and 4, object by object.
void missing_times(const Table& table, const std::vector<Object>& objects, std::vector<std::string>& out) {
  for (const auto& [method, what] :
       {std::pair{"8-DOP", "8-DOPs over 6-DOPs"}, {"14-DOP", "14-DOPs over 6-DOPs"}, {"OBB", "OBBs over 6-DOPs"}}) {
    std::string others;
    for (const Object& object : with_published_time(table, objects, method)) {
      const double ours = ratio(table, object.name, method, "6-DOP", "ms"),
                   theirs = ratio(table, object.name, method, "6-DOP", published_key("ms"));
      if (ours < theirs / 1.5 || ours > theirs * 1.5)
        others += fmt::format("{}{} {:.2f} ({})", others.empty() ? "" : ", ", object.name, ours, cell_text(theirs, 3));
    }
    if (!others.empty())
      out.push_back(
          fmt::format("time of {}, where it is off by more than half, published in brackets: {}", what, others));
  }
}

/// "2.0", or "1.7 to 4.5" where the ends differ in the digits shown.
std::string from_to(double least, double most, int decimals) {
  const std::string low = fmt::format("{:.{}f}", least, decimals), high = fmt::format("{:.{}f}", most, decimals);
  return low == high ? low : low + " to " + high;
}

/// The same of what was published.
std::pair<double, double> published_range(const Table& table, const std::vector<Object>& objects, const std::string& a,
                                          const std::string& b, const char* key) {
  double least = 1e300, most = 0;
  for (const Object& object : objects) {
    const Json &of_a = find(table, object.name, a)->at(published_key(key)),
               &of_b = find(table, object.name, b)->at(published_key(key));
    if (!of_a.is_number() || !of_b.is_number()) continue;
    const double here = of_a.get<double>() / of_b.get<double>();
    least = std::min(least, here), most = std::max(most, here);
  }
  return {least, most};
}

/// The captions of Tables 2 and 3, which the tables themselves contradict, too.
void missing_captions(const Table& table, const std::vector<Object>& objects, std::vector<std::string>& out) {
  for (const auto& [key, what] : {std::pair{"build_s", "Table 2: 14-DOP-trees take 'about 10 percent' longer to build"},
                                  {"megabytes", "Table 3: 14-DOP-trees need 'about 10 percent more memory'"}}) {
    const auto [least, most] = range(table, objects, "14-DOP", "6-DOP", key);
    const auto [least_published, most_published] = published_range(table, objects, "14-DOP", "6-DOP", key);
    if (most > 1.2)
      out.push_back(fmt::format("{} than 6-DOP-trees. Ours: {} times; the paper's own table: {} times", what,
                                from_to(least, most, 2), from_to(least_published, most_published, 2)));
  }
}

/// A claim that a method takes about as long as 6-DOPs, judged over the objects that it is about.
void judge_time(const Table& table, const std::vector<Object>& objects, const std::string& method, double bar,
                const std::string& claim, Report& report) {
  const double mean = mean_over_6(table, objects, method);
  const std::string told = fmt::format(
      "{}. Our {}s take {:.2f} times the time of 6-DOPs in the geometric mean over these {} (our bar: {:.2f} to "
      "{:.2f})",
      claim, method, mean, objects.size(), 1 / bar, bar);
  if (mean >= 1 / bar && mean <= bar)
    report.findings.push_back("Reproduced: " + told + ".");
  else
    report.not_reproduced.push_back(told);
}

/// Section 6, of times: that of 14-DOPs rests on Table 1 and Fig. 6 (section 5.1), that of RAPID on Table 4.
void judge_times(const Table& table, const std::vector<Object>& objects, Report& report) {
  const std::string as_good = "'6-DOPs (i.e., boxes) are as good as 14-DOPs', on the ";
  judge_time(table, with_published_time(table, objects, "14-DOP"), "14-DOP", 1.1,
             as_good + "CAD models of Table 1, for which ours stand in", report);
  std::vector<Object> tori;
  std::ranges::copy_if(objects, std::back_inserter(tori),
                       [](const Object& object) { return object.make == scenes::zachmann_torus; });
  judge_time(table, tori, "14-DOP", 1.1, as_good + "tori, of which Fig. 6 is", report);
  const std::vector<Object> of_table_4 = with_published_time(table, objects, "OBB");
  judge_time(
      table, of_table_4, "OBB", 1.25,
      fmt::format("DOP-trees are 'about as fast as Rapid using OBB-Trees', on the objects of Table 4 (published: "
                  "{:.2f} times)",
                  mean_over_6(table, of_table_4, "OBB", published_key("ms"))),
      report);
}

/// What the paper says of its tables and figures in words, where ours say otherwise.
std::vector<std::string> missing_claims(const Table& table, const Table& depths, const std::vector<Object>& objects) {
  std::vector<std::string> out;
  missing_times(table, objects, out);

  // Fig. 6 shows tori; two of them are in Table 4.
  constexpr const char *small = "tori 12,544", *large = "tori 73,984", *least = "tori 1,024", *most = "tori 99,856";
  const auto growth = [&](const char* method, const char* from, const char* to, const std::string& key) {
    return find(table, to, method)->at(key).get<double>() / find(table, from, method)->at(key).get<double>();
  };
  if (growth("6-DOP", least, most, "ms") > 2)
    out.push_back(fmt::format(
        "Fig. 6: the time of DOP-trees 'increases only slightly' with complexity. From 1,024 to 99,856 polygons ours "
        "grows {:.1f} times with 6-DOPs, {:.1f} with 8-DOPs and {:.1f} with 14-DOPs. From 12,544 to 73,984, for which "
        "Table 4 has 6-DOPs, it grows {:.2f} times; published: {:.2f}",
        growth("6-DOP", least, most, "ms"), growth("8-DOP", least, most, "ms"), growth("14-DOP", least, most, "ms"),
        growth("6-DOP", small, large, "ms"), growth("6-DOP", small, large, published_key("ms"))));

  if (const auto [fewest, largest] = range(table, objects, "OBB", "6-DOP", "megabytes"); fewest < 4 || largest > 8) {
    std::vector<Object> legible = objects;
    std::erase_if(legible, [](const Object& object) { return object.name == memory_misprinted; });
    const auto [fewest_published, most_published] = published_range(table, legible, "OBB", "6-DOP", "megabytes");
    out.push_back(
        fmt::format("Table 5: DOP-trees 'need about 4-8 times less memory than OBB-trees'. Ours need {} times less, "
                    "since both lie in nodes of eight lanes with the same mesh; the paper's own table: {} times, "
                    "without {}, whose 0.1 MB are likely a misprint",
                    from_to(fewest, largest, 1), from_to(fewest_published, most_published, 1), memory_misprinted));
  }
  if (const auto [fewest, largest] = range(table, objects, "OBB", "6-DOP", "build_s");
      fewest < 1.8 || largest > 4.4)  // "about": its own table has 1.96 to 4.2
    out.push_back(fmt::format(
        "Table 6: 'the construction of DOP-trees is about 2-4 times faster' than of OBB-trees. Ours is {} times faster",
        from_to(fewest, largest, 1)));
  missing_captions(table, objects, out);

  for (const PublishedDepths& published : published_depths()) {
    std::vector<std::size_t> leaves;
    for (const Row& row : depths.rows)
      if (row.at("object") == published.object) {
        const auto depth = row.at("depth").get<std::size_t>();
        leaves.resize(std::max(leaves.size(), depth + 1));
        leaves[depth] = row.at("leaves");
      }
    const Depths ours = depths_of(leaves, 0), theirs = depths_of(published.leaves, published.first);
    if (ours.first != theirs.first || ours.last != theirs.last)
      out.push_back(
          fmt::format("the depth of leaves of {} (section 4.2): ours {} to {}, {:.1f} in the mean; published "
                      "{} to {}, {:.1f} in the mean",
                      published.object, ours.first, ours.last, ours.mean, theirs.first, theirs.last, theirs.mean));
  }
  return out;
}

void run_zachmann(Context& context, Report& report) {
  std::vector<Object> chosen = objects();
  if (context.quick()) chosen = reduced({chosen[0], chosen[1], chosen[4]});
  if (const auto& given = context.settings().object)
    chosen = {{"given", given->name, given->mesh.triangles.size(), nullptr}};
  const bool given_object = context.settings().object != nullptr;
  context.plan(chosen.size() * methods.size() + (given_object ? 0 : methods.size() - 1));
  Table table{"all",
              "Two identical objects at a distance, one turning about z: mean over all distances and rotations",
              {{"object", "object"}, {"method", "method"}, {"triangles", "triangles"}}};
  add_compared_columns(table.columns, {"ms", "time", "ms", 3});
  table.columns.push_back({"nv", "Nv"});
  table.columns.push_back({"nu", "Nu"});
  table.columns.push_back({"np", "Np"});
  add_compared_columns(table.columns, {"build_s", "build", "s", 3});
  add_compared_columns(table.columns, {"megabytes", "memory of mesh and tree", "MB", 3});
  for (const Object& object : chosen)
    for (std::size_t m = 0; m < methods.size(); ++m) {
      const Method& method = methods[m];
      Row row = context.row({{"object", object.name}, {"method", method.name}}, to_json(configuration(method)),
                            [&] { return turn(context, object, method); });
      const Published& published = object.published[m];
      compare(row, "ms", context.as_published() ? given(published.ms) : std::nullopt);
      compare(row, "build_s", context.as_published() ? given(published.build_s) : std::nullopt);
      compare(row, "megabytes", context.as_published() ? given(published.megabytes) : std::nullopt);
      table.rows.push_back(std::move(row));
    }
  must_agree(context, table, {"object"}, {"colliding"});
  table.grids = {{"Tables 1 and 4: milliseconds per check", "object", "method", "ms"},
                 {"Overlap tests per check, Nv", "object", "method", "nv", false},
                 {"Realignments per check, Nu", "object", "method", "nu", false},
                 {"Triangle pairs per check, Np", "object", "method", "np", false},
                 {"Tables 2 and 6: seconds to build", "object", "method", "build_s"},
                 {"Tables 3 and 5: megabytes of mesh and tree", "object", "method", "megabytes"}};
  table.notes = {fmt::format(
      "{} distances from {} to {}, {} rotations each; any contact. A time is that of one turn, after one that was "
      "counted. A tree is built once.",
      distances(context).size(), distances(context).front(), distances(context).back(), rotations(context))};
  for (const Object& object : chosen)
    if (object.name.find(' ') == std::string::npos)
      report.stand_ins.push_back(fmt::format("{}: {}.", object.name, object.what));
  if (!context.settings().object)
    for (const auto& [name, scene] :
         {std::pair{"tori", "zachmann_torus"}, {"spheres", "zachmann_sphere"}, {"cylinders", "zachmann_cylinder"}})
      report.stand_ins.push_back(fmt::format("{}: {}", name, scenes::stand_in(scene)));
  report.stand_ins.emplace_back(
      "Sizes of tori and spheres without published figures, and all of cylinders, are ours, from 1,000 to 100,000 "
      "polygons as in section 5; that of 53,824 is Fig. 4's.");
  report.stand_ins.push_back(fmt::format(
      "The paper turns each object in 2,000 steps at every distance; here it is {}. In which direction one is moved "
      "away from the other is not published; here it is x. Nor is which distances it measured, nor which share of the "
      "checks found contact: our distances are evenly spaced from objects in each other to objects apart, and the "
      "table 'How many of the checks found contact' has the share. Its times are means over distances and rotations, "
      "and so are ours. How its objects lie is not published, either: our tori, spheres and cylinders turn about their "
      "own axis of symmetry, so that what they meet hardly changes in a turn. Its times include transforming normals "
      "(section 5.2); ours need none.",
      cell_text(rotations(context))));
  report.stand_ins.emplace_back(
      "A check ends here at the first contact; the paper's listing has no such end, and its text does not say. The "
      "listing does not test the two roots: to begin one level below is the paper's way, too. It "
      "realigns nodes 'as we encounter them', perhaps the same one several times at a pose; ours realigns each once, "
      "and Nu counts that. Table 4 prints 1.67 ms for 6-DOPs on pipes and 3.0 on the lock where Table 1 has 1.69 and "
      "3.02, Table 6 0.1 s for building the door where Table 2 has 0.14: beside ours are those of Tables 1 and 2. "
      "The 23.7 ms of Table 1 for 14-DOPs on pipes are 14 times those of 6-DOPs, where its other models have 1.0 to "
      "1.4 times: it may be a misprint of 2.37.");
  report.stand_ins.emplace_back(
      "Far pairs: the paper finds them by 'a simple O(n) heuristic', which it does not describe; ours takes the "
      "barycentre farthest from the mean of all, and the one farthest from that. How much a volume grows is not "
      "defined in the paper; ours is the sum of the widths, each divided by its normal's length. The paper begins the "
      "two sides with the far pair and takes the other polygons in turn, as they are sorted. Ours begins with the ends "
      "of the sorted set and takes polygons from both ends alternately, because as printed one side takes nearly all "
      "(tests/tree/printed_far_pair_test.cpp).");
  report.stand_ins.emplace_back(
      "Realignment: the paper takes three planes that meet at a corner of the unit DOP. So do ours with 6- and "
      "14-DOPs. "
      "At an 8-DOP's corners four planes meet, and three of them give bounds that are too small "
      "(tests/realign/printed_affine_test.cpp), so ours are the three around each direction. The printed half-space "
      "has a wrong sign, which is corrected. The paper inflates DOPs by a small epsilon while the tree is built; ours "
      "are rounded outward.");
  report.stand_ins.emplace_back(
      "Memory: vertices, polygons and tree of one object, as the paper counts it (section 5.2). It had changed RAPID's "
      "doubles to floats for this; our volumes are in floats, too, our vertices in doubles, and the tree keeps a copy "
      "of the triangles' corners in floats, 36 bytes a triangle. Its 0.1 MB for tori of 12,544 polygons are likely a "
      "misprint: they are 8 bytes a polygon, where the offsets of one 6-DOP take 24.");
  report.stand_ins.push_back(what_rapid_is());
  report.stand_ins.emplace_back(
      "Fig. 1 is made of two tori; of which objects the paper's is, it does not say. Not made: Fig. 2, which shows the "
      "paper's objects, and Fig. 3, a drawing.");
  report.stand_ins.push_back(what_it_ran_on(presets::zachmann1998));
  report.stand_ins.push_back(what_runs(presets::zachmann1998));

  const Table depths = leaves_by_depth(context, table);

  const std::string torus = context.quick() ? chosen.back().name : "tori 53,824";
  const Table curves = by_distance(context, table, {"given", torus, "lock", "car"});
  if (context.settings().object)
    report.plots = {over_distance(curves, "given", "The given object beside itself, one turning", "given",
                                  {"6-DOP", "8-DOP", "14-DOP", "OBB"})};
  else
    report.plots = {over_distance(curves, "fig4", "Fig. 4: two tori, one turning", torus, {"6-DOP", "8-DOP", "14-DOP"}),
                    over_distance(curves, "fig5", "Fig. 5: two locks (stand-in), one turning", "lock",
                                  {"6-DOP", "8-DOP", "14-DOP"})};
  if (context.as_published()) {
    report.plots.push_back(by_complexity(table, chosen, "fig6", "Fig. 6: mean time for tori", scenes::zachmann_torus));
    report.plots.push_back(by_complexity(table, chosen, "spheres", "Mean time for spheres (no figure published)",
                                         scenes::zachmann_sphere));
    report.plots.push_back(by_complexity(table, chosen, "cylinders", "Mean time for cylinders (no figure published)",
                                         scenes::zachmann_cylinder));
    report.plots.push_back(
        over_distance(curves, "fig7", "Fig. 7: car (stand-in), DOPs and OBBs", "car", {"6-DOP", "OBB"}));
    report.plots.push_back(
        over_distance(curves, "fig8", "Fig. 8: lock (stand-in), DOPs and OBBs", "lock", {"6-DOP", "OBB"}));
  }

  const auto against_6 = [&](const char* method) {
    double least = 1e300, most = 0;
    std::string least_on, most_on;
    for (const Object& object : chosen) {
      const double r = ratio(table, object.name, method, "6-DOP", "ms");
      if (r < least) least = r, least_on = object.name;
      if (r > most) most = r, most_on = object.name;
    }
    return chosen.size() == 1
               ? fmt::format("The time of {}s is {:.2f} times that of 6-DOPs", method, most)
               : fmt::format(
                     "The time of {}s is {:.2f} ({}) to {:.2f} ({}) times that of 6-DOPs, in the geometric mean "
                     "over all objects, the paper's and ours, {:.2f} times",
                     method, least, least_on, most, most_on, mean_over_6(table, chosen, method));
  };
  if (context.as_published()) report.not_reproduced = missing_claims(table, depths, chosen);
  report.findings = {
      fmt::format(
          "{} (the paper: 7 to 137 times on its CAD models, without knowing why; the study of 8-DOPs looks for the "
          "reason).",
          against_6("8-DOP")),
      against_6("14-DOP") + ".", against_6("OBB") + "."};
  if (context.as_published()) {
    judge_times(table, chosen, report);
    tell_depths_by_k(table, chosen, report);
  }
  if (const Row* pipes = find(table, "pipes", "6-DOP"); pipes && context.as_published()) {
    const Row& boxes = *find(table, "pipes", "OBB");
    report.findings.push_back(fmt::format(
        "{}A binary tree occupies nodes of eight lanes and uses two: mesh and 6-DOPs of pipes take {} MB, {} times the "
        "published.",
        pipes->at(ratio_key("megabytes")) > 1 ? "Where we lose: memory. " : "", cell_text(pipes->at("megabytes"), 3),
        cell_text(pipes->at(ratio_key("megabytes")), 2)));
    report.findings.push_back(
        fmt::format("{}OBBs of pipes take {} s to build, {} times what RAPID took in 1998.",
                    boxes.at(ratio_key("build_s")) > 1 ? "Where we lose: OBBs' construction. " : "",
                    cell_text(boxes.at("build_s"), 3), cell_text(boxes.at(ratio_key("build_s")), 2)));
  }
  report.tables = {table, curves, depths, in_contact(context, table)};
  if (given_object) return;
  const Table fig1 = considered(context, report);
  std::string shares;
  for (const Row& row : fig1.rows)
    shares += fmt::format("{}{:.0f} % with {}s", shares.empty() ? "" : ", ",
                          100 * row.at("considered").get<double>() / row.at("polygons").get<double>(),
                          row.at("method").get<std::string>());
  report.findings.push_back(fmt::format(
      "Fig. 1: of two crossing tori {} of {} polygons are in contact; considered in the worst case are {} of them (the "
      "paper: every hierarchy would give 'a similar image').",
      cell_text(fig1.rows[0].at("touching")), cell_text(fig1.rows[0].at("polygons")), shares));
  report.tables.push_back(fig1);
}

}  // namespace

Experiment zachmann1998() {
  return {"zachmann1998",
          "DOP-trees realigned by affine maps: k, OBBs, memory and construction",
          "Zachmann 1998, Figs. 1 and 4 to 8, Tables 1 to 6",
          "zachmann.cpp",
          run_zachmann,
          {.object = true}};
}

}  // namespace tumble::lab
