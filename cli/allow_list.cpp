// SPDX-License-Identifier: Apache-2.0
// Reads a list of allowed contacts and fits its patterns to the parts, once.
#include "cli/allow_list.h"

#include "cli/text.h"
#include "io/source.h"
#include "io/text.h"

#include <tumble/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace tumble::cli {
namespace {

[[noreturn]] void fail(const Place& place, const std::string& what) {
  throw Error(ErrorCode::file_format, what, place);
}

std::string quoted(std::string_view& rest, const Place& place) {
  std::string word;
  for (rest.remove_prefix(1); !rest.empty(); rest.remove_prefix(1)) {
    if (rest.front() == '"') {
      rest.remove_prefix(1);
      if (!rest.empty() && !io::is_space(rest.front())) fail(place, "a space is missing after a closing \"");
      return word;
    }
    if (rest.front() == '\\' && rest.size() > 1) rest.remove_prefix(1);
    word += rest.front();
  }
  fail(place, "a \" is not closed");
}

std::vector<std::string> words_of(std::string_view line, const Place& place) {
  std::vector<std::string> words;
  for (std::string_view rest = io::trimmed(line); !rest.empty() && rest.front() != '#'; rest = io::trimmed(rest)) {
    if (rest.front() == '"') {
      words.push_back(quoted(rest, place));
    } else {
      const auto end = static_cast<std::size_t>(std::ranges::find_if(rest, io::is_space) - rest.begin());
      words.emplace_back(rest.substr(0, end));
      rest.remove_prefix(end);
    }
  }
  return words;
}

std::vector<bool> fitting(const Parts& parts, const std::string& pattern, const Place& place) {
  std::vector<bool> fit;
  for (const PlacedPart& part : parts.parts)
    fit.push_back(fits(part.name, pattern) || (!part.group.empty() && fits(part.group, pattern)));
  if (std::ranges::find(fit, true) == fit.end()) fail(place, fmt::format("no part fits '{}'", pattern));
  return fit;
}

}  // namespace

AllowList::AllowList(const std::string& file, const Parts& parts) {
  const io::FileBytes contents(file);
  std::string_view rest = contents.bytes();
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  for (Place place{.file = file, .line = 1}; !rest.empty(); ++place.line) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::vector<std::string> words = words_of(line, place);
    if (words.empty()) continue;
    if (words.size() > 2)
      fail(place, fmt::format("an entry is one pattern for names or two, not {}; a name with spaces needs quotes",
                              words.size()));
    Entry entry{fitting(parts, words[0], place), {}};
    if (words.size() == 2) {
      entry.other = fitting(parts, words[1], place);
      const auto only = [](const std::vector<bool>& fit) { return std::ranges::count(fit, true) == 1; };
      if (only(entry.one) && entry.one == entry.other)
        fail(place, fmt::format("'{}' and '{}' fit the same part alone", words[0], words[1]));
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
