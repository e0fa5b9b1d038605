// SPDX-License-Identifier: Apache-2.0
// Random calls with budgets, of every kind of request, on pairs that are used again and again: every Certainty, list
// and callback is held against answers known beforehand. Usage: budget_calls [--calls N] [--seed S]. Exit status 1 if
// anything is wrong.
#include "brute_force.h"
#include "mesh/shapes.h"
#include "query/near_scenes.h"
#include "require.h"

#include <tumble/query.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

using namespace tumble;

namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();
constexpr double infinite = std::numeric_limits<double>::infinity();

using testing::asked, testing::require, testing::wrong;

/// Everything that may be said about two bodies at one pose.
struct Truth {
  testing::AllDistances distances;
  Contacts contacts;                                // of surfaces, by brute force
  Contacts solid_contacts;                          // by a fresh pair, which is asked nothing else
  bool solid_touch = false, solid_overlap = false;  // collide of solids, with touches and without
  double solid_distance = 0;
  Penetration depth;
  OverlapDepth overlap_depth;

  Truth(const Mesh& a, const Mesh& b, const Pose& pose, bool closed)
      : distances(a, {}, b, pose), contacts(brute_force_contacts(a, {}, b, pose)) {
    if (!closed) return;
    const Model model_a(a), model_b(b);
    solid_contacts = tumble::contacts(model_a, {}, model_b, pose, {.solid = true});
    solid_touch = collide(model_a, {}, model_b, pose, {.solid = true});
    solid_overlap = collide(model_a, {}, model_b, pose, {.ignore_touch = true, .solid = true});
    // A plain distance may exceed the least of all by a rounding.
    solid_distance = distance(model_a, {}, model_b, pose, {.solid = true, .last_bit = true}).distance;
    depth = penetration(model_a, {}, model_b, pose, {.precision = 0.02});
    overlap_depth = tumble::overlap_depth(model_a, {}, model_b, pose, {.precision = 0.02});
  }

  double least(bool solid) const { return solid ? solid_distance : distances.least; }
  bool collides(bool ignore_touch, bool solid) const {
    if (solid) return ignore_touch ? solid_overlap : solid_touch;
    return !listed(ignore_touch, false).empty();
  }
  Contacts listed(bool ignore_touch, bool solid) const {
    Contacts all = solid ? solid_contacts : contacts;
    if (ignore_touch) std::erase_if(all, [](const Contact& c) { return c.kind == ContactKind::touch; });
    return all;
  }
};

struct Scene {
  std::string name;
  Mesh a, b;
  bool closed;
  std::vector<Pose> poses;
  std::vector<Truth> truths;
  std::vector<Pair> pairs;
};

std::vector<Scene> make_scenes(scenes::Random& random) {
  std::vector<Scene> all;
  const auto add = [&](const char* name, const Mesh& a, const Mesh& b, bool closed, std::vector<Pose> poses) {
    Scene scene{name, a, b, closed, std::move(poses), {}, {}};
    for (const Pose& pose : scene.poses) scene.truths.emplace_back(a, b, pose, closed);
    for (const Bound bound : {Bound::obb, Bound::dop})
      for (const Coherent coherent : {Coherent::on, Coherent::automatic, Coherent::off}) {
        TreeOptions tree;
        tree.bound = bound;
        tree.leaf_size = coherent == Coherent::off ? 16 : coherent == Coherent::on ? 1 : 0;
        PairOptions options;
        options.coherent = coherent;
        options.descend = static_cast<Descend>(random.index(4));
        scene.pairs.emplace_back(Model(a, tree), Model(b, tree), options);
      }
    all.push_back(std::move(scene));
  };
  const auto random_poses = [&](int count, double spread) {
    std::vector<Pose> poses;
    for (int i = 0; i < count; ++i) poses.push_back(testing::random_pose(random, {}, spread));
    return poses;
  };
  const auto on_grid = [&](int count) {  // where sides lie flush, edges meet and boxes hold each other
    std::vector<Pose> poses;
    for (int i = 0; i < count; ++i)
      poses.push_back(
          Pose::from_translation({0.25 * std::round(random.between(-6, 6)), 0.25 * std::round(random.between(-6, 6)),
                                  0.25 * std::round(random.between(-3, 3))}));
    return poses;
  };
  const Mesh torus = scenes::wrinkled_torus(200), small_torus = testing::moved(torus, 0.1);
  add("tori", torus, scenes::zachmann_torus(100), true, random_poses(8, 2.5));
  add("a small torus in a large one", torus, small_torus, true, random_poses(12, 1.1));
  const Mesh nested =
      test::together({test::box({-1, -1, -1}, {1, 1, 1}), test::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}),
                      test::box({1.5, -1, -1}, {2, 1, 1})});
  const Mesh two = test::together(
      {test::box({-0.25, -0.25, -0.25}, {0.25, 0.25, 0.25}), test::box({0.75, -0.25, -0.25}, {1.25, 0.25, 0.25})});
  add("boxes on a grid", nested, two, true, on_grid(24));
  add("over a landscape", scenes::landscape(200), testing::moved(torus, 0.3), false, random_poses(8, 1.5));
  add("among tetrahedra", scenes::tetrahedron_field(40, 2), small_torus, false, random_poses(8, 0.4));
  return all;
}

