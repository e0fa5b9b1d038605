// SPDX-License-Identifier: Apache-2.0
// What an experiment leaves behind: text for the terminal, JSON, CSV and SVG files, and a page of docs/results.
#pragma once

#include "lab/experiment.h"

#include <filesystem>
#include <string>

namespace tumble::lab {

/// "48 s", "12 min", "2 h 5 min".
std::string duration_text(double seconds);

std::string to_text(const Experiment& experiment, const Report& report);
/// docs/schemas/lab.schema.json says what is in it.
Json to_json(const Experiment& experiment, const Report& report, bool quick);

/// NAME.json, NAME.TABLE.csv and NAME.PLOT.svg into the folder, which is made if missing.
void write_files(const Experiment& experiment, const Report& report, const Settings& settings);

/// Makes the folder and those above it. Throws Error(file_access).
void make_folder(const std::filesystem::path& folder);
/// The file appears whole or not at all; its folder is made if missing. Throws Error(file_access).
void write_text(const std::filesystem::path& file, const std::string& text);

/// results/NAME.md, its pictures/results/NAME.PLOT.svg and the index results/README.md into a folder like docs/. No
/// mesh may have been replaced: pages are about the generated ones.
void write_page(const Experiment& experiment, const Report& report, const std::filesystem::path& docs);

/// Runs one, or continues it.
Report run(const Experiment& experiment, const Settings& settings, Journal& journal, Hangar& hangar,
           const Context::Progress& progress = {});

}  // namespace tumble::lab
