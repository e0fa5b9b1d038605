// SPDX-License-Identifier: Apache-2.0
// Work with a limit on its processor time. Another library's query cannot be told to stop, so that it runs in a copy of
// this process, which can be ended.
#pragma once

#include <functional>
#include <string>

namespace tumble::lab {

struct Limited {
  enum class End { finished, over_limit, failed };
  End end = End::failed;
  std::string text;  // what the work returned, or why it failed
};

/// Forks, runs `work` in the child and ends it once it has used so much processor time. What throws, crashes, or is
/// stuck (no end in sight, yet the time is not used up) has failed.
Limited run_limited(double seconds, const std::function<std::string()>& work);
/// From within the work: what follows is not limited.
void lift_limit();

}  // namespace tumble::lab
