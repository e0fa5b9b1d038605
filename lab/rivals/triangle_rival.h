// SPDX-License-Identifier: Apache-2.0
// TriangleRival: a library that decides whether two triangles touch. Adapters are modules, as Rival's.
#pragma once

#include <tumble/vec.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace tumble::lab {

using CornersOfPair = std::array<std::array<Vec3, 3>, 2>;

class TriangleRival {
 public:
  virtual ~TriangleRival() = default;

  virtual std::string id() const = 0;
  virtual std::string name() const = 0;
  /// How it was set up and what a reader should know to judge the comparison, in a sentence.
  virtual std::string settings() const = 0;

  /// Brings them into the library's own types. What was there before is gone.
  virtual void start(const std::vector<CornersOfPair>& pairs) = 0;
  /// Tests all of them: how many touch.
  virtual std::size_t hits() const = 0;
};

using TriangleRivals = std::vector<std::unique_ptr<TriangleRival>>;

}  // namespace tumble::lab

/// Opens the one function a module shows to the outside: it appends its rivals.
#define TUMBLE_TRIANGLE_RIVALS extern "C" __attribute__((visibility("default"))) void tumble_triangle_rivals
