// SPDX-License-Identifier: Apache-2.0
// Cleans up unfinished output files and the progress bar when a signal ends the program.
#pragma once

namespace tumble::cli {

/// Installs the handler for the signals that end a program from outside (Ctrl-C and the like).
void clean_up_when_interrupted();

/// Whether the last line of the terminal is a progress bar to be wiped on a signal.
void set_bar_visible(bool visible);

/// Moves to the line's start and wipes it.
inline constexpr char wipe_line[] = "\r\033[K";

}  // namespace tumble::cli
