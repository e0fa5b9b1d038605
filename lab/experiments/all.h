// SPDX-License-Identifier: Apache-2.0
// One function per experiment; lab/experiments/list.cpp puts them in order.
#pragma once

#include "lab/experiment.h"

namespace tumble::lab {

Experiment table1();
Experiment table2();
Experiment table3();
Experiment table4();
Experiment table5();
Experiment table6();
Experiment table7();
Experiment fig3();
Experiment zachmann1998();
Experiment fuenzig2003();
Experiment fuenzig2003_distance();
Experiment peers();
Experiment cliffs();
Experiment worlds();
Experiment clash();
Experiment lin1996();
Experiment lin1996_boxes();
Experiment lin1996_hulls();
Experiment robots();
Experiment first_contacts();
Experiment neighbours();
Experiment convex();
Experiment speed();
Experiment loading();
Experiment triangles();
Experiment points();
Experiment trees();
Experiment tightness();
void interval_order(Context& context, Report& report);
void why_8_dops_are_slow(Context& context, Report& report);
void budgets(Context& context, Report& report);
/// The questions the papers leave open, those among them.
std::vector<Experiment> studies();

}  // namespace tumble::lab
