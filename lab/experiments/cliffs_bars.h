// SPDX-License-Identifier: Apache-2.0
// What the rows of `cliffs` say: who leads by how much at every point, and whether that clears the bars we set.
#pragma once

#include "lab/table.h"

#include <string>
#include <vector>

namespace tumble::lab {

/// Whether the bars are about this rival. Those that are not, libraries in single precision, answer another question
/// where clearances are small.
bool is_judged(const std::string& id);

/// The rows of `cliffs` are one entrant's answer to one question at one point each: family, question, parameter,
/// triangles, contacts, id, rival, us (null: not answered), limit_us, failure, differs; points in the order of the
/// parameter, the hard end last. A lead is one row per point and question: ours beside the best of the others.
///   us            of tumble, fresh; the limit if it needed longer, and `ours_over` is true then
///   ratio, best   the best judged rival's time over ours, and who that is; null without one
///   at_least      whether nobody else answered within the limit: the ratio is then the limit's
///   wrong         whether the best one lists other contacts than there are; who is wrong on any or distance is no lead
///   beside, …     the same of the others: libraries in single precision
///   fcl, fcl_at_least, fcl_volume   the same of FCL in double precision, with its best volume
std::vector<Row> leads(const std::vector<Row>& rows);

/// How much our time grows from one point to the next beyond what is explained, over a decade of the parameter (over
/// the step itself if that is less than a decade). Explained: for `all`, by contacts in proportion; where neither point
/// has contacts, by triangles.
double unexplained_step(const Row& from, const Row& to);

/// Bars on leads; a bar whose family was not measured is "not measured", at reduced sizes nothing is judged.
Table judge_cliffs(const std::vector<Row>& leads, bool judged);

/// In a few sentences, beginning with where others are ahead.
std::vector<std::string> cliffs_findings(const std::vector<Row>& rows, const std::vector<Row>& leads,
                                         const Table& bars);

}  // namespace tumble::lab
