// SPDX-License-Identifier: Apache-2.0
// The roster: which rivals take part on this machine, and why the others do not.
#pragma once

#include "lab/rivals/broad.h"
#include "lab/rivals/convex_rival.h"
#include "lab/rivals/file_rival.h"
#include "lab/rivals/motion_rival.h"
#include "lab/rivals/point_rival.h"
#include "lab/rivals/rival.h"
#include "lab/rivals/triangle_rival.h"
#include "lab/rivals/world_rival.h"

#include <filesystem>

namespace tumble::lab {

struct Absence {
  std::string library;
  std::string reason;  // "not installed: ...", "not run: ..."
};

template <class RivalList>
struct RosterOf {
  RivalList rivals;
  std::vector<Absence> absent;
};
using Roster = RosterOf<Rivals>;
using WorldRoster = RosterOf<WorldRivals>;
using BroadRoster = RosterOf<BroadRivals>;
using ConvexRoster = RosterOf<ConvexRivals>;
using MotionRoster = RosterOf<MotionRivals>;
using FileRoster = RosterOf<FileRivals>;
using TriangleRoster = RosterOf<TriangleRivals>;
using PointRoster = RosterOf<PointRivals>;

/// Loads every module that lies in `folder`; they stay loaded. Throws nothing for one that is missing
/// or cannot start, which it says by a std::exception.
Roster load_rivals(const std::filesystem::path& folder);
WorldRoster load_world_rivals(const std::filesystem::path& folder);
BroadRoster load_broad_rivals(const std::filesystem::path& folder);
ConvexRoster load_convex_rivals(const std::filesystem::path& folder);
MotionRoster load_motion_rivals(const std::filesystem::path& folder);
FileRoster load_file_rivals(const std::filesystem::path& folder);
TriangleRoster load_triangle_rivals(const std::filesystem::path& folder);
PointRoster load_point_rivals(const std::filesystem::path& folder);

/// The modules of this build; an environment variable TUMBLE_RIVALS names another folder.
std::filesystem::path rivals_folder();

}  // namespace tumble::lab
