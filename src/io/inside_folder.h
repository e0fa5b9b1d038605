// SPDX-License-Identifier: Apache-2.0
// Whether a file that another one names is where it may be.
#pragma once

#include <filesystem>

namespace tumble::io {

/// Whether `file`, which need not exist, is at or below `folder` after following links.
bool is_inside(const std::filesystem::path& file, const std::filesystem::path& folder);

/// Whether the system refuses `file` because it, or a step of it, is too long.
bool is_too_long(const std::filesystem::path& file);

}  // namespace tumble::io
