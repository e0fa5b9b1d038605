// SPDX-License-Identifier: Apache-2.0
// The referee for triangle pairs: CGAL's exact kernel and exact rational arithmetic. Knows nothing of tumble's own.
#pragma once

#include "geometry/triangle.h"

#include <tumble/contact.h>

#include <optional>

namespace tumble::testing {

/// Whether the closed triangles meet (CGAL's do_intersect; degenerate ones as segments or points) and in which kind
/// (by the definition in docs/semantics.md, in rationals).
std::optional<ContactKind> reference_classify(const Corners& a, const Corners& b);

}  // namespace tumble::testing
