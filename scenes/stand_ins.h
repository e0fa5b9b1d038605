// SPDX-License-Identifier: Apache-2.0
// Stand-ins: what each scene of the catalog replaces, and how what no paper says was chosen.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tumble::scenes {

/// A sentence or two on one scene; empty for a name that is not in the catalog.
std::string stand_in(std::string_view scene);

enum class Used { flown, meshes_only };

/// Those of the scenes, each behind its name, and once how billiards bounce, if one of them is a billiard and flown.
std::vector<std::string> stand_ins(std::span<const std::string> scenes, Used used = Used::flown);

}  // namespace tumble::scenes
