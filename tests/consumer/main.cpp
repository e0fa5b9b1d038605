// SPDX-License-Identifier: Apache-2.0
// A program outside the repository: builds a mesh, checks it, moves it, saves it and reads it back.
#include <tumble/tumble.h>

#include <cstdio>
#include <cstring>

int main() {
  if (std::strcmp(tumble::version(), TUMBLE_VERSION) != 0) {
    std::printf("headers are %s, the library is %s\n", TUMBLE_VERSION, tumble::version());
    return 1;
  }
  tumble::Mesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  tumble::check(mesh);

  const tumble::Pose lift = tumble::Pose::from_translation({0, 0, 2});
  for (tumble::Vec3& v : mesh.vertices) v = lift * v;
  if (mesh.vertices[3] != tumble::Vec3{0, 0, 3}) return 1;

  tumble::save_mesh(mesh, "consumer.ply");  // double precision: comes back as it was
  if (tumble::load_mesh("consumer.ply") != mesh) return 1;
  if (!tumble::summarize(mesh).closed) return 1;

  try {
    tumble::format_of("mesh.unknown");
    return 1;
  } catch (const tumble::Error& error) {
    if (error.code() != tumble::ErrorCode::unsupported) return 1;
  }
  std::printf("tumble %s: ok\n", tumble::version());
  return 0;
}
