// SPDX-License-Identifier: Apache-2.0
// What measure.py asks from Python, asked from C++: speed MODEL POSES REPEATS prints nanoseconds per Pair::collide at
// the first pose, seconds per collide_many over all poses, and seconds for as many calls of FCL's collide, as
// python-fcl makes them (0 without FCL); each the best of REPEATS.
#include <tumble/tumble.h>

#ifdef TUMBLE_HAVE_FCL
#include <fcl/fcl.h>
#endif

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <memory>
#include <vector>

namespace {

template <class Work>
double seconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

#ifdef TUMBLE_HAVE_FCL
/// python-fcl's BVHModel is of OBBRSS in double precision; a call sets a transform and collides two objects.
class Fcl {
 public:
  explicit Fcl(const tumble::Model& model) {
    auto bvh = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    bvh->beginModel();
    for (const tumble::Triangle& t : model.triangles())
      bvh->addTriangle(at(model, t[0]), at(model, t[1]), at(model, t[2]));
    bvh->endModel();
    a_ = std::make_unique<fcl::CollisionObjectd>(bvh);
    b_ = std::make_unique<fcl::CollisionObjectd>(bvh);
  }
  bool collide(const tumble::Pose& pose) {
    fcl::Transform3d transform = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) transform(i, j) = pose.row(i)[j];
      transform(i, 3) = pose.translation()[i];
    }
    b_->setTransform(transform);
    fcl::CollisionResultd result;
    return fcl::collide(a_.get(), b_.get(), fcl::CollisionRequestd{}, result) > 0;
  }

 private:
  static fcl::Vector3d at(const tumble::Model& model, std::uint32_t v) {
    const tumble::Vec3 p = model.vertices()[v];
    return {p.x, p.y, p.z};
  }
  std::unique_ptr<fcl::CollisionObjectd> a_, b_;
};
#endif

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::fprintf(stderr, "usage: %s MODEL POSES REPEATS\n", argv[0]), 2;
  const tumble::Model model{tumble::load_mesh(argv[1])};
  std::vector<tumble::Pose> poses;
  std::ifstream file(argv[2], std::ios::binary);
  std::array<double, 16> numbers{};
  while (file.read(reinterpret_cast<char*>(numbers.data()), sizeof numbers))
    poses.push_back(tumble::Pose::from_matrix(numbers));
  tumble::Pair pair{model, model};
  constexpr int calls = 20000;
  double single = std::numeric_limits<double>::infinity(), batch = single, others = 0;
#ifdef TUMBLE_HAVE_FCL
  Fcl fcl(model);
  others = single;
#endif
  std::size_t hits = 0;
  for (int i = 0; i < std::atoi(argv[3]); ++i) {
    single = std::min(single, seconds([&] {
                        for (int call = 0; call < calls; ++call) hits += pair.collide({}, poses.front());
                      }));
    batch = std::min(batch, seconds([&] { hits += tumble::collide_many(model, model, poses).size(); }));
#ifdef TUMBLE_HAVE_FCL
    others = std::min(others, seconds([&] {
                        for (const tumble::Pose& pose : poses) hits += fcl.collide(pose);
                      }));
#endif
  }
  std::printf("%.1f %.6f %.6f\n", single / calls * 1e9, batch, others);
  return hits == 0;
}
