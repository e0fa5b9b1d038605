// SPDX-License-Identifier: Apache-2.0
// What queries do with the pairs of triangles a walk leaves over: decide each exactly.
#pragma once

#include "geometry/distance.h"
#include "geometry/triangle_pair.h"
#include "query/bodies.h"
#include "traverse/sink.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace tumble {

/// A pair of triangles by their numbers in the meshes.
struct TrianglePair {
  std::uint32_t environment, object;
  friend auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

/// Turns slots into triangles; `Decide` has `bool ends_with(TrianglePair, const Corners& environment, const Corners&
/// object)`, true to end the walk there.
template <class Decide>
class TriangleSink : public Sink {
 public:
  explicit TriangleSink(const Bodies& bodies) : bodies_(bodies) {}

  bool decide(std::uint32_t target_first, std::uint32_t source_first, std::uint32_t pairs) final {
    const Body &target = bodies_.target(), &source = bodies_.source();
    for (; pairs != 0; pairs &= pairs - 1) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(pairs));
      const std::uint32_t t = target.model.tree.triangle_ids[target_first + bit / 4];
      const std::uint32_t s = source.model.tree.triangle_ids[source_first + bit % 4];
      const TrianglePair pair = bodies_.environment_is_target ? TrianglePair{t, s} : TrianglePair{s, t};
      if (static_cast<Decide*>(this)->ends_with(pair, bodies_.environment.corners(pair.environment),
                                                bodies_.object.corners(pair.object)))
        return true;
    }
    return false;
  }

 protected:
  const Bodies& bodies_;
};

/// Ends at the first contact.
class AnySink : public TriangleSink<AnySink> {
 public:
  AnySink(const Bodies& bodies, bool ignore_touch) : TriangleSink(bodies), ignore_touch_(ignore_touch) {}

  bool ends_with(TrianglePair pair, const Corners& environment, const Corners& object) {
    if (!(ignore_touch_ ? classify(environment, object).value_or(ContactKind::touch) != ContactKind::touch
                        : intersects(environment, object)))
      return false;
    found = pair;
    return true;
  }

  std::optional<TrianglePair> found;

 private:
  bool ignore_touch_;
};

struct FoundContact {
  TrianglePair pair;
  ContactKind kind;
};

/// Collects contacts up to a limit.
class AllSink : public TriangleSink<AllSink> {
 public:
  AllSink(const Bodies& bodies, bool ignore_touch, std::size_t at_most, std::vector<FoundContact>& found)
      : TriangleSink(bodies), found_(found), at_most_(at_most), ignore_touch_(ignore_touch) {}

  bool ends_with(TrianglePair pair, const Corners& environment, const Corners& object) {
    const std::optional<ContactKind> kind = classify(environment, object);
    if (!kind || (ignore_touch_ && *kind == ContactKind::touch)) return false;
    found_.push_back({pair, *kind});
    return found_.size() >= at_most_;
  }

 private:
  std::vector<FoundContact>& found_;
  std::size_t at_most_;
  bool ignore_touch_;
};

/// Ends at the first pair at most so far apart: within(d) is distance_sq <= d·d (docs/semantics.md, promise 7).
class WithinSink : public TriangleSink<WithinSink> {
 public:
  WithinSink(const Bodies& bodies, double distance) : TriangleSink(bodies), distance_sq_(distance * distance) {}

  bool ends_with(TrianglePair pair, const Corners& environment, const Corners& object) {
    if (!(distance_sq(environment, object) <= distance_sq_)) return false;
    found = pair;
    return true;
  }

  std::optional<TrianglePair> found;

 private:
  double distance_sq_;
};

}  // namespace tumble
