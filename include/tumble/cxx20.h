// SPDX-License-Identifier: Apache-2.0
// Ends the compilation with one sentence where the compiler is told to speak an older C++.
#pragma once

#if __cplusplus < 202002L
#error "tumble needs C++20: compile with -std=c++20, or in CMake target_compile_features(app PRIVATE cxx_std_20)"
#include <tumble_needs_cxx20>  // There is no such file: compilers stop here and spare the errors that would follow.
#endif
