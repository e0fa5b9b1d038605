// SPDX-License-Identifier: Apache-2.0
// What queries do with the pairs of triangles a walk leaves over: decide each exactly.
#pragma once

#include "geometry/eight_pairs.h"
#include "geometry/triangle_pair.h"
#include "traverse/placed_pair.h"
#include "traverse/sink.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tumble {

/// Turns slots into triangles; `Decide` has `bool ends_with(TrianglePair, const Corners& environment, const Corners&
/// object)`, true to end the walk there.
template <class Decide>
class TriangleSink : public Sink {
 public:
  explicit TriangleSink(const PlacedPair& bodies) : bodies_(bodies) {}

  bool decide(std::uint32_t target_first, std::uint32_t source_first, LeafPairs pairs) override {
    for (std::uint32_t rest = pairs.open | pairs.crossing; rest != 0; rest &= rest - 1) {
      const TrianglePair pair = bodies_.pair(target_first, source_first, rest);
      if (static_cast<Decide*>(this)->ends_with(pair, bodies_.environment.corners(pair.environment),
                                                bodies_.object.corners(pair.object)))
        return true;
    }
    return false;
  }

 protected:
  const PlacedPair& bodies_;
};

/// Ends at the first contact.
class AnySink : public TriangleSink<AnySink> {
 public:
  AnySink(const PlacedPair& bodies, bool ignore_touch) : TriangleSink(bodies), ignore_touch_(ignore_touch) {}

  bool decide(std::uint32_t target_first, std::uint32_t source_first, LeafPairs pairs) override {
    if (pairs.crossing == 0) return TriangleSink::decide(target_first, source_first, pairs);
    found = bodies_.pair(target_first, source_first, pairs.crossing);
    return true;
  }

  bool ends_with(TrianglePair pair, const Corners& environment, const Corners& object) {
    if (ignore_touch_) {
      const std::optional<ContactKind> kind = classify(environment, object);
      ignored_touch |= kind == ContactKind::touch;
      if (!kind || *kind == ContactKind::touch) return false;
    } else if (!intersects(environment, object)) {
      return false;
    }
    found = pair;
    return true;
  }

  std::optional<TrianglePair> found;
  bool ignored_touch = false;  // whether there was any contact that does not count

 private:
  bool ignore_touch_;
};

struct FoundContact {
  TrianglePair pair;
  ContactKind kind;
};

/// Collects contacts up to a limit, looking at eight pairs at a time: finish() decides the last.
class AllSink final : public Sink {
 public:
  AllSink(const PlacedPair& bodies, bool ignore_touch, std::size_t at_most, std::vector<FoundContact>& found)
      : bodies_(bodies), found_(found), at_most_(at_most), ignore_touch_(ignore_touch) {}

  bool decide(std::uint32_t target_first, std::uint32_t source_first, LeafPairs pairs) override {
    for (; pairs.crossing != 0; pairs.crossing &= pairs.crossing - 1) {
      found_.push_back({bodies_.pair(target_first, source_first, pairs.crossing), ContactKind::cross});
      if (found_.size() >= at_most_) return true;
    }
    for (; pairs.open != 0; pairs.open &= pairs.open - 1) {
      waiting_[waiting_count_++] = bodies_.pair(target_first, source_first, pairs.open);
      if (waiting_count_ == EightPairs::lanes && decide_waiting()) return true;
    }
    return false;
  }
  void finish() {
    if (waiting_count_ > 0) decide_waiting();
  }

  bool ignored_touch = false;  // whether there was any contact that does not count

 private:
  bool decide_waiting();

  const PlacedPair& bodies_;
  std::vector<FoundContact>& found_;
  std::size_t at_most_;
  bool ignore_touch_;
  std::size_t waiting_count_ = 0;
  std::array<TrianglePair, EightPairs::lanes> waiting_;
};

}  // namespace tumble
