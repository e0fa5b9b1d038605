// SPDX-License-Identifier: Apache-2.0
// The version that was compiled into the library.
#include <tumble/version.h>

namespace tumble {

const char* version() { return TUMBLE_VERSION; }

}  // namespace tumble
