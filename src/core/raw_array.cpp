// SPDX-License-Identifier: Apache-2.0
// Memory for large arrays straight from the system.
#include "core/raw_array.h"

#include "core/huge_pages.h"

#include <sys/mman.h>

#include <new>

namespace tumble::detail {
namespace {

constexpr std::size_t large = std::size_t{1} << 20;

}  // namespace

void* allocate_raw(std::size_t bytes) {
  if (bytes < large) return ::operator new(bytes);
  void* const pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  prefer_huge_pages(pages, bytes);
  return pages;
}

void free_raw(void* memory, std::size_t bytes) {
  if (bytes < large) {
    ::operator delete(memory);
  } else {
    ::munmap(memory, bytes);
  }
}

}  // namespace tumble::detail