std::size_t number(const Truth& truth, std::uint32_t a, std::uint32_t b) { return a * truth.distances.columns + b; }

class Run {
 public:
  Run(std::size_t calls, std::uint64_t seed) : random_(seed), scenes_(make_scenes(random_)), calls_left_(calls) {}

  void all() {
    while (calls_left_ > 0 && wrong < 100) question();
    std::printf(
        "%zu questions: %zu finished, %zu of them after several calls, %zu ended by a function, %zu abandoned\n",
        finished_ + ended_ + abandoned_, finished_, resumed_, ended_, abandoned_);
    std::printf("verdicts: %zu free, %zu colliding, %zu unknown\n", verdicts_[0], verdicts_[1], verdicts_[2]);
  }
  /// Whether it has seen enough of everything to say something.
  bool is_worth_it() const { return finished_ > 0 && resumed_ > 0 && ended_ > 0 && abandoned_ > 0 && verdicts_[2] > 0; }

 private:
  bool chance(double p) { return random_.unit() < p; }

  Budget budget() {
    Budget limit;
    const double kind = random_.unit();
    if (kind < 0.75) limit.node_pairs = static_cast<std::uint64_t>(std::exp(random_.between(0, 6))) - 1;
    if (kind > 0.65 && kind < 0.9)
      limit.time = std::chrono::nanoseconds(static_cast<std::int64_t>(std::exp(random_.between(0, 10))));
    return limit;
  }

  Request request(const Scene& scene, const Truth& truth) {
    const bool solid = scene.closed && chance(0.5), ignore_touch = chance(0.3);
    const std::size_t at_most = chance(0.7) ? no_limit : random_.index(8);
    const double rel = chance(0.5) ? 0 : random_.between(0, 0.3), abs = chance(0.5) ? 0 : random_.between(0, 0.1);
    const double bound = chance(0.7) ? infinite : random_.between(0, 2) * truth.distances.least;
    switch (random_.index(scene.closed ? 8 : 6)) {
      case 0: return CollideRequest{ignore_touch, solid};
      case 1: return ContactRequest{ignore_touch, at_most, chance(0.3), solid};
      case 2: return DistanceRequest{rel, abs, bound, solid, chance(0.5)};
      case 3: return WithinRequest{truth.distances.least * random_.between(0.9, 1.2) + abs, at_most};
      case 4: return ClosestPairsRequest{rel * 0.1, abs * 0.1, bound};
      case 5: return ClosingPairsRequest{rel * 0.1, abs * 0.1, bound};
      case 6: return PenetrationRequest{chance(0.5) ? 0 : random_.between(0.02, 0.2)};
      default: return OverlapDepthRequest{random_.between(0.02, 0.2)};
    }
  }

  void question() {
    if (chance(0.3)) scene_ = random_.index(scenes_.size());
    Scene& scene = scenes_[scene_];
    if (chance(0.5)) pose_ = random_.index(scene.poses.size());
    pose_ %= scene.poses.size();
    const std::size_t chosen = random_.index(scene.pairs.size());
    Pair& pair = scene.pairs[chosen];
    const Truth& truth = scene.truths[pose_];
    const Request asks = request(scene, truth);
    asked = scene.name + ", pair " + std::to_string(chosen) + ", pose " + std::to_string(pose_) + ", request " +
            std::to_string(asks.index()) + ", " + std::to_string(calls_left_) + " calls to go";
    if (chance(0.1)) pair.forget();
    if (chance(0.1)) require(pair.collide({}, scene.poses[pose_]) == truth.collides(false, false), "the plain answer");
    Query query = pair.start({}, scene.poses[pose_], asks);
    std::visit([&](const auto& r) { pursue(query, r, truth); }, asks);
  }

