// SPDX-License-Identifier: Apache-2.0
// The libFuzzer entry for robots: any bytes give a robot whose links can be placed, or Error that names the file. The
// same bytes are read as an SRDF, too.
#include <tumble/error.h>
#include <tumble/robot.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

namespace {

template <class Work>
void expect_error_to_name_input(const Work& work) {
  try {
    work();
  } catch (const tumble::Error& error) {
    if (error.place().file == "input") return;
    std::fprintf(stderr, "the error does not name the file: %s\n", error.what());
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
  expect_error_to_name_input([&] {
    const tumble::Robot robot = tumble::read_robot(bytes, "input");
    std::vector<double> middle;
    for (const std::size_t joint : robot.free_joints())
      middle.push_back(robot.joints()[joint].lower / 2 + robot.joints()[joint].upper / 2);
    try {
      if (robot.poses(middle, {.beyond_limits = true}).size() != robot.links().size()) std::abort();
    } catch (const tumble::Error&) {  // the numbers may add up to more than 1e100
    }
  });
  tumble::Robot robot("input", {{"a"}, {"b"}, {"c"}},
                      {{.name = "ab", .parent = "a", .child = "b"}, {.name = "bc", .parent = "b", .child = "c"}});
  expect_error_to_name_input([&] { tumble::read_srdf(robot, bytes, "input"); });
  return 0;
}
