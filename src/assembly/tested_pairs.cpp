// SPDX-License-Identifier: Apache-2.0
// Names are fitted to patterns once per part; pairs are counted by kinds, of which there are few.
#include "assembly/tested_pairs.h"

#include "io/text.h"

#include <tumble/error.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

namespace tumble {

TestedPairs::TestedPairs(const Parts& parts, const ClashOptions& options) : has_between_(options.between.has_value()) {
  std::vector<std::array<std::string, 2>> patterns;
  if (options.between) patterns.push_back(*options.between);
  patterns.insert(patterns.end(), parts.ignore.begin(), parts.ignore.end());
  std::map<std::string, std::size_t> groups;
  std::vector<Kind> kind_of_part;
  for (const PlacedPart& part : parts.parts) {
    Kind& kind = kind_of_part.emplace_back();
    if (!part.group.empty()) kind.group = groups.try_emplace(part.group, groups.size() + 1).first->second;
    for (const auto& both : patterns)
      for (const std::string& pattern : both) kind.fits.push_back(fits(part, pattern));
  }
  for (const auto& both : options.ignore)
    for (const std::vector<std::size_t>& listed : both) {
      for (Kind& kind : kind_of_part) kind.fits.push_back(false);
      for (const std::size_t part : listed) {
        if (part >= kind_of_part.size())
          throw Error(ErrorCode::invalid_argument, "ignore: there is no part " + std::to_string(part) + ", only " +
                                                       std::to_string(kind_of_part.size()) + ", counted from 0");
        kind_of_part[part].fits.back() = true;
      }
    }
  std::map<Kind, std::size_t> kinds;
  for (Kind& kind : kind_of_part) {
    const auto [known, is_new] = kinds.try_emplace(kind, kinds_.size());
    if (is_new) {
      kinds_.push_back(std::move(kind));
      parts_of_kind_.push_back(0);
    }
    kind_of_.push_back(known->second);
    ++parts_of_kind_[known->second];
  }
  for (std::size_t i = 0; has_between_ && i < 2; ++i)
    if (std::ranges::none_of(kinds_, [&](const Kind& kind) { return kind.fits[i]; }))
      throw Error(ErrorCode::invalid_argument,
                  "between (--between): no part or group fits " + io::in_quotes((*options.between)[i]));
}

bool TestedPairs::are_tested(const Kind& a, const Kind& b) const {
  if (a.group != 0 && a.group == b.group) return false;
  for (std::size_t i = 0; i < a.fits.size(); i += 2) {
    const bool do_fit = (a.fits[i] && b.fits[i + 1]) || (a.fits[i + 1] && b.fits[i]);
    if (do_fit != (has_between_ && i == 0)) return false;
  }
  return true;
}

std::size_t TestedPairs::count() const {
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (are_tested(kinds_[i], kinds_[i])) pairs += parts_of_kind_[i] * (parts_of_kind_[i] - 1) / 2;
    for (std::size_t j = 0; j < i; ++j)
      if (are_tested(kinds_[i], kinds_[j])) pairs += parts_of_kind_[i] * parts_of_kind_[j];
  }
  return pairs;
}

}  // namespace tumble
