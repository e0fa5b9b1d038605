// SPDX-License-Identifier: Apache-2.0
// RawArray: a fixed number of plain values that are not set to anything first, so that memory is touched once, by the
// thread that fills it, and not at all where it stays unused.
#pragma once

#include "core/huge_pages.h"

#include <cstddef>
#include <memory>
#include <type_traits>

namespace tumble {

template <class T>
class RawArray {
  static_assert(std::is_trivially_default_constructible_v<T> && std::is_trivially_destructible_v<T>);

 public:
  RawArray() = default;
  explicit RawArray(std::size_t size) : values_(std::make_unique_for_overwrite<T[]>(size)), size_(size) {
    prefer_huge_pages(values_.get(), size * sizeof(T));
  }

  std::size_t size() const { return size_; }
  T* data() { return values_.get(); }
  const T* data() const { return values_.get(); }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }

 private:
  std::unique_ptr<T[]> values_;
  std::size_t size_ = 0;
};

}  // namespace tumble
