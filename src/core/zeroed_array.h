// SPDX-License-Identifier: Apache-2.0
// ZeroedArray: memory full of zeros. What of a large one nobody touches is only promised by the system, and costs no
// time.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace tumble {

template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  ZeroedArray() = default;
  explicit ZeroedArray(std::size_t size) : items_(static_cast<T*>(std::calloc(size, sizeof(T)))), size_(size) {
    if (!items_ && size > 0) throw std::bad_alloc();
  }

  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) const { return items_.get()[i]; }

 private:
  struct Free {
    void operator()(T* items) const { std::free(items); }
  };
  std::unique_ptr<T, Free> items_;
  std::size_t size_ = 0;
};

}  // namespace tumble
