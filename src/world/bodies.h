// SPDX-License-Identifier: Apache-2.0
// Bodies: who is in a world, where, and who is to be tested against whom. It asks no questions.
#pragma once

#include "world/body_shape.h"
#include "world/neighbours.h"

#include <tumble/world.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tumble {

/// What moves as one. A body on its own is a group of one member with the same id.
struct Group {
  BodyId id;
  BodyOptions options;
  Pose pose;  // a body on its own has its member's
  bool is_one_body;
  std::vector<Slot> members;
  std::vector<BodyId> ignored;  // sorted; both of a pair have the other
  struct PairMargin {
    BodyId other;
    double margin;
  };
  std::vector<PairMargin> pair_margins;  // in the order of the others; both of a pair have it

  double growth = 0;  // of boxes: those of two groups together are grown by at least their margin

  void update_growth();
};

/// A body at a place.
struct Member {
  BodyId id;
  std::string name;
  BodyModel body;
  std::shared_ptr<const BodyShape> shape;
  Pose in_group, pose;
  std::uint32_t group;            // its index
  std::vector<BodyId> ignored{};  // as of a group; empty for a body on its own
  Box box{};                      // see Bodies::update_box
};

/// Whether both are: they are solids then, whatever is asked.
inline bool are_convex(const Member& a, const Member& b) { return a.body.convex() && b.body.convex(); }

/// Throws Error(not_closed), which names the body.
void require_closed(const Member& member);

/// Every function that is given an id throws Error(invalid_argument) if it names nothing that is there.
class Bodies {
 public:
  explicit Bodies(BodyBoxes boxes) : boxes_(boxes) {}

  BodyId add(const BodyModel& body, const Pose& pose, const BodyOptions& options);
  BodyId add_group(const Pose& pose, const BodyOptions& options);
  BodyId add_member(BodyId group, const BodyModel& body, const Pose& pose, std::string name);
  /// Throws if it is a member of a larger group, whose poses cannot be changed one by one.
  void move(BodyId id, const Pose& pose);
  void move(std::span<const BodyId> ids, std::span<const Pose> poses);
  void remove(BodyId id);

  bool contains(BodyId id) const;
  /// A group, or a body on its own. `what` is what only these have.
  const Group& group(BodyId id, const char* what) const;
  const Group& group_of(BodyId id) const;
  const Group& group_of(const Member& member) const { return *groups_[member.group]; }
  /// Throws for a group.
  const Member& member(BodyId id) const;
  const std::string& name(BodyId id) const;
  /// Of a member, else of a group.
  const Pose& pose(BodyId id) const;
  bool is_group(BodyId id) const;

  /// All members by slot; empty ones are free.
  std::span<const std::optional<Member>> members() const { return members_; }
  std::size_t member_count() const { return member_count_; }
  /// Whether there is a group that is more than a body on its own.
  bool has_groups() const { return true_groups_ > 0; }
  template <class Each>
  void each_group(const Each& each) const {
    for (const auto& group : groups_)
      if (group) each(*group);
  }

  void ignore(BodyId a, BodyId b, bool is_ignored);
  void set_categories(BodyId id, std::uint32_t is, std::uint32_t cares_about);
  void set_moves(BodyId id, bool moves);
  void set_margin(BodyId id, double margin);
  void set_margin(BodyId a, BodyId b, double margin);

  /// Whether the two are to be tested against each other.
  bool are_of_interest(const Member& a, const Member& b) const;
  double margin(const Group& a, const Group& b) const;

  /// Boxes are made when they are needed.
  const Box& update_box(Slot slot);
  void update_boxes();
  /// Not grown.
  const TurnedBox& turned(Slot slot) {
    if ((known_[slot] & has_turned) == 0) turn(slot);
    return turned_[slot];
  }

  /// Slots whose place, or whether they move, changed since the last call of take_changes(), each once; some may be
  /// free by now.
  const std::vector<Slot>& changed() const { return changed_; }
  void take_changes();
  /// Allocates nothing.
  void note_all_changed();
  /// For a copy: removing then allocates nothing.
  void make_lists_long_enough();

 private:
  enum class Kind : std::uint8_t { none, group, member };
  static constexpr Slot many = ~Slot{0};
  struct Named {
    Kind kind = Kind::none;
    std::uint32_t index = 0;
    Slot only = many;  // of a body on its own, its one member
  };

  const Named& named(BodyId id) const {
    const std::size_t index = std::size_t{id.value} - first_id_;  // huge for those before the first
    if (index >= ids_.size() || ids_[index].kind == Kind::none) [[unlikely]]
      refuse_id(id);
    return ids_[index];
  }
  [[noreturn]] void refuse_id(BodyId id) const;
  /// Room for ids is in proportion to how many were given out since the oldest that is there.
  void forget_id(BodyId id);
  Group& group_at(BodyId id, const char* what);
  BodyId next_id() const;
  std::uint32_t place_group(const Pose& pose, const BodyOptions& options, bool is_one_body, BodyId id);
  void place_member(std::uint32_t group, const BodyModel& body, const Pose& pose, std::string name, BodyId id);
  std::shared_ptr<const BodyShape> shape(const Model& model);
  std::vector<BodyId>& ignored_by(BodyId id);
  void forget_ignored(BodyId id, const std::vector<BodyId>& others);
  void remove_member(Slot slot);
  void place(Member& member, Slot slot, const Pose& pose);
  void place(const Group& group);
  void turn(Slot slot);
  /// What was known of its place is so no longer.
  void note_change(Slot slot) {
    const bool is_new = (known_[slot] & is_changed) == 0;
    known_[slot] = is_changed;
    if (is_new) changed_.push_back(slot);
  }

  BodyBoxes boxes_;
  std::vector<Named> ids_;      // from first_id_ on; those before were removed
  std::uint32_t first_id_ = 1;  // 0 names nothing
  std::size_t oldest_ = 0;      // of ids_: none before it is there any more
  std::vector<std::optional<Group>> groups_;
  std::vector<std::optional<Member>> members_;
  std::vector<std::uint32_t> free_groups_;
  std::vector<Slot> free_members_;
  std::vector<TurnedBox> turned_;  // by slot, side by side: many pairs are looked at
  std::size_t member_count_ = 0, true_groups_ = 0;
  std::map<const ModelData*, std::weak_ptr<const BodyShape>> shapes_;
  std::vector<Slot> changed_;
  enum Known : std::uint8_t { is_changed = 1, has_box = 2, has_turned = 4 };  // is_changed: and in the list
  std::vector<std::uint8_t> known_;                                           // by slot; boxes are those of this pose
  std::vector<Pose> moving_;                                                  // scratch
};

}  // namespace tumble
