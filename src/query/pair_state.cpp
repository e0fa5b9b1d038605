// SPDX-License-Identifier: Apache-2.0
// Which body stands, where a walk starts, and when bounds are of no use.
#include "query/pair_state.h"

#include "core/sort_by_key.h"
#include "geometry/contact.h"

#include <tumble/error.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tumble {
namespace {

/// Beyond this the smaller tree's coordinates have no room in single precision beside the larger's.
constexpr double largest_scale = 0x1p30;
/// Where roles cannot be changed (a box has to move, as DOPs are never realigned to boxes), up to here single precision
/// neither overflows in the leaves (LeafFilter) nor reaches the empty lanes of nodes.
constexpr double largest_mixed_scale = 0x1p36;
/// In the target's units: a margin beyond this, of roundings far from the origin or of the distance asked for, tells
/// nothing apart any more.
constexpr double largest_margin = 0x1p40;
/// Likewise: gaps are squared in single precision, which ends at 2^128.
constexpr double largest_offset = 0x1p60;

/// In units of the object's tree, whose radius is about one: measured, fronts pay up to here.
constexpr double worthwhile_motion = 0.008;
/// So many queries go without a front after one that did not pay: bodies in deep contact open almost all anyway.
constexpr int front_pause = 16;

BoundKind kind_of(const Tree& tree) { return {tree.bound, tree.k}; }

/// The corners of the triangles below a lane.
std::vector<Vec3> points_below(const ModelData& model, std::uint32_t node, int lane) {
  const Tree& tree = model.tree;
  std::vector<Vec3> points;
  std::vector<Child> pending{tree.node(node).children[lane]};
  while (!pending.empty()) {
    const Child child = pending.back();
    pending.pop_back();
    if (child.is_leaf()) {
      const LeafView leaf = tree.leaf(child.index());
      for (std::uint32_t slot = leaf.first; slot < leaf.last; ++slot)
        for (const std::uint32_t v : model.triangles[tree.triangle_ids[slot]])
          points.push_back(tree.frame.to_tree(model.vertices[v]));
    } else {
      const NodeView below = tree.node(child.index());
      for (int l = 0; l < below.used_lanes(); ++l) pending.push_back(below.children[l]);
    }
  }
  return points;
}

std::vector<std::uint8_t> depths_of(const Tree& tree) {
  std::vector<std::uint8_t> depths(tree.node_count);
  for (std::uint32_t n = 0; n < tree.node_count; ++n) {
    const NodeView node = tree.node(n);
    for (int lane = 0; lane < node.used_lanes(); ++lane)
      if (!node.children[lane].is_leaf())
        depths[node.children[lane].index()] = static_cast<std::uint8_t>(depths[n] + 1);
  }
  return depths;
}

SourceSets sets_of(const std::shared_ptr<const ModelData>& model, const PairOptions& options) {
  SourceSets sets;
  sets.node_count = model->tree.node_count;
  sets.points = [model](std::uint32_t node, int lane) { return points_below(*model, node, lane); };
  std::vector<std::uint8_t> depths;
  if (options.realign == Realign::hill_climbing) depths = depths_of(model->tree);
  sets.depth = [depths = std::move(depths)](std::uint32_t node) { return int{depths[node]}; };
  return sets;
}

}  // namespace

Pair::State::State(Model env, Model obj, const PairOptions& opts)
    : environment(std::move(env)), object(std::move(obj)), options(opts) {
  check(options);
  const Tree &e = data_of(environment).tree, &o = data_of(object).tree;
  // The standing body is the environment, unless only the other way round its bounds can be brought together, or it
  // is so much the smaller that its units would not do.
  const double scale = std::ldexp(1.0, o.frame.exponent - e.frame.exponent);
  environment_is_target = e.bound == o.bound ? scale <= largest_scale : e.bound == Bound::dop;
  relation.emplace(target().tree.frame, source().tree.frame);
  realigner = make_realigner(options, kind_of(source().tree), kind_of(target().tree),
                             sets_of(ModelAccess::data(environment_is_target ? object : environment), options));
  source_radius = radius_of(source().tree);
  realigned = RealignedNodes(source().tree.node_count, static_cast<std::size_t>(target().tree.rows()) * 8);
}

void Pair::State::refuse_if_walking() const {
  if (is_walking)
    throw Error(ErrorCode::invalid_argument,
                "a function called with a pair's contacts asked the same pair; use a second Pair of the same models");
}

TreePair Pair::State::trees_at(const RelativePose& pose) {
  return {.target = target().tree,
          .source = source().tree,
          .pose = pose,
          .realigner = *realigner,
          .realigned = realigned,
          .counters = counts ? &counters : nullptr,
          .descend = options.descend,
          .environment_is_target = environment_is_target,
          .remember = options.remember};
}

bool Pair::State::run_alone(const PlacedPair& bodies, bool one_is_enough, Sink& sink) {
  const RelativePose pose = relation->at(bodies.target().pose, bodies.source().pose, 0);
  if (are_far_apart(pose)) {
    front.drop();
    return false;
  }
  if (!bounds_serve(pose)) return compare_all(sink);
  const OverlapTask task{
      .trees = trees_at(pose), .stack = stack, .sink = sink, .nearest_first = one_is_enough, .front = front_for(pose)};
  return overlap_walk(task);
}

