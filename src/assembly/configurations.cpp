// SPDX-License-Identifier: Apache-2.0
// Many configurations of a robot on all cores.
#include "core/parallel.h"

#include <tumble/assembly.h>
#include <tumble/error.h>

#include <algorithm>
#include <atomic>
#include <string>

namespace tumble {

void for_each_configuration(const World& world, const RobotBodies& robot, std::span<const double> configurations,
                            const ConfigurationOptions& options, const std::function<void(std::size_t, World&)>& each) {
  const auto refuse = [](const std::string& what) { throw Error(ErrorCode::invalid_argument, what); };
  if (options.threads < 0)
    refuse("threads is " + std::to_string(options.threads) + "; it must be 0 (all cores) or more");
  const std::size_t joints = robot.robot().free_joints().size();
  if (joints == 0) refuse("the robot has no joint that takes a value, so there are no configurations");
  if (configurations.size() % joints != 0)
    refuse("configurations of " + std::to_string(joints) + " joints were expected, and " +
           std::to_string(configurations.size()) + " is no multiple of it");
  const std::size_t count = configurations.size() / joints;
  const auto values_of = [&](std::size_t i) { return configurations.subspan(i * joints, joints); };
  for (std::size_t i = 0; i < count; ++i) try {
      robot.robot().check(values_of(i), options.poses);
    } catch (const Error& error) {
      refuse("configuration " + std::to_string(i) + ": " + error.message());
    }
  // Neighbours go to one thread: configurations along a path find the world as the last one left it.
  constexpr std::size_t stretch = 16;
  const std::size_t stretches = (count + stretch - 1) / stretch;
  with_threads(options.threads, [&] {
    // A world for each worker and not for each thread: a thread that waits inside a question may begin other work.
    std::atomic<std::size_t> next{0};
    const std::size_t workers = std::min(stretches, most_threads_here());
    parallel_for(workers, 1, [&](std::size_t) {
      World own = world;
      RobotBodies bodies = robot;
      for (std::size_t s = next++; s < stretches; s = next++)
        for (std::size_t i = s * stretch; i < std::min((s + 1) * stretch, count); ++i) {
          bodies.set_joints(own, values_of(i), options.poses);
          each(i, own);
        }
    });
  });
}

std::vector<std::uint8_t> collide_configurations(const World& world, const RobotBodies& robot,
                                                 std::span<const double> configurations, const CollideRequest& request,
                                                 const ConfigurationOptions& options) {
  std::vector<std::uint8_t> answers(configurations.size() /
                                    std::max<std::size_t>(1, robot.robot().free_joints().size()));
  for_each_configuration(world, robot, configurations, options,
                         [&](std::size_t i, World& at) { answers[i] = at.collide(request) ? 1 : 0; });
  return answers;
}

}  // namespace tumble
