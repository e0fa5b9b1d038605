// SPDX-License-Identifier: Apache-2.0
// Limits Highway's run-time dispatch.
#include "simd/dispatch.h"

#include "core/assert.h"

#include <tumble/version.h>

#include <hwy/highway.h>
#include <hwy/targets.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace tumble {
namespace {

std::int64_t target_of(InstructionSet set) {
  constexpr std::array<std::int64_t, 4> targets{HWY_SCALAR | HWY_EMU128, HWY_SSE4, HWY_AVX2, HWY_AVX3};
  return targets[static_cast<std::size_t>(set)];
}

void choose(std::int64_t targets) {
  hwy::SetSupportedTargetsForTest(targets);
  hwy::GetChosenTarget().DeInit();  // the next dispatch chooses anew
}

}  // namespace

std::vector<InstructionSet> available() {
  // Highway reports the machine's own targets only before it is limited.
  static const std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  std::vector<InstructionSet> sets;
  for (const InstructionSet set :
       {InstructionSet::scalar, InstructionSet::sse4, InstructionSet::avx2, InstructionSet::avx512})
    if ((targets & target_of(set)) != 0) sets.push_back(set);
  return sets;
}

void limit_to(InstructionSet set) {
  const std::vector<InstructionSet> all = available();
  TUMBLE_ASSERT(std::find(all.begin(), all.end(), set) != all.end());
  choose(target_of(set));
}
void unlimit() { choose(0); }

const char* name(InstructionSet set) {
  constexpr std::array<const char*, 4> names{"scalar", "SSE4", "AVX2", "AVX-512"};
  return names[static_cast<std::size_t>(set)];
}

const char* instruction_set() { return name(available().back()); }

}  // namespace tumble
