// SPDX-License-Identifier: Apache-2.0
// Sorting, merging and telling what was found.
#include "query/findings.h"

#include "core/sort_by_key.h"
#include "geometry/contact.h"
#include "query/answer_order.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace tumble {
namespace {

/// Merges what is new into what is sorted, without further memory.
void merge_into(Contacts& sorted, const Contacts& news) {
  std::size_t i = sorted.size(), j = news.size();
  sorted.resize(i + j);
  for (std::size_t to = i + j; j > 0;)
    sorted[--to] = i > 0 && contact_before(news[j - 1], sorted[i - 1]) ? sorted[--i] : news[--j];
}

}  // namespace

void Findings::begin(const PlacedPair& bodies, bool geometry, std::size_t at_most) {
  bodies_ = &bodies;
  geometry_ = geometry;
  at_most_ = at_most;
  contacts.clear();
  shells.clear();
  pairs.clear();
  listed_so_far_ = told_so_far_ = {};
  is_silenced_ = false;
}

const Contact& Findings::contact_of_shell(std::size_t i) {
  Shell& found = shells[i];
  if (!found.contact) found.contact = make_inside_contact(found.shell, *bodies_);
  return *found.contact;
}

void Findings::list_shell_as_pair() {
  const Contact& contact = contact_of_shell(shells.size() - 1);
  pairs.push_back({contact.triangle_a, contact.triangle_b, 0, contact.point, contact.point, true});
}

/// `contact` must be a new one, or have had no geometry.
void Findings::fill_in(Contact& contact, const FoundContact& found) const {
  const auto [pair, kind] = found;
  if (geometry_) contact = make_contact(bodies_->a.corners(pair.a), bodies_->b.corners(pair.b), kind, pair.a, pair.b);
  contact.triangle_a = pair.a;
  contact.triangle_b = pair.b;
  contact.kind = kind;
}

void Findings::list_new(Contacts& into, bool is_complete) {
  const bool is_first = listed_so_far_.contacts + listed_so_far_.shells == 0;
  if (is_first) into.clear();
  const std::size_t room = at_most_ - into.size();
  const std::size_t new_contacts = std::min(contacts.size() - listed_so_far_.contacts, room),
                    new_shells = std::min(shells.size() - listed_so_far_.shells, room - new_contacts);
  if (new_contacts + new_shells == 0) return;
  // Contacts are told in the order they were found. So they may change places only if telling has not begun or is done.
  const bool order_is_free = told_so_far_.contacts == 0 || told_so_far_.contacts == contacts.size();
  const bool sorts_at_once = is_first && is_complete && order_is_free;
  if (sorts_at_once) {
    // As contact_order, without bits that no triangle of b needs: there are then fewer digits to sort by.
    const auto bits = std::bit_width(bodies_->b.model.triangles.size());
    sort_by_key(contacts, sorting_,
                [bits](const FoundContact& f) { return std::uint64_t{f.pair.a} << bits | f.pair.b; });
  }
  Contacts& news = is_first ? into : merging_;
  news.clear();
  news.resize(new_contacts + new_shells);  // contacts are large: each is written once, in place
  for (std::size_t i = 0; i < new_contacts; ++i) fill_in(news[i], contacts[listed_so_far_.contacts + i]);
  for (std::size_t i = 0; i < new_shells; ++i) news[new_contacts + i] = contact_of_shell(listed_so_far_.shells + i);
  if (!sorts_at_once || new_shells > 0) std::ranges::sort(news, contact_before);
  if (!is_first) merge_into(into, news);
  listed_so_far_.contacts += new_contacts;
  listed_so_far_.shells += new_shells;
}

bool Findings::tell_news() {
  if (is_silenced_ || !has_listener()) return false;
  const auto tell = [&](const auto& each, const auto& found) {
    is_silenced_ = !each(found);
    return is_silenced_;
  };
  Done& told = told_so_far_;
  const auto has_room = [&] { return told.contacts + told.shells + told.pairs < at_most_; };
  if (told_.contact) {
    while (told.contacts < contacts.size() && has_room()) {
      const FoundContact& next = contacts[told.contacts++];
      if (geometry_) {
        Contact contact;
        fill_in(contact, next);
        if (tell(*told_.contact, contact)) return true;
      } else {
        fill_in(bare_, next);
        if (tell(*told_.contact, bare_)) return true;
      }
    }
    while (told.shells < shells.size() && has_room())
      if (tell(*told_.contact, contact_of_shell(told.shells++))) return true;
  }
  if (told_.pair)
    while (told.pairs < pairs.size() && has_room())
      if (tell(*told_.pair, pairs[told.pairs++])) return true;
  return false;
}

}  // namespace tumble
