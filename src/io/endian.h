// SPDX-License-Identifier: Apache-2.0
// Numbers from unaligned bytes, in either byte order.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tumble::io {

static_assert(std::endian::native == std::endian::little, "the readers and writers assume a little-endian machine");

template <class T>
T load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

template <class T>
T load_big_endian(const char* at) {
  char swapped[sizeof(T)];
  for (std::size_t i = 0; i < sizeof(T); ++i) swapped[i] = at[sizeof(T) - 1 - i];
  return load<T>(swapped);
}

}  // namespace tumble::io
