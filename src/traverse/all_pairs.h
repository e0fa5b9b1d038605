// SPDX-License-Identifier: Apache-2.0
// Every triangle of one tree against every one of the other: what is left to do where bounds tell nothing apart.
#pragma once

#include "traverse/deadline.h"
#include "traverse/sink.h"
#include "traverse/walk_end.h"
#include "tree/tree.h"

#include <tumble/counters.h>

#include <cstdint>

namespace tumble {

/// Four triangles against four count as one node pair. `node_pairs` is how many were taken up, and where to go on.
WalkEnd walk_all_pairs(const Tree& target, const Tree& source, Sink& sink, const Deadline& deadline,
                       std::uint64_t& node_pairs, Counters* counters);

}  // namespace tumble
