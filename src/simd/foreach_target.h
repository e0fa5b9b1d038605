// SPDX-License-Identifier: Apache-2.0
// Compiles the file named by HWY_TARGET_INCLUDE once per instruction set. No include guard: Highway keeps count itself.
// A kernel file reads:
//
//   #undef HWY_TARGET_INCLUDE
//   #define HWY_TARGET_INCLUDE "room/file.cpp"
//   #include "simd/foreach_target.h"   // must come before lanes-inl.h
//   #include "simd/lanes-inl.h"
//   HWY_BEFORE_NAMESPACE();
//   namespace tumble::HWY_NAMESPACE { ... kernels ... }
//   HWY_AFTER_NAMESPACE();
//   #if HWY_ONCE
//   namespace tumble { HWY_EXPORT(kernel); ... HWY_DYNAMIC_DISPATCH(kernel)(...) ... }
//   #endif

// Every machine with SSSE3 that is still in use has SSE4.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS HWY_SSSE3
#endif
#include <hwy/foreach_target.h>
