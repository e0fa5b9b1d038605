// SPDX-License-Identifier: Apache-2.0
// PairSetup: what is worked out once for two models: which of them is a walk's target, and how the other's bounds are
// brought to it.
#pragma once

#include "realign/realigner.h"
#include "traverse/front.h"
#include "traverse/relate.h"
#include "tree/model_data.h"

#include <tumble/model.h>
#include <tumble/pair_options.h>

#include <memory>

namespace tumble {

struct PairSetup {
  Model a, b;
  PairOptions options;
  bool a_is_target;
  Relation relation;                     // of the trees' frames
  std::unique_ptr<Realigner> realigner;  // of the source's bounds to the target's; walks set its pose
  Radii radii;                           // of both trees

  /// Throws Error(invalid_argument) for options out of range.
  PairSetup(Model model_a, Model model_b, const PairOptions& how);

  const ModelData& target() const { return data_of(a_is_target ? a : b); }
  const ModelData& source() const { return data_of(a_is_target ? b : a); }
};

/// Whether bounds can tell anything apart at this pose. They cannot where sizes are so different that no common unit
/// serves both trees, or places so far from the origin that all bounds overlap.
bool bounds_serve(const RelativePose& pose);

}  // namespace tumble
