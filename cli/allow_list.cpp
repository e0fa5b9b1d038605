// SPDX-License-Identifier: Apache-2.0
// Reads a list of allowed contacts and fits its patterns to the parts, once.
#include "cli/allow_list.h"

#include "cli/pattern_lines.h"
#include "io/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace tumble::cli {
namespace {

std::vector<bool> fitting(const Parts& parts, const std::string& pattern, const PatternLines& lines) {
  std::vector<bool> fit;
  for (const PlacedPart& part : parts.parts) fit.push_back(fits(part, pattern));
  if (std::ranges::find(fit, true) == fit.end()) lines.fail("no part fits " + io::in_quotes(pattern));
  return fit;
}

}  // namespace

AllowList::AllowList(const std::string& file, const Parts& parts) {
  PatternLines lines(file);
  for (std::vector<std::string> words = lines.next(); !words.empty(); words = lines.next()) {
    if (words.size() > 2)
      lines.fail(fmt::format("an entry is one pattern for names or two, not {}; a name with spaces needs quotes",
                             words.size()));
    Entry entry{fitting(parts, words[0], lines), {}};
    if (words.size() == 2) {
      entry.other = fitting(parts, words[1], lines);
      const auto only = [](const std::vector<bool>& fit) { return std::ranges::count(fit, true) == 1; };
      if (only(entry.one) && entry.one == entry.other)
        lines.fail(fmt::format("{} and {} fit the same part alone", io::in_quotes(words[0]), io::in_quotes(words[1])));
    }
    entries_.push_back(std::move(entry));
  }
}

bool AllowList::allows(std::size_t a, std::size_t b) const {
  return std::ranges::any_of(entries_, [&](const Entry& entry) {
    if (entry.other.empty()) return entry.one[a] || entry.one[b];
    return (entry.one[a] && entry.other[b]) || (entry.one[b] && entry.other[a]);
  });
}

}  // namespace tumble::cli
