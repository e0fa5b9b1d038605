// SPDX-License-Identifier: Apache-2.0
// From what was asked to an Outcome: the one place that says what of it belongs to which request.
#pragma once

#include "query/check_requests.h"

#include <tumble/query.h>
#include <tumble/requests.h>

#include <variant>

namespace tumble {

/// `asked` is a Query or a Question that is about `request`.
template <class Asked>
Outcome outcome_of(Asked& asked, const Request& request, const Certainty& certainty) {
  Outcome outcome;
  outcome.certainty = certainty;
  if (std::holds_alternative<ContactRequest>(request)) outcome.contacts = asked.contacts();
  if (lists_pairs(request)) outcome.pairs = asked.pairs();
  if (std::holds_alternative<PenetrationRequest>(request)) outcome.penetration = asked.penetration();
  if (std::holds_alternative<OverlapDepthRequest>(request)) outcome.overlap_depth = asked.overlap_depth();
  return outcome;
}

}  // namespace tumble
