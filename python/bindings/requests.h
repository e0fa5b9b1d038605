// SPDX-License-Identifier: Apache-2.0
// Requests: what is asked, from Python's keyword arguments.
#pragma once

#include "arrays.h"
#include "scalars.h"

#include <tumble/requests.h>

#include <cstddef>
#include <limits>

namespace tumble::python {

inline std::size_t number_or_all(const AtMost& at_most) {
  return at_most ? at_most->value : std::numeric_limits<std::size_t>::max();
}

inline ContactRequest contact_request(bool ignore_touch, const AtMost& at_most, bool geometry, bool solid) {
  return {ignore_touch, number_or_all(at_most), geometry, solid};
}

inline WithinRequest within_request(double distance, const AtMost& at_most, bool solid) {
  return {distance, number_or_all(at_most), solid};
}

/// The classes of requests, for questions that are started.
void bind_requests(py::module_& m);

}  // namespace tumble::python
