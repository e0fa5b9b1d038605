// SPDX-License-Identifier: Apache-2.0
// The libFuzzer entry for one reader, chosen when compiled: any bytes give a mesh that passes check(), or Error.
#include <tumble/error.h>
#include <tumble/io.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tumble::Mesh mesh;
  try {
    mesh = tumble::read_mesh(std::as_bytes(std::span(data, size)), tumble::MeshFormat::TUMBLE_FUZZ_FORMAT, "input");
  } catch (const tumble::Error& error) {
    if (error.place().file == "input") return 0;
    std::fprintf(stderr, "the error does not name the file: %s\n", error.what());
    std::abort();
  }
  try {
    tumble::check(mesh);
  } catch (const tumble::Error& error) {
    std::fprintf(stderr, "read, but invalid: %s\n", error.what());
    std::abort();
  }
  if (mesh.triangles.empty()) std::abort();
  return 0;
}
