// SPDX-License-Identifier: Apache-2.0
// Distances between words (optimal string alignment).
#include "io/suggest.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tumble::io {
namespace {

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::string closest_word(std::string_view word, std::span<const std::string> known) {
  constexpr std::size_t longest = 40;  // no word of ours comes near
  const std::size_t letters = word.size() - std::min(word.find_first_not_of('-'), word.size());
  if (letters < 2 || word.size() > longest) return {};
  const auto begins = [&](const std::string& other) { return other.starts_with(word); };
  if (std::ranges::count_if(known, begins) == 1) return *std::ranges::find_if(known, begins);
  std::string closest;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  if (letters > 2)  // two letters are near to too much
    for (const std::string& other : known)
      if (const std::size_t d = distance(word, other); d < least) least = d, closest = other;
  if (closest.empty() && std::ranges::any_of(known, begins)) closest = *std::ranges::find_if(known, begins);
  return closest;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  const std::string closest = closest_word(word, known);
  return closest.empty() ? "" : "; did you mean '" + closest + "'?";
}

}  // namespace tumble::io
