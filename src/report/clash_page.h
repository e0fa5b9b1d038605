// SPDX-License-Identifier: Apache-2.0
// The page of an assembly: its parts and their clashes.
#pragma once

#include "report/page.h"

#include <tumble/clash.h>

#include <span>

namespace tumble {

/// A row for each pair, in their order. Contacts are asked for again, with their outlines.
Page clash_page(const Parts& parts, std::span<const Clash> clashes);

}  // namespace tumble
