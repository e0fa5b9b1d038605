// SPDX-License-Identifier: Apache-2.0
// AlignedBuffer: bytes on a cache-line boundary, for arrays that vector instructions load.
#pragma once

#include "core/huge_pages.h"

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>

namespace tumble {

class AlignedBuffer {
 public:
  static constexpr std::size_t alignment = 64;

  AlignedBuffer() = default;
  /// Zeroed.
  explicit AlignedBuffer(std::size_t bytes) : AlignedBuffer(uninitialized(bytes)) {
    if (bytes > 0) std::memset(bytes_.get(), 0, bytes);
  }
  /// Not initialised, so that memory is touched once, by the thread that fills it.
  static AlignedBuffer uninitialized(std::size_t bytes) {
    AlignedBuffer buffer;
    buffer.size_ = bytes;
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    buffer.bytes_.reset(static_cast<std::byte*>(::operator new (rounded, std::align_val_t{alignment})));
    prefer_huge_pages(buffer.bytes_.get(), bytes);
    return buffer;
  }

  std::byte* data() { return bytes_.get(); }
  const std::byte* data() const { return bytes_.get(); }
  std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(std::byte* bytes) const { ::operator delete (bytes, std::align_val_t{alignment}); }
  };
  std::unique_ptr<std::byte, Free> bytes_;
  std::size_t size_ = 0;
};

}  // namespace tumble
