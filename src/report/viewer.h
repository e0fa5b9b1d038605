// SPDX-License-Identifier: Apache-2.0
// The viewer, which is built from viewer/ and is part of the program: a page with two places for data.
#pragma once

#include <string_view>

namespace tumble {

struct ViewerParts {
  std::string_view before_json, between, after;
};

ViewerParts viewer_parts();

}  // namespace tumble
