// SPDX-License-Identifier: Apache-2.0
// Covering arrays: few rows of choices in which every pair of values of any two parameters occurs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

namespace tumble::testing {

/// Rows of indices, row[p] < sizes[p]. Greedy: each row takes, parameter by parameter, the value that covers most pairs
/// not covered yet; starts and ties turn with the row, so the array is the same on every machine.
inline std::vector<std::vector<std::size_t>> pairwise(const std::vector<std::size_t>& sizes) {
  using Pair = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>;  // parameter, value, later one, value
  std::set<Pair> open;
  for (std::size_t p = 0; p < sizes.size(); ++p)
    for (std::size_t q = p + 1; q < sizes.size(); ++q)
      for (std::size_t v = 0; v < sizes[p]; ++v)
        for (std::size_t w = 0; w < sizes[q]; ++w) open.emplace(p, v, q, w);

  std::vector<std::vector<std::size_t>> rows;
  while (!open.empty()) {
    constexpr std::size_t unset = SIZE_MAX;
    std::vector<std::size_t> row(sizes.size(), unset);
    const auto [p0, v0, q0, w0] = *open.begin();
    row[p0] = v0, row[q0] = w0;
    for (std::size_t p = 0; p < sizes.size(); ++p) {
      if (row[p] != unset) continue;
      std::size_t best_value = 0, best_new = 0;
      for (std::size_t i = 0; i < sizes[p]; ++i) {
        const std::size_t v = (i + rows.size()) % sizes[p];
        std::size_t covered = 0;
        for (std::size_t q = 0; q < sizes.size(); ++q)
          if (row[q] != unset) covered += p < q ? open.count({p, v, q, row[q]}) : open.count({q, row[q], p, v});
        if (i == 0 || covered > best_new) best_value = v, best_new = covered;
      }
      row[p] = best_value;
    }
    for (std::size_t p = 0; p < sizes.size(); ++p)
      for (std::size_t q = p + 1; q < sizes.size(); ++q) open.erase({p, row[p], q, row[q]});
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Every combination, as the same kind of rows.
inline std::vector<std::vector<std::size_t>> full_product(const std::vector<std::size_t>& sizes) {
  std::vector<std::vector<std::size_t>> rows{{}};
  for (const std::size_t size : sizes) {
    std::vector<std::vector<std::size_t>> longer;
    for (const auto& row : rows)
      for (std::size_t v = 0; v < size; ++v) {
        longer.push_back(row);
        longer.back().push_back(v);
      }
    rows = std::move(longer);
  }
  return rows;
}

}  // namespace tumble::testing
