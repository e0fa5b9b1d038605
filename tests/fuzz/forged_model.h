// SPDX-License-Identifier: Apache-2.0
// Stored models as a forger would make them, and everything that can be asked of what opens. For the fuzzer and for
// forged_bytes.cpp.
#pragma once

#include "core/checksum.h"

#include <tumble/error.h>
#include <tumble/model.h>
#include <tumble/query.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace tumble::testing {

inline constexpr std::size_t file_bytes_at = 16, checksum_at = 24, header_bytes = 192;  // docs/formats/tmbl.md

/// Sets length and checksum right; otherwise nothing would get past them.
inline void forge(std::vector<std::byte>& file) {
  const std::uint64_t size = file.size();
  std::memcpy(file.data() + file_bytes_at, &size, sizeof size);
  std::memset(file.data() + checksum_at, 0, 8);
  Checksum checksum;
  checksum.add(file);
  const std::uint64_t value = checksum.value();
  std::memcpy(file.data() + checksum_at, &value, sizeof value);
}

/// Every question, within a budget: bounds that hold nothing give wrong answers, and must not do more harm than that.
inline void ask_everything(const Model& model) {
  static const Model other(
      Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}, {}});
  const Request requests[] = {CollideRequest{},
                              CollideRequest{.ignore_touch = true, .solid = true},
                              ContactRequest{},
                              ContactRequest{.solid = true},
                              DistanceRequest{},
                              DistanceRequest{.solid = true},
                              WithinRequest{.distance = 0.1},
                              ClosestPairsRequest{.rel_error = 0.1},
                              ClosingPairsRequest{},
                              WithinRequest{.distance = 0.1, .solid = true},
                              PenetrationRequest{},
                              OverlapDepthRequest{}};
  const Pose poses[] = {{}, Pose::from_quaternion(1, 0.3, -0.2, 0.1, {0.5, 0.25, -0.125})};
  for (const bool first : {true, false}) {
    Pair pair(first ? model : other, first ? other : model);
    for (const Pose& pose : poses)
      for (const Request& request : requests)
        for (const bool hurried : {false, true}) try {
            // Without a budget contacts are found another way. Depths take long.
            const bool is_depth = std::holds_alternative<PenetrationRequest>(request) ||
                                  std::holds_alternative<OverlapDepthRequest>(request);
            if (!hurried && is_depth) continue;
            pair.start({}, pose, request).run(hurried ? Budget{.node_pairs = is_depth ? 10u : 200u} : Budget{});
          } catch (const Error& error) {
            if (error.code() != ErrorCode::not_closed) throw;
          }
  }
  try {
    for (const Pose& pose : poses) locate(model, pose, {0.1, 0.2, 0.3});
  } catch (const Error& error) {
    if (error.code() != ErrorCode::not_closed) throw;
  }
}

/// False if the file is refused. Throws std::runtime_error if an error does not name the file.
inline bool open_and_ask(std::vector<std::byte> file) {
  if (file.size() >= header_bytes) forge(file);
  try {
    const Model model = read_model(file, "input");
    const TreeStatistics of_tree = statistics(model);
    if (of_tree.triangles != model.triangles().size()) throw std::runtime_error("the number of triangles differs");
    validate(model);  // bounds that hold nothing are a wrong answer, not a danger
    for (std::size_t depth = 0; depth < of_tree.leaves_at_depth.size(); ++depth)
      bounds_at_depth(model, static_cast<int>(depth));
    ask_everything(model);
    return true;
  } catch (const Error& error) {
    if (error.place().file == "input") return false;
    throw std::runtime_error(std::string("the error does not name the file: ") + error.what());
  }
}

}  // namespace tumble::testing
