// SPDX-License-Identifier: Apache-2.0
// Facts about the machine and the build.
#include "lab/machine.h"

#include "core/assert.h"
#include "lab/commit.h"
#include "lab/instruction_limit.h"

#include <tumble/version.h>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>

#include <sys/utsname.h>

namespace tumble::lab {

Machine this_machine() {
  Machine machine;
  machine.cpu = "unknown";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) {
      machine.cpu = line.substr(line.find(':') + 2);
      break;
    }
  machine.cores = std::thread::hardware_concurrency();
  machine.instruction_set = name(InstructionLimit::in_use());
#if defined(__clang__)
  machine.compiler = "clang " __clang_version__;
#elif defined(__GNUC__)
  machine.compiler = "gcc " __VERSION__;
#endif
  utsname system{};
  if (uname(&system) == 0) machine.system = std::string(system.sysname) + " " + system.machine;
  return machine;
}

std::size_t peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stoull(line.substr(line.find(':') + 1)) * 1024;
  return 0;
}

void forget_peak_memory() { std::ofstream("/proc/self/clear_refs") << '5'; }  // proc(5)

std::string commit() { return TUMBLE_COMMIT; }
std::string code_version(std::string_view experiment_file) {
  static constexpr std::pair<std::string_view, std::string_view> files[] = {TUMBLE_EXPERIMENT_HASHES};
  const auto* const file =
      std::ranges::find(files, experiment_file, &std::pair<std::string_view, std::string_view>::first);
  TUMBLE_ASSERT(file != std::end(files));
  return fmt::format("{} {} {}", version(), TUMBLE_CODE_HASH, file->second);
}

}  // namespace tumble::lab
