// SPDX-License-Identifier: Apache-2.0
// The hint on Linux (transparent huge pages).
#include "core/huge_pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace tumble {

void prefer_huge_pages(void* data, std::size_t size) {
  constexpr std::size_t huge_page = std::size_t{1} << 21;
  if (size < 2 * huge_page) return;
  // Only whole huge pages inside the block: its edges may share pages with other data.
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  const std::uintptr_t first = (begin + huge_page - 1) / huge_page * huge_page;
  const std::uintptr_t last = (begin + size) / huge_page * huge_page;
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

}  // namespace tumble
