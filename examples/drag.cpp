// SPDX-License-Identifier: Apache-2.0
// tumble inside an application that has meshes, frames and a user of its own: a part is dragged past another, each
// frame gives the collision check a millisecond at most, and what is known then is shown. docs/embed.md explains it.
#include <tumble/tumble.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace host {

/// What the application has: buffers of its own, in single precision.
struct Buffers {
  std::vector<float> positions;  // x y z x y z ...
  std::vector<std::uint32_t> indices;
};

/// A ball of 12 * rings * rings triangles, in the place of what an application would load.
Buffers ball(int rings);

}  // namespace host

/// The plug-in: the only part of the application that knows tumble.
class DragCheck {
 public:
  /// Throws tumble::Error if the buffers are not a mesh.
  DragCheck(const host::Buffers& fixed, const host::Buffers& dragged) : pair_(model_of(fixed), model_of(dragged)) {}

  /// The user moved the part. What was being asked about the old place is dropped.
  void move(const tumble::Pose& pose) { query_ = pair_.start({}, pose, tumble::ContactRequest{}); }

  /// Called in every frame until it returns true. Never much longer than the budget, never wrong.
  bool work(std::chrono::microseconds budget) {
    known_ = query_->run({.time = budget});
    return known_.finished;
  }

  std::string status() {
    if (known_.verdict == tumble::Verdict::colliding)
      return std::to_string(query_->contacts().size()) + (known_.finished ? " contacts" : " contacts so far");
    if (known_.verdict == tumble::Verdict::free) return "free, at least " + std::to_string(known_.lower) + " apart";
    return "not known yet";
  }
  tumble::Verdict verdict() const { return known_.verdict; }

 private:
  static tumble::Model model_of(const host::Buffers& buffers) {
    tumble::Mesh mesh;
    for (std::size_t i = 0; i + 2 < buffers.positions.size(); i += 3)
      mesh.vertices.push_back({buffers.positions[i], buffers.positions[i + 1], buffers.positions[i + 2]});
    for (std::size_t i = 0; i + 2 < buffers.indices.size(); i += 3)
      mesh.triangles.push_back({buffers.indices[i], buffers.indices[i + 1], buffers.indices[i + 2]});
    return tumble::Model{std::move(mesh)};
  }

  tumble::Pair pair_;
  std::optional<tumble::Query> query_;
  tumble::Certainty known_;
};

int main() try {
  const host::Buffers ball = host::ball(100);
  DragCheck check(ball, ball);
  for (const double x : {2.5, 1.9, 1.0}) {
    check.move(tumble::Pose::from_translation({x, 0.1, 0}));
    int frames = 1;
    while (!check.work(std::chrono::milliseconds{1})) ++frames;  // the application would draw here
    std::printf("at %g: %s, after %d frame%s\n", x, check.status().c_str(), frames, frames == 1 ? "" : "s");
    if ((check.verdict() == tumble::Verdict::colliding) != (x < 2)) return 1;
  }
  return 0;
} catch (const tumble::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}

host::Buffers host::ball(int rings) {
  Buffers buffers;
  const auto at = [&buffers](double x, double y, double z) {
    // A cube's faces, blown up to a sphere.
    const tumble::Vec3 p{x, y, z};
    const double scale = 1 / tumble::length(p);
    for (const double c : {p.x * scale, p.y * scale, p.z * scale}) buffers.positions.push_back(static_cast<float>(c));
  };
  const auto n = static_cast<std::uint32_t>(rings);
  for (int face = 0; face < 6; ++face) {
    const auto first = static_cast<std::uint32_t>(buffers.positions.size() / 3);
    const double side = face % 2 == 0 ? 1 : -1;
    for (std::uint32_t i = 0; i <= n; ++i)
      for (std::uint32_t j = 0; j <= n; ++j) {
        const double u = 2.0 * i / n - 1, v = 2.0 * j / n - 1;
        if (face / 2 == 0) at(side, u, v);
        if (face / 2 == 1) at(u, side, v);
        if (face / 2 == 2) at(u, v, side);
      }
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j < n; ++j) {
        const std::uint32_t a = first + i * (n + 1) + j, b = a + n + 1;
        for (const std::uint32_t index : {a, b, a + 1, a + 1, b, b + 1}) buffers.indices.push_back(index);
      }
  }
  return buffers;
}
