// SPDX-License-Identifier: Apache-2.0
// Requests that make no sense are refused before anything is done.
#pragma once

#include <tumble/requests.h>

namespace tumble {

/// Throws Error(invalid_argument), naming what is out of range and what is allowed.
void check(const Request& request);

}  // namespace tumble
