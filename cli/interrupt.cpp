// SPDX-License-Identifier: Apache-2.0
// The signal handler: makes only async-signal-safe calls (POSIX.1-2017, 2.4.3), then lets the signal take effect.
#include "cli/interrupt.h"

#include "core/out_file.h"

#include <atomic>
#include <csignal>
#include <cstdlib>

#include <unistd.h>

namespace tumble::cli {
namespace {

std::atomic<bool> bar_visible{false}, can_stop{false};
std::atomic<int> asked_by{0};  // the signal that asked to stop
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void install(int signal);

void on_signal(int signal) {
  if (signal != SIGPIPE && can_stop.exchange(false)) {
    asked_by = signal;
    install(signal);  // SA_RESETHAND has restored the default
    return;
  }
  remove_unfinished_files();
  if (bar_visible) [[maybe_unused]]
    const auto written = write(STDERR_FILENO, wipe_line, sizeof wipe_line - 1);
  raise(signal);  // by the default action, so the caller sees that this signal ended the program
}

void install(int signal) {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void clean_up_when_interrupted() {
  for (const int signal : {SIGHUP, SIGINT, SIGPIPE, SIGTERM}) {
    struct sigaction inherited {};
    sigaction(signal, nullptr, &inherited);
    if (inherited.sa_handler != SIG_IGN) install(signal);  // nohup and the like stay in force
  }
  std::signal(SIGXFSZ, SIG_IGN);  // a limit of the size of files (ulimit -f) fails writes, as a full disk does
}

Stoppable::Stoppable() {
  asked_by = 0;
  can_stop = true;
}
Stoppable::~Stoppable() { can_stop = false; }

bool Stoppable::asked_to_stop() const { return asked_by != 0; }

void Stoppable::end() const {
  can_stop = false;
  raise(asked_by);
  std::abort();  // the signal ends the program
}

void set_bar_visible(bool visible) { bar_visible = visible; }

}  // namespace tumble::cli
