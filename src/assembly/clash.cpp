// SPDX-License-Identifier: Apache-2.0
// Finds the pairs that may clash and shares their classification between threads.
#include <tumble/clash.h>

#include "assembly/classify.h"
#include "assembly/tested_pairs.h"
#include "core/parallel.h"
#include "core/plain_arithmetic.h"
#include "mesh/growing_box.h"
#include "tree/model_data.h"
#include "world/neighbours.h"

#include <tumble/error.h>

#include <algorithm>
#include <atomic>
#include <mutex>

namespace tumble {
namespace {

void check(const ClashOptions& options) {
  const auto refuse_unless_distance = [](const char* what, double value) {
    if (value >= 0 && value <= max_coordinate) return;
    throw Error(ErrorCode::invalid_argument,
                std::string(what) + " is " + std::to_string(value) + "; it must be at least 0 and at most 1e100");
  };
  refuse_unless_distance("the clearance", options.clearance);
  refuse_unless_distance("the tolerance", options.tolerance);
  refuse_unless_distance("the precision of depths", options.depth_precision);
  if (options.threads < 0)
    throw Error(ErrorCode::invalid_argument,
                "threads is " + std::to_string(options.threads) + "; it must be 0 (all cores) or more");
}

std::vector<ClashPart> clash_parts(const Parts& parts) {
  std::vector<ClashPart> all(parts.parts.size(), ClashPart{parts.parts[0].model, {}, {}, false});
  parallel_for(all.size(), 1, [&](std::size_t i) {
    const PlacedPart& part = parts.parts[i];
    const ModelData& data = data_of(part.model);
    all[i] = {part.model, part.pose, box_of(data.vertices, data.triangles, part.pose),
              data.solid_facts().fault.empty()};
  });
  return all;
}

/// Pairs that may not be clear, the largest first: they are not begun last, when other threads have nothing left to do.
std::vector<SlotPair> candidates(const std::vector<ClashPart>& parts, const TestedPairs& tested,
                                 const ClashOptions& options) {
  std::vector<BoxEntry> boxes;
  double reach = options.clearance;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    boxes.push_back({parts[i].box, static_cast<Slot>(i), true});
    reach = std::max(reach, duplicate_distance(parts[i], parts[i], options.tolerance));
  }
  std::vector<SlotPair> found;
  box_pairs(boxes, reach, found, [&](const SlotPair& pair) { return tested.has(pair.a, pair.b); });
  const auto size = [&](const SlotPair& pair) {
    return parts[pair.a].model.triangles().size() + parts[pair.b].model.triangles().size();
  };
  std::ranges::sort(
      found, [&](const SlotPair& p, const SlotPair& q) { return std::pair(size(q), p) < std::pair(size(p), q); });
  return found;
}

}  // namespace

const char* name(ClashClass kind) {
  switch (kind) {
    case ClashClass::duplicate: return "duplicate";
    case ClashClass::contained: return "contained";
    case ClashClass::piercing: return "piercing";
    case ClashClass::touching: return "touching";
    case ClashClass::too_close: return "too close";
    case ClashClass::clear: return "clear";
  }
  return "unknown";
}

Clashes find_clashes(const Parts& parts, const ClashOptions& options) {
  const PlainArithmetic plain;
  check(options);
  check(parts);
  const TestedPairs tested(parts, options);
  Clashes answer;
  if (parts.parts.empty()) return answer;
  with_threads(options.threads, [&] {
    const std::vector<ClashPart> placed = clash_parts(parts);
    std::vector<SlotPair> pairs = candidates(placed, tested, options);
    const std::size_t known =
        options.is_known ? std::erase_if(pairs, [&](const SlotPair& pair) { return options.is_known(pair.a, pair.b); })
                         : 0;
    std::atomic<std::size_t> next{0};
    std::atomic<bool> stop{false};
    std::mutex telling;
    std::size_t done = 0;
    if (options.progress && !options.progress(0, pairs.size())) stop = true;
    const std::size_t workers = std::min(pairs.size(), most_threads_here());
    parallel_for(workers, 1, [&](std::size_t) {
      for (std::size_t i = next++; i < pairs.size() && !stop; i = next++) try {
          std::optional<Clash> clash = classify(placed[pairs[i].a], placed[pairs[i].b], options, stop);
          if (!clash) return;
          clash->a = pairs[i].a;
          clash->b = pairs[i].b;
          const std::scoped_lock lock(telling);
          ++done;
          if (clash->kind != ClashClass::clear) answer.pairs.push_back(*clash);
          if (options.each) options.each(*clash);
          if (options.progress && !options.progress(done, pairs.size())) stop = true;
        } catch (...) {
          stop = true;  // for the others
          throw;
        }
    });
    answer.finished = done == pairs.size();
    answer.clear = tested.count() - known - (pairs.size() - done) - answer.pairs.size();
  });
  std::ranges::sort(answer.pairs, {}, [](const Clash& clash) { return std::pair(clash.a, clash.b); });
  return answer;
}

}  // namespace tumble
