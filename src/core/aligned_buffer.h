// SPDX-License-Identifier: Apache-2.0
// AlignedBuffer: zeroed bytes on a cache-line boundary, for arrays that vector instructions load.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>

namespace tumble {

class AlignedBuffer {
 public:
  static constexpr std::size_t alignment = 64;

  AlignedBuffer() = default;
  explicit AlignedBuffer(std::size_t bytes) : size_(bytes) {
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    bytes_.reset(static_cast<std::byte*>(std::aligned_alloc(alignment, rounded ? rounded : alignment)));
    if (!bytes_) throw std::bad_alloc();
    std::memset(bytes_.get(), 0, rounded);
  }

  std::byte* data() { return bytes_.get(); }
  const std::byte* data() const { return bytes_.get(); }
  std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<std::byte, Free> bytes_;
  std::size_t size_ = 0;
};

}  // namespace tumble
