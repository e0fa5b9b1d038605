// SPDX-License-Identifier: Apache-2.0
// Findings: what a question has found so far, made into lists and told to the caller's function.
#pragma once

#include "query/shells_inside.h"
#include "query/sinks.h"

#include <tumble/contact.h>
#include <tumble/distance.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace tumble {

/// The caller's function to tell of finds during a call: one of the two, or none.
struct Told {
  const std::function<bool(const Contact&)>* contact = nullptr;
  const std::function<bool(const NearPair&)>* pair = nullptr;
};

class Findings : public Listener {
 public:
  std::vector<FoundContact> contacts;
  struct Shell {
    ShellInside shell;
    std::optional<Contact> contact;  // once it was asked for: it takes a search for the nearest wall
  };
  std::vector<Shell> shells;
  NearPairs pairs;

  /// Forgets everything; keeps the memory. `bodies` must stay as they are until the next call.
  void begin(const PlacedPair& bodies, bool geometry, std::size_t at_most);

  const Contact& contact_of_shell(std::size_t i);
  /// Adds a pair that stands for the last shell.
  void list_shell_as_pair();

  /// Adds the contacts that were not listed before, up to as many as were asked for, and keeps the order.
  /// `is_complete`: no more will be found. If memory runs out, the next call lists again what this one left out.
  void list_new(Contacts& into, bool is_complete);

  /// Names the function to tell of finds, until the scope ends.
  class Scope {
   public:
    Scope(Findings& findings, const Told& told) : findings_(findings) { findings_.told_ = told; }
    ~Scope() { findings_.told_ = {}; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Findings& findings_;
  };
  bool has_listener() const { return told_.contact || told_.pair; }
  /// Tells what was found and not told yet. Returns true if that ends the question.
  bool tell_news() override;

 private:
  struct Done {
    std::size_t contacts = 0, shells = 0, pairs = 0;
  };
  void fill_in(Contact& contact, const FoundContact& found) const;

  const PlacedPair* bodies_ = nullptr;
  bool geometry_ = true;
  std::size_t at_most_ = 0;
  Told told_;
  bool is_silenced_ = false;  // the caller's function wants to hear no more
  Done listed_so_far_, told_so_far_;
  std::vector<FoundContact> sorting_;  // scratch
  Contacts merging_;                   // scratch
  Contact bare_;                       // scratch: one without geometry, so that it need not be cleared
};

}  // namespace tumble
