// SPDX-License-Identifier: Apache-2.0
// One function per experiment; lab/experiments/list.cpp puts them in order.
#pragma once

#include "lab/experiment.h"

namespace tumble::lab {

Experiment table6();
Experiment table7();
Experiment peers();

}  // namespace tumble::lab