  /// Runs the query until it is finished, ended by its function, or abandoned; judges every step of the way.
  template <class R>
  void pursue(Query& query, const R& r, const Truth& truth) {
    constexpr bool has_contacts = std::is_same_v<R, ContactRequest>;
    constexpr bool has_pairs = std::is_same_v<R, WithinRequest> || std::is_same_v<R, ClosestPairsRequest> ||
                               std::is_same_v<R, ClosingPairsRequest>;
    Told told;
    const bool listens = (has_contacts || has_pairs) && chance(0.5), patient = chance(0.7);
    bool ended = false;
    Certainty c;
    for (int calls = 1;; ++calls) {
      const Budget limit = calls > 30 ? Budget{} : budget();
      if (listens && chance(0.9)) {
        if constexpr (has_contacts) {
          const std::function<bool(const Contact&)> each = [&](const Contact& contact) {
            require(!ended, "a function is called after it ended the question");
            require(told.numbers.insert(std::pair(contact.triangle_a, contact.triangle_b)).second, "told twice");
            ended = !patient && chance(0.3);
            return !ended;
          };
          c = query.run(limit, each);
        } else if constexpr (has_pairs) {
          const std::function<bool(const NearPair&)> each = [&](const NearPair& pair) {
            require(!ended, "a function is called after it ended the question");
            require(told.numbers.insert(std::pair(pair.triangle_a, pair.triangle_b)).second, "told twice");
            require(pair.distance == std::sqrt(truth.distances.squares[truth.distances.number(pair)]),
                    "a told distance");
            if constexpr (std::is_same_v<R, ClosingPairsRequest>) {
              require(pair.distance <= told.least * (1 + r.rel_error) + r.abs_error, "a closing pair is too far");
              told.least = std::min(told.least, pair.distance);
            }
            ended = !patient && chance(0.3);
            return !ended;
          };
          c = query.run(limit, each);
        }
        told.is_complete = true;
      } else {
        c = query.run(limit);
        told.is_complete = false;
      }
      if (calls_left_ > 0) --calls_left_;
      ++verdicts_[static_cast<std::size_t>(c.verdict)];
      judge(c, r, truth, ended);
      judge_answer(query, c, r, truth, told, ended);
      if (ended) {
        require(c.finished, "a function ended the question, and it goes on");
        ++ended_;
        return;
      }
      if (c.finished) {
        ++finished_;
        resumed_ += calls > 1;
        const Certainty again = query.run(budget());
        require(again.finished && again.verdict == c.verdict, "a finished question changes");
        return;
      }
      if (calls_left_ == 0 || chance(0.1)) {
        ++abandoned_;
        return;
      }
    }
  }

  struct Told {
    std::set<std::pair<std::uint32_t, std::uint32_t>> numbers;
    double least = infinite;
    bool is_complete = false;  // the last call had a function, which hears what earlier ones found
  };

  template <class R>
  static bool is_solid(const R& r) {
    if constexpr (requires { r.solid; }) return r.solid;
    return std::is_same_v<R, PenetrationRequest> || std::is_same_v<R, OverlapDepthRequest>;
  }
  template <class R>
  static bool ignores_touch(const R& r) {
    if constexpr (requires { r.ignore_touch; }) return r.ignore_touch;
    return false;
  }

  /// What holds for every request: verdict and interval.
  template <class R>
  void judge(const Certainty& c, const R& r, const Truth& truth, bool ended) {
    const bool solid = is_solid(r), lists = std::is_same_v<R, ContactRequest>;
    const bool collides =
        lists ? !truth.listed(ignores_touch(r), solid).empty() : truth.collides(ignores_touch(r), solid);
    require(c.verdict != Verdict::free || !collides, "says free");
    require(c.verdict != Verdict::colliding || collides, "says colliding");
    require(c.lower <= truth.least(solid), "the interval begins above the distance");
    require(c.closest.distance >= truth.least(solid), "the interval ends below the distance");
    require(c.lower <= c.closest.distance, "the interval is turned around");
    require(c.separation >= 0, "a separation is negative");
    const bool decides =
        std::is_same_v<R, CollideRequest> || std::is_same_v<R, ContactRequest> || std::is_same_v<R, PenetrationRequest>;
    if (c.finished && !ended && decides) require(c.verdict != Verdict::unknown, "finished, and still unknown");
  }

