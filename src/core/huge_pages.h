// SPDX-License-Identifier: Apache-2.0
// Asks for large pages. On a million triangles, page faults of small ones cost more than reading a file, and a good
// part of building a tree.
#pragma once

#include <cstddef>
#include <vector>

namespace tumble {

/// Tells the system that these bytes, not touched yet, are best kept in large pages. Only a hint.
void prefer_huge_pages(void* data, std::size_t size);

template <class T>
void reserve_in_huge_pages(std::vector<T>& vector, std::size_t count) {
  vector.reserve(count);
  prefer_huge_pages(vector.data(), count * sizeof(T));
}

}  // namespace tumble