/// The front to start from and to leave behind, or none where it would not pay: it costs more than it saves when
/// bodies move by more than about a hundredth of the object's size between queries, spared the last walk little, or has
/// become much finer than a fresh walk's. Dropped here, it is made anew by this walk.
Front* Pair::State::front_for(const RelativePose& pose) {
  if (options.coherent == Coherent::off || options.descend == Descend::restart) return nullptr;
  const double motion =
      front_has_pose ? motion_between(front.pose, pose, source_radius) : std::numeric_limits<double>::infinity();
  front.pose = pose;
  front_has_pose = true;
  if (options.coherent == Coherent::automatic) {
    if (front.has_not_paid()) queries_without_front = front_pause;
    const bool pauses = queries_without_front > 0;
    if (pauses) --queries_without_front;
    if (pauses || !(motion <= worthwhile_motion * pose.scale)) {
      front.drop();
      return nullptr;
    }
  }
  front.travelled += motion;
  front.last_motion = motion;
  if (!front.is_complete || !(front.travelled < 1e6) || front.size() > 4 * front.size_when_made + 64) front.drop();
  return &front;
}

/// Without bounds: for sizes so different that no common unit serves both trees, or places so far from the origin
/// that all bounds overlap.
bool Pair::State::compare_all(Sink& sink) {
  const std::uint32_t targets = target().tree.triangle_count(), sources = source().tree.triangle_count();
  if (counts) counters.np += std::uint64_t{targets} * sources;
  for (std::uint32_t t = 0; t < targets; t += 4)
    for (std::uint32_t s = 0; s < sources; s += 4) {
      const std::uint32_t row = (1u << std::min(4u, sources - s)) - 1;
      if (sink.decide(t, s, {.open = (row * 0x1111u) & ((1u << (4 * std::min(4u, targets - t))) - 1)})) return true;
    }
  return false;
}

bool Pair::State::bounds_serve(const RelativePose& pose) const {
  const Vec3& t = pose.translation;
  return pose.scale <= largest_mixed_scale && pose.margin <= largest_margin &&
         std::max({std::abs(t.x), std::abs(t.y), std::abs(t.z)}) <= largest_offset;
}

void Pair::State::tell_contacts(const PlacedPair& bodies, const ContactRequest& wanted, Contacts& into) {
  const auto object_bits = std::bit_width(data_of(object).triangles.size());
  sort_by_key(found, found_scratch, [object_bits](const FoundContact& f) {
    return std::uint64_t{f.pair.environment} << object_bits | f.pair.object;
  });
  into.clear();  // contacts are large: each is written once, in place
  into.resize(std::min(found.size(), wanted.at_most));
  for (std::size_t i = 0; i < into.size(); ++i) fill_in(into[i], found[i], bodies, wanted.geometry);
}

void sort(NearPairs& pairs) {
  std::ranges::sort(pairs, {}, [](const NearPair& p) { return std::uint64_t{p.triangle_a} << 32 | p.triangle_b; });
}

void fill_in(Contact& contact, const FoundContact& found, const PlacedPair& bodies, bool geometry) {
  const auto [pair, kind] = found;
  if (geometry)
    contact = make_contact(bodies.environment.corners(pair.environment), bodies.object.corners(pair.object), kind);
  contact.triangle_a = pair.environment;
  contact.triangle_b = pair.object;
  contact.kind = kind;
}

const NearQuestion& Pair::State::ask(const Pose& environment_pose, const Pose& object_pose,
                                     const ContactRequest& about) {
  begin();
  if (about.solid) solids.prepare(environment, object);
  request = about;
  found.clear();
  near_found.clear();
  return question.emplace(data_of(environment), environment_pose, data_of(object), object_pose, environment_is_target,
                          *relation);
}

NearEnd Pair::State::walk_near(MeasuringSink& sink) {
  const NearEnd end = alone([&] { return run_near(sink, {}, true, false); });
  sink.finish(end, {});
  return end;
}

NearEnd Pair::State::run_near(NearSink& sink, const Deadline& allowed, bool starts, bool note_passed) {
  const RelativePose& pose = question->pose;
  if (!bounds_serve(pose)) {
    if (starts) near_progress.node_pairs = 0;
    return compare_all(sink, allowed);
  }
  const GapTask task{.trees = trees_at(pose),
                     .progress = near_progress,
                     .sink = sink,
                     .note_passed = note_passed,
                     .node_pairs = allowed.node_pairs,
                     .deadline = allowed.deadline};
  return starts ? gap_walk(task) : go_on(task);
}

/// As compare_all above, four triangles by four being a pair of nodes.
NearEnd Pair::State::compare_all(NearSink& sink, const Deadline& allowed) {
  static constexpr float zeros[16] = {}, far[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};  // nothing known
  const std::uint32_t targets = target().tree.triangle_count(), sources = source().tree.triangle_count();
  const std::uint64_t columns = (std::uint64_t{sources} + 3) / 4, groups = (std::uint64_t{targets} + 3) / 4 * columns;
  bool got_on = false;  // every call does, however late it is
  for (std::uint64_t& next = near_progress.node_pairs; next < groups; got_on = true) {
    if (next >= allowed.node_pairs || (got_on && allowed.is_late())) return NearEnd::out_of_budget;
    const auto t = static_cast<std::uint32_t>(4 * (next / columns)),
               s = static_cast<std::uint32_t>(4 * (next % columns));
    ++next;
    const std::uint32_t rows = std::min(4u, targets - t), width = std::min(4u, sources - s);
    if (counts) counters.np += rows * width;
    if (sink.decide(t, s, (((1u << width) - 1) * 0x1111u) & ((1u << (4 * rows)) - 1), zeros, far))
      return NearEnd::ended_by_sink;
  }
  return NearEnd::all_seen;
}

}  // namespace tumble
