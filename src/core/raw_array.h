// SPDX-License-Identifier: Apache-2.0
// RawArray: a fixed number of plain values, not initialised, so that memory is touched once, by the thread that fills
// it, and not at all where it stays unused. A large array goes back to the system when it ends; the heap would keep
// scratch memory of a build.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace tumble {
namespace detail {

void* allocate_raw(std::size_t bytes);
void free_raw(void* memory, std::size_t bytes);

}  // namespace detail

template <class T>
class RawArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

 public:
  RawArray() = default;
  explicit RawArray(std::size_t size)
      : values_(static_cast<T*>(detail::allocate_raw(size * sizeof(T))), {size * sizeof(T)}), size_(size) {}

  std::size_t size() const { return size_; }
  T* data() { return values_.get(); }
  const T* data() const { return values_.get(); }
  T& operator[](std::size_t i) { return values_.get()[i]; }
  const T& operator[](std::size_t i) const { return values_.get()[i]; }

 private:
  struct Free {
    std::size_t bytes = 0;
    void operator()(T* values) const { detail::free_raw(values, bytes); }
  };
  std::unique_ptr<T, Free> values_;
  std::size_t size_ = 0;
};

}  // namespace tumble
