// SPDX-License-Identifier: Apache-2.0
// What measure.py asks from Python, asked from C++: speed MODEL POSES REPEATS prints nanoseconds per Pair::collide at
// the first pose, and seconds per collide_many over all poses, each the best of REPEATS.
#include <tumble/tumble.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <vector>

namespace {

template <class Work>
double seconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

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
  double single = std::numeric_limits<double>::infinity(), batch = single;
  std::size_t hits = 0;
  for (int i = 0; i < std::atoi(argv[3]); ++i) {
    single = std::min(single, seconds([&] {
                        for (int call = 0; call < calls; ++call) hits += pair.collide({}, poses.front());
                      }));
    batch = std::min(batch, seconds([&] { hits += tumble::collide_many(model, model, poses).size(); }));
  }
  std::printf("%.1f %.6f\n", single / calls * 1e9, batch);
  return hits == 0;
}