  void judge_answer(Query&, const Certainty&, const CollideRequest&, const Truth&, const Told&, bool) {}

  void judge_answer(Query& query, const Certainty& c, const ContactRequest& r, const Truth& truth, const Told& told,
                    bool ended) {
    const Contacts all = truth.listed(r.ignore_touch, r.solid);
    const Contacts& found = query.contacts();
    const auto is_before = [](const Contact& p, const Contact& q) {
      return std::pair(p.triangle_a, p.triangle_b) < std::pair(q.triangle_a, q.triangle_b);
    };
    require(std::ranges::is_sorted(found, is_before), "contacts are not sorted");
    for (const Contact& contact : found) {
      const auto [first, last] = std::equal_range(all.begin(), all.end(), contact, is_before);
      const bool is_known = std::any_of(first, last, [&](const Contact& p) {
        const bool same_place = p.point == contact.point && p.vertex_count == contact.vertex_count;
        return p.kind == contact.kind && (same_place || !r.geometry);
      });
      require(is_known, "a contact that is none");
    }
    require(std::ranges::adjacent_find(
                found, [&](const Contact& p, const Contact& q) { return !is_before(p, q) && p.kind == q.kind; }) ==
                found.end(),
            "a contact is listed twice");
    require(found.size() <= r.at_most && told.numbers.size() <= r.at_most, "more than asked for");
    for (const auto& [a, b] : told.numbers) {
      Contact key;
      key.triangle_a = a, key.triangle_b = b;
      require(std::ranges::binary_search(all, key, is_before), "a contact was told that is none");
    }
    if (!c.finished || ended) return;
    const std::size_t expected = std::min(all.size(), r.at_most);
    require(found.size() == expected, "contacts are missing");
    if (told.is_complete) require(told.numbers.size() == expected, "contacts were not told");
    require((c.verdict == Verdict::colliding) == !all.empty(), "the verdict of all contacts");
  }

  void judge_answer(Query&, const Certainty& c, const DistanceRequest& r, const Truth& truth, const Told&, bool) {
    if (!c.finished) return;
    const double least = truth.least(r.solid);
    require(c.closest.farther == (least > r.upper_bound) || r.rel_error > 0 || r.abs_error > 0, "farther or not");
    if (least > r.upper_bound) return;
    const double tie = r.last_bit ? 0 : 1e-12 * (least + 1);
    require(c.closest.distance <= (least * (1 + r.rel_error) + r.abs_error) * (1 + 1e-12) + 1e-12,
            "the error is too large");
    if (r.rel_error > 0 || r.abs_error > 0) return;
    if (r.last_bit) require(c.closest.distance == least && c.lower == least, "the distance");
    require(c.lower >= c.closest.distance - tie, "the distance ties with none");
  }

  void judge_answer(Query& query, const Certainty& c, const WithinRequest& r, const Truth& truth, const Told& told,
                    bool ended) {
    const std::vector<std::size_t> all =
        truth.distances.where([&](double sq) { return sq <= r.distance * r.distance; });
    judge_pairs(query, truth, all, told);
    require(!c.near || !all.empty(), "near, and nothing is");
    require(query.pairs().size() <= r.at_most && told.numbers.size() <= r.at_most, "more than asked for");
    if (!c.finished || ended) return;
    require(r.at_most == 0 || c.near == !all.empty(), "near or not");
    require(query.pairs().size() == std::min(all.size(), r.at_most), "pairs are missing");
    if (told.is_complete) require(told.numbers.size() == std::min(all.size(), r.at_most), "pairs were not told");
  }

  void judge_answer(Query& query, const Certainty& c, const ClosestPairsRequest& r, const Truth& truth,
                    const Told& told, bool ended) {
    judge_pairs(query, truth, std::nullopt, told);
    if (!c.finished || ended) return;
    const std::vector<std::size_t> all = close_pairs(truth, r);
    judge_pairs(query, truth, all, {});
    require(query.pairs().size() == all.size(), "closest pairs are missing");
    if (told.is_complete)
      for (const std::size_t n : all)
        require(told.numbers.contains(numbers_of(truth, n)), "a closest pair was not told");
  }

