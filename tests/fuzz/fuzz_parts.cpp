// SPDX-License-Identifier: Apache-2.0
// The libFuzzer entry for PARTS.json: any bytes give entries with sound poses and scales, or Error that names the file.
#include "assembly/parts_file.h"

#include <tumble/error.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const tumble::PartsFile file = tumble::read_parts_file({"input", {reinterpret_cast<const char*>(data), size}, {}});
    if (file.parts.empty()) std::abort();
    for (const tumble::PartsFile::Entry& part : file.parts) {
      const double product = part.scale.x * part.scale.y * part.scale.z;
      if (part.name.empty() || part.mesh.empty() || std::isnan(product)) std::abort();
      tumble::Pose::from_rows(part.pose.rows());
    }
  } catch (const tumble::Error& error) {
    if (error.place().file == "input") return 0;
    std::fprintf(stderr, "the error does not name the file: %s\n", error.what());
    std::abort();
  }
  return 0;
}
