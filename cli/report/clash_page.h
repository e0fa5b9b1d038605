// SPDX-License-Identifier: Apache-2.0
// The page of an assembly: its parts, and what tumble clash found.
#pragma once

#include "cli/clash_findings.h"
#include "cli/report/page.h"

namespace tumble::cli {

/// Contacts are asked for again, with their outlines.
Page clash_page(const ClashFindings& findings);

}  // namespace tumble::cli
