// SPDX-License-Identifier: Apache-2.0
// Small stored models of every kind of tree, each byte changed in turn in several ways, the checksum made right: they
// are refused, or answer every question without reading outside the file (the sanitizer build watches). Usage:
// forged_bytes [--every N [--from I]], to change only each N-th byte, from byte I on. Exit status 1 on anything else
// than Error.
#include "fuzz/forged_model.h"
#include "mesh/shapes.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace tumble;

namespace {

std::vector<std::byte> stored(const Model& model) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("tumble_forged_" + std::to_string(::getpid()) + ".tmbl");
  save(model, file);
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::filesystem::remove(file);
  const std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// A box inside another; open, so that solid questions are refused, or closed.
Mesh boxes(bool closed) {
  Mesh made = test::together({test::cube(), test::box({0.25, 0.25, 0.25}, {0.5, 0.5, 0.5})});
  if (!closed) made.triangles.pop_back();
  made.parts = {{"front", 0, 10}, {"back", 10, static_cast<std::uint32_t>(made.triangles.size()) - 10}};
  return made;
}

std::vector<TreeOptions> kinds_of_trees() {
  std::vector<TreeOptions> all;
  for (const int k : {6, 8, 12, 14, 18, 26, 50, 98}) {
    TreeOptions dop;
    dop.bound = Bound::dop;
    dop.k = k;
    dop.leaf_size = k > 26 ? 8 : 4;
    dop.paper.orient = k == 14;
    all.push_back(dop);
  }
  for (const int arity : {2, 8}) {
    TreeOptions obb;
    obb.bound = Bound::obb;
    obb.arity = arity;
    obb.leaf_size = arity == 2 ? 5 : 1;
    all.push_back(obb);
  }
  return all;
}

}  // namespace

int main(int count, char** words) {
  const auto is = [&](int at, const char* option) { return count > at + 1 && std::string(words[at]) == option; };
  const auto number = [&](int at) { return std::size_t{std::strtoull(words[at], nullptr, 10)}; };
  const bool sparing = is(1, "--every"), placed = sparing && is(3, "--from");
  const std::size_t every = sparing ? number(2) : 1;
  if (count != 1 + 2 * sparing + 2 * placed || every == 0)
    return std::fprintf(stderr, "usage: %s [--every N [--from I]]\n", words[0]), 2;
  std::size_t opened = 0, refused = 0, models = 0;
  for (const TreeOptions& options : kinds_of_trees()) {
    const std::vector<std::byte> whole = stored(Model(boxes(models % 2 == 0), options));
    if (!testing::open_and_ask(whole)) return std::printf("an unchanged model is refused\n"), 1;
    ++models;
    for (std::size_t at = placed ? number(4) : models % every; at < whole.size(); at += every)
      for (const int way : {0, 1, 2}) {
        std::vector<std::byte> changed = whole;
        std::byte& b = changed[at];
        b = way == 0 ? ~b : way == 1 ? static_cast<std::byte>(std::to_integer<int>(b) + 1) : std::byte{0};
        try {
          ++(testing::open_and_ask(std::move(changed)) ? opened : refused);
        } catch (const std::exception& error) {
          std::printf("byte %zu, way %d, model %zu: %s\n", at, way, models, error.what());
          return 1;
        }
      }
    std::printf("%s %d: %zu bytes\n", name(options.bound), options.bound == Bound::dop ? options.k : options.arity,
                whole.size());
  }
  std::printf("%zu models, %zu changes: %zu opened and answered, %zu refused\n", models, opened + refused, opened,
              refused);
  return opened > 0 && refused > 0 ? 0 : 1;
}
