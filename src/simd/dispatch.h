// SPDX-License-Identifier: Apache-2.0
// Which instruction sets kernels run on: the best the machine has, unless a test or an experiment limits them.
#pragma once

#include <cstdint>
#include <vector>

namespace tumble {

enum class InstructionSet : std::uint8_t { scalar, sse4, avx2, avx512 };

/// The compiled instruction sets that this machine has, in ascending order.
std::vector<InstructionSet> available();

/// From the next pose on every kernel uses this set, which must be available. It holds for the whole process; do not
/// call it while queries run.
void limit_to(InstructionSet set);
void unlimit();

const char* name(InstructionSet set);

}  // namespace tumble
