// SPDX-License-Identifier: Apache-2.0
// Page: what a report shows, and the self-contained HTML file it becomes (docs/reports.md).
#pragma once

#include <tumble/contact.h>
#include <tumble/model.h>
#include <tumble/pose.h>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tumble {

/// In the world.
using Segment = std::array<Vec3, 2>;

struct PagePart {
  std::string name;
  Model model;  // parts that share a model share its triangles in the file
  Pose pose{};
  std::string group{};
};

/// A row of the table: two parts that touch, or are near.
struct PageClash {
  std::size_t a = 0, b = 0;  // indices of parts
  std::string kind;
  std::optional<std::size_t> contacts{};
  std::optional<double> gap{};
  std::optional<std::array<double, 2>> depth{};
  std::optional<Vec3> point{};
  std::string verdict{"fails"};  // or "passes", "allowed", "known": whether it counts as a clash, or why it does not
  std::optional<std::array<std::size_t, 2>> steps{};  // of the motion: the first and the last it is true for
  std::vector<Segment> outline{};
};

struct PageStep {
  std::vector<Pose> poses;  // of the parts that move
  double value = 0;         // NaN: unknown
  double microseconds = 0;
  bool colliding = false;
  std::vector<Segment> outline{};
};

struct PageMotion {
  std::vector<std::size_t> moved;  // indices of parts
  std::string value;               // what PageStep::value is: "contacts", "distance"; empty: nothing
  std::vector<PageStep> steps;
};

struct Page {
  std::string title{};
  std::string command{};  // that made it
  std::string units{};
  std::vector<PagePart> parts{};
  std::vector<PageClash> clashes{};
  std::optional<PageMotion> motion{};
  std::vector<std::string> notes{};  // what the page does not show
};

/// The row of two parts in contact. Its outline bounds what their surfaces have in common: lines where they cross,
/// edges of common areas without those between two triangles. Its place is the contact nearest to the middle of all.
PageClash contact_row(std::size_t a, std::size_t b, std::span<const Contact> contacts);

/// Outlines of more segments than this make a page slow.
inline constexpr std::size_t most_segments = 100'000;
/// Takes an outline from the number of segments that are left. One that is too long is emptied and takes nothing, so
/// that shorter ones after it still have their place. Returns whether it was kept.
bool keep_outline(std::vector<Segment>& outline, std::size_t& left);

/// The whole file.
std::string page_text(const Page& page);

}  // namespace tumble
