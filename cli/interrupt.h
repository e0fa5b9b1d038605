// SPDX-License-Identifier: Apache-2.0
// What happens when a signal is to end the program: work that can be taken up again is kept, unfinished output files
// and the progress bar are cleaned up.
#pragma once

namespace tumble::cli {

/// Installs the handler for the signals that end a program from outside (Ctrl-C and the like). Makes a file that grows
/// too large an error of writing.
void clean_up_when_interrupted();

/// While one lives, the first such signal only asks to stop, so that work can be kept; a second one ends the program.
/// One at a time.
class Stoppable {
 public:
  Stoppable();
  ~Stoppable();
  Stoppable(const Stoppable&) = delete;
  Stoppable& operator=(const Stoppable&) = delete;

  bool asked_to_stop() const;
  /// Lets the signal that asked end the program, as it would have done at once.
  [[noreturn]] void end() const;
};

/// Whether the last line of the terminal is a progress bar to be wiped on a signal.
void set_bar_visible(bool visible);

/// Moves to the line's start and wipes it.
inline constexpr char wipe_line[] = "\r\033[K";

}  // namespace tumble::cli
