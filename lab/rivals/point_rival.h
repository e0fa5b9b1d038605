// SPDX-License-Identifier: Apache-2.0
// PointRival: a library asked about points and rays and one mesh. Adapters are modules, as Rival's.
#pragma once

#include <tumble/mesh.h>
#include <tumble/point.h>

#include <memory>
#include <string>
#include <vector>

namespace tumble::lab {

class PointRival {
 public:
  virtual ~PointRival() = default;

  virtual std::string id() const = 0;
  virtual std::string name() const = 0;
  /// How it was set up and what a reader should know to judge the comparison, in a sentence.
  virtual std::string settings() const = 0;

  /// What was there before is gone.
  virtual void build(const Mesh& mesh) = 0;
  virtual bool has_distance() const { return true; }
  /// From the point to the nearest of the mesh.
  virtual double distance(const Vec3&) { return 0; }
  /// How far a ray of direction of length 1 goes until it first hits; 0 if it never does.
  virtual double first_hit(const Ray& ray) = 0;
};

using PointRivals = std::vector<std::unique_ptr<PointRival>>;

}  // namespace tumble::lab

/// Opens the one function a module shows to the outside: it appends its rivals.
#define TUMBLE_POINT_RIVALS extern "C" __attribute__((visibility("default"))) void tumble_point_rivals
