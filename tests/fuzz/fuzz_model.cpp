// SPDX-License-Identifier: Apache-2.0
// The libFuzzer entry for stored models: any bytes give a model that is safe to walk, measure and draw, or Error. The
// length and the checksum are set right first, as a forger would; otherwise nothing would get past them.
#include "core/checksum.h"

#include <tumble/error.h>
#include <tumble/model.h>
#include <tumble/query.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <variant>
#include <vector>

namespace {

constexpr std::size_t file_bytes_at = 16, checksum_at = 24, header_bytes = 192;  // docs/formats/tmbl.md

void forge(std::vector<std::byte>& file) {
  const std::uint64_t size = file.size();
  std::memcpy(file.data() + file_bytes_at, &size, sizeof size);
  std::memset(file.data() + checksum_at, 0, 8);
  tumble::Checksum checksum;
  checksum.add(file);
  const std::uint64_t value = checksum.value();
  std::memcpy(file.data() + checksum_at, &value, sizeof value);
}

/// Every question, within a budget: bounds that hold nothing give wrong answers, and must not do more harm than that.
void ask_everything(const tumble::Model& model) {
  static const tumble::Model other(
      tumble::Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}, {}});
  const tumble::Request requests[] = {tumble::CollideRequest{},
                                      tumble::CollideRequest{.ignore_touch = true, .solid = true},
                                      tumble::ContactRequest{},
                                      tumble::ContactRequest{.solid = true},
                                      tumble::DistanceRequest{},
                                      tumble::DistanceRequest{.solid = true},
                                      tumble::WithinRequest{.distance = 0.1},
                                      tumble::ClosestPairsRequest{.rel_error = 0.1},
                                      tumble::ClosingPairsRequest{},
                                      tumble::PenetrationRequest{}};
  const tumble::Pose poses[] = {{}, tumble::Pose::from_quaternion(1, 0.3, -0.2, 0.1, {0.5, 0.25, -0.125})};
  for (const bool first : {true, false}) {
    tumble::Pair pair(first ? model : other, first ? other : model);
    for (const tumble::Pose& pose : poses)
      for (const tumble::Request& request : requests)
        for (const bool hurried : {false, true}) try {
            // Without a budget contacts are found another way.
            if (!hurried && std::holds_alternative<tumble::PenetrationRequest>(request)) continue;
            pair.start({}, pose, request).run(hurried ? tumble::Budget{.node_pairs = 200} : tumble::Budget{});
          } catch (const tumble::Error& error) {
            if (error.code() != tumble::ErrorCode::not_closed) throw;
          }
  }
  try {
    for (const tumble::Pose& pose : poses) tumble::locate(model, pose, {0.1, 0.2, 0.3});
  } catch (const tumble::Error& error) {
    if (error.code() != tumble::ErrorCode::not_closed) throw;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> input = std::as_bytes(std::span(data, size));
  std::vector<std::byte> file(input.begin(), input.end());
  if (file.size() >= header_bytes) forge(file);
  try {
    const tumble::Model model = tumble::read_model(file, "input");
    const tumble::TreeStatistics statistics = tumble::statistics(model);
    if (statistics.triangles != model.triangles().size()) std::abort();
    tumble::validate(model);  // bounds that hold nothing are a wrong answer, not a danger
    for (std::size_t depth = 0; depth < statistics.leaves_at_depth.size(); ++depth)
      tumble::bounds_at_depth(model, static_cast<int>(depth));
    ask_everything(model);
  } catch (const tumble::Error& error) {
    if (error.place().file == "input") return 0;
    std::fprintf(stderr, "the error does not name the file: %s\n", error.what());
    std::abort();
  }
  return 0;
}
