// SPDX-License-Identifier: Apache-2.0
// Kept counters: what an experiment's quick run counted when its page was written, in a file beside the page. A quick
// run that counts otherwise shows that the page is out of date; no clock is involved.
#pragma once

#include "lab/experiment.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tumble::lab {

/// The members of a row of the journal that are the same on every machine, with its key; null if there are none, or if
/// the row is a rival's.
Json exact_part(const Row& key, const Row& measured);

struct KeptCounters {
  Json rows = Json::array();  // as exact_part() gives them
  double seconds = 0;         // that the page's rows took; 0 if the page was not written by the same command
};

/// results/quick/NAME.json of a folder like docs/.
std::filesystem::path kept_file(const std::filesystem::path& docs, const std::string& experiment);
/// None if there is no such file. Throws Error(file_format).
std::optional<KeptCounters> kept(const std::filesystem::path& docs, const std::string& experiment);
void keep(const std::filesystem::path& docs, const std::string& experiment, const KeptCounters& counters);

/// What differs, in a sentence each; none if all is as it was kept. Rows that were kept and are not there now do not
/// count if `some_missing`: on a machine without the real meshes.
std::vector<std::string> differences(const Json& kept, const Json& now, bool some_missing);

/// Says at the top of the experiment's page, if there is one, that it is out of date.
void mark_stale(const std::filesystem::path& docs, const std::string& experiment);
/// By which version of the code the experiment's page says that it was measured, as code_version() has it; none if
/// there is no page, or it does not say.
std::optional<std::string> code_of_page(const std::filesystem::path& docs, const std::string& experiment);
/// Whether the page says that it is out of date.
bool is_stale(const std::filesystem::path& docs, const std::string& experiment);

}  // namespace tumble::lab
