// SPDX-License-Identifier: Apache-2.0
// A command of the tumble binary: its options, and the function to run once they are known.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace tumble::cli {

/// The exit statuses of every command.
enum class Status { nothing_found = 0, found = 1, failed = 2 };

struct Command {
  CLI::App* arguments;
  std::function<Status()> run;  // throws on bad data
};

Command add_build(CLI::App& tumble);
Command add_clash(CLI::App& tumble);
Command add_collide(CLI::App& tumble);
Command add_distance(CLI::App& tumble);
Command add_fly(CLI::App& tumble);
Command add_help(CLI::App& tumble);
Command add_info(CLI::App& tumble);
Command add_inside(CLI::App& tumble);
Command add_lab(CLI::App& tumble);
Command add_manual(CLI::App& tumble);
Command add_penetration(CLI::App& tumble);
Command add_point(CLI::App& tumble);
Command add_ray(CLI::App& tumble);
Command add_view(CLI::App& tumble);
Command add_world(CLI::App& tumble);

}  // namespace tumble::cli