  void judge_answer(Query& query, const Certainty& c, const ClosingPairsRequest& r, const Truth& truth,
                    const Told& told, bool ended) {
    judge_pairs(query, truth, std::nullopt, told);
    if (!c.finished || ended) return;
    std::set<std::pair<std::uint32_t, std::uint32_t>> found;
    for (const NearPair& pair : query.pairs()) found.insert({pair.triangle_a, pair.triangle_b});
    for (const std::size_t n : close_pairs(truth, {r.rel_error, r.abs_error, r.upper_bound}))
      require(found.contains(numbers_of(truth, n)), "a closest pair is not among the closing ones");
    if (told.is_complete) require(told.numbers == found, "the list is not what was told");
  }

  void judge_answer(Query& query, const Certainty& c, const PenetrationRequest& r, const Truth& truth, const Told&,
                    bool) {
    const Penetration p = query.penetration();
    const double rounding = 1e-12;
    for (const auto& [now, plain] :
         {std::pair(p.a_in_b, truth.depth.a_in_b), std::pair(p.b_in_a, truth.depth.b_in_a)}) {
      require(now.lower <= plain.upper + rounding, "a depth is too large");
      if (c.finished || p.in_contact) require(now.upper >= plain.lower - rounding, "a depth is too small");
      if (c.finished && r.precision > 0)
        require(now.upper - now.lower <= r.precision + rounding, "a depth is not as narrow as asked for");
    }
    if (c.finished) require(p.in_contact == truth.solid_touch, "in contact or not");
  }

  void judge_answer(Query& query, const Certainty& c, const OverlapDepthRequest& r, const Truth& truth, const Told&,
                    bool) {
    const OverlapDepth now = query.overlap_depth(), &plain = truth.overlap_depth;
    const double rounding = 1e-12;
    require(now.lower <= plain.upper + rounding, "an overlap depth is too large");
    if (c.finished || now.in_contact) require(now.upper >= plain.lower - rounding, "an overlap depth is too small");
    if (c.finished && now.precise)
      require(now.upper - now.lower <= r.precision, "an overlap depth is not as narrow as asked for");
    if (c.finished) require(now.in_contact == truth.solid_touch, "in contact or not");
  }

  static std::pair<std::uint32_t, std::uint32_t> numbers_of(const Truth& truth, std::size_t n) {
    return {static_cast<std::uint32_t>(n / truth.distances.columns),
            static_cast<std::uint32_t>(n % truth.distances.columns)};
  }
  static std::vector<std::size_t> close_pairs(const Truth& truth, const ClosestPairsRequest& r) {
    if (truth.distances.least > r.upper_bound) return {};
    const double widest = truth.distances.least * (1 + r.rel_error) + r.abs_error;
    return truth.distances.where([&](double sq) { return std::sqrt(sq) <= widest; });
  }
  /// Sorted, each once, at the right distance and, if all are known, among them.
  void judge_pairs(Query& query, const Truth& truth, const std::optional<std::vector<std::size_t>>& all,
                   const Told& told) {
    const NearPairs& found = query.pairs();
    std::size_t before = no_limit;
    for (const NearPair& pair : found) {
      const std::size_t n = truth.distances.number(pair);
      require(before == no_limit || before < n, "pairs are not sorted, or listed twice");
      require(pair.distance == std::sqrt(truth.distances.squares[n]), "the distance of a pair");
      if (all) require(std::ranges::binary_search(*all, n), "a pair that is none");
      before = n;
    }
    if (all)
      for (const auto& [a, b] : told.numbers)
        require(std::ranges::binary_search(*all, number(truth, a, b)), "a pair was told that is none");
  }

  scenes::Random random_;
  std::vector<Scene> scenes_;
  std::size_t calls_left_, scene_ = 0, pose_ = 0;
  std::size_t finished_ = 0, resumed_ = 0, ended_ = 0, abandoned_ = 0;
  std::array<std::size_t, 3> verdicts_{};
};

}  // namespace

int main(int count, char** words) {
  std::size_t calls = 100'000;
  std::uint64_t seed = std::random_device{}();
  for (int i = 1; i < count; i += 2) {
    const bool has_value = i + 1 < count;
    if (has_value && std::strcmp(words[i], "--calls") == 0)
      calls = std::strtoull(words[i + 1], nullptr, 10);
    else if (has_value && std::strcmp(words[i], "--seed") == 0)
      seed = std::strtoull(words[i + 1], nullptr, 10);
    else
      return std::fprintf(stderr, "usage: %s [--calls N] [--seed S]\n", words[0]), 2;
  }
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  Run run(calls, seed);
  run.all();
  std::printf("%zu calls, %zu wrong\n", calls, wrong);
  return wrong == 0 && run.is_worth_it() ? 0 : 1;
}
