// SPDX-License-Identifier: Apache-2.0
// The libFuzzer entry for stored models: any bytes give a model that is safe to walk, measure and draw, or Error. The
// length and the checksum are set right first, as a forger would.
#include "fuzz/forged_model.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> input = std::as_bytes(std::span(data, size));
  try {
    tumble::testing::open_and_ask({input.begin(), input.end()});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::abort();
  }
  return 0;
}
