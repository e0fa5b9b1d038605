// SPDX-License-Identifier: Apache-2.0
// What is wrong with the links and joints of a robot, and with which of them: a file's reader knows their lines.
#pragma once

#include <tumble/robot.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace tumble {

struct RobotFault {
  enum class Of : std::uint8_t { robot, link, joint } of;
  std::size_t index;  // of the link or joint
  std::string what;
};

/// The first thing that keeps them from being a robot.
std::optional<RobotFault> find_fault(std::span<const Link> links, std::span<const Joint> joints);

}  // namespace tumble
