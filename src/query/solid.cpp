// SPDX-License-Identifier: Apache-2.0
// What is closed, and the names of sides.
#include <tumble/solid.h>

#include "core/plain_arithmetic.h"
#include "tree/model_data.h"

#include <tumble/error.h>

#include <string>

namespace tumble {

const char* name(Side side) {
  switch (side) {
    case Side::outside: return "outside";
    case Side::on_surface: return "on_surface";
    case Side::inside: return "inside";
  }
  return "unknown";
}

void check_closed(const Model& model) {
  const PlainArithmetic plain;
  const std::string& fault = data_of(model).solid_facts().fault;
  if (!fault.empty()) throw Error(ErrorCode::not_closed, fault);
}

}  // namespace tumble
