// SPDX-License-Identifier: Apache-2.0
// Placed parts as Python has them: tumble::Parts whose models know the files they were opened from.
#pragma once

#include "bind.h"

#include <tumble/clash.h>
#include <tumble/io.h>
#include <tumble/parts.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace tumble::python {

struct Placed {
  std::string name;
  StoredModel model;
  Pose pose{};
  std::string group{};
  bool moves = true;
};

struct PlacedParts {
  std::string units{};
  std::vector<std::shared_ptr<Placed>> parts{};
  std::vector<std::array<std::string, 2>> ignore{};

  Parts get() const;
};

/// For files and for one mesh of everything: parts that share a model share its mesh.
Assembly assembly_of(const PlacedParts& parts);

/// What clash() found, with the parts it is about.
struct FoundClashes {
  std::shared_ptr<PlacedParts> parts;
  Clashes found;
};

}  // namespace tumble::python
