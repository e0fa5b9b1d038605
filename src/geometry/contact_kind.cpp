// SPDX-License-Identifier: Apache-2.0
// The printed names of contact kinds.
#include <tumble/contact.h>

namespace tumble {

const char* name(ContactKind kind) {
  switch (kind) {
    case ContactKind::touch: return "touch";
    case ContactKind::cross: return "cross";
    case ContactKind::coplanar: return "coplanar";
    case ContactKind::inside: return "inside";
  }
  return "unknown";
}

}  // namespace tumble
