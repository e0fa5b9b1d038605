// SPDX-License-Identifier: Apache-2.0
// PairMemory: the little that a pair of models keeps from one question to the next. It changes speed, never answers.
#pragma once

#include "query/shells_inside.h"
#include "traverse/front.h"
#include "traverse/placed_pair.h"

#include <optional>

namespace tumble {

struct PairMemory {
  bool is_new = true;                   // no walk for contacts yet
  Front front;                          // where the last walk for contacts ended
  std::optional<TrianglePair> contact;  // found by the last question that one contact answers
  std::optional<ShellInside> shell;     // likewise, where one shell inside answered it
  std::optional<TrianglePair> closest;  // the nearest pair that was measured

  void forget() {
    is_new = true;
    front.forget();
    contact.reset();
    shell.reset();
    closest.reset();
  }
};

}  // namespace tumble
