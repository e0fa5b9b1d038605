// SPDX-License-Identifier: Apache-2.0
// TUMBLE_ASSERT: stops on our own bugs. Bad data from outside raises tumble::Error instead.
#pragma once

#if defined(TUMBLE_ENABLE_ASSERTS)
#include <cstdio>
#include <cstdlib>
#define TUMBLE_ASSERT(condition) \
  ((condition)                   \
       ? void(0)                 \
       : (std::fprintf(stderr, "%s:%d: assertion failed: %s\n", __FILE__, __LINE__, #condition), std::abort()))
#else
// sizeof keeps the operands "used" without evaluating them.
#define TUMBLE_ASSERT(condition) void(sizeof(!(condition)))
#endif
