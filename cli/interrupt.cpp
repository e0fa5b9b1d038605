// SPDX-License-Identifier: Apache-2.0
// The signal handler: makes only async-signal-safe calls (POSIX.1-2017, 2.4.3), then lets the signal take effect.
#include "cli/interrupt.h"

#include "core/out_file.h"

#include <atomic>
#include <csignal>

#include <unistd.h>

namespace tumble::cli {
namespace {

std::atomic<bool> bar_visible{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int signal) {
  remove_unfinished_files();
  if (bar_visible) [[maybe_unused]]
    const auto written = write(STDERR_FILENO, wipe_line, sizeof wipe_line - 1);
  raise(signal);  // SA_RESETHAND has restored the default, so the caller sees that this signal ended the program
}

}  // namespace

void clean_up_when_interrupted() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGHUP, SIGINT, SIGPIPE, SIGTERM}) {
    struct sigaction inherited {};
    sigaction(signal, nullptr, &inherited);
    if (inherited.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // nohup and the like stay in force
  }
}

void set_bar_visible(bool visible) { bar_visible = visible; }

}  // namespace tumble::cli
